/// Policies of others: every engine gives an answer that agrees with the others, or says why it has none.
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/simulators/events/event_experiment.hpp"
#include "experiments/simulators/slotted/question_plan.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "model/queueing/codec/codec.hpp"
#include "model/queueing/codec/policy_text.hpp"
#include "policies/queueing/exact.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"
#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "tests/experiments/queueing_laws.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/strangers/balanced_two_choices.hpp"
#include "tests/strangers/buddy.hpp"
#include "tests/strangers/every_word.hpp"
#include "tests/strangers/gate.hpp"
#include "tests/strangers/jsq_first.hpp"
#include "tests/strangers/jsq_sampled.hpp"
#include "tests/strangers/maxweight_nearest.hpp"

namespace schedproof::simulation {
namespace {

Rational quotient(std::int64_t p, std::int64_t q) { return Rational(p) / Rational(q); }

/// Four servers; A on the first three, B on the last two. Rates over `slower`, so that slots become short. B may have
/// rates of its own.
std::shared_ptr<const queueing::Instance> four_servers_of_strangers(std::int64_t slower, bool own_rates = false) {
    queueing::InstanceData data;
    data.name = "four-servers";
    data.levels = {{"local", quotient(4, 5 * slower)}, {"remote", quotient(2, 5 * slower)}};
    for (int m = 0; m < 4; ++m) data.servers.push_back({"s" + std::to_string(m), {}});
    data.types = {{"A", {ServerId(0), ServerId(1), ServerId(2)}}, {"B", {ServerId(2), ServerId(3)}}};
    if (own_rates) data.types[1].rates = {quotient(7, 10 * slower), quotient(3, 10 * slower)};
    const std::vector<Rational> rates{quotient(9, 10 * slower), quotient(9, 10 * slower)};
    data.arrivals = queueing::ArrivalLaw::bernoulli(rates);
    data.rates = rates;
    data.options.empty_target = queueing::EmptyTarget::conserved;  // without slots there is none to waste
    return std::make_shared<const queueing::Instance>(std::move(data));
}

const std::vector<queueing::AnyPolicy>& policies_of_others() {
    static const std::vector<queueing::AnyPolicy> all{
        strangers::JsqSampled{}, strangers::JsqFirst{}, strangers::MaxWeightNearest{},
        strangers::Gate{},       strangers::Buddy{},    strangers::BalancedTwoChoices{}};
    return all;
}

/// Calls `visit` with every policy, and again, where its queues tell it, for a type with rates of its own.
template <class Visit>
void for_each_policy_of_others(Visit&& visit) {
    for (const queueing::AnyPolicy& policy : policies_of_others())
        for (const bool own_rates : {false, true}) {
            if (own_rates && policy.rules().arrangement() != queueing::Arrangement::per_server_and_level) continue;
            SCOPED_TRACE(std::string(policy.info().id) + (own_rates ? ", B with rates of its own" : ""));
            visit(policy, own_rates);
        }
}

TEST(Strangers, AreSimulatedAsTheirExactChainsSay) {
    const queueing::Truncation truncation{queueing::Truncation::Rule::total, 3};
    for_each_policy_of_others([&](const queueing::AnyPolicy& policy, bool own_rates) {
        const auto instance = four_servers_of_strangers(1, own_rates);
        const queueing::Chain chain = queueing::ExactSystem(*instance, policy, truncation).chain();
        const double exact = exact_mean_tasks(chain.states, chain.matrix);
        for (const bool delays : {false, true}) {
            const auto experiment = slotted_experiment({instance}, policy, {100'000, 200, delays, truncation});
            const statistics::Estimate seen = mean_tasks_of(*experiment, 0, 0.9999);
            EXPECT_NEAR(seen.mean, exact, *seen.half_width) << delays;
        }
    });
}

/// With short slots the law of the slotted simulator is nearly that of the one in continuous time.
TEST(Strangers, AreSimulatedAlikeInSlotsAndInContinuousTime) {
    constexpr std::int64_t slower = 100;
    for_each_policy_of_others([&](const queueing::AnyPolicy& policy, bool own_rates) {
        const auto in_slots =
            slotted_experiment({four_servers_of_strangers(slower, own_rates)}, policy, {4'000'000, 200, true, {}});
        EventSettings settings;
        settings.system = {four_servers_of_strangers(1, own_rates)};
        settings.policy = policy;
        settings.gap = workload::Exponential{1 / 1.8};
        settings.size = workload::Exponential{1};
        settings.duration = 40'000;
        settings.batches = 200;
        const auto in_time = make_event_experiment(std::move(settings));
        const statistics::Estimate slots = mean_tasks_of(*in_slots, 0, 0.9999),
                                   continuous = mean_tasks_of(*in_time, 2, 0.9999);
        EXPECT_NEAR(slots.mean / continuous.mean, 1, 0.1);
    });
}

TEST(Strangers, AreNotProvedForEveryClusterByASmallOne) {
    using namespace queueing;
    for (const queueing::AnyPolicy& policy : policies_of_others()) {
        SCOPED_TRACE(policy.info().id);
        const UniformOutcome outcome = prove_uniform(ParametricPolicy(policy), 2);
        EXPECT_FALSE(std::holds_alternative<UniformProof>(outcome));
        const auto* unknown = std::get_if<UniformUnknown>(&outcome);
        if (policy.info().id == "jsq-first") {
            ASSERT_NE(unknown, nullptr);
            EXPECT_NE(unknown->reason.find("route: 'lowest(3, local)'"), std::string::npos) << unknown->reason;
        }
        if (policy.info().id == "maxweight-nearest") {
            ASSERT_NE(unknown, nullptr);
            EXPECT_NE(unknown->reason.find("serve: 'best(3, reachable, distance)'"), std::string::npos)
                << unknown->reason;
        }
    }
}

TEST(Strangers, AreToldWhyTheyAreSlow) {
    const auto instance = four_servers_of_strangers(1);
    const auto why = [&](const queueing::AnyPolicy& policy) { return QuestionPlan(*instance, policy).why_slow(); };
    EXPECT_NE(why(strangers::Buddy{}).find("partner"), std::string::npos);
    EXPECT_NE(why(strangers::MaxWeightNearest{}).find("best(3, reachable, distance)"), std::string::npos);
    EXPECT_EQ(why(strangers::Gate{}), "");
    EXPECT_EQ(why(strangers::JsqSampled{}), "");
    const queueing::Instance unlike =
        queueing::read_instance(SCHEDPROOF_SOURCE_DIR "/experiments/instances/unlike.toml");
    EXPECT_NE(QuestionPlan(unlike, queueing::make_policy("random-any")).why_slow().find("unlike"), std::string::npos);
}

TEST(Strangers, AreAnsweredFromTheIndexesOfTheirQuestions) {
    const auto instance = four_servers_of_strangers(1);
    const auto plan = [&](const queueing::AnyPolicy& policy) { return QuestionPlan(*instance, policy).text(); };
    EXPECT_EQ(plan(strangers::Gate{}), "order by length (5 questions), few queues (2)");
}

/// Rules with every word of the language but those of one cluster, plans and tables: those of tests/strangers, and
/// drawn ones for words that these lack.
std::vector<queueing::Rules> every_word() {
    using queueing::language::Operation;
    std::vector<queueing::Rules> all(strangers::every_word.begin(), strangers::every_word.end());
    const auto has = [](const queueing::Rules& rules, const Operation& row) {
        const auto same = [&](queueing::language::Op op) { return op == row.op; };
        return rules.route().any(same) || rules.serve().any(same);
    };
    for (const Operation& row : queueing::language::operations) {
        if (row.plans || has_part(row, queueing::language::Part::table)) continue;
        if (std::none_of(all.begin(), all.end(), [&](const queueing::Rules& rules) { return has(rules, row); }))
            all.push_back(oracle::rules_with(row)(rc::Random(1), rc::kNominalSize).value());
    }
    return all;
}

/// Exact enumeration and symbolic execution agree at a state that is reached; the simulators and the prover for every
/// number of servers take the policy.
void runs_in_every_engine(const queueing::AnyPolicy& policy) {
    using namespace queueing;
    const auto instance = four_servers_of_strangers(1);
    const ExactSystem exact(*instance, policy);
    const SymbolicSystem symbolic(*instance, policy);
    Sampler randomness({47, 0, 0});
    ExactState state = exact.initial();
    for (int t = 0; t < 6; ++t) state = exact.sample(state, randomness);
    Rational all;
    for (const Move& move : exact.moves(state)) all += move.probability;
    EXPECT_EQ(all, 1);
    const proof::Space space = symbolic.space(state);
    explore::PointDecider decider(space, symbolic.point(state));
    const SymbolicState at = symbolic.state(state, explore::symbols(decider));
    for (const TaskTypeId type : instance->types()) EXPECT_EQ(symbolic.route(at, type), exact.route(state, type));
    for (const ServerId m : instance->servers()) EXPECT_EQ(symbolic.serve(at, m), exact.serve(state, m));

    EXPECT_EQ(slotted_experiment({instance}, policy, {1000, 10, true, {}})->run({3, 0}, {}).batches.size(), 10U);
    EventSettings settings;
    settings.system = {instance};
    settings.policy = policy;
    settings.duration = 100;
    settings.batches = 10;
    EXPECT_EQ(make_event_experiment(std::move(settings))->run({3, 0}, {}).batches.size(), 10U);

    explore::Budget budget;
    budget.paths = 300;
    const UniformOutcome outcome = prove_uniform(ParametricPolicy(policy), 2, budget);
    const auto* unknown = std::get_if<UniformUnknown>(&outcome);
    EXPECT_TRUE(unknown == nullptr || !unknown->reason.empty());
}

/// Decisions by a table are rules as others: text, exact and symbolic modes, both simulators.
TEST(Strangers, WithATableRunInEveryEngine) {
    const auto instance = four_servers_of_strangers(1);
    for (int round = 0; round < 5; ++round) {
        const queueing::Rules rules =
            oracle::tabulated_rules(*instance)(rc::Random(static_cast<std::uint64_t>(round)), 50).value();
        SCOPED_TRACE(to_string(rules));
        EXPECT_EQ(queueing::codec::read_rules(to_string(rules), "table"), rules);
        EXPECT_TRUE(rules.numbered());
        const queueing::AnyPolicy policy({"table", "test", "by a table"}, rules);
        runs_in_every_engine(policy);
        const auto everywhere = queueing::prove_uniform(queueing::ParametricPolicy(policy), 2, {});
        ASSERT_TRUE(std::holds_alternative<queueing::UniformUnknown>(everywhere)) << "a table is of one cluster";
        EXPECT_NE(std::get<queueing::UniformUnknown>(everywhere).reason.find("tabulated"), std::string::npos);
    }
}

TEST(Strangers, RunInEveryEngine) {
    std::vector<queueing::AnyPolicy> policies = policies_of_others();
    for (const queueing::Rules& rules : every_word())
        policies.push_back(queueing::AnyPolicy({"some-words", "test", "some words of the language"}, rules));
    for (const queueing::AnyPolicy& policy : policies) {
        SCOPED_TRACE(to_string(policy.rules()));
        runs_in_every_engine(policy);
    }
}

}  // namespace
}  // namespace schedproof::simulation
