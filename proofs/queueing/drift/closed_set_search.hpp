/// Which queues and statuses can be reached from the empty cluster.
#pragma once

#include <vector>

#include "proofs/explore/explorer.hpp"
#include "proofs/queueing/theorems/drift.hpp"

namespace schedproof::queueing {

/// The smallest set of queues that tasks of these types may join from the empty cluster, by exploring `route`, and what
/// servers can then do; the other queues are empty. Requires a policy whose queues count their tasks.
/// Throws LimitExceeded when a budget ends.
[[nodiscard]] ClosedSet find_closed_set(const SymbolicSystem& system, const std::vector<TaskTypeId>& types,
                                        const explore::Budget& budget);
/// The same for the types that arrive, where types state their rates at servers. On other instances, of a policy whose
/// queues list their tasks, and under preemption, where `route` sees tasks in execution that no state has, all queues
/// count as reached.
[[nodiscard]] ClosedSet find_closed_set(const SymbolicSystem& system, const explore::Budget& budget);

}  // namespace schedproof::queueing
