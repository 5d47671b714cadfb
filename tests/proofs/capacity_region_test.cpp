#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "capacity_instances.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/activities.hpp"
#include "proofs/queueing/capacity/pooled.hpp"
#include "proofs/queueing/capacity/price_ascent.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/capacity/symmetry.hpp"

namespace schedproof::capacity {
namespace {

using namespace testing;

constexpr Method all_methods[] = {Method::automatic, Method::ascent, Method::quotient, Method::pooled_program,
                                  Method::full_program};

void expect_load(const InstanceData& data, const Rational& expected) {
    const Instance instance(data);
    for (const Method method : all_methods) {
        const CapacityCertificate certificate = solve(instance, {method});
        ASSERT_TRUE(certificate.exact());
        EXPECT_EQ(certificate.load(), expected) << static_cast<int>(method);
        EXPECT_EQ(rejection(instance, certificate), "");
    }
}

TEST(CapacityRegion, KnownLoads) {
    expect_load(n2(frac(2, 5), frac(22, 25), frac(9, 20)), frac(37, 38));
    expect_load(n2(frac(2, 5), frac(17, 20), frac(9, 20)), frac(179, 190));
    expect_load(n2(frac(1, 4), frac(19, 25), frac(3, 8)), frac(319, 320));
    expect_load(two_servers(frac(9, 10), frac(1, 4)), frac(77, 80));
    expect_load(two_servers(frac(7, 20), frac(7, 20)), frac(7, 16));
    expect_load(wang_cluster(8, 2, frac(63, 10)), frac(63, 68));
    // Server 0 takes A and 1/15 of C, server 1 the other 11/60: 3/4 + 1/6 = (11/60) / (1/5).
    expect_load(two_types_with_one_home(), frac(11, 12));
}

TEST(CapacityRegion, WangCluster) {
    const Instance instance(wang_cluster(800, 200, Rational(630)));
    for (const Method method : {Method::automatic, Method::ascent, Method::quotient})
        EXPECT_EQ(solve(instance, {method}).load(), frac(63, 68));
    const auto small = quotient(pool(instance).problem, 4);  // holders, others, the cluster, one type
    ASSERT_TRUE(small);
    EXPECT_EQ(small->problem.multiplicity, (std::vector<Integer>{200, 800}));
    EXPECT_EQ(small->problem.types(), 1U);
    EXPECT_FALSE(quotient(pool(instance).problem, 3));
}

TEST(CapacityRegion, WithoutArrivals) {
    const Instance instance(two_servers(Rational(0), Rational(0)));
    for (const Method method : all_methods) EXPECT_EQ(solve(instance, {method}).load(), 0);
    const CapacityCertificate certificate = solve(instance);
    EXPECT_EQ(position(certificate), Position::inside);
    const Activities activities = basic_activities(instance, certificate);
    EXPECT_TRUE(activities.basic.empty());
    EXPECT_TRUE(activities.unique);
    EXPECT_EQ(activities.components, 2U);
    const PlacementLoss loss = placement_loss(instance, certificate);
    EXPECT_FALSE(loss.scaling);
    EXPECT_EQ(loss.lost, 0);
}

TEST(CapacityRegion, OneServer) {
    expect_load(make({Rational(1), frac(1, 2)}, {{}}, {{{0}, frac(3, 4)}, {{0}, Rational(0)}, {{0}, frac(1, 8)}}),
                frac(7, 8));
}

TEST(CapacityRegion, PositionAndWitness) {
    const auto at = [](const Rational& a) { return solve(Instance(two_servers(a, a))); };
    EXPECT_EQ(position(at(frac(79, 100))), Position::inside);
    EXPECT_EQ(position(at(frac(4, 5))), Position::boundary);
    EXPECT_FALSE(instability(at(frac(4, 5))));
    const Instance outside(two_servers(Rational(1), frac(1, 2)));
    const CapacityCertificate certificate = solve(outside);
    EXPECT_EQ(position(certificate), Position::outside);
    const auto witness = instability(certificate);
    ASSERT_TRUE(witness);
    EXPECT_EQ(witness->drift, certificate.load() - 1);
    // The claim itself: no server removes more than its price, whatever it serves.
    for (const TaskTypeId t : outside.types())
        for (const ServerId m : outside.servers())
            EXPECT_LE(outside.rate(t, m) * witness->value[t.index()], certificate.server_price[m.index()]);
}

TEST(CapacityRegion, PlacementLossOfN2) {
    const Instance instance(n2(frac(2, 5), frac(22, 25), frac(9, 20)));
    const PlacementLoss loss = placement_loss(instance, solve(instance));
    EXPECT_EQ(loss.balanced, frac(133, 150));
    EXPECT_EQ(*loss.scaling, frac(38, 37));
    EXPECT_EQ(loss.lost, Rational(1) - frac(133, 150) * frac(38, 37));
    // A is served everywhere: w_0 / alpha = w_1 / beta = w_2 / gamma.
    ASSERT_EQ(loss.classes.size(), 3U);
    for (std::size_t m = 0; m < 3; ++m) {
        EXPECT_EQ(loss.classes[m].servers, (std::vector<ServerId>{ServerId(m)}));
        EXPECT_EQ(loss.classes[m].relative_price, std::vector<Rational>({10, 8, 1})[m]);
    }
}

TEST(CapacityRegion, StoppedEarlyIsAnInterval) {
    const Instance instance(n2(frac(2, 5), frac(22, 25), frac(9, 20)));
    const CapacityCertificate certificate = solve(instance, {Method::ascent, 1});
    EXPECT_FALSE(certificate.exact());
    EXPECT_LT(certificate.lower, frac(37, 38));
    EXPECT_GT(certificate.upper, frac(37, 38));
    EXPECT_TRUE(verify(instance, certificate));
    EXPECT_EQ(position(certificate), Position::unknown);
    EXPECT_THROW((void)certificate.load(), ContractViolation);
    EXPECT_THROW((void)basic_activities(instance, certificate), ContractViolation);
    EXPECT_EQ(solve(instance, {Method::automatic, 1}).load(), frac(37, 38));  // the linear program takes over
}

// Every single field, altered.
TEST(CapacityVerify, RejectsTampering) {
    const Instance instance(n2(frac(2, 5), frac(22, 25), frac(9, 20)));
    const CapacityCertificate sound = solve(instance);
    ASSERT_TRUE(verify(instance, sound));
    const Rational bit = frac(1, 1'000'000'000);
    const auto rejects = [&](const char* what, const std::function<void(CapacityCertificate&)>& tamper) {
        CapacityCertificate altered = sound;
        tamper(altered);
        EXPECT_NE(rejection(instance, altered), "") << what;
    };
    for (const Rational& change : {bit, -bit}) {
        rejects("lower", [&](auto& c) { c.lower += change; });
        rejects("upper", [&](auto& c) { c.upper += change; });
        rejects("both", [&](auto& c) { c.lower += change, c.upper += change; });
        for (std::size_t i = 0; i < sound.decomposition.size(); ++i) {
            rejects("amount", [&](auto& c) { c.decomposition[i].amount += change; });
            if (i > 0)
                rejects("shift",
                        [&](auto& c) { c.decomposition[i].amount += change, c.decomposition[0].amount -= change; });
        }
        for (std::size_t t = 0; t < 2; ++t) rejects("v", [&](auto& c) { c.type_price[t] += change; });
        for (std::size_t m = 0; m < 3; ++m) {
            rejects("w", [&](auto& c) { c.server_price[m] += change; });
            rejects("w moved", [&](auto& c) { c.server_price[m] += change, c.server_price[(m + 1) % 3] -= change; });
        }
    }
    for (std::size_t i = 0; i < sound.decomposition.size(); ++i) {
        rejects("server",
                [&](auto& c) { c.decomposition[i].server = ServerId((c.decomposition[i].server.index() + 1) % 3); });
        rejects("type", [&](auto& c) { c.decomposition[i].type = TaskTypeId(1 - c.decomposition[i].type.index()); });
        rejects("unknown server", [&](auto& c) { c.decomposition[i].server = ServerId(3); });
        rejects("unknown type", [&](auto& c) { c.decomposition[i].type = TaskTypeId(2); });
        rejects("dropped",
                [&](auto& c) { c.decomposition.erase(c.decomposition.begin() + static_cast<std::ptrdiff_t>(i)); });
        rejects("doubled", [&](auto& c) { c.decomposition.push_back(c.decomposition[i]); });
    }
    rejects("order", [](auto& c) { std::swap(c.decomposition[0], c.decomposition[1]); });
    rejects("short v", [](auto& c) { c.type_price.pop_back(); });
    rejects("long w", [](auto& c) { c.server_price.emplace_back(0); });
    // A valid decomposition with negative parts, and prices of the right sum and value with a negative one.
    rejects("negative amount", [](auto& c) { c.decomposition.push_back({TaskTypeId(1), ServerId(0), frac(-1, 10)}); });
    rejects("negative w", [](auto& c) { c.server_price = {Rational(2), Rational(-1), Rational(0)}; });
}

TEST(CapacityVerify, RejectsTheNeighboursCertificate) {
    const CapacityCertificate certificate = solve(Instance(n2(frac(2, 5), frac(22, 25), frac(9, 20))));
    EXPECT_FALSE(verify(Instance(n2(frac(1, 4), frac(22, 25), frac(9, 20))), certificate));
    EXPECT_FALSE(verify(Instance(n2(frac(2, 5), frac(17, 20), frac(9, 20))), certificate));
    EXPECT_FALSE(verify(Instance(two_servers(frac(22, 25), frac(9, 20))), certificate));
}

RC_GTEST_PROP(CapacityRegion, EveryMethodAgreesWithTheTableau, ()) {
    const Instance instance(arbitrary_instance());
    const Rational expected = oracle_load(instance);
    for (const Method method : all_methods) {
        const CapacityCertificate certificate = solve(instance, {method});
        RC_ASSERT(certificate.exact());
        RC_ASSERT(certificate.load() == expected);
    }
}

// A listing: replicas in two of the racks, some types with one replica, weights of any size, servers without data.
InstanceData listing(std::size_t types, std::size_t servers, std::size_t racks, unsigned seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    std::vector<std::vector<std::string>> groups;
    for (std::size_t m = 0; m < servers; ++m) groups.push_back({std::to_string(m * racks / servers)});
    std::vector<std::pair<std::vector<std::size_t>, Rational>> list;
    const std::size_t holders = seed % 3 == 0 ? servers : servers * 4 / 5;
    for (std::size_t t = 0; t < types; ++t) {
        std::vector<std::size_t> replicas{below(holders)};
        for (int i = 0; i < 2 && below(6) != 0; ++i)
            if (const std::size_t m = below(holders); std::find(replicas.begin(), replicas.end(), m) == replicas.end())
                replicas.push_back(m);
        const std::int64_t weight = seed % 2 == 0 ? 1 : static_cast<std::int64_t>(1 + below(1'000'000) / (1 + t));
        list.push_back({replicas, frac(weight, seed % 5 == 0 ? 1'000'003 : 10)});
    }
    return make({frac(4, 5), frac(1, 2), frac(1, 5)}, groups, list);
}

TEST(CapacityRegion, AscentAgreesWithLinearPrograms) {
    for (unsigned seed = 0; seed < 12; ++seed) {
        const Instance instance(listing(40 + 10 * seed, 30, 6, seed));
        const CapacityCertificate certificate = solve(instance, {Method::ascent});
        ASSERT_TRUE(certificate.exact()) << seed;
        EXPECT_EQ(certificate.load(), solve(instance, {Method::pooled_program}).load()) << seed;
        if (seed < 4) {
            EXPECT_EQ(certificate.load(), solve(instance, {Method::full_program}).load()) << seed;
            const SolveOptions rational{Method::full_program, 1, LinearMethod::rational};
            EXPECT_EQ(certificate.load(), solve(instance, rational).load()) << seed;
        }
        EXPECT_TRUE(solve(instance).exact());
    }
}

TEST(CapacityRegion, LargerListingsAreExact) {
    for (unsigned seed = 0; seed < 6; ++seed) {
        const Instance instance(listing(4000, 400, 20, seed));
        const CapacityCertificate certificate = solve(instance);
        EXPECT_TRUE(certificate.exact()) << seed;
        const Activities activities = basic_activities(instance, certificate);
        EXPECT_EQ(activities.basic.size() + activities.components, 4400U) << seed;  // a forest
    }
}

// Weights whose common denominator exceeds 128 bits: the flow runs on unbounded integers.
TEST(CapacityRegion, UnboundedWeights) {
    InstanceData data = listing(60, 20, 4, 7);
    std::int64_t denominator = 1'000'003;
    for (Rational& rate : data.rates) rate /= Rational(denominator += 2);
    const Instance instance(data);
    const CapacityCertificate certificate = solve(instance, {Method::ascent});
    EXPECT_TRUE(certificate.exact());
    EXPECT_EQ(certificate.load(), solve(instance, {Method::pooled_program}).load());
}

RC_GTEST_PROP(CapacityRegion, EveryIntervalContainsTheLoad, ()) {
    const Instance instance(arbitrary_instance());
    const Rational expected = solve(instance).load();
    for (std::size_t rounds = 1; rounds < 4; ++rounds) {
        const CapacityCertificate certificate = solve(instance, {Method::ascent, rounds});
        RC_ASSERT(certificate.lower <= expected && expected <= certificate.upper);
    }
}

RC_GTEST_PROP(CapacityRegion, MonotoneAndHomogeneousInTheRates, ()) {
    InstanceData data = arbitrary_instance();
    const Rational before = solve(Instance(data)).load();
    InstanceData scaled = data;
    for (Rational& rate : scaled.rates) rate *= frac(7, 3);
    RC_ASSERT(solve(Instance(scaled)).load() == before * frac(7, 3));
    data.rates[0] += frac(1, 5);
    RC_ASSERT(solve(Instance(data)).load() >= before);
}

RC_GTEST_PROP(CapacityRegion, InvariantUnderRenaming, ()) {
    const InstanceData data = arbitrary_instance();
    std::vector<std::size_t> place(data.servers.size());
    std::iota(place.begin(), place.end(), 0U);
    std::shuffle(place.begin(), place.end(), std::mt19937(*rc::gen::arbitrary<unsigned>()));
    InstanceData renamed = data;
    for (std::size_t m = 0; m < place.size(); ++m) renamed.servers[place[m]] = data.servers[m];
    for (auto& type : renamed.types)
        for (ServerId& m : type.replicas) m = ServerId(place[m.index()]);
    std::reverse(renamed.types.begin(), renamed.types.end());
    std::reverse(renamed.rates.begin(), renamed.rates.end());
    RC_ASSERT(solve(Instance(renamed)).load() == solve(Instance(data)).load());
}

RC_GTEST_PROP(CapacityRegion, MoreReplicasNeverHurt, ()) {
    InstanceData data = arbitrary_instance();
    const Rational before = solve(Instance(data)).load();
    const ServerId extra(static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(data.servers.size()))));
    auto& replicas = data.types[0].replicas;
    if (std::find(replicas.begin(), replicas.end(), extra) == replicas.end()) replicas.push_back(extra);
    RC_ASSERT(solve(Instance(data)).load() <= before);
}

RC_GTEST_PROP(CapacityRegion, EveryServerHasAPositivePriceAndTheSameLoad, ()) {
    const Instance instance(arbitrary_instance());
    const CapacityCertificate certificate = solve(instance);
    RC_PRE(certificate.load().sign() > 0);
    for (const Rational& price : certificate.server_price) RC_ASSERT(price.sign() > 0);
    for (const Rational& load : server_loads(instance, certificate.decomposition))
        RC_ASSERT(load == certificate.load());
}

RC_GTEST_PROP(CapacityRegion, LossIsMeasuredAgainstTheBalancedBound, ()) {
    const Instance instance(arbitrary_instance());
    const CapacityCertificate certificate = solve(instance);
    const PlacementLoss loss = placement_loss(instance, certificate);
    RC_ASSERT(loss.balanced <= certificate.load());
    RC_ASSERT(loss.lost.sign() >= 0 && loss.lost < 1);
    std::size_t servers = 0;
    for (const PriceClass& one : loss.classes) servers += one.servers.size();
    RC_ASSERT(servers == instance.servers().size());
}

// Symmetric by construction: copies of one small instance, each in groups of its own.
RC_GTEST_PROP(CapacityRegion, CopiesCollapseInTheQuotient, ()) {
    const InstanceData one = arbitrary_instance(3);
    const std::size_t copies = *rc::gen::inRange<std::size_t>(2, 4);
    InstanceData many = one;
    many.servers.clear(), many.types.clear(), many.rates.clear();
    for (std::size_t c = 0; c < copies; ++c) {
        const std::string suffix = "-" + std::to_string(c);
        for (auto server : one.servers) {
            server.name += suffix;
            if (!server.groups.empty()) server.groups.back() += suffix;
            many.servers.push_back(server);
        }
        for (std::size_t t = 0; t < one.types.size(); ++t) {
            auto type = one.types[t];
            type.name += suffix;
            for (ServerId& m : type.replicas) m = ServerId(m.index() + c * one.servers.size());
            many.types.push_back(type);
            many.rates.push_back(one.rates[t]);
        }
    }
    const Pooled large = pool(Instance(many)).problem;
    const auto small = quotient(large, large.nodes() + large.types());
    RC_ASSERT(small);
    RC_ASSERT(small->problem.leaves <= one.servers.size());
    Integer servers = 0;
    for (const Integer& multiplicity : small->problem.multiplicity) servers += multiplicity;
    RC_ASSERT(servers == Integer(many.servers.size()));
    // At the quotient's prices the first flow on the full problem saturates.
    if (large.types() > 0) {
        const Equilibrium classes = raise_prices(small->problem, {}, 1000);
        RC_ASSERT(classes.optimal);
        RC_ASSERT(raise_prices(large, small->spread(classes.leaf_price), 1).optimal);
    }
}

/// Type B can be served by the last of three servers alone: where that one is the bottleneck, the others have the price
/// 0.
TEST(CapacityRegion, ATypeThatFewServersCanServeMayBeTheBottleneck) {
    const auto cluster = [](const char* a, const char* b) {
        queueing::InstanceData data;
        data.name = "confined";
        data.time = queueing::ContinuousTime{};
        data.servers = {{"s0", {}}, {"s1", {}}, {"s2", {}}};
        data.types = {{"A", {}}, {"B", {}}};
        data.types[0].at_servers = {Rational(1), *Rational::parse("1/3"), *Rational::parse("1/2")};
        data.types[1].at_servers = {std::nullopt, std::nullopt, Rational(1)};
        data.rates = {*Rational::parse(a), *Rational::parse(b)};
        return Instance(std::move(data));
    };
    for (const Method method : all_methods) {
        SolveOptions options;
        options.method = method;
        for (const char* b : {"1/2", "2"}) {
            const Instance instance = cluster("1/10", b);
            const CapacityCertificate certificate = solve(instance, options);
            EXPECT_TRUE(certificate.exact());
            EXPECT_EQ(certificate.load(), *Rational::parse(b));
            EXPECT_EQ(certificate.server_price, (std::vector<Rational>{Rational(0), Rational(0), Rational(1)}));
            EXPECT_FALSE(basic_activities(instance, certificate).unique) << "A may move from one server to another";
            EXPECT_EQ(placement_loss(instance, certificate).classes.back().relative_price, Rational(0));
        }
        EXPECT_EQ(solve(cluster("9/10", "1/2"), options).load(), *Rational::parse("69/110"));
    }
}

/// Two types with the same rates at servers, each faster at another one: a server has another level for each of them.
TEST(CapacityRegion, TypesWithTheSameRatesAtOtherServersKeepTheirLevels) {
    queueing::InstanceData data;
    data.name = "crossed";
    data.time = queueing::ContinuousTime{};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {}}, {"B", {}}};
    data.types[0].at_servers = {Rational(4), Rational(1)};
    data.types[1].at_servers = {Rational(1), Rational(4)};
    data.rates = {*Rational::parse("3/2"), *Rational::parse("1/2")};
    const Instance instance(std::move(data));
    for (const Method method : all_methods) {
        SolveOptions options;
        options.method = method;
        const CapacityCertificate certificate = solve(instance, options);
        EXPECT_EQ(rejection(instance, certificate), "");
        EXPECT_EQ(certificate.load(), *Rational::parse("13/40"));  // A: 13/10 at s0 and 1/5 at s1
    }
}

}  // namespace
}  // namespace schedproof::capacity
