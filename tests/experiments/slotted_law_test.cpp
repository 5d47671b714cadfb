/// Laws of the simulators in slots: those of every server side by side (dense) against the kernel and against the one
/// that looks only where something happens; random replicas against an instance that lists every choice of them as a
/// type.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "experiments/simulators/slotted/dense_run.hpp"
#include "experiments/simulators/slotted/dense_workloads.hpp"
#include "experiments/simulators/slotted/replication_lanes.hpp"
#include "experiments/simulators/slotted/slotted.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/join_shortest_queue.hpp"
#include "tests/experiments/queueing_laws.hpp"
#include "tests/experiments/simulated_systems.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/test_name.hpp"

namespace schedproof::simulation {
namespace {

using queueing::Instance;
using queueing::InstanceData;

queueing::AnyPolicy policy_of(const std::string& id, const Instance& instance) {
    return queueing::make_policy(id, instance, queueing::no_planner);
}

/// Policies whose rules the dense simulator knows.
const std::vector<std::string> dense_ids{"wang-jsq-maxweight", "jsq-maxweight", "pandas:plain",
                                         "pandas:rackaware",   "random-local",  "join-shortest-queue"};

class DensePolicy : public testing::TestWithParam<std::string> {};

/// One more random instance and choice of options with every case; a p-value below the bound would come by chance in
/// one of ten million. `like`: a registered policy of the same queues.
template <class PolicyOn>
void expect_the_kernels_law(const std::string& name, const std::string& like, PolicyOn&& policy_on) {
    std::size_t compared = 0;
    EXPECT_TRUE(rc::check(name + ": queue lengths after some slots follow the exact law", [&] {
        const std::string& id = like;
        oracle::InstanceWish wish;
        wish.levels = *rc::gen::element<std::size_t>(2, 2, 3);
        InstanceData data = (*oracle::small_instance(id, wish)).data();
        data.options.unmatched = queueing::Unmatched::idle;
        data.options.scarcity = queueing::Scarcity::lowest_index;
        data.options.common_rate = queueing::CommonRate::remote;
        data.options.counting = queueing::Counting::in_system;
        data.options.empty_target = queueing::EmptyTarget::wasted;
        const SimulatedSystem system{std::make_shared<const Instance>(std::move(data))};
        SlottedSettings settings{100, 1, *rc::gen::arbitrary<bool>(), *oracle::any_truncation()};
        const queueing::AnyPolicy policy = policy_on(*system.instance);
        if (!dense_suits(system, policy)) return;
        ++compared;
        std::optional<queueing::ExactState> start;
        if (*rc::gen::arbitrary<bool>()) {
            start = *oracle::valid_state(*system.instance, oracle::queue_shape(*system.instance, id), 3);
            settings.start = std::make_shared<const queueing::ExactState>(*start);
        }
        const int slots = *rc::gen::inRange(1, 4);
        constexpr std::uint64_t runs = 300;
        const queueing::ExactSystem system_under_test(*system.instance, policy, settings.truncation);
        const auto exact = exact_lengths(system_under_test, slots, start);
        SeenLengths seen;
        for (std::uint64_t r = 0; r < runs; ++r) {
            DenseRun run(system, policy, settings, {13, r});
            for (int t = 0; t < slots; ++t) run.step();
            ++seen[lengths_of(run)];
        }
        RC_ASSERT(fit(exact, seen, static_cast<double>(runs)) > 1e-7);
    }));
    EXPECT_GT(compared, 40U);
}

TEST_P(DensePolicy, TheLawAfterSomeSlotsIsTheKernels) {
    const std::string id = GetParam();
    expect_the_kernels_law(id, id, [&](const Instance& instance) { return policy_of(id, instance); });
}

/// Lengths from which on servers help, alone and before or after their own queues.
TEST(DenseRun, HelpsFromAnyLengthOn) {
    using namespace queueing::language;
    expect_the_kernels_law("thresholds", "jsq-maxweight", [](const Instance&) {
        const Expression some = tasks(*rc::gen::inRange(0, 4));
        constexpr auto heaviest = argmax(nonempty(reachable), rate * length);
        const auto helped = *rc::gen::element(where(heaviest, length >= some), where(heaviest, length > some),
                                              where(heaviest, rate * length >= local_rate * some),
                                              where(heaviest, Ratio(2, 3) * length >= some));
        const auto set = *rc::gen::arbitrary<bool>() ? first_of(helped, own) : first_of(nonempty(own), helped, own);
        return queueing::AnyPolicy({"thresholds", "test", "help from a length on"},
                                   {keep(queueing::Arrangement::per_server), route(argmin(local, length)), serve(set)});
    });
}

/// What is seen of one run of a large cluster: sums over the queues of the first 64 servers, of the others, and of the
/// common queue; tasks in service; squares, which tell how evenly tasks lie.
constexpr std::size_t features = 5;
using Seen = std::array<double, features>;

template <class Run>
Seen features_of(Run&& run, int slots) {
    for (int t = 0; t < slots; ++t) run.step();
    Seen seen{};
    const auto& counts = run.counts();
    for (std::size_t q = 0; q < counts.size(); ++q) {
        const double length = counts[q].length[0];
        seen[q < 64 ? 0 : 1] += length;
        seen[2] += length * length;
        seen[3] += counts[q].in_service;
    }
    seen[4] = counts.back().length[0];
    return seen;
}

/// Largest distance of two samples' means, in standard errors of the difference.
double distance_of_means(const std::vector<Seen>& a, const std::vector<Seen>& b) {
    double largest = 0;
    const auto n = static_cast<double>(a.size());
    for (std::size_t f = 0; f < features; ++f) {
        const auto moments = [&](const std::vector<Seen>& sample) {
            double mean = 0, square = 0;
            for (const Seen& seen : sample) mean += seen[f] / n;
            for (const Seen& seen : sample) square += (seen[f] - mean) * (seen[f] - mean) / (n - 1);
            return std::pair{mean, square};
        };
        const auto [mean_a, variance_a] = moments(a);
        const auto [mean_b, variance_b] = moments(b);
        const double error = std::sqrt((variance_a + variance_b) / n);
        if (mean_a != mean_b) largest = std::max(largest, std::abs(mean_a - mean_b) / error);
    }
    return largest;
}

/// A cluster of several groups of lanes, the last one being incomplete.
RandomCluster large_cluster(statistics::Stream& stream, bool racks) {
    RandomCluster cluster;
    cluster.servers = static_cast<std::uint32_t>(65 + stream.below(62));
    cluster.data_servers = static_cast<std::uint32_t>(cluster.servers - stream.below(30));
    cluster.replicas = static_cast<std::uint32_t>(1 + stream.below(3));
    cluster.rack_size = racks && stream.below(2) == 0 ? 7 : 0;
    cluster.rates =
        cluster.rack_size == 0 ? std::vector{over(4, 5), over(1, 5)} : std::vector{Rational(1), over(1, 3), over(2, 7)};
    cluster.options.routing = stream.below(2) == 0 ? queueing::Routing::batch : queueing::Routing::sequential;
    return cluster;
}

/// Five features of two samples, each mean within five standard errors: by chance that fails once in 300,000 clusters.
TEST_P(DensePolicy, TheLawIsTheIndexedOneBeyondAGroupOfLanes) {
    const std::string id = GetParam();
    for (std::uint64_t number = 0; number < 6; ++number) {
        statistics::Stream stream({29, number}, "clusters of the test");
        const bool anywhere = id == "jsq-maxweight" || id.starts_with("pandas");  // racks matter to who helps
        const RandomCluster cluster = large_cluster(stream, !anywhere);
        const SimulatedSystem system = random_cluster(cluster, PoissonArrivals{over(cluster.servers, 2)}),
                              busier =
                                  random_cluster(cluster, PoissonArrivals{over(6 * std::int64_t{cluster.servers}, 10)});
        const SlottedSettings settings{100, 1, number % 2 == 1, {}};
        const auto policy = policy_of(id, *system.instance);
        ASSERT_TRUE(dense_suits(system, policy));
        constexpr std::uint64_t runs = 150;
        const int slots = 3 + static_cast<int>(stream.below(8));
        std::vector<Seen> dense, slotted, other;
        for (std::uint64_t r = 0; r < runs; ++r) {
            dense.push_back(features_of(DenseRun(system, policy, settings, {1, r}), slots));
            slotted.push_back(features_of(SlottedRun<>(system, policy, settings, {2, r}), slots));
            other.push_back(features_of(SlottedRun<>(busier, policy, settings, {3, r}), slots));
        }
        EXPECT_LT(distance_of_means(dense, slotted), 5) << number;
        EXPECT_GT(distance_of_means(dense, other), 5) << "another system must be told apart; " << number;
    }
}

class DenseWorkloadPolicy : public testing::TestWithParam<std::string> {};

TEST_P(DenseWorkloadPolicy, TheLawAfterSomeSlotsIsTheKernels) {
    const std::string id = GetParam();
    std::size_t compared = 0;
    EXPECT_TRUE(rc::check(id + ": queue lengths after some slots follow the exact law", [&] {
        oracle::InstanceWish wish;
        wish.levels = 2;
        InstanceData data = (*oracle::small_instance(id, wish)).data();
        data.options.unmatched = queueing::Unmatched::idle;
        data.options.routing = queueing::Routing::sequential;
        data.options.counting = queueing::Counting::in_system;
        data.options.empty_target = queueing::EmptyTarget::wasted;
        const SimulatedSystem system{std::make_shared<const Instance>(std::move(data))};
        const SlottedSettings settings{100, 1, *rc::gen::arbitrary<bool>(), {}};
        const auto policy = policy_of(id, *system.instance);
        if (!dense_workloads_suit(system, policy, settings)) return;
        ++compared;
        const int slots = *rc::gen::inRange(1, 4);
        constexpr std::uint64_t runs = 300;
        const auto exact = exact_lengths(queueing::ExactSystem(*system.instance, policy), slots);
        SeenLengths seen;
        for (std::uint64_t r = 0; r < runs; ++r) {
            DenseWorkloads run(system, policy, settings, {13, r});
            for (int t = 0; t < slots; ++t) run.step();
            ++seen[lengths_of(run)];
        }
        RC_ASSERT(fit(exact, seen, static_cast<double>(runs)) > 1e-7);
    }));
    EXPECT_GT(compared, 40U);
}

TEST_P(DenseWorkloadPolicy, TheLawIsTheIndexedOneBeyondAGroupOfLanes) {
    for (std::uint64_t number = 0; number < 6; ++number) {
        statistics::Stream stream({37, number}, "clusters of the test");
        RandomCluster cluster = large_cluster(stream, false);
        cluster.options.routing = queueing::Routing::sequential;
        const SimulatedSystem system = random_cluster(cluster, PoissonArrivals{over(cluster.servers, 2)}),
                              busier =
                                  random_cluster(cluster, PoissonArrivals{over(6 * std::int64_t{cluster.servers}, 10)});
        const SlottedSettings settings{100, 1, number % 2 == 1, {}};
        const auto policy = policy_of(GetParam(), *system.instance);
        ASSERT_TRUE(dense_workloads_suit(system, policy, settings));
        constexpr std::uint64_t runs = 150;
        const int slots = 3 + static_cast<int>(stream.below(8));
        std::vector<Seen> dense, indexed, other;
        for (std::uint64_t r = 0; r < runs; ++r) {
            dense.push_back(features_of(DenseWorkloads(system, policy, settings, {1, r}), slots));
            indexed.push_back(features_of(SlottedRun<>(system, policy, settings, {2, r}), slots));
            other.push_back(features_of(SlottedRun<>(busier, policy, settings, {3, r}), slots));
        }
        EXPECT_LT(distance_of_means(dense, indexed), 5) << number;
        EXPECT_GT(distance_of_means(dense, other), 5) << "another system must be told apart; " << number;
    }
}

INSTANTIATE_TEST_SUITE_P(Policies, DenseWorkloadPolicy, testing::Values("balanced-pandas", "balanced-pandas:idle"),
                         testing_support::named_by_id);

INSTANTIATE_TEST_SUITE_P(Policies, DensePolicy, testing::ValuesIn(dense_ids), testing_support::named_by_id);

/// Three servers and a common queue, at most one task a slot. A task from the common queue is served at the rate of its
/// own level, and its type is drawn when it starts; or at the remote rate.
SimulatedSystem with_common_queue(queueing::CommonRate rate) {
    InstanceData data;
    data.name = "revealed";
    data.levels = {{"local", Rational(1)}, {"remote", over(1, 10)}};
    data.servers = {{"s0", {}}, {"s1", {}}, {"s2", {}}};
    data.types = {{"A", {ServerId(0)}}, {"B", {ServerId(1), ServerId(2)}}};
    data.arrivals = queueing::ArrivalLaw({queueing::ArrivalFactor(
        {TaskTypeId(0), TaskTypeId(1)}, {{{0, 0}, over(1, 10)}, {{1, 0}, over(6, 10)}, {{0, 1}, over(3, 10)}})});
    data.rates = data.arrivals->means(2);
    data.options.common_rate = rate;
    data.options.reveal = queueing::Reveal::on_start;
    return {std::make_shared<const Instance>(std::move(data))};
}

/// The state of the dense simulator tells no level of a task from the common queue but the remote one.
TEST(DenseRun, LeavesTypesThatAreRevealedOnStartToTheIndexedSimulator) {
    const SimulatedSystem revealed = with_common_queue(queueing::CommonRate::by_type),
                          remote = with_common_queue(queueing::CommonRate::remote);
    const auto policy = policy_of("wang-jsq-maxweight", *revealed.instance);
    EXPECT_FALSE(dense_suits(revealed, policy));
    EXPECT_TRUE(dense_suits(remote, policy));
    EXPECT_FALSE(LanePlan::make(revealed, policy, {}));
    EXPECT_TRUE(LanePlan::make(remote, policy, {}));
    constexpr int slots = 4;
    constexpr std::uint64_t runs = 2000;
    const auto exact = exact_lengths(queueing::ExactSystem(*revealed.instance, policy), slots);
    for (const bool delays : {false, true})
        for (const SimulatedSystem* system : {&revealed, &remote}) {
            SeenLengths seen;
            for (std::uint64_t r = 0; r < runs; ++r) {
                SlottedRun<> run(*system, policy, {100, 1, delays, {}}, {47, r});
                for (int t = 0; t < slots; ++t) run.step();
                ++seen[lengths_of(run)];
            }
            const double p = fit(exact, seen, static_cast<double>(runs));
            if (system == &revealed)
                EXPECT_GT(p, 1e-7) << delays;
            else
                EXPECT_LT(p, 1e-7) << "the remote rate must be told apart";
        }
}

/// One server that gets a task in every slot and completes it with probability p.
SimulatedSystem lone_server(const Rational& p) {
    InstanceData data;
    data.name = "one";
    data.levels = {{"local", p}, {"remote", p / Rational(2)}};
    data.servers = {{"s0", {}}};
    data.types = {{"A", {ServerId(0)}}};
    data.rates = {Rational(1)};
    data.arrivals = queueing::ArrivalLaw::bernoulli(data.rates);
    return {std::make_shared<const Instance>(std::move(data))};
}

StartState tasks_at_lone_server(std::int64_t tasks, bool busy) {
    queueing::ExactState start;
    start.length = {CheckedInt(tasks)};
    start.serving = {busy ? queueing::Service{queueing::Service::Status::busy, Level(0), QueueId(0)}
                          : queueing::Service{}};
    return std::make_shared<const queueing::ExactState>(start);
}

/// A task comes and one leaves in every slot, first those of the start: a task that comes waits for as many slots as
/// there were tasks, and only tasks that come have a delay.
TEST(SlottedStart, TasksOfTheStartCountInLengthsAndNotInDelays) {
    const SimulatedSystem system = lone_server(Rational(1));
    constexpr double tasks = 7, slots = 40;
    for (const bool busy : {false, true}) {
        const SlottedSettings settings{40, 1, true, {}, tasks_at_lone_server(7, busy)};
        const auto seen = slotted_experiment(system, queueing::JoinShortestQueue{}, settings)->run({1, 0}, {});
        const auto quantities = slotted_quantities(system, settings);
        const auto tally = [&](const std::string& name) {
            for (std::size_t i = 0; i < quantities.size(); ++i)
                if (quantities[i].name == name) return seen.batches.front().tallies[i];
            return Tally{};
        };
        EXPECT_EQ(tally("tasks in system"), (Tally{tasks * slots, slots}));
        EXPECT_EQ(tally("completions"), (Tally{slots, slots}));
        EXPECT_EQ(tally("growth of tasks in system"), (Tally{0, slots}));
        EXPECT_EQ(tally("share started local").weight, busy ? slots - 1 : slots);
        EXPECT_EQ(tally("task wait"), (Tally{tasks * (slots - tasks), slots - tasks}));
        EXPECT_EQ(tally("task delay"), (Tally{(tasks + 1) * (slots - tasks), slots - tasks}));
    }
}

TEST(SlottedStart, WhatIsNoStateOfTheLayoutIsRefused) {
    const SimulatedSystem system = lone_server(Rational(1));
    const queueing::AnyPolicy policy = queueing::JoinShortestQueue{};
    const auto run = [&](const SimulatedSystem& on, StartState start) {
        static_cast<void>(slotted_experiment(on, policy, {40, 1, true, {}, std::move(start)}));
    };
    EXPECT_THROW(run(system, tasks_at_lone_server(0, true)), ContractViolation);
    EXPECT_THROW(run(system, tasks_at_lone_server(-1, false)), ContractViolation);
    EXPECT_THROW(run(system, tasks_at_lone_server(100'000'001, false)), InputError);
    queueing::ExactState two = *tasks_at_lone_server(1, false);
    two.length.push_back(CheckedInt(1));
    EXPECT_THROW(run(system, std::make_shared<const queueing::ExactState>(two)), ContractViolation);
    RandomCluster cluster;
    cluster.servers = cluster.data_servers = cluster.replicas = 1;
    cluster.rates = {over(4, 5), over(1, 5)};
    const SimulatedSystem random = random_cluster(cluster, FixedArrivals{1});
    EXPECT_THROW(run(random, tasks_at_lone_server(1, false)), InputError);
}

bool dense_run_completes_at_once(const Rational& p, std::uint64_t replication) {
    const SimulatedSystem system = lone_server(p);
    const queueing::AnyPolicy policy = queueing::JoinShortestQueue{};
    DenseRun run(system, policy, {100, 1, false, {}}, {17, replication});
    run.step();
    return run.counts()[0].length[0] == 0;
}

/// The random number that decides has more than 32 bits.
TEST(DenseRun, ProbabilitiesAreNotRounded) { expect_no_rounding(32, 250, dense_run_completes_at_once); }

// ---- random replicas ----

/// Three servers, in racks {0,1}, {2} with three levels, and every pair of them a type.
InstanceData pairs(const RandomCluster& cluster, std::uint32_t tasks) {
    InstanceData data = random_cluster(cluster, FixedArrivals{tasks}).instance->data();
    data.types.clear();
    data.rates.clear();
    for (std::size_t left_out = 3; left_out-- > 0;) {
        data.types.push_back({"without" + std::to_string(left_out), {}});
        for (std::size_t m = 0; m < 3; ++m)
            if (m != left_out) data.types.back().replicas.emplace_back(m);
    }
    std::vector<queueing::ArrivalOutcome> outcomes;
    for (std::uint32_t a = 0; a < 3; ++a)
        for (std::uint32_t b = 0; b < (tasks == 1 ? 1U : 3U); ++b) {
            std::vector<std::uint32_t> count(3, 0);
            ++count[a];
            if (tasks == 2) ++count[b];
            outcomes.push_back({count, tasks == 1 ? over(1, 3) : over(1, 9)});
        }
    data.arrivals =
        queueing::ArrivalLaw({queueing::ArrivalFactor({TaskTypeId(0), TaskTypeId(1), TaskTypeId(2)}, outcomes)});
    data.rates = data.arrivals->means(3);
    return data;
}

template <class Run>
SeenLengths seen_after(const SimulatedSystem& system, const queueing::AnyPolicy& policy, bool delays, int slots,
                       std::uint64_t runs) {
    SeenLengths seen;
    for (std::uint64_t r = 0; r < runs; ++r) {
        Run run(system, policy, {100, 1, delays, {}}, {23, r});
        for (int t = 0; t < slots; ++t) run.step();
        ++seen[lengths_of(run)];
    }
    return seen;
}

class RandomReplicasPolicy : public testing::TestWithParam<std::string> {};

/// In a batch the order of a slot's tasks makes no difference; one after another, tasks of listed types come in order
/// of their types, so there one comes alone. A p-value below the bound would come by chance in one of ten million.
TEST_P(RandomReplicasPolicy, HaveTheLawOfEveryPairAsAType) {
    const std::string id = GetParam();
    for (const std::uint32_t tasks : {1U, 2U})
        for (const std::uint64_t number : {0U, 1U, 2U, 3U}) {
            statistics::Stream stream({31, number + 4 * std::uint64_t{tasks}}, "clusters of the test");
            RandomCluster cluster;
            cluster.servers = cluster.data_servers = 3;
            cluster.replicas = 2;
            cluster.rack_size = number % 2 == 0 ? 0 : 2;
            cluster.rates =
                number % 2 == 0 ? std::vector{over(3, 5), over(1, 5)} : std::vector{over(3, 5), over(2, 5), over(1, 5)};
            cluster.options.routing = tasks == 1 ? queueing::Routing::sequential : queueing::Routing::batch;
            if (stream.below(2) == 0) cluster.options.counting = queueing::Counting::waiting;
            if (stream.below(2) == 0) cluster.options.empty_target = queueing::EmptyTarget::conserved;
            if (number >= 2) cluster.options.common_rate = queueing::CommonRate::by_type;
            if (number == 3) cluster.options.scarcity = queueing::Scarcity::uniform_subset;
            const SimulatedSystem system = random_cluster(cluster, FixedArrivals{tasks});
            SimulatedSystem fewer = system;
            fewer.random->data_servers = 2;
            const Instance listed(pairs(cluster, tasks));
            const auto policy = policy_of(id, listed);
            const int slots = tasks == 1 ? 3 : 2;
            constexpr std::uint64_t runs = 700;
            const auto exact = exact_lengths(queueing::ExactSystem(listed, policy), slots);
            for (const bool delays : {false, true}) {
                const auto seen = seen_after<SlottedRun<>>(system, policy, delays, slots, runs);
                EXPECT_GT(fit(exact, seen, static_cast<double>(runs)), 1e-7) << tasks << " " << number;
            }
            if (dense_suits(system, policy)) {
                const auto seen = seen_after<DenseRun>(system, policy, number % 2 == 1, slots, runs);
                EXPECT_GT(fit(exact, seen, static_cast<double>(runs)), 1e-7) << tasks << " " << number;
            }
            if (id == "fifo" || id == "random-any") continue;  // the number of tasks tells little, or nothing
            const auto seen = seen_after<SlottedRun<>>(fewer, policy, true, slots, runs);
            EXPECT_LT(fit(exact, seen, static_cast<double>(runs)), 1e-7) << "another law must be told apart";
        }
}

/// What large clusters do for speed changes no answer.
TEST_P(RandomReplicasPolicy, AreTheSameWhenMemoryIsFetchedAhead) {
    for (const bool racks : {false, true}) {
        RandomCluster cluster;
        cluster.servers = 90;
        cluster.data_servers = 70;
        cluster.rack_size = racks ? 9 : 0;
        cluster.rates = racks ? std::vector{over(3, 5), over(2, 5), over(1, 5)} : std::vector{over(3, 5), over(1, 5)};
        const SimulatedSystem system = random_cluster(cluster, PoissonArrivals{Rational(25)});
        const auto policy = policy_of(GetParam(), *system.instance);
        const SlottedSettings settings{400, 4, true, {}};
        const auto observed = [&](std::size_t beyond_caches, std::uint64_t seed) {
            return SlottedRun<>(system, policy, settings, {seed, 0}, {beyond_caches, 16}).run({});
        };
        EXPECT_EQ(observed(1, 3), observed(1000, 3));
        EXPECT_NE(observed(1, 3), observed(1, 4));
    }
}

INSTANTIATE_TEST_SUITE_P(Policies, RandomReplicasPolicy,
                         testing::Values("wang-jsq-maxweight", "jsq-maxweight", "pandas:plain", "pandas:rackaware",
                                         "balanced-pandas", "balanced-pandas:idle", "fifo", "random-local",
                                         "random-any", "join-shortest-queue"),
                         testing_support::named_by_id);

}  // namespace
}  // namespace schedproof::simulation
