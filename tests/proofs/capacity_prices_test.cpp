#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "capacity_instances.hpp"
#include "proofs/queueing/capacity/pooled.hpp"
#include "proofs/queueing/capacity/price_ascent.hpp"
#include "proofs/queueing/capacity/ranked_prices.hpp"
#include "proofs/queueing/capacity/sets.hpp"

namespace schedproof::capacity {
namespace {

using namespace testing;

// v of a type by its definition over all servers.
Rational type_price(const Instance& instance, TaskTypeId type, const std::vector<Rational>& w) {
    Rational least = w[0] / instance.rate(type, ServerId(0));
    for (const ServerId m : instance.servers()) least = std::min(least, w[m.index()] / instance.rate(type, m));
    return least;
}

Rational worth(const Instance& instance, const std::vector<Rational>& w) {
    Rational value, all;
    for (const TaskTypeId t : instance.types()) value += instance.arrival_rate(t) * type_price(instance, t, w);
    for (const Rational& price : w) all += price;
    return value / all;
}

RC_GTEST_PROP(CapacityPrices, VerticesAreConnectedAndWorthNoLess, ()) {
    const Instance instance(arbitrary_instance());
    const Pooled problem = pool(instance).problem;
    RC_PRE(problem.types() > 0U);
    std::vector<Rational> prices;
    for (std::size_t m = 0; m < problem.leaves; ++m)
        prices.push_back(frac(*rc::gen::inRange(1, 40), *rc::gen::inRange(1, 40)));
    const Integer unit = common_denominator(problem.demand);
    std::vector<Integer> demand;
    for (const Rational& rate : problem.demand) demand.push_back((rate * Rational(unit)).numerator());
    const std::vector<Rational> vertex = to_vertex(problem, demand, prices);

    RC_ASSERT(worth(instance, vertex) >= worth(instance, prices));
    const auto servers = static_cast<std::uint32_t>(problem.leaves);
    Sets sets(servers + instance.types().size());
    std::size_t components = servers;
    for (const TaskTypeId t : instance.types()) {
        if (instance.arrival_rate(t).sign() == 0) continue;
        ++components;
        const Rational price = type_price(instance, t, vertex);
        for (const ServerId m : instance.servers())
            if (price * instance.rate(t, m) == vertex[m.index()] &&
                sets.join(static_cast<std::uint32_t>(servers + t.index()), static_cast<std::uint32_t>(m.index())))
                --components;
    }
    RC_ASSERT(components == 1U);
}

// The pooled minimum over touched nodes is the minimum over all servers.
RC_GTEST_PROP(CapacityPrices, PoolingChangesNoTypePrice, ()) {
    const Instance instance(arbitrary_instance());
    const PooledInstance pooled = pool(instance);
    RC_PRE(pooled.problem.types() > 0U);
    std::vector<Rational> prices;
    for (std::size_t m = 0; m < pooled.problem.leaves; ++m) prices.push_back(frac(*rc::gen::inRange(1, 9), 4));
    const RankedPrices ranked = rank_prices(pooled.problem, prices);
    for (const TaskTypeId t : instance.types())
        if (const std::uint32_t p = pooled.pooled_type[t.index()]; p != Pooled::none)
            RC_ASSERT(ranked.slowness[ranked.type[p]] == type_price(instance, t, prices));
}

// Overlapping chains on racks of two servers, five levels, weights over six decades: what made prices grow without
// bound before they were moved to vertices.
TEST(CapacityPrices, LongChainsTerminate) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        std::uint64_t state = seed + 1;
        const auto below = [&](std::size_t n) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            return static_cast<std::size_t>((state >> 33) % n);
        };
        const std::size_t servers = 60 + below(200);
        std::vector<std::vector<std::string>> groups;
        for (std::size_t m = 0; m < servers; ++m)
            groups.push_back({std::to_string(m / 2), std::to_string(m / 6), std::to_string(m / 24)});
        std::vector<std::pair<std::vector<std::size_t>, Rational>> types;
        for (std::size_t t = 0; t < 2 * servers; ++t) {
            const std::size_t m = std::min(below(servers), below(servers));
            types.push_back({m + 1 < servers && seed % 2 == 0 ? std::vector{m, m + 1} : std::vector{m},
                             Rational(1 + 1'000'000 / (1 + below(1'000'000)))});
        }
        const Instance instance(
            make({frac(99, 100), frac(83, 100), frac(61, 100), frac(37, 100), frac(11, 100)}, groups, types));
        const Equilibrium found = raise_prices(pool(instance).problem, {}, 1000);
        EXPECT_TRUE(found.optimal) << seed;
    }
}

}  // namespace
}  // namespace schedproof::capacity
