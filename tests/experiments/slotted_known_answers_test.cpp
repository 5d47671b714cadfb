/// The simulator in slots against exact answers: intervals over many seeds cover the exact mean as often as they say.
///
/// A run's interval is that of its batch means, at 95 %. Over n seeds the number of intervals that cover the exact
/// value is binomial; a count outside the central 99.99 % of that law refutes the simulator, or the interval. The same
/// test with the exact value off by a few per cent must fail: it can.
#include <gtest/gtest.h>

#include "experiments/simulators/slotted/dense_run.hpp"
#include "experiments/simulators/slotted/dense_workloads.hpp"
#include "experiments/simulators/slotted/slotted.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "experiments/statistics/intervals.hpp"
#include "model/markov/stationary.hpp"
#include "model/queueing/codec/codec.hpp"
#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/join_shortest_queue.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "tests/experiments/simulated_systems.hpp"
#include "tests/support/test_name.hpp"

namespace schedproof::simulation {
namespace {

using queueing::ExactSystem;
using queueing::Instance;
using queueing::Truncation;

constexpr double confidence = 0.95;
constexpr std::size_t seeds = 120;

/// How many of the seeds' intervals cover `exact`.
std::size_t coverage(const Experiment& experiment, std::size_t quantity, double exact) {
    std::size_t covered = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const Observation o = experiment.run({seed, 0}, {});
        std::vector<statistics::Part> parts;
        for (std::size_t b = o.batches.size() / 20; b < o.batches.size(); ++b)  // the start is empty: left out
            parts.push_back({o.batches[b].tallies[quantity].sum, o.batches[b].tallies[quantity].weight});
        const auto means = statistics::batch_means(parts, 19, confidence);
        covered += std::abs(means.estimate.mean - exact) <= *means.estimate.half_width ? 1 : 0;
    }
    return covered;
}

/// Whether so many of `seeds` is no surprise.
bool plausible(std::size_t covered) {
    return statistics::binomial_at_most(covered, seeds, confidence) > 5e-5 &&
           1 - (covered == 0 ? 0 : statistics::binomial_at_most(covered - 1, seeds, confidence)) > 5e-5;
}

struct KnownChain {
    std::string instance, policy;
    Truncation truncation;
};

class KnownChains : public testing::TestWithParam<KnownChain> {};

TEST_P(KnownChains, IntervalsCoverTheExactMeans) {
    const auto instance = instance_of(GetParam().instance);
    const auto policy = queueing::make_policy(GetParam().policy, *instance, capacity::fluid_plan);
    const queueing::Chain chain = ExactSystem(*instance, policy, GetParam().truncation).chain();
    std::vector<std::vector<Rational>> functions(3);  // tasks, tasks that do not wait, completions
    for (std::size_t s = 0; s < chain.states.size(); ++s) {
        std::int64_t tasks = 0, busy = 0;
        for (const CheckedInt length : chain.states[s].length) tasks += length.value();
        for (const queueing::Service& service : chain.states[s].serving)
            busy += service.status == queueing::Service::Status::busy ? 1 : 0;
        functions[0].emplace_back(tasks);
        functions[1].emplace_back(tasks - busy);
        functions[2].push_back(chain.completed[s]);
    }
    const std::vector<Rational> exact = markov::stationary_means(chain.matrix, functions);
    // Counts alone, where the layout allows it, come from the simulator of all servers side by side.
    for (const bool delays : {false, true}) {
        SCOPED_TRACE(delays ? "with delays" : "counts only");
        const auto experiment = slotted_experiment({instance}, policy, {20'000, 200, delays, GetParam().truncation});
        const std::size_t quantity[] = {0, 1, 3};
        ASSERT_EQ(experiment->quantities()[3].name, "completions");
        for (std::size_t f = 0; f < 3; ++f) {
            const std::size_t covered = coverage(*experiment, quantity[f], exact[f].approximate());
            EXPECT_TRUE(plausible(covered)) << experiment->quantities()[quantity[f]].name << ": " << covered << " of "
                                            << seeds << " cover " << display(exact[f]);
        }
        EXPECT_FALSE(plausible(coverage(*experiment, 0, 1.05 * exact[0].approximate())));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Queueing, KnownChains,
    testing::Values(KnownChain{"m2-half", "wang-jsq-maxweight", {Truncation::Rule::total, 6}},
                    KnownChain{"m2-half", "jsq-maxweight", {Truncation::Rule::total, 6}},
                    KnownChain{"m2-shared", "jsq-maxweight", {Truncation::Rule::queue, 3}},
                    KnownChain{"m2-half", "pandas", {Truncation::Rule::total, 6}},
                    KnownChain{"m2-shared", "pandas:rackaware", {Truncation::Rule::total, 5}},
                    KnownChain{"m2-half", "balanced-pandas", {Truncation::Rule::total, 4}},
                    KnownChain{"m2-half", "balanced-pandas:idle", {Truncation::Rule::total, 4}},
                    KnownChain{"m2-half", "generalized-cmu", {Truncation::Rule::total, 6}},
                    KnownChain{"m2-shared", "fluid-model-planning:static", {Truncation::Rule::queue, 2}},
                    KnownChain{"n1-fifo", "fifo", {Truncation::Rule::total, 6}},
                    KnownChain{"m2-half", "random-local", {Truncation::Rule::queue, 3}},
                    KnownChain{"m2-half", "random-any", {Truncation::Rule::queue, 2}},
                    KnownChain{"m2-shared", "join-shortest-queue", {Truncation::Rule::total, 6}}),
    [](const auto& known) { return testing_support::test_name(known.param.instance + "_" + known.param.policy); });

/// The cost of Q is c Q^(e + 1), of tasks in execution too, with other costs and exponents for each type.
TEST(SlottedKnownAnswers, HoldingCosts) {
    queueing::InstanceData data = instance_of("m2-half")->data();
    data.types[0].cost = Rational(3);
    data.types[1].exponent = 2;
    const auto instance = std::make_shared<const Instance>(std::move(data));
    const auto policy = queueing::make_policy("generalized-cmu", *instance, {});
    const Truncation truncation{Truncation::Rule::total, 6};
    const queueing::Chain chain = ExactSystem(*instance, policy, truncation).chain();
    std::vector<std::vector<Rational>> cost(1);
    for (const queueing::ExactState& state : chain.states) {
        const Rational first(state.length[0].value()), second(state.length[1].value());
        const Rational half(Integer(1), Integer(2));
        cost.front().push_back(Rational(3) * first * first + half * second * second * second);
    }
    const double exact = markov::stationary_means(chain.matrix, cost).front().approximate();
    SlottedSettings settings{20'000, 200, false, truncation};
    settings.costs = true;
    const auto experiment = slotted_experiment({instance}, policy, settings);
    std::size_t quantity = 0;
    while (experiment->quantities()[quantity].name != "holding cost") ++quantity;
    EXPECT_TRUE(plausible(coverage(*experiment, quantity, exact))) << exact;
    EXPECT_FALSE(plausible(coverage(*experiment, quantity, 1.05 * exact)));
}

/// Geo/Geo/1: one server, a task with probability a in each slot, which is served from that slot on and completes with
/// probability s in each. A slot lifts Q by one with probability a (1 - s), at any Q, and lowers it with (1 - a) s.
TEST(SlottedKnownAnswers, GeoGeo1) {
    const Rational a(Integer(1), Integer(2)), s(Integer(3), Integer(4));
    queueing::InstanceData data;
    data.name = "geo-geo-1";
    data.levels = {{"local", s}, {"remote", s / Rational(2)}};
    data.servers = {{"s0", {}}};
    data.types = {{"A", {ServerId(0)}}};
    data.rates = {a};
    data.arrivals = queueing::ArrivalLaw::bernoulli(std::vector<Rational>{a});
    const auto instance = std::make_shared<const Instance>(std::move(data));
    // Balance between n and n + 1: P(Q = n) = (1 - r) r^n.
    const Rational r = a * (Rational(1) - s) / (s * (Rational(1) - a));
    const Rational mean = r / (Rational(1) - r);
    const auto experiment = slotted_experiment({instance}, queueing::JoinShortestQueue{}, {20'000, 200, true, {}});
    EXPECT_TRUE(plausible(coverage(*experiment, 0, mean.approximate()))) << display(mean);
    // Little's law: a task is there for its delay, slot ends counted.
    const auto& quantities = experiment->quantities();
    std::size_t delay = 0;
    while (quantities[delay].name != "task delay") ++delay;
    EXPECT_TRUE(plausible(coverage(*experiment, delay, (mean / a + Rational(1)).approximate())));
    EXPECT_FALSE(plausible(coverage(*experiment, delay, 1.03 * (mean / a + Rational(1)).approximate())));
}

/// A task that starts in the slot in which it came leaves a queue's waiting tasks as they were: where only those count,
/// no length may run below zero on the way. More than sixteen replicas are kept in order of their queues.
TEST(SlottedKnownAnswers, ManyReplicasWhereOnlyWaitingTasksCount) {
    queueing::InstanceData data;
    data.name = "seventeen";
    data.levels = {{"local", Rational(1) / Rational(2)}, {"remote", Rational(1) / Rational(4)}};
    std::vector<ServerId> everywhere;
    for (std::size_t m = 0; m < 17; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        everywhere.emplace_back(m);
    }
    data.types = {{"A", everywhere}};
    data.arrivals = queueing::ArrivalLaw({queueing::ArrivalFactor(
        {TaskTypeId(0)}, {{{3}, Rational(1) / Rational(2)}, {{4}, Rational(1) / Rational(2)}})});
    data.rates = data.arrivals->means(1);
    data.options.counting = queueing::Counting::waiting;
    const auto instance = std::make_shared<const Instance>(std::move(data));
    const SimulatedSystem system{instance};
    const queueing::JoinShortestQueue policy;
    const auto mean_tasks = [&](bool delays) {
        const auto experiment = slotted_experiment(system, policy, {20'000, 20, delays, {}});
        Tally tasks;
        for (const Batch& batch : experiment->run({1, 0}, {}).batches)
            tasks.add(batch.tallies[0].sum, batch.tallies[0].weight);
        return tasks.sum / tasks.weight;
    };
    // 3.5 tasks a slot are in service for two slots each, and counted at the end of the first; some wait beside.
    EXPECT_GT(mean_tasks(true), 3.5);
    EXPECT_NEAR(mean_tasks(false), mean_tasks(true), 0.2);
}

SimulatedSystem random_cluster_of(std::uint32_t servers, std::uint32_t with_data,
                                  const Rational& tasks_of_a_server = Rational(3) / Rational(4)) {
    RandomCluster cluster;
    cluster.servers = servers;
    cluster.data_servers = with_data;
    cluster.rates = {Rational(4) / Rational(5), Rational(1) / Rational(5)};
    return random_cluster(cluster, PoissonArrivals{Rational(static_cast<std::int64_t>(with_data)) * tasks_of_a_server});
}

const std::vector<std::string> dense_policies{"wang-jsq-maxweight",  "jsq-maxweight", "pandas:plain",
                                              "join-shortest-queue", "random-local",  "balanced-pandas",
                                              "balanced-pandas:idle"};

/// By whichever of the two dense simulators suits.
Observation dense_run(const SimulatedSystem& system, const std::string& id, const SlottedSettings& settings,
                      const statistics::Replication& replication, SimdLevel simd = available_simd()) {
    const auto policy = queueing::make_policy(id, *system.instance, queueing::no_planner);
    if (dense_suits(system, policy)) return DenseRun(system, policy, settings, replication, simd).run({});
    require(dense_workloads_suit(system, policy, settings), "no dense simulator suits");
    return DenseWorkloads(system, policy, settings, replication, simd).run({});
}

TEST(DenseRuns, EverySetOfInstructionsGivesTheSameObservation) {
    queueing::InstanceData half = instance_of("m2-half")->data();
    half.options.routing = queueing::Routing::sequential;
    const SimulatedSystem small{std::make_shared<const Instance>(half)};
    for (const std::string& id : dense_policies)
        for (const SimulatedSystem& system : {small, random_cluster_of(90, 70)})
            for (const bool delays : {false, true}) {
                SCOPED_TRACE(id);
                const SlottedSettings settings{2000, 20, delays, {}};
                const Observation plain = dense_run(system, id, settings, {3, 1}, SimdLevel::none);
                for (const SimdLevel simd : {SimdLevel::avx2, SimdLevel::avx512}) {
                    if (simd > available_simd()) continue;
                    EXPECT_EQ(dense_run(system, id, settings, {3, 1}, simd), plain);
                }
            }
}

/// What is recorded beside changes no count: the first tallies of every batch are those of all counts.
TEST(DenseRuns, CountsAreTheSameWithDelaysAndWithout) {
    const SimulatedSystem system = random_cluster_of(90, 70);
    for (const std::string& id : dense_policies) {
        SCOPED_TRACE(id);
        const Observation with = dense_run(system, id, {2000, 20, true, {}}, {3, 1}),
                          without = dense_run(system, id, {2000, 20, false, {}}, {3, 1});
        ASSERT_EQ(with.batches.size(), without.batches.size());
        EXPECT_EQ(with.work, without.work);
        for (std::size_t b = 0; b < with.batches.size(); ++b) {
            auto tallies = with.batches[b].tallies;
            ASSERT_GT(tallies.size(), without.batches[b].tallies.size());
            tallies.resize(without.batches[b].tallies.size());
            EXPECT_EQ(tallies, without.batches[b].tallies);
        }
    }
}

/// Each task has a delay, which is at least its wait and one slot more.
TEST(DenseRuns, DelaysAreThoseOfTheIndexedSimulator) {
    const SimulatedSystem system = random_cluster_of(90, 70, Rational(3) / Rational(5));
    for (const std::string& id : dense_policies) {
        SCOPED_TRACE(id);
        const auto policy = queueing::make_policy(id, *system.instance, queueing::no_planner);
        const SlottedSettings settings{20'000, 20, true, {}};
        const auto means = [&](const Observation& o) {
            Tally delay, wait, tasks;
            for (const Batch& batch : o.batches) {
                delay.add(batch.tallies[batch.tallies.size() - 2].sum, batch.tallies[batch.tallies.size() - 2].weight);
                wait.add(batch.tallies.back().sum, batch.tallies.back().weight);
                tasks.add(batch.tallies[0].sum, batch.tallies[0].weight);
            }
            return std::array{delay.sum / delay.weight, wait.sum / wait.weight, tasks.sum / tasks.weight};
        };
        const auto dense = means(dense_run(system, id, settings, {3, 1})),
                   indexed = means(SlottedRun<>(system, policy, settings, {4, 1}).run({}));
        for (std::size_t i = 0; i < dense.size(); ++i) EXPECT_NEAR(dense[i] / indexed[i], 1, 0.05) << i;
        EXPECT_GE(dense[0], dense[1] + 1);
        // Little's law: slots between arrival and completion, ends of slots counted.
        EXPECT_NEAR(dense[2] / system.arrival_rate().approximate() + 1, dense[0], 0.02 * dense[0]);
    }
}

TEST(SlottedKnownAnswers, TheSameReplicationGivesTheSameBytes) {
    const auto instance = instance_of("n2-pandas");
    const auto one = slotted_experiment({instance}, queueing::BalancedPandas{}, {2000, 20, true, {}});
    const auto two = slotted_experiment({instance}, queueing::BalancedPandas{}, {2000, 20, true, {}});
    const Observation first = one->run({5, 3}, {});
    static_cast<void>(one->run({5, 4}, {}));
    EXPECT_EQ(first, two->run({5, 3}, {}));
    EXPECT_NE(first, two->run({5, 4}, {}));
}

}  // namespace
}  // namespace schedproof::simulation
