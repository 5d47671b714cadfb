/// The properties of the redundancy family: known numbers on the witnesses, no violation of what is true,
/// complaints about what is false.
#include <gtest/gtest.h>

#include <filesystem>

#include "checks/redundancy/family.hpp"
#include "checks/redundancy/generate.hpp"
#include "checks/redundancy/potential.hpp"
#include "checks/redundancy/properties/properties.hpp"
#include "checks/redundancy/witnesses.hpp"
#include "model/core/errors.hpp"
#include "model/redundancy/codec/codec.hpp"
#include "tests/support/redundancy_problems.hpp"

namespace schedproof::checks::redundancy_tests {
namespace {

using namespace redundancy;
using namespace redundancy_properties;
using testing_support::ratio;

Instance witness(std::string_view name) { return redundancy_witness(name).instance; }
PolicyUnderTest of(const char* id, const Instance& instance) {
    return policy_under_test(make_policy(id, instance.beta));
}
Rational flowtime(const char* id, const Instance& instance) {
    return of(id, instance).schedule(instance.problem, instance.speed).flowtime(instance.problem);
}
LeastConstant needed(DualRule rule, const Instance& instance) {
    return reference_least_constant(reference_alpha(rule, instance.problem, instance.speed),
                                    reference_counted(rule, instance.problem, instance.speed), instance.problem,
                                    instance.speed);
}

TEST(RedundancyWitnesses, HaveKnownNumbers) {
    Instance i = witness("srpt-cost-no-lower-bound");
    EXPECT_EQ(flowtime("srpt", i), ratio(1));
    EXPECT_EQ(flowtime("srpt+r", i), ratio(2, 3));
    i = witness("srpt-r-not-optimal");
    EXPECT_EQ(flowtime("srpt+r", i), ratio(73, 10));
    EXPECT_EQ(least_flowtime(i.problem), ratio(33, 5));
    i = witness("srpt-r-ratio-58-51");
    EXPECT_EQ(flowtime("srpt+r", i) / least_flowtime(i.problem), ratio(58, 51));
    i = witness("srpt-r-ratio-22-19");
    EXPECT_EQ(flowtime("srpt+r", i) / least_flowtime(i.problem), ratio(22, 19));
    i = witness("laps-all-not-fair");
    EXPECT_EQ(flowtime("fair+r", i), ratio(4));
    EXPECT_EQ(flowtime("laps+r:all", i), ratio(6));
    EXPECT_EQ(flowtime("laps+r", i), ratio(4));
    i = witness("fair-copies-hurt");
    EXPECT_EQ(flowtime("fair+r", i), ratio(95, 6));
    EXPECT_EQ(flowtime("fair", i), ratio(15));
    i = witness("fair-copies-hurt-apart");
    EXPECT_EQ(flowtime("fair+r", i), ratio(66));
    EXPECT_EQ(flowtime("fair", i), ratio(61));
    i = witness("laps-copies-hurt");
    EXPECT_EQ(flowtime("laps+r", i), ratio(158, 3));
    EXPECT_EQ(flowtime("laps", i), ratio(47));
    EXPECT_THROW((void)redundancy_witness("nothing"), ContractViolation);
}

TEST(RedundancyWitnesses, AreThoseOfTheFiles) {
    std::size_t compared = 0;
    for (const RedundancyWitness& w : redundancy_witnesses()) {
        const std::filesystem::path file = std::filesystem::path(SCHEDPROOF_SOURCE_DIR) /
                                           "experiments/instances/redundancy" / (std::string(w.name) + ".toml");
        if (!std::filesystem::exists(file)) continue;
        ++compared;
        const Instance read = redundancy::read_instance(file.string());
        EXPECT_EQ(read.problem, w.instance.problem) << w.name;
        EXPECT_EQ(read.speed, w.instance.speed) << w.name;
        EXPECT_EQ(read.beta, w.instance.beta) << w.name;
    }
    EXPECT_GE(compared, 15U);
}

TEST(RedundancyWitnesses, NeedKnownConstants) {
    Instance i = witness("one-job-two-machines");
    EXPECT_EQ(reference_alpha(DualRule::srpt, i.problem, i.speed), std::vector<Rational>{ratio(1, 2)});
    EXPECT_EQ(needed(DualRule::srpt, i).constant, ratio(1, 4));
    EXPECT_EQ(c_star(i.problem).at(i.speed), ratio(1, 4));

    i = witness("beta-of-srpt-r");
    const auto own = duals(DualRule::srpt_own_count, i.problem, i.speed);
    EXPECT_EQ(least_constant(own, i.problem), ratio(1, 2));
    EXPECT_EQ(c_star(i.problem).at(i.speed), ratio(1, 4));
    EXPECT_LE(needed(DualRule::srpt, i).constant, ratio(1, 4));

    i = witness("fair-naive");
    EXPECT_EQ(reference_alpha(DualRule::naive, i.problem, i.speed).front(), ratio(11, 15));
    const LeastConstant naive = needed(DualRule::naive, i);
    EXPECT_EQ(naive.constant, ratio(13, 30));
    EXPECT_EQ(naive.time, ratio(0));
    EXPECT_EQ(naive.job, 0U);  // 13/30 = 11/15 - 3/10: beta(0) = 3/10

    i = witness("fair-naive-unbounded");
    for (std::int64_t round = 0; round < 3; ++round) {
        EXPECT_EQ(needed(DualRule::naive, i).constant, ratio(37, 30) + ratio(round, 3));
        for (int twin = 0; twin < 2; ++twin) i.problem.jobs.push_back({ratio(4 + round), ratio(5)});
    }

    // Without the constraints of the second job before its insertion, nothing is needed on one machine.
    EXPECT_EQ(needed(DualRule::srpt, witness("insertion-instant")).constant, ratio(0));
    i = witness("one-job");
    EXPECT_EQ(duals(DualRule::srpt_forget, i.problem, i.speed).alpha.front(), ratio(1));
    EXPECT_EQ(reference_alpha(DualRule::srpt, i.problem, i.speed).front(), ratio(1, 2));
    EXPECT_EQ(objective(duals(DualRule::srpt_unscaled, i.problem, i.speed), 1), ratio(0));
    i = witness("one-job-two-machines");
    EXPECT_EQ(duals(DualRule::srpt_floor, i.problem, i.speed).sum_of_alpha(), ratio(0));
}

struct Named {
    const char* name;
    const char* policy;
    redundancy_properties::Property* property;
};

TEST(RedundancyProperties, ComplainOnTheWitnessesOfWhatIsFalse) {
    for (const Named& property : {Named{"identical-machines", "srpt+r", lemma_1_for_identical_machines},
                                  {"srpt-cost-no-lower-bound", "srpt+r", copies_hurt},
                                  {"srpt-r-not-optimal", "srpt+r", optimal},
                                  {"srpt-r-ratio-58-51", "srpt+r", optimal},
                                  {"one-job-two-machines", "srpt+r", srpt_feasible_with_0},
                                  {"one-job-two-machines", "srpt+r", srpt_feasible_with_99_percent},
                                  {"beta-of-srpt-r", "srpt+r", srpt_feasible_by_own_count},
                                  {"fair-naive", "fair+r", naive_with_c_star},
                                  {"fair-naive-unbounded", "fair+r", naive_with_1},
                                  {"fair-shifted-half", "fair+r", half_by_shifted},
                                  {"fair-copies-hurt", "fair+r", copies_help_their_kind},
                                  {"laps-copies-hurt", "laps+r", copies_help_their_kind},
                                  {"laps-one-job", "laps+r", beta_rounded_down_serves},
                                  {"laps-all-not-fair", "laps+r:all", fair_is_laps_of_1}}) {
        const Instance i = witness(property.name);
        EXPECT_NE(property.property(of(property.policy, i), i.problem, i.speed), "") << property.name;
    }
}

TEST(RedundancyProperties, OfOneLawAreSilentAboutOthers) {
    Instance i = witness("identical-machines");
    i.problem.machines = 2;
    EXPECT_EQ(lemma_1_for_identical_machines(of("srpt+r", i), i.problem, i.speed), "");
    i = witness("srpt-r-not-optimal");
    EXPECT_EQ(lemma_1_for_identical_machines(of("srpt+r", i), i.problem, i.speed), "");
    EXPECT_EQ(gain_falls_at(ratio(3, 4)), "");
    EXPECT_NE(gain_falls_at(ratio(-1, 2)), "");
}

std::vector<Named> true_properties() {
    return {{"", "srpt+r", follows_specification},
            {"", "laps+r", follows_specification},
            {"", "laps+r:all", fits_machines},
            {"", "fair+r", completes_all},
            {"", "srpt+r", srpt_order_kept},
            {"", "fair+r", latest_favoured},
            {"", "laps+r", fair_is_laps_of_1},
            {"", "srpt+r", srpt_without_gain},
            {"", "fair+r", one_machine_each},
            {"", "laps", beta_rounded_up},
            {"", "srpt+r", lemma_3},
            {"", "srpt+r", weak_duality},
            {"", "fair+r", weak_duality},
            {"", "srpt", remaining_flowtime},
            {"", "srpt+r", alpha_is_an_increment},
            {"", "srpt+r", srpt_dual_value},
            {"", "srpt+r", srpt_feasible},
            {"", "srpt", later_jobs_add},
            {"", "srpt", arrivals_add},
            {"", "srpt+r", copies_leave_less},
            {"", "srpt+r", copies_leave_less_at_once},
            {"", "srpt+r", copies_help},
            {"", "fair+r", fair_feasible},
            {"", "fair+r", fair_values},
            {"", "fair+r", fair_alpha},
            {"", "fair+r", lemma_6_all_rules},
            {"", "fair+r", lemma_7_all_rules},
            {"", "srpt+r", lemma_1_pointwise},
            {"", "srpt+r", lemma_2_pointwise},
            {"", "laps+r", potential},
            {"", "laps+r:all-oldest", potential},
            {"", "laps+r:oldest", potential_strengthened},
            {"", "laps+r:all", drift_strengthened}};
}

TEST(RedundancyProperties, AreSilentAboutWhatIsTrueOnAllWitnesses) {
    for (const RedundancyWitness& w : redundancy_witnesses()) {
        if (w.instance.problem.jobs.size() > 10) continue;
        for (const Named& property : true_properties())
            EXPECT_EQ(property.property(of(property.policy, w.instance), w.instance.problem, w.instance.speed), "")
                << w.name << " " << property.policy;
    }
}

TEST(RedundancyProperties, AreSilentAboutWhatIsTrueOnRandomInstances) {
    for (std::uint64_t n = 0; n < 60; ++n) {
        Sampler randomness(StreamKey{20261121, n});
        const Instance i = random_redundancy_instance(randomness);
        for (const Named& property : true_properties())
            ASSERT_EQ(property.property(of(property.policy, i), i.problem, i.speed), "") << n << " " << property.policy;
        Sampler small(StreamKey{20261122, n});
        const Instance s = random_redundancy_instance(small, {3, 3});
        for (const char* id : {"srpt", "srpt+r", "fair+r", "laps+r", "laps+r:all"})
            ASSERT_EQ(theorem(of(id, s), s.problem, s.speed), "") << n << " " << id;
    }
}

/// Only C* catches beta made of SRPT+R's own number of jobs: with C = 1 nothing is found.
TEST(RedundancyProperties, OwnCountFailsWithCStarOnly) {
    std::size_t below = 0;
    for (std::uint64_t n = 0; n < 300; ++n) {
        Sampler randomness(StreamKey{7, n});
        const Instance i = random_redundancy_instance(randomness);
        const PolicyUnderTest under_test = of("srpt+r", i);
        below += srpt_feasible_by_own_count(under_test, i.problem, i.speed).empty() ? 0 : 1;
        EXPECT_EQ(feasible(under_test, DualRule::srpt_own_count, i.problem, i.speed, {Rational(0), Rational(1)}), "");
    }
    EXPECT_GT(below, 0U);
}

/// The optimum runs two jobs side by side, LAPS+R one after the other, and is not done when the optimum is: then the
/// potential pays. Without it, or with a smaller ratio, the drift condition fails.
TEST(RedundancyPotential, PaysWhereThePolicyIsBehind) {
    const auto problem = redundancy_problem_of(2, "det", "0 10, 0 10");
    const Rational beta = ratio(1, 2), speed = ratio(7, 4), gamma(16);  // e = 1/4
    const Rational c = gamma * (ratio(1) + ratio(2) * speed);
    const PolicyUnderTest under_test = policy_under_test(make_policy("laps+r", beta));
    EXPECT_EQ(potential_strengthened(under_test, problem, speed), "");
    const WorkPath own = work_path(under_test.schedule(problem, speed), problem, speed);
    const WorkPath other = work_path(optimum(problem), problem);
    EXPECT_EQ(potential_violation(own, other, problem, {beta, gamma, c}), "");
    EXPECT_NE(potential_violation(own, other, problem, {beta, ratio(0), c}), "");
    EXPECT_NE(potential_violation(own, other, problem, {beta, gamma, ratio(1)}), "");
    EXPECT_NE(drift_violation(own, other, problem, {beta, gamma, ratio(1)}), "");
}

/// A competitor that works on a job before it is there: the potential jumps when it arrives, and no drift shows it.
TEST(RedundancyPotential, DriftSaysNothingOfJumps) {
    const auto problem = redundancy_problem_of(1, "det", "0 1, 1 1");
    const std::vector<Rational> ends{ratio(2), ratio(2)};
    const WorkPath idle{{{ratio(0), ratio(2), {ratio(0), ratio(0)}}}, ends};
    const WorkPath early{{{ratio(0), ratio(1), {ratio(0), ratio(1)}}, {ratio(1), ratio(1), {ratio(1), ratio(0)}}},
                         ends};
    const Drift drift{ratio(1), ratio(0), ratio(1)};
    EXPECT_EQ(potential_violation(idle, early, problem, drift), "the potential jumps from 0 to 2 at 1");
    EXPECT_EQ(drift_violation(idle, early, problem, drift), "");
}

TEST(RedundancyGenerate, IsOneForOneSeedAndValid) {
    std::size_t several = 0;
    for (std::uint64_t n = 0; n < 200; ++n) {
        Sampler a(StreamKey{3, n}), b(StreamKey{3, n});
        const Instance i = random_redundancy_instance(a);
        EXPECT_EQ(i, random_redundancy_instance(b));
        EXPECT_NO_THROW(validate(i));
        EXPECT_TRUE(i.problem.service.linear());
        several += i.problem.jobs.size() > 3 ? 1 : 0;
        EXPECT_NO_THROW(validate(random_service_instance(a)));
    }
    EXPECT_GT(several, 50U);
    std::uint64_t seen = 0;
    EXPECT_EQ(for_each_small_instance({.jobs = 2, .machines = 1, .services = {"det"}},
                                      [&](const Instance& i) {
                                          ++seen;
                                          EXPECT_NO_THROW(validate(i));
                                          return true;
                                      }),
              2U * (3 + 18));
    EXPECT_EQ(for_each_small_instance({}, [](const Instance&) { return false; }), 1U);
    EXPECT_EQ(seen, 42U);
}

TEST(RedundancyShrink, LeavesASmallWitness) {
    const Instance big = witness("fair-naive-unbounded");
    const auto complaint = [](const Instance& i) { return naive_with_c_star(of("fair+r", i), i.problem, i.speed); };
    const auto small = shrink<RedundancyFamily>(big, "fair+r", complaint);
    EXPECT_NE(complaint(small.problem), "");
    EXPECT_LT(small.problem.problem.jobs.size(), big.problem.jobs.size());
}

}  // namespace
}  // namespace schedproof::checks::redundancy_tests
