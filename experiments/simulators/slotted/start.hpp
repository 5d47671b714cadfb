/// The state in which a run of a queueing simulator starts, where that is not the empty one.
///
/// A task that is there at the start counts like any other in lengths, busy servers and completions, and, when its
/// service starts in the run, in the level of its service. It has no slot or time of arrival, so it counts in no delay
/// and no wait; these are means over tasks that arrived in the run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "experiments/simulators/slotted/queue_counts.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "experiments/statistics/stream.hpp"
#include "model/queueing/layout.hpp"
#include "model/queueing/state.hpp"

namespace schedproof::simulation {

/// Null: every queue empty, every server idle, every counter 0. Otherwise a state of the policy's layout.
using StartState = std::shared_ptr<const queueing::State<CheckedInt>>;

inline constexpr std::uint64_t most_tasks_at_start = 100'000'000;

/// The counts of every queue at the start.
/// Throws ContractViolation unless the state has the layout's shape, no queue is shorter than the number of its tasks
/// in execution, and listed queues list exactly their waiting tasks; InputError that names `--queues` with random
/// replicas, whose tasks a state does not describe, or with more than `most_tasks_at_start` tasks.
[[nodiscard]] std::vector<QueueCounts> counts_at_start(const SimulatedSystem& system, const queueing::Layout& layout,
                                                       const StartState& start);

/// The queues of the tasks that wait at a server with a queue per level, in an order of the tasks, each equally likely.
[[nodiscard]] std::vector<std::uint32_t> waiting_in_order(const queueing::Layout& layout,
                                                          std::span<const QueueCounts> counts, ServerId m,
                                                          statistics::Stream& stream);

}  // namespace schedproof::simulation
