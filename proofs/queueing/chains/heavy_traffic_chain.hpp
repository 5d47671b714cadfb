/// Heavy traffic on exact truncated chains: Lemma 1's balance term by term, and the distance from a ray.
///
/// Lemma 1 of [wang2013] sets the drift of the squared length along a direction to zero. With N = sum Q, whose
/// direction counts every queue once, eta the tasks that a slot brings, R of them turned away by the truncation, b the
/// offered service of bound.hpp, independent of the rest, and N' = N + eta - R - completions:
///     2 eps E N = (sigma^2 + nu^2 + eps^2) + turned_away + unused,
///     turned_away = E[(N + eta - R - b)^2 - (N + eta - b)^2],     unused = E[N'^2 - (N + eta - R - b)^2].
/// On the chain of an unbounded system turned_away is zero and `unused` is what the policy wastes. All four terms are
/// computed from the moves of the kernel, one state at a time, so that a wrong law, or a kernel that loses a task, does
/// not balance. The lemma divides by the squared length of its direction, which is rational and the same on both sides.
///
/// These are exact values of a truncated chain: they say nothing about stability, nor about the untruncated system.
#pragma once

#include <vector>

#include "proofs/queueing/chains/chain_analysis.hpp"
#include "proofs/queueing/heavy_traffic/bound.hpp"

namespace schedproof::queueing {

struct LemmaOne {
    Rational left;         ///< 2 eps E N
    Rational spread;       ///< sigma^2 + nu^2 + eps^2
    Rational turned_away;  ///< of the truncation, <= 0 but for small N
    Rational unused;       ///< of the policy
    [[nodiscard]] Rational residual() const { return left - spread - turned_away - unused; }
};

/// Requires the chain of the system, its law, and the slack of its instance.
/// Cost: one enumeration of the slot per state of positive probability.
[[nodiscard]] LemmaOne lemma_one(const ExactSystem& system, const Chain& chain, const markov::Stationary& law,
                                 const heavy_traffic::Slack& slack);

/// Second moments of the queues along and across a ray.
struct Moments {
    Rational parallel;       ///< E |Q_parallel|^2 = E <c,Q>^2 / <c,c>
    Rational perpendicular;  ///< E |Q|^2 - E |Q_parallel|^2
};
/// Requires one entry per queue, not all zero.
[[nodiscard]] Moments moments(const Chain& chain, const markov::Stationary& law,
                              const std::vector<Rational>& direction);

/// The direction of Wang's state-space collapse: 1 for the queues of servers that are local to a type that arrives and
/// for the common one, 0 for the rest. Requires a layout with a common queue.
[[nodiscard]] std::vector<Rational> wang_direction(const ExactSystem& system);

/// Empty when, given what arrives, the completions of a slot from the state are stochastically at most the offered
/// service: the step of the coupling by which sum Q dominates the queue on the line. Otherwise where it fails.
[[nodiscard]] std::string coupling_fault(const ExactSystem& system, const ExactState& state,
                                         const std::vector<Rational>& best_rate);

}  // namespace schedproof::queueing
