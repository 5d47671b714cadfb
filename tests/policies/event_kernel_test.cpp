/// The kernel of events and every policy against a second implementation: equal as exact laws, on random clusters,
/// states, options and truncations, with preemption and without. What every event keeps, and laws known in advance.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "model/core/errors.hpp"
#include "model/markov/stationary.hpp"
#include "policies/queueing/exact.hpp"
#include "tests/model/event_oracle.hpp"
#include "tests/support/instances.hpp"
#include "tests/support/test_name.hpp"

namespace schedproof::queueing {
namespace {

using testing_support::q;
using EventLaw = std::map<oracle::OracleState, Rational>;

/// A cluster in continuous time and a state of it, in general one that no event leaves.
struct EventCase {
    Instance instance;
    ExactState state;
    Truncation truncation;
};

EventCase event_case(const std::string& policy) {
    Instance instance = *oracle::small_cluster_in_time(policy, oracle::with_own_rates());
    ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, policy));
    if (instance.preemptive()) std::fill(state.serving.begin(), state.serving.end(), Service{});
    return {std::move(instance), std::move(state), *oracle::any_truncation()};
}

template <class N>
EventLaw law_of_event(const Kernel<N>& kernel, const ExactState& state) {
    EventLaw law;
    for (const Move& move : moves(kernel, state)) law[oracle::from_state(move.slot.next)] += move.probability;
    return law;
}

/// A state that some events lead to.
ExactState a_state_reached(const ExactSystem& system, const ExactState& from) {
    Sampler sampler({*rc::gen::arbitrary<std::uint64_t>(), 0, 0});
    return system.settled(from, sampler);
}

class EveryPolicyInTime : public testing::TestWithParam<std::string> {};

TEST_P(EveryPolicyInTime, KernelEqualsTheOracleOfEvents) {
    const std::string id = GetParam();
    EXPECT_TRUE(rc::check(id + ": both give the same law of the state after an event", [&] {
        const EventCase c = event_case(id);
        const EventLaw expected = oracle::next_event(c.instance, id, oracle::from_state(c.state), c.truncation);
        const AnyPolicy policy = make_policy(id, c.instance, no_planner);
        RC_ASSERT(law_of_event(Kernel<CheckedInt>(c.instance, policy, c.truncation), c.state) == expected);
        RC_ASSERT(law_of_event(Kernel<Rational>(c.instance, policy, c.truncation), c.state) == expected);
    }));
}

TEST_P(EveryPolicyInTime, AnEventKeepsTheBooksAndLeavesTheStateSettled) {
    const std::string id = GetParam();
    EXPECT_TRUE(rc::check(id + ": tasks of one arrival come, or one goes, or none; idle servers have declined", [&] {
        const EventCase c = event_case(id);
        const ExactSystem system(c.instance, make_policy(id, c.instance, no_planner), c.truncation);
        const ExactState from = a_state_reached(system, c.state);
        RC_ASSERT(system.is_settled(from));
        Rational total, arrived;
        for (const Move& move : system.moves(from)) {
            total += move.probability;
            arrived += move.probability * move.slot.arrived;
            std::int64_t change = 0;
            for (std::size_t queue = 0; queue < from.length.size(); ++queue)
                change += move.slot.next.length[queue].value() - from.length[queue].value();
            RC_ASSERT(change == std::int64_t{move.slot.arrived} - move.slot.blocked - move.slot.completed);
            RC_ASSERT(move.slot.arrived == 0U || move.slot.completed == 0U);
            RC_ASSERT(move.slot.completed <= 1U);
            RC_ASSERT(move.slot.arrived <= c.instance.arrivals().largest_total());
            RC_ASSERT(system.is_settled(move.slot.next));
        }
        RC_ASSERT(total == 1);
        RC_ASSERT(arrived * c.instance.event_rate() == c.instance.total_arrival_rate());
    }));
}

TEST_P(EveryPolicyInTime, SettlesAsTheOracleDoes) {
    const std::string id = GetParam();
    EXPECT_TRUE(rc::check(id + ": what servers start is an outcome of the law of offers", [&] {
        const EventCase c = event_case(id);
        if (c.instance.preemptive()) return;
        const ExactSystem system(c.instance, make_policy(id, c.instance, no_planner), c.truncation);
        const EventLaw law = oracle::settled(c.instance, id, oracle::from_state(c.state));
        RC_ASSERT(law.contains(oracle::from_state(a_state_reached(system, c.state))));
        RC_ASSERT(system.is_settled(c.state) == law.contains(oracle::from_state(c.state)));
    }));
}

INSTANTIATE_TEST_SUITE_P(Policies, EveryPolicyInTime, testing::ValuesIn(oracle::policies_in_continuous_time()),
                         testing_support::named_by_id);

/// Servers alike of rate 1, one type of tasks.
Instance servers_alike(std::size_t servers, const char* lambda, bool preemptive = false) {
    InstanceData data;
    data.name = "alike";
    data.time = ContinuousTime{};
    data.types = {{"A", {}}};
    for (std::size_t m = 0; m < servers; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        data.types.front().at_servers.emplace_back(Rational(1));
    }
    data.rates = {q(lambda)};
    if (preemptive) data.options.preemption = Preemption::resume;
    return Instance(std::move(data));
}

/// Erlang's loss system with waiting places: p_n is proportional to a^n / n!, then to a^n / (c! c^(n - c)).
TEST(Events, TheTruncatedChainOfOneQueueHasErlangsLaw) {
    for (const bool preemptive : {false, true})
        for (const std::size_t c : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
            const Instance instance = servers_alike(c, "3/2", preemptive);
            const std::uint32_t cap = 7;
            const ExactSystem system(instance, make_policy("fifo", instance, no_planner),
                                     {Truncation::Rule::total, cap});
            const Chain chain = system.chain();
            const markov::Stationary law = markov::stationary_distribution(chain.matrix);
            std::vector<Rational> seen(cap + 1);
            for (std::size_t s = 0; s < chain.states.size(); ++s)
                seen[static_cast<std::size_t>(chain.states[s].length.front().value())] +=
                    law.probability(static_cast<markov::StateIndex>(s));
            for (std::size_t n = 1; n <= cap; ++n)
                EXPECT_EQ(seen[n] * Rational(std::min(n, c)), seen[n - 1] * q("3/2")) << c << " servers, " << n;
        }
}

/// Of a batch before two idle servers the second task sees the first, which has started: no queue gets both.
TEST(Events, RouteTheTasksOfABatchOneAfterAnother) {
    for (const bool preemptive : {false, true}) {
        InstanceData data = servers_alike(2, "3", preemptive).data();
        data.arrivals.reset();
        data.batches = {{{2, q("1/3")}, {3, q("1/6")}}};  // and one with probability 1/2: 5/3 on average
        data.rates = {q("5/3")};
        const Instance instance(std::move(data));
        EXPECT_EQ(instance.batch_rate(TaskTypeId(0)), q("1"));
        EXPECT_EQ(instance.event_rate(), q("3"));
        const ExactSystem system(instance, make_policy("join-shortest-queue", instance, no_planner));
        std::map<std::vector<std::int64_t>, Rational> law;
        for (const Move& move : system.moves(system.initial())) {
            std::vector<std::int64_t> lengths;
            for (const CheckedInt& n : move.slot.next.length) lengths.push_back(n.value());
            law[lengths] += move.probability;
        }
        const std::map<std::vector<std::int64_t>, Rational> expected{{{0, 0}, q("2/3")},  {{1, 0}, q("1/12")},
                                                                     {{0, 1}, q("1/12")}, {{1, 1}, q("1/9")},
                                                                     {{2, 1}, q("1/36")}, {{1, 2}, q("1/36")}};
        EXPECT_EQ(law, expected) << preemptive;
    }
}

TEST(Events, HappenAtTheRateOfArrivalsAndOfTheFastestServices) {
    InstanceData data;
    data.name = "N";
    data.time = ContinuousTime{"s"};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {}}, {"B", {}}};
    data.types[0].at_servers = {q("5"), q("2")};
    data.types[1].at_servers = {std::nullopt, q("7/2")};
    data.rates = {q("3"), q("1/2")};
    const Instance instance(data);
    EXPECT_EQ(instance.event_rate(), q("12"));
    EXPECT_EQ(instance.fastest(ServerId(1)), q("7/2"));
    EXPECT_EQ(instance.options().routing, Routing::sequential);
    EXPECT_EQ(instance.options().empty_target, EmptyTarget::conserved);
}

std::string key_of_event_error(const std::function<void(InstanceData&)>& change) {
    InstanceData data = servers_alike(2, "1").data();
    change(data);
    try {
        static_cast<void>(Instance(std::move(data)));
    } catch (const InputError& error) {
        return error.place().key;
    }
    return "none";
}

TEST(Events, RefuseWhatContinuousTimeHasNot) {
    EXPECT_EQ(key_of_event_error([](InstanceData& data) { data.rates[0] = Rational(0); }), "arrivals.A");
    EXPECT_EQ(key_of_event_error([](InstanceData& data) { data.types[0].at_servers[1] = Rational(0); }),
              "types.A.rates.s1");
    EXPECT_EQ(key_of_event_error([](InstanceData& data) { data.time.reset(); }), "none");
    EXPECT_EQ(key_of_event_error([](InstanceData& data) {
                  data.time.reset();
                  data.options.preemption = Preemption::resume;
              }),
              "options.preemption");
    EXPECT_EQ(key_of_event_error([](InstanceData& data) {
                  data.time.reset();
                  data.types[0].at_servers[0] = Rational(2);
              }),
              "types.A.rates.s0");
    const Instance counted = servers_alike(2, "1");
    const auto half_each = [](const Instance&) -> FluidPlan {
        return {q("1/2"), {{TaskTypeId(0), ServerId(0), q("1/2")}, {TaskTypeId(0), ServerId(1), q("1/2")}}};
    };
    EXPECT_THROW(static_cast<void>(
                     ExactSystem(counted, make_policy("fluid-model-planning:deficit", counted, half_each)).initial()),
                 InputError);
}

}  // namespace
}  // namespace schedproof::queueing
