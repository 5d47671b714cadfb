/// A_i: the balanced assignment with the first i tasks of the deadline order made remote.
///
/// The i latest tasks leave their cores, and come back as i remote tasks on whichever servers finish them first. A
/// server with r of them pays g(r) for each, and finishes the r-th at
///     M_s(r) = the r-th smallest of { base(p) + j g(r) : p a core of s, j >= 1 },
/// base(p) being what is left on the core. M_s does not fall in r, so taking the server of least M_s(r_s + 1), i times
/// over, gives the least possible largest finish time of i remote tasks.
/// Source: [jin2018], Section 5.2, "Computing final assignment".
/// Deviation: the paper picks the core of least own future load, which overlooks that its server's other remote tasks
/// become dearer too, and is not minimal: `Placement::max_min` (docs/models/assignment.md, Interpretation A14).
#pragma once

#include <optional>

#include "policies/assignment/deadline_levels.hpp"

namespace schedproof::assignment {

enum class Placement { exact, max_min };

/// An A_i.
template <Number N>
struct Candidate {
    std::size_t remote = 0;  ///< i, the number of tasks moved
    Assignment assignment;
    N nominal{0};  ///< its makespan, if every moved task really is remote; 0 without tasks
};

/// The first r remote slots of a server at a price, ascending, ties by core; the last is M_s(r). `cores` is what is
/// left on the cores, and is used up. Cost: O(cores + r log cores).
template <Number N>
void remote_slots(std::vector<Slot<N>>& cores, const N& price, std::size_t r, std::vector<Slot<N>>& slots) {
    const auto later = [](const Slot<N>& a, const Slot<N>& b) { return before(b, a); };
    slots.clear();
    for (Slot<N>& core : cores) core.finish = core.finish + price;
    std::make_heap(cores.begin(), cores.end(), later);
    while (slots.size() < r) {
        std::pop_heap(cores.begin(), cores.end(), later);
        slots.push_back(cores.back());
        cores.back().finish = cores.back().finish + price;
        std::push_heap(cores.begin(), cores.end(), later);
    }
}

/// What is left on the cores of a server; `base` is by core.
template <Number N>
[[nodiscard]] std::vector<Slot<N>> cores_with(const Shape& shape, const std::vector<N>& base, ServerId s) {
    std::vector<Slot<N>> cores;
    for (std::size_t i = 0; i < shape.cores_of(s); ++i) {
        const CoreId p = shape.core(s, i);
        cores.push_back({base[p.index()], p});
    }
    return cores;
}

/// Where i remote tasks go: their slots by server ascending, then by core.
/// Cost: O((servers + i cores + i r) log), r being the most on one server.
template <Number N>
[[nodiscard]] std::vector<Slot<N>> place_exactly(const Problem<N>& problem, const std::vector<N>& base, std::size_t i) {
    struct Offer {
        N finish;  // M_s(r_s + 1)
        ServerId server;
    };
    const auto worse = [](const Offer& a, const Offer& b) {
        return b.finish < a.finish || (b.server < a.server && !(a.finish < b.finish));
    };
    std::vector<std::size_t> count(problem.shape->servers().size(), 0);
    std::vector<Slot<N>> slots;
    const auto slots_of = [&](ServerId s, std::size_t r) {
        std::vector<Slot<N>> cores = cores_with(*problem.shape, base, s);
        remote_slots(cores, problem.cost(s)(r), r, slots);
    };
    const auto offer = [&](ServerId s) {
        slots_of(s, count[s.index()] + 1);
        return Offer{slots.back().finish, s};
    };
    std::vector<Offer> offers;
    for (const ServerId s : problem.shape->servers()) offers.push_back(offer(s));
    std::make_heap(offers.begin(), offers.end(), worse);
    for (std::size_t placed = 0; placed < i; ++placed) {
        std::pop_heap(offers.begin(), offers.end(), worse);
        const ServerId s = offers.back().server;
        ++count[s.index()];
        offers.back() = offer(s);
        std::push_heap(offers.begin(), offers.end(), worse);
    }
    std::vector<Slot<N>> all;
    for (const ServerId s : problem.shape->servers()) {
        if (count[s.index()] == 0) continue;
        slots_of(s, count[s.index()]);
        std::sort(slots.begin(), slots.end(), [](const auto& a, const auto& b) { return a.core < b.core; });
        all.insert(all.end(), slots.begin(), slots.end());
    }
    return all;
}

/// The paper's text: i times, the core whose own load with one more remote task would be least.
template <Number N>
[[nodiscard]] std::vector<Slot<N>> place_max_min(const Problem<N>& problem, const std::vector<N>& base, std::size_t i) {
    const Shape& shape = *problem.shape;
    std::vector<std::int64_t> on_core(shape.cores().size(), 0);
    std::vector<std::size_t> on_server(shape.servers().size(), 0);
    for (std::size_t placed = 0; placed < i; ++placed) {
        std::optional<Slot<N>> best;
        for (const CoreId p : shape.cores()) {
            const ServerId s = shape.server_of(p);
            const N price = problem.cost(s)(on_server[s.index()] + 1);
            const N load = base[p.index()] + times(on_core[p.index()] + 1, price);
            if (!best || load < best->finish) best = Slot<N>{load, p};
        }
        ++on_core[best->core.index()];
        ++on_server[shape.server_of(best->core).index()];
    }
    std::vector<Slot<N>> all;
    for (const CoreId p : shape.cores())
        for (std::int64_t j = 1; j <= on_core[p.index()]; ++j) {
            const ServerId s = shape.server_of(p);
            all.push_back({base[p.index()] + times(j, problem.cost(s)(on_server[s.index()])), p});
        }
    return all;
}

/// A_i. Requires i <= tasks.
template <Number N>
[[nodiscard]] Candidate<N> with_remote(const Problem<N>& problem, const BalancedAssignment<N>& b,
                                       const DeadlineOrder<N>& order, std::size_t i,
                                       Placement placement = Placement::exact) {
    require(i <= order.tasks.size(), "no more tasks can be remote than there are");
    Candidate<N> a{i, b.assignment(), i < order.tasks.size() ? order.deadline[i] : N(0)};
    std::vector<N> base = loads(problem, b);
    for (std::size_t k = 0; k < i; ++k) {
        N& load = base[a.assignment[order.tasks[k].index()].index()];
        load = load - problem.local;
    }
    const auto slots =
        placement == Placement::exact ? place_exactly(problem, base, i) : place_max_min(problem, base, i);
    for (std::size_t k = 0; k < i; ++k) {
        a.assignment[order.tasks[k].index()] = slots[k].core;
        if (a.nominal < slots[k].finish) a.nominal = slots[k].finish;
    }
    return a;
}

}  // namespace schedproof::assignment
