/// The drift of all linear functions at once.
/// The method stands at the head of linear_cells.cpp.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/theorems/linear_function.hpp"

namespace schedproof::queueing {

/// The size of a table of one queue.
struct TableSize {
    QueueId queue;
    std::size_t entries = 0;  ///< at least one
};

/// The functions whose weights are looked for: the queues in the order of the layout, then the indicators, then the
/// increments of a table.
struct LinearBasis {
    std::size_t queues = 0;
    std::vector<LyapunovForm::Condition> indicators;  ///< each names server, queue, level and whether a phantom
    std::optional<TableSize> table;                   ///< whose queue has no weight besides

    LinearBasis() = default;
    LinearBasis(const Layout& layout, const std::vector<std::vector<Service>>& statuses,
                const std::optional<TableSize>& of_table = {});
    [[nodiscard]] std::size_t entries() const { return table ? table->entries : 0; }
    [[nodiscard]] std::size_t size() const { return queues + indicators.size() + entries(); }
    /// The function with given weights, but for the table; zero weights are left out.
    [[nodiscard]] LyapunovForm form(std::string name, const std::vector<Rational>& weights) const;
    /// The table with given weights.
    [[nodiscard]] std::optional<QueueTable> table_of(const std::vector<Rational>& weights) const;
    /// The drift of each of its functions in a slot that begins with these statuses, and with this place in the table.
    [[nodiscard]] std::vector<Rational> drifts(const Vector<Service>& serving,
                                               const std::vector<LinearOutcome>& outcomes,
                                               const std::optional<std::int64_t>& place = {}) const;
    /// The drift of a linear function (linear_rejection), and of a table of the basis' size, on a cell, from the basis'
    /// drifts there.
    [[nodiscard]] Rational drift(const LyapunovForm& w, const std::optional<QueueTable>& phi,
                                 const std::vector<Rational>& row) const;
};

/// What is known of a cell.
struct LinearLeaf {
    std::vector<Rational> row;            ///< the drift of each function of the basis
    std::optional<std::int64_t> place{};  ///< of a length in the table; nothing beyond it, and without one
};

/// The cells of a shape; nothing on a leaf where states are not settled.
struct LinearCells {
    Shape shape;
    explore::Exploration<std::optional<LinearLeaf>> cells;
};

/// Explores one shape, where some queues hold no task.
[[nodiscard]] LinearCells linear_cells(const SymbolicSystem& system, const Shape& shape, const LinearBasis& basis,
                                       const explore::Budget& budget = {}, const std::vector<QueueId>& empty = {});

/// Whether a cell holds the ray along which symbol x alone grows. Requires a cell with a point.
[[nodiscard]] bool grows_alone(const std::vector<proof::Constraint>& cell, proof::Variable x);

/// Scalar product. Requires equal sizes.
[[nodiscard]] Rational dot(const std::vector<Rational>& row, const std::vector<Rational>& weights);

/// The weights that make the least drift over some rows as large as possible.
struct BestWeights {
    Rational delta;
    std::vector<Rational> weights;
};

/// Largest delta with row . w >= delta for every row, where w of queue `direction` is one, other queues' weights lie in
/// [-1, 1], that of the table's queue is zero, and those of indicators and increments lie in [-scale, scale]. Throws
/// LimitExceeded when no method answers.
[[nodiscard]] BestWeights best_weights(const LinearBasis& basis, const std::vector<std::vector<Rational>>& rows,
                                       std::size_t direction, const Rational& scale);

}  // namespace schedproof::queueing
