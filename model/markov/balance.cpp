/// The balance equations in integers, and the check of a solution against the chain itself.
///
/// Row i of P - I is multiplied by its common denominator and divided by the greatest common divisor of its entries, so
/// that the unknowns y_i = pi_i / s_i are as short as they can be; the positive scales s_i are kept up to one common
/// factor. The equation of the reference state, the last of the order, follows from the others and is left out, and its
/// column becomes the right-hand side. The matrix is stored by equations: row j lists the states that flow into state
/// j.
///
/// `is_stationary` does not use the system: it adds up the inflow of every state from the transition matrix, over the
/// common denominator of all rows, and compares. Cost: one multiplication of long integers per transition.
#include "model/markov/balance.hpp"

#include <numeric>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::markov {

namespace {

Integer row_denominator(std::span<const Transition> row) {
    Integer common = 1;
    for (const Transition& move : row)
        mpz_lcm(common.backend().data(), common.backend().data(), mpq_denref(move.probability.gmp()));
    return common;
}

/// probability * denominator. Requires that this is an integer.
Integer scaled(const Rational& probability, const Integer& denominator) {
    Integer result;
    mpz_divexact(result.backend().data(), denominator.backend().data(), mpq_denref(probability.gmp()));
    mpz_mul(result.backend().data(), result.backend().data(), mpq_numref(probability.gmp()));
    return result;
}

/// Row `state` of d (P - I) with d the denominator of the row, not yet primitive; the diagonal is always present.
std::vector<std::pair<StateIndex, Integer>> integer_row(const TransitionMatrix& chain, StateIndex state,
                                                        const Integer& denominator) {
    std::vector<std::pair<StateIndex, Integer>> result;
    Integer diagonal = -denominator;
    for (const Transition& move : chain.row(state)) {
        if (move.target == state)
            diagonal += scaled(move.probability, denominator);
        else
            result.emplace_back(move.target, scaled(move.probability, denominator));
    }
    result.emplace_back(state, diagonal);
    return result;
}

}  // namespace

BalanceSystem balance_system(const TransitionMatrix& chain, std::span<const StateIndex> order) {
    require(!order.empty(), "a balance system needs a state");
    const std::size_t unknowns = order.size() - 1;
    std::vector<std::uint32_t> position(chain.states(), 0);
    for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<std::uint32_t>(k);

    BalanceSystem system;
    system.state.assign(order.begin(), order.end());
    system.right_side.assign(unknowns, 0);
    std::vector<std::vector<std::pair<std::uint32_t, Integer>>> balance(order.size());
    std::vector<Integer> content(order.size());
    Integer contents = 1;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const Integer denominator = row_denominator(chain.row(order[k]));
        auto row = integer_row(chain, order[k], denominator);
        for (const auto& [target, value] : row) content[k] = gcd(content[k], value);
        if (content[k] == 0) content[k] = 1;  // an absorbing state moves nowhere
        contents = lcm(contents, content[k]);
        system.scale.push_back(denominator);
        for (auto& [target, value] : row) {
            const std::size_t j = position[target];
            if (j == unknowns) continue;
            value /= content[k];
            if (k == unknowns)
                system.right_side[j] = -value;
            else
                balance[j].emplace_back(static_cast<std::uint32_t>(k), std::move(value));
        }
    }
    for (std::size_t k = 0; k < order.size(); ++k) system.scale[k] *= contents / content[k];
    for (std::size_t j = 0; j < unknowns; ++j) {
        for (auto& [k, value] : balance[j]) {
            system.pattern.index.push_back(k);
            system.coefficient.push_back(std::move(value));
        }
        system.pattern.start.push_back(system.pattern.index.size());
    }
    return system;
}

bool is_stationary(const TransitionMatrix& chain, std::span<const Integer> weight) {
    require(weight.size() == chain.states(), "one weight per state");
    Integer common = 1;
    std::vector<Integer> denominator;
    for (StateIndex i = 0; i < chain.states(); ++i) {
        denominator.push_back(row_denominator(chain.row(i)));
        common = lcm(common, denominator.back());
    }
    std::vector<Integer> surplus(chain.states());  // common * (inflow - weight) of each state
    for (StateIndex i = 0; i < chain.states(); ++i) {
        if (weight[i] == 0) continue;
        const Integer share = weight[i] * (common / denominator[i]);
        for (const auto& [target, value] : integer_row(chain, i, denominator[i]))
            mpz_addmul(surplus[target].backend().data(), share.backend().data(), value.backend().data());
    }
    for (const Integer& s : surplus)
        if (s != 0) return false;
    return true;
}

}  // namespace schedproof::markov
