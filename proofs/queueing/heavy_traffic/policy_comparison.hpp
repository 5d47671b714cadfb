/// Two policies on one family of loads: up to which slack one of them has more tasks than the other, at every slack.
#pragma once

#include <optional>

#include "proofs/queueing/theorems/heavy_traffic/heavy_ray.hpp"
#include "proofs/queueing/theorems/heavy_traffic/heavy_upper.hpp"

namespace schedproof::heavy_traffic {

/// Whether at every slack in (0, eps] the lower bound `more` exceeds the upper bound `fewer` of the mean number of
/// tasks. Requires that both theorems are of this family, with the same prices, and that (T) is stated. False says
/// nothing of larger or smaller slacks. Exact: comparison of rationals, logarithms by powers. The argument stands at
/// the head of policy_comparison.cpp.
[[nodiscard]] bool exceeds_up_to(const queueing::Instance& family, const queueing::HeavyRayTheorem& more,
                                 const queueing::HeavyUpperTheorem& fewer, const Rational& eps);

/// The largest such slack among up_to / 1, up_to / 2, ..., up_to / 10^15; none where none of them is.
[[nodiscard]] std::optional<Rational> largest_exceeded(const queueing::Instance& family,
                                                       const queueing::HeavyRayTheorem& more,
                                                       const queueing::HeavyUpperTheorem& fewer);

}  // namespace schedproof::heavy_traffic
