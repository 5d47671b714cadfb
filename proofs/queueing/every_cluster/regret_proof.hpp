/// Bounded regret on one cluster.
#pragma once

#include "model/queueing/instance.hpp"
#include "proofs/queueing/theorems/bounded_regret.hpp"

namespace schedproof::queueing {

/// Whether the theorem says that the instance is stable: its load is below 1 / kappa, it has a law of arrivals, and
/// unmatched servers stay idle. Cost: that of the load.
[[nodiscard]] bool covers(const RegretTheorem& theorem, const Instance& instance);

}  // namespace schedproof::queueing
