/// Heavy traffic: known answers, the conditions against all subsets, the line queue against closed forms and by
/// coupling, and the workload direction against the stability program.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/duality/policy_data.hpp"
#include "proofs/queueing/heavy_traffic/bound.hpp"
#include "proofs/queueing/heavy_traffic/collapse.hpp"
#include "proofs/queueing/heavy_traffic/line_queue.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::heavy_traffic {
namespace {

using namespace queueing;
using testing_support::q;

Instance stored(const std::string& name) {
    return queueing::read_instance(SCHEDPROOF_SOURCE_DIR "/experiments/instances/" + name + ".toml");
}

TEST(HeavyTraffic, KnownLowerBounds) {
    const std::vector<std::pair<const char*, const char*>> known{{"heavy-traffic-eps01", "11/10"},
                                                                 {"heavy-traffic-eps005", "27/10"},
                                                                 {"heavy-traffic-eps002", "15/2"},
                                                                 {"heavy-traffic-eps001", "31/2"}};
    for (const auto& [name, bound] : known) {
        const Instance instance = stored(name);
        const Slack found = slack(instance);
        ASSERT_TRUE(found.lower_bound);
        EXPECT_NEAR(found.lower_bound->approximate(), q(bound).approximate(), 0.06) << name;
        EXPECT_EQ(found.service_variance, q("8/25"));
        const auto holding = conditions(instance, found);
        ASSERT_TRUE(holding);
        EXPECT_TRUE(holding->hold());
        EXPECT_EQ(holding->local.size(), 1U);
        EXPECT_EQ(holding->remote.size(), 1U);
    }
    // (9/100 + 8/25 + 1/100) / (1/5) - 1, digit by digit.
    EXPECT_EQ(slack(stored("heavy-traffic-eps01")).lower_bound, q("11/10"));
    // (111/400 + 8/25 + 81/400) / (9/10) - 1: far from the boundary of all servers together.
    EXPECT_EQ(slack(stored("m2-uneven")).lower_bound, q("-1/9"));
}

TEST(HeavyTraffic, JointArrivalsHaveTheirOwnVariance) {
    InstanceData data = testing_support::two_servers("4/5", "1/5", "1/2", "1/2").data();
    // Both types together or neither: the variance of 2 Bernoulli(1/2).
    data.arrivals =
        ArrivalLaw({ArrivalFactor({TaskTypeId(0), TaskTypeId(1)}, {{{1, 1}, q("1/2")}, {{0, 0}, q("1/2")}})});
    EXPECT_EQ(slack(Instance(data)).arrival_variance, q("1"));
    EXPECT_EQ(slack(testing_support::two_servers("4/5", "1/5", "1/2", "1/2")).arrival_variance, q("1/2"));
}

RC_GTEST_PROP(HeavyTraffic, VarianceIsThatOfTheLawOfAllArrivals, ()) {
    const Instance instance = *oracle::small_instance("jsq-maxweight");
    const Slack found = slack(instance);
    const Law<std::int64_t> total = total_arrivals(instance);
    const Rational mean = total.expectation([](std::int64_t n) { return Rational(n); });
    const Rational square = total.expectation([](std::int64_t n) { return Rational(n * n); });
    RC_ASSERT(total.total() == Rational(1));
    RC_ASSERT(mean == found.arriving);
    RC_ASSERT(square - mean * mean == found.arrival_variance);
    const Law<std::int64_t> offered = sum_of_bernoullis(found.best_rate);
    const Rational service = offered.expectation([](std::int64_t n) { return Rational(n); });
    RC_ASSERT(service == found.offered);
    RC_ASSERT(offered.expectation([](std::int64_t n) { return Rational(n * n); }) - service * service ==
              found.service_variance);
}

/// The largest shortfall of (12) over all sets of local servers, by going through them.
Rational largest_shortfall(const Instance& instance, const std::vector<ServerId>& local) {
    Rational worst;
    for (std::size_t set = 1; set < (std::size_t{1} << local.size()); ++set) {
        std::vector<bool> inside(instance.servers().size());
        Rational gap;
        for (std::size_t i = 0; i < local.size(); ++i)
            if ((set >> i) % 2 == 1) inside[local[i].index()] = true, gap += instance.rate(instance.local());
        for (const TaskTypeId type : instance.types())
            for (const ServerId m : instance.type(type).replicas)
                if (inside[m.index()]) {
                    gap -= instance.arrival_rate(type);
                    break;
                }
        worst = std::max(worst, gap);
    }
    return worst;
}

RC_GTEST_PROP(HeavyTraffic, ConditionTwelveIsDecidedAsByAllSubsets, ()) {
    const auto servers = *rc::gen::inRange<std::size_t>(1, 7);
    InstanceData data;
    data.name = "random";
    data.levels = {{"local", Rational(1, *rc::gen::inRange(2, 5))}, {"remote", q("1/10")}};
    for (std::size_t m = 0; m < servers; ++m) data.servers.push_back({"s" + std::to_string(m), {}});
    const auto types = *rc::gen::inRange<std::size_t>(1, 6);
    std::vector<Rational> rates;
    for (std::size_t t = 0; t < types; ++t) {
        TaskType type;
        type.name = "t" + std::to_string(t);
        const auto set = *rc::gen::inRange<std::size_t>(1, std::size_t{1} << servers);
        for (std::size_t m = 0; m < servers; ++m)
            if ((set >> m) % 2 == 1) type.replicas.emplace_back(m);
        data.types.push_back(std::move(type));
        rates.emplace_back(t == 0 ? 1 : *rc::gen::inRange(0, 5), 5);
    }
    data.arrivals = ArrivalLaw::bernoulli(rates);
    const Instance instance(std::move(data));
    const Conditions found = *conditions(instance, slack(instance));
    const Rational shortfall = largest_shortfall(instance, found.local);
    RC_TAG(std::string(found.local_traffic.holds ? "holds" : "fails"));
    RC_ASSERT(rejection(instance, found.local_traffic) == std::string());
    RC_ASSERT(found.local_traffic.holds == (shortfall.sign() == 0));
    RC_ASSERT(found.local_traffic.required - found.local_traffic.arriving == shortfall);
    RC_ASSERT(found.local.size() + found.remote.size() == servers);
}

TEST(HeavyTraffic, ForgedVerdictsOnConditionTwelveAreRejected) {
    const Instance heavy = stored("heavy-traffic-eps01"), light = stored("n3-two-levels-eps001");
    const HeavyLocalTraffic holds = conditions(heavy, slack(heavy))->local_traffic;
    const HeavyLocalTraffic fails = conditions(light, slack(light))->local_traffic;
    ASSERT_TRUE(holds.holds);
    ASSERT_FALSE(fails.holds);
    // N4: the lightly loaded server alone violates (12).
    EXPECT_EQ(fails.violating, std::vector<ServerId>{ServerId(1)});
    EXPECT_EQ(fails.arriving, q("1/2"));
    EXPECT_EQ(fails.required, q("4/5"));
    const auto rejected = [](const Instance& instance, HeavyLocalTraffic claim, auto&& spoil) {
        spoil(claim);
        EXPECT_NE(rejection(instance, claim), "");
    };
    rejected(heavy, holds, [](auto& c) { c.flow[0].amount += Rational(1); });
    rejected(heavy, holds, [](auto& c) { c.flow[0].amount -= Rational(1, 100); });
    rejected(heavy, holds, [](auto& c) { c.flow[0].server = ServerId(1); });
    rejected(heavy, holds, [](auto& c) { c.flow.clear(); });
    rejected(heavy, holds, [](auto& c) { c.holds = false; });
    rejected(light, fails, [](auto& c) { c.holds = true; });
    rejected(light, fails, [](auto& c) { c.violating = {ServerId(0)}; });
    rejected(light, fails, [](auto& c) { c.violating = {ServerId(0), ServerId(0)}; });
    rejected(light, fails, [](auto& c) { c.arriving -= Rational(1, 100); });
    rejected(light, fails, [](auto& c) { c.required += Rational(1); });
}

TEST(HeavyTraffic, ConditionTwentyHasFourLimits) {
    const Instance instance = stored("heavy-traffic-eps01");
    const Conditions found = *conditions(instance, slack(instance));
    EXPECT_EQ(found.small_slack.limits, (std::vector<Rational>{q("1"), q("2/5"), q("4/5"), q("3/10")}));
    const Instance far = testing_support::two_servers("4/5", "1/5", "1/10", "1/10");
    EXPECT_FALSE(conditions(far, slack(far))->small_slack.holds);
    EXPECT_FALSE(conditions(testing_support::n2(), slack(testing_support::n2())));
}

TEST(LineQueue, OfOneServerHasItsClosedForm) {
    // Steps +1 with u = lambda (1 - b), -1 with d = (1 - lambda) b: geometric, mean u / (d - u) at the end of slots
    // in which an arrival may be served at once.
    const Instance instance = testing_support::one_server("3/5", "2/5");
    const Slack known = slack(instance);
    const LineQueue line = line_queue(instance, known);
    const Rational u = q("4/25"), d = q("9/25");
    EXPECT_LE(line.lower, u / (d - u));
    EXPECT_GE(line.upper, u / (d - u));
    EXPECT_LE(line.upper - line.lower, q("1/1000000"));
}

TEST(LineQueue, OfTwoServersHoldsTheRootOfItsGeneratingFunction) {
    // heavy-traffic-eps01: the increment is 1, 0, -1, -2. With one root z in (-1, 0) of the numerator, E chi^2 is
    // eps + 2 P(chi = 2), P(chi = 2) = pi_0 P(increment = -2); compare with a long power iteration instead.
    const Instance instance = stored("heavy-traffic-eps01");
    const Slack known = slack(instance);
    const LineQueue line = line_queue(instance, known);
    const double step[] = {0.1 * 0.16, 0.1 * 0.68 + 0.9 * 0.16, 0.1 * 0.16 + 0.9 * 0.68, 0.9 * 0.16};  // -2 .. 1
    std::vector<double> pi(400, 0.0);
    pi[0] = 1;
    for (int t = 0; t < 20'000; ++t) {
        std::vector<double> next(pi.size(), 0.0);
        for (int n = 0; n < 400; ++n)
            for (int k = 0; k < 4; ++k)
                next[static_cast<std::size_t>(std::clamp(n + k - 2, 0, 399))] +=
                    pi[static_cast<std::size_t>(n)] * step[k];
        pi = std::move(next);
    }
    double mean = 0;
    for (std::size_t n = 0; n < pi.size(); ++n) mean += static_cast<double>(n) * pi[n];
    EXPECT_NEAR(line.lower.approximate(), mean, 1e-5);
    EXPECT_GE(line.lower, *known.lower_bound);
    EXPECT_LE(line.truncated, line.upper);
}

RC_GTEST_PROP(LineQueue, IntervalsOfAllCapsMeet, ()) {
    const Instance instance = *oracle::small_instance("jsq-maxweight");
    const Slack known = slack(instance);
    RC_PRE(known.epsilon > Rational(1, 10));
    LineOptions rough, fine;
    rough.largest_cap = *rc::gen::inRange(1U, 6U);
    fine.largest_cap = 64;
    const LineQueue a = line_queue(instance, known, rough), b = line_queue(instance, known, fine);
    RC_ASSERT(a.lower <= b.upper && b.lower <= a.upper);
    RC_ASSERT(a.truncated <= b.truncated);
    RC_ASSERT(b.lower <= b.upper);
    RC_ASSERT(b.upper >= *known.lower_bound);
}

// N3 and N4.

Workload workload_of(const Instance& instance) { return workload(instance, capacity::solve(instance)); }

CollapseRay ray_of(const Instance& instance, const char* policy) {
    const auto ray = collapse_ray(*duality::max_weight_data(instance, policy), workload_of(instance));
    EXPECT_TRUE(ray);
    return ray.value_or(CollapseRay{});
}

TEST(Collapse, TwoLevelsOfN3) {
    for (const char* name : {"n3-two-levels-eps001", "n3-two-levels-eps0003", "n3-two-levels-eps005"}) {
        const Instance instance = stored(name);
        const Workload known = workload_of(instance);
        const Rational r = q("1/4");
        EXPECT_TRUE(known.pooled);
        EXPECT_EQ(known.type_price, (std::vector<Rational>{q("1"), r}));
        const CollapseRay ray = ray_of(instance, "jsq-maxweight");
        // alpha Q1 = gamma Q0, and (1 + r) / (1 + r^2).
        EXPECT_EQ(q("4/5") * ray.direction[1], q("1/5") * ray.direction[0]);
        EXPECT_EQ(ray.factor, (Rational(1) + r) / (Rational(1) + r * r));
        EXPECT_EQ(ray.factor, q("20/17"));
    }
    EXPECT_NEAR(workload_of(stored("n3-two-levels-eps0003")).constant().approximate(), 0.176, 0.002);
}

TEST(Collapse, ThreeLevelsOfN3) {
    const Instance near = stored("n3-three-levels-eps0004");
    const CollapseRay ray = ray_of(near, "jsq-maxweight");
    const Rational r = q("2/5");
    EXPECT_EQ(ray.factor, (Rational(1) + r) / (Rational(1) + r * r));
    EXPECT_EQ(ray.factor, q("35/29"));  // 1.207
    EXPECT_EQ(workload_of(near).slack, q("1/250"));
    // At the boundary itself, lambda_A = 67/100: .328.
    InstanceData data = near.data();
    const std::vector<Rational> rates{q("67/100"), q("1/5")};
    data.arrivals = ArrivalLaw::bernoulli(rates);
    const Workload limit = workload_of(Instance(std::move(data)));
    EXPECT_EQ(limit.load, q("1"));
    EXPECT_EQ(limit.slack, q("0"));
    EXPECT_EQ(limit.arrival_variance, q("2211/10000") + r * r * q("4/25"));
    EXPECT_EQ(limit.service_variance, q("1/4") + q("14/125") + q("19/400"));
    EXPECT_EQ(limit.constant(), q("3281/10000"));
}

TEST(Collapse, UnderConditionTwelveEveryQueueIsWorthTheSame) {
    const Instance instance = stored("heavy-traffic-eps001");
    const CollapseRay ray = ray_of(instance, "wang-jsq-maxweight");
    EXPECT_EQ(ray.direction, (std::vector<Rational>{q("1"), q("0"), q("1")}));
    EXPECT_EQ(ray.factor, q("1"));
    const Slack known = slack(instance);
    const Workload work = workload_of(instance);
    EXPECT_EQ(work.slack, known.epsilon);
    // N4: where (12) fails, Wang's queues are worth different things.
    const CollapseRay other = ray_of(stored("n3-two-levels-eps001"), "wang-jsq-maxweight");
    EXPECT_EQ(other.direction, (std::vector<Rational>{q("1"), q("1/4"), q("1")}));
    EXPECT_EQ(other.factor, q("12/11"));
}

// Server 0 helps type A from within the rack, which is worth more than what type L brings it: L is served by server 1.
// So nobody joins or serves queue 0 between gamma/alpha and beta/alpha of queue 2.
TEST(Collapse, AQueueWhoseTasksAreCheaperElsewhereIsLoose) {
    InstanceData data = testing_support::n2().data();  // 1/2, 2/5, 1/20; racks {0, 1}, {2}
    data.types.resize(2);
    data.types[0].replicas = {ServerId(1)};               // A
    data.types[1].replicas = {ServerId(0), ServerId(2)};  // L
    // A takes its server, server 0, and half of server 2; L the other half of server 2.
    const std::vector<Rational> rates{q("1/2") + q("2/5") + q("1/40"), q("1/4")};
    data.arrivals = ArrivalLaw::bernoulli(rates);
    const Instance instance(std::move(data));
    const Workload known = workload_of(instance);
    EXPECT_EQ(known.load, q("1"));
    EXPECT_TRUE(known.pooled);
    EXPECT_EQ(known.type_price, (std::vector<Rational>{q("1"), q("1/10")}));
    const CollapseRay ray = ray_of(instance, "jsq-maxweight");
    EXPECT_EQ(ray.direction, (std::vector<Rational>{q("4/5"), q("1"), q("1/10")}));
    EXPECT_EQ(ray.least, (std::vector<Rational>{q("1/10"), q("1"), q("1/10")}));
    EXPECT_FALSE(ray.factor);
    const auto drift = [&](const Rational& first) {
        const Rational second(1), third = q("1/10");
        const Rational a = rates[0] * second, l = rates[1] * std::min(first, third);
        const auto best = [](const Rational& x, const Rational& y, const Rational& z) {
            return std::max(std::max(x, y), z);
        };
        return a + l - best(first * q("1/2"), second * q("2/5"), third * q("1/20")) -
               best(first * q("2/5"), second * q("1/2"), third * q("1/20")) -
               best(first * q("1/20"), second * q("1/20"), third * q("1/2"));
    };
    for (const char* inside : {"1/10", "1/2", "4/5"}) EXPECT_EQ(drift(q(inside)), Rational(0)) << inside;
    for (const char* outside : {"1/11", "5/6"}) EXPECT_LT(drift(q(outside)), Rational(0)) << outside;
}

// The cluster of Counterexample N5, and the same with three servers in place of each.
TEST(Collapse, BalancedPandasHasMoreTasksThanCmuWithCosts) {
    for (const std::size_t copies : {1U, 3U}) {
        InstanceData data;
        data.name = "n5";
        data.levels = {{"local", q("1/2")}, {"rack", q("1/5")}, {"remote", q("1/20")}};
        data.types.resize(2);
        data.types[0].name = "A", data.types[1].name = "D";
        for (std::size_t m = 0; m < 3 * copies; ++m) {
            data.servers.push_back({"s" + std::to_string(m), {m < copies ? "r0" : "r1"}});
            if (m < 2 * copies) data.types[m / copies].replicas.emplace_back(m);
        }
        data.types[1].cost = Rational(2) * data.types[0].cost;
        // Each type of one server brings so many tasks; so many copies of them come independently.
        const Rational one(1), a = q("43/80"), d = q("11/20");
        std::vector<ArrivalFactor> factors;
        for (const auto& [type, p] : {std::pair(TaskTypeId(0), a), std::pair(TaskTypeId(1), d)}) {
            std::vector<Rational> law{one};
            for (std::size_t k = 0; k < copies; ++k) {
                law.emplace_back();
                for (std::size_t n = law.size(); n-- > 0;)
                    law[n] = law[n] * (one - p) + (n > 0 ? law[n - 1] * p : Rational());
            }
            std::vector<ArrivalOutcome> outcomes;
            for (std::uint32_t n = 0; n < law.size(); ++n) outcomes.push_back({{n}, law[n]});
            factors.emplace_back(std::vector<TaskTypeId>{type}, outcomes);
        }
        data.arrivals = ArrivalLaw(factors);
        const Instance instance(std::move(data));
        const Workload known = workload_of(instance);
        EXPECT_EQ(known.load, one);
        EXPECT_TRUE(known.pooled);
        EXPECT_EQ(known.type_price, (std::vector<Rational>{one, q("1/4")}));
        const WorkloadRay pandas = workload_ray(instance, known);
        EXPECT_EQ(pandas.slowest.front(), q("1/2"));
        EXPECT_EQ(pandas.slowest.back(), q("1/20"));
        // (1/2 1/2 + 1/8 1/2 + 1/20 1/20) / (1/4 + 1/64 + 1/400)
        EXPECT_EQ(pandas.factor, q("168/143"));
        const std::vector<Rational> costs{one, q("2")};
        const auto cmu = collapse_ray(*duality::max_weight_data(instance, "generalized-cmu"), known, costs);
        ASSERT_TRUE(cmu && cmu->factor);
        EXPECT_EQ(cmu->direction, (std::vector<Rational>{one, q("1/8")}));
        EXPECT_EQ(*cmu->factor, q("12/11"));  // (1 + 1/8) / (1 + 1/32)
    }
}

TEST(Collapse, APolicyBlindToALevelHasNoBalancedRay) {
    const Instance instance = testing_support::n2();
    EXPECT_FALSE(
        collapse_ray(*duality::max_weight_data(instance, "wang-jsq-maxweight"), workload_of(instance)).has_value());
}

RC_GTEST_PROP(Collapse, TheRayIsOfLargestStabilityLoadAndItsFactorAtLeastOne, ()) {
    const Instance instance = *oracle::small_instance("jsq-maxweight");
    const Workload known = workload_of(instance);
    const auto data = *duality::max_weight_data(instance, "jsq-maxweight");
    const auto ray = collapse_ray(data, known);
    const bool whole = duality::solve(data).value == known.load;
    if (!whole) RC_SUCCEED("the policy does not reach the whole region");
    RC_ASSERT(ray.has_value());
    bool loose = false;
    for (std::size_t i = 0; i < data.queues; ++i) {
        RC_ASSERT(ray->least[i] <= ray->direction[i]);
        loose = loose || ray->is_loose(i);
    }
    RC_ASSERT(ray->factor.has_value() == !loose);
    if (ray->factor) RC_ASSERT(*ray->factor >= Rational(1));
    Rational value;
    for (const TaskTypeId type : instance.types())
        value += instance.arrival_rate(type) * duality::type_value(data, type.index(), ray->direction);
    Rational offered;
    for (const ServerId m : instance.servers()) offered += duality::server_value(data, m.index(), ray->direction);
    RC_ASSERT(value == known.load * offered);
    // The least lengths are as good: at the boundary the drift vanishes there too.
    Rational least_value, least_offered;
    for (const TaskTypeId type : instance.types())
        least_value += instance.arrival_rate(type) * duality::type_value(data, type.index(), ray->least);
    for (const ServerId m : instance.servers()) least_offered += duality::server_value(data, m.index(), ray->least);
    RC_ASSERT(least_value == value);
    RC_ASSERT(least_offered <= offered);
}

}  // namespace
}  // namespace schedproof::heavy_traffic
