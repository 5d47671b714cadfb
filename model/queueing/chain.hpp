/// The finite Markov chain of a truncated cluster under a policy.
///
/// Every state reachable from the empty one, found by breadth-first search over the exact law of the next slot, so
/// state 0 is empty and states stand in order of their distance from it. The chain carries, per state, what a slot is
/// expected to do: with the stationary law these give throughput and blocking.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/core/randomness.hpp"
#include "model/markov/transition_matrix.hpp"
#include "model/queueing/kernel.hpp"

namespace schedproof::queueing {

/// Exact states as they are stored and printed, whatever number type the kernel ran on.
using ExactState = State<CheckedInt>;

/// One possible next slot with its probability.
struct Move {
    Slot<CheckedInt> slot;
    Rational probability;
};

/// One entry per next state of a run of outcomes of a slot that lead to it, with their probability as weight / common.
/// Clocks of servers alike often lead to one state each after the other, so that a hundred servers give few entries;
/// outcomes that are not neighbours may still lead to one state.
struct WeightedMoves {
    std::vector<ExactState> next;
    std::vector<std::uint64_t> weight;
    std::uint64_t common = 1;
    std::vector<Fraction> probability;  ///< of each outcome
    std::vector<std::size_t> outcomes;  ///< per entry, how many
};

/// More combinations of outcomes in one slot are LimitExceeded: such a law is too long to be of use, and a slot with
/// many arrivals has more of them than there is memory.
inline constexpr std::size_t max_outcomes = 200'000;

inline constexpr std::size_t default_max_states = 200'000;

struct ChainLimits {
    std::size_t states = default_max_states;  ///< more reachable states are LimitExceeded
    /// Called now and then with the numbers of states expanded and found so far; may be empty.
    std::function<void(std::size_t, std::size_t)> progress;
};

struct Chain {
    std::vector<ExactState> states;
    markov::TransitionMatrix matrix;
    std::vector<Rational> completed;  ///< per state: mean number of tasks that complete in a slot
    std::vector<Rational> blocked;    ///< per state: mean number of arriving tasks turned away in a slot
    Truncation truncation;
    std::size_t paths = 0;  ///< combinations of outcomes enumerated
};

/// The truncation rule as a sentence, for the time of the instance; every output names it so.
[[nodiscard]] std::string describe(const Truncation& truncation, const Instance& instance);

namespace detail {
template <Number N>
[[nodiscard]] ExactState to_exact(State<N> state) {
    if constexpr (std::same_as<N, CheckedInt>) {
        return state;
    } else {
        const auto integer = [](const N& n) { return NumberTraits<CheckedInt>::coefficient(n); };
        ExactState exact;
        for (const N& n : state.length) exact.length.push_back(integer(n));
        exact.serving = state.serving;
        exact.waiting = state.waiting;
        for (const N& n : state.memory) exact.memory.push_back(integer(n));
        return exact;
    }
}
template <Number N>
[[nodiscard]] State<N> from_exact(const ExactState& exact) {
    if constexpr (std::same_as<N, CheckedInt>) {
        return exact;
    } else {
        State<N> state;
        for (const CheckedInt n : exact.length) state.length.push_back(N(n.value()));
        state.serving = exact.serving;
        state.waiting = exact.waiting;
        for (const CheckedInt n : exact.memory) state.memory.push_back(N(n.value()));
        return state;
    }
}
[[noreturn]] void throw_too_many_outcomes();
/// Replaces each run of weights by its sum. Requires: the runs make up all weights.
void add_up_runs(std::vector<std::uint64_t>& weights, const std::vector<std::size_t>& runs);

/// One transition per target, in ascending order; `paths` is sorted on the way.
[[nodiscard]] std::vector<markov::Transition> merge_targets(
    std::vector<std::pair<markov::StateIndex, Fraction>>& paths);
}  // namespace detail

/// Calls `use(slot, probability)` for every combination of outcomes of a slot from a valid state (equal ones not
/// merged, unless `answers` says so). Throws LimitExceeded past `max_outcomes`.
template <Number N, class Use>
void each_move(const Kernel<N>& kernel, const ExactState& state, Use&& use, typename Kernel<N>::Answers answers = {}) {
    const State<N> now = detail::from_exact<N>(state);
    kernel.require_valid(now);
    std::size_t count = 0;
    enumerate_each([&](auto& randomness) { return kernel.step(now, answers, randomness); },
                   [&](Slot<N>&& slot, const Fraction& p) {
                       if (count++ == max_outcomes) detail::throw_too_many_outcomes();
                       use(std::move(slot), p);
                   });
}

/// The exact law of the next slot, by its combinations of outcomes. Throws as `each_move`.
template <Number N>
[[nodiscard]] std::vector<Move> moves(const Kernel<N>& kernel, const ExactState& state) {
    std::vector<Move> all;
    each_move(kernel, state, [&](Slot<N>&& slot, const Fraction& p) {
        all.push_back({{detail::to_exact(std::move(slot.next)), slot.arrived, slot.blocked, slot.completed, slot.tied},
                       p.rational()});
    });
    return all;
}

/// The next states alone; `moves` is overwritten. Throws as `each_move`, and LimitExceeded where the common denominator
/// of the probabilities passes 63 bits.
template <Number N>
void weigh_moves(const Kernel<N>& kernel, const ExactState& state, WeightedMoves& moves) {
    moves.next.clear();
    moves.probability.clear();
    moves.outcomes.clear();
    const auto add = [&](Slot<N>&& slot, const Fraction& p) {
        ExactState next = detail::to_exact(std::move(slot.next));
        if (moves.next.empty() || !(moves.next.back() == next)) {
            moves.next.push_back(std::move(next));
            moves.outcomes.push_back(0);
        }
        ++moves.outcomes.back();
        moves.probability.push_back(p);
    };
    typename Kernel<N>::Answers answers;
    answers.merge_clocks = true;
    each_move(kernel, state, add, std::move(answers));
    moves.common = Fraction::to_common_denominator(moves.probability, moves.weight);
    detail::add_up_runs(moves.weight, moves.outcomes);
}

/// The reachable chain. Throws LimitExceeded for a policy that keeps deficit counters, whose chain is infinite. Throws
/// LimitExceeded past `limits.states`, or `max_outcomes` in one slot. Cost: one run of the step per state and
/// combination of outcomes.
template <Number N>
[[nodiscard]] Chain reachable_chain(const Kernel<N>& kernel, const ChainLimits& limits) {
    if (kernel.keeps_counters())
        throw LimitExceeded("states",
                            "this policy keeps counters that grow while servers idle: no truncation makes its "
                            "chain finite; its single slots and sampled paths are exact all the same");
    Chain chain;
    chain.truncation = kernel.truncation();
    std::unordered_map<ExactState, markov::StateIndex, StateHash<CheckedInt>> index;
    const auto index_of = [&](ExactState&& state) {
        const auto [entry, is_new] = index.try_emplace(std::move(state), static_cast<markov::StateIndex>(index.size()));
        if (is_new) {
            if (index.size() > limits.states)
                throw LimitExceeded("states", "more than " + std::to_string(limits.states) +
                                                  " reachable states; choose a smaller truncation or raise the limit");
            chain.states.push_back(entry->first);
        }
        return entry->second;
    };
    index_of(detail::to_exact(kernel.initial()));
    std::vector<std::pair<markov::StateIndex, Fraction>> paths;
    for (std::size_t s = 0; s < chain.states.size(); ++s) {
        paths.clear();
        Fraction completed, blocked;
        const State<N> now = detail::from_exact<N>(chain.states[s]);
        typename Kernel<N>::Answers answers;
        enumerate_each([&](auto& randomness) { return kernel.step(now, answers, randomness); },
                       [&](Slot<N>&& slot, const Fraction& p) {
                           if (paths.size() == max_outcomes) detail::throw_too_many_outcomes();
                           ++chain.paths;
                           if (slot.completed > 0) completed += p * Fraction(slot.completed, 1);
                           if (slot.blocked > 0) blocked += p * Fraction(slot.blocked, 1);
                           paths.emplace_back(index_of(detail::to_exact(std::move(slot.next))), p);
                       });
        chain.matrix.append_row(detail::merge_targets(paths));
        chain.completed.push_back(completed.rational());
        chain.blocked.push_back(blocked.rational());
        if (limits.progress && s % 1024 == 0) limits.progress(s + 1, chain.states.size());
    }
    return chain;
}

}  // namespace schedproof::queueing
