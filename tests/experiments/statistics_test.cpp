/// Statistics against values worked out by hand or by sums written out here, and coverage over many seeds.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "experiments/statistics/comparison.hpp"
#include "experiments/statistics/intervals.hpp"
#include "experiments/statistics/stream.hpp"
#include "experiments/statistics/warm_up.hpp"
#include "model/core/errors.hpp"
#include "tests/experiments/fake_experiments.hpp"

namespace schedproof::statistics {
namespace {

using testing_support::uniform;

/// MSER as it is defined, every candidate from scratch.
WarmUp mser_by_definition(const std::vector<double>& series, std::size_t group) {
    const std::size_t n = series.size() / group;
    if (n < 20) return {series.size() / 2, false};
    std::size_t best = 0;
    double least = 1e300, least_late = 1e300;
    for (std::size_t d = 0; d + 5 < n; ++d) {
        std::vector<double> kept;
        for (std::size_t i = d; i < n; ++i)
            kept.push_back(std::accumulate(&series[i * group], &series[i * group] + group, 0.0) /
                           static_cast<double>(group));
        const double mean = std::accumulate(kept.begin(), kept.end(), 0.0) / static_cast<double>(kept.size());
        double squares = 0;
        for (const double x : kept) squares += (x - mean) * (x - mean);
        const double error = squares / static_cast<double>(kept.size() * kept.size());
        if (2 * d > n)
            least_late = std::min(least_late, error);
        else if (error < least)
            least = error, best = d;
    }
    return {best * group, least <= least_late};
}

TEST(WarmUp, CutsExactlyTheStretchThatDiffers) {
    std::vector<double> series(200);
    for (std::size_t i = 0; i < 200; ++i) series[i] = i < 35 ? 100.0 : 10.0 + static_cast<double>(i % 2);
    EXPECT_EQ(mser(series), (WarmUp{35, true}));
    EXPECT_EQ(mser(std::vector<double>(200, 7.0)), (WarmUp{0, true}));
}

TEST(WarmUp, SaysWhenThereIsNoLevel) {
    std::vector<double> growing(100);
    for (std::size_t i = 0; i < growing.size(); ++i) growing[i] = static_cast<double>(i * i);
    EXPECT_FALSE(mser(growing).found);
    EXPECT_EQ(mser(std::vector<double>(99, 1.0)), (WarmUp{49, false})) << "19 groups";
    EXPECT_TRUE(mser(std::vector<double>(100, 1.0)).found);
    EXPECT_EQ(mser(std::vector<double>{}), (WarmUp{0, false}));
    EXPECT_THROW(static_cast<void>(mser(std::vector<double>(100, std::nan("")))), ContractViolation);
}

TEST(WarmUp, RunsMoveWhereTheirDifferencesAreNotZeroOnAverage) {
    EXPECT_EQ(still_moves(std::vector<double>{5}), std::nullopt);
    EXPECT_EQ(still_moves(std::vector<double>{5, 5.1, 4.9}), true);
    EXPECT_EQ(still_moves(std::vector<double>{5, -5.1, 0.2}), false);
    EXPECT_EQ(still_moves(std::vector<double>(4, 0.0)), false);
    std::size_t moves = 0;
    constexpr std::size_t studies = 4000;
    for (std::uint64_t seed = 0; seed < studies; ++seed) {
        Stream stream({seed, 0}, "differences");
        std::vector<double> differences(5);
        for (double& one : differences) one = uniform(stream) + uniform(stream) + uniform(stream) - 1.5;
        moves += *still_moves(differences) ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(moves) / studies, 0.05, 0.015);
}

TEST(WarmUp, IsTheDefinitionOnRandomSeries) {
    std::size_t cut = 0, missed = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Stream stream({seed, 0}, "series");
        const std::size_t n = 60 + stream.below(240), group = 1 + stream.below(5);
        std::vector<double> series(n);
        const double bias = 4 * uniform(stream);
        for (std::size_t i = 0; i < n; ++i) series[i] = uniform(stream) + bias * std::exp(-static_cast<double>(i) / 10);
        const WarmUp found = mser(series, group);
        EXPECT_EQ(found, mser_by_definition(series, group)) << seed;
        cut += found.cut > 0 ? 1 : 0;
        missed += found.found ? 0 : 1;
    }
    EXPECT_GT(cut, 150U);
    EXPECT_GT(missed, 0U);
}

TEST(Estimate, OfSkewedValuesCoversTheirMean) {
    // Twice the error of a proportion of 0.95 among so many studies is 0.007.
    constexpr std::size_t studies = 4000;
    std::size_t covered = 0, student = 0;
    for (std::uint64_t seed = 0; seed < studies; ++seed) {
        Stream stream({seed, 0}, "exponential");
        std::vector<double> values(5);
        for (double& one : values) one = -std::log1p(-uniform(stream));
        const auto covers = [](const Estimate& of) { return std::abs(of.mean - 1) <= *of.half_width; };
        covered += covers(skewed_estimate(values, 0.95)) ? 1 : 0;
        student += covers(estimate(values, 0.95)) ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(covered) / studies, 0.95, 0.015);
    EXPECT_LT(static_cast<double>(student) / studies, 0.9);
    EXPECT_EQ(skewed_estimate(std::vector<double>{0, 0}, 0.95).half_width, 0);
}

TEST(BatchMeans, OfEqualWeightsAreTheClassicalOnes) {
    // Means 1, 2, 3, 6: mean 3, variance (4+1+0+9)/3 = 14/3; t(3, 0.975) = 3.182446305.
    const std::vector<Part> parts{{0.5, 1}, {1.5, 1}, {2, 1}, {2, 1}, {1, 1}, {5, 1}, {6, 1}, {6, 1}};
    const BatchMeans means = batch_means(parts, 4, 0.95);
    EXPECT_DOUBLE_EQ(means.estimate.mean, 3);
    EXPECT_NEAR(*means.estimate.half_width, 3.182446305 * std::sqrt(14.0 / 3 / 4), 1e-8);
    EXPECT_EQ(means.batches, 4U);
    // Residuals of the stretches 2(-2, -1, 0, 3): products 2 + 0 + 0 over squares 14.
    EXPECT_NEAR(means.correlation, 2.0 / 14, 1e-12);
}

TEST(BatchMeans, OfUnequalWeightsAreARatio) {
    // Sums 2, 6, 8 of weights 1, 2, 1: mean 4, residuals -2, -2, 4, variance 24/2; mean weight 4/3; t(2, .95)
    // = 2.919986.
    const BatchMeans means = batch_means(std::vector<Part>{{2, 1}, {6, 2}, {8, 1}}, 20, 0.9);
    EXPECT_DOUBLE_EQ(means.estimate.mean, 4);
    EXPECT_NEAR(*means.estimate.half_width, 2.91998558 * std::sqrt(12.0 / 3) / (4.0 / 3), 1e-7);
    EXPECT_FALSE(batch_means(std::vector<Part>{{3, 2}}, 20, 0.9).estimate.half_width);
    EXPECT_DOUBLE_EQ(batch_means(std::vector<Part>{{9, 1}, {2, 1}, {4, 1}}, 2, 0.9).estimate.mean, 3)
        << "what is left over at the start is left out";
    EXPECT_THROW(static_cast<void>(batch_means(std::vector<Part>{{0, 0}}, 1, 0.9)), ContractViolation);
}

TEST(BatchMeans, StretchesInWhichNothingWasSeenDoNotCount) {
    // Sums 2 and 6 of weight 1 each: mean 4, residuals -2 and 2, variance 8; t(1, 0.975) = 12.70620474.
    const BatchMeans means = batch_means(std::vector<Part>{{2, 1}, {0, 0}, {0, 0}, {6, 1}}, 4, 0.95);
    EXPECT_EQ(means.batches, 2U);
    EXPECT_DOUBLE_EQ(means.estimate.mean, 4);
    EXPECT_NEAR(*means.estimate.half_width, 12.70620474 * std::sqrt(8.0 / 2), 1e-6);
    // Seen in what is left over at the start alone: a mean, and nothing about its spread.
    const BatchMeans start = batch_means(std::vector<Part>{{5, 2}, {0, 0}, {0, 0}}, 2, 0.95);
    EXPECT_DOUBLE_EQ(start.estimate.mean, 2.5);
    EXPECT_FALSE(start.estimate.half_width);
    EXPECT_EQ(batch_means(std::vector<Part>{{0, 0}, {3, 2}, {0, 0}}, 3, 0.95).batches, 1U);
}

double binomial(std::size_t n, std::size_t k, double p) {
    double value = std::pow(p, static_cast<double>(k)) * std::pow(1 - p, static_cast<double>(n - k));
    for (std::size_t i = 1; i <= k; ++i) value *= static_cast<double>(n - k + i) / static_cast<double>(i);
    return value;
}

TEST(QuantileRanks, AreTheNarrowestOfTheirTails) {
    for (const std::size_t n : {1U, 2U, 5U, 6U, 10U, 50U, 73U})
        for (const double p : {0.1, 0.5, 0.9})
            for (const double confidence : {0.9, 0.95}) {
                const double tail = (1 - confidence) / 2;
                const auto below = [&](std::size_t k) {  // P(B < k)
                    double sum = 0;
                    for (std::size_t i = 0; i < k; ++i) sum += binomial(n, i, p);
                    return sum;
                };
                std::size_t low = 0, high = n + 1;
                while (low < n && below(low + 1) <= tail) ++low;
                while (high > 1 && 1 - below(high - 1) <= tail) --high;
                const auto ranks = quantile_ranks(n, p, confidence);
                if (low == 0 || high == n + 1)
                    EXPECT_FALSE(ranks) << n << " " << p;
                else
                    EXPECT_EQ(ranks, std::pair(low, high)) << n << " " << p;
            }
    EXPECT_FALSE(quantile_ranks(0, 0.5, 0.9));
    EXPECT_EQ(quantile_ranks(6, 0.5, 0.95), std::pair(std::size_t{1}, std::size_t{6})) << "2/64 outside";
    EXPECT_FALSE(quantile_ranks(5, 0.5, 0.95)) << "2/32 outside";
}

TEST(Proportion, IsTheIntervalOfClopperAndPearson) {
    // No success in n: the upper end u has (1-u)^n = tail. All: mirrored.
    EXPECT_NEAR(proportion(0, 10, 0.95).high, 1 - std::pow(0.025, 0.1), 1e-12);
    EXPECT_EQ(proportion(0, 10, 0.95).low, 0);
    EXPECT_NEAR(proportion(10, 10, 0.95).low, std::pow(0.025, 0.1), 1e-12);
    const Interval some = proportion(3, 20, 0.9);
    double above = 0, below = 0;
    for (std::size_t k = 0; k <= 20; ++k) {
        if (k >= 3) above += binomial(20, k, some.low);
        if (k <= 3) below += binomial(20, k, some.high);
    }
    EXPECT_NEAR(above, 0.05, 1e-9);
    EXPECT_NEAR(below, 0.05, 1e-9);
    EXPECT_NEAR(binomial_at_most(3, 20, 0.3),
                binomial(20, 0, .3) + binomial(20, 1, .3) + binomial(20, 2, .3) + binomial(20, 3, .3), 1e-12);
    EXPECT_EQ(binomial_at_most(20, 20, 0.3), 1);
}

TEST(Precision, AllowsForTheEstimatedMean) {
    EXPECT_TRUE(is_precise({10, 1 - 1e-9}, 1.0 / 9));
    EXPECT_FALSE(is_precise({10, 1 + 1e-9}, 1.0 / 9)) << "1/9 of 10 would be more than a ninth of 9";
    EXPECT_TRUE(is_precise({-10, 0.5}, 0.1));
    EXPECT_FALSE(is_precise({10, {}}, 0.5));
    EXPECT_FALSE(is_precise({0, 0.1}, 0.5));
}

TEST(PairedDifference, CancelsWhatIsCommon) {
    // Differences 1, 2, 3: mean 2, variance 1; t(2, 0.975) = 4.30265273.
    const PairedDifference d =
        paired_difference(std::array{101.0, 202.0, 303.0}, std::array{100.0, 200.0, 300.0}, 0.95);
    EXPECT_DOUBLE_EQ(d.difference.mean, 2);
    EXPECT_NEAR(*d.difference.half_width, 4.30265273 / std::sqrt(3), 1e-7);
    EXPECT_NEAR(d.correlation, 1, 1e-12);
    EXPECT_DOUBLE_EQ(*d.relative, 0.01);
    EXPECT_FALSE(paired_difference(std::array{1.0}, std::array{0.0}, 0.95).relative);
    EXPECT_FALSE(paired_difference(std::array{1.0}, std::array{0.0}, 0.95).difference.half_width);
}

TEST(Controlled, IsTheInterceptOfTheRegression) {
    // y on x - 2 with x = 1 2 3 4: slope 3.1/5... worked out: x mean 2.5, Sxx 5, y = 3 5 4 8, mean 5,
    // Sxy = 1.5*2 - 0 + 0.5*(-1) + 1.5*3 = 7; slope 7/5; intercept at 2: 5 - 0.7 = 4.3.
    // Residuals 0.1, 0.7, -1.7, 0.9: squares 4.2; variance 4.2/2; leverage 1/4 + 0.25/5; t(2, 0.975) = 4.30265273.
    const Controlled c = controlled(std::array{3.0, 5.0, 4.0, 8.0}, std::array{Control{{1, 2, 3, 4}, 2}}, 0.95);
    EXPECT_NEAR(c.estimate.mean, 4.3, 1e-12);
    EXPECT_NEAR(*c.estimate.half_width, 4.30265273 * std::sqrt(2.1 * 0.3), 1e-7);
    EXPECT_EQ(c.used, std::vector<std::size_t>{0});
    EXPECT_NEAR(c.variance_ratio, 2.1 / (14.0 / 3), 1e-12);
}

TEST(Controlled, LeavesOutWhatSaysNothing) {
    const std::vector<double> y{3, 5, 4, 8, 6};
    const Control x{{1, 2, 3, 4, 9}, 2}, constant{{4, 4, 4, 4, 4}, 3}, twice{{2, 4, 6, 8, 18}, 4},
        z{{1, 0, 2, 0, 1}, 1};
    const Controlled alone = controlled(y, std::array{x}, 0.9);
    const Controlled both = controlled(y, std::array{constant, x, twice}, 0.9);
    EXPECT_EQ(both.used, std::vector<std::size_t>{1});
    EXPECT_NEAR(both.estimate.mean, alone.estimate.mean, 1e-12);
    EXPECT_NEAR(*both.estimate.half_width, *alone.estimate.half_width, 1e-12);
    EXPECT_EQ(controlled(y, std::array{x, z}, 0.9).used.size(), 2U);
    EXPECT_NEAR(controlled(y, std::array{x, z}, 0.9).estimate.mean, controlled(y, std::array{z, x}, 0.9).estimate.mean,
                1e-12)
        << "a regression does not know an order";
    EXPECT_TRUE(controlled(y, std::array{constant}, 0.9).used.empty());
    EXPECT_EQ(controlled(std::array{1.0, 2.0, 4.0}, std::array{Control{{1, 2, 2}, 1}, Control{{2, 1, 5}, 1}}, 0.9)
                  .used.size(),
              1U)
        << "degrees of freedom";
}

/// How many of `runs` intervals covered; judged two-sided at a level that fails one test in ten million by chance.
void expect_coverage(std::size_t covered, std::size_t runs, double stated) {
    const Interval plausible = proportion(covered, runs, 1 - 1e-7);
    EXPECT_TRUE(plausible.covers(stated)) << covered << " of " << runs << " at " << stated;
}

TEST(Coverage, OfMeansQuantilesAndRegressions) {
    constexpr std::size_t runs = 4000, n = 12;
    std::size_t mean = 0, median = 0, regression = 0, narrower = 0;
    for (std::uint64_t seed = 0; seed < runs; ++seed) {
        Stream stream({seed, 0}, "coverage");
        const auto normal = [&] {
            return std::sqrt(-2 * std::log(uniform(stream))) * std::cos(6.283185307179586 * uniform(stream));
        };
        std::vector<double> y;
        Control x{{}, 5};
        for (std::size_t i = 0; i < n; ++i) {
            x.values.push_back(5 + normal());
            y.push_back(3 + 2 * (x.values.back() - 5) + normal());
        }
        const Estimate plain = estimate(y, 0.9);
        const Controlled with = controlled(y, std::array{x}, 0.9);
        mean += std::abs(plain.mean - 3) <= *plain.half_width ? 1 : 0;
        regression += std::abs(with.estimate.mean - 3) <= *with.estimate.half_width ? 1 : 0;
        narrower += *with.estimate.half_width < *plain.half_width ? 1 : 0;
        const auto ranks = quantile_ranks(n, 0.5, 0.9);
        std::sort(y.begin(), y.end());
        median += y[ranks->first - 1] <= 3 && 3 <= y[ranks->second - 1] ? 1 : 0;
    }
    expect_coverage(mean, runs, 0.9);
    expect_coverage(regression, runs, 0.9);
    // Ranks 3 and 10 of 12: outside with probability 2 (1 + 12 + 66) / 4096.
    expect_coverage(median, runs, 1 - 158.0 / 4096);
    EXPECT_GT(narrower, runs * 9 / 10);
}

TEST(Coverage, TheCheckRefutesAWrongRate) {
    EXPECT_FALSE(proportion(3480, 4000, 1 - 1e-7).covers(0.9)) << "87 % is not 90 %";
    EXPECT_TRUE(proportion(3560, 4000, 1 - 1e-7).covers(0.9));
}

}  // namespace
}  // namespace schedproof::statistics
