/// A lower bound of the mean number of tasks under every policy.
///
/// Let the central scheduler of central_model.hpp be in state x, take a choice a, and P_a be its kernel; f counts
/// tasks, M servers, and Gamma the steps of a unit of time: the rate of events, or 1 in slots. Let h be a table on the
/// states B with f <= R and a constant H elsewhere. If
///     Gamma (P_a h - h) >= c - f   at every state and for EVERY choice,
/// then, h being bounded, telescoping E h(X_t) gives liminf (1/n) sum_{t<n} E f(X_t) >= c from every state and for
/// choices that depend on the whole past and on chance: condition on the past and average over the choice. A stationary
/// law of whatever chain a policy makes of it has a mean of f of c at least.
///
/// In continuous time G_a = Gamma (P_a - 1) is the generator: the sum over events of rate times change. With preemption
/// an allocation a may change at any time, and E h(X_t) - h(x) = E int G_a h >= E int (c - f) as before. Without, a
/// policy may start tasks at times that are no events of the chain. It is bounded by another function. Let K be an
/// upper bound of h, and
///     g(x) = min(K, min over the choices a of (P_a h)(x) + (f(x) - c) / Gamma) >= h(x).
/// Starts do not change f, and two choices at once are one choice, so g does not fall when tasks are started. Where
/// nothing is chosen P g >= P h >= g - (f - c) / Gamma by the definition of g, so that G g >= c - f at every state. So
/// E g(X_t) rises by E int (c - f) at least, whenever tasks are started.
///
/// A step lowers f by the layer at most, one task per server of a slot or one in an event, so only states with
/// f <= R + layer lead into B: there the inequality is checked exactly for all choices. At the others it reads
/// 0 >= c - f, which is c <= R + layer + 1. No prover has anything to do, and a table may come from anywhere.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "proofs/queueing/theorems/central_box.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::queueing {

struct AnyPolicyTheorem {
    static constexpr std::uint32_t most_bits = 100;

    DecisionMode mode = DecisionMode::knows_arrivals;
    std::uint32_t radius = 0;                         ///< R
    std::uint32_t bits = 0;                           ///< the table's unit is 2^-bits
    Rational outside;                                 ///< H
    Rational lower;                                   ///< c, which may be below 0
    std::string digest;                               ///< SHA-256 of the table's bytes
    std::shared_ptr<const std::vector<Fixed>> table;  ///< by state of model.box(R), in units

    /// The lower bound of the mean: there are never fewer than no tasks.
    [[nodiscard]] Rational at_least() const { return std::max(lower, Rational(0)); }
    [[nodiscard]] Integer scale() const { return Integer(1) << bits; }
};

/// The largest c that table and H prove, rounded down to a unit of the table. `box` has the radius R + layer.
/// Throws InputError when the table is not one of the box or H is not integral in the unit, LimitExceeded when a number
/// passes 127 bits. Cost: one pass over the box.
[[nodiscard]] Rational bound_of_table(const CentralBox& box, const AnyPolicyTheorem& theorem);

/// The inequalities are arithmetic: no question about code is asked.
[[nodiscard]] std::vector<explore::Question> questions(const Instance& instance, const AnyPolicyTheorem& theorem);
/// Names the policies that are meant and those that are not.
[[nodiscard]] std::string sentence(const Instance& instance, const AnyPolicyTheorem& theorem);
/// Empty when the bound holds, otherwise what is wrong.
[[nodiscard]] std::string arithmetic_rejection(const Instance& instance, const AnyPolicyTheorem& theorem);

}  // namespace schedproof::queueing
