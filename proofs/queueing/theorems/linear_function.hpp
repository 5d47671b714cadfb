/// Functions of the state that are linear in the queue lengths, plus constants of the servers' statuses.
///
/// On a cell of the kernel they change by a constant in each outcome of a slot, so that theorems about them, and linear
/// programs over their weights, need the outcomes alone.
#pragma once

#include <string>
#include <vector>

#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "proofs/queueing/theorems/lyapunov_form.hpp"

namespace schedproof::queueing {

/// Empty when W has pieces of one form each, those under a condition constants; otherwise what is not linear.
[[nodiscard]] std::string linear_rejection(const LyapunovForm& w);

// For such functions:

/// The value at a state.
[[nodiscard]] explore::Affine value_of(const LyapunovForm& w, const SymbolicState& state);
/// The value at a shape, as a form over its symbols.
[[nodiscard]] proof::LinearForm linear_value(const LyapunovForm& w, const SymbolicSystem& system, const Shape& shape);

/// What a slot does to them at a symbolic state.
struct LinearOutcome {
    Rational probability;
    std::vector<Rational> growth;  ///< per queue
    Vector<Service> serving;       ///< afterwards
};
/// The outcomes of a slot, those that differ in nothing of these as one.
[[nodiscard]] std::vector<LinearOutcome> linear_outcomes(const SymbolicSystem& system, const SymbolicState& state);
/// The change in an outcome of a slot that begins with these statuses.
[[nodiscard]] Rational change_of(const LyapunovForm& w, const Vector<Service>& serving, const LinearOutcome& outcome);

}  // namespace schedproof::queueing
