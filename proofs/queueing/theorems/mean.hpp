/// Two-sided bounds of a stationary mean of the infinite chain.
///
/// Let P be the kernel on the valid states, f >= 0 the function whose mean is asked for, W bounded below, B the states
/// whose measure is at most a radius, and u <= v two tables on B.
///   upper  g = min(table, kappa W + b) on B, g = kappa W + b elsewhere. If Pg <= g - f + c at every state, then, as g
///   is
///          bounded below, telescoping E g(X_t) gives limsup (1/n) sum_{t<n} E_x f(X_t) <= c from every state x; for a
///          stationary law pi the averages of min(f, k) converge dominatedly, so pi f <= c (let k grow).
///   lower  h = max(table, -(kappa W + b)) on B, h = -(kappa W + b) elsewhere. If Ph >= h - f + c at every state, then,
///   as
///          h is bounded ABOVE, liminf of the averages is at least c, and pi f >= c by Fatou.
/// Both inequalities are checked exactly at each state of B (mean_table.hpp). Outside B they follow from
///     kappa (PW - W) + f <= upper   and   kappa (PW - W) <= f - lower,
/// since g <= kappa W + b and h >= -(kappa W + b) everywhere: two questions about the policy's code per combination of
/// statuses. No irreducibility, aperiodicity or uniqueness is used, and a table may come from anywhere.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "proofs/queueing/theorems/drift.hpp"
#include "proofs/queueing/theorems/mean_table.hpp"

namespace schedproof::queueing {

struct MeanTheorem {
    MeanSetting setting;
    std::vector<std::uint32_t> weights;  ///< of the measure, per queue; at least 1
    std::uint32_t radius = 0;            ///< of the box
    Rational upper, lower;
    std::vector<std::vector<Service>> statuses;  ///< per server, what it can be doing; idle first
    std::string digest;                          ///< SHA-256 of the table's bytes
    std::shared_ptr<const MeanTable> table;

    [[nodiscard]] LyapunovForm::Linear measure() const;
    [[nodiscard]] StateBox box() const { return {statuses, weights, radius}; }
};

/// What must not be on a cell outside the box: either of the two inequalities failing, given the drift of W.
[[nodiscard]] std::vector<explore::Forbidden> forbidden(const MeanTheorem& theorem, const SymbolicSystem& system,
                                                        const Shape& shape, const proof::LinearForm& drift);

/// As for a DriftTheorem; see drift.hpp.
[[nodiscard]] std::vector<explore::Question> questions(const SymbolicSystem& system, const MeanTheorem& theorem);
[[nodiscard]] std::string sentence(const SymbolicSystem& system, const MeanTheorem& theorem);

/// Everything but the far field: that W is bounded below, and the inequalities on the box. Empty when right.
/// Cost: one enumeration of the slot per state of the box, on all cores.
[[nodiscard]] std::string arithmetic_rejection(const SymbolicSystem& system, const MeanTheorem& theorem);

/// `4.560924484057952` for a number whose decimal expansion ends, else `p/q`.
[[nodiscard]] std::string exact_decimal(const Rational& value);
/// The nearest number of so many decimals that is not above the value, and the nearest that is not below.
[[nodiscard]] Rational rounded_down(const Rational& value, unsigned decimals);
[[nodiscard]] Rational rounded_up(const Rational& value, unsigned decimals);

}  // namespace schedproof::queueing
