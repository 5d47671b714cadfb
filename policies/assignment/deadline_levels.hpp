/// Deadlines of Phase II of DynDLOff: which there are, and how many remote tasks a server completes before one.
///
/// A deadline d splits the tasks of the balanced assignment: those that finish by d stay, the N(d) later ones become
/// remote. A server takes r remote tasks before d when its cores, each in the room that is left on it, have place for
/// r tasks of length g(r) each. Since g does not fall, every smaller number fits too; so the most, rmax, is found by
/// bisection, and Theorem 1 says where: with room Delta on m cores and gamma the largest n with n g(n) <= Delta,
/// gamma - m + 1 <= rmax <= gamma. (Sums of m whole parts lose less than m.)
/// Source: [jin2018], Section 5.2, Theorem 1.
/// Deviation: "at least r" where the paper prints "more than r", which rejects a last task that just fits (`strict`).
/// Deviation: only cores with room count for m and Delta; with all of them (`all_cores`) Theorem 1 is false.
/// Deviation: N(d) counts tasks later than d; the paper's index counts some of equal finish time among them.
#pragma once

#include "policies/assignment/balanced_assignment.hpp"

namespace schedproof::assignment {

/// The tasks by finish time, latest first, ties by core, then id; and where they part.
template <Number N>
struct DeadlineOrder {
    std::vector<TaskId> tasks;        ///< t_1, t_2, ...
    std::vector<N> deadline;          ///< D[i] = F(t_{i+1})
    std::vector<std::size_t> levels;  ///< by different value of D, descending: its first index, which is N(D)
};

/// Whether position i of a balanced assignment comes before position k in deadline order.
template <Number N>
[[nodiscard]] bool later(const BalancedAssignment<N>& b, std::size_t i, std::size_t k) {
    if (b.finish[k] < b.finish[i]) return true;
    if (b.finish[i] < b.finish[k]) return false;
    return b.core[i] != b.core[k] ? b.core[i] < b.core[k] : b.tasks[i] < b.tasks[k];
}

template <Number N>
[[nodiscard]] DeadlineOrder<N> order_by_deadline(const BalancedAssignment<N>& b) {
    std::vector<std::size_t> at(b.tasks.size());
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = i;
    std::sort(at.begin(), at.end(), [&](std::size_t i, std::size_t k) { return later(b, i, k); });
    DeadlineOrder<N> order;
    for (const std::size_t i : at) {
        if (order.deadline.empty() || b.finish[i] < order.deadline.back())
            order.levels.push_back(order.deadline.size());
        order.tasks.push_back(b.tasks[i]);
        order.deadline.push_back(b.finish[i]);
    }
    return order;
}

/// Interpretations of Phase II's tests; the defaults are the ones that hold.
struct TestInterpretation {
    bool strict = false;     ///< Interpretation A11, as printed
    bool all_cores = false;  ///< Interpretation A12, as printed
};

/// What a server has left before a deadline.
template <Number N>
struct Room {
    std::vector<N> of_core;  ///< d - L(p), of the cores that count: m is their number
    N total{0};              ///< Delta
};

template <Number N>
[[nodiscard]] Room<N> room_before(const Problem<N>& problem, const std::vector<N>& load, ServerId s, const N& d,
                                  bool all_cores = false) {
    Room<N> room;
    for (std::size_t i = 0; i < problem.shape->cores_of(s); ++i) {
        const N& l = load[problem.shape->core(s, i).index()];
        if (!all_cores && !(l < d)) continue;
        room.of_core.push_back(d - l);
        room.total = room.total + room.of_core.back();
    }
    return room;
}

/// gamma: the largest n <= limit with n g(n) <= total; 0 when there is none. Cost: O(log gamma).
template <Number N>
[[nodiscard]] std::size_t most_by_total(const CostFunction<N>& g, const N& total, std::size_t limit,
                                        Counters& counters) {
    const auto holds = [&](std::size_t n) {
        ++counters.gamma_steps;
        return times(static_cast<std::int64_t>(n), g(n)) <= total;
    };
    std::size_t low = 0, step = 1;
    while (low + step <= limit && holds(low + step)) {
        low += step;
        step = low;
    }
    for (std::size_t high = std::min(limit, low + step - 1); low < high;) {
        const std::size_t n = low + (high - low + 1) / 2;
        if (holds(n))
            low = n;
        else
            high = n - 1;
    }
    return low;
}

/// Whether r remote tasks fit into the room. Requires r >= 1.
template <Number N>
[[nodiscard]] bool fits(const CostFunction<N>& g, const Room<N>& room, std::size_t r, bool strict = false) {
    auto missing = static_cast<std::int64_t>(strict ? r + 1 : r);
    for (const N& left : room.of_core) missing -= whole_parts(left, g(r), missing);
    return missing == 0;
}

/// rmax: the most remote tasks, at most `limit`, that fit. Cost: O(m log(limit)) at most, O(m log m) after gamma.
template <Number N>
[[nodiscard]] std::size_t most_remote(const CostFunction<N>& g, const Room<N>& room, std::size_t limit,
                                      const TestInterpretation& interpretation, Counters& counters) {
    ++counters.server_tests;
    const std::size_t m = room.of_core.size();
    if (m == 0) return 0;
    std::size_t high = most_by_total(g, room.total, limit, counters);
    const std::size_t lost = interpretation.strict ? m : m - 1;
    std::size_t low = high > lost ? high - lost : 0;
    std::size_t allowed = 1, evaluations = 0;
    while ((std::size_t{1} << (allowed - 1)) < m) ++allowed;
    for (; low < high; ++evaluations) {
        const std::size_t r = low + (high - low + 1) / 2;
        if (fits(g, room, r, interpretation.strict))
            low = r;
        else
            high = r - 1;
    }
    counters.r_evaluations += evaluations;
    if (evaluations > allowed) ++counters.over_bound;
    return low;
}

/// rmax_s(d), where `load` is L_B or any loads that agree with it below d.
template <Number N>
[[nodiscard]] std::size_t most_remote_before(const Problem<N>& problem, const std::vector<N>& load, ServerId s,
                                             const N& d, const TestInterpretation& interpretation, Counters& counters) {
    return most_remote(problem.cost(s), room_before(problem, load, s, d, interpretation.all_cores),
                       problem.shape->tasks().size(), interpretation, counters);
}

}  // namespace schedproof::assignment
