#include "model/core/randomness.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <numeric>

#include "model/core/errors.hpp"

namespace schedproof {
namespace {

Rational fraction(std::uint64_t p, std::uint64_t q) { return Rational(Integer(p), Integer(q)); }

std::vector<std::uint64_t> some_weights() {
    auto weights = *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 50));
    weights.push_back(*rc::gen::inRange<std::uint64_t>(1, 50));
    return weights;
}

RC_GTEST_PROP(EnumerateProperty, ProportionalDrawHasItsLaw, ()) {
    const auto weights = some_weights();
    const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    const Law<std::size_t> law = enumerate([&](auto& randomness) { return randomness.proportional(weights); });
    RC_ASSERT(law.total() == 1);
    for (std::size_t i = 0; i < weights.size(); ++i) RC_ASSERT(law.probability(i) == fraction(weights[i], sum));
}

/// A body whose questions depend on earlier answers: every branch must be taken, once, with the product of its weights.
RC_GTEST_PROP(EnumerateProperty, DependentDrawsMultiply, ()) {
    const auto n = *rc::gen::inRange<std::size_t>(1, 6);
    const Law<std::pair<std::size_t, std::size_t>> law = enumerate([&](auto& randomness) {
        const std::size_t first = randomness.uniform(n);
        return std::pair{first, randomness.uniform(first + 1)};
    });
    RC_ASSERT(law.size() == n * (n + 1) / 2);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) RC_ASSERT((law.probability({i, j}) == fraction(1, n * (i + 1))));
}

TEST(Enumerate, ABodyWithoutQuestionsHasOneOutcome) {
    const Law<int> law = enumerate([](auto&) { return 7; });
    EXPECT_EQ(law.size(), 1U);
    EXPECT_EQ(law.probability(7), Rational(1));
}

TEST(Enumerate, ABodyThatIsNoFunctionOfItsOutcomesIsNoticed) {
    std::size_t runs = 0;
    EXPECT_THROW((void)enumerate([&](auto& randomness) {
                     ++runs;
                     return randomness.uniform(2) + randomness.uniform(runs + 2);
                 }),
                 ContractViolation);
}

TEST(DiscreteDistribution, RefusesWhatIsNoLaw) {
    EXPECT_THROW(DiscreteDistribution({fraction(1, 2)}), ContractViolation);
    EXPECT_THROW(DiscreteDistribution({Rational(2), Rational(-1)}), ContractViolation);
    EXPECT_THROW(DiscreteDistribution({}), ContractViolation);
    EXPECT_THROW((void)DiscreteDistribution::bernoulli(Rational(0)), ContractViolation);
    EXPECT_THROW((void)DiscreteDistribution::bernoulli(Rational(2)), ContractViolation);
    EXPECT_EQ(DiscreteDistribution::bernoulli(Rational(1)).size(), 1U);
}

TEST(Sampler, TheSameKeyGivesTheSameDraws) {
    Sampler a({1, 2, 3}), b({1, 2, 3}), other({1, 2, 4});
    std::vector<std::uint64_t> first, second, third;
    for (int i = 0; i < 100; ++i) {
        first.push_back(a.below(1'000'000));
        second.push_back(b.below(1'000'000));
        third.push_back(other.below(1'000'000));
    }
    EXPECT_EQ(first, second);
    EXPECT_NE(first, third);
}

TEST(Sampler, FirstDrawsAreThoseOfThePublishedGenerator) {
    // Philox 4x64-10 known answer for counter 0 and key 0; a draw below 2^63 is its word shifted right by one.
    Sampler sampler({0, 0, 0});
    EXPECT_EQ(sampler.below(std::uint64_t{1} << 63), 0x16554d9eca36314cULL >> 1);
    EXPECT_EQ(sampler.below(std::uint64_t{1} << 63), 0xdb20fe9d672d0fdcULL >> 1);
}

TEST(Sampler, FrequenciesMatchTheDistribution) {
    const DiscreteDistribution distribution({fraction(1, 6), fraction(1, 3), fraction(1, 2)});
    Sampler sampler({42, 0, 0});
    std::array<double, 3> count{};
    constexpr int draws = 60'000;
    for (int i = 0; i < draws; ++i) ++count.at(sampler.draw(distribution));
    double chi_square = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const double expected = draws * distribution.probability(i).approximate();
        chi_square += (count.at(i) - expected) * (count.at(i) - expected) / expected;
    }
    EXPECT_LT(chi_square, 13.8);  // 0.1 percent point of two degrees of freedom
}

TEST(Sampler, ADenominatorTooLargeToSampleIsALimit) {
    const Rational tiny = *Rational::parse("1e-30");
    Sampler sampler({0, 0, 0});
    EXPECT_THROW((void)sampler.draw(DiscreteDistribution::bernoulli(tiny)), LimitExceeded);
    const Law<std::size_t> law =
        enumerate([&](auto& randomness) { return randomness.draw(DiscreteDistribution::bernoulli(tiny)); });
    EXPECT_EQ(law.probability(0), tiny);
}

TEST(Law, MergesEqualOutcomes) {
    Law<int> law;
    law.add(1, fraction(1, 2));
    law.add(2, fraction(1, 4));
    law.add(1, fraction(1, 4));
    EXPECT_EQ(law.size(), 2U);
    EXPECT_EQ(law.expectation([](int x) { return x; }), fraction(5, 4));
    EXPECT_EQ(law.map([](int x) { return x % 2; }).probability(1), fraction(3, 4));
    EXPECT_THROW(law.add(3, Rational(-1)), ContractViolation);
}

}  // namespace
}  // namespace schedproof
