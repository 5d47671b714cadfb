/// `import trace`: a cluster that keeps data of requests, as an instance, and the tasks that a recorded trace brings
/// it.
///
/// What a trace does not say is what the options say: how many servers there are and how many of them keep the data of
/// a key, how long a request takes where its data is, and where it is not. Which server keeps what is decided by the
/// key's name. `simulate --trace` replays the tasks; everything that takes an instance takes this one, whose arrivals
/// are Poisson at the mean rates of the trace.
#include "experiments/command/import/import_trace.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <map>

#include "experiments/command/core/options.hpp"
#include "experiments/command/core/output.hpp"
#include "experiments/input/requests/instance_of_requests.hpp"
#include "experiments/input/text/hashed_input.hpp"
#include "experiments/input/text/real_text.hpp"
#include "model/base/split.hpp"
#include "model/base/text.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"

namespace schedproof::cli {

struct TraceImportRequest {
    std::string trace, kind = "auto", name = "requests", seconds, tasks;
    std::uint64_t servers = 8, replicas = 1, depth = 1, block = 512;
    std::optional<std::uint32_t> common;
    double factor = 2, extra = 0;
    Destination to;
};

namespace {

const std::map<std::string, input::RequestFormat, std::less<>>& request_formats() {
    using input::RequestFormat;
    static const std::map<std::string, RequestFormat, std::less<>> formats{
        {"mooncake", RequestFormat::mooncake}, {"azure", RequestFormat::azure}, {"lora", RequestFormat::lora},
        {"swim", RequestFormat::swim},         {"swf", RequestFormat::swf},     {"csv", RequestFormat::csv}};
    return formats;
}

input::RequestFormat format_of(const TraceImportRequest& request) {
    if (request.kind != "auto") return request_formats().at(request.kind);
    const auto format = input::request_format(request.trace);
    if (!format)
        throw InputError::at_key(
            "--kind", "expected the format, which the name " + base::display_name(request.trace) + " does not tell");
    return *format;
}

input::RequestCosts costs_of(const TraceImportRequest& r) {
    input::RequestCosts costs;
    if (!r.seconds.empty()) {
        const auto words = base::split(r.seconds, ',');
        const auto number = [&](std::size_t i) {
            const auto value = words.size() == 3 ? input::real_number(words[i]) : std::nullopt;
            if (!value || *value < 0 || (i == 0 && *value == 0))
                throw InputError::at_key("--seconds",
                                         "expected three numbers: seconds of every request, above 0, of a "
                                         "token of the prompt and of one of the answer, such as "
                                         "0.05,0.00006,0.001");
            return *value;
        };
        costs.fixed = number(0);
        costs.prefill = number(1);
        costs.decode = number(2);
    }
    if (!(r.factor >= 1)) throw InputError::at_key("--miss-factor", "expected a factor of at least 1");
    if (!(r.extra >= 0)) throw InputError::at_key("--miss-seconds", "expected a time of at least 0");
    costs.factor = r.factor;
    costs.extra = r.extra;
    costs.block = static_cast<std::uint32_t>(r.block);
    costs.depth = static_cast<std::uint32_t>(r.depth);
    costs.common = r.common;
    return costs;
}

}  // namespace

int run(const TraceImportRequest& request) {
    require_writable({request.to.path, request.tasks});
    if (request.replicas > request.servers)
        throw InputError::at_key("--replicas", fmt::format("expected at most the {} servers", request.servers));
    const input::RequestCosts costs = costs_of(request);
    const input::RequestFormat format = format_of(request);
    const std::string file = base::display_name(request.trace);
    input::HashedInput in(request.trace);
    const input::RequestTrace trace = with_progress(
        "import", "read the trace", [&] { return input::read_requests(in.stream(), file, format, costs); });
    const input::ImportedRequests imported = [&] {
        try {
            return import_requests(trace, {request.name, fmt::format("trace {} ({})", file, in.file().sha256),
                                           request.servers, request.replicas});
        } catch (const InputError& error) {
            throw error.within({file, 0, ""});
        }
    }();
    const queueing::Instance instance(imported.data);
    std::size_t keyed = 0;
    for (const input::TracedRequest& one : trace.requests) keyed += one.key.empty() ? 0 : 1;
    fmt::print(stderr, "note: {} requests over {:.6g} s, {} of them share a key with another\n", trace.requests.size(),
               trace.requests.back().time, keyed);
    for (const std::string& note : trace.notes) fmt::print(stderr, "note: {}\n", note);
    write_text(request.to.path,
               request.to.json() || request.to.path.ends_with(".json") ? write_json(instance) : write_toml(instance));
    if (!request.tasks.empty()) write_text(request.tasks, input::write_typed_tasks(instance, imported.tasks));
    return 0;
}

namespace {

OptionTable options(TraceImportRequest& r) {
    std::vector<std::string> kinds{"auto"};
    for (const auto& [word, format] : request_formats()) kinds.push_back(word);
    return joined(
        {{{.names = "FILE", .target = &r.trace, .meaning = "the trace, - for standard input", .required = true},
          {.names = "--kind",
           .target = &r.kind,
           .meaning = "its format; auto: mooncake, swim, swf or csv, by the extension .jsonl, .tsv, .swf or .csv",
           .show_default = true,
           .words = kinds},
          {.names = "--tasks",
           .value = "FILE",
           .target = &r.tasks,
           .meaning = "write the tasks too, for `simulate --trace` (CSV)"},
          {.names = "--servers",
           .value = "N",
           .target = &r.servers,
           .meaning = "servers of the cluster",
           .show_default = true,
           .range = Interval{1, 1000}},
          {.names = "--replicas",
           .value = "N",
           .target = &r.replicas,
           .meaning = "servers that keep the data of a key",
           .show_default = true,
           .range = Interval{1, 1000}},
          {.names = "--seconds",
           .value = "LIST",
           .target = &r.seconds,
           .meaning = "mooncake, azure: seconds of every request, of a token of the prompt that is computed, and "
                      "of one of the answer (default: 0.05,0.0000625,0.001)"},
          {.names = "--miss-factor",
           .value = "NUMBER",
           .target = &r.factor,
           .meaning = "the other formats: factor by which a request takes longer where its data is not",
           .show_default = true},
          {.names = "--miss-seconds",
           .value = "NUMBER",
           .target = &r.extra,
           .meaning = "the other formats: seconds that it takes longer still",
           .show_default = true},
          {.names = "--depth",
           .value = "N",
           .target = &r.depth,
           .meaning = "mooncake: blocks of a prompt that are its key",
           .show_default = true,
           .range = Interval{1, 1000}},
          {.names = "--common",
           .value = "N",
           .target = &r.common,
           .meaning = "mooncake: first blocks of a prompt that every server keeps (default: those that all share)"},
          {.names = "--block",
           .value = "N",
           .target = &r.block,
           .meaning = "mooncake: tokens of a block",
           .show_default = true,
           .range = Interval{1, 1'000'000}},
          {.names = "--name",
           .value = "NAME",
           .target = &r.name,
           .meaning = "name of the instance",
           .show_default = true}},
         destination_options(r.to)});
}

}  // namespace

Subcommand import_trace() {
    return make_subcommand<TraceImportRequest>(
        "trace", "an instance, and tasks to replay, from a trace of requests or jobs that share data",
        "schedproof import trace experiments/instances/example-requests.jsonl --servers 3 -o requests.toml --tasks "
        "tasks.csv\n"
        "  schedproof simulate requests.toml --trace tasks.csv --affinity -p experiments/zoo/least-work.policy",
        options);
}

}  // namespace schedproof::cli
