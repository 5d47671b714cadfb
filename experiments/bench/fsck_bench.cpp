/// From a listing of 100,000 blocks on 1,000 servers in 40 racks to its certified load, step by step.
///
/// Targets: read in under 2 s; read, made an instance and solved in under 60 s and 2 GiB. The baseline for reading is
/// splitting the same text into lines and nothing else. Exit code 1 when a target is missed.
/// What bounds it: for reading, the parsing of addresses and the table of servers; for solving, maximum flows.
#include <fmt/core.h>

#include <sstream>
#include <string>
#include <utility>

#include "experiments/bench/support.hpp"
#include "experiments/input/fsck/instance_of_listing.hpp"
#include "experiments/input/fsck/listing_generator.hpp"
#include "experiments/input/fsck/reader.hpp"
#include "proofs/queueing/capacity/region.hpp"

namespace {

using namespace schedproof;
using namespace schedproof::input;

std::string listing_text(ListingForm form) {
    std::ostringstream out;
    print_listing(generate_listing({.blocks = 100'000, .servers = 1000, .racks = 40}), form, out);
    return std::move(out).str();
}

/// Reads the text; prints its time beside that of splitting it into lines.
double read_beside_lines(const char* name, const std::string& text) {
    std::size_t lines = 0;
    const double split = bench::wall_seconds([&] {
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) ++lines;
    });
    const double read = bench::wall_seconds([&] {
        std::istringstream in(text);
        if (read_fsck(in, "bench").blocks.size() != 100'000) std::abort();
    });
    fmt::print(
        "read, {:<22} {:8.3f} s   {:5.1f} MB, {} lines   {:4.1f}x splitting into lines   {:4.2f} of the 2 s target\n",
        name, read, static_cast<double>(text.size()) / 1e6, lines, read / split, read / 2);
    return read;
}

}  // namespace

int main() {
    const std::string text = listing_text(ListingForm::hadoop3);
    const double read = read_beside_lines("with racks", text);
    read_beside_lines("with storages", listing_text(ListingForm::hadoop3_storages));
    read_beside_lines("wrapped lists", listing_text(ListingForm::wrapped));

    queueing::InstanceData data;
    const double import = bench::wall_seconds([&] {
                              std::istringstream in(text);
                              data = to_instance(read_fsck(in, "bench"));
                          }) -
                          read;
    const std::size_t types = data.types.size();
    capacity::CapacityCertificate certificate;
    const double solve =
        bench::wall_seconds([&] { certificate = capacity::solve(queueing::Instance(std::move(data))); });
    const double all = read + import + solve;
    fmt::print("make an instance             {:8.3f} s   {} task types\n", import, types);
    fmt::print("solve and verify             {:8.3f} s   rho* {}\n", solve,
               certificate.exact() ? display(certificate.load()) + ", exact"
                                   : fmt::format("within {:.3g}", certificate.width().approximate()));
    fmt::print(
        "read, make and solve         {:8.3f} s   {:4.2f} of the 60 s target; peak {:.2f} GiB, {:.2f} of the 2 GiB "
        "target\n",
        all, all / 60, bench::peak_gib(), bench::peak_gib() / 2);
    return read < 2 && all < 60 && bench::peak_gib() < 2 ? 0 : 1;
}
