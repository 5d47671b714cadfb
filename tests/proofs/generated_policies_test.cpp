/// Policies that nobody wrote: their symbolic answers at a point, and what is proved of them against exact enumeration
/// and against what else is proved.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <optional>

#include "model/core/errors.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"
#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/transience/transience_search.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"

namespace schedproof::queueing {
namespace {

TEST(GeneratedPolicies, AnswerAtAPointWhatTheExactKernelAnswers) {
    EXPECT_TRUE(rc::check("symbolic answers at a point are the exact ones", [] {
        const Rules rules = *oracle::any_rules();
        const std::string like = oracle::policy_of_layout(rules);
        oracle::InstanceWish wish;
        wish.own_rates = !rules.names_rates_of_levels();
        const Instance instance = *oracle::small_instance(like, wish);
        const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, like));
        const AnyPolicy policy({"generated", "test", "drawn at random"}, rules);
        const ExactSystem exact(instance, policy);
        const SymbolicSystem symbolic(instance, policy);
        const proof::Space space = symbolic.space(state);
        explore::PointDecider decider(space, symbolic.point(state));
        const SymbolicState at = symbolic.state(state, explore::symbols(decider));
        try {
            for (const TaskTypeId type : instance.types()) {
                RC_ASSERT(symbolic.route(at, type) == exact.route(state, type));
                RC_ASSERT(symbolic.route(at, type) == symbolic.route(at, type));
            }
            for (const ServerId m : instance.servers()) {
                RC_ASSERT(symbolic.serve(at, m) == exact.serve(state, m));
                RC_ASSERT(symbolic.serve(at, m) == symbolic.serve(at, m));
            }
        } catch (const LimitExceeded& limit) {  // a marginal cost that is not affine has no symbolic mode
            RC_ASSERT(std::string(limit.what()).find("affine") != std::string::npos);
        }
    }));
}

Rational quotient_of(std::int64_t p, std::int64_t q) { return {Integer(p), Integer(q)}; }

/// Small, so that many policies are tried; what does not fit is Unknown.
explore::Budget small_budget() {
    explore::Budget budget;
    budget.paths = 100;
    return budget;
}

std::vector<Rational> lengths(const ExactState& state) {
    std::vector<Rational> all;
    for (const CheckedInt n : state.length) all.emplace_back(n.value());
    return all;
}

/// Any statuses of the lists, and lengths of any scale, at least the tasks in execution.
ExactState any_state_of(const std::vector<std::vector<Service>>& statuses, std::size_t queues) {
    ExactState state;
    std::vector<std::int64_t> least(queues, 0);
    for (const auto& own : statuses) {
        state.serving.push_back(own[*rc::gen::inRange<std::size_t>(0, own.size())]);
        if (state.serving.back().status == Service::Status::busy) ++least[state.serving.back().queue.index()];
    }
    for (const std::int64_t busy : least) {
        const std::int64_t scale = *rc::gen::element<std::int64_t>(1, 3, 20, 2000);
        state.length.emplace_back(busy + *rc::gen::inRange<std::int64_t>(0, scale));
    }
    return state;
}

/// Lengthens one queue until the sum of all is at least the threshold.
void reach(ExactState& state, const Rational& threshold) {
    Rational missing = threshold;
    for (const Rational& length : lengths(state)) missing -= length;
    if (missing.sign() <= 0) return;
    CheckedInt& longer = state.length[*rc::gen::inRange<std::size_t>(0, state.length.size())];
    longer = CheckedInt(longer.value() - floor(-missing).convert_to<std::int64_t>());
}

TEST(GeneratedPolicies, KeepTheDriftBoundsThatAreProved) {
    int proved = 0, refuted = 0, nothing = 0, too_strong = 0;
    EXPECT_TRUE(rc::check("a proved drift bound holds, and a refuted one fails, by exact enumeration", [&] {
        const Rules rules = *oracle::any_rules();
        const Instance instance =
            *oracle::small_instance(oracle::policy_of_layout(rules), {{*rc::gen::inRange<std::size_t>(1, 3), 2, {}}});
        const AnyPolicy policy({"generated", "test", "drawn at random"}, rules);
        const ExactSystem exact(instance, policy);
        const SymbolicSystem symbolic(instance, policy);
        const auto name = *rc::gen::element<std::string_view>("total", "squares");
        const DriftGoal goal{named_lyapunov(name, instance, exact.layout()),
                             *rc::gen::element(Sense::below, Sense::above),
                             *rc::gen::element(quotient_of(1, 10), quotient_of(1, 100)),
                             {},
                             {}};
        const auto within = [&](const Rational& drift, const Rational& delta) {
            return goal.sense == Sense::below ? drift <= -delta : drift >= delta;
        };
        ++nothing;
        std::optional<DriftOutcome> outcome;
        try {
            outcome = prove_drift(symbolic, exact, goal, small_budget());
        } catch (const LimitExceeded&) {  // states that list tasks, or costs that are not affine
            return;
        }
        if (const auto* refutation = std::get_if<DriftRefutation>(&*outcome)) {
            ++refuted;
            RC_ASSERT(!within(drift(exact, refutation->state, goal.v), goal.delta));
        }
        const auto* proof = std::get_if<DriftProof>(&*outcome);
        if (proof == nullptr) return;
        ++proved;
        for (int i = 0; i < 8; ++i) {
            ExactState state = any_state_of(proof->theorem.statuses, exact.layout().queues());
            reach(state, proof->theorem.threshold);
            RC_ASSERT(proof->theorem.measure.at(lengths(state)) >= proof->theorem.threshold);
            const Rational here = drift(exact, state, goal.v);
            RC_ASSERT(within(here, goal.delta));
            too_strong += within(here, goal.delta + Rational(10)) ? 0 : 1;
        }
    }));
    nothing -= proved + refuted;
    std::printf("drift bounds: %d proved, %d refuted, %d unknown\n", proved, refuted, nothing);
    EXPECT_GT(proved, 5);
    EXPECT_GT(refuted, 5);
    EXPECT_GT(too_strong, 10) << "a bound that is too strong must be violated at some states";
}

/// A registered policy, of which any rule may have been replaced by a generated one.
Rules partly_generated() {
    const Rules generated = *oracle::any_rules();
    Rules rules = make_policy(oracle::policy_of_layout(generated)).rules();
    if (*rc::gen::arbitrary<bool>()) rules = rules.with(language::Route{generated.route()});
    if (*rc::gen::arbitrary<bool>()) rules = rules.with(language::Serve{generated.serve()});
    return rules;
}

/// Two servers and tasks that come one by one, at nine tenths of the largest rate that some policy can serve.
std::optional<Instance> nearly_full_cluster() {
    InstanceData data;
    data.name = "nearly-full";
    data.levels = {{"local", quotient_of(1, 2)},
                   {"remote", *rc::gen::element(quotient_of(1, 4), quotient_of(1, 3), quotient_of(1, 10))}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0), ServerId(1)}}, {"B", {ServerId(*rc::gen::inRange<std::size_t>(0, 2))}}};
    data.rates = {quotient_of(*rc::gen::inRange(1, 4), 10), quotient_of(*rc::gen::inRange(1, 4), 10)};
    data.arrivals = ArrivalLaw::bernoulli(data.rates);
    const Rational load = capacity::solve(Instance(data)).upper;
    for (Rational& rate : data.rates) {
        rate = rate * quotient_of(9, 10) / load;
        if (rate > 1) return {};
    }
    data.arrivals = ArrivalLaw::bernoulli(data.rates);
    return Instance(std::move(data));
}

TEST(GeneratedPolicies, AreNotProvedBothThroughputOptimalAndTransient) {
    int optimal = 0, transient = 0, neither = 0;
    EXPECT_TRUE(rc::check("what is proved throughput optimal is not proved transient inside the capacity region", [&] {
        const Rules rules = partly_generated();
        const std::optional<Instance> instance = nearly_full_cluster();
        if (!instance) return;
        const AnyPolicy policy({"generated", "test", "drawn at random"}, rules);
        const SymbolicSystem symbolic(*instance, policy);
        const ExactSystem exact(*instance, policy);
        bool everywhere = false, here = false, lost = false;
        try {
            everywhere =
                std::holds_alternative<UniformProof>(prove_uniform(ParametricPolicy(policy), 2, small_budget()));
            // Its first step is the former.
            here = everywhere &&
                   std::holds_alternative<MaxWeightProof>(prove_max_weight(symbolic, Rational(1), small_budget()));
        } catch (const InputError&) {  // a queue of any tasks, which the argument does not cover
        }
        try {
            const TransienceOutcome outcome = search_transience(symbolic, small_budget());
            if (const auto* proof = std::get_if<TransienceProof>(&outcome)) {
                lost = proof->theorem.capacity.upper < 1;
                for (int i = 0; i < 8; ++i) {
                    const ExactState state = any_state_of(proof->theorem.statuses, exact.layout().queues());
                    if (value(proof->theorem.w, state) >= proof->theorem.threshold)
                        RC_ASSERT(drift(exact, state, proof->theorem.w) >= proof->theorem.delta);
                }
            }
        } catch (const LimitExceeded&) {}
        RC_ASSERT(!((everywhere || here) && lost));
        optimal += everywhere || here ? 1 : 0;
        transient += lost ? 1 : 0;
        neither += everywhere || here || lost ? 0 : 1;
    }));
    std::printf("%d proved throughput optimal, %d transient, %d neither\n", optimal, transient, neither);
    EXPECT_GT(optimal, 5);
    EXPECT_GT(transient, 5);
}

}  // namespace
}  // namespace schedproof::queueing
