/// Starts far from the empty state. A rule with constants can look stable from the empty state for millions of slots
/// and grow from a large one, as long as its constants reach further than the queues of the run.
#pragma once

#include <cstdint>

#include "experiments/simulators/slotted/start.hpp"
#include "model/queueing/any_policy.hpp"

namespace schedproof::simulation {

/// How many tasks at each home are far from empty for these rules: twenty times their greatest number of tasks, and
/// 5,000 at least. At most `most_tasks_at_start` / 1000.
[[nodiscard]] std::uint64_t far_tasks(const queueing::Rules& rules);

/// So many tasks wait for the servers that are the most local ones of some type, in the queue of such tasks; every
/// server is idle. A queue that several types share gets them once. Requires listed task types.
/// Throws InputError when the policy cannot run on the system.
[[nodiscard]] StartState far_start(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                                   std::uint64_t tasks);

}  // namespace schedproof::simulation
