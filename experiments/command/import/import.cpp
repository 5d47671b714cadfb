/// `import hdfs-fsck`: the cluster that a listing of blocks shows, as an instance file of the queueing family.
///
/// Servers, racks and replica sets are the listing's (experiments/input/fsck/instance_of_listing.cpp). What a listing
/// has not, service rates and arrivals, is what the options say, or an assumption that is printed as a note.
#include <fmt/core.h>

#include <cstdio>
#include <string_view>

#include "experiments/command/core/exact_option.hpp"
#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/command/import/import_assignment.hpp"
#include "experiments/command/import/import_jmt.hpp"
#include "experiments/command/import/import_router.hpp"
#include "experiments/command/import/import_trace.hpp"
#include "experiments/input/fsck/instance_of_listing.hpp"
#include "experiments/input/fsck/reader.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::cli {

struct ImportRequest {
    std::string listing;
    std::string path_prefix;
    std::string by = "host";
    std::string weight = "blocks";
    std::string rates;
    std::string total_rate;
    std::string arrivals = "rates";
    std::string name;
    bool erasure_coded = false;
    Destination to;
};

namespace {

/// `4/5,1/2,1/5` as levels named local, rack, (group2, ...,) remote.
std::vector<queueing::LevelInfo> parse_levels(const std::string& text) {
    std::vector<queueing::LevelInfo> levels;
    for (const std::string_view part : base::split(text, ',')) {
        const auto rate = Rational::parse(part);
        if (!rate) throw InputError::at_key(fmt::format("--rates (entry {})", levels.size() + 1), rate.error());
        if (rate->sign() <= 0 || *rate > 1 || (!levels.empty() && *rate >= levels.back().rate))
            throw InputError::at_key(
                fmt::format("--rates (entry {})", levels.size() + 1),
                "expected rates above 0 and at most 1, each below the one before, not " + rate->to_string());
        levels.push_back({levels.empty()       ? "local"
                          : levels.size() == 1 ? "rack"
                                               : fmt::format("group{}", levels.size()),
                          *rate});
    }
    if (levels.size() < 2) throw InputError::at_key("--rates", "expected at least two rates, local first");
    levels.back().name = "remote";
    return levels;
}

/// Options of the request; every complaint names the option.
input::ImportOptions parse_options(const ImportRequest& request) {
    input::ImportOptions options;
    options.source =
        fmt::format("hdfs fsck listing {}", request.listing == "-" ? "on standard input" : request.listing);
    if (!request.name.empty()) options.name = request.name;
    if (base::first_invalid_utf8(options.name) != std::string_view::npos)
        throw InputError::at_key("--name", "expected text in UTF-8");
    if (!request.path_prefix.empty()) options.under = request.path_prefix;
    options.weight = request.weight == "bytes" ? input::BlockWeight::bytes : input::BlockWeight::blocks;
    options.erasure_coded = request.erasure_coded;
    options.arrivals = request.arrivals == "bernoulli" ? input::ListingArrivals::bernoulli
                       : request.arrivals == "single"  ? input::ListingArrivals::single
                                                       : input::ListingArrivals::rates;
    if (!request.rates.empty()) options.levels = parse_levels(request.rates);
    if (!request.total_rate.empty()) {
        options.total_rate = option_number(request.total_rate, "--total-rate", "a rate of at least 0",
                                           [](const Rational& rate) { return rate.sign() >= 0; });
    }
    return options;
}

}  // namespace

int run(const ImportRequest& request) {
    require_writable({request.to.path});
    const input::ImportOptions options = parse_options(request);
    const input::Listing listing = with_progress("import", "read the listing", [&] {
        return input::read_fsck_file(request.listing,
                                     request.by == "port" ? input::ServerNaming::port : input::ServerNaming::host);
    });
    input::ImportedInstance imported = [&] {
        try {
            return input::import_instance(listing, options);
        } catch (const InputError& error) {
            const std::string& key = error.place().key;
            const char* option = key == "under"      ? "--path"
                                 : key == "levels"   ? "--rates"
                                 : key == "arrivals" ? "--arrivals"
                                                     : nullptr;
            if (option == nullptr) throw error.within({request.listing, 0, ""});
            throw InputError::in_file(request.listing, option, error.expected());
        }
    }();
    const queueing::Instance instance(std::move(imported.data));
    std::fputs(listing.summary.to_string().c_str(), stderr);
    for (const std::string& note : imported.notes) fmt::print(stderr, "note: {}\n", note);
    if (options.arrivals == input::ListingArrivals::rates)
        std::fputs(
            "note: it has mean rates only, which is enough for `capacity`; to simulate, enumerate or prove, import "
            "it with --arrivals bernoulli or --arrivals single\n",
            stderr);
    write_text(request.to.path,
               request.to.json() || request.to.path.ends_with(".json") ? write_json(instance) : write_toml(instance));
    return 0;
}

namespace {

OptionTable options(ImportRequest& r) {
    return joined(
        {{{.names = "FILE", .target = &r.listing, .meaning = "the listing, - for standard input", .required = true},
          {.names = "--path",
           .value = "PATH",
           .target = &r.path_prefix,
           .meaning = "path in the listing; only files at or below it are taken"},
          {.names = "--by",
           .target = &r.by,
           .meaning = "what a server is: a host, or a host and port",
           .show_default = true,
           .words = {"host", "port"}},
          {.names = "--weight",
           .target = &r.weight,
           .meaning = "load of a block: the same for each, or its bytes",
           .show_default = true,
           .words = {"blocks", "bytes"}},
          {.names = "--rates",
           .value = "LIST",
           .target = &r.rates,
           .meaning = "service rates, local first: 4/5,1/2,1/5 (an assumption: a listing has none)"},
          {.names = "--total-rate",
           .value = "NUMBER",
           .target = &r.total_rate,
           .meaning = "mean number of tasks that arrive in a slot (default: half of what a perfectly balanced cluster "
                      "serves)"},
          {.names = "--arrivals",
           .target = &r.arrivals,
           .meaning = "law of a slot's arrivals: mean rates only, enough for `capacity`; at most one task of each "
                      "type, independently; at most one task in all",
           .show_default = true,
           .words = {"rates", "bernoulli", "single"}},
          {.names = "--erasure-coded",
           .target = &r.erasure_coded,
           .meaning = "count the cells of erasure-coded blocks as replicas"},
          {.names = "--name", .value = "NAME", .target = &r.name, .meaning = "name of the instance"}},
         destination_options(r.to)});
}

}  // namespace

Subcommand import() {
    Subcommand group{"import",
                     "make an instance, or a policy, from the files of a real cluster",
                     "schedproof import hdfs-fsck experiments/instances/example-fsck.txt -o example.toml",
                     {}};
    group.parts = {make_subcommand<ImportRequest>(
        "hdfs-fsck", "an instance from the output of `hdfs fsck PATH -files -blocks -locations -racks`",
        "hdfs fsck /data -files -blocks -locations -racks | schedproof import hdfs-fsck - -o data.toml\n"
        "  schedproof import hdfs-fsck experiments/instances/example-fsck.txt --total-rate 1 --arrivals bernoulli",
        options)};
    group.parts.push_back(import_assignment());
    group.parts.push_back(import_router());
    group.parts.push_back(import_jmt());
    group.parts.push_back(import_trace());
    return group;
}

}  // namespace schedproof::cli
