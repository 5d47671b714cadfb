/// The exact optimum against a search without any shortcut; what the theorems prove, in numbers; the adversary: exact
/// suprema, known by hand, above everything on a grid, and the same over all inputs and on the grid that holds them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/redundancy/brute_force.hpp"
#include "model/core/errors.hpp"
#include "proofs/redundancy/bounds.hpp"
#include "proofs/redundancy/worst.hpp"
#include "tests/support/redundancy_problems.hpp"

namespace schedproof::redundancy {
namespace {

using testing_support::any_redundancy_problem;
using testing_support::ratio;
using testing_support::redundancy_problem;

RC_GTEST_PROP(RedundancyOptimumProperty, IsTheLeastOfAllSchedules, ()) {
    const auto problem = any_redundancy_problem(3, 3);
    const Optimum best = optimum(problem);
    RC_ASSERT(best.value == checks::least_flowtime(problem));
    const auto path = checks::work_path(best, problem);
    Rational flowtime;
    for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
        RC_ASSERT(path.work(j, best.completion[j]) == problem.jobs[j].size);
        flowtime += best.completion[j] - problem.jobs[j].arrival;
    }
    RC_ASSERT(flowtime == best.value);
    RC_ASSERT(!optimum_below(problem, best.value));
    RC_ASSERT(optimum_below(problem, best.value + ratio(1, 100))->value == best.value);
}

RC_GTEST_PROP(RedundancyOptimumProperty, NoPolicyIsBetterAtItsSpeed, ()) {
    const auto problem = any_redundancy_problem(3, 3);
    const Rational least = optimum(problem).value;
    for (const char* id : {"srpt", "srpt+r"})  // the others share machines, which the optimum may not
        RC_ASSERT(history(make_policy(id, 1), problem, 1).total_flowtime(problem.jobs) >= least);
}

TEST(RedundancyOptimum, OfOneMachineIsSrpt) {
    const auto problem = redundancy_problem(1, "det", {{0, 3}, {1, 1}, {ratio(3, 2), 4}, {ratio(3, 2), 1}});
    EXPECT_EQ(optimum(problem).value, history(Srpt{}, problem, 1).total_flowtime(problem.jobs));
    EXPECT_EQ(optimum(redundancy_problem(1, "det", {})).value, ratio(0));
}

TEST(RedundancyOptimum, KnownValues) {
    EXPECT_EQ(optimum(redundancy_problem(2, "two-point:3,0", {{0, ratio(7, 2)}, {0, 4}})).value, ratio(33, 5));
    EXPECT_EQ(optimum(redundancy_problem(2, "two-point:2,0", {{0, 1}})).value, ratio(2, 3));
    EXPECT_EQ(optimum(redundancy_problem(2, "two-point:3,0",
                                         {{0, ratio(5, 2)}, {0, ratio(5, 2)}, {ratio(3, 2), ratio(1, 2)}}))
                  .value,
              ratio(51, 10));
}

TEST(RedundancyOptimum, EndsAtItsLimit) {
    const auto problem = redundancy_problem(3, "two-point:2,0", {{0, 3}, {0, 4}, {0, 5}, {1, 2}});
    EXPECT_THROW((void)optimum(problem, 100), LimitExceeded);
}

TEST(RedundancyBounds, AreTheConstantsOfTheTheorems) {
    const auto least = [](const char* id, const Rational& speed, const Rational& peak, std::size_t machines) {
        return proved_bound(make_policy(id, ratio(1, 2)), speed, machines, peak);
    };
    EXPECT_EQ(least("srpt+r", 2, 1, 1), ratio(2));            // (1 + e)/e
    EXPECT_EQ(least("srpt+r", 2, 3, 2), ratio(7, 2));         // (2 + 3/2)/1
    EXPECT_EQ(least("srpt+r", ratio(3, 2), 1, 2), ratio(4));  // (2 + e - 1/M)/e
    EXPECT_EQ(least("srpt+r", 1, 1, 1), std::nullopt);
    EXPECT_EQ(least("fair+r", 2, 1, 1), std::nullopt);
    EXPECT_EQ(least("fair+r", 3, 3, 2), ratio(9));      // 2 (3 + 3/2)/1
    EXPECT_EQ(least("fair+r", 5, 3, 2), ratio(13, 3));  // 2 (5 + 3/2)/3, below 4 (5 + 3/2)/1
    EXPECT_EQ(least("laps+r", 5, 1, 2), ratio(88, 7));  // e = 7/2: 8/7 (1 + 10); Theorem 3, e = 1: 24
    EXPECT_EQ(least("laps+r", ratio(3, 2), 1, 2), std::nullopt);
    EXPECT_EQ(least("laps+r:all", 2, 1, 2), ratio(176));  // 16 (1 + 8 + 2)
    EXPECT_EQ(least("fair", 9, 1, 1), std::nullopt);
    EXPECT_EQ(proved_bounds(SrptR{}, ratio(2), 4, ratio(1)).front().ratio, ratio(6));  // (1 + 2 Delta)(1 + 1/e)
}

Worst over_jobs(const char* policy, const Rational& speed, const char* shape) {
    Shape at_speed = parse_shape(shape);
    at_speed.speed = speed;
    return worst_over_jobs(make_policy(policy, ratio(1, 2)), at_speed);
}

TEST(RedundancyWorst, FindsExactSuprema) {
    const Worst one = over_jobs("srpt", 1, "n1-m2-two-point:2,0");
    EXPECT_EQ(one.ratio, ratio(3, 2));  // no copies where g(2) = 3/2
    EXPECT_TRUE(one.attained);
    const Worst two = over_jobs("srpt+r", 1, "n2-m2-two-point:3,0");
    EXPECT_EQ(two.proved, Worst::Proved::supremum);
    EXPECT_EQ(two.ratio, ratio(10, 9));
    ASSERT_TRUE(two.witness);
    EXPECT_EQ(two.witness->ratio(), two.ratio);
    EXPECT_EQ(over_jobs("srpt+r", 2, "n2-m1-det").ratio, ratio(1, 2));  // optimal on one machine
    EXPECT_EQ(over_jobs("fair", 1, "n2-m1-det").ratio, ratio(4, 3));    // two equal jobs: 4 against 3
    const Worst near = over_jobs("laps+r", 2, "n2-m1-det");
    EXPECT_EQ(near.ratio, ratio(1));
    EXPECT_FALSE(near.attained);
    ASSERT_TRUE(near.witness);
    EXPECT_GE(near.witness->ratio(), ratio(999, 1000));
}

TEST(RedundancyWorst, SaysWhenABudgetEndsIt) {
    explore::Budget budget;
    budget.paths = 5;
    const Worst worst = worst_over_jobs(SrptR{}, parse_shape("n2-m2-two-point:3,0"), budget);
    EXPECT_EQ(worst.proved, Worst::Proved::lower_bound);
    EXPECT_NE(worst.ended, "");
    EXPECT_LE(worst.ratio, ratio(10, 9));
}

TEST(RedundancyWorst, OnAGridIsNoLargerThanOverAll) {
    Grid grid{{ratio(0), ratio(1), ratio(3, 2)}, {ratio(1), ratio(5, 2), ratio(4)}, 10'000, {}};
    for (const char* id : {"srpt", "srpt+r", "fair", "fair+r", "laps", "laps+r"})
        for (const char* shape : {"n2-m2-two-point:3,0", "n2-m3-two-point:2,0", "n2-m1-det"}) {
            const AnyPolicy policy = make_policy(id, ratio(1, 2));
            const Worst on_grid = worst_on_grid(policy, parse_shape(shape), grid);
            EXPECT_EQ(on_grid.cases, 27U);
            ASSERT_TRUE(on_grid.witness);
            EXPECT_EQ(on_grid.witness->ratio(), on_grid.ratio);
            EXPECT_LE(on_grid.ratio, over_jobs(id, 1, shape).ratio) << id << " " << shape;
        }
    // The grid holds a worst problem: two jobs of equal size at once.
    EXPECT_EQ(worst_on_grid(SrptR{}, parse_shape("n2-m2-two-point:3,0"), grid).ratio, ratio(10, 9));
    grid.limit = 10;
    EXPECT_THROW((void)worst_on_grid(SrptR{}, parse_shape("n2-m2-det"), grid), LimitExceeded);
}

}  // namespace
}  // namespace schedproof::redundancy
