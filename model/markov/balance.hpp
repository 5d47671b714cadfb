/// The balance equations of one closed class, as an integer linear system.
///
/// On a closed class the stationary distribution solves pi (P - I) = 0. Multiplying row i of P - I by a positive
/// rational s_i makes it a primitive integer row N_i, and y_i = pi_i / s_i solves y N = 0. Fixing y = 1 at a reference
/// state and dropping its own, redundant equation leaves a nonsingular system A x = b of one equation per other state,
/// with A the transpose of the remaining block of N and x_i = y_i / y_ref. Up to a common factor the y_i are the
/// principal minors of -N with one state removed (the Markov chain tree theorem), which is why they, and not the pi_i,
/// are what the solvers look for: scaling the rows first is what keeps the numbers short.
#pragma once

#include <span>
#include <vector>

#include "model/markov/elimination.hpp"
#include "model/markov/transition_matrix.hpp"

namespace schedproof::markov {

/// Position k of the system stands for the k-th state of the order it was built in; the reference state is the last and
/// is neither an unknown nor an equation.
struct BalanceSystem {
    std::vector<StateIndex> state;
    std::vector<Integer> scale;  ///< pi = scale * y at each state, up to one common factor; positive
    SparsePattern pattern;       ///< row j: the unknowns in the balance of state j, ascending
    std::vector<Integer> coefficient;
    std::vector<Integer> right_side;

    [[nodiscard]] std::size_t unknowns() const { return right_side.size(); }
};

/// Requires: `order` lists the states of one closed class, at least one.
[[nodiscard]] BalanceSystem balance_system(const TransitionMatrix& chain, std::span<const StateIndex> order);

/// Whether `weight` P = `weight` for the whole chain, decided by integer arithmetic from the chain alone.
/// Requires: one weight per state.
[[nodiscard]] bool is_stationary(const TransitionMatrix& chain, std::span<const Integer> weight);

}  // namespace schedproof::markov
