/// The transition probabilities of a finite Markov chain, exact, row by row.
///
/// Compressed rows: a chain of n states with a handful of successors each is what every exact question here is about,
/// and what a sparse solver, a graph writer and a simulator all read. States are numbers; their
/// meaning is kept elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::markov {

using StateIndex = std::uint32_t;

/// One possible move and its probability, > 0.
struct Transition {
    StateIndex target = 0;
    Rational probability;
};

class TransitionMatrix {
  public:
    /// Appends the row of the next state. Targets may lie ahead.
    /// Throws ContractViolation unless targets ascend strictly, every probability is positive and they sum to one.
    void append_row(std::vector<Transition> row);

    /// Throws ContractViolation unless every target is a row of this matrix.
    void require_closed() const;

    [[nodiscard]] std::size_t states() const { return start_.size() - 1; }
    [[nodiscard]] std::size_t transitions() const { return moves_.size(); }
    [[nodiscard]] std::span<const Transition> row(std::size_t state) const {
        return {moves_.data() + start_[state], moves_.data() + start_[state + 1]};
    }

  private:
    std::vector<std::size_t> start_{0};
    std::vector<Transition> moves_;
};

}  // namespace schedproof::markov
