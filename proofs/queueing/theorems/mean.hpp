/// Two-sided bounds of a stationary mean of the infinite chain.
///
/// Let P be the kernel on the valid states, f >= 0 the function whose mean is asked for, W bounded below (for f of
/// quadratic growth W = a V with a linear factor a >= 0 and V >= 0), B the states whose measure is at most a radius,
/// and u <= v two tables on B.
///   upper  g = min(table, kappa W + b) on B, g = kappa W + b elsewhere. If Pg <= g - f + c at every state, then, as g
///   is
///          bounded below, telescoping E g(X_t) gives limsup (1/n) sum_{t<n} E_x f(X_t) <= c from every state x; for a
///          stationary law pi the averages of min(f, k) converge dominatedly, so pi f <= c (let k grow).
///   lower  h = max(table, -(kappa W + b)) on B, h = -(kappa W + b) elsewhere. If Ph >= h - f + c at every state, then,
///   as
///          h is bounded ABOVE, liminf of the averages is at least c, and pi f >= c by Fatou.
/// Both inequalities are checked exactly at each state of B (mean_table.hpp). Outside B they follow from
///     kappa (PW - W) + f <= upper   and   kappa (PW - W) <= f - lower,
/// since g <= kappa W + b and h >= -(kappa W + b) everywhere: a question about the policy's code per combination of
/// statuses. They may be asked themselves, or follow from one drift that holds at all states, for every kappa and box.
/// States that renamings lead between share an entry of the table, and count with the least W among them: g and h are
/// functions all the same, and no symmetry of the chain is used.
/// No irreducibility, aperiodicity or uniqueness is used, and a table may come from anywhere.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proofs/queueing/theorems/drift.hpp"
#include "proofs/queueing/theorems/mean_table.hpp"

namespace schedproof::queueing {

/// The drift of W is at most bound - eta times the measure, at all states.
struct UniformDrift {
    Rational eta;  ///< > 0
    Rational bound;
};

/// Weights under which no box has a task in an empty queue.
[[nodiscard]] std::vector<std::uint32_t> box_weights(std::vector<std::uint32_t> weights,
                                                     const std::vector<QueueId>& empty);

struct MeanTheorem {
    MeanSetting setting;
    std::vector<std::uint32_t> weights;  ///< of the measure, per queue; at least 1
    std::uint32_t radius = 0;            ///< of the box
    Rational upper, lower;               ///< what the table proves: the lower one may be below 0
    /// Where given, what the two inequalities outside the box follow from; else they are asked cell by cell.
    std::optional<UniformDrift> uniform;
    std::vector<std::vector<Service>> statuses;  ///< per server, what it can be doing; idle first
    std::vector<QueueId> empty{};                ///< queues that no task joins, of which the statement has no task
    std::vector<Renaming> renamings;             ///< states that they lead between share an entry of the table
    std::string digest;                          ///< SHA-256 of the table's bytes
    std::shared_ptr<const MeanTable> table;

    /// The lower bound of the mean: f is never negative.
    [[nodiscard]] Rational at_least() const { return std::max(lower, Rational(0)); }
    [[nodiscard]] LyapunovForm::Linear measure() const;
    [[nodiscard]] ClosedSet closed() const { return {statuses, empty}; }
    [[nodiscard]] StateBox box() const { return {statuses, box_weights(weights, empty), radius}; }
    [[nodiscard]] FoldedBox folded_box() const { return {box(), renamings}; }
    /// Whether what is forbidden far out is quadratic in the lengths.
    [[nodiscard]] bool is_quadratic() const { return setting.of.is_quadratic() || setting.w.factor; }
};

/// What must not be on a cell, given the drift of W: outside the box either of the two inequalities failing, or, with a
/// uniform drift, a drift above its bound.
[[nodiscard]] std::vector<explore::Forbidden> forbidden(const MeanTheorem& theorem, const SymbolicSystem& system,
                                                        const Shape& shape, const proof::LinearForm& drift);
/// The drift of W = a V, with a linear factor a: in the symbols of products.
[[nodiscard]] proof::LinearForm drift_of_product(const SymbolicSystem& system, const Shape& shape,
                                                 const DriftParts& parts, const LyapunovForm::Linear& factor);

/// As for a DriftTheorem; see drift.hpp.
[[nodiscard]] std::vector<explore::Question> questions(const SymbolicSystem& system, const MeanTheorem& theorem);
[[nodiscard]] std::string sentence(const SymbolicSystem& system, const MeanTheorem& theorem);

/// Everything but the far field: that W is bounded below, and the inequalities on the box. Empty when right.
/// Cost: one enumeration of the slot per state of the box, on all cores.
[[nodiscard]] std::string arithmetic_rejection(const SymbolicSystem& system, const MeanTheorem& theorem);

/// Why a uniform drift does not show both inequalities at all states whose measure is above the radius; empty when it
/// does. Requires one.
[[nodiscard]] std::string uniform_rejection(const SymbolicSystem& system, const MeanTheorem& theorem);

/// Why W is not shown to be bounded below: V is not, or, with a factor, one of the two may be negative. Empty when it
/// is. Throws InputError when V does not fit the policy's queues.
[[nodiscard]] std::string far_rejection(const SymbolicSystem& system, const FarForm& w);

/// `4.560924484057952` for a number whose decimal expansion ends, else `p/q`.
[[nodiscard]] std::string exact_decimal(const Rational& value);
/// The nearest number of so many decimals that is not above the value, and the nearest that is not below.
[[nodiscard]] Rational rounded_down(const Rational& value, unsigned decimals);
[[nodiscard]] Rational rounded_up(const Rational& value, unsigned decimals);

}  // namespace schedproof::queueing
