#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "capacity_instances.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/duality/stability.hpp"

namespace schedproof::duality {
namespace {

using capacity::testing::arbitrary_instance;
using capacity::testing::frac;
using capacity::testing::make;
using capacity::testing::n2;
using capacity::testing::two_servers;
using queueing::Instance;

MaxWeightData start(const Instance& instance, std::size_t queues) {
    MaxWeightData data;
    data.queues = queues;
    for (const TaskTypeId t : instance.types()) data.arrival_rates.push_back(instance.arrival_rate(t));
    data.admissible.resize(instance.types().size());
    data.servable.resize(instance.servers().size());
    return data;
}

MaxWeightData jsq_maxweight(const Instance& instance) {
    MaxWeightData data = start(instance, instance.servers().size());
    for (const TaskTypeId t : instance.types())
        for (const ServerId m : instance.type(t).replicas)
            data.admissible[t.index()].push_back({QueueId(m.index()), Rational(1)});
    for (const ServerId m : instance.servers())
        for (const ServerId n : instance.servers())
            data.servable[m.index()].push_back({QueueId(n.index()), instance.rate(instance.distance(m, n))});
    return data;
}

MaxWeightData wang(const Instance& instance) {
    const QueueId common(instance.servers().size());
    MaxWeightData data = jsq_maxweight(instance);
    data.queues = instance.servers().size() + 1;
    for (auto& list : data.admissible) list.push_back({common, Rational(1)});
    for (const ServerId m : instance.servers())
        data.servable[m.index()] = {{QueueId(m.index()), instance.rate(instance.local())},
                                    {common, instance.rate(instance.remote())}};
    return data;
}

MaxWeightData generalised_c_mu(const Instance& instance) {
    MaxWeightData data = start(instance, instance.types().size());
    for (const TaskTypeId t : instance.types()) {
        data.admissible[t.index()] = {{QueueId(t.index()), Rational(1)}};
        for (const ServerId m : instance.servers())
            data.servable[m.index()].push_back({QueueId(t.index()), instance.rate(t, m)});
    }
    return data;
}

MaxWeightData balanced_pandas(const Instance& instance) {
    MaxWeightData data = start(instance, instance.servers().size());
    for (const ServerId m : instance.servers()) {
        data.servable[m.index()] = {{QueueId(m.index()), Rational(1)}};
        for (const TaskTypeId t : instance.types())
            data.admissible[t.index()].push_back({QueueId(m.index()), Rational(1) / instance.rate(t, m)});
    }
    return data;
}

void expect_all(const Instance& instance, const Rational& expected, bool two_levels) {
    for (const MaxWeightData& data : {jsq_maxweight(instance), generalised_c_mu(instance), balanced_pandas(instance)})
        EXPECT_EQ(solve(data).value, expected);
    const StabilityCertificate blind = solve(wang(instance));
    EXPECT_TRUE(verify(wang(instance), blind));
    if (two_levels)
        EXPECT_EQ(blind.value, expected);
    else
        EXPECT_GT(*blind.value, expected);
}

TEST(Duality, KnownInstances) {
    expect_all(Instance(n2(frac(2, 5), frac(22, 25), frac(9, 20))), frac(37, 38), false);
    expect_all(Instance(n2(frac(2, 5), frac(17, 20), frac(9, 20))), frac(179, 190), false);
    expect_all(Instance(n2(frac(1, 4), frac(19, 25), frac(3, 8))), frac(319, 320), false);
    expect_all(Instance(two_servers(frac(9, 10), frac(1, 4))), frac(77, 80), true);
    expect_all(Instance(two_servers(frac(7, 20), frac(7, 20))), frac(7, 16), true);
}

// Wang's policy on N2 is not only without this proof: its load exceeds one.
TEST(Duality, WangIsOverloadedOnN2) {
    const Instance instance(n2(frac(2, 5), frac(22, 25), frac(9, 20)));
    EXPECT_GT(*solve(wang(instance)).value, 1);
}

TEST(Duality, InfiniteWhenAQueueIsNeverServed) {
    MaxWeightData data = jsq_maxweight(Instance(two_servers(frac(1, 2), frac(1, 2))));
    data.servable = {{{QueueId(0), Rational(1)}}, {{QueueId(1), Rational(0)}}};
    const StabilityCertificate certificate = solve(data);
    EXPECT_FALSE(certificate.value);
    EXPECT_TRUE(verify(data, certificate));
    StabilityCertificate altered = certificate;
    altered.weights[0] = 1;
    EXPECT_FALSE(verify(data, altered));
    data.arrival_rates[1] = 0;
    EXPECT_EQ(solve(data).value, frac(1, 2));
}

TEST(Duality, WithoutArrivals) {
    const MaxWeightData data = jsq_maxweight(Instance(two_servers(Rational(0), Rational(0))));
    EXPECT_EQ(solve(data).value, 0);
}

TEST(Duality, BrokenDataAreContractViolations) {
    const MaxWeightData sound = jsq_maxweight(Instance(two_servers(frac(1, 2), frac(1, 2))));
    const auto refuses = [&](const std::function<void(MaxWeightData&)>& alter) {
        MaxWeightData data = sound;
        alter(data);
        EXPECT_THROW((void)solve(data), ContractViolation);
    };
    refuses([](auto& d) { d.admissible[0].clear(); });
    refuses([](auto& d) { d.admissible.pop_back(); });
    refuses([](auto& d) { d.queues = 1; });
    refuses([](auto& d) { d.arrival_rates[0] = -1; });
    refuses([](auto& d) { d.servable[0].push_back(d.servable[0][0]); });
    refuses([](auto& d) { d.servable[0][0].multiplier = -1; });
}

TEST(Duality, RejectsTampering) {
    const MaxWeightData data = jsq_maxweight(Instance(n2(frac(2, 5), frac(22, 25), frac(9, 20))));
    const StabilityCertificate sound = solve(data);
    const auto rejects = [&](const char* what, const std::function<void(StabilityCertificate&)>& tamper) {
        StabilityCertificate altered = sound;
        tamper(altered);
        EXPECT_NE(rejection(data, altered), "") << what;
    };
    for (const Rational& change : {frac(1, 1'000'000), frac(-1, 1'000'000)}) {
        rejects("value", [&](auto& c) { *c.value += change; });
        // Not the weight of queue 1: no minimum or maximum attains it, so a little more or less is as good a witness.
        for (const std::size_t q : {0U, 2U}) rejects("weight", [&](auto& c) { c.weights[q] += change; });
        for (std::size_t i = 0; i < sound.routed.size(); ++i)
            rejects("routed amount", [&](auto& c) { c.routed[i].amount += change; });
    }
    for (std::size_t i = 0; i < sound.served.size(); ++i) {
        rejects("served amount", [&](auto& c) { c.served[i].amount += frac(1, 1'000'000); });
        rejects("served dropped", [&](auto& c) { c.served.erase(c.served.begin() + static_cast<std::ptrdiff_t>(i)); });
        rejects("served owner", [&](auto& c) { c.served[i].owner = 3; });
    }
    rejects("no value", [](auto& c) { c.value.reset(); });
    rejects("few weights", [](auto& c) { c.weights.pop_back(); });
    rejects("no weights", [](auto& c) { c.weights.assign(3, Rational(0)); });
    rejects("routed queue", [](auto& c) { c.routed[0].queue = QueueId(2); });
    rejects("nothing routed", [](auto& c) { c.routed.clear(); });
}

// Throughput optimal for every arrival rate: the three on any number of levels, Wang's on two.
RC_GTEST_PROP(Duality, EqualsTheCapacityLoad, ()) {
    const Instance instance(arbitrary_instance(4, false));
    const Rational load = capacity::solve(instance).load();
    RC_ASSERT(solve(jsq_maxweight(instance)).value == load);
    RC_ASSERT(solve(generalised_c_mu(instance)).value == load);
    RC_ASSERT(solve(balanced_pandas(instance)).value == load);
    RC_ASSERT(*solve(wang(instance)).value >= load);
    if (instance.levels().size() == 2) RC_ASSERT(solve(wang(instance)).value == load);
}

// Where types have rates of their own, the two whose weights tell the type.
RC_GTEST_PROP(Duality, EqualsTheCapacityLoadOfRatesByType, ()) {
    const Instance instance(arbitrary_instance(4));
    const Rational load = capacity::solve(instance).load();
    RC_ASSERT(solve(generalised_c_mu(instance)).value == load);
    RC_ASSERT(solve(balanced_pandas(instance)).value == load);
}

}  // namespace
}  // namespace schedproof::duality
