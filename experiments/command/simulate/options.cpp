/// The option table of `simulate`, which is also the list of keys that a sweep accepts.
///
/// `--help`, the parser and the keys of a sweep are made from one table. Options that no result depends on, such as
/// threads, files and pictures, are marked as presentation: they are no part of the command that identifies a study, so
/// a study may be resumed with other ones. The options that were given are remembered by name and by family, so that a
/// family can refuse those of another one.
#include "experiments/command/core/options.hpp"

#include <algorithm>
#include <array>

#include "experiments/command/core/parser.hpp"
#include "experiments/command/simulate/simulate.hpp"

namespace schedproof::cli {

namespace {

/// What a person or a machine does with a run, which no result depends on.
constexpr std::array<std::string_view, 13> presentation{"threads", "dry-run", "explain",  "resume", "shard",
                                                        "picture", "figure",  "x-axis",   "y-axis", "series",
                                                        "format",  "output",  "flowtimes"};

/// Without its dashes; empty for the argument.
std::string key_of(const Option& option) { return option.argument() ? std::string() : option.name().substr(2); }

bool is_presentation(const std::string& key) {
    return std::find(presentation.begin(), presentation.end(), key) != presentation.end();
}

OptionTable length_options(SimulateRequest& r) {
    return {{.names = "-p,--policy",
             .value = "POLICY",
             .target = &r.policies,
             .meaning = "policy to run; repeated: compared with the first on the same random numbers",
             .required = true,
             .repeated = true,
             .offers = policy_ids({"queueing", "sharing", "redundancy"})},
            {.names = "--horizon",
             .value = "NUMBER",
             .target = &r.length.horizon,
             .meaning = "length of a run (default: depends on the model; a trace is run to its end); redundancy: jobs "
                        "arriving later are left out, all others finish",
             .positive = true},
            {.names = "--batches",
             .target = &r.length.batches,
             .meaning = "number of equal parts of a run, from whose means its warm-up is found",
             .show_default = true,
             .range = Interval{1, 100'000}},
            {.names = "--seed",
             .value = "N",
             .target = &r.seed,
             .meaning = "seed of the random numbers",
             .show_default = true}};
}

OptionTable precision_options(SimulateRequest& r) {
    return {{.names = "--replications",
             .value = "N",
             .target = &r.replications,
             .meaning = "independent runs of each policy, the fewest with --precision (default: 10; redundancy: 1)"},
            {.names = "--first",
             .value = "N",
             .target = &r.first,
             .meaning = "number of the first replication",
             .show_default = true},
            {.names = "--precision",
             .value = "NUMBER",
             .target = &r.precision,
             .meaning = "relative precision, 1% or 0.01, at which replications stop, reached by the first quantity "
                        "under every policy"},
            {.names = "--most",
             .target = &r.most,
             .meaning = "maximum number of replications with --precision",
             .show_default = true,
             .range = Interval{2, 1'000'000}},
            {.names = "--confidence",
             .value = "NUMBER",
             .target = &r.confidence,
             .meaning = "confidence level",
             .show_default = true},
            {.names = "--warm-up",
             .value = "TIME",
             .target = &r.warm_up,
             .meaning = "time to leave out at the start of each run; auto: found by MSER-5",
             .show_default = true},
            {.names = "--control",
             .value = "FILE",
             .target = &r.control,
             .meaning = "certificate of `mean` for one of the policies: the deviation of its simulated mean from the "
                        "certified one corrects the means of all"}};
}

OptionTable handling_options(SimulateRequest& r) {
    return joined({{{.names = "--threads",
                     .target = &r.threads,
                     .meaning = "runs at a time (default: one per core)",
                     .range = Interval{1, 4096}},
                    {.names = "--dry-run",
                     .target = &r.dry_run,
                     .meaning = "list the runs, one command a line, and run nothing",
                     .excludes = {"--shard", "--format"}},
                    {.names = "--explain",
                     .target = &r.explain,
                     .meaning = "name the engine of each policy and what answers each of its questions, and run "
                                "nothing",
                     .excludes = {"--shard", "--format", "--dry-run"}},
                    {.names = "--resume",
                     .value = "DIR",
                     .target = &r.resume,
                     .meaning = "directory for the results of single runs; finished runs are kept"},
                    {.names = "--shard",
                     .value = "I/N",
                     .target = &r.shard,
                     .meaning = "only part i/n of the runs, into the directory of --resume; slurm: the task of an "
                                "array job"}},
                   series_options(r.series),
                   figure_options(r.figure),
                   results_destination(r.to)});
}

OptionTable all_options(SimulateRequest& r) {
    return joined({length_options(r), precision_options(r), handling_options(r),
                   grouped(queueing_family, queueing_options(r.queueing)),
                   grouped(sharing_family, sharing_options(r.sharing)),
                   grouped(redundancy_family, redundancy_options(r.redundancy))});
}

void remember_given(const OptionTable& table, SimulateRequest& r) {
    r.given.clear();
    r.given_names.clear();
    r.family_options.clear();
    for (const Option& option : table) {
        if (!option.given) continue;
        r.given_names.push_back(option.name());
        if (const std::string key = key_of(option); !is_presentation(key))
            r.given.emplace_back(key, option.given_values);
        if (!option.group.empty()) r.family_options.emplace_back(option.group, option.name());
    }
}

}  // namespace

OptionTable series_options(std::string& series) {
    return {
        {.names = "--series", .value = "FILE", .target = &series, .meaning = "write batch means to this file (.csv)"}};
}

OptionTable figure_options(FigureRequest& figure) {
    return {{.names = "--picture",
             .value = "FILE",
             .target = &figure.path,
             .meaning = "draw to this file (.svg, .png, .pdf or .tikz)"},
            {.names = "--figure",
             .target = &figure.kind,
             .meaning = "what to draw: series (batch means), cdf, or a mean against a number that varies; auto: such a "
                        "mean if a number varies, else series and cdf",
             .show_default = true,
             .words = {"auto", "series", "cdf", "mean"}},
            {.names = "--x-axis",
             .value = "NAME",
             .target = &figure.x,
             .meaning = "number on the horizontal axis: a key of the grid, or parameter (default: the first)"},
            {.names = "--y-axis",
             .value = "NAME",
             .target = &figure.y,
             .meaning = "quantity on the vertical axis (default: the first)"}};
}

OptionTable results_destination(Destination& to) {
    OptionTable table = destination_options(to);
    table.front().meaning = "text for people, json or csv for programs";
    table.front().words.emplace_back("csv");
    return table;
}

Subcommand simulate() {
    const auto request = std::make_shared<SimulateRequest>();
    return {"simulate", "simulate policies: means, quantiles and differences with error bars",
            "schedproof simulate experiments/instances/m2-half.toml --policy wang-jsq-maxweight --policy fifo "
            "--horizon 5000\n  schedproof simulate --policy srpt --policy srpt+r --rate 1 --horizon 20000 "
            "--replications 5 --periods A\n  schedproof simulate experiments/instances/redundancy/example.toml "
            "--policy srpt --policy srpt+r\n  schedproof simulate experiments/instances/m2-half.toml --policy "
            "jsq-maxweight --queues 5000,0 --warm-up 0",
            all_options(*request), [request](const OptionTable& table) {
                remember_given(table, *request);
                return run(*request);
            }};
}

Subcommand flowtime() {
    Subcommand alias = simulate();
    alias.name = "flowtime";
    alias.summary = "an older name of `simulate` with policies of the redundancy family";
    alias.example = "schedproof simulate --policy srpt --policy srpt+r --rate 1 --horizon 20000 --periods A";
    for (Option& option : alias.options) {
        if (option.name() == "--picture") option.names += ",--cdf";
    }
    alias.run = [simulate = alias.run](const OptionTable& table) {
        std::fputs("schedproof: note: `flowtime` is an older name of `simulate`\n", stderr);
        return simulate(table);
    };
    return alias;
}

SimulateRequest parse_simulate(const std::vector<std::string>& arguments) {
    SimulateRequest request;
    OptionTable table = all_options(request);
    parse_words(table, arguments);
    remember_given(table, request);
    return request;
}

std::vector<SimulateKey> simulate_keys() {
    SimulateRequest request;
    std::vector<SimulateKey> keys;
    for (const Option& option : all_options(request)) {
        const std::string key = key_of(option);
        keys.push_back({option.argument() ? "instance" : key, option.flag(), !is_presentation(key) && key != "first"});
    }
    return keys;
}

}  // namespace schedproof::cli
