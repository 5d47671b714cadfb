/// A_i: the balanced assignment with the first i tasks of the deadline order made remote.
///
/// The i latest tasks leave their cores, and come back as i remote tasks on whichever servers finish them first. A
/// server with r of them pays g(r) for each, and finishes the r-th at
///     M_s(r) = the r-th smallest of { base(p) + j g(r) : p a core of s, j >= 1 },
/// base(p) being what is left on the core. M_s does not fall in r, so taking the server of least M_s(r_s + 1), i times
/// over, gives the least possible largest finish time of i remote tasks.
/// Source: [jin2018], Section 5.2, "Computing final assignment".
/// Deviation: the paper first gives each server as many as it completes before the deadline, and each of the rest to
/// the core of least own future load, which overlooks that its server's other remote tasks become dearer too, and is
/// not minimal: `Placement::max_min` (docs/models/assignment.md, Interpretation A14).
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

/// The first r remote positions of a server at a price, ascending, ties by core; the last is M_s(r). `cores` is what is
/// left on the cores, and is used up. Cost: O(cores + r log cores).
template <Number N>
void remote_positions(std::vector<Position<N>>& cores, const N& price, std::size_t r,
                      std::vector<Position<N>>& positions) {
    const auto later = [](const Position<N>& a, const Position<N>& b) { return before(b, a); };
    positions.clear();
    for (Position<N>& core : cores) core.finish = core.finish + price;
    std::make_heap(cores.begin(), cores.end(), later);
    while (positions.size() < r) {
        std::pop_heap(cores.begin(), cores.end(), later);
        positions.push_back(cores.back());
        cores.back().finish = cores.back().finish + price;
        std::push_heap(cores.begin(), cores.end(), later);
    }
}

/// What is left on the cores of a server; `base` is by core.
template <Number N>
[[nodiscard]] std::vector<Position<N>> cores_with(const Shape& shape, const std::vector<N>& base, ServerId s) {
    std::vector<Position<N>> cores;
    for (std::size_t i = 0; i < shape.cores_of(s); ++i) {
        const CoreId p = shape.core(s, i);
        cores.push_back({base[p.index()], p});
    }
    return cores;
}

/// Where i remote tasks go: their positions by server ascending, then by core.
/// Cost: O((servers + i cores + i r) log), r being the most on one server.
template <Number N>
[[nodiscard]] std::vector<Position<N>> place_exactly(const Problem<N>& problem, const std::vector<N>& base,
                                                     std::size_t i) {
    struct Offer {
        N finish;  // M_s(r_s + 1)
        ServerId server;
    };
    const auto worse = [](const Offer& a, const Offer& b) {
        return b.finish < a.finish || (b.server < a.server && !(a.finish < b.finish));
    };
    std::vector<std::size_t> count(problem.shape->servers().size(), 0);
    std::vector<Position<N>> positions;
    const auto positions_of = [&](ServerId s, std::size_t r) {
        std::vector<Position<N>> cores = cores_with(*problem.shape, base, s);
        remote_positions(cores, problem.cost(s)(r), r, positions);
    };
    const auto offer = [&](ServerId s) {
        positions_of(s, count[s.index()] + 1);
        return Offer{positions.back().finish, s};
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
    std::vector<Position<N>> all;
    for (const ServerId s : problem.shape->servers()) {
        if (count[s.index()] == 0) continue;
        positions_of(s, count[s.index()]);
        std::sort(positions.begin(), positions.end(), [](const auto& a, const auto& b) { return a.core < b.core; });
        all.insert(all.end(), positions.begin(), positions.end());
    }
    return all;
}

/// The paper's text, in two steps: to each server what it completes before `deadline`, D[i]; then, while tasks are
/// left, to the core whose own load with one more remote task would be least. Without a deadline, when all are remote,
/// there is the second step only.
template <Number N>
[[nodiscard]] std::vector<Position<N>> place_max_min(const Problem<N>& problem, const std::vector<N>& base,
                                                     std::size_t i, const std::optional<N>& deadline) {
    const Shape& shape = *problem.shape;
    std::vector<std::int64_t> on_core(shape.cores().size(), 0);
    std::vector<std::size_t> on_server(shape.servers().size(), 0);
    std::size_t placed = 0;
    for (const ServerId s : shape.servers()) {
        if (!deadline) break;
        Counters counters;
        const std::size_t r = std::min(most_remote_before(problem, base, s, *deadline, {}, counters), i - placed);
        if (r == 0) continue;
        std::vector<Position<N>> cores = cores_with(shape, base, s), positions;
        remote_positions(cores, problem.cost(s)(r), r, positions);
        for (const Position<N>& position : positions) ++on_core[position.core.index()];
        on_server[s.index()] = r;
        placed += r;
    }
    for (; placed < i; ++placed) {
        std::optional<Position<N>> best;
        for (const CoreId p : shape.cores()) {
            const ServerId s = shape.server_of(p);
            const N price = problem.cost(s)(on_server[s.index()] + 1);
            const N load = base[p.index()] + times(on_core[p.index()] + 1, price);
            if (!best || load < best->finish) best = Position<N>{load, p};
        }
        ++on_core[best->core.index()];
        ++on_server[shape.server_of(best->core).index()];
    }
    std::vector<Position<N>> all;
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
    const auto positions =
        placement == Placement::exact
            ? place_exactly(problem, base, i)
            : place_max_min(problem, base, i, i < order.tasks.size() ? std::optional(order.deadline[i]) : std::nullopt);
    for (std::size_t k = 0; k < i; ++k) {
        a.assignment[order.tasks[k].index()] = positions[k].core;
        if (a.nominal < positions[k].finish) a.nominal = positions[k].finish;
    }
    return a;
}

}  // namespace schedproof::assignment
