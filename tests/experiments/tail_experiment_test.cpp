/// Splitting: whatever the thresholds, the estimate of a slot has the exact probability as its mean; rare tails are
/// those that are known exactly.
#include "experiments/simulators/splitting/tail_experiment.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/runs/replicate.hpp"
#include "experiments/statistics/intervals.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/registry.hpp"
#include "tests/experiments/simulated_systems.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/planner.hpp"

namespace schedproof::simulation {
namespace {

using queueing::ExactSystem;
using queueing::Instance;

std::uint64_t value_of(const TailEvent& event, const queueing::ExactState& state) {
    std::int64_t value = 0;
    for (std::size_t q = 0; q < state.length.size(); ++q)
        if (!event.queue || event.queue->index() == q) value += state.length[q].value();
    return static_cast<std::uint64_t>(value);
}

/// Mean over the first slots of P(f > k), from the start, exactly.
double exact_tail(const ExactSystem& system, const queueing::ExactState& start, const TailEvent& event,
                  std::uint64_t slots) {
    Law<queueing::ExactState> law;
    law.add(start, Rational(1));
    Rational sum;
    for (std::uint64_t t = 0; t < slots; ++t) {
        Law<queueing::ExactState> next;
        for (const auto& [state, p] : law) {
            if (value_of(event, state) > event.above) sum += p;
            if (t + 1 < slots)
                for (const auto& [to, q] : system.kernel(state)) next.add(to, p * q);
        }
        law = std::move(next);
    }
    return (sum / Rational(static_cast<std::int64_t>(slots))).approximate();
}

/// Ascending, at most up to `above` + 1.
std::vector<Threshold> any_thresholds(std::uint64_t above) {
    std::set<std::uint64_t> at;
    for (std::uint64_t l = 1; l <= above + 1; ++l)
        if (*rc::gen::arbitrary<bool>()) at.insert(l);
    std::vector<Threshold> thresholds;
    for (const std::uint64_t l : at) thresholds.push_back({l, *rc::gen::inRange<std::uint64_t>(1, 5)});
    return thresholds;
}

double estimate_of(const Observation& o) {
    Tally all;
    for (const Batch& batch : o.batches) all.add(batch.tallies[0].sum, batch.tallies[0].weight);
    return all.sum / all.weight;
}

TEST(TailExperiment, HasTheExactMeanForAllThresholds) {
    int far_from_zero = 0, starts = 0, jumps = 0;
    EXPECT_TRUE(rc::check("the mean of the estimates is the exact probability", [&] {
        const std::string id = *rc::gen::element<std::string>("jsq-maxweight", "wang-jsq-maxweight", "balanced-pandas",
                                                              "fifo", "generalized-cmu", "join-shortest-queue");
        const auto instance = std::make_shared<const Instance>(*oracle::small_instance(id));
        const queueing::AnyPolicy policy = queueing::make_policy(id);
        const ExactSystem system(*instance, policy, {});
        TailEvent event{{}, *rc::gen::inRange<std::uint64_t>(0, 4), "tail"};
        if (*rc::gen::arbitrary<bool>())
            event.queue = QueueId(*rc::gen::inRange<std::size_t>(0, system.initial().length.size()));
        TailSettings settings{*rc::gen::inRange<std::uint64_t>(2, 5), 1};
        settings.thresholds = any_thresholds(event.above);
        // A state that is reached, so that copies may be there from the start.
        queueing::ExactState start = system.initial();
        Sampler random({*rc::gen::arbitrary<std::uint64_t>(), 0, 1});
        for (int t = *rc::gen::inRange(0, 4); t > 0; --t)
            start = queueing::Kernel<CheckedInt>(*instance, policy).step(start, random).next;
        settings.start = std::make_shared<const queueing::ExactState>(start);
        double exact = 0;
        try {
            exact = exact_tail(system, start, event, settings.slots);
        } catch (const LimitExceeded&) {
            return;
        }
        const TailExperiment experiment(instance, policy, event, settings);
        std::vector<double> estimates;
        for (std::uint64_t r = 0; r < 800; ++r) estimates.push_back(estimate_of(experiment.run({7, r}, {})));
        const statistics::Estimate mean = statistics::estimate(estimates, 0.9999999);
        // Where nothing is random the half width is 0, and the means are rounded.
        RC_ASSERT(std::abs(mean.mean - exact) <= *mean.half_width + (exact < 0.02 ? 0.02 : 1e-12));
        far_from_zero += exact > 0.05 && exact < 0.95 ? 1 : 0;
        starts += !settings.thresholds->empty() && value_of(event, start) >= settings.thresholds->front().tasks ? 1 : 0;
        jumps += settings.thresholds->size() > 1 ? 1 : 0;
    }));
    EXPECT_GT(far_from_zero, 20);
    EXPECT_GT(starts, 5);
    EXPECT_GT(jumps, 10);
}

// Of each queue of m2-half under join-shortest-queue P(Q > k) = 4^-(k+1), and the two are independent.
double of_one_queue(std::uint64_t k) { return std::pow(0.25, static_cast<double>(k + 1)); }
double of_both(std::uint64_t k) { return of_one_queue(k) * (1 + 0.75 * static_cast<double>(k + 1)); }

std::vector<double> estimates(const TailExperiment& experiment, std::uint64_t runs, std::uint64_t first = 0) {
    std::vector<double> values;
    for (std::uint64_t r = 0; r < runs; ++r) values.push_back(estimate_of(experiment.run({1, first + r}, {})));
    return values;
}

TEST(TailExperiment, CoversTailsOfOneInABillion) {
    for (const auto& [event, exact] : {std::pair(TailEvent{QueueId(0), 14, "P(queue:s0>14)"}, of_one_queue(14)),
                                       std::pair(TailEvent{{}, 16, "P(tasks>16)"}, of_both(16))}) {
        const TailExperiment experiment(instance_of("m2-half"), queueing::make_policy("join-shortest-queue"), event,
                                        {4'000, 20});
        ASSERT_FALSE(experiment.thresholds().empty());
        EXPECT_EQ(experiment.thresholds().back().tasks, event.above + 1);
        const statistics::Estimate mean = statistics::estimate(estimates(experiment, 30), 0.9999);
        std::printf("%s: %.3e +- %.1e, exactly %.3e\n", event.name.c_str(), mean.mean, *mean.half_width, exact);
        EXPECT_LE(std::abs(mean.mean - exact), *mean.half_width) << event.name;
        EXPECT_LT(*mean.half_width, exact / 2) << event.name;
    }
}

/// Over many studies the number of intervals that cover is binomial; of a mean that is off by a half it is not. The
/// intervals are those that `simulate --tail` gives of few runs, whose estimates are skewed.
TEST(TailExperiment, IntervalsCoverAsOftenAsTheySay) {
    constexpr std::size_t studies = 150, runs = 8;
    const std::uint64_t above = 5;
    TailSettings settings{1'000, 10};
    const TailExperiment experiment(instance_of("m2-half"), queueing::make_policy("join-shortest-queue"),
                                    {{}, above, "P(tasks>5)"}, settings);
    std::size_t covered = 0, off = 0;
    for (std::size_t s = 0; s < studies; ++s) {
        const statistics::Estimate mean = statistics::skewed_estimate(estimates(experiment, runs, s * runs), 0.95);
        // From the empty start, P is less in the first slots: 1 in 1000 of them.
        covered += std::abs(mean.mean - of_both(above)) <= *mean.half_width ? 1 : 0;
        off += std::abs(mean.mean - 1.5 * of_both(above)) <= *mean.half_width ? 1 : 0;
    }
    std::printf("%zu of %zu cover\n", covered, studies);
    EXPECT_GT(statistics::binomial_at_most(covered, studies, 0.95), 1e-4);
    EXPECT_LT(statistics::binomial_at_most(off, studies, 0.95), 1e-4);
}

TEST(TailExperiment, IsTheSameForTheSameSeed) {
    const auto make = [] {
        return TailExperiment(instance_of("m2-half"), queueing::make_policy("jsq-maxweight"), {{}, 30, "P"}, {500, 5});
    };
    const TailExperiment a = make(), b = make();
    EXPECT_TRUE(std::ranges::equal(a.thresholds(), b.thresholds()));
    EXPECT_EQ(a.run({3, 4}, {}), b.run({3, 4}, {}));
    EXPECT_NE(a.run({3, 4}, {}), b.run({3, 5}, {}));
    EXPECT_GT(a.run({3, 4}, {}).work, 500U);
}

TEST(TailExperiment, RefusesWhatItCannotRun) {
    const auto make = [](std::uint64_t above, TailSettings settings) {
        return TailExperiment(instance_of("m2-half"), queueing::make_policy("jsq-maxweight"), {{}, above, "P"},
                              std::move(settings));
    };
    const auto with = [](std::vector<Threshold> thresholds) {
        TailSettings settings{100, 10};
        settings.thresholds = std::move(thresholds);
        return settings;
    };
    EXPECT_THROW(static_cast<void>(make(5, {105, 10})), InputError);
    EXPECT_THROW(static_cast<void>(make(5, with({{3, 2}, {3, 2}}))), InputError);
    EXPECT_THROW(static_cast<void>(make(5, with({{7, 2}}))), InputError);
    EXPECT_THROW(static_cast<void>(make(5, with({{2, 0}}))), InputError);
    EXPECT_THROW(static_cast<void>(make(2'000'000, {100, 10})), InputError);
    // Thresholds that every path passes make copies of copies.
    EXPECT_THROW(static_cast<void>(make(5, with({{1, 30}, {2, 1'000}, {3, 1'000}})).run({1, 0}, {})), LimitExceeded);
}

}  // namespace
}  // namespace schedproof::simulation
