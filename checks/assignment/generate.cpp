/// Random assignment problems with many ties, and all small ones on a grid.
///
/// Ties, jumps in cost and one hot server are what breaks claims, and uniform numbers would hardly show them. So loads
/// and costs are multiples of a quarter in a short range, cost functions come in kinds that include steps, and
/// sometimes all data lies on the hot server alone. The grid takes clusters, replica sets and the loads of a server as
/// multisets, which leaves out most renamings of servers, tasks and cores, though not all.
/// Cost: the grid is a product of these choices; each problem is visited and forgotten.
#include "checks/assignment/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "checks/assignment/witnesses.hpp"

namespace schedproof::checks {

using namespace assignment;

namespace {

std::size_t between(Sampler& randomness, std::size_t low, std::size_t high) {
    return low + static_cast<std::size_t>(randomness.below(high - low + 1));
}

Rational quarters(std::size_t n) { return Rational(n) / Rational(4); }

CostFunction<Rational> random_cost(Sampler& randomness, std::size_t tasks) {
    switch (randomness.below(6)) {
        case 0:
            return CostFunction<Rational>({Rational(2)}, Rational(1));
        case 1:
            return CostFunction<Rational>({quarters(6)}, quarters(2));
        case 2:
            return CostFunction<Rational>({quarters(between(randomness, 5, 12))});
        default:
            break;
    }
    std::vector<Rational> values;
    const std::size_t kind = randomness.below(3), step_at = between(randomness, 2, 4);
    const Rational low = quarters(between(randomness, 5, 8)), high = low + quarters(between(randomness, 1, 8));
    for (std::size_t n = 1; n <= std::max<std::size_t>(tasks, step_at); ++n) {
        if (kind == 0)
            values.push_back(Rational(1) + quarters(n * n));
        else if (kind == 1)
            values.push_back(n < step_at ? low : high);
        else
            values.push_back((n == 1 ? quarters(5) : values.back()) +
                             quarters(randomness.below(3) == 0 ? between(randomness, 1, 16) : randomness.below(2)));
    }
    return CostFunction<Rational>(std::move(values));
}

/// All ascending sequences of `length` indices below `count`.
std::vector<std::vector<std::size_t>> multisets(std::size_t count, std::size_t length) {
    std::vector<std::vector<std::size_t>> all;
    std::vector<std::size_t> now;
    const auto extend = [&](auto&& self, std::size_t from) -> void {
        if (now.size() == length) {
            all.push_back(now);
            return;
        }
        for (std::size_t i = from; i < count; ++i) {
            now.push_back(i);
            self(self, i);
            now.pop_back();
        }
    };
    extend(extend, 0);
    return all;
}

/// The numbers of cores per server, ascending, of all clusters of a grid, fewest cores first.
std::vector<std::vector<std::size_t>> clusters(const SmallGrid& grid) {
    std::vector<std::vector<std::size_t>> all;
    for (std::size_t servers = 1; servers <= grid.servers; ++servers)
        for (std::vector<std::size_t> cores : multisets(grid.cores, servers)) {
            for (std::size_t& c : cores) ++c;
            all.push_back(std::move(cores));
        }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return std::accumulate(a.begin(), a.end(), std::size_t{0}) <
               std::accumulate(b.begin(), b.end(), std::size_t{0});
    });
    return all;
}

/// Loads per server in the words of problem_of, in every way, up to the order of a server's cores.
std::vector<std::vector<std::string>> loadings(const SmallGrid& grid, const std::vector<std::size_t>& cores) {
    std::vector<std::vector<std::string>> all{{}};
    for (const std::size_t c : cores) {
        std::vector<std::vector<std::string>> longer;
        for (const std::vector<std::string>& before : all)
            for (const std::vector<std::size_t>& chosen : multisets(grid.loads.size(), c)) {
                std::string text;
                for (const std::size_t i : chosen) text += (text.empty() ? "" : " ") + grid.loads[i];
                longer.push_back(before);
                longer.back().push_back(std::move(text));
            }
        all = std::move(longer);
    }
    return all;
}

}  // namespace

AssignmentProblem random_assignment_problem(Sampler& randomness, const AssignmentSizes& sizes) {
    AssignmentProblem problem;
    const std::size_t servers = between(randomness, 1, sizes.servers), tasks = between(randomness, 1, sizes.tasks);
    const std::size_t step = std::size_t{1} << randomness.below(3), most = between(randomness, 1, 24 / step) * step;
    const std::size_t hot = randomness.below(4) == 0 ? randomness.below(servers) : servers,
                      heat = 4 * between(randomness, 6, 15);
    std::vector<std::uint32_t> cores;
    for (std::size_t s = 0; s < servers; ++s) {
        cores.push_back(static_cast<std::uint32_t>(between(randomness, 1, sizes.cores)));
        for (std::size_t i = 0; i < cores.back(); ++i)
            problem.initial.push_back(quarters(step * between(randomness, 0, most / step) + (s == hot ? heat : 0)));
    }
    Replicas replicas;
    // A hot server matters most when much data lies on it alone.
    const bool all_on_hot = hot < servers && randomness.below(2) == 0;
    for (std::size_t t = 0; t < tasks; ++t) {
        std::vector<ServerId> holders(servers);
        for (std::size_t s = 0; s < servers; ++s) holders[s] = ServerId(s);
        const std::size_t count = all_on_hot ? 1 : between(randomness, 1, std::min(sizes.replicas, servers));
        for (std::size_t i = 0; i < count; ++i)
            std::swap(holders[i], holders[all_on_hot ? hot : between(randomness, i, servers - 1)]);
        holders.resize(count);
        replicas.add(holders);
    }
    problem.shape = std::make_shared<const Shape>(cores, std::move(replicas));
    const bool own = servers > 1 && randomness.below(2) == 0;
    for (std::uint32_t s = 0; s < (own ? servers : 1); ++s) {
        problem.costs.push_back(random_cost(randomness, tasks));
        if (own) problem.cost_of.push_back(s);
    }
    return problem;
}

std::string bounds_text(const SmallGrid& grid) {
    return fmt::format(
        "every problem with at most {} servers of at most {} cores and at most {} tasks, loads in {{{}}}, remote costs "
        "in "
        "{{{}}}, one for all servers; servers, tasks and the cores of a server in at least one order each",
        grid.servers, grid.cores, grid.tasks, fmt::join(grid.loads, ", "), fmt::join(grid.costs, "; "));
}

std::uint64_t for_each_small_problem(const SmallGrid& grid,
                                     const std::function<bool(const AssignmentProblem&)>& visit) {
    std::uint64_t visited = 0;
    for (std::size_t tasks = 1; tasks <= grid.tasks; ++tasks)
        for (const std::vector<std::size_t>& cores : clusters(grid)) {
            std::vector<std::vector<std::size_t>> sets;
            for (std::size_t mask = 1; mask < (std::size_t{1} << cores.size()); ++mask) {
                sets.emplace_back();
                for (std::size_t s = 0; s < cores.size(); ++s)
                    if ((mask >> s & 1) != 0) sets.back().push_back(s);
            }
            for (const std::vector<std::size_t>& chosen : multisets(sets.size(), tasks))
                for (const std::vector<std::string>& loads : loadings(grid, cores))
                    for (const std::string& cost : grid.costs) {
                        std::vector<std::vector<std::size_t>> replicas;
                        for (const std::size_t i : chosen) replicas.push_back(sets[i]);
                        ++visited;
                        if (!visit(problem_of(loads, replicas, {cost}))) return visited;
                    }
        }
    return visited;
}

}  // namespace schedproof::checks
