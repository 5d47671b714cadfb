/// What is said of traces made to have, or to lack, what theorems assume.
#include "experiments/workload/trace_report.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "experiments/workload/random_law.hpp"
#include "model/core/errors.hpp"

namespace schedproof::workload {
namespace {

using statistics::Stream;

/// Arrivals with gaps of a law until `end`, each bringing work of another; from `change` on gaps are `factor` as long.
std::vector<Submission> trace(const RealLaw& gap, const RealLaw& work, double end, std::uint64_t seed,
                              double change = INFINITY, double factor = 1) {
    Draws gaps(gap, Stream({seed, 0}, "arrivals")), works(work, Stream({seed, 0}, "sizes"));
    std::vector<Submission> jobs;
    for (double now = gaps(); now < end; now += (now < change ? 1 : factor) * gaps()) jobs.push_back({now, works()});
    return jobs;
}

ReportSettings capacity(int tasks) { return {Rational(tasks), 1, 24, 0.01}; }

/// Whether a number of successes is within the central 99.9 % of its binomial law.
bool central(std::size_t successes, std::size_t trials, double probability) {
    const boost::math::binomial law(static_cast<double>(trials), probability);
    const auto k = static_cast<double>(successes);
    return k >= quantile(law, 0.0005) && k <= quantile(complement(law, 0.0005));
}

TEST(TraceReport, AddsUpATraceByHand) {
    const std::vector<Submission> jobs{{10, 2}, {10.5, 3}, {12, 1}, {20, 4}};
    const TraceReport r = report_on(jobs, capacity(2));
    EXPECT_EQ(r.jobs, 4U);
    EXPECT_EQ(r.span, 10);
    EXPECT_EQ(r.work, 10);
    EXPECT_EQ(r.offered, 1);
    EXPECT_EQ(r.load, 0.5);
    EXPECT_EQ(r.most_jobs, 2U);
    EXPECT_EQ(r.most_work, 5);
    EXPECT_FALSE(r.stationary);
    EXPECT_FALSE(r.tail_index);
    // Gaps 1/2, 3/2, 8: mean 10/3, variance (17.0/6)^2...: by the definition.
    EXPECT_NEAR(r.gap_variation,
                (std::pow(17.0 / 6, 2) + std::pow(11.0 / 6, 2) + std::pow(14.0 / 3, 2)) / 2 / (100.0 / 9), 1e-12);
    EXPECT_EQ(r.findings.size(), 4U);
    EXPECT_EQ(report_on({}, capacity(1)).jobs, 0U);
    const std::vector<Submission> at_once{{3, 1}, {3, 1}};
    EXPECT_TRUE(std::isinf(report_on(at_once, capacity(1)).load));
}

TEST(TraceReport, TrendByHand) {
    // Counts 1, 2, 4: all three pairs rise, S = 3, variance 3*2*11/18 = 11/3, z = 2/sqrt(11/3).
    const std::vector<Submission> jobs{{0.5, 1}, {1.1, 1}, {1.2, 1}, {2.1, 1}, {2.2, 1}, {2.3, 1}, {2.4, 1}};
    const Stationarity s = stationarity(jobs, 0, 3, 3);
    EXPECT_EQ(s.counts, (std::vector<std::uint64_t>{1, 2, 4}));
    EXPECT_EQ(s.trend, 1);
    EXPECT_NEAR(s.trend_p, std::erfc(2 / std::sqrt(11.0 / 3) / std::sqrt(2)), 1e-12);
    EXPECT_NEAR(s.dispersion, 1, 1e-12);
    // chi-squared with two degrees of freedom is exponential of mean 2, and the statistic is 2.
    EXPECT_NEAR(s.dispersion_p, std::exp(-1), 1e-12);
    // Ties: counts 2, 2, 2 have neither trend nor variance.
    const std::vector<Submission> even{{0.1, 1}, {0.2, 1}, {1.1, 1}, {1.2, 1}, {2.1, 1}, {2.2, 1}};
    EXPECT_EQ(stationarity(even, 0, 3, 3).trend_p, 1);
    EXPECT_EQ(stationarity(even, 0, 3, 3).dispersion, 0);
}

TEST(TraceReport, RefusesPoissonArrivalsAsOftenAsItSays) {
    constexpr std::size_t traces = 1000;
    for (const double level : {0.01, 0.1}) {
        std::size_t by_dispersion = 0, by_trend = 0;
        for (std::uint64_t seed = 0; seed < traces; ++seed) {
            const auto s = stationarity(trace(Exponential{1}, Constant{1}, 2400, seed), 0, 2400, 24);
            by_dispersion += s.dispersion_p < level ? 1 : 0;
            by_trend += s.trend_p < level ? 1 : 0;
        }
        EXPECT_TRUE(central(by_dispersion, traces, level)) << by_dispersion;
        // S takes whole values, so its level is at most the one stated.
        EXPECT_TRUE(static_cast<double>(by_trend) <= traces * level || central(by_trend, traces, level)) << by_trend;
    }
}

TEST(TraceReport, RefusesARateThatDoublesAndBursts) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto doubling = trace(Exponential{1}, Constant{1}, 2400, seed, 1200, 0.5);
        const TraceReport r = report_on(doubling, capacity(10));
        ASSERT_TRUE(r.stationary);
        EXPECT_LT(r.stationary->dispersion_p, 0.01) << seed;
        EXPECT_LT(r.stationary->trend_p, 0.05) << seed;
        EXPECT_GT(r.stationary->trend, 0);
        EXPECT_NE(r.findings[1].find("not one of Poisson arrivals"), std::string::npos);
    }
    std::size_t refused = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Hyperexponential bursts{{{0.9, 0.2}, {0.1, 8.2}}};
        refused += report_on(trace(bursts, Constant{1}, 2400, seed), capacity(10)).stationary->plausible(0.01) ? 0 : 1;
    }
    EXPECT_GE(refused, 49U);
}

TEST(TraceReport, EstimatesTails) {
    for (const double shape : {1.2, 1.5, 3.0}) {
        const auto r = report_on(trace(Exponential{1}, Pareto{shape, 1}, 20'000, 5), capacity(100));
        ASSERT_TRUE(r.tail_index);
        EXPECT_NEAR(*r.tail_index, shape, 4 * r.tail_error);
        EXPECT_NEAR(r.tail_error, shape / std::sqrt(2000.0), 0.1 * shape);
        EXPECT_EQ(r.findings[3].find("infinite") != std::string::npos, shape < 2);
    }
    EXPECT_NEAR(report_on(trace(Exponential{1}, Exponential{2}, 40'000, 5), capacity(100)).work_variation, 1, 0.1);
    EXPECT_NEAR(report_on(trace(Gamma{4, 1}, Constant{2}, 40'000, 5), capacity(100)).gap_variation, 0.25, 0.02);
    EXPECT_FALSE(hill_estimate({1, 1, 1, 1}, 2));
    EXPECT_FALSE(hill_estimate({1, 2}, 2));
    EXPECT_NEAR(*hill_estimate({1, std::exp(1.0), std::exp(2.0), 0.5}, 2), 2.0 / 3, 1e-12);
}

TEST(TraceReport, SaysWhatIsAboveCapacity) {
    const auto jobs = trace(Exponential{1}, Constant{3}, 1000, 1);
    EXPECT_NE(report_on(jobs, capacity(2)).findings[0].find("No policy is stable"), std::string::npos);
    EXPECT_NE(report_on(jobs, capacity(4)).findings[0].find("below 1"), std::string::npos);
    EXPECT_THROW(static_cast<void>(report_on(jobs, capacity(0))), InputError);
    EXPECT_THROW(static_cast<void>(report_on(jobs, {Rational(1), 0})), InputError);
    EXPECT_THROW(static_cast<void>(report_on(jobs, {Rational(1), 1, 2})), InputError);
    EXPECT_THROW(static_cast<void>(report_on(jobs, {Rational(1), 1, 24, 1})), InputError);
}

}  // namespace
}  // namespace schedproof::workload
