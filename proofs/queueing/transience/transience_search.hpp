/// Searching for a proof of transience: the weights by linear programming, the threshold by exploration.
/// The method stands at the head of transience_search.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "proofs/queueing/theorems/transience.hpp"
#include "proofs/queueing/transience/linear_cells.hpp"

namespace schedproof::queueing {

struct TransienceProof {
    TransienceTheorem theorem;
    std::vector<proof::ExploredProof> proofs;  ///< one per question, in their order
    explore::Statistics statistics;
};
struct TransienceUnknown {
    std::string reason;
    std::vector<Rational>
        best;  ///< per queue, the largest delta of its program so far: none is positive, if all are given
    explore::Statistics statistics;
};
using TransienceOutcome = std::variant<TransienceProof, TransienceUnknown>;

/// The largest table that is tried where a user does not say.
inline constexpr std::size_t default_table = 64;

/// A linear W; where none will do, W with a table of 2, 4, ... increments of one queue's length, up to `largest_table`
/// of them and as long as the cells are few. Throws LimitExceeded for a layout that lists tasks, whose shapes are
/// infinitely many.
[[nodiscard]] TransienceOutcome search_transience(const SymbolicSystem& system, const explore::Budget& budget = {},
                                                  std::size_t largest_table = 0);

/// By the terms of the drift alone: modes, then a cone. Milliseconds on small clusters, where cells take a second.
[[nodiscard]] std::optional<TransienceProof> search_transience_by_terms(const SymbolicSystem& system);

/// The optimum for "queue i is long": the largest delta and weights such that the drift is at least delta on every cell
/// on which queue i is unbounded, whatever the other queues are. This is the drift where queue i alone is measured.
/// Throws LimitExceeded when a budget ends.
/// Requires: tasks join the queue.
[[nodiscard]] BestWeights best_drift_where_long(const SymbolicSystem& system, QueueId i,
                                                const explore::Budget& budget = {});

/// Proves a theorem whose W, delta and threshold are given; statuses, J and the load are filled in.
/// Requires: phi is of a queue of the policy's, and not empty.
[[nodiscard]] TransienceOutcome prove_transience(const SymbolicSystem& system, LyapunovForm w, const Rational& delta,
                                                 const Rational& threshold, const explore::Budget& budget = {},
                                                 std::optional<QueueTable> phi = {});

}  // namespace schedproof::queueing
