/// Queueing policies under `simulate`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/command/simulate/simulate.hpp"
#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "model/queueing/any_policy.hpp"

namespace schedproof::cli {

/// Queueing policies in continuous time.
struct EventSimulation {
    std::string time;         ///< `slots` or `continuous`, for which the rest is; empty: as the instance says, or slots
    std::string gaps, sizes;  ///< laws; empty: exponential
    std::string trace;        ///< file of recorded tasks, instead of laws
    double task_seconds = 1;  ///< of recorded jobs' tasks
    bool affinity = false;    ///< hits and misses, herding, evenness
    [[nodiscard]] bool continuous() const { return time == "continuous"; }
    [[nodiscard]] bool given() const { return !gaps.empty() || !sizes.empty() || !trace.empty() || affinity; }
};

/// A cluster in an instance file, or one with random replicas. Numbers are words here.
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
    std::string view_age = "0";              ///< in slots or units of time
    bool counts_only = false;                ///< no delays of tasks
    bool holding_cost = false;               ///< the quantity `holding cost`
    std::string variance = "plain";          ///< or `control`: means corrected by the drift of the number of tasks
    std::string tail;                        ///< `P(tasks>K)` or `P(queue:NAME>K)`, by splitting; empty: none
    std::optional<std::uint32_t> cap_total, cap_queue;
    StateRequest start;        ///< in words; see core/system.hpp
    bool both_starts = false;  ///< only whether it grows from the empty state and from a large one
    std::string fill;          ///< tasks at the start, or `auto`; empty: as `start` says
    EventSimulation events;
};
[[nodiscard]] OptionTable queueing_options(QueueingSimulation& simulation);

[[nodiscard]] std::shared_ptr<FamilySimulation> queueing_simulation();

/// Names the discipline where it says something of the policy.
void name_discipline(const simulation::SimulatedSystem& system, const queueing::AnyPolicy& policy,
                     SimulationSetting& setting);
/// Warns of a policy for whose rules the simulators have no index, unless they compile its rules for replications side
/// by side.
void warn_if_slow(const queueing::Instance& instance, const queueing::AnyPolicy& policy,
                  const simulation::Experiment& experiment, SimulationSetting& setting);
/// The state in which runs of the policy begin, which the setting's lines then name; null when none is given.
/// `slotted`: of the runs of a pilot, if one is to find the number of tasks. Throws InputError that names the option,
/// the entry and the policy.
[[nodiscard]] simulation::StartState start_of(const QueueingSimulation& options,
                                              const simulation::SimulatedSystem& system,
                                              const queueing::AnyPolicy& policy,
                                              const simulation::SlottedSettings& slotted, SimulationSetting& setting);
/// Answers `--both-starts`, and returns the exit code. Throws InputError that names the option, and where the
/// instance's time is continuous.
[[nodiscard]] int answer_both_starts(const simulation::SimulatedSystem& system, const SimulateRequest& request);
[[nodiscard]] Forms both_starts_forms();
/// Adds the policies, what is said of the system, warnings and inputs, in continuous time; `load` is that of the
/// system's own arrivals. Throws as a setting.
void make_continuous(SimulationSetting& setting, const simulation::SimulatedSystem& system,
                     const QueueingSimulation& options, const std::vector<std::string>& policies,
                     const RunLength& length, const std::optional<Rational>& load);

}  // namespace schedproof::cli
