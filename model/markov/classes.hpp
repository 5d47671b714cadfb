/// The communicating classes of a finite Markov chain.
///
/// Two states communicate when each is reached from the other with positive probability: the strongly connected
/// components of the graph of possible moves. A class that no move leaves is closed; its states are recurrent, all
/// others are transient. A finite chain has at least one closed class, and as many linearly independent stationary
/// distributions as closed classes. Only which moves are possible matters here, never how likely they are.
///
/// Source: R. Tarjan, "Depth-first search and linear graph algorithms" (1972), without recursion, because a chain of
/// queues is a path of thousands of states.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/markov/transition_matrix.hpp"

namespace schedproof::markov {

using ClassIndex = std::uint32_t;

/// The partition of the states into classes. A class is numbered after every class that it can move to.
class Classes {
  public:
    [[nodiscard]] std::size_t count() const { return start_.size() - 1; }
    [[nodiscard]] ClassIndex of(StateIndex state) const { return class_of_[state]; }
    /// The states of a class, ascending.
    [[nodiscard]] std::span<const StateIndex> members(ClassIndex c) const {
        return {members_.data() + start_[c], members_.data() + start_[c + 1]};
    }
    /// Whether no move leaves the class: its states are recurrent.
    [[nodiscard]] bool closed(ClassIndex c) const { return closed_[c]; }
    [[nodiscard]] std::vector<ClassIndex> closed_classes() const;

  private:
    friend Classes classify(const TransitionMatrix& chain);

    std::vector<ClassIndex> class_of_;
    std::vector<std::size_t> start_{0};
    std::vector<StateIndex> members_;
    std::vector<bool> closed_;
};

/// Requires: every target is a state of the chain. Throws: ContractViolation. Cost: linear in the transitions.
[[nodiscard]] Classes classify(const TransitionMatrix& chain);

/// Greatest common divisor of the lengths of all cycles within class `c`; 0 for a class without a cycle, that is a
/// transient state that never returns. A closed class has period 1 exactly when the chain converges on it.
/// Cost: linear in the transitions of the class.
[[nodiscard]] std::size_t period(const TransitionMatrix& chain, const Classes& classes, ClassIndex c);

}  // namespace schedproof::markov
