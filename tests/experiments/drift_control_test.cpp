/// Means controlled by the drift of the number of tasks and of its square (task_drift.hpp): the simulators record one
/// and the same drift, intervals cover exact means as often as they say, and what is not stationary is not taken for
/// it; runs that start near their level (settled_start.hpp) have such intervals after a short warm-up.
///
/// That the drift has the mean it should have is checked exactly, on the indexed simulator, in tests/enumerated.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "experiments/runs/replicate.hpp"
#include "experiments/runs/summary.hpp"
#include "experiments/runs/unit.hpp"
#include "experiments/simulators/slotted/dense_run.hpp"
#include "experiments/simulators/slotted/dense_workloads.hpp"
#include "experiments/simulators/slotted/replication_lanes.hpp"
#include "experiments/simulators/slotted/settled_start.hpp"
#include "experiments/simulators/slotted/slotted.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "experiments/statistics/intervals.hpp"
#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/kernel.hpp"
#include "model/queueing/load.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "tests/experiments/simulated_systems.hpp"

namespace schedproof::simulation {
namespace {

using queueing::Instance;
using statistics::Replication;

SlottedSettings with_drift(std::uint64_t slots, std::uint64_t batches, bool delays = true) {
    SlottedSettings settings{slots, batches, delays};
    settings.drift = true;
    return settings;
}

std::size_t index_of(const std::vector<Quantity>& quantities, const std::string& name) {
    for (std::size_t q = 0; q < quantities.size(); ++q)
        if (quantities[q].name == name) return q;
    throw ContractViolation("no quantity " + name);
}

SimulatedSystem ring(std::uint32_t servers, const Rational& rate, const std::vector<Rational>& rates = {},
                     bool fixed_arrivals = false) {
    RandomCluster cluster;
    cluster.servers = servers;
    cluster.data_servers = servers * 4 / 5;
    cluster.rates = rates.empty() ? std::vector{*Rational::parse("4/5"), *Rational::parse("1/5")} : rates;
    if (fixed_arrivals) return random_cluster(cluster, FixedArrivals{rate.numerator().convert_to<std::uint64_t>()});
    return random_cluster(cluster, PoissonArrivals{rate});
}

/// Runs of the simulator that an experiment chooses, or of the indexed one.
std::vector<Observation> observations(const SimulatedSystem& system, const queueing::AnyPolicy& policy,
                                      const SlottedSettings& settings, std::uint64_t runs, bool indexed) {
    std::vector<Observation> seen;
    if (!indexed) return runs::replicate(*slotted_experiment(system, policy, settings), {3, 0}, runs, 1);
    for (std::uint64_t r = 0; r < runs; ++r) seen.push_back(SlottedRun<>(system, policy, settings, {3, r}).run({}));
    return seen;
}

struct DriftCase {
    std::string policy;
    bool dense, indexed;
};
class RecordedDrift : public testing::TestWithParam<DriftCase> {};

/// Growth less drift is a martingale, so over replications its mean is 0; adding what one service less adds to the
/// variance of a slot, it is not.
TEST_P(RecordedDrift, IsTheMeanGrowth) {
    const queueing::AnyPolicy policy = queueing::make_policy(GetParam().policy);
    const SimulatedSystem system = GetParam().dense ? ring(40, Rational(22)) : SimulatedSystem{instance_of("m2-half")};
    const SlottedSettings settings = with_drift(40, 1, false);
    const auto quantities = slotted_quantities(system, settings);
    const auto seen = observations(system, policy, settings, GetParam().indexed ? 2000 : 4000, GetParam().indexed);
    const auto far = [&](const char* drift, const char* growth, double mutation) {
        std::vector<double> apart;
        for (const Observation& o : seen) {
            const auto& tallies = o.batches.front().tallies;
            apart.push_back(tallies[index_of(quantities, growth)].sum - tallies[index_of(quantities, drift)].sum +
                            40 * mutation);
        }
        const statistics::Estimate estimate = statistics::estimate(apart, 0.999999);
        return std::abs(estimate.mean) > *estimate.half_width;
    };
    EXPECT_FALSE(far("drift of tasks", "growth of tasks in system", 0));
    EXPECT_FALSE(far("drift of tasks^2", "growth of tasks^2", 0));
    const double scale = GetParam().dense ? 10 : 0.5;
    EXPECT_TRUE(far("drift of tasks", "growth of tasks in system", 0.3 * scale));
    EXPECT_TRUE(far("drift of tasks^2", "growth of tasks^2", 5 * scale));
}

INSTANTIATE_TEST_SUITE_P(
    Simulators, RecordedDrift,
    testing::Values(DriftCase{"wang-jsq-maxweight", true, false}, DriftCase{"wang-jsq-maxweight", true, true},
                    DriftCase{"jsq-maxweight", true, false}, DriftCase{"balanced-pandas", true, false},
                    DriftCase{"balanced-pandas", false, false}, DriftCase{"wang-jsq-maxweight", false, false},
                    DriftCase{"generalized-cmu", false, false}, DriftCase{"fifo", false, true}),
    [](const auto& test) {
        std::string name =
            test.param.policy + (test.param.dense ? "_many" : "_two") + (test.param.indexed ? "_indexed" : "");
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

/// Where nothing is random, drift is growth: as many tasks come in each slot, and each service takes one.
TEST(RecordedDriftOfCertainty, IsTheGrowthItself) {
    const SimulatedSystem system = ring(20, Rational(19), {Rational(1), *Rational::parse("1/2")}, true);
    const SlottedSettings settings = with_drift(200, 10);
    const auto quantities = slotted_quantities(system, settings);
    for (const bool indexed : {false, true})
        for (const Observation& o :
             observations(system, queueing::make_policy("join-shortest-queue"), settings, 3, indexed))
            for (const Batch& batch : o.batches) {
                EXPECT_EQ(batch.tallies[index_of(quantities, "drift of tasks")].sum,
                          batch.tallies[index_of(quantities, "growth of tasks in system")].sum);
                EXPECT_EQ(batch.tallies[index_of(quantities, "drift of tasks^2")].sum,
                          batch.tallies[index_of(quantities, "growth of tasks^2")].sum);
            }
}

/// Recording changes nothing else, and the instructions of the machine not a bit.
TEST(RecordedDrift, ChangesNothingElseAndDependsOnNoInstructions) {
    const auto same_but_drift = [](const Observation& plain, const Observation& drift) {
        ASSERT_EQ(plain.batches.size(), drift.batches.size());
        for (std::size_t b = 0; b < plain.batches.size(); ++b) {
            const auto& more = drift.batches[b].tallies;
            const std::size_t size = plain.batches[b].tallies.size();
            ASSERT_EQ(more.size(), size + 3);
            EXPECT_EQ(plain.batches[b].tallies, std::vector<Tally>(more.begin(), more.end() - 3));
            for (std::size_t q = 0; q < size; ++q)
                EXPECT_EQ(plain.batches[b].histograms[q], drift.batches[b].histograms[q]);
        }
    };
    for (const char* id : {"wang-jsq-maxweight", "balanced-pandas", "jsq-maxweight"}) {
        SCOPED_TRACE(id);
        const queueing::AnyPolicy policy = queueing::make_policy(id);
        for (const SimulatedSystem& system : {ring(40, Rational(22)), SimulatedSystem{instance_of("m2-shared")}}) {
            SlottedSettings settings = with_drift(600, 6);
            const auto drift = observations(system, policy, settings, 3, false);
            settings.drift = false;
            const auto plain = observations(system, policy, settings, 3, false);
            for (std::size_t r = 0; r < 3; ++r) same_but_drift(plain[r], drift[r]);
        }
        const SlottedSettings settings = with_drift(600, 6);
        const SimulatedSystem many = ring(40, Rational(22)), two{instance_of("m2-shared")};
        const LanePlan plan = LanePlan::make(two, policy, settings).value();
        const std::vector<Replication> replications{{1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 4}};
        std::optional<Observation> dense;
        std::optional<std::vector<Observation>> lanes;
        for (const SimdLevel simd : instructions_here()) {
            const Observation seen = policy.info().id == "balanced-pandas"
                                         ? DenseWorkloads(many, policy, settings, {1, 0}, simd).run({})
                                         : DenseRun(many, policy, settings, {1, 0}, simd).run({});
            const auto side_by_side =
                ReplicationLanes(plan, settings,
                                 std::span(replications).first(ReplicationLanes::most(simd) < 5 ? 4 : 5), simd)
                    .run({});
            if (dense) {
                EXPECT_EQ(seen, *dense);
                for (std::size_t r = 0; r < lanes->size(); ++r) EXPECT_EQ(side_by_side[r], (*lanes)[r]);
            } else {
                dense = seen;
                lanes = side_by_side;
            }
        }
    }
}

// ---- intervals ----

/// Two independent queues: with probability a a task comes in a slot, served from then on with probability 4/5 a slot.
/// A slot lifts a queue with probability a/5, lowers it with 4(1-a)/5. Little: a task is there one slot longer than it
/// is counted between slots.
struct KnownMeans {
    double tasks, delay;
};
KnownMeans two_queues(double a) {
    const double r = a / (4 * (1 - a));
    return {2 * r / (1 - r), r / (1 - r) / a + 1};
}
SimulatedSystem two_queues_at(const char* scale) {
    return {std::make_shared<const Instance>(with_load(*instance_of("m2-half"), *Rational::parse(scale)))};
}

struct Coverage {
    std::size_t plain = 0, controlled = 0, off = 0, used = 0;  ///< studies
    double ratio = 0;                                          ///< mean of controlled over plain half widths
};

/// Of studies of so many runs each; `off`: intervals that cover a mean five of their half widths away.
Coverage coverage(const Experiment& experiment, const std::string& quantity, double exact, std::size_t studies,
                  std::size_t runs, double warm_up = 500) {
    Coverage count;
    const auto seen = runs::replicate(experiment, {11, 0}, studies * runs, 1);
    const std::size_t q = index_of(experiment.quantities(), quantity);
    runs::SummaryOptions options;
    options.warm_up = warm_up;
    for (std::size_t s = 0; s < studies; ++s) {
        const runs::Summary summary =
            runs::summarise(experiment.quantities(), std::span(seen).subspan(s * runs, runs), options);
        const auto& of = summary.quantities[q];
        count.plain += std::abs(of.estimate->mean - exact) <= *of.estimate->half_width ? 1 : 0;
        if (!of.controlled || !summary.left_out.empty()) continue;
        ++count.used;
        const statistics::Estimate& estimate = of.controlled->estimate;
        count.controlled += std::abs(estimate.mean - exact) <= *estimate.half_width ? 1 : 0;
        count.off += std::abs(estimate.mean - exact - 5 * *estimate.half_width) <= *estimate.half_width ? 1 : 0;
        count.ratio += *estimate.half_width / *of.estimate->half_width;
    }
    count.ratio /= static_cast<double>(count.used);
    return count;
}

/// Whether so many of n is no surprise at 95 %.
bool plausible(std::size_t covered, std::size_t n) {
    return statistics::binomial_at_most(covered, n, 0.95) > 5e-5 &&
           1 - (covered == 0 ? 0 : statistics::binomial_at_most(covered - 1, n, 0.95)) > 5e-5;
}

TEST(ControlledByDrift, IntervalsCoverExactMeansAndAreShorter) {
    struct {
        const char* scale;
        double a;
        std::uint64_t slots;
        std::size_t runs;
        double shorter;  ///< at most this part of the plain ones
    } const cases[] = {{"1", 0.5, 2'500, 10, 0.95}, {"3/2", 0.75, 10'500, 12, 0.7}, {"3/2", 0.75, 100'500, 1, 0.65}};
    constexpr std::size_t studies = 200;
    for (const auto& c : cases) {
        SCOPED_TRACE(std::to_string(c.a) + ", " + std::to_string(c.runs) + " runs");
        const KnownMeans exact = two_queues(c.a);
        const auto experiment = slotted_experiment(two_queues_at(c.scale), queueing::make_policy("join-shortest-queue"),
                                                   with_drift(c.slots, c.slots / 100));
        for (const auto& [name, mean] :
             {std::pair("tasks in system", exact.tasks), std::pair("task delay", exact.delay)}) {
            const Coverage count = coverage(*experiment, name, mean, studies, c.runs);
            std::printf("a = %g, %zu runs, %s: %zu plain and %zu of %zu controlled cover; half width %.3f\n", c.a,
                        c.runs, name, count.plain, count.controlled, count.used, count.ratio);
            EXPECT_GT(count.used, studies * 95 / 100);
            EXPECT_TRUE(plausible(count.controlled, count.used)) << name << ": " << count.controlled;
            EXPECT_FALSE(plausible(count.off, count.used)) << name;
            EXPECT_LT(count.ratio, c.shorter) << name;
        }
    }
}

/// FIFO is unstable there below the capacity: the number of tasks grows in every run.
TEST(ControlledByDrift, WhatGrowsIsNotTakenForStationary) {
    const SimulatedSystem system{std::make_shared<const Instance>(with_load(*instance_of("n1-fifo"), Rational(1)))};
    const auto growing = slotted_experiment(system, queueing::make_policy("fifo"), with_drift(40'000, 100));
    for (const std::size_t runs : {std::size_t{1}, std::size_t{12}}) {
        const auto seen = runs::replicate(*growing, {1, 0}, runs, 1);
        const runs::Summary summary = runs::summarise(growing->quantities(), seen, {});
        ASSERT_EQ(summary.left_out.size(), 2U) << runs;
        EXPECT_EQ(growing->quantities()[summary.left_out[0].shown].name, "growth of tasks^2");
        EXPECT_GT(summary.left_out[0].seen.mean - *summary.left_out[0].seen.half_width, 0);
        for (const auto& quantity : summary.quantities)
            for (const std::size_t used : quantity.controlled ? quantity.controlled->used : std::vector<std::size_t>{})
                EXPECT_EQ(growing->quantities()[used].name, "arrivals");
    }
}

// ---- starts near the level ----

/// So many tasks, counted and listed alike, no server busy, and once more the same.
RC_GTEST_PROP(FilledStart, IsAStateOfThePolicy, ()) {
    const auto instance = instance_of(*rc::gen::element<std::string>("m2-half", "m2-shared", "n1-fifo"));
    std::vector<queueing::AnyPolicy> able;
    for (const queueing::PolicyInfo& info : queueing::policies()) {
        try {
            able.push_back(queueing::make_policy(std::string(info.id), *instance, capacity::fluid_plan));
            static_cast<void>(able.back().layout(*instance));
        } catch (const InputError&) {
            if (!able.empty() && able.back().info().id == info.id) able.pop_back();
        }
    }
    const queueing::AnyPolicy policy = able[*rc::gen::inRange<std::size_t>(0, able.size())];
    const auto tasks = *rc::gen::inRange<std::uint64_t>(1, 200);
    const StartState start = filled({instance}, policy, tasks);
    const queueing::Kernel<CheckedInt> kernel(*instance, policy);
    kernel.require_valid(*start);
    std::uint64_t all = 0;
    for (const CheckedInt length : start->length) all += static_cast<std::uint64_t>(length.value());
    RC_ASSERT(all == tasks);
    for (const queueing::Service& service : start->serving) RC_ASSERT(service == queueing::Service{});
    RC_ASSERT(*filled({instance}, policy, tasks) == *start);
}

/// The policy puts the tasks there: all choose the shorter of two queues, or each its own.
TEST(FilledStart, LiesAsThePolicyLaysIt) {
    const auto lengths = [](const char* id) {
        const auto instance = instance_of("m2-shared");
        return filled({instance}, queueing::make_policy(id), 1001)->length;
    };
    const auto shortest = lengths("join-shortest-queue");
    const auto [least, most] = std::minmax_element(shortest.begin(), shortest.end());
    EXPECT_EQ(*most, *least + CheckedInt(1));
    EXPECT_NE(lengths("random-local"), shortest);
}

/// Wang's cluster at load 0.99 settles at 118,950 tasks, and is filled from the empty state in 20,000 slots; the
/// pilot's two runs have 2,000. Without a zero to be found, the level is at most four times what a run comes to.
TEST(SettledLevel, IsFoundInRunsShorterThanTheWarmUp) {
    const SimulatedSystem wang{
        std::make_shared<const Instance>(with_load(*instance_of("wang-cluster"), *Rational::parse("187/175")))};
    const auto level = settled_level(wang, queueing::make_policy("wang-jsq-maxweight"), {2'000, 1});
    EXPECT_NEAR(static_cast<double>(level), 118'950, 0.04 * 118'950);
    const SimulatedSystem light = two_queues_at("1");
    EXPECT_NEAR(static_cast<double>(settled_level(light, queueing::make_policy("join-shortest-queue"), {20'000, 1})), 1,
                1);
    EXPECT_THROW(static_cast<void>(settled_level(light, queueing::make_policy("join-shortest-queue"), {3, 1})),
                 InputError);
    EXPECT_THROW(static_cast<void>(filled(ring(20, Rational(5)), queueing::make_policy("join-shortest-queue"), 1)),
                 InputError);
}

/// From the level, intervals cover after a short warm-up where runs are many times as long as the number of tasks takes
/// to forget its start. Where they are but twice as long, 3,000 slots, and controls explain little, no test tells them
/// from stationary ones, from whatever start; then they cover more often than from the empty system. From eight times
/// the level at once, hardly any study covers: the controls are left out, or the interval is elsewhere. `schedproof
/// mean` certifies that the first mean is in [14.516, 14.5164].
TEST(ControlledByDrift, IntervalsFromTheLevelCoverAfterAShortWarmUp) {
    struct {
        const char *policy, *scale;
        double exact;
        bool forgets;
    } const cases[] = {{"jsq-maxweight", "3/2", 14.5162, true},
                       {"join-shortest-queue", "158/100", two_queues(0.79).tasks, false}};
    constexpr std::size_t studies = 150, runs = 10;
    for (const auto& c : cases) {
        SCOPED_TRACE(c.policy);
        const queueing::AnyPolicy policy = queueing::make_policy(c.policy);
        const SimulatedSystem system = two_queues_at(c.scale);
        SlottedSettings settings = with_drift(6'000, 60);
        const auto from = [&](const StartState& start, double warm_up) {
            settings.start = start;
            return coverage(*slotted_experiment(system, policy, settings), "tasks in system", c.exact, studies, runs,
                            warm_up);
        };
        const std::uint64_t level = settled_level(system, policy, settings);
        const Coverage near = from(filled(system, policy, level), 300), empty = from(nullptr, 300),
                       far = from(filled(system, policy, 8 * level), 0);
        std::printf("%s: %zu of %zu controlled cover from %llu, %zu of %zu from none, %zu of %zu from eight times\n",
                    c.policy, near.controlled, near.used, static_cast<unsigned long long>(level), empty.controlled,
                    empty.used, far.controlled, far.used);
        EXPECT_GT(near.used, studies * 95 / 100);
        if (c.forgets) {
            EXPECT_TRUE(plausible(near.controlled, near.used)) << near.controlled;
        } else {
            EXPECT_GT(near.controlled * empty.used, empty.controlled * near.used);
        }
        EXPECT_FALSE(plausible(near.off, near.used));
        EXPECT_FALSE(plausible(far.controlled, studies)) << far.controlled;
    }
}

/// A pilot under an unstable policy finds some level, from which runs grow as well.
TEST(ControlledByDrift, WhatGrowsFromAPilotsLevelIsNotTakenForStationary) {
    const SimulatedSystem system{std::make_shared<const Instance>(with_load(*instance_of("n1-fifo"), Rational(1)))};
    const queueing::AnyPolicy fifo = queueing::make_policy("fifo");
    SlottedSettings settings = with_drift(40'000, 100);
    settings.start = filled(system, fifo, settled_level(system, fifo, settings));
    const auto growing = slotted_experiment(system, fifo, settings);
    const auto seen = runs::replicate(*growing, {1, 0}, 12, 1);
    EXPECT_EQ(runs::summarise(growing->quantities(), seen, {}).left_out.size(), 2U);
}

/// Runs that do not grow, with drifts one apart from their mean at most: the exact mean, 0 or another, may be two
/// farther than the nearest of them.
RC_GTEST_PROP(ControlledByDrift, IsNoFartherThanRunsAreFromEachOther, ()) {
    const double exact = *rc::gen::inRange(-5, 5);
    const std::vector<Quantity> quantities{
        {"tasks in system", "task"},
        {"drift of tasks", "task/slot", false, 1, exact, "growth of tasks in system"},
        {"growth of tasks in system", "task/slot"}};
    const int runs = 2 * *rc::gen::inRange(4, 20);
    const double off = (*rc::gen::inRange(-80, 80) + 0.5) / 10.0;
    std::vector<Observation> seen(static_cast<std::size_t>(runs), Observation{1, {}, 0});
    for (int r = 0; r < runs; ++r) {
        const double sign = r % 2 == 0 ? 1 : -1, apart = r < 2 ? sign : sign * *rc::gen::inRange(0, 10) / 10;
        seen[static_cast<std::size_t>(r)].batches.push_back(
            {{{10 + apart, 1}, {exact + off + apart, 1}, {sign, 1}}, {{}, {}, {}}});
    }
    const runs::Summary summary = runs::summarise(quantities, seen, {});
    const bool far = std::abs(off) > 3;
    RC_ASSERT(summary.left_out.size() == (far ? 1U : 0U));
    RC_ASSERT(summary.quantities.front().controlled.has_value() != far);
    if (far) {
        RC_ASSERT(quantities[summary.left_out[0].shown].name == "drift of tasks");
        RC_ASSERT(summary.left_out[0].lower == exact && summary.left_out[0].upper == exact);
    } else {
        RC_ASSERT(std::abs(summary.quantities.front().controlled->estimate.mean - (10 - off)) < 1e-9);
    }
}

/// Where the number of tasks is at its level and other things are not, the drift shows it.
TEST(ControlledByDrift, WarmUpsAreJudgedOnTheDriftAsWell) {
    const std::vector<Quantity> quantities{{"tasks in system", "task"},
                                           {"drift of tasks", "task/slot", false, 1, 0, "growth of tasks in system"},
                                           {"growth of tasks in system", "task/slot"}};
    const auto cut = [&](double early) {
        Observation run{1, {}, 0};
        for (int b = 0; b < 200; ++b) {
            const double wave = b % 2 == 0 ? 1 : -1;
            run.batches.push_back({{{10 + wave, 1}, {b < 50 ? early : wave, 1}, {wave, 1}}, {{}, {}, {}}});
        }
        return runs::warm_up(quantities, std::span(&run, 1), {}).batches;
    };
    EXPECT_EQ(cut(0), 0U);
    EXPECT_EQ(cut(30), 50U);
}

/// Ten replications bear two controls, twelve three.
TEST(ControlledByDrift, TakesAsManyControlsAsReplicationsBear) {
    const auto experiment =
        slotted_experiment(two_queues_at("1"), queueing::make_policy("join-shortest-queue"), with_drift(2'000, 100));
    const auto& quantities = experiment->quantities();
    const std::vector<std::size_t> all{index_of(quantities, "drift of tasks^2"), index_of(quantities, "drift of tasks"),
                                       index_of(quantities, "arrivals")};
    const auto used = [&](std::size_t runs) {
        const auto seen = runs::replicate(*experiment, {5, 0}, runs, 1);
        const runs::Summary summary = runs::summarise(quantities, seen, {});
        const auto& controlled = summary.quantities.front().controlled;
        return controlled ? controlled->used : std::vector<std::size_t>{};
    };
    EXPECT_EQ(used(7), std::vector<std::size_t>{});
    EXPECT_EQ(used(8), std::vector<std::size_t>(all.begin(), all.begin() + 1));
    EXPECT_EQ(used(11), std::vector<std::size_t>(all.begin(), all.begin() + 2));
    EXPECT_EQ(used(12), all);
    EXPECT_EQ(used(1), all);
}

TEST(ControlledByDrift, IsRefusedWhereWhatJoinsDependsOnTheState) {
    SlottedSettings settings = with_drift(100, 10);
    settings.truncation = {queueing::Truncation::Rule::total, 5};
    EXPECT_THROW(
        static_cast<void>(slotted_experiment({instance_of("m2-half")}, queueing::make_policy("fifo"), settings)),
        InputError);
}

TEST(ControlledByDrift, UnitsKeepWhatTheControlsDependOn) {
    const auto experiment =
        slotted_experiment(two_queues_at("1"), queueing::make_policy("join-shortest-queue"), with_drift(100, 10));
    const runs::Unit unit{"1", {"simulate"}, {1, 0}, {}, "slot", experiment->quantities(), experiment->run({1, 0}, {})};
    const runs::Unit back = runs::parse_unit(to_text(unit), "unit");
    EXPECT_EQ(back.observation, unit.observation);
    EXPECT_TRUE(runs::are_controlled(back.quantities));
    for (std::size_t q = 0; q < unit.quantities.size(); ++q)
        EXPECT_EQ(back.quantities[q].stationary_if, unit.quantities[q].stationary_if);
}

}  // namespace
}  // namespace schedproof::simulation
