/// Synthetic listings of `hdfs fsck`: files, blocks and replicas from a seed, printed in each form of Hadoop.
///
/// Random numbers come from a generator written out here, so that a description gives the same bytes on every machine.
/// The replicas of a block are the first places of a partial Fisher-Yates shuffle, which goes on from block to block in
/// one list of servers. The listing is made as data first and printed from it, so a test can compare what is read with
/// what was meant. Text is passed on in pieces and never held as a whole.
/// Source: docs/models/inputs.md, Listings of HDFS blocks.
#include "experiments/input/fsck/listing_generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof::input {

namespace {

/// SplitMix64. Its bias in `below` is under 2^-32 for the sizes here.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : state_(seed) {}
    std::size_t below(std::size_t n) { return static_cast<std::size_t>((next() >> 32) % n); }

  private:
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31);
    }
    std::uint64_t state_;
};

constexpr std::uint64_t full_block = std::uint64_t{128} << 20;

bool has_racks(ListingForm form) { return form != ListingForm::hadoop3_storages; }

std::string location(const ListedServer& server, ListingForm form) {
    const std::string address = server.name + ":9866";
    if (form == ListingForm::hadoop3_storages)
        return fmt::format("DatanodeInfoWithStorage[{},DS-0a1b2c3d,DISK]", address);
    return server.rack + "/" + address + (form == ListingForm::hadoop3_details ? "(LIVE)" : "");
}

class Printer {
  public:
    Printer(const Listing& listing, ListingForm form, std::ostream& out) : listing_(listing), form_(form), out_(out) {}

    void print() {
        put("Connecting to namenode via http://nn.example:9870/fsck\nFSCK started by hdfs (auth:SIMPLE) from /10.0.0.1 "
            "for path / at a time\n");
        put("/ <dir>\n");
        for (const ListedFile& file : listing_.files) print_file(file);
        print_summary();
        flush();
    }

  private:
    void put(std::string_view text) {
        text_ += text;
        if (text_.size() > (std::size_t{1} << 16)) flush();
    }
    void flush() {
        out_ << text_;
        text_.clear();
    }

    void print_file(const ListedFile& file) {
        const bool modern = form_ != ListingForm::hadoop1 && form_ != ListingForm::hadoop2;
        put(fmt::format("{} {} bytes, {}{} block(s):  OK\n", file.path, file.bytes,
                        modern ? "replicated: replication=3, " : "", file.blocks));
        std::size_t number = 0;
        for (const ListedBlock& block : listing_.blocks_of(file)) print_block(block, number++);
        put("\n");
    }

    void print_block(const ListedBlock& block, std::size_t number) {
        const bool first = form_ == ListingForm::hadoop1;
        put(fmt::format("{}. {}blk_{}_{} len={} {}={}{}[", number, first ? "" : "BP-929597290-10.0.0.1-1500000000000:",
                        block.id, block.stamp, block.bytes, first ? "repl" : "Live_repl", block.replicas,
                        first || form_ == ListingForm::hadoop2 ? " " : "  "));
        bool comma = false;
        for (const ServerId m : listing_.replicas_of(block)) {
            if (comma) put(form_ == ListingForm::wrapped ? ", \n    " : ", ");
            comma = true;
            put(location(listing_.servers[m.index()], form_));
        }
        put("]\n");
    }

    void print_summary() {
        const ImportSummary& summary = listing_.summary;
        put(
            fmt::format("\nStatus: HEALTHY\n Number of data-nodes:\t{}\n Number of racks:\t\t{}\n Total dirs:\t\t\t1\n "
                        "Total symlinks:\t\t0\n",
                        summary.data_nodes, has_racks(form_) ? summary.racks : 1));
        put(fmt::format(
            "\nReplicated Blocks:\n Total size:\t{} B\n Total files:\t{}\n Total blocks (validated):\t{} (avg. block "
            "size {} B)\n",
            summary.bytes, summary.files, summary.blocks, summary.blocks == 0 ? 0 : summary.bytes / summary.blocks));
        put("FSCK ended at a time in 42 milliseconds\n\n\nThe filesystem under path '/' is HEALTHY\n");
    }

    const Listing& listing_;
    ListingForm form_;
    std::ostream& out_;
    std::string text_;
};

}  // namespace

Listing generate_listing(const ListingSpec& spec) {
    require(spec.servers > 0 && spec.racks > 0 && spec.replicas > 0 && spec.blocks_per_file > 0,
            "a listing needs servers, racks, replicas and files");
    Listing listing;
    for (std::size_t m = 0; m < spec.servers; ++m)
        listing.servers.push_back({fmt::format("10.{}.{}.{}", m / 65'025 % 255, m / 255 % 255, m % 255 + 1),
                                   fmt::format("/dc1/rack{}", m % spec.racks)});
    Draws draws(spec.seed);
    std::vector<std::size_t> pool(spec.servers);
    std::iota(pool.begin(), pool.end(), std::size_t{0});
    std::set<std::size_t> used;
    for (std::size_t i = 0; i < spec.blocks; ++i) {
        if (i % spec.blocks_per_file == 0)
            listing.files.push_back(
                {fmt::format("/user/data/part-{:06}", listing.files.size()), 0, i, 0, false, false});
        ListedBlock block{-static_cast<std::int64_t>(1'073'741'825 + i), 1001 + i, full_block - draws.below(1000),
                          listing.replicas.size(), 0};
        if (i % 2 == 0) block.id = -block.id;
        for (std::size_t k = 0; k < std::min(spec.replicas, spec.servers); ++k) {
            std::swap(pool[k], pool[k + draws.below(spec.servers - k)]);
            listing.replicas.emplace_back(pool[k]);
            used.insert(pool[k]);
            ++block.replicas;
        }
        listing.files.back().bytes += block.bytes;
        ++listing.files.back().blocks;
        listing.blocks.push_back(block);
    }
    ImportSummary& summary = listing.summary;
    summary.files = listing.files.size();
    summary.directories = 1;
    summary.blocks = listing.blocks.size();
    summary.replicas = listing.replicas.size();
    for (const ListedFile& file : listing.files) summary.bytes += file.bytes;
    summary.data_nodes = used.size();
    std::set<std::size_t> racks;
    for (const std::size_t m : used) racks.insert(m % spec.racks);
    summary.racks = racks.size();
    return listing;
}

void print_listing(const Listing& listing, ListingForm form, std::ostream& out) { Printer(listing, form, out).print(); }

}  // namespace schedproof::input
