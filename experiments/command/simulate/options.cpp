/// The option table of `simulate`, which is also the list of keys that a sweep accepts.
///
/// `--help`, the parser and the keys of a sweep are made from one table: the common options, and those of every family
/// that is simulated. An option that several families read stands in the table once; each of them gets its value.
/// Options that no result depends on, such as threads, files and pictures, are marked as presentation: they are no part
/// of the command that identifies a study, so a study may be resumed with other ones.
#include "experiments/command/core/options.hpp"

#include <algorithm>
#include <set>

#include "checks/families.hpp"
#include "experiments/command/core/parser.hpp"
#include "experiments/command/core/policy_file.hpp"
#include "experiments/command/core/table.hpp"
#include "experiments/command/families/family_files.hpp"
#include "experiments/command/simulate/answer/study_answer.hpp"
#include "experiments/command/simulate/simulate.hpp"
#include "model/core/errors.hpp"

namespace schedproof::cli {

namespace {

/// Without its dashes; empty for the argument.
std::string key_of(const Option& option) { return option.argument() ? std::string() : option.name().substr(2); }

OptionTable length_options(SimulateRequest& r) {
    return {{.names = "-p,--policy",
             .value = "POLICY",
             .target = &r.policies,
             .meaning = "policy to run; repeated: compared with the first on the same random numbers",
             .required = true,
             .repeated = true,
             .offers =
                 [&r] {
                     std::set<std::string> ids;
                     for (const SimulatedFamily& of : r.families)
                         for (const checks::PolicyEntry& policy : of.family->policies()) ids.emplace(policy.id);
                     return std::vector<std::string>(ids.begin(), ids.end());
                 }},
            {.names = "--horizon",
             .value = "NUMBER",
             .target = &r.length.horizon,
             .meaning = "length of a run (default: depends on the model; a trace is run to its end); where runs end "
                        "with their jobs, the time after which no job arrives",
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
             .meaning = "independent runs of each policy, the fewest with --precision (default: 10, or 1 where "
                        "nothing is random)"},
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
    OptionTable table = joined(
        {{{.names = "--threads",
           .target = &r.threads,
           .meaning = "runs at a time (default: one per core)",
           .range = Interval{1, 4096}},
          {.names = "--dry-run",
           .target = &r.dry_run,
           .meaning = "list the runs, one command a line, and run nothing",
           .excludes = {"--shard", "--format"}},
          {.names = "--explain",
           .target = &r.explain,
           .meaning = "name the engine of each policy and what answers each of its questions, and run nothing",
           .excludes = {"--shard", "--format", "--dry-run"}},
          {.names = "--resume",
           .value = "DIR",
           .target = &r.resume,
           .meaning = "directory for the results of single runs; finished runs are kept"},
          {.names = "--shard",
           .value = "I/N",
           .target = &r.shard,
           .meaning = "only part i/n of the runs, into the directory of --resume; slurm: the task of an array job"}},
         series_options(r.series),
         figure_options(r.figure),
         table_destination_options(r.to, true)});
    for (Option& option : table) option.presentation = true;
    return table;
}

std::vector<SimulatedFamily> simulated_families() {
    std::vector<SimulatedFamily> all;
    for (const checks::Family* family : checks::families())
        if (auto simulation = files_of(*family).simulation()) {
            OptionTable options = simulation->options();
            all.push_back({family, std::move(simulation), std::move(options)});
        }
    return all;
}

Option* find(OptionTable& table, const std::string& name) {
    const auto at = std::find_if(table.begin(), table.end(), [&](const Option& o) { return o.name() == name; });
    return at == table.end() ? nullptr : &*at;
}

/// Under the heading of the families that read them.
void add_family_options(OptionTable& table, const SimulatedFamily& of) {
    const std::string id(of.family->id());
    for (const Option& option : of.options)
        if (Option* known = find(table, option.name())) {
            known->meaning += "; " + id + ": " + option.meaning;
            known->group += " and " + id;
            known->excludes.insert(known->excludes.end(), option.excludes.begin(), option.excludes.end());
        } else {
            table.push_back(option);
            table.back().group = id;
        }
}

OptionTable all_options(SimulateRequest& r) {
    OptionTable all = joined({length_options(r), precision_options(r), handling_options(r)});
    r.families = simulated_families();
    for (const SimulatedFamily& of : r.families) add_family_options(all, of);
    return all;
}

void remember_given(OptionTable table, SimulateRequest& r) {
    r.given.clear();
    r.given_names.clear();
    for (const Option& option : table) {
        if (!option.given) continue;
        r.given_names.push_back(option.name());
        const bool told = option.flag() || !option.typed.empty();  // else it stands for another option
        if (!option.presentation && told) r.given.emplace_back(key_of(option), option.typed);
    }
    for (const SimulatedFamily& of : r.families)
        for (const Option& own : of.options)
            if (const Option* option = find(table, own.name()); option->given)
                if (const std::string wrong = own.take(option->given_values); !wrong.empty())
                    throw InputError::at_key(own.name(), wrong);
}

Forms simulation_forms(const SimulateRequest& request) {
    Forms all = forms(simulation_answer);
    for (const SimulatedFamily& of : request.families) all = forms_of({all, of.simulation->forms()});
    return all;
}

}  // namespace

OptionTable series_options(std::string& series) {
    return {
        {.names = "--series", .value = "FILE", .target = &series, .meaning = "write batch means to this file (.csv)"}};
}

OptionTable figure_options(FigureRequest& figure) {
    return joined(
        {plot_options(figure, "results"),
         {{.names = "--figure",
           .target = &figure.kind,
           .meaning = "what to draw: series (batch means), cdf, or a mean against a number that varies; auto: "
                      "such a mean if a number varies, else series and cdf",
           .show_default = true,
           .words = {"auto", "series", "cdf", "mean"}},
          {.names = "--x-axis",
           .value = "NAME",
           .target = &figure.x,
           .meaning = "number on the horizontal axis: a key of the grid, or parameter (default: the first)"},
          {.names = "--y-axis",
           .value = "NAME",
           .target = &figure.y,
           .meaning = "quantity on the vertical axis (default: the first), and of a sweep's tables (default: "
                      "all)"}}});
}

Subcommand simulate() {
    const auto request = std::make_shared<SimulateRequest>();
    return {"simulate",
            "simulate policies: means, quantiles and differences with error bars",
            "schedproof simulate experiments/instances/m2-half.toml --policy wang-jsq-maxweight --policy fifo "
            "--horizon 5000\n  schedproof simulate --policy srpt --policy srpt+r --rate 1 --horizon 20000 "
            "--replications 5 --periods A\n  schedproof simulate experiments/instances/redundancy/example.toml "
            "--policy srpt --policy srpt+r\n  schedproof simulate experiments/instances/m2-half.toml --policy "
            "jsq-maxweight --queues 5000,0 --warm-up 0",
            all_options(*request),
            [request](const OptionTable& table) {
                remember_given(table, *request);
                return run(*request);
            },
            {},
            simulation_forms(*request)};
}

SimulateRequest parse_simulate(const std::vector<std::string>& arguments) {
    SimulateRequest request;
    OptionTable table = all_options(request);
    const PolicyFileOption files(table, code_families());
    parse_words(table, arguments);
    files.read(table);
    remember_given(table, request);
    return request;
}

std::vector<SimulateKey> simulate_keys() {
    SimulateRequest request;
    std::vector<SimulateKey> keys;
    OptionTable table = all_options(request);
    const PolicyFileOption files(table, code_families());
    for (const Option& option : table) {
        const std::string key = key_of(option);
        keys.push_back({option.argument() ? "instance" : key, option.flag(), !option.presentation && key != "first"});
    }
    return keys;
}

}  // namespace schedproof::cli
