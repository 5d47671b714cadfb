/// Options of `simulate`, also as words of a sweep.
#include <algorithm>
#include <array>

#include "experiments/command/core/options.hpp"
#include "experiments/command/simulate/simulate.hpp"
#include "model/core/errors.hpp"

namespace schedproof::command {

namespace {

/// What a person or a machine does with a run, which no result depends on.
constexpr std::array<std::string_view, 11> presentation{"help",   "threads", "resume", "shard",  "picture", "figure",
                                                        "x-axis", "y-axis",  "series", "format", "output"};

std::string name_of(const CLI::Option& option) {
    return option.get_lnames().empty() ? std::string() : option.get_lnames().front();
}

bool is_presentation(const std::string& name) {
    return std::find(presentation.begin(), presentation.end(), name) != presentation.end();
}

void add_length(CLI::App& command, SimulateRequest& r) {
    command
        .add_option("--horizon", r.length.horizon,
                    "length of a run in the model's unit of time (default: up to the model, the whole of a trace)")
        ->check(CLI::PositiveNumber);
    command.add_option("--batches", r.length.batches, "equal parts of a run, by which its warm-up is judged")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    command.add_option("--seed", r.seed, "of everything that is drawn")->capture_default_str();
}

void add_judgement(CLI::App& command, SimulateRequest& r) {
    command.add_option("--replications", r.replications,
                       "independent runs of each policy (default: 10); with --precision at least so many");
    command.add_option("--first", r.first, "number of the first replication")->capture_default_str();
    command.add_option("--precision", r.precision,
                       "go on until the first quantity is so precise under every policy: 1% or 0.01");
    command.add_option("--most", r.most, "with --precision, replications at most")
        ->check(CLI::Range(2, 1'000'000))
        ->capture_default_str();
    command.add_option("--confidence", r.confidence, "of the intervals")->capture_default_str();
    command.add_option("--warm-up", r.warm_up, "time to leave out at the start of each run; auto: found by MSER-5")
        ->capture_default_str();
}

void add_handling(CLI::App& command, SimulateRequest& r) {
    command.add_option("--threads", r.threads, "runs at a time (default: one per core)")->check(CLI::Range(1, 4096));
    command.add_option("--resume", r.resume,
                       "directory for the results of single runs; those that are there already are kept");
    command.add_option("--shard", r.shard,
                       "only part i/n of the runs, into the directory of --resume; slurm: the task of an array job");
    command.add_option("--series", r.series, "write means by batch to this file (.csv)");
    add_figure(command, r.figure);
    add_results_destination(command, r.to);
}

void add_all(CLI::App& command, SimulateRequest& r) {
    command
        .add_option("-p,--policy", r.policies,
                    "policy to run; repeated: compared with the first on the same random numbers")
        ->required()
        ->allow_extra_args(false);
    add_length(command, r);
    add_judgement(command, r);
    add_handling(command, r);
    const std::string common = command.option_defaults()->get_group();
    command.option_defaults()->group(queueing_family);
    add_queueing_options(command, r.queueing);
    command.option_defaults()->group(sharing_family);
    add_sharing_options(command, r.sharing);
    command.option_defaults()->group(common);
}

void remember_given(const CLI::App& command, SimulateRequest& r) {
    r.given.clear();
    r.family_options.clear();
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = name_of(*option);
        if (option->count() == 0 || is_presentation(name)) continue;
        r.given.emplace_back(name,
                             option->get_items_expected_max() == 0 ? std::vector<std::string>() : option->results());
        if (const std::string& family = option->get_group(); family == queueing_family || family == sharing_family)
            r.family_options.emplace_back(family, name.empty() ? "INSTANCE" : "--" + name);
    }
}

}  // namespace

void add_figure(CLI::App& command, FigureRequest& figure) {
    command.add_option("--picture", figure.path, "draw to this file (.svg or .png)");
    command
        .add_option("--figure", figure.kind,
                    "what to draw: series (means by batch), cdf, or a mean against a number that varies; auto: the "
                    "last where there is one, else series and cdf")
        ->check(one_of({"auto", "series", "cdf", "mean"}))
        ->capture_default_str();
    command.add_option("--x-axis", figure.x, "the number: a key of the grid, or parameter (default: the first)");
    command.add_option("--y-axis", figure.y, "the quantity (default: the first)");
}

void add_results_destination(CLI::App& command, Destination& to) {
    command.add_option("--format", to.format, "text for people, json or csv for programs")
        ->check(one_of({"text", "json", "csv"}))
        ->capture_default_str();
    command.add_option("-o,--output", to.path, "file for the answer, - for standard output")->capture_default_str();
}

void add_simulate(CLI::App& app, SimulateRequest& request, int& exit_code) {
    CLI::App& command = *app.add_subcommand("simulate",
                                            "simulate policies: means, quantiles and differences with "
                                            "error bars");
    command.footer(
        "Example:\n  schedproof simulate experiments/instances/m2-half.toml --policy wang-jsq-maxweight --policy fifo "
        "--horizon 5000");
    add_all(command, request);
    command.final_callback([&request, &exit_code, &command] {
        remember_given(command, request);
        exit_code = run(request);
    });
}

SimulateRequest parse_simulate(const std::vector<std::string>& arguments) {
    SimulateRequest request;
    CLI::App app("", "simulate");
    add_all(app, request);
    add_general_checks(app);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ParseError& error) { throw InputError({"", 0, ""}, error.what()); }
    remember_given(app, request);
    return request;
}

std::vector<SimulateOption> simulate_options() {
    SimulateRequest request;
    CLI::App app("", "simulate");
    add_all(app, request);
    std::vector<SimulateOption> options;
    for (const CLI::Option* option : app.get_options()) {
        const std::string name = name_of(*option);
        options.push_back({name.empty() ? "instance" : name, option->get_items_expected_max() == 0,
                           !is_presentation(name) && name != "first"});
    }
    return options;
}

}  // namespace schedproof::command
