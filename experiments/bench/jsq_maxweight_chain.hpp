/// Wang's JSQ-MaxWeight on two servers, as a bare Markov chain: the standing test load of the exact solvers.
///
/// Each server m has its own queue Q_m and both share the queue Qc; a state is (Q_0, Q_1, Qc; f_0, f_1), where f_m says
/// on which queue server m works. It is written out here, apart from the project's kernel, so that the solver's tests
/// depend on nothing but the solver. One slot: arrivals join the shorter of own and common queue, idle servers point at
/// a queue by MaxWeight with weights 4 : 1, matched servers complete with probability 4/5 (own) or 1/5 (common).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "model/markov/transition_matrix.hpp"

namespace schedproof::bench {

/// Which tasks a full system loses.
enum class Truncation {
    per_task,         ///< the task whose queue holds the cap already, tasks of this slot counted
    before_arrivals,  ///< the task whose queue held the cap before the slot
    whole_vector,     ///< all tasks of a slot in which some queue would pass the cap
    total             ///< the task that would make the sum of the queues pass the cap
};

/// The chain on the states reachable from the empty system, in order of discovery, and the queues of each state.
struct JsqMaxWeightChain {
    struct State {
        std::array<int, 3> queue{};  // own 0, own 1, common
        std::array<int, 2> work{};   // 0 idle, 1 own, 2 common
        auto operator<=>(const State&) const = default;
    };
    std::vector<State> states;
    markov::TransitionMatrix matrix;
};

namespace detail {

using ChainState = JsqMaxWeightChain::State;

/// Probabilities of one slot are multiples of 1/400 = (1/2)^2 (1/2)^2 (1/5)^2: weights are counted in that unit.
using SlotLaw = std::map<ChainState, std::int64_t>;
constexpr std::int64_t slot_unit = 400;

/// Serves the queues `now` and adds the outcomes, `weight` sixteenths of the slot, to `law`.
inline void serve(const ChainState& before, const ChainState& now, std::int64_t weight, SlotLaw& law) {
    ChainState matched = now;
    const auto served_at = [](std::size_t m, int work) { return work == 1 ? m : std::size_t{2}; };
    std::array<int, 3> free = now.queue;
    for (std::size_t m = 0; m < 2; ++m)
        if (before.work[m] != 0) --free[served_at(m, before.work[m])];
    for (std::size_t m = 0; m < 2; ++m) {
        if (before.work[m] != 0) continue;
        const bool own = 4 * before.queue[m] >= before.queue[2];
        int& left = free[own ? m : 2];
        matched.work[m] = left > 0 ? (own ? 1 : 2) : 0;
        if (left > 0) --left;
    }
    for (int done = 0; done < 4; ++done) {
        ChainState next = matched;
        std::int64_t randomness = weight;
        for (std::size_t m = 0; m < 2; ++m) {
            const bool completes = (done >> m) % 2 == 1;
            if (matched.work[m] == 0) {
                randomness *= completes ? 0 : 5;
                continue;
            }
            const std::int64_t rate = matched.work[m] == 1 ? 4 : 1;
            randomness *= completes ? rate : 5 - rate;
            if (!completes) continue;
            --next.queue[served_at(m, matched.work[m])];
            next.work[m] = 0;
        }
        if (randomness > 0) law[next] += randomness;
    }
}

/// Routes the arrivals `bits` (bit 0 and 1: a task of that type came; bits 2 and 3: how its tie falls).
inline ChainState arrive(const ChainState& before, int bits, int cap, Truncation truncation) {
    ChainState now = before;
    for (std::size_t type = 0; type < 2; ++type) {
        if ((bits >> type) % 2 == 0) continue;
        const int own = before.queue[type], common = before.queue[2];
        const std::size_t joined = own < common || (own == common && (bits >> (2 + type)) % 2 == 0) ? type : 2;
        const auto& seen = truncation == Truncation::before_arrivals ? before.queue : now.queue;
        if (truncation == Truncation::total && now.queue[0] + now.queue[1] + now.queue[2] >= cap) continue;
        if (truncation == Truncation::whole_vector && seen[joined] >= cap) return before;
        if (truncation != Truncation::total && seen[joined] >= cap) continue;
        ++now.queue[joined];
    }
    return now;
}

}  // namespace detail

inline JsqMaxWeightChain jsq_maxweight_chain(int cap, Truncation truncation = Truncation::per_task) {
    JsqMaxWeightChain chain;
    std::map<detail::ChainState, markov::StateIndex> index;
    const auto number = [&](const detail::ChainState& s) {
        const auto [at, fresh] = index.emplace(s, static_cast<markov::StateIndex>(chain.states.size()));
        if (fresh) chain.states.push_back(s);
        return at->second;
    };
    number({});
    for (std::size_t i = 0; i < chain.states.size(); ++i) {
        const detail::ChainState before = chain.states[i];
        detail::SlotLaw law;
        for (int bits = 0; bits < 16; ++bits)
            detail::serve(before, detail::arrive(before, bits, cap, truncation), 1, law);
        std::vector<markov::Transition> row;
        for (const auto& [next, weight] : law) row.push_back({number(next), Rational(weight, detail::slot_unit)});
        std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.target < b.target; });
        chain.matrix.append_row(std::move(row));
    }
    return chain;
}

}  // namespace schedproof::bench
