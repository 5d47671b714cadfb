/// Task types with rates of their own: what an instance demands of them, which policies run on one, and the kernel's
/// law at states where it is known.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "model/core/errors.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/registry.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using testing_support::q;

/// Two servers, the first of which holds the data of both types; C runs at the second half as fast, A much slower.
InstanceData one_home() {
    InstanceData data;
    data.name = "one-home";
    data.levels = {{"local", q("2/5")}, {"remote", q("1/40")}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0)}}, {"C", {ServerId(0)}}};
    data.types[1].rates = {q("2/5"), q("1/5")};
    const std::vector<Rational> lambda{q("3/10"), q("1/4")};
    data.arrivals = ArrivalLaw::single(lambda);
    return data;
}

std::string key_of_error(const std::function<void()>& use) {
    try {
        use();
    } catch (const InputError& error) {
        return error.place().key;
    }
    return "none";
}

TEST(TypeRates, AreThoseOfTheTypeAtItsLevels) {
    const Instance instance(one_home());
    const TaskTypeId a(0), c(1);
    EXPECT_TRUE(instance.rates_by_type());
    EXPECT_EQ(instance.rate(a, Level(1)), q("1/40"));
    EXPECT_EQ(instance.rate(c, Level(1)), q("1/5"));
    EXPECT_EQ(instance.rate(c, ServerId(0)), q("2/5"));
    EXPECT_EQ(instance.rate(c, ServerId(1)), q("1/5"));
    EXPECT_EQ(instance.rate_table(), (std::vector<Rational>{q("2/5"), q("1/40"), q("2/5"), q("1/5")}));
}

TEST(TypeRates, ThatAreThoseOfTheLevelsAreNone) {
    InstanceData data = one_home();
    data.types[1].rates = {q("2/5"), q("1/40")};
    const Instance instance(std::move(data));
    EXPECT_FALSE(instance.rates_by_type());
    EXPECT_TRUE(instance.type(TaskTypeId(1)).rates.empty());
    EXPECT_EQ(instance.rate_table(), (std::vector<Rational>{q("2/5"), q("1/40")}));
}

TEST(TypeRates, AreAsThoseOfLevels) {
    const auto key = [](std::vector<Rational> rates) {
        return key_of_error([&] {
            InstanceData data = one_home();
            data.types[1].rates = std::move(rates);
            static_cast<void>(Instance(std::move(data)));
        });
    };
    EXPECT_EQ(key({q("1"), q("1/5")}), "none");
    EXPECT_NE(key({q("2/5")}), "none");
    EXPECT_NE(key({q("2/5"), q("1/5"), q("1/10")}), "none");
    EXPECT_NE(key({q("2/5"), q("2/5")}), "none");
    EXPECT_NE(key({q("1/5"), q("2/5")}), "none");
    EXPECT_NE(key({q("6/5"), q("2/5")}), "none");
    EXPECT_NE(key({q("2/5"), q("0")}), "none");
}

TEST(TypeRates, RunUnderPoliciesWithAQueuePerTypeOnly) {
    const Instance instance(one_home());
    for (const PolicyInfo& info : policies()) {
        const Rules* rules = find_rules(info.id);
        if (rules == nullptr) continue;  // the rules of a plan's policy are made with the plan
        const std::string key = key_of_error([&] { static_cast<void>(rules->layout(instance)); });
        EXPECT_EQ(key == "none", rules->arrangement() == Arrangement::per_type) << info.id << ' ' << key;
    }
}

TEST(TypeRates, RefuseRulesThatNameTheRateOfALevel) {
    using namespace language;
    const Instance instance(one_home());
    const auto rules = [](const auto& served) {
        return Rules{keep(Arrangement::per_type), language::route(own_type), language::serve(served)};
    };
    EXPECT_NO_THROW(static_cast<void>(rules(argmax(nonempty(reachable), rate * length)).layout(instance)));
    const auto local = rules(argmax(nonempty(reachable), local_rate * length));
    EXPECT_THROW(static_cast<void>(local.layout(instance)), InputError);
    const auto remote = rules(where(nonempty(reachable), rate * length >= remote_rate * tasks(9)));
    EXPECT_THROW(static_cast<void>(remote.layout(instance)), InputError);
    const Instance plain = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    EXPECT_NO_THROW(static_cast<void>(local.layout(plain)));
}

/// Probability that a task completes in a slot from the state.
Rational completes(const Instance& instance, const ExactState& state) {
    const ExactSystem system(instance, make_policy("generalized-cmu", instance, {}));
    Rational sum;
    for (const Move& move : system.moves(state))
        if (move.slot.completed > 0) sum += move.probability;
    return sum;
}

TEST(TypeRates, DecideWhatCompletesInASlot) {
    InstanceData data = one_home();
    const std::vector<Rational> none{q("0"), q("0")};
    data.arrivals = ArrivalLaw::bernoulli(none);
    const Instance instance(std::move(data));
    const auto served_remotely = [&](std::size_t type) {
        ExactState state;
        state.length.assign(2, CheckedInt(0));
        state.length[type] = CheckedInt(1);
        state.serving.assign(2, Service{});
        state.serving[1] = {Service::Status::busy, Level(1), QueueId(type)};
        return state;
    };
    EXPECT_EQ(completes(instance, served_remotely(0)), q("1/40"));
    EXPECT_EQ(completes(instance, served_remotely(1)), q("1/5"));
}

TEST(TypeRates, DecideWhomAServerServes) {
    const Instance instance(one_home());
    const ExactSystem system(instance, make_policy("generalized-cmu", instance, {}));
    const auto served = [&](std::int64_t of_a, std::int64_t of_c) {
        ExactState state = system.initial();
        state.length[0] = CheckedInt(of_a);
        state.length[1] = CheckedInt(of_c);
        std::vector<std::size_t> queues;
        for (const Candidate& c : system.serve(state, ServerId(1))) queues.push_back(c.queue.index());
        return queues;
    };
    // Server 1: Q_A / 40 against Q_C / 5.
    EXPECT_EQ(served(7, 1), (std::vector<std::size_t>{1}));
    EXPECT_EQ(served(8, 1), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(served(9, 1), (std::vector<std::size_t>{0}));
}

}  // namespace
}  // namespace schedproof::queueing
