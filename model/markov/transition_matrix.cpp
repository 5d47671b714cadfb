#include "model/markov/transition_matrix.hpp"

#include <algorithm>
#include <iterator>

#include "model/core/errors.hpp"

namespace schedproof::markov {

void TransitionMatrix::append_row(std::vector<Transition> row) {
    Rational sum;
    for (const Transition& move : row) {
        require(move.probability.sign() > 0, "a transition needs a positive probability");
        sum += move.probability;
    }
    require(sum == 1, "a row of transition probabilities must sum to one");
    require(
        std::adjacent_find(row.begin(), row.end(),
                           [](const Transition& a, const Transition& b) { return a.target >= b.target; }) == row.end(),
        "the targets of a row must ascend strictly");
    std::move(row.begin(), row.end(), std::back_inserter(moves_));
    start_.push_back(moves_.size());
}

void TransitionMatrix::require_closed() const {
    for (const Transition& move : moves_) require(move.target < states(), "a transition leads outside the chain");
}

}  // namespace schedproof::markov
