/// The kernel and every policy against the count-level oracle: equal as exact distributions, on random clusters,
/// states, options and truncations. And the mutants that this comparison must refute.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "model/core/errors.hpp"
#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/generalized_cmu.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "policies/queueing/pandas.hpp"
#include "policies/queueing/random_baselines.hpp"
#include "policies/queueing/wang_jsq_maxweight.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/model/queueing_oracle.hpp"
#include "tests/support/changed_policy.hpp"
#include "tests/support/planner.hpp"
#include "tests/support/test_name.hpp"

namespace schedproof::queueing {
namespace {

/// One random case: a cluster that the policy can run on, a state of it, a truncation.
struct Case {
    Instance instance;
    std::optional<oracle::Plan> plan;
    ExactState state;
    Truncation truncation;
};

Case random_case(const std::string& policy) {
    Instance instance = *oracle::small_instance(policy, oracle::with_own_rates());
    auto plan = *oracle::plan_for(policy, instance);
    ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, policy, plan));
    return {std::move(instance), std::move(plan), std::move(state), *oracle::any_truncation()};
}

using StateLaw = std::map<oracle::OracleState, Rational>;

template <class Kernel>
StateLaw law_of(const Kernel& kernel, const ExactState& state) {
    StateLaw law;
    for (const Move& move : moves(kernel, state)) law[oracle::from_state(move.slot.next)] += move.probability;
    return law;
}

class EveryPolicy : public testing::TestWithParam<std::string> {};

TEST_P(EveryPolicy, KernelEqualsTheCountLevelOracle) {
    const std::string id = GetParam();
    EXPECT_TRUE(rc::check(id + ": both kernels give the same law of the next state", [&] {
        const Case c = random_case(id);
        const StateLaw expected = oracle::next_slot(c.instance, id, oracle::from_state(c.state), c.plan, c.truncation);
        const AnyPolicy policy = make_policy(id, c.instance, testing_support::planner_of(c.plan));
        const Kernel<CheckedInt> integers(c.instance, policy, c.truncation);
        const Kernel<Rational> rationals(c.instance, policy, c.truncation);
        RC_ASSERT(law_of(integers, c.state) == expected);
        RC_ASSERT(law_of(rationals, c.state) == expected);
    }));
}

TEST_P(EveryPolicy, OneSlotKeepsTheBooks) {
    const std::string id = GetParam();
    EXPECT_TRUE(
        rc::check(id + ": tasks change by admissions less completions; a queue loses no more than its servers", [&] {
            const Case c = random_case(id);
            const ExactSystem system(c.instance, make_policy(id, c.instance, testing_support::planner_of(c.plan)),
                                     c.truncation);
            Rational total, arrived;
            for (const Move& move : system.moves(c.state)) {
                total += move.probability;
                arrived += move.probability * move.slot.arrived;
                std::int64_t change = 0;
                for (std::size_t q = 0; q < c.state.length.size(); ++q) {
                    const std::int64_t lost = c.state.length[q].value() - move.slot.next.length[q].value();
                    change -= lost;
                    RC_ASSERT(lost <= static_cast<std::int64_t>(c.state.serving.size()));
                }
                RC_ASSERT(change == std::int64_t{move.slot.arrived} - move.slot.blocked - move.slot.completed);
                RC_ASSERT(oracle::consistent(oracle::queue_shape(c.instance, id, c.plan),
                                             oracle::from_state(move.slot.next)));
            }
            RC_ASSERT(total == 1);
            RC_ASSERT(arrived == c.instance.total_arrival_rate());
        }));
}

TEST_P(EveryPolicy, ASampledSlotHasPositiveProbability) {
    const std::string id = GetParam();
    EXPECT_TRUE(rc::check(id + ": what the sampler draws is an outcome of the exact law", [&] {
        const Case c = random_case(id);
        const ExactSystem system(c.instance, make_policy(id, c.instance, testing_support::planner_of(c.plan)),
                                 c.truncation);
        const Law<ExactState> law = system.kernel(c.state);
        Sampler sampler({*rc::gen::arbitrary<std::uint64_t>(), 0, 0});
        for (int i = 0; i < 20; ++i) RC_ASSERT(law.probability(system.sample(c.state, sampler)) > 0);
    }));
}

INSTANTIATE_TEST_SUITE_P(Policies, EveryPolicy, testing::ValuesIn(oracle::policy_ids()), testing_support::named_by_id);

TEST(Registry, TheOracleKnowsEveryRegisteredPolicy) {
    std::vector<std::string> registered, known = oracle::policy_ids();
    for (const PolicyInfo& info : policies()) registered.emplace_back(info.id);
    std::sort(registered.begin(), registered.end());
    std::sort(known.begin(), known.end());
    EXPECT_EQ(registered, known);
}

TEST(Registry, NamesResolveToThemselvesOrTheFirstVariant) {
    EXPECT_EQ(resolve_policy("pandas"), "pandas:plain");
    EXPECT_EQ(resolve_policy("pandas:rackaware"), "pandas:rackaware");
    EXPECT_EQ(resolve_policy("fluid-model-planning"), "fluid-model-planning:static");
    EXPECT_EQ(resolve_policy("panda"), "");
    EXPECT_EQ(resolve_policy("gb-pandas"), "balanced-pandas");
    EXPECT_EQ(resolve_policy("gb-pandas:idle"), "");
}

// Mutants. Each stands for a fault that the comparison must notice on some of a fixed number of random cases.

/// Number of the first of `cases` random cases on which a policy's kernel departs from the oracle of `id`.
std::optional<int> first_departure(const std::string& id, const AnyPolicy& mutant, int cases,
                                   const std::function<void(Options&)>& change = {}) {
    for (int i = 0; i < cases; ++i) {
        const auto value = [seed = std::uint64_t(i)](const auto& gen, std::uint64_t salt) {
            return gen(rc::Random(seed * 1000 + salt), 50).value();
        };
        const Instance instance = value(oracle::small_instance(id), 1);
        const ExactState state = value(oracle::valid_state(instance, oracle::queue_shape(instance, id)), 2);
        InstanceData changed = instance.data();
        if (change) change(changed.options);
        const Instance other(changed);
        try {
            if (law_of(Kernel<CheckedInt>(other, mutant), state) !=
                oracle::next_slot(instance, id, oracle::from_state(state)))
                return i;
        } catch (const InputError&) {  // the changed option is not defined for this policy
        }
    }
    return std::nullopt;
}

TEST(Mutants, FaultyPoliciesDepartFromTheOracle) {
    using namespace language;
    using testing_support::with_route;
    using testing_support::with_serve;
    constexpr int cases = 400;
    constexpr auto longest = argmax(nonempty(reachable), length);
    constexpr auto heaviest = argmax(nonempty(reachable), rate * length);
    EXPECT_TRUE(first_departure("jsq-maxweight", with_route<JsqMaxWeight>(argmax(local, length)), cases));
    EXPECT_TRUE(first_departure("jsq-maxweight", with_route<JsqMaxWeight>(lowest(1, argmin(local, length))), cases));
    EXPECT_TRUE(first_departure("jsq-maxweight", with_serve<JsqMaxWeight>(first_of(longest, own)), cases));
    EXPECT_TRUE(first_departure("jsq-maxweight", with_serve<JsqMaxWeight>(heaviest), cases));
    EXPECT_TRUE(first_departure(
        "wang-jsq-maxweight",
        with_serve<WangJsqMaxWeight>(when(least(own, rate * servable) > least(common, rate * servable), own, common)),
        cases));
    EXPECT_TRUE(first_departure("pandas:plain", with_serve<PandasPlain>(first_of(nonempty(own), longest, own)), cases));
    EXPECT_TRUE(first_departure("pandas:rackaware", PandasPlain{}, cases));
    EXPECT_TRUE(first_departure("balanced-pandas", with_route<BalancedPandas>(argmin(servers, length)), cases));
    EXPECT_TRUE(first_departure(
        "balanced-pandas", with_serve<BalancedPandas>(first_of(argmax(nonempty(own_levels), distance), own)), cases));
    EXPECT_TRUE(first_departure("balanced-pandas", BalancedPandasIdle{}, cases));
    EXPECT_TRUE(first_departure("generalized-cmu", with_serve<GeneralizedCmu>(heaviest), cases));
    EXPECT_TRUE(first_departure("random-any", with_route<RandomAny>(most_local(servers)), cases));
    EXPECT_TRUE(first_departure("random-local", with_route<RandomLocal>(lowest(1, local)), cases));
}

/// Every option that leaves the shape of the state alone; `common-rate` changes it, and `reveal` must not change the
/// law.
TEST(Mutants, EveryOptionOfTheSlotMatters) {
    constexpr int cases = 1500;
    const WangJsqMaxWeight wang;
    const auto flip = [](auto Options::*field, auto first, auto second) {
        return [=](Options& o) { o.*field = o.*field == first ? second : first; };
    };
    EXPECT_TRUE(first_departure("wang-jsq-maxweight", wang, cases,
                                flip(&Options::routing, Routing::batch, Routing::sequential)));
    EXPECT_TRUE(first_departure("wang-jsq-maxweight", wang, cases,
                                flip(&Options::counting, Counting::in_system, Counting::waiting)));
    EXPECT_TRUE(first_departure("wang-jsq-maxweight", wang, cases,
                                flip(&Options::empty_target, EmptyTarget::wasted, EmptyTarget::conserved)));
    EXPECT_TRUE(first_departure("wang-jsq-maxweight", wang, cases,
                                flip(&Options::scarcity, Scarcity::lowest_index, Scarcity::uniform_subset)));
    EXPECT_TRUE(first_departure("jsq-maxweight", JsqMaxWeight{}, cases,
                                flip(&Options::unmatched, Unmatched::idle, Unmatched::phantom)));
}

/// Draws clusters whose types have rates of their own, and states. The kernel of a changed cluster must depart from the
/// oracle's law of the drawn one; `changed` may leave a cluster out.
void expect_departures(const std::string& id, std::uint64_t draws,
                       const std::function<std::optional<Instance>(const Instance&)>& changed) {
    int cases = 0, departures = 0;
    for (std::uint64_t i = 0; i < draws; ++i) {
        const auto value = [i](const auto& gen, std::uint64_t salt) {
            return gen(rc::Random(i * 1000 + salt), 50).value();
        };
        const Instance instance = value(oracle::small_instance(id, oracle::with_own_rates()), 1);
        if (!instance.rates_by_type()) continue;
        const ExactState state = value(oracle::valid_state(instance, oracle::queue_shape(instance, id)), 2);
        const std::optional<Instance> other = changed(instance);
        if (!other) continue;
        const Kernel<CheckedInt> mutant(*other, make_policy(id, *other, {}));
        ++cases;
        departures += law_of(mutant, state) != oracle::next_slot(instance, id, oracle::from_state(state)) ? 1 : 0;
    }
    EXPECT_GT(cases, 20);
    EXPECT_GT(departures, 5);
}

TEST(Mutants, RatesOfTypesMatter) {
    expect_departures("generalized-cmu", 100, [](const Instance& instance) -> std::optional<Instance> {
        InstanceData data = instance.data();
        for (TaskType& type : data.types) type.rates.clear();
        return Instance(std::move(data));
    });
}

/// A server with queues per level has one for each list of rates, which a kernel with none of them would not have; one
/// that halves them has.
TEST(Mutants, RatesOfTypesMatterToQueuesPerLevel) {
    expect_departures("balanced-pandas", 200, [](const Instance& instance) -> std::optional<Instance> {
        InstanceData data = instance.data();
        for (TaskType& type : data.types)
            for (Rational& rate : type.rates) rate /= Rational(2);
        Instance slower(std::move(data));
        if (slower.rate_rows() != instance.rate_rows()) return std::nullopt;  // they are those of the levels now
        return slower;
    });
}

TEST(Mutants, TheUnchangedPoliciesDoNot) {
    EXPECT_FALSE(first_departure("jsq-maxweight", JsqMaxWeight{}, 400));
    EXPECT_FALSE(first_departure("wang-jsq-maxweight", WangJsqMaxWeight{}, 400));
}

}  // namespace
}  // namespace schedproof::queueing
