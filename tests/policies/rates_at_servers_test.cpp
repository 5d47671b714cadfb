/// Task types that state their rates at servers: levels as places of rates, queues that servers cannot serve, the
/// kernel's law at states where it is known, and clusters of levels by distance written with their rates at servers,
/// which are the same clusters.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/core/errors.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/registry.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using testing_support::q;
using OptionalRates = std::vector<std::optional<Rational>>;

/// Servers of the given rates for one type, of which one task comes with probability lambda.
InstanceData one_type(const OptionalRates& rates, const char* lambda) {
    InstanceData data;
    data.name = "unlike";
    for (std::size_t m = 0; m < rates.size(); ++m) data.servers.push_back({"s" + std::to_string(m), {}});
    data.types = {{"A", {}}};
    data.types.front().at_servers = rates;
    const std::vector<Rational> mean{q(lambda)};
    data.arrivals = ArrivalLaw::single(mean);
    return data;
}

/// N: A can go to both servers, B to the second alone.
InstanceData n_system() {
    InstanceData data = one_type({q("1/2"), q("1/4")}, "1/4");
    data.types.push_back({"B", {}});
    data.types.back().at_servers = {std::nullopt, q("3/4")};
    const std::vector<Rational> means{q("1/4"), q("1/2")};
    data.arrivals = ArrivalLaw::single(means);
    return data;
}

/// The instance with its rates stated at servers.
Instance at_servers(const Instance& instance) {
    InstanceData data = instance.data();
    for (const TaskTypeId type : instance.types())
        for (const ServerId m : instance.servers())
            data.types[type.index()].at_servers.emplace_back(instance.rate(type, m));
    return Instance(std::move(data));
}

std::string key_of_error(InstanceData data) {
    try {
        static_cast<void>(Instance(std::move(data)));
    } catch (const InputError& error) {
        return error.place().key;
    }
    return "none";
}

TEST(RatesAtServers, MakeLevelsOfDifferentRates) {
    const Instance instance(one_type({q("1/10"), q("9/10"), std::nullopt, q("1/10")}, "1/2"));
    const TaskTypeId a(0);
    EXPECT_TRUE(instance.rates_at_servers());
    EXPECT_EQ(instance.levels().size(), 2U);
    EXPECT_EQ(instance.level(a, ServerId(1)), Level(0));
    EXPECT_EQ(instance.level(a, ServerId(0)), Level(1));
    EXPECT_EQ(instance.level(a, ServerId(3)), Level(1));
    EXPECT_FALSE(instance.can_serve(ServerId(2), a));
    EXPECT_EQ(instance.rate(a, ServerId(2)), q("0"));
    EXPECT_EQ(instance.rate(a, ServerId(3)), q("1/10"));
    EXPECT_EQ(instance.type(a).replicas, std::vector<ServerId>{ServerId(1)});
    EXPECT_FALSE(instance.rates_by_type());
}

TEST(RatesAtServers, AreChecked) {
    const auto key = [](const OptionalRates& rates) { return key_of_error(one_type(rates, "1/2")); };
    EXPECT_EQ(key({q("1"), q("1")}), "none");
    EXPECT_EQ(key({q("1"), std::nullopt}), "none");
    EXPECT_NE(key({std::nullopt, std::nullopt}), "none");
    EXPECT_NE(key({q("1"), q("6/5")}), "none");
    EXPECT_NE(key({q("1"), q("0")}), "none");
    InstanceData some = n_system();
    some.types.back().at_servers.clear();
    EXPECT_NE(key_of_error(std::move(some)), "none");
}

TEST(RatesAtServers, KeepAQueueForTheLevelsThatAServerHas) {
    const Instance instance(n_system());
    const Layout per_level = make_policy("balanced-pandas").layout(instance);
    // A at s0, A at s1, B at s1.
    EXPECT_EQ(per_level.queues(), 3U);
    EXPECT_EQ(per_level.queues_of(ServerId(0)).size(), 1U);
    EXPECT_EQ(per_level.queues_of(ServerId(1)).size(), 2U);
    EXPECT_TRUE(per_level.serves(instance, ServerId(1), QueueId(1)));
    EXPECT_FALSE(per_level.serves(instance, ServerId(0), QueueId(1)));
    const Layout per_type = make_policy("generalized-cmu").layout(instance);
    EXPECT_FALSE(per_type.serves(instance, ServerId(0), per_type.queue(TaskTypeId(1))));
    EXPECT_EQ(per_type.service_rate(instance, per_type.queue(TaskTypeId(1)), ServerId(1)), q("3/4"));
}

TEST(RatesAtServers, AreRefusedWhereAQueueWouldNotTellThem) {
    const Instance instance(n_system());
    try {
        static_cast<void>(make_policy("random-any").layout(instance));
        FAIL() << "a queue that holds tasks of two rates was accepted";
    } catch (const InputError& error) {
        EXPECT_EQ(error.place().path, (KeyPath{"types", "B", "rates"}));
    }
    // Pandas compares with the rate of the local level, which is none here.
    EXPECT_THROW(static_cast<void>(make_policy("pandas").layout(instance)), InputError);
}

TEST(RatesAtServers, LetNoServerStartWhatItCannotServe) {
    const Instance instance(n_system());
    const ExactSystem system(instance, make_policy("generalized-cmu"));
    ExactState state = system.initial();
    state.length = {CheckedInt(0), CheckedInt(5)};
    EXPECT_TRUE(system.serve(state, ServerId(0)).empty());
    EXPECT_EQ(system.serve(state, ServerId(1)).size(), 1U);
    for (const auto& [next, probability] : system.kernel(state))
        EXPECT_NE(next.serving[0].status == Service::Status::busy && next.serving[0].queue == QueueId(1), true);
}

/// What the slot does does not depend on how rates are stated: with queues of types, and costs and options as drawn.
RC_GTEST_PROP(RatesAtServers, OfAClusterByDistanceAreTheSameCluster, ()) {
    const auto own = oracle::with_own_rates();
    const Instance by_distance = *oracle::small_instance("generalized-cmu", own);
    const Instance stated = at_servers(by_distance);
    const ExactSystem system(by_distance, make_policy("generalized-cmu"));
    const ExactSystem other(stated, make_policy("generalized-cmu"));
    const auto image = [&](ExactState state) {
        for (const ServerId m : stated.servers()) {
            Service& service = state.serving[m.index()];
            if (service.status != Service::Status::idle)
                service.level = other.layout().service_level(stated, service.queue, m);
        }
        return state;
    };
    ExactState state = system.initial();
    Sampler randomness({*rc::gen::inRange<std::uint64_t>(0, 1000), 0, 0});
    for (int slot = 0; slot < 6; ++slot) {
        RC_ASSERT(system.kernel(state).map(image) == other.kernel(image(state)));
        state = system.sample(state, randomness);
    }
}

}  // namespace
}  // namespace schedproof::queueing
