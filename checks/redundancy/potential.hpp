/// The potential function of LAPS+R against any schedule, checked along two exact schedules.
///
/// W_j(t) is the work that the policy has done of job j by t, W*_j(t) the competitor's, and
///     pi_j(t) = max(0, W*_j(t) - W_j(t)),   Phi(t) = sum over jobs active under the policy of pi_j(t) / f(n_j(t)),
/// n_j(t) the number of such jobs that arrived no later than j, f(m) = min(1, M/(beta m)). F <= c F* follows from
///     boundary   Phi is 0 at the beginning and at the end,
///     jump       no arrival and no completion raises Phi,
///     drift      n(t) + gamma Phi'(t) <= c n*(t) between events.
/// Work is linear between events of either schedule, so Phi is, between these and the times where some W* - W changes
/// its sign: its right derivative is looked at on every such piece. Source: [xu2017], Section 5.4, (29) to (31);
/// docs/models/redundancy.md, Optimum and duals.
#pragma once

#include <string>

#include "checks/redundancy/brute_force.hpp"

namespace schedproof::checks {

struct Drift {
    Rational beta;   ///< of f
    Rational gamma;  ///< scale of the potential
    Rational c;      ///< the ratio that it proves
};
/// How a condition fails; empty when all hold.
[[nodiscard]] std::string potential_violation(const WorkPath& policy, const WorkPath& competitor,
                                              const RedundancyProblem& problem, const Drift& drift);
/// The same of the condition `drift` alone: it is one of every state by itself.
[[nodiscard]] std::string drift_violation(const WorkPath& policy, const WorkPath& competitor,
                                          const RedundancyProblem& problem, const Drift& drift);

}  // namespace schedproof::checks
