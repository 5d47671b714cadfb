/// What `schedproof simulate` asks for, and what a family of models gives it to run.
///
/// A family reads its options and the policies' names, and returns a setting: for each policy an experiment with
/// everything fixed but the random numbers, and words about the system. What replications, intervals, files and
/// pictures become of it is not the family's business. Each family has a folder with its options and its setting; the
/// redundancy family, whose runs end by themselves, answers by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/command/core/requests.hpp"
#include "experiments/command/core/subcommand.hpp"
#include "experiments/command/simulate/redundancy/redundancy.hpp"
#include "experiments/input/text/hashed_input.hpp"
#include "experiments/simulators/core/observation.hpp"
#include "experiments/simulators/sharing/sharing_experiment.hpp"
#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "model/queueing/policy.hpp"

namespace schedproof::cli {

/// How long a run is, in batches of equal length.
struct RunLength {
    std::optional<double> horizon;  ///< Unit: the experiment's time unit; none: the family's default
    std::uint64_t batches = 200;    ///< Range: at least 1
};

/// One policy with its parameters, ready to run.
struct SimulatedPolicy {
    std::string label;
    /// Options that choose this one alone, such as {"--policy", "delay", "--delay", "5"}.
    std::vector<std::string> words;
    std::unique_ptr<const simulation::Experiment> experiment;
    std::optional<double> parameter = {};  ///< a number that tells policies of one kind apart, such as D
    std::string parameter_name = {};       ///< of its axis, with the unit
    std::string definition = {};           ///< its rules, or the values of its parameters
};

struct SimulationSetting {
    std::vector<SimulatedPolicy> policies;                   ///< in the order asked for; at least one
    std::vector<std::pair<std::string, std::string>> lines;  ///< such as {"servers", "1000 in 20 racks"}
    std::vector<std::string> warnings;                       ///< such as a load above capacity
    std::vector<input::InputFile> inputs;                    ///< the files that were read
    std::vector<std::string> varied;  ///< options that the policies' words stand for, besides --policy: "--delay"
    bool terminating = false;         ///< a run has an end of its own (a trace), so nothing of it is warm-up
    /// Digest of the queueing instance that all policies run on, in slots and without truncation; empty otherwise.
    std::string instance_digest;
};

/// The families, and headings of `--help` for options that two of them have.
inline constexpr const char *queueing_family = "queueing", *sharing_family = "sharing",
                            *redundancy_family = "redundancy", *queueing_and_redundancy = "queueing and redundancy",
                            *sharing_and_redundancy = "sharing and redundancy";

/// Queueing policies in continuous time.
struct EventSimulation {
    std::string time = "slots";  ///< or `continuous`; what follows is for the latter
    std::string gaps, sizes;     ///< laws; empty: exponential
    std::string tasks;           ///< file of a trace, instead of laws
    double task_seconds = 1;     ///< of the trace's tasks
    [[nodiscard]] bool continuous() const { return time == "continuous"; }
    [[nodiscard]] bool given() const { return !gaps.empty() || !sizes.empty() || !tasks.empty(); }
};

/// The queueing family: a cluster in an instance file, or one with random replicas. Numbers are words here.
struct QueueingSimulation {
    std::string instance;
    std::string rho;                       ///< load to which an instance's arrivals are scaled; empty: its own
    std::optional<std::uint32_t> servers;  ///< of a cluster with random replicas, like all that follows
    std::optional<std::uint32_t> data_servers;
    std::uint32_t replicas = 3, rack_size = 0;
    std::string service_rates;  ///< such as `4/5,1/5`; empty: those, or 4/5,1/2,1/5 with racks
    std::string rate;           ///< mean number of tasks in a slot
    std::string arrivals = "poisson";
    std::string routing;                     ///< `batch` or `sequential`; empty: as the instance says, or sequential
    std::string counting;                    ///< `in-system` or `waiting`; empty: as the instance says, or in-system
    std::string discipline = "local-first";  ///< or `fcfs`
    bool counts_only = false;                ///< no delays of tasks
    std::string variance = "plain";          ///< or `control`: means corrected by the drift of the number of tasks
    std::string tail;                        ///< `P(tasks>K)` or `P(queue:NAME>K)`, by splitting; empty: none
    std::optional<std::uint32_t> cap_total, cap_queue;
    StateRequest start;  ///< in words; see core/system.hpp
    std::string fill;    ///< tasks at the start, or `auto`; empty: as `start` says
    EventSimulation events;
};
[[nodiscard]] OptionTable queueing_options(QueueingSimulation& simulation);
/// Throws InputError that names the option, or the place in the file.
[[nodiscard]] SimulationSetting queueing_setting(const QueueingSimulation& options,
                                                 const std::vector<std::string>& policies, const RunLength& length);

/// Names the discipline where it says something of the policy.
void name_discipline(const simulation::System& system, const queueing::AnyPolicy& policy, SimulationSetting& setting);
/// Warns of a policy for whose rules the simulators have no index, unless they compile its rules for replications side
/// by side.
void warn_if_slow(const queueing::Instance& instance, const queueing::AnyPolicy& policy,
                  const simulation::Experiment& experiment, SimulationSetting& setting);
/// The state in which runs of the policy begin, which the setting's lines then name; null when none is given.
/// `slotted`: of the runs of a pilot, if one is to find the number of tasks. Throws InputError that names the option,
/// the entry and the policy.
[[nodiscard]] simulation::StartState start_of(const QueueingSimulation& options, const simulation::System& system,
                                              const queueing::AnyPolicy& policy,
                                              const simulation::SlottedSettings& slotted, SimulationSetting& setting);
/// Adds the policies, what is said of the system, warnings and inputs, in continuous time; `load` is that of the
/// system's own arrivals. Throws as `queueing_setting`.
void make_continuous(SimulationSetting& setting, const simulation::System& system, const QueueingSimulation& options,
                     const std::vector<std::string>& policies, const RunLength& length,
                     const std::optional<Rational>& load);

/// The sharing family: jobs of many tasks on the slots of a cluster. A list of skip counts makes a policy each.
[[nodiscard]] OptionTable sharing_options(simulation::SharingSettings& settings);
/// Throws InputError that names the option, or the place in a file.
[[nodiscard]] SimulationSetting sharing_setting(const simulation::SharingSettings& settings,
                                                const std::vector<std::string>& policies, const RunLength& length);

/// The redundancy family: a policy with a beta makes one for each. A run ends with its jobs.
/// Throws InputError that names the option, or the place in a file.
[[nodiscard]] SimulationSetting redundancy_setting(const RedundancySimulation& simulation);

/// Lines on what a trace says about the assumptions of theorems; `capacity` is in the submissions' work per second.
void assess_trace(const std::vector<workload::Submission>& jobs, const Rational& capacity, SimulationSetting& setting);

/// A picture of results.
struct FigureRequest {
    std::string path;           ///< .svg, .png, .pdf or .tikz, or empty: none
    std::string kind = "auto";  ///< `auto`, `series`, `cdf` or `mean`
    std::string x, y;           ///< variable and quantity of `mean`; empty: the first of each
};
[[nodiscard]] OptionTable figure_options(FigureRequest& figure);
/// `--series`.
[[nodiscard]] OptionTable series_options(std::string& series);
/// As `destination_options`, with the format `csv` as well.
[[nodiscard]] OptionTable results_destination(Destination& to);

/// Numbers are words here where the command reads and checks them.
struct SimulateRequest {
    std::vector<std::string> policies;
    RunLength length;
    std::uint64_t seed = 1, first = 0;
    std::optional<std::uint64_t> replications;  ///< none: 10
    std::string precision;                      ///< such as `1%`, or empty
    std::uint64_t most = 1000;                  ///< replications, with a precision
    std::string confidence = "0.95";
    std::string warm_up = "auto";
    std::string control;  ///< file of a certificate, or empty
    QueueingSimulation queueing;
    simulation::SharingSettings sharing;
    RedundancySimulation redundancy;

    std::uint64_t threads = 0;  ///< 0: one per core
    bool dry_run = false;       ///< list the runs, and run nothing
    bool explain = false;       ///< say which engine would run, and run nothing
    std::string resume;         ///< directory of units, or empty
    std::string shard;
    std::string series;  ///< file, or empty
    FigureRequest figure;
    Destination to;

    /// The options that results depend on, as they were given, name by name without dashes; the argument has none.
    std::vector<std::pair<std::string, std::vector<std::string>>> given;
    /// Every option that was given, as it is written.
    std::vector<std::string> given_names;
    /// Those of them that belong to families: their heading, the option.
    std::vector<std::pair<std::string, std::string>> family_options;
};

int run(const SimulateRequest& request);

/// Policies of the queueing or of the sharing family. Throws InputError for an unknown policy, with the nearest name.
[[nodiscard]] SimulationSetting make_setting(const SimulateRequest& request);

/// The same of any family: a run of the redundancy family is one batch, in which all of its jobs count. Throws as
/// above.
[[nodiscard]] SimulationSetting make_study_setting(const SimulateRequest& request);

/// The request that these arguments of `simulate` make. Throws InputError with the parser's complaint.
[[nodiscard]] SimulateRequest parse_simulate(const std::vector<std::string>& arguments);

/// An option of `simulate` as a key of a sweep: its long name without dashes; the argument is called `instance`.
struct SimulateKey {
    std::string name;
    bool flag = false;
    bool simulated = true;  ///< false for those that say where answers go
};
[[nodiscard]] std::vector<SimulateKey> simulate_keys();

}  // namespace schedproof::cli
