/// Heavy traffic on exact chains: Lemma 1 balances for several policies and truncations and for no wrong law; queues of
/// any policy dominate the queue on the line, slot by slot.
#include "proofs/queueing/chains/heavy_traffic_chain.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/instances.hpp"
#include "tests/support/test_name.hpp"

namespace schedproof::queueing {
namespace {

using testing_support::q;

/// Two servers, one of them with the data: Ml = Mr = 1.
Instance one_local(const char* lambda) {
    InstanceData data = testing_support::two_servers("4/5", "1/5", lambda, "0").data();
    data.types.pop_back();
    const std::vector<Rational> rates{q(lambda)};
    data.arrivals = ArrivalLaw::bernoulli(rates);
    data.rates.clear();
    return Instance(std::move(data));
}

struct Solved {
    ExactSystem system;
    Chain chain;
    markov::Stationary law;
};

Solved solve(const Instance& instance, const char* policy, Truncation truncation) {
    ExactSystem system(instance, make_policy(policy, instance, capacity::fluid_plan), truncation);
    Chain chain = system.chain({20'000, {}});
    markov::Stationary law = markov::stationary_distribution(chain.matrix);
    return {std::move(system), std::move(chain), std::move(law)};
}

TEST(HeavyTrafficChain, LemmaOneBalancesForEveryPolicy) {
    const Instance instance = one_local("9/10"), both = testing_support::two_servers("4/5", "1/5", "9/10", "1/4");
    for (const PolicyInfo& info : policies()) {
        if (info.id == "fluid-model-planning:deficit") continue;  // infinite chains
        for (const Instance* cluster : {&instance, &both})
            for (const Truncation truncation :
                 {Truncation{Truncation::Rule::total, 3}, Truncation{Truncation::Rule::queue, 2}}) {
                const Solved s = solve(*cluster, info.id.data(), truncation);
                const heavy_traffic::Slack slack = heavy_traffic::slack(*cluster);
                const LemmaOne lemma = lemma_one(s.system, s.chain, s.law, slack);
                EXPECT_EQ(lemma.residual(), Rational(0)) << info.id;
                EXPECT_NE(lemma.turned_away, Rational(0)) << info.id;
                EXPECT_GT(lemma.left, Rational(0));
            }
    }
}

TEST(HeavyTrafficChain, LemmaOneDoesNotBalanceForAWrongLaw) {
    const Instance instance = one_local("9/10");
    Solved s = solve(instance, "wang-jsq-maxweight", {Truncation::Rule::total, 3});
    const heavy_traffic::Slack slack = heavy_traffic::slack(instance);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i + 1 < s.law.weight.size(); ++i) {
        markov::Stationary moved = s.law;
        moved.weight[i] += 1;
        moved.total += 1;
        wrong += lemma_one(s.system, s.chain, moved, slack).residual().sign() != 0 ? 1U : 0U;
    }
    EXPECT_EQ(wrong + 1, s.law.weight.size());
    // A slack of another instance.
    EXPECT_NE(lemma_one(s.system, s.chain, s.law, heavy_traffic::slack(one_local("4/5"))).residual(), Rational(0));
}

TEST(HeavyTrafficChain, SecondMomentsSplitAlongAnyDirection) {
    const Instance instance = one_local("9/10");
    const Solved s = solve(instance, "wang-jsq-maxweight", {Truncation::Rule::total, 8});
    const std::vector<Rational> c = wang_direction(s.system);
    EXPECT_EQ(c, (std::vector<Rational>{Rational(1), Rational(0), Rational(1)}));
    const Moments wang = moments(s.chain, s.law, c);
    EXPECT_GT(wang.perpendicular, Rational(0));
    Rational whole;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<Rational> e(3);
        e[axis] = Rational(1);
        whole += moments(s.chain, s.law, e).parallel;
    }
    EXPECT_EQ(wang.parallel + wang.perpendicular, whole);
    // The state collapses to c, not to the ray of one queue alone.
    EXPECT_LT(wang.perpendicular, moments(s.chain, s.law, {Rational(1), Rational(0), Rational(0)}).perpendicular);
    // |Q_perp|^2 is (Q_0 - Q_common)^2 / 2 when nothing joins the second queue.
    std::vector<Rational> gap;
    for (const ExactState& state : s.chain.states) {
        const Rational d(state.length[0].value() - state.length[2].value());
        gap.push_back(d * d / Rational(2));
    }
    EXPECT_EQ(wang.perpendicular, s.law.mean(gap));
    EXPECT_THROW((void)moments(s.chain, s.law, {Rational(0), Rational(0), Rational(0)}), ContractViolation);
}

class EveryPolicyInHeavyTraffic : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryPolicyInHeavyTraffic, DominatesTheQueueOnTheLine) {
    const std::string id = GetParam();
    EXPECT_TRUE(rc::check(id + ": completions are at most the offered service, given what arrives", [&] {
        const Instance instance = *oracle::small_instance(id, oracle::with_own_rates());
        const auto plan = *oracle::plan_for(id, instance);
        const Planner planner = [&](const Instance&) {
            FluidPlan fluid{plan->load, {}};
            for (const auto& a : plan->activities)
                fluid.activities.push_back({TaskTypeId(a.type), ServerId(a.server), a.x});
            return fluid;
        };
        // A reachable state: a task never waits where none is routed.
        const ExactSystem system(instance, make_policy(id, instance, planner));
        Sampler sampler({*rc::gen::arbitrary<std::uint64_t>(), 0, 0});
        ExactState state = system.initial();
        for (int slots = *rc::gen::inRange(0, 15); slots > 0; --slots) state = system.sample(state, sampler);
        RC_ASSERT(coupling_fault(system, state, heavy_traffic::slack(instance).best_rate) == std::string());
    }));
}

INSTANTIATE_TEST_SUITE_P(
    Registry, EveryPolicyInHeavyTraffic,
    [] {
        std::vector<std::string> ids;
        for (const PolicyInfo& registered : policies()) ids.emplace_back(registered.id);
        return ::testing::ValuesIn(ids);
    }(),
    testing_support::named_by_id);

TEST(HeavyTrafficChain, TheCouplingFailsWhereLessIsOffered) {
    const Instance instance = one_local("9/10");
    const ExactSystem system(instance, make_policy("wang-jsq-maxweight", instance, {}));
    ExactState state = system.initial();
    state.length = {CheckedInt(3), CheckedInt(0), CheckedInt(3)};
    EXPECT_EQ(coupling_fault(system, state, {q("4/5"), q("1/5")}), "");
    EXPECT_NE(coupling_fault(system, state, {q("4/5"), q("1/6")}), "");
    EXPECT_NE(coupling_fault(system, state, {q("3/4"), q("1/5")}), "");
}

}  // namespace
}  // namespace schedproof::queueing
