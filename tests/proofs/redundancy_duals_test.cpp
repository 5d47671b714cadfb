/// Dual variables against known numbers, against what they mean, and against schedules of any kind.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/core/errors.hpp"
#include "proofs/redundancy/theorems/dual_certificate.hpp"
#include "proofs/redundancy/theorems/duals.hpp"
#include "tests/support/redundancy_problems.hpp"

namespace schedproof::redundancy {
namespace {

using testing_support::any_redundancy_problem;
using testing_support::any_speed;
using testing_support::ratio;
using testing_support::redundancy_problem;
using Jobs = std::vector<std::pair<Rational, Rational>>;

constexpr DualRule fair_rules[] = {DualRule::cap, DualRule::rank, DualRule::shifted, DualRule::naive};

/// (1 - 1/M) / s.
Rational sharp(const Problem<Rational>& problem, const Rational& speed) {
    return (Rational(1) - Rational(1) / Rational(problem.machines)) / speed;
}

Rational least(DualRule rule, const Problem<Rational>& problem, const Rational& speed) {
    return least_constant(duals(rule, problem, speed), problem);
}

Rational flowtime(std::string_view policy, const Problem<Rational>& problem, const Rational& speed) {
    return history(make_policy(policy, ratio(1)), problem, speed).total_flowtime(problem.jobs);
}

// ------------------------------------------------------------------------------------------------- known numbers

TEST(RedundancyDuals, OfOneJobOnTwoMachinesAreTight) {
    const auto problem = redundancy_problem(2, "det", {{0, 1}});
    const auto made = duals(DualRule::srpt, problem, ratio(2));
    EXPECT_EQ(made.alpha, std::vector{ratio(1, 2)});
    ASSERT_EQ(made.steps.size(), 2U);
    EXPECT_EQ(made.per_job * Rational(made.steps[0].active), ratio(1, 4));
    EXPECT_EQ(made.steps[1].active, 0U);
    EXPECT_EQ(least_constant(made, problem), ratio(1, 4));
    EXPECT_EQ(least_constant(made, problem), sharp(problem, ratio(2)));
}

TEST(RedundancyDuals, OfTheNaiveRuleGrowWhileAJobStarves) {
    const auto problem = redundancy_problem(2, "det", {{0, 1}, {0, 8}, {0, 8}});
    const auto made = duals(DualRule::naive, problem, ratio(5));
    EXPECT_EQ(made.alpha[0], ratio(11, 15));
    EXPECT_EQ(made.per_job * Rational(3), ratio(3, 10));
    EXPECT_EQ(least_constant(made, problem), ratio(13, 30));
    Jobs jobs{{0, 1}};
    std::vector<Rational> needed;
    for (int round = 0; round < 6; ++round) {
        for (int i = 0; i < 2; ++i) jobs.emplace_back(round, 5);
        needed.push_back(least(DualRule::naive, redundancy_problem(2, "det", jobs), ratio(5)));
    }
    EXPECT_EQ(needed[3], ratio(37, 30));
    for (std::size_t i = 1; i < needed.size(); ++i) EXPECT_EQ(needed[i] - needed[i - 1], ratio(1, 3));
}

TEST(RedundancyDuals, MutantsFail) {
    const auto one = redundancy_problem(1, "det", {{0, 1}}), two = redundancy_problem(2, "det", {{0, 1}});
    const Rational s(2);
    // The dual value is F eps / (1 + eps); with beta = n/M nothing is left of it.
    EXPECT_EQ(objective(duals(DualRule::srpt, one, s), 1), ratio(1, 4));
    EXPECT_EQ(objective(duals(DualRule::srpt_unscaled, one, s), 1), ratio(0));
    EXPECT_EQ(duals(DualRule::srpt_floor, two, s).sum_of_alpha(), ratio(0));
    EXPECT_EQ(duals(DualRule::srpt_forget, one, s).alpha[0], ratio(1));
    EXPECT_GT(least(DualRule::srpt_forget, one, s), sharp(one, s));
    // Only the sharp constant notices that SRPT+R has fewer jobs than SRPT.
    const auto three = redundancy_problem(2, "two-point:2,0", {{0, 3}, {1, 1}, {1, 1}});
    EXPECT_EQ(least(DualRule::srpt_own_count, three, s), ratio(1, 2));
    EXPECT_EQ(least(DualRule::srpt, three, s), ratio(1, 4));
}

/// Jobs that arrive at an instant when others end: the step before the insertion is not the new job's.
TEST(RedundancyDuals, AreNotTestedBeforeTheJobIsThere) {
    const auto problem = redundancy_problem(1, "det", {{0, ratio(1, 4)}, {ratio(1, 4), ratio(1, 2)}});
    EXPECT_EQ(least(DualRule::srpt, problem, ratio(1)), ratio(0));
}

TEST(RedundancyDuals, OfRulesAreNamed) {
    for (const DualRule rule : dual_rules) EXPECT_EQ(parse_rule(name(rule)), rule);
    EXPECT_FALSE(parse_rule("fair"));
    EXPECT_EQ(policy_of(DualRule::srpt_forget), "srpt+r");
    EXPECT_EQ(policy_of(DualRule::cap), "fair+r");
}

// ------------------------------------------------------------------------------------------------------- what they
// mean

/// alpha_j is what job j adds to the flowtime when no other follows.
RC_GTEST_PROP(RedundancyDualsProperty, AlphaIsWhatTheJobAdds, ()) {
    const auto problem = any_redundancy_problem(6, 5);
    const Rational speed = any_speed();
    const auto made = duals(DualRule::srpt, problem, speed);
    auto first = problem;
    first.jobs.clear();
    Rational before;
    for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
        first.jobs.push_back(problem.jobs[j]);
        const Rational with = flowtime("srpt", first, speed);
        RC_ASSERT(made.alpha[j] == with - before);
        before = with;
    }
}

RC_GTEST_PROP(RedundancyDualsProperty, OfSrptHaveTheKnownValue, ()) {
    const auto problem = any_redundancy_problem(7, 5);
    const Rational speed = any_speed();
    const auto made = duals(DualRule::srpt, problem, speed);
    const Rational f = flowtime("srpt", problem, speed);
    RC_ASSERT(made.sum_of_alpha() == f);
    RC_ASSERT(made.job_time() == f);
    RC_ASSERT(objective(made, problem.machines) == f * (Rational(1) - Rational(1) / speed));
    RC_ASSERT(least_constant(made, problem) <= sharp(problem, speed));
    RC_ASSERT(flowtime("srpt+r", problem, speed) <= f);
}

/// alpha_j(t) of one interval by the table of docs/models/redundancy.md, Interpretation R10.
Rational table(DualRule rule, std::size_t pos, std::size_t n, std::size_t machines) {
    if (n < machines) return 1;
    const std::size_t k = n / machines;
    const auto part = [](std::size_t a, std::size_t b) { return Rational(Integer(a), Integer(b)); };
    if (rule == DualRule::naive) return part(pos, n);
    if (pos + k * machines <= n) return 0;
    if (rule == DualRule::rank) return part(pos, n);
    if (rule == DualRule::shifted) return part(pos + k * machines - n, k * machines);
    return std::min(Rational(1), part(pos, k * machines));
}

RC_GTEST_PROP(RedundancyDualsProperty, OfFairAreTheTableIntegrated, ()) {
    const auto problem = any_redundancy_problem(7, 4);
    const Rational speed = any_speed();
    const DualRule rule = *rc::gen::elementOf(std::vector(std::begin(fair_rules), std::end(fair_rules)));
    const auto made = duals(rule, problem, speed);
    std::vector<Rational> alpha(problem.jobs.size());
    for (const auto& now : history(FairR{}, problem, speed).intervals)
        for (std::size_t i = 0; i < now.active.size(); ++i)
            alpha[now.active[i].job.index()] += table(rule, i + 1, now.active.size(), problem.machines) * now.length;
    RC_ASSERT(made.alpha == alpha);
    const Rational f = flowtime("fair+r", problem, speed);
    RC_ASSERT(made.job_time() == f);
    const Rational share = rule == DualRule::shifted ? ratio(1, 4) : rule == DualRule::rank ? ratio(3, 8) : ratio(1, 2);
    RC_ASSERT(made.sum_of_alpha() >= share * f);
    if (rule != DualRule::naive) RC_ASSERT(least_constant(made, problem) <= sharp(problem, speed));
}

/// Eq. 8 at any time, not only where it is tested.
RC_GTEST_PROP(RedundancyDualsProperty, AreFeasibleAtEveryTimeWithTheLeastConstant, ()) {
    const auto problem = any_redundancy_problem(5, 4);
    const Rational speed = any_speed();
    const DualRule rule = *rc::gen::element(DualRule::srpt, DualRule::cap, DualRule::naive, DualRule::srpt_own_count);
    const auto made = duals(rule, problem, speed);
    const Rational constant = least_constant(made, problem);
    const Rational t = ratio(*rc::gen::inRange(0, 400), 16);
    std::size_t n = 0;
    for (const auto& step : made.steps)
        if (step.start <= t) n = step.active;
    for (std::size_t j = 0; j < problem.jobs.size(); ++j) {
        const auto& [arrival, size] = problem.jobs[j];
        if (t >= arrival)
            RC_ASSERT(made.alpha[j] / size - made.per_job * Rational(n) <= (t - arrival) / size + constant);
    }
}

/// The tests at new least numbers of jobs alone find the same constant.
RC_GTEST_PROP(RedundancyDualsProperty, AreTestedWhereItMatters, ()) {
    const auto problem = any_redundancy_problem(6, 4);
    const Rational speed = any_speed();
    const auto rules = std::vector(std::begin(dual_rules), std::end(dual_rules));
    const auto made = duals(*rc::gen::elementOf(rules), problem, speed);
    Rational found;
    for (std::size_t j = 0; j < problem.jobs.size(); ++j)
        for (const std::size_t i : tested_steps(made, j)) found = std::max(found, constant_at(made, problem, j, i));
    RC_ASSERT(found >= least_constant(made, problem));
}

// ----------------------------------------------------------------------------------------------------------- duality

/// Serves some band of ranks with some copies, by a table drawn at random; always somebody.
struct AnySchedule {
    static constexpr PolicyInfo info{"any", "", ""};
    static constexpr Order order = Order::arrival;
    std::vector<std::size_t> drawn{1};
    static constexpr std::tuple parameters{Parameter("drawn", &AnySchedule::drawn)};
    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        const auto draw = [&](std::size_t i, std::size_t least, std::size_t most) {
            return least + drawn[(7 * n + i) % drawn.size()] % (most - least + 1);
        };
        const std::size_t served = draw(0, 1, std::min(n, machines)), first = draw(1, 0, n - served);
        const std::size_t copies = draw(2, 1, machines / served), rest = machines - copies * (served - 1);
        Allocation allocation;
        grant(allocation, first, first + served - 1, {copies, 1});
        grant(allocation, first + served - 1, first + served, {draw(3, 1, rest), draw(4, 1, 2)});
        return allocation;
    }
};

RC_GTEST_PROP(RedundancyDualsProperty, BoundEverySchedule, ()) {
    const auto problem = any_redundancy_problem(6, 4);
    const Rational speed = any_speed();
    const auto made = duals(*rc::gen::element(DualRule::srpt, DualRule::cap, DualRule::naive), problem, speed);
    const Rational constant = least_constant(made, problem), one(1);
    const AnySchedule any{*rc::gen::container<std::vector<std::size_t>>(11, rc::gen::inRange<std::size_t>(0, 60))};
    const auto schedule = history(any, problem, one);
    const Rational relaxed = relaxed_cost(schedule, problem, one, constant);
    // Weak duality, and Lemma 3.
    RC_ASSERT(objective(made, problem.machines) <= relaxed);
    RC_ASSERT(relaxed <= (one + constant * problem.service.peak()) * schedule.total_flowtime(problem.jobs));
}

/// Prices that are not feasible bound nothing: here the optimum costs 6, at a relaxed cost of 9/2.
TEST(RedundancyDuals, ThatAreNotFeasibleBreakWeakDuality) {
    const auto problem = redundancy_problem(1, "det", {{0, 1}, {0, 1}, {0, 1}});
    auto made = duals(DualRule::srpt, problem, ratio(2));
    const auto schedule = history(Srpt{}, problem, ratio(1));
    EXPECT_EQ(relaxed_cost(schedule, problem, ratio(1), ratio(0)), ratio(9, 2));
    EXPECT_EQ(objective(made, 1), ratio(3, 2));
    for (Rational& alpha : made.alpha) alpha += ratio(2);
    EXPECT_GT(objective(made, 1), relaxed_cost(schedule, problem, ratio(1), ratio(0)));
    EXPECT_EQ(least_constant(made, problem), ratio(2));
}

TEST(RedundancyDuals, CostOfOneJobUnderTheRelaxation) {
    const auto problem = redundancy_problem(2, "two-point:2,0", {{1, 3}});
    // Two copies: rate 3/2, done in 2; int t/3 * 3/2 dt over [0, 2] is 1, and C int h = 3 C.
    EXPECT_EQ(relaxed_cost(history(SrptR{}, problem, ratio(1)), problem, ratio(1), ratio(1, 3)), ratio(2));
}

// ------------------------------------------------------------------------------------------- certificates of instances

RC_GTEST_PROP(RedundancyDualsProperty, CertifyABoundThatHoldsForEverySchedule, ()) {
    Instance instance;
    instance.name = "drawn";
    instance.problem = any_redundancy_problem(5, 4);
    instance.speed = *rc::gen::element(ratio(3), ratio(5, 2), ratio(4));
    const DualRule rule = *rc::gen::element(DualRule::srpt, DualRule::cap, DualRule::rank);
    const DualCertificate certificate = fit(rule, instance);
    const DualBound bound = bound_of(certificate);
    RC_ASSERT(rejection(certificate) == "" || bound.value.sign() <= 0);
    for (const char* policy : {"srpt+r", "fair+r", "srpt"})
        RC_ASSERT(bound.optimum <= flowtime(policy, instance.problem, ratio(1)));
    // Theorem 1 with the sharp constant: at most (1 + C Delta)(1 + 1/eps) times the optimum, eps = s - 1.
    const Rational constant = sharp(instance.problem, instance.speed);
    if (rule == DualRule::srpt)
        RC_ASSERT(bound.ratio <= (Rational(1) + constant * instance.problem.service.peak()) * instance.speed /
                                     (instance.speed - Rational(1)));
}

TEST(DualCertificate, RefusesWhatIsNotFeasible) {
    Instance instance;
    instance.name = "three";
    instance.problem = redundancy_problem(2, "two-point:2,0", {{0, 3}, {1, 1}, {1, 1}});
    instance.speed = ratio(2);
    const DualCertificate right = fit(DualRule::srpt, instance);
    EXPECT_EQ(rejection(right), "");
    EXPECT_NE(sentence(right).find("srpt+r at speed 2"), std::string::npos);
    const auto altered = [&](auto change) {
        DualCertificate other = right;
        change(other);
        return rejection(other);
    };
    EXPECT_NE(altered([](auto& c) { c.constant -= ratio(1, 100); }), "");
    EXPECT_NE(altered([](auto& c) { c.constant = ratio(-1); }), "");
    EXPECT_NE(altered([](auto& c) { c.alpha[1] += ratio(1); }), "");
    EXPECT_NE(altered([](auto& c) { c.alpha[0] = ratio(-1); }), "");
    EXPECT_NE(altered([](auto& c) { c.alpha.pop_back(); }), "");
    EXPECT_NE(altered([](auto& c) { c.alpha.assign(3, ratio(0)); }), "");
    EXPECT_NE(altered([](auto& c) { c.proofs.emplace_back(); }), "");
    EXPECT_THROW((void)altered([](auto& c) { c.policy = "laps+r"; }), InputError);
    EXPECT_THROW((void)altered([](auto& c) { c.speed = ratio(0); }), InputError);
    EXPECT_THROW((void)altered([](auto& c) { c.problem.jobs[1].size = ratio(0); }), InputError);
    EXPECT_THROW((void)altered([](auto& c) { c.problem.service = Service(Periodic{}); }), InputError);
    instance.problem.jobs.clear();
    EXPECT_NE(rejection(fit(DualRule::srpt, instance)), "");
}

}  // namespace
}  // namespace schedproof::redundancy
