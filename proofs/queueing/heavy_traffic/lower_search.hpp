/// Finding the prices of a family's boundary, and the lower bound of its workload under every policy.
#pragma once

#include "proofs/queueing/theorems/heavy_traffic/heavy_lower.hpp"

namespace schedproof::heavy_traffic {

/// The prices at slack 0, the dearest type 1. Throws InputError at the key `slack` where the family does not begin on
/// the boundary, does not lead into the region, or has prices at its boundary that are not unique.
[[nodiscard]] queueing::BoundaryPrices boundary_prices(const queueing::Instance& family);

/// The theorem with the least deficit K for the constants of the variances, checked. Throws InputError as
/// `boundary_prices` does, LimitExceeded where outcomes or actions are too many or the program is not solved.
/// Cost: one linear program with a row per outcome of the arrivals and action of the servers.
[[nodiscard]] queueing::HeavyLowerTheorem best_lower(const queueing::Instance& family);

}  // namespace schedproof::heavy_traffic
