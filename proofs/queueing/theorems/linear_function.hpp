/// Functions of the state that are linear in the queue lengths, plus constants of the servers' statuses.
///
/// On a cell of the kernel they change by a constant in each outcome of a slot, so that theorems about them, and linear
/// programs over their weights, need the outcomes alone. A table of one queue's length may be added: on a cell where
/// that length is known, or beyond the end of the table, the same is true of the sum.
#pragma once

#include <cstdint>
#include <optional>
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

/// phi(Q) of one queue: phi(0) = 0, and phi(n + 1) - phi(n) is increments[n], beyond them the last increment.
struct QueueTable {
    QueueId queue;
    std::vector<Rational> increments;  ///< at least one

    /// phi(n). Requires n >= 0. Cost: one sum per increment.
    [[nodiscard]] Rational at(std::int64_t n) const;
    /// The increment from n to n + 1.
    [[nodiscard]] const Rational& step(std::int64_t n) const;
    friend bool operator==(const QueueTable&, const QueueTable&) = default;
};

/// Where a length stands in a table of `entries` increments on a cluster of `servers`: the length itself, or nothing
/// where phi is linear on all lengths that a step may lead to. A step takes at most one task per server from a queue,
/// so that is so from entries - 1 + servers on. Comparisons go to the decider of the length.
[[nodiscard]] std::optional<std::int64_t> place_in_table(std::size_t entries, std::size_t servers,
                                                         const explore::Affine& length);
/// phi(Q + growth) - phi(Q) at a place. Requires an integer growth that a step may bring.
[[nodiscard]] Rational table_change(const QueueTable& phi, const std::optional<std::int64_t>& place,
                                    const Rational& growth);
/// phi(Q) at a place, as a form over the symbols of a shape.
[[nodiscard]] proof::LinearForm table_value(const QueueTable& phi, const std::optional<std::int64_t>& place,
                                            const SymbolicSystem& system, const Shape& shape);

}  // namespace schedproof::queueing
