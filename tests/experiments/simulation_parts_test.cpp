/// What the simulators are made of: streams, laws, paths of machines, placement, statistics.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <sstream>
#include <vector>

#include "experiments/input/traces/availability.hpp"
#include "experiments/simulators/redundancy/placement.hpp"
#include "experiments/simulators/redundancy/random_periods.hpp"
#include "experiments/simulators/redundancy/recorded_periods.hpp"
#include "experiments/statistics/sample.hpp"
#include "experiments/workload/redundancy_workload.hpp"
#include "model/core/errors.hpp"

namespace schedproof {
namespace {

using statistics::Sample;
using statistics::Stream;

TEST(Stream, IsNamedByAllItsParts) {
    const auto first = [](Stream stream) { return stream(); };
    std::set<std::uint64_t> words{first({{1, 0}, "arrivals"}), first({{2, 0}, "arrivals"}), first({{1, 1}, "arrivals"}),
                                  first({{1, 0}, "sizes"}), first({{1, 0}, "arrivals", 1})};
    EXPECT_EQ(words.size(), 5U);
    Stream a({1, 0}, "arrivals"), b({1, 0}, "arrivals");
    for (int i = 0; i < 100; ++i) EXPECT_EQ(a(), b());
    std::vector<int> seen(3);
    for (int i = 0; i < 30'000; ++i) ++seen[a.below(3)];
    for (const int n : seen) EXPECT_NEAR(n, 10'000, 400);
}

TEST(Estimate, IsStudentsInterval) {
    const std::vector<double> values{1, 2, 3};
    // With two degrees of freedom the quantile has a closed form.
    const auto estimate = statistics::estimate(values, 0.95);
    EXPECT_DOUBLE_EQ(estimate.mean, 2);
    EXPECT_NEAR(*estimate.half_width, 0.95 * std::sqrt(2 / (1 - 0.95 * 0.95)) / std::sqrt(3.0), 1e-9);
    EXPECT_FALSE(statistics::estimate(std::vector<double>{5}, 0.95).half_width);
    EXPECT_THROW(static_cast<void>(statistics::estimate({}, 0.95)), ContractViolation);
}

RC_GTEST_PROP(Sample, QuantilesAndSharesAreCounts, (const std::vector<int>& raw)) {
    RC_PRE(!raw.empty());
    std::vector<double> values(raw.begin(), raw.end());
    const Sample sample(values);
    const double x = *rc::gen::inRange(-50, 50);
    const auto within =
        static_cast<double>(std::count_if(values.begin(), values.end(), [&](double v) { return v <= x; }));
    const auto n = static_cast<double>(values.size());
    RC_ASSERT(sample.share_within(x) == within / n);
    const double p = *rc::gen::inRange(0, 101) / 100.0;
    const double quantile = sample.quantile(p);
    RC_ASSERT(sample.share_within(quantile) >= p);
    RC_ASSERT(std::count_if(values.begin(), values.end(), [&](double v) { return v < quantile; }) / n <= p);
    const auto points = sample.distribution(5);
    RC_ASSERT(points.front().first == sample.quantile(0));
    RC_ASSERT(points.back().first == sample.quantile(1));
    RC_ASSERT(points.back().second == 1);
    for (std::size_t i = 0; i < points.size(); ++i) {
        RC_ASSERT(points[i].second == sample.share_within(points[i].first));
        if (i > 0) RC_ASSERT(points[i - 1].first < points[i].first);
    }
}

TEST(Workload, HasItsRateAndItsSizes) {
    using namespace workload;
    const auto jobs = generate({2, Pareto{2, 20}, 20'000}, {11, 0});
    EXPECT_NEAR(static_cast<double>(jobs.size()), 40'000, 3 * std::sqrt(40'000.0));
    // Pr(p > x) = (20/x)^2.
    for (const double x : {20.0, 25.0, 40.0, 80.0}) {
        const double expected = 400 / (x * x);
        const auto above =
            std::count_if(jobs.begin(), jobs.end(), [&](const auto& job) { return job.size.value() > x; });
        EXPECT_NEAR(static_cast<double>(above) / static_cast<double>(jobs.size()), expected, 0.01) << x;
    }
    for (const auto& job : jobs) EXPECT_GE(job.size.value(), 20);
    for (std::size_t j = 1; j < jobs.size(); ++j) EXPECT_LE(jobs[j - 1].arrival, jobs[j].arrival);
    // Gaps are exponential: a part e^-1 is above the mean.
    std::size_t long_gaps = 0;
    for (std::size_t j = 1; j < jobs.size(); ++j)
        if ((jobs[j].arrival - jobs[j - 1].arrival).value() > 0.5) ++long_gaps;
    EXPECT_NEAR(static_cast<double>(long_gaps) / static_cast<double>(jobs.size()), std::exp(-1.0), 0.01);
    EXPECT_DOUBLE_EQ(mean(parse_law("pareto:2,20", "sizes")), 40);
    EXPECT_DOUBLE_EQ(mean(parse_law("exponential:3", "sizes")), 3);
    EXPECT_DOUBLE_EQ(mean(parse_law("uniform:1,4", "sizes")), 2.5);
    EXPECT_DOUBLE_EQ(mean(parse_law("constant:7", "sizes")), 7);
    double sum = 0;
    for (const auto& job : generate({2, parse_law("exponential:3", "sizes"), 20'000}, {11, 0})) sum += job.size.value();
    EXPECT_NEAR(sum / static_cast<double>(jobs.size()), 3, 0.06);
    for (const char* wrong : {"pareto:1,20", "pareto:2,0", "pareto:2", "constant:0", "uniform:3,3", "exponential:x",
                              "constant", "", "exponential:nan"})
        EXPECT_THROW(static_cast<void>(parse_law(wrong, "sizes")), InputError) << wrong;
    EXPECT_THROW(static_cast<void>(generate({0, Pareto{2, 20}, 1}, {})), InputError);
    EXPECT_THROW(static_cast<void>(generate({1e9, Pareto{2, 20}, 1e9}, {})), InputError);
}

TEST(RandomPeriods, HaveMeanOneFromTheStartOn) {
    for (const char* name : {"A", "B"}) {
        const auto law = simulation::period_law(name);
        EXPECT_NEAR(law.available.mean_length(), 32.08, 0.01);
        EXPECT_NEAR(law.unavailable.mean_length(), 7.58, 0.01);
        EXPECT_NEAR(law.availability(), 0.809, 0.0005);
        constexpr std::size_t machines = 4000;
        simulation::RandomPeriods paths(law, machines, {3, 0});
        std::vector<double> work(machines);
        const auto mean = [&](std::uint64_t slot) {
            paths.in_slot(slot, work);
            return std::accumulate(work.begin(), work.end(), 0.0) / machines;
        };
        // A slot's work has a standard deviation below 0.6: four of them, of the mean of all machines, are 0.04.
        for (const std::uint64_t slot : {0U, 1U, 5U, 50U, 500U}) EXPECT_NEAR(mean(slot), 1, 0.04) << name << slot;
        for (const double w : work) EXPECT_TRUE(w >= 0 && w <= law.available.most / law.mean_rate() + 1e-12);
        double sum = 0;
        for (std::uint64_t slot = 501; slot < 1501; ++slot) sum += mean(slot);
        EXPECT_NEAR(sum / 1000, 1, 0.01) << name;
    }
    EXPECT_THROW(static_cast<void>(simulation::period_law("C")), InputError);
}

TEST(RandomPeriods, OfAMachineDoNotDependOnTheOthers) {
    simulation::RandomPeriods few(simulation::period_law("A"), 3, {5, 1}), many(simulation::period_law("A"), 9, {5, 1});
    std::vector<double> a(3), b(9);
    for (std::uint64_t slot = 0; slot < 400; slot += slot % 3 + 1) {
        few.in_slot(slot, a);
        many.in_slot(slot, b);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(a[i], b[i]);
    }
}

TEST(RecordedPeriods, AreTheRecordOverAndOver) {
    std::istringstream in("m,10,12.5,1\nm,12.5,14,0\nn,11,13,1\n");
    const auto table = input::read_availability(in, "t");
    ASSERT_EQ(table.length, 4);
    simulation::RecordedPeriods paths(table, 2);
    const std::vector<std::vector<double>> round{{1, 0}, {1, 1}, {0.5, 1}, {0, 0}};
    std::vector<double> work(2);
    for (std::uint64_t slot = 0; slot < 20; ++slot) {
        paths.in_slot(slot, work);
        EXPECT_EQ(work, round[slot % 4]) << slot;
    }
    paths.in_slot(4001, work);
    EXPECT_EQ(work, round[1]);
}

RC_GTEST_PROP(Placement, KeepsWhatItMayAndFillsTheRest, ()) {
    const auto machines = *rc::gen::inRange<std::size_t>(1, 8);
    simulation::Placement placement(machines, Stream({1, 0}, "placement"));
    std::vector<simulation::Machines> jobs(40);
    for (int round = 0; round < 6; ++round) {
        const auto ways = *rc::gen::inRange<std::size_t>(1, 4);
        std::size_t room = machines * ways;
        std::vector<simulation::Placement::Claim> claims;
        std::vector<simulation::Machines> before;
        const bool one_large = ways > 1 && *rc::gen::arbitrary<bool>();
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            std::size_t most = std::min(machines, room);
            if (ways > 1 && !(one_large && claims.empty())) most = std::min<std::size_t>(most, 1);
            const auto copies = *rc::gen::inRange<std::size_t>(0, most + 1);
            if (copies == 0) {
                jobs[j].clear();
                continue;
            }
            room -= copies;
            before.push_back(jobs[j]);
            claims.push_back({&jobs[j], copies});
        }
        placement.place(claims, ways);
        std::vector<std::size_t> taken(machines);
        for (const auto& claim : claims) {
            const std::set<std::uint32_t> on(claim.on->begin(), claim.on->end());
            RC_ASSERT(on.size() == claim.copies);
            RC_ASSERT(claim.on->size() == claim.copies);
            for (const std::uint32_t machine : on) RC_ASSERT(++taken.at(machine) <= ways);
        }
        // A copy leaves a machine only when its job has fewer, or the places there are taken.
        for (std::size_t c = 0; c < claims.size(); ++c)
            for (const std::uint32_t machine : before[c])
                if (before[c].size() <= claims[c].copies &&
                    std::find(claims[c].on->begin(), claims[c].on->end(), machine) == claims[c].on->end())
                    RC_ASSERT(taken[machine] == ways);
    }
}

}  // namespace
}  // namespace schedproof
