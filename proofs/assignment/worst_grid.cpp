#include <algorithm>

#include "proofs/assignment/least_makespan.hpp"
#include "proofs/assignment/worst.hpp"

namespace schedproof::assignment {

namespace {

/// No assignment ends before the T-th smallest of all positions load(p) + j, j = 1, 2, ...: k tasks on a core end at
/// load(p) + k or later, so by any time there are at most as many tasks as positions.
Rational least_position(const Problem<Rational>& problem) {
    std::vector<Rational> positions;
    const auto tasks = static_cast<std::int64_t>(problem.shape->tasks().size());
    for (const Rational& load : problem.initial)
        for (std::int64_t j = 1; j <= tasks; ++j) positions.push_back(load + times(j, problem.local));
    const auto last = positions.begin() + tasks - 1;
    std::nth_element(positions.begin(), last, positions.end());
    return *last;
}

std::uint64_t problems_of(std::span<const std::shared_ptr<const Shape>> shapes, const Grid& grid) {
    std::uint64_t all = 0;
    const auto too_many = [&] { throw LimitExceeded("grid", "more than " + std::to_string(grid.limit) + " problems"); };
    for (const auto& shape : shapes) {
        std::uint64_t of_shape = grid.costs.size();
        for (std::size_t p = 0; p < shape->cores().size(); ++p)
            if (__builtin_mul_overflow(of_shape, grid.loads.size(), &of_shape)) too_many();
        if (__builtin_add_overflow(all, of_shape, &all) || all > grid.limit) too_many();
    }
    return all;
}

Problem<Rational> problem_of(const std::shared_ptr<const Shape>& shape, const Costs& costs) {
    Problem<Rational> problem;
    problem.shape = shape;
    problem.initial.assign(shape->cores().size(), Rational(0));
    problem.costs = costs.functions;
    if (costs.functions.size() > 1)
        for (std::uint32_t s = 0; s < costs.functions.size(); ++s) problem.cost_of.push_back(s);
    return problem;
}

}  // namespace

Worst worst_on_grid(const SystemUnderTest& system_under_test, std::span<const std::shared_ptr<const Shape>> shapes,
                    const Grid& grid) {
    const std::uint64_t all = problems_of(shapes, grid);
    Worst worst;
    worst.proved = Worst::Proved::grid;
    worst.attained = true;
    const auto look = [&](const Problem<Rational>& problem) {
        if (grid.progress && worst.cases % 64 == 0) grid.progress(worst.cases, all);
        ++worst.cases;
        const std::vector<Rational> finish = system_under_test.exact(problem).finish;
        require(!finish.empty(), "a ratio of makespans needs a task");
        const Rational makespan = *std::max_element(finish.begin(), finish.end());
        if (worst.ratio && makespan <= *worst.ratio * least_position(problem)) return;
        ++worst.programs;
        const Best<Rational> best = optimum_by_servers(problem);
        if (worst.ratio && makespan <= *worst.ratio * *best.value) return;
        worst.ratio = makespan / *best.value;
        worst.witness = measure(system_under_test, problem);
    };
    for (const auto& shape : shapes)
        for (const Costs& costs : grid.costs) {
            Problem<Rational> problem = problem_of(shape, costs);
            validate(problem);
            std::vector<std::size_t> digit(problem.initial.size(), 0);
            for (std::size_t i = 0; i < digit.size(); ++i) problem.initial[i] = grid.loads.front();
            for (bool more = true; more;) {
                look(problem);
                more = false;
                for (std::size_t i = 0; i < digit.size() && !more; ++i) {
                    digit[i] = digit[i] + 1 == grid.loads.size() ? 0 : digit[i] + 1;
                    problem.initial[i] = grid.loads[digit[i]];
                    more = digit[i] != 0;
                }
            }
        }
    return worst;
}

}  // namespace schedproof::assignment
