/// The baselines of the assignment family against plain loops over everything.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "policies/assignment/registered_policies.hpp"
#include "policies/assignment/registry.hpp"
#include "tests/policies/assignment_oracle.hpp"
#include "tests/proofs/assignment_generators.hpp"
#include "tests/support/assignment_instances.hpp"

namespace schedproof::assignment::baselines {
namespace {

ScheduleResult<Rational> outcome_of(const std::string& name, const Problem<Rational>& problem,
                                    const PolicyOptions& options = {}) {
    Sampler randomness({1, 0, 0});
    return run(make_policy(name, options), problem, randomness);
}

oracle::Map map_of(const Assignment& assignment) {
    oracle::Map map;
    for (const CoreId p : assignment) map.push_back(p.index());
    return map;
}

RC_GTEST_PROP(List, IsThePlainLoop, (bool server_max)) {
    const Problem<Rational> problem = *testing_support::small_problem();
    RC_LOG() << testing_support::text(problem) << "\n";
    const auto outcome = outcome_of(server_max ? "list:server-max" : "list", problem);
    RC_ASSERT(map_of(outcome.assignment) == oracle::list(problem, server_max));
}

RC_GTEST_PROP(Bar, ReducesAsThePlainLoop, (bool unbounded)) {
    const Problem<Rational> problem = *testing_support::small_problem();
    RC_PRE(problem.shape->tasks().size() > 0);
    RC_LOG() << testing_support::text(problem) << "\n";
    const auto balanced = map_of(DynDlOff{}.balance(problem).assignment());
    const auto outcome = outcome_of(unbounded ? "bar:unbounded" : "bar", problem);
    RC_ASSERT(map_of(outcome.assignment) ==
              oracle::reduce(problem, balanced, unbounded, [](std::size_t a, std::size_t b) { return a > b; }));
    const Price price = unbounded ? Price::unbounded : Price::capped;
    const oracle::Cluster c{problem};
    const auto makespan = total_price_makespan(problem, outcome.assignment, price);
    RC_ASSERT(*makespan ==
              *oracle::total_makespan(c, map_of(outcome.assignment), c.remote(map_of(outcome.assignment)), unbounded));
    RC_ASSERT(*makespan <= *oracle::total_makespan(c, balanced, 0, unbounded));
}

RC_GTEST_PROP(Ltfpa, IsTheReferenceEventLoop, (bool load_aware)) {
    const Problem<Rational> problem = *testing_support::small_problem({4, 2, 12});
    RC_LOG() << testing_support::text(problem) << "\n";
    PolicyOptions o;
    if (*rc::gen::arbitrary<bool>()) o.threshold = testing_support::quarters(*rc::gen::inRange(0, 12));
    const auto outcome = outcome_of(load_aware ? "ltfpa:load-aware" : "ltfpa", problem, o);
    const auto expected = oracle::ltfpa(problem, o.threshold, load_aware);
    for (const auto& [task, core, start, finish] : expected) RC_ASSERT(outcome.assignment[task].index() == core);
    if (load_aware) return;  // of which the map is the result
    RC_ASSERT(outcome.executions.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto& e = outcome.executions[i];
        RC_ASSERT(std::tuple(e.task.index(), e.core.index(), e.start, e.finish) == expected[i]);
    }
}

/// At every time where it grows, the cover is a maximum one (by a matching of tasks and single positions), in positions
/// up to that time; and it never lets go of a task.
RC_GTEST_PROP(Hta, CoversAreMaximal, ()) {
    const Problem<Rational> problem = *testing_support::small_problem({4, 2, 8});
    RC_LOG() << testing_support::text(problem) << "\n";
    MaxCover<Rational> cover(problem);
    std::vector<Rational> load = problem.initial;
    std::size_t before = 0;
    Rational tau(0);
    while (cover.grow([&](CoreId p) {
        load[p.index()] += problem.local;
        tau = std::max(tau, load[p.index()]);
    })) {
        std::size_t covered = 0;
        for (const TaskId t : problem.shape->tasks())
            if (const auto s = cover.server_of()[t.index()]) {
                RC_ASSERT(problem.shape->is_local(t, *s));
                ++covered;
            }
        RC_ASSERT(covered > before);
        RC_ASSERT(covered == oracle::most_covered(problem, tau));
        before = covered;
    }
    RC_ASSERT(before == problem.shape->tasks().size());
}

/// HTA is the best of bal-assign, tried from every cover.
RC_GTEST_PROP(Hta, IsTheBestOfItsRounds, (bool unbounded)) {
    const Problem<Rational> problem = *testing_support::small_problem();
    RC_PRE(problem.shape->tasks().size() > 0);
    RC_LOG() << testing_support::text(problem) << "\n";
    const oracle::Cluster c{problem};
    std::optional<Rational> best;
    oracle::Map expected;
    MaxCover<Rational> cover(problem);
    while (cover.grow([](CoreId) {})) {
        oracle::Map map(c.tasks(), oracle::nowhere);
        std::vector<std::size_t> used(problem.shape->servers().size(), 0);
        for (const TaskId t : problem.shape->tasks())
            if (const auto s = cover.server_of()[t.index()])
                map[t.index()] = cover.position(*s, ++used[s->index()]).core.index();
        map = oracle::bal_assign(problem, std::move(map), unbounded);
        const Rational makespan = *oracle::total_makespan(c, map, c.remote(map), unbounded);
        if (best && makespan >= *best) continue;
        best = makespan;
        expected = map;
    }
    RC_ASSERT(map_of(outcome_of(unbounded ? "hta:unbounded" : "hta", problem).assignment) == expected);
}

/// HTA's own model: single cores without loads, one price. Within w(r*) of the optimum, r* its remote tasks.
RC_GTEST_PROP(Hta, IsNearTheOptimumOfItsOwnModel, ()) {
    Problem<Rational> problem = *testing_support::small_problem({3, 1, 6});
    RC_PRE(problem.shape->tasks().size() > 0);
    for (Rational& load : problem.initial) load = Rational(0);
    problem.cost_of.clear();
    problem.costs.resize(1);
    RC_LOG() << testing_support::text(problem) << "\n";
    const oracle::Cluster c{problem};
    std::optional<Rational> optimum;
    std::size_t remote = 0;
    oracle::Map map(c.tasks(), 0);
    for (bool more = true; more;) {
        const std::size_t r = c.remote(map);
        const Rational makespan = *oracle::total_makespan(c, map, r, false);
        if (!optimum || makespan < *optimum || (makespan == *optimum && r < remote)) {
            optimum = makespan;
            remote = r;
        }
        std::size_t t = 0;
        while (t < map.size() && ++map[t] == c.cores()) map[t++] = 0;
        more = t < map.size();
    }
    const Rational result = *total_price_makespan(problem, outcome_of("hta", problem).assignment);
    RC_ASSERT(result >= *optimum);
    RC_ASSERT(result <= *optimum + oracle::total_price(c, 0, remote, false));
}

TEST(Hta, EndsAtItsLimits) {
    const auto problem = ::schedproof::testing_support::table_two();
    PolicyOptions o;
    o.budget = 3;
    EXPECT_THROW((void)outcome_of("hta", problem, o), LimitExceeded);
    Replicas sets;
    for (int t = 0; t < 300; ++t) sets.add(std::vector{ServerId(0)});
    Problem<Rational> large = problem;
    large.shape = std::make_shared<const Shape>(std::vector<std::uint32_t>{2, 2, 2, 2}, std::move(sets));
    PolicyOptions soon;
    soon.timeout = std::chrono::milliseconds(0);
    try {
        (void)outcome_of("hta", large, soon);
        ADD_FAILURE() << "no timeout";
    } catch (const LimitExceeded& end) {
        EXPECT_EQ(end.limit(), "timeout");
    }
}

}  // namespace
}  // namespace schedproof::assignment::baselines
