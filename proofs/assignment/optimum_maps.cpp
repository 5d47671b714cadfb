#include "proofs/assignment/least_makespan.hpp"

namespace schedproof::assignment {

std::string_view to_string(Established established) {
    switch (established) {
        case Established::every_map:
            return "every map from tasks to cores was evaluated";
        case Established::every_division:
            return "every division of the tasks among servers was looked at";
        case Established::refuted:
            return "the solver refuted anything better";
        case Established::nothing:
            break;
    }
    return "a budget ended: something better may exist";
}

namespace {

/// By task: the cores that it may go to.
std::vector<std::vector<CoreId>> choices(const Shape& shape, Among among) {
    std::vector<std::vector<CoreId>> cores(shape.tasks().size());
    for (const TaskId t : shape.tasks())
        for (const CoreId p : shape.cores())
            if (among == Among::all || shape.is_local(t, shape.server_of(p))) cores[t.index()].push_back(p);
    return cores;
}

/// Calls `visit` with every map, the first task's choice fastest; returns how many there are.
template <class Visit>
std::uint64_t for_each_map(const Shape& shape, Among among, std::uint64_t limit, Visit&& visit) {
    const std::vector<std::vector<CoreId>> cores = choices(shape, among);
    std::uint64_t maps = 1;
    for (const auto& of_task : cores)
        if (__builtin_mul_overflow(maps, of_task.size(), &maps) || maps > limit)
            throw LimitExceeded("maps", "more than " + std::to_string(limit) + " maps from tasks to cores");
    std::vector<std::size_t> digit(cores.size(), 0);
    Assignment map;
    for (const auto& of_task : cores) map.push_back(of_task.front());
    for (std::uint64_t i = 0; i < maps; ++i) {
        visit(map);
        for (std::size_t t = 0; t < cores.size(); ++t) {
            digit[t] = digit[t] + 1 == cores[t].size() ? 0 : digit[t] + 1;
            map[t] = cores[t][digit[t]];
            if (digit[t] != 0) break;
        }
    }
    return maps;
}

}  // namespace

template <Number N>
Best<N> optimum_by_maps(const Problem<N>& problem, Among among, std::uint64_t limit) {
    Best<N> best;
    best.established = Established::every_map;
    best.cases = for_each_map(*problem.shape, among, limit, [&](const Assignment& map) {
        std::optional<N> makespan = evaluate(problem, map).makespan;
        if (!makespan || (best.value && !(*makespan < *best.value))) return;
        best.value = std::move(makespan);
        best.witness = map;
    });
    return best;
}

template <Number N>
Best<std::size_t> fewest_remote_by_maps(const Problem<N>& problem, const N& deadline, std::uint64_t limit) {
    Best<std::size_t> best;
    best.established = Established::every_map;
    best.cases = for_each_map(*problem.shape, Among::all, limit, [&](const Assignment& map) {
        const Evaluation<N> e = evaluate(problem, map);
        if ((e.makespan && *e.makespan > deadline) || (best.value && *best.value <= e.remote_tasks)) return;
        best.value = e.remote_tasks;
        best.witness = map;
    });
    return best;
}

template Best<Rational> optimum_by_maps(const Problem<Rational>&, Among, std::uint64_t);
template Best<CheckedInt> optimum_by_maps(const Problem<CheckedInt>&, Among, std::uint64_t);
template Best<std::size_t> fewest_remote_by_maps(const Problem<Rational>&, const Rational&, std::uint64_t);
template Best<std::size_t> fewest_remote_by_maps(const Problem<CheckedInt>&, const CheckedInt&, std::uint64_t);

}  // namespace schedproof::assignment
