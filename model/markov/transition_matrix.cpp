#include "model/markov/transition_matrix.hpp"

#include <algorithm>
#include <iterator>

#include "model/core/errors.hpp"

namespace schedproof::markov {

std::vector<Transition> merge_targets(std::vector<Transition> moves) {
    std::sort(moves.begin(), moves.end(), [](const Transition& a, const Transition& b) { return a.target < b.target; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (kept > 0 && moves[kept - 1].target == moves[i].target) {
            moves[kept - 1].probability += moves[i].probability;
        } else {
            if (kept != i) moves[kept] = std::move(moves[i]);
            ++kept;
        }
    }
    moves.resize(kept);
    return moves;
}

void TransitionMatrix::append_row(std::vector<Transition> row) {
    Rational sum;
    for (const Transition& move : row) {
        require(move.probability.sign() > 0, "a transition needs a positive probability");
        sum += move.probability;
    }
    require(sum == 1, "a row of transition probabilities must sum to one");
    require(std::adjacent_find(row.begin(), row.end(), [](const Transition& a, const Transition& b) {
                return a.target >= b.target;
            }) == row.end(), "the targets of a row must ascend strictly");
    std::move(row.begin(), row.end(), std::back_inserter(moves_));
    start_.push_back(moves_.size());
}

void TransitionMatrix::require_closed() const {
    for (const Transition& move : moves_) require(move.target < states(), "a transition leads outside the chain");
}

}  // namespace schedproof::markov
