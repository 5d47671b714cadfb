/// DynDLOff on instances whose answers are known: the paper's example, and the smallest instances on which the paper's
/// text, read literally, goes wrong.
#include <gtest/gtest.h>

#include "policies/assignment/dyndloff.hpp"
#include "proofs/symbolic/affine.hpp"
#include "tests/support/assignment_instances.hpp"

namespace schedproof::assignment {
namespace {

using namespace ::schedproof::testing_support;

constexpr auto with_loop = DynDlOff{.search = DynDlOff::Search::loop};

static_assert(OfflinePolicy<DynDlOff, CheckedInt> && OfflinePolicy<DynDlOff, Rational>);
static_assert(OfflinePolicy<DynDlOff, NumberArchetype> && OfflinePolicy<DynDlOff, explore::Affine>);

/// The makespan of what the policy returns, by the model's own evaluation.
Rational makespan(const DynDlOff& policy, const RationalProblem& problem) {
    return *evaluate(problem, policy.schedule(problem).assignment).makespan;
}

std::vector<Rational> sorted_finish(const DynDlOff& policy, const RationalProblem& problem) {
    auto finish = policy.balance(problem).finish;
    std::sort(finish.begin(), finish.end());
    return finish;
}

std::vector<Rational> fractions(const std::vector<const char*>& texts) {
    std::vector<Rational> values;
    for (const char* text : texts) values.push_back(fraction(text));
    return values;
}

TEST(DynDlOffKnownAnswers, ExampleOneBalancesAtThirteenQuarters) {
    const RationalProblem problem = table_two();
    const auto trace = with_loop.trace(problem);
    EXPECT_EQ(sorted_finish(with_loop, problem), fractions({"5/4", "3/2", "9/4", "3", "13/4"}));
    EXPECT_EQ(trace.order.deadline.front(), fraction("13/4"));
    EXPECT_EQ(trace.taken().nominal, Rational(3));
    EXPECT_EQ(makespan(with_loop, problem), Rational(3));
    EXPECT_EQ(trace.taken().remote, 1U);
}

TEST(DynDlOffKnownAnswers, MaxOverAllCoresFlipsWhatHelpsNobody) {
    const RationalProblem problem = assignment_problem({{"1", "6"}, {"6", "0"}}, {{0, 1}}, {table({"2"})});
    EXPECT_EQ(sorted_finish(with_loop, problem), fractions({"1"}));
    DynDlOff literal = with_loop;
    literal.max_over_all_cores = true;
    EXPECT_EQ(sorted_finish(literal, problem), fractions({"2"}));
}

TEST(DynDlOffKnownAnswers, StrictCapacityRejectsATaskThatFits) {
    const RationalProblem problem = assignment_problem({{"1/2"}, {"7/4", "2"}, {"5/4"}}, {{1}, {1}},
                                                       {table({"2"}), table({"5/2", "3"}), table({"5/4", "2"})});
    EXPECT_EQ(makespan(with_loop, problem), fraction("5/2"));
    DynDlOff literal = with_loop;
    literal.strict_capacity = true;
    EXPECT_EQ(makespan(literal, problem), fraction("11/4"));
}

TEST(DynDlOffKnownAnswers, AllCoreBoundsMissATaskThatFits) {
    const RationalProblem problem =
        assignment_problem({{"15/4", "1/2"}, {"3/2"}}, {{1}}, {table({"3/2"}), table({"2"})});
    const auto load = loads(problem, with_loop.balance(problem));
    const Rational d = fraction("5/2");
    Counters counters;
    EXPECT_EQ(most_remote_before(problem, load, ServerId(0), d, {}, counters), 1U);
    EXPECT_EQ(most_remote_before(problem, load, ServerId(0), d, {.all_cores = true}, counters), 0U);
    EXPECT_EQ(room_before(problem, load, ServerId(0), d).total, Rational(2));
    EXPECT_EQ(room_before(problem, load, ServerId(0), d, true).total, fraction("3/4"));
}

TEST(DynDlOffKnownAnswers, MaxMinPlacementIsNotMinimal) {
    const RationalProblem problem = assignment_problem({{"9"}, {"0", "2"}, {"5"}}, {{0}, {0}, {0}},
                                                       {table({"2"}), table({"3/2", "3/2", "4"}), table({"2"})});
    EXPECT_EQ(makespan(with_loop, problem), Rational(7));
    const auto b = with_loop.balance(problem);
    const auto order = order_by_deadline(b);
    EXPECT_EQ(with_remote(problem, b, order, 3).nominal, Rational(7));
    EXPECT_EQ(with_remote(problem, b, order, 3, Placement::max_min).nominal, Rational(8));
}

/// Six tasks have their data on the first server alone. By D[5] = 15/2 only the last server completes remote tasks,
/// three of them. Of the other two one goes to the second server, which then ends at 17/2, and one back to the first:
/// 39/4. By the second step alone the last server would take more, and all of its tasks become dearer.
TEST(DynDlOffKnownAnswers, MaxMinPlacementFirstFillsServersUpToTheDeadline) {
    const RationalProblem problem = assignment_problem(
        {{"13/2"}, {"7"}, {"5/2", "0", "2"}}, {{0}, {0}, {0}, {0}, {0}, {0}},
        {table({"9/4", "9/4", "15/4", "35/4"}), table({"3/2", "13/2", "19/2", "25/2"}), table({"2", "2", "5", "5"})});
    const auto b = with_loop.balance(problem);
    const auto order = order_by_deadline(b);
    EXPECT_EQ(with_remote(problem, b, order, 5, Placement::max_min).nominal, fraction("39/4"));
}

TEST(DynDlOffKnownAnswers, MaxMinPlacementRisesAndFallsBeyondItsBest) {
    const RationalProblem problem =
        assignment_problem({{"0", "4"}, {"3"}}, {{0}, {0, 1}, {0, 1}, {1}, {1}}, {table({"2"}, "1"), table({"5/2"})});
    const auto b = with_loop.balance(problem);
    const auto order = order_by_deadline(b);
    EXPECT_EQ(with_remote(problem, b, order, 4, Placement::max_min).nominal, Rational(9));
    EXPECT_EQ(with_remote(problem, b, order, 5, Placement::max_min).nominal, Rational(8));
    EXPECT_LE(with_remote(problem, b, order, 4).nominal, with_remote(problem, b, order, 5).nominal);
}

TEST(DynDlOffKnownAnswers, TiesMakeLevelsAndIndicesCountDifferently) {
    const RationalProblem problem = assignment_problem({{"0"}, {"2", "2"}}, {{1}, {1}}, {table({"5/4"}), table({"2"})});
    const auto trace = with_loop.trace(problem);
    EXPECT_EQ(trace.low.remote, 0U);
    EXPECT_EQ(trace.high.remote, 2U);
    EXPECT_TRUE(trace.takes_high);
    DynDlOff literal = with_loop;
    literal.index_levels = true;
    EXPECT_EQ(makespan(literal, problem), makespan(with_loop, problem));
}

TEST(DynDlOffKnownAnswers, NoTasks) {
    const RationalProblem problem = assignment_problem({{"1"}}, {}, {table({"2"})});
    EXPECT_TRUE(DynDlOff{}.schedule(problem).assignment.empty());
}

/// Runs on the symbolic number at a point as it does on rationals.
TEST(DynDlOffKnownAnswers, SymbolicLoadsAtAPoint) {
    const RationalProblem problem = table_two();
    proof::Space space;
    std::vector<Rational> point;
    for (std::size_t p = 0; p < problem.initial.size(); ++p) {
        space.add("L" + std::to_string(p), false, Rational(0));
        point.push_back(problem.initial[p]);
    }
    explore::PointDecider decider(space, point);
    Problem<explore::Affine> symbolic;
    symbolic.shape = problem.shape;
    symbolic.initial = explore::symbols(decider);
    symbolic.costs = {
        CostFunction<explore::Affine>({explore::Affine(fraction("3/2"))}, explore::Affine(fraction("1/2")))};
    decider.begin_path();
    EXPECT_EQ(with_loop.schedule(symbolic).assignment, with_loop.schedule(problem).assignment);
}

/// In ticks it makes the same assignment.
TEST(DynDlOffKnownAnswers, TicksAgreeWithRationals) {
    const RationalProblem problem = table_two();
    const auto ticks = in_ticks(problem, least_ticks(problem));
    EXPECT_EQ(with_loop.schedule(ticks).assignment, with_loop.schedule(problem).assignment);
}

}  // namespace
}  // namespace schedproof::assignment
