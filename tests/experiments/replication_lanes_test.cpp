/// Replications side by side: each is what it is alone, for every set of instructions; the law is the exact kernel's,
/// for policies that nobody wrote and for those of the literature.
#include "experiments/simulators/slotted/replication_lanes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

#include "experiments/simulators/slotted/dense_run.hpp"
#include "experiments/simulators/slotted/slotted.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/join_shortest_queue.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "tests/experiments/queueing_laws.hpp"
#include "tests/experiments/simulated_systems.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/test_name.hpp"

namespace schedproof::simulation {
namespace {

using queueing::Instance;
using queueing::InstanceData;
using statistics::Replication;

struct Case {
    SimulatedSystem system;
    queueing::AnyPolicy policy;
    SlottedSettings settings;
    std::optional<LanePlan> plan = {};
};

/// An instance that lanes take, as far as its options say.
InstanceData with_options_of_lanes(InstanceData data) {
    data.options.unmatched = queueing::Unmatched::idle;
    data.options.scarcity = queueing::Scarcity::lowest_index;
    data.options.common_rate = queueing::CommonRate::remote;
    data.options.reveal = queueing::Reveal::on_arrival;
    return data;
}

/// Rules drawn from the whole language on a random instance, where they have a plan.
std::optional<Case> generated_case() {
    const queueing::Rules rules = *oracle::any_rules();
    oracle::InstanceWish wish{{std::nullopt, std::nullopt, *rc::gen::inRange<std::size_t>(1, 3)},
                              !rules.names_rates_of_levels()};
    InstanceData data = with_options_of_lanes((*oracle::small_instance(oracle::policy_of_layout(rules), wish)).data());
    Case made{{std::make_shared<const Instance>(std::move(data))},
              {{"generated", "test", "drawn at random"}, rules},
              {100, 1, *rc::gen::arbitrary<bool>(), *oracle::any_truncation()}};
    made.plan = LanePlan::make(made.system, made.policy, made.settings);
    if (!made.plan) return std::nullopt;
    return made;
}

SeenLengths seen_in_lanes(const Case& of, int slots, std::uint64_t runs) {
    SeenLengths seen;
    const std::size_t most = ReplicationLanes::most();
    for (std::uint64_t first = 0; first < runs; first += most) {
        std::vector<Replication> replications;
        for (std::uint64_t r = first; r < std::min(runs, first + most); ++r) replications.push_back({19, r});
        ReplicationLanes run(*of.plan, of.settings, replications);
        for (int t = 0; t < slots; ++t) run.step();
        for (std::size_t lane = 0; lane < replications.size(); ++lane) {
            std::vector<std::int64_t> lengths;
            for (const QueueCounts& counts : run.counts(lane)) lengths.push_back(counts.length[0]);
            ++seen[lengths];
        }
    }
    return seen;
}

/// A p-value below the bound would come by chance in one of ten million cases.
void expect_law_of_kernel(const Case& of) {
    const int slots = *rc::gen::inRange(1, 4);
    constexpr std::uint64_t runs = 400;
    const auto exact =
        exact_lengths(queueing::ExactSystem(*of.system.instance, of.policy, of.settings.truncation), slots);
    RC_ASSERT(simulation::fit(exact, seen_in_lanes(of, slots, runs), static_cast<double>(runs)) > 1e-7);
}

TEST(ReplicationLanes, HaveTheKernelsLawUnderGeneratedPolicies) {
    std::size_t compared = 0;
    EXPECT_TRUE(rc::check("queue lengths after some slots follow the exact law", [&] {
        const auto made = generated_case();
        if (!made) return;
        ++compared;
        expect_law_of_kernel(*made);
    }));
    EXPECT_GT(compared, 20U);
}

/// A decision table is looked up in each lane, on the queues of the start of the slot.
TEST(ReplicationLanes, HaveTheKernelsLawUnderDecisionTables) {
    std::size_t compared = 0;
    EXPECT_TRUE(rc::check("queue lengths after some slots follow the exact law", [&] {
        InstanceData data = with_options_of_lanes((*oracle::small_instance("generalized-cmu")).data());
        const auto instance = std::make_shared<const Instance>(std::move(data));
        Case made{{instance},
                  {{"tabulated", "test", "drawn at random"}, *oracle::tabulated_rules(*instance)},
                  {100, 1, *rc::gen::arbitrary<bool>(), *oracle::any_truncation()}};
        made.plan = LanePlan::make(made.system, made.policy, made.settings);
        if (!made.plan) return;
        ++compared;
        expect_law_of_kernel(made);
    }));
    EXPECT_GT(compared, 40U);
}

class LanePolicy : public testing::TestWithParam<std::string> {};

TEST_P(LanePolicy, TheLawAfterSomeSlotsIsTheKernels) {
    const std::string id = GetParam();
    std::size_t compared = 0;
    EXPECT_TRUE(rc::check(id + ": queue lengths after some slots follow the exact law", [&] {
        InstanceData data = with_options_of_lanes((*oracle::small_instance(id)).data());
        for (queueing::TaskType& type : data.types) type.exponent = 1;  // marginal costs must be linear
        Case made{{std::make_shared<const Instance>(std::move(data))},
                  {},
                  {100, 1, *rc::gen::arbitrary<bool>(), *oracle::any_truncation()}};
        made.policy = queueing::make_policy(id, *made.system.instance, queueing::no_planner);
        made.plan = LanePlan::make(made.system, made.policy, made.settings);
        if (!made.plan) return;
        ++compared;
        expect_law_of_kernel(made);
    }));
    EXPECT_GT(compared, 40U);
}

INSTANTIATE_TEST_SUITE_P(Policies, LanePolicy,
                         testing::Values("wang-jsq-maxweight", "jsq-maxweight", "pandas:plain", "pandas:rackaware",
                                         "balanced-pandas", "balanced-pandas:idle", "generalized-cmu", "random-local",
                                         "join-shortest-queue"),
                         testing_support::named_by_id);

/// Whether each replication is the same to the bit, whatever runs beside it and on whatever instructions.
bool same_as_alone(const Case& of, const std::vector<Replication>& replications) {
    std::vector<Observation> alone;
    for (const Replication& replication : replications)
        alone.push_back(ReplicationLanes(*of.plan, of.settings, {&replication, 1}, SimdLevel::none).run({}).front());
    for (const SimdLevel simd : instructions_here())
        for (const bool wide : {false, true}) {
            const std::size_t most = ReplicationLanes::most(simd);
            std::vector<Observation> together;
            for (std::size_t first = 0; first < replications.size(); first += most) {
                const auto some = std::span(replications).subspan(first, std::min(most, replications.size() - first));
                for (Observation& o : ReplicationLanes(*of.plan, of.settings, some, simd, wide).run({}))
                    together.push_back(std::move(o));
            }
            if (together != alone) return false;
        }
    return true;
}

TEST(ReplicationLanes, AreTheSameAsAloneUnderGeneratedPolicies) {
    std::size_t compared = 0;
    EXPECT_TRUE(rc::check("side by side as alone", [&] {
        auto made = generated_case();
        if (!made) return;
        ++compared;
        made->settings.slots = *rc::gen::inRange<std::uint64_t>(1, 3000);
        made->settings.batches =
            *rc::gen::inRange<std::uint64_t>(1, std::min<std::uint64_t>(made->settings.slots, 9) + 1);
        std::vector<Replication> replications;
        const auto count = *rc::gen::inRange<std::size_t>(1, 20);
        for (std::size_t r = 0; r < count; ++r) replications.push_back({5, *rc::gen::inRange<std::uint64_t>(0, 1000)});
        RC_ASSERT(same_as_alone(*made, replications));
    }));
    EXPECT_GT(compared, 20U);
}

/// Up to 64 servers in racks, each type on some of them, at a load that lets queues grow.
InstanceData cluster_of(std::uint64_t number) {
    statistics::Stream stream({61, number}, "clusters of the test");
    InstanceData data;
    data.name = "lanes";
    data.levels = {{"local", over(3, 5)}, {"rack", over(337, 1000)}, {"remote", over(1, 7)}};
    const std::size_t servers = 2 + stream.below(number % 4 == 0 ? 63 : 12);
    for (std::size_t m = 0; m < servers; ++m)
        data.servers.push_back({"s" + std::to_string(m), {"r" + std::to_string(m / 5)}});
    std::vector<queueing::ArrivalFactor> factors;
    for (std::size_t t = 0; t < servers; ++t) {
        std::vector<ServerId> replicas;
        for (std::size_t m = 0; m < servers; ++m)
            if (m == t || stream.below(servers) < 2) replicas.emplace_back(m);
        data.types.push_back({"t" + std::to_string(t), replicas});
        if (t % 3 == 2)
            factors.push_back(
                queueing::ArrivalFactor({TaskTypeId(t)}, {{{0}, over(5, 8)}, {{1}, over(1, 4)}, {{3}, over(1, 8)}}));
        else
            factors.push_back(queueing::ArrivalFactor({TaskTypeId(t)}, {{{0}, over(3, 5)}, {{1}, over(2, 5)}}));
    }
    data.arrivals = queueing::ArrivalLaw(factors);
    data.rates = data.arrivals->means(servers);
    data.options.routing = number % 2 == 0 ? queueing::Routing::batch : queueing::Routing::sequential;
    return data;
}

TEST_P(LanePolicy, IsTheSameSideBySideAsAloneOnClusters) {
    for (std::uint64_t number = 0; number < 6; ++number) {
        Case made{{std::make_shared<const Instance>(cluster_of(number))}, {}, {600, 3, number % 3 != 0, {}}};
        made.policy = queueing::make_policy(GetParam(), *made.system.instance, queueing::no_planner);
        made.plan = LanePlan::make(made.system, made.policy, made.settings);
        ASSERT_TRUE(made.plan) << number;
        std::vector<Replication> replications;
        for (std::uint64_t r = 0; r < 11; ++r) replications.push_back({3, r});
        EXPECT_TRUE(same_as_alone(made, replications)) << number;
    }
}

/// Means over whole runs, beside the simulator that goes from event to event: another draw of the same law.
TEST_P(LanePolicy, HasTheMeansOfTheIndexedSimulatorOnClusters) {
    for (std::uint64_t number = 0; number < 4; ++number) {
        InstanceData data = cluster_of(number);
        Case made{{std::make_shared<const Instance>(std::move(data))}, {}, {300, 1, true, {}}};
        made.policy = queueing::make_policy(GetParam(), *made.system.instance, queueing::no_planner);
        made.plan = LanePlan::make(made.system, made.policy, made.settings);
        ASSERT_TRUE(made.plan);
        constexpr std::uint64_t runs = 64;
        const std::size_t quantities = slotted_quantities(made.system, made.settings).size();
        std::vector<std::vector<double>> lanes(quantities), indexed(quantities);
        const auto take = [&](const Observation& o, std::vector<std::vector<double>>& means) {
            for (std::size_t i = 0; i < quantities; ++i) {
                const Tally& tally = o.batches.front().tallies[i];
                means[i].push_back(tally.weight == 0 ? 0 : tally.sum / tally.weight);
            }
        };
        const std::size_t most = ReplicationLanes::most();
        for (std::uint64_t first = 0; first < runs; first += most) {
            std::vector<Replication> replications;
            for (std::uint64_t r = first; r < first + most; ++r) replications.push_back({1, r});
            for (const Observation& o : ReplicationLanes(*made.plan, made.settings, replications).run({}))
                take(o, lanes);
        }
        for (std::uint64_t r = 0; r < runs; ++r)
            take(SlottedRun<>(made.system, made.policy, made.settings, {2, r}).run({}), indexed);
        for (std::size_t i = 0; i < quantities; ++i) {
            const auto moments = [](const std::vector<double>& sample) {
                const auto n = static_cast<double>(sample.size());
                const double mean = std::accumulate(sample.begin(), sample.end(), 0.0) / n;
                double square = 0;
                for (const double x : sample) square += (x - mean) * (x - mean) / (n - 1);
                return std::pair{mean, square / n};
            };
            const auto [a, error_a] = moments(lanes[i]);
            const auto [b, error_b] = moments(indexed[i]);
            // Delays and waits are cut off where the run ends, in other ways: 2 % is that and more.
            EXPECT_NEAR(a, b, 5.5 * std::sqrt(error_a + error_b) + (i + 2 >= quantities ? 0.02 * b : 1e-12))
                << GetParam() << " " << number << " " << i;
        }
    }
}

/// What a tally says of a run in which queues and delays grow beyond the rows of the histograms and the first rings.
TEST(ReplicationLanes, LongQueuesAndDelaysAreCountedAll) {
    InstanceData data;
    data.name = "overloaded";
    data.levels = {{"local", over(1, 4)}, {"remote", over(1, 8)}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0)}}, {"B", {ServerId(0), ServerId(1)}}};
    data.rates = {over(1, 2), over(1, 2)};
    data.arrivals = queueing::ArrivalLaw::bernoulli(data.rates);
    Case made{{std::make_shared<const Instance>(std::move(data))}, queueing::JsqMaxWeight{}, {6000, 3, true, {}}};
    made.plan = LanePlan::make(made.system, made.policy, made.settings);
    ASSERT_TRUE(made.plan);
    std::vector<Replication> replications;
    for (std::uint64_t r = 0; r < 5; ++r) replications.push_back({8, r});
    EXPECT_TRUE(same_as_alone(made, replications));
    const auto quantities = slotted_quantities(made.system, made.settings);
    for (const Observation& o :
         ReplicationLanes(*made.plan, made.settings, {replications.data(), 4}, SimdLevel::none).run({}))
        for (std::size_t i = 0; i < quantities.size(); ++i) {
            if (!quantities[i].distributed) continue;
            const Batch& last = o.batches.back();
            EXPECT_EQ(static_cast<double>(last.histograms[i].total()), last.tallies[i].weight);
            EXPECT_GT(last.histograms[i].quantile(1), tallied_values);
            double sum = 0;
            for (const auto& [largest, times] : last.histograms[i].bins())
                sum += static_cast<double>(largest) * static_cast<double>(times);
            EXPECT_NEAR(sum, last.tallies[i].sum, 0.004 * sum);
        }
}

TEST(ReplicationLanes, DelaysChangeNoCount) {
    for (const std::uint64_t number : {1U, 2U}) {
        const SimulatedSystem system{std::make_shared<const Instance>(cluster_of(number))};
        const queueing::AnyPolicy policy = queueing::JsqMaxWeight{};
        const auto with = slotted_experiment(system, policy, {500, 2, true, {}})->run({4, 0}, {}),
                   without = slotted_experiment(system, policy, {500, 2, false, {}})->run({4, 0}, {});
        for (std::size_t b = 0; b < 2; ++b)
            EXPECT_TRUE(std::equal(without.batches[b].tallies.begin(), without.batches[b].tallies.end(),
                                   with.batches[b].tallies.begin()));
    }
}

/// Policies are compared on the same arrivals, in whichever simulators they run.
TEST(ArrivalWords, AreTheSameForEveryPolicyAndSimulator) {
    for (const std::uint64_t number : {0U, 1U, 4U}) {
        const SimulatedSystem system{std::make_shared<const Instance>(cluster_of(number))};
        const SlottedSettings settings{300, 100, number == 1, {}};
        const auto arrivals_of = [](const Observation& o) {
            std::vector<double> sums;
            for (const Batch& batch : o.batches) sums.push_back(batch.tallies[2].sum);
            return sums;
        };
        ASSERT_EQ(slotted_quantities(system, settings)[2].name, "arrivals");
        const Replication one{9, 4}, beside[] = {{9, 3}, one};
        std::vector<std::vector<double>> seen;
        for (const std::string id : {"jsq-maxweight", "wang-jsq-maxweight", "balanced-pandas", "generalized-cmu"}) {
            const auto policy = queueing::make_policy(id, *system.instance, queueing::no_planner);
            const auto plan = LanePlan::make(system, policy, settings);
            ASSERT_TRUE(plan);
            seen.push_back(arrivals_of(ReplicationLanes(*plan, settings, beside).run({}).back()));
            seen.push_back(arrivals_of(SlottedRun<>(system, policy, settings, one).run({})));
            if (dense_suits(system, policy))
                seen.push_back(arrivals_of(DenseRun(system, policy, settings, one).run({})));
        }
        for (const auto& each : seen) EXPECT_EQ(each, seen.front());
        const auto other = queueing::make_policy("fifo", *system.instance, queueing::no_planner);
        EXPECT_NE(seen.front(), arrivals_of(SlottedRun<>(system, other, settings, {9, 3}).run({})));
    }
}

/// Whether the first task of a lone server, which completes with probability p in a slot, does so in its first.
bool lane_completes_at_once(const Rational& p, std::uint64_t replication) {
    InstanceData data;
    data.name = "one";
    data.levels = {{"local", p}, {"remote", p / Rational(2)}};
    data.servers = {{"s0", {}}};
    data.types = {{"A", {ServerId(0)}}};
    data.rates = {Rational(1)};
    data.arrivals = queueing::ArrivalLaw::bernoulli(data.rates);
    const SimulatedSystem system{std::make_shared<const Instance>(std::move(data))};
    const SlottedSettings settings{100, 1, false, {}};
    const auto plan = LanePlan::make(system, queueing::JoinShortestQueue{}, settings);
    const Replication alone{17, replication};
    ReplicationLanes run(plan.value(), settings, {&alone, 1});
    run.step();
    return run.counts(0)[0].length[0] == 0;
}

/// Of the random number 16 bits are looked at first, then 32 more.
TEST(ReplicationLanes, ProbabilitiesAreNotRounded) { expect_no_rounding(48, 200, lane_completes_at_once); }

TEST(ExactCuts, CountTheCutsThatANumberReaches) {
    EXPECT_TRUE(rc::check("of a number that is given to 16 + 32 bits", [] {
        const auto count = *rc::gen::inRange<std::size_t>(0, 4);
        std::vector<Rational> cuts;
        const std::int64_t scale = *rc::gen::element<std::int64_t>(3, 16, 65'536, 196'608);
        for (std::size_t k = 0; k < count; ++k)
            cuts.push_back(over(*rc::gen::inRange<std::int64_t>(0, scale + 1), scale));
        std::sort(cuts.begin(), cuts.end());
        const ExactCuts exact(cuts);
        // Bits at a threshold or beside one.
        std::uint32_t bits = *rc::gen::inRange<std::uint32_t>(0, 65'536);
        if (count > 0) bits = std::min(65'535U, exact.thresholds()[0] + *rc::gen::inRange<std::uint32_t>(0, 2));
        statistics::Stream stream({1, *rc::gen::inRange<std::uint64_t>(0, 1000)}, "further"), copy = stream;
        const std::uint32_t reached = exact.reached(bits, stream);
        const Rational u = (Rational(std::int64_t{bits}) + over(std::int64_t{copy.half()}, std::int64_t{1} << 32)) /
                           Rational(std::int64_t{65'536});
        std::uint32_t expected = 0;
        for (const Rational& cut : cuts) expected += u >= cut ? 1 : 0;
        RC_ASSERT(reached == expected);
    }));
}

// ---- what lanes leave to the other simulators ----

TEST(LanePlan, IsNoneWhereAnotherSimulatorIsNeeded) {
    const auto plan_of = [](InstanceData data, const SlottedSettings& settings = {}) {
        const SimulatedSystem system{std::make_shared<const Instance>(std::move(data))};
        return LanePlan::make(system, queueing::JsqMaxWeight{}, settings).has_value();
    };
    EXPECT_TRUE(plan_of(cluster_of(1)));
    InstanceData phantoms = cluster_of(1), subsets = cluster_of(1);
    phantoms.options.unmatched = queueing::Unmatched::phantom;
    subsets.options.scarcity = queueing::Scarcity::uniform_subset;
    EXPECT_FALSE(plan_of(phantoms));
    EXPECT_FALSE(plan_of(subsets));
    SlottedSettings started;
    const Instance instance(cluster_of(1));
    queueing::ExactState start;
    start.length.assign(instance.servers().size(), CheckedInt(0));
    start.serving.assign(instance.servers().size(), {});
    started.start = std::make_shared<const queueing::ExactState>(start);
    EXPECT_FALSE(plan_of(cluster_of(1), started));
}

}  // namespace
}  // namespace schedproof::simulation
