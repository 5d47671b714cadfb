/// Which queues and statuses can be reached from the empty cluster.
#pragma once

#include "proofs/explore/explorer.hpp"
#include "proofs/queueing/theorems/drift.hpp"

namespace schedproof::heavy_traffic {

/// The smallest set of queues that tasks may join from the empty cluster, by exploring `route`, and what servers can
/// then do; the other queues are empty. Requires a policy whose queues count their tasks.
/// Throws LimitExceeded when a budget ends.
[[nodiscard]] queueing::ClosedSet find_closed_set(const queueing::SymbolicSystem& system,
                                                  const explore::Budget& budget);

}  // namespace schedproof::heavy_traffic
