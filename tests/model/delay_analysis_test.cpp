/// The analysis of delay scheduling against known numbers, and against every sequence of offers.
#include "model/sharing/delay_analysis.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "model/core/errors.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::sharing {
namespace {

Rational fraction(int p, int q) { return Rational(Integer(p), Integer(q)); }
const DelaySetting paper{100, 3, 20};
const Rational nineteen_of_twenty = fraction(19, 20);

TEST(DelayAnalysis, KnownNumbers) {
    EXPECT_EQ(local_within(fraction(1, 10), 10), *Rational::parse("0.6513215599"));
    EXPECT_NEAR(local_within(fraction(1, 10), 40).approximate(), 0.9852, 5e-5);
    const Enclosure value = rule_value(paper, nineteen_of_twenty);
    EXPECT_EQ(value.least, *Rational::parse("23.104"));
    EXPECT_EQ(value.most, *Rational::parse("23.105"));
    EXPECT_EQ(rule_for_skips(paper, nineteen_of_twenty), 24U);
    EXPECT_NEAR(mean_locality(paper, 24).approximate(), 0.95353, 5e-6);
    EXPECT_EQ(least_skips(paper, nineteen_of_twenty), 23U);
    EXPECT_EQ(mean_wait(24, 400, Rational(50)), Rational(3));
    EXPECT_EQ(sure_wait(24, 400, Rational(50)), Rational(50));
    EXPECT_EQ(sure_wait(24, 10, Rational(50)), Rational(150));
    EXPECT_EQ(sure_wait(0, 10, Rational(50)), Rational(0));
}

TEST(DelayAnalysis, TheRuleMissesItsGoalUnderThePrintedAlgorithm) {
    const Enclosure found = mean_locality_as_printed(paper, 24);
    ASSERT_TRUE(found.exact());
    EXPECT_NEAR(found.least.approximate(), 0.93623, 5e-6);
    EXPECT_LT(found.most, nineteen_of_twenty);
    EXPECT_EQ(least_skips_as_printed(paper, nineteen_of_twenty), 28U);
}

/// Offers one by one, each on a local node with probability local/nodes: skip, or launch.
struct Launch {
    bool local = false;
    std::uint64_t skipped = 0;
    friend auto operator<=>(const Launch&, const Launch&) = default;
};

TEST(DelayAnalysis, OneLaunchIsThatOfEverySequenceOfOffers) {
    for (std::size_t nodes = 1; nodes <= 4; ++nodes)
        for (std::size_t local = 0; local <= nodes; ++local)
            for (std::uint64_t skips = 0; skips <= 4; ++skips) {
                const auto law = enumerate([&](auto& randomness) {
                    for (Launch launch;; ++launch.skipped) {
                        launch.local = randomness.uniform(nodes) < local;
                        if (launch.local || launch.skipped == skips) return launch;
                    }
                });
                Rational is_local, within, skipped;
                for (const auto& [launch, probability] : law) {
                    if (launch.local) is_local += probability;
                    if (launch.local && launch.skipped < skips) within += probability;
                    skipped += Rational(launch.skipped) * probability;
                }
                const Rational p = Rational(local) / Rational(nodes);
                EXPECT_EQ(launch_is_local(p, skips), is_local);
                EXPECT_EQ(local_within(p, skips), within);
                EXPECT_EQ(mean_skips(p, skips), skipped);
            }
}

TEST(DelayAnalysis, MeansAreThoseOfEveryTrajectoryOfAJob) {
    for (const DelaySetting setting : {DelaySetting{2, 1, 2}, {3, 1, 3}, {3, 2, 2}, {2, 1, 4}})
        for (std::uint64_t skips = 0; skips <= 2; ++skips) {
            Rational plain;
            for (std::uint64_t left = 1; left <= setting.tasks; ++left)
                plain += local_within(local_offer(setting, left), skips) / Rational(setting.tasks);
            EXPECT_EQ(mean_locality(setting, skips), plain);
            // An offer is local unless each of R picks misses the K nodes of the K tasks.
            Rational mean;
            enumerate_each(
                [&](auto& randomness) {
                    std::uint64_t count = 0, locals = 0;
                    for (std::uint64_t left = setting.tasks; left > 0;) {
                        bool local = false;
                        for (std::uint64_t r = 0; r < setting.replicas && !local; ++r)
                            local = randomness.uniform(setting.nodes) < left;
                        if (!local && count < skips) {
                            ++count;
                            continue;
                        }
                        if (local) count = 0;
                        locals += local ? 1 : 0;
                        --left;
                    }
                    return locals;
                },
                [&](std::uint64_t locals, const Fraction& p) {
                    mean += Rational(locals) * p.rational() / Rational(setting.tasks);
                });
            const Enclosure printed = mean_locality_as_printed(setting, skips);
            EXPECT_TRUE(printed.exact());
            EXPECT_EQ(printed.least, mean);
        }
}

TEST(DelayAnalysis, ALongJobIsEnclosed) {
    const DelaySetting large{600, 3, 600};
    const Enclosure found = mean_locality_as_printed(large, 30);
    EXPECT_FALSE(found.exact());
    EXPECT_LE(found.least, found.most);
    EXPECT_LE(found.most - found.least, Rational(1) / Rational(Integer(1) << 100U));
    double waits = 1, sum = 0;
    for (int left = 600; left > 0; --left) {
        const double miss = std::pow(1 - left / 600.0, 3);
        waits = waits * (1 - std::pow(miss, 31)) + (1 - waits) * (1 - miss);
        sum += waits / 600;
    }
    EXPECT_NEAR(found.least.approximate(), sum, 1e-12);
    const Enclosure bound = locality_bound(large, 30);
    EXPECT_NEAR(bound.least.approximate(), 1 - 1 / (600 * (std::exp(0.15) - 1)), 1e-12);
    EXPECT_LE(bound.most, mean_locality(large, 30));
}

RC_GTEST_PROP(DelayAnalysisProperty, ComparisonsWithTheExponential, ()) {
    const int p = *rc::gen::inRange(0, 400), q = *rc::gen::inRange(1, 30), a = *rc::gen::inRange(1, 4000),
              b = *rc::gen::inRange(1, 30);
    const double difference = std::exp(static_cast<double>(p) / q) - static_cast<double>(a) / b;
    RC_PRE(std::abs(difference) > 1e-9 * a);
    RC_ASSERT(exponential_below(fraction(p, q), fraction(a, b)) == (difference < 0));
}

RC_GTEST_PROP(DelayAnalysisProperty, TheRuleIsTheLeastThatTheBoundTells, ()) {
    const DelaySetting setting{*rc::gen::inRange<std::uint64_t>(1, 40), *rc::gen::inRange<std::uint64_t>(1, 4),
                               *rc::gen::inRange<std::uint64_t>(1, 30)};
    const Rational goal = fraction(*rc::gen::inRange(0, 100), 100);
    const std::uint64_t rule = rule_for_skips(setting, goal), least = least_skips(setting, goal);
    RC_ASSERT(locality_bound(setting, rule).least >= goal);
    if (rule > 1) RC_ASSERT(locality_bound(setting, rule - 1).most < goal);
    RC_ASSERT(mean_locality(setting, rule) >= goal && least <= rule);
    if (least > 0) RC_ASSERT(mean_locality(setting, least - 1) < goal);
    const Enclosure value = rule_value(setting, goal);
    RC_ASSERT(value.least < Rational(rule) && Rational(rule) < value.most + Rational(1));
}

TEST(DelayAnalysis, LimitsAreSaid) {
    EXPECT_THROW(validate({0, 1, 1}), ContractViolation);
    EXPECT_THROW(validate({1, 1, 1ULL << 33U}), LimitExceeded);
    EXPECT_THROW((void)mean_locality({1'000, 3, 1'000}, 1'000'000), LimitExceeded);
    EXPECT_THROW((void)rule_for_skips(paper, Rational(1)), ContractViolation);
    EXPECT_THROW((void)local_within(Rational(2), 1), ContractViolation);
    EXPECT_EQ(rule_for_skips({100, 3, 20}, Rational(0)), 2U);
    EXPECT_EQ(mean_locality({1, 1, 5}, 1), Rational(1));
    EXPECT_EQ(mean_locality({1, 1, 5}, 0), Rational(0));
}

}  // namespace
}  // namespace schedproof::sharing
