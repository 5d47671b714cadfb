/// Whether a Lyapunov function is bounded below on all states: what Foster's theorem asks of it.
///
/// A sufficient test, exact and without a solver. Lengths are at least 0, so an entry of the quadratic part off the
/// diagonal may be lowered to at most 0. The quadratic part falls into blocks that share no queue; on each it is found
/// by elimination (L D L^T) to be
///   positive definite: it outgrows every linear function of its queues, whatever those are, or
///   positive semidefinite: at least 0, and the linear terms of its queues must not be negative.
/// Linear terms are those of products and of pieces: of c max l with c > 0 any one l may be taken for the maximum, with
/// c < 0 the least coefficient of each queue. Pieces that depend on a status count when they are negative.
#pragma once

#include <string>

#include "proofs/queueing/theorems/lyapunov_form.hpp"

namespace schedproof::queueing {

/// Empty when V is bounded below over all lengths >= 0 and all statuses; otherwise what could not be shown, in words
/// that follow "V is not shown to be bounded below: ". Sufficient, not necessary.
/// Requires `v` to fit the layout. Cost: the cube of the number of queues.
[[nodiscard]] std::string boundedness_gap(const LyapunovForm& v, const Instance& instance, const Layout& layout);

}  // namespace schedproof::queueing
