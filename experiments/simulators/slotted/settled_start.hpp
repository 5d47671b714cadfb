/// Starts near the level at which a run settles, so that a short warm-up is enough.
#pragma once

#include <cstdint>

#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "model/queueing/any_policy.hpp"

namespace schedproof::simulation {

/// So many tasks in the queues, every server idle: slots of the instance's arrivals in which no server works, each task
/// routed by the policy on the queues with the tasks before it; the same state whenever it is asked for.
/// Requires 1 <= tasks <= most_tasks_at_start. Throws InputError that names `--fill` with random replicas, whose tasks
/// a state does not describe, or when no task ever arrives. Cost: O(tasks) questions of the policy.
[[nodiscard]] StartState filled(const SimulatedSystem& system, const queueing::AnyPolicy& policy, std::uint64_t tasks);

/// About as many tasks as in a stationary run, as far as two runs of the settings' length can tell: for `filled`. The
/// settings' start, batches and recordings are not heeded.
/// Throws InputError as `filled` and `slotted_experiment`, or that names `--horizon` with fewer than four slots.
[[nodiscard]] std::uint64_t settled_level(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                                          const SlottedSettings& settings);

}  // namespace schedproof::simulation
