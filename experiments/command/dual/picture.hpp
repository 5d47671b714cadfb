/// The picture of a dual fitting: what each job could pay, what machines cost, and what is left between them.
#pragma once

#include "experiments/figures/plot.hpp"
#include "model/redundancy/instance.hpp"
#include "proofs/redundancy/theorems/duals.hpp"

namespace schedproof::cli {

/// Three panels over time. On top alpha_j, from the arrival of each job on; below, beta(t) + C as steps, under which
/// each line (alpha_j - (t - a_j)) / p_j must stay (eq. 8); at the bottom the slack between them, which must not be
/// negative.
[[nodiscard]] figures::Plot dual_picture(const redundancy::Instance& instance, redundancy::DualRule rule,
                                         const redundancy::Duals<Rational>& prices, const Rational& constant);

}  // namespace schedproof::cli
