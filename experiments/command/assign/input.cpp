/// What `assign` reads: an instance, or a placement with loads as a real cluster gives them.
///
/// The form of a file shows in its first line (a listing, pairs, CSV), so an input must be a stream that can be
/// rewound: files are, and pipes are taken into memory up to a bound.
#include "experiments/command/assign/input.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "experiments/command/core/exact_option.hpp"
#include "experiments/input/fsck/reader.hpp"
#include "model/assignment/codec/codec.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

constexpr std::size_t max_piped_bytes = std::size_t{4} << 30;

[[noreturn]] void wrong(const char* option, std::string expected) {
    throw InputError::at_key(option, std::move(expected));
}

/// An input whose form its first line tells: a stream that can be rewound. Pipes are taken into memory.
class Source {
  public:
    explicit Source(const std::string& path) : name_(base::display_name(path)) {
        if (path != "-") {
            auto file = std::make_unique<std::ifstream>(base::open_text(path));
            if (file->tellg() != std::streampos(-1)) {
                in_ = std::move(file);
                return;
            }
        }
        in_ = std::make_unique<std::istringstream>(base::read_text(path, max_piped_bytes));
    }

    /// The first line that is not blank, bounded; the stream is at its beginning again.
    std::string first_line() {
        constexpr std::size_t bound = 4096;
        std::string line;
        while (*in_ && line.find_first_not_of(" \t\r") == std::string::npos) {
            line.assign(bound, '\0');
            in_->getline(line.data(), static_cast<std::streamsize>(bound));
            line.resize(line.find('\0') == std::string::npos ? bound : line.find('\0'));
        }
        in_->clear();
        in_->seekg(0);
        return line;
    }
    [[nodiscard]] std::istream& stream() { return *in_; }
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    std::string name_;
    std::unique_ptr<std::istream> in_;
};

assignment::CostText cost_of(const AssignRequest& request) {
    if (!request.cost.empty() && !request.theta.empty()) wrong("--theta", "expected --cost or --theta, not both");
    if (!request.theta.empty()) {
        const Rational theta = option_number(request.theta, "--theta");
        if (theta.sign() <= 0) wrong("--theta", "expected a factor above 0, not " + theta.to_string());
        return {assignment::AffineCost{theta, {}}, true};
    }
    if (request.cost.empty()) return {assignment::AffineCost{}, true};
    auto cost = assignment::parse_cost(request.cost);
    if (!cost) wrong("--cost", cost.error());
    return *std::move(cost);
}

input::ClusterLoads loads_of(const AssignRequest& request) {
    if (request.loads.empty()) {
        if (!request.cores) wrong("--loads", "expected a file of initial loads, or --cores N for idle servers");
        return {};
    }
    Source source(request.loads);
    return input::read_loads(source.stream(), source.name(), request.cores);
}

input::PlacedTasks read_placement(const AssignRequest& request, Progress& progress) {
    input::PlacementOptions options;
    options.source = fmt::format("{} with {}", request.placement == "-" ? "standard input" : request.placement,
                                 request.loads.empty() ? "idle cores" : "loads of " + request.loads);
    if (base::first_invalid_utf8(options.source) != std::string::npos) options.source.clear();
    options.name = request.name;
    options.job_per_file = request.job_per_file;
    options.cost = cost_of(request);
    options.cores = request.cores;
    options.under = request.path;
    options.erasure_coded = request.erasure_coded;
    options.incomplete = request.incomplete;
    progress.report("loads", 0, 0);
    input::ClusterLoads loads = loads_of(request);
    progress.report("placements", 0, 0);
    Source source(request.placement);
    if (input::looks_like_data_set(source.first_line())) {
        if (request.job_per_file)
            throw InputError::in_file(source.name(), "--jobs",
                                      "expected 'one' with a data set of placements, which names no files");
        return input::place_data_set(source.stream(), source.name(), std::move(loads), options);
    }
    const input::Listing listing = input::read_fsck(
        source.stream(), source.name(), request.by == "port" ? input::ServerNaming::port : input::ServerNaming::host);
    std::fputs(listing.summary.to_string().c_str(), stderr);
    return input::place_listing(listing, source.name(), std::move(loads), options);
}

}  // namespace

input::PlacedTasks read_assign_input(const AssignRequest& request, Progress& progress) {
    if (request.instance.empty() && request.placement.empty())
        wrong("INSTANCE", "expected an instance file, or --placement with --loads");
    if (!request.instance.empty()) {
        progress.report("input", 0, 0);
        return {assignment::read_instance(request.instance), {}, {}, {}};
    }
    if (request.placement == "-" && request.loads == "-") wrong("--loads", "expected standard input for one file only");
    input::PlacedTasks placed = read_placement(request, progress);
    for (const std::string& note : placed.notes) fmt::print(stderr, "note: {}\n", note);
    return placed;
}

}  // namespace schedproof::cli
