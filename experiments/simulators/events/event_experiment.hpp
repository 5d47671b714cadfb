/// The queueing simulator in continuous time: tasks come one by one, and run for their size over the rate of the
/// server.
///
/// A task is routed when it arrives, on the queues as they are then; those of a batch one after another. It runs on a
/// server for size / rate(level), level being that of the server to the task's data or, in queues that hold bare
/// counts, to the queue: what a rate is per slot in the model is work per unit of time here. Queues are first in, first
/// out; nobody is interrupted, unless the instance says preemption = resume (preemptive_loop.hpp). At one instant
/// completions come before the arrival.
///
/// Which servers are asked, and when: a server that completes a task, at once; after an arrival, idle servers, the
/// nearest first: the owner of the queue that the task joined, the servers that hold its data, those in each group
/// around them, any server. They are asked until no task of the queue waits; of servers at equal distance, one after
/// another until one declines. Under rules like that of `pandas:plain`, on racks, a server that declined is also asked
/// again after completions, since its answer may change when another queue becomes shorter; under the rules of all
/// other registered policies it changes with arrivals only. Which rules these are is read off them (QuestionPlan);
/// under any other rule all idle servers are asked after every event, in that order, until a round in which none starts
/// a task. An idle server that finds no waiting task stays
/// idle, and no slot is wasted: where servers may serve queues of others, empty-target is `conserved` whatever the
/// instance says, and `unmatched` has no effect.
///
/// Shared with the exact kernel: the policies with their comparisons, and their views' indexes. Not shared, but checked
/// equal: what an event does (model/queueing/events.hpp). Under every policy and option each event of a run is one of
/// the kernel's, and the state after some events has the kernel's law (tests/experiments/event_kernel_test.cpp).
/// Deviation: the models of the papers are in slots; here decisions are made when something happens.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiments/input/traces/job_trace.hpp"
#include "experiments/simulators/core/observation.hpp"
#include "experiments/simulators/slotted/start.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "experiments/workload/random_law.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::simulation {

/// What is known of a recorded task beside its size.
struct TaskLabel {
    TaskTypeId type;
    double tokens = 0, saved = 0;  ///< of its prompt, and of these where it is local
};

struct EventSettings {
    SimulatedSystem system;  ///< of its arrivals the shares of the types and the batches are read, nothing else
    queueing::AnyPolicy policy;
    workload::RealLaw gap = workload::Exponential{1};   ///< between arrivals, of one task or a batch, independent
    workload::RealLaw size = workload::Exponential{1};  ///< of tasks: time on a server of rate 1
    /// Tasks as recorded instead of gaps, batches and sizes; all tasks of a job arrive at once. Jobs submitted after
    /// `duration` do not come. The run ends when all tasks are done; the last batch takes what comes after the
    /// duration.
    std::shared_ptr<const input::JobTrace> trace = {};
    /// By job of the trace, each of one task; null: the types of tasks are drawn.
    std::shared_ptr<const std::vector<TaskLabel>> labels = {};
    /// Record what it brings that tasks are sent to their data, and what it costs (affinity.hpp).
    bool affinity = false;
    double duration = 10'000;     ///< Unit: `unit`
    std::uint32_t batches = 100;  ///< the duration is cut into
    double tick = 0;              ///< of the histogram of delays; 0: a thousandth of a task's mean size. Unit: `unit`
    std::string unit = "second";
    /// A service of the start begins at time 0: with exponential sizes that is a service under way. Then idle servers
    /// are asked, in index order, until none starts a task.
    StartState start = {};
};

/// Of the simulated policies, whether this one can run in continuous time: one with deficit counters, which count
/// slots, cannot.
[[nodiscard]] bool runs_in_continuous_time(const queueing::AnyPolicy& policy);

/// Quantities: task delay and wait, tasks in the system (mean over time) and their growth, utilisation by class of
/// servers (with and without data, where both exist), part of the tasks served at each level.
/// Throws InputError that names the field unless duration, batches, mean gap and mean size are above 0, tick at least
/// 0, some type has arrivals, and the policy runs in continuous time on the system: with random replicas none that has
/// a queue per type or a plan. Beside a start there may be no trace and no random replicas, and in it no phantom.
/// Labels need a trace, and affinity a policy that sends each task to a server, without preemption.
[[nodiscard]] std::unique_ptr<Experiment> make_event_experiment(EventSettings settings);

}  // namespace schedproof::simulation
