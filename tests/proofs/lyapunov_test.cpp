/// Drifts of named functions, computed a second way.
#include "proofs/queueing/theorems/lyapunov.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/lyapunov_expression.hpp"
#include "proofs/queueing/theorems/user_lyapunov.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

Instance with_phantoms(const Instance& instance) {
    InstanceData data = instance.data();
    data.options.unmatched = Unmatched::phantom;
    return Instance(std::move(data));
}

/// E[dV] for V = sum Q^2 from the increments of the count-level oracle: sum_i (2 Q_i E dQ_i + E dQ_i^2).
TEST(Drift, OfSquaresFromTheOraclesIncrements) {
    for (const std::string id : {"wang-jsq-maxweight", "jsq-maxweight", "pandas:plain", "generalized-cmu", "fifo"}) {
        EXPECT_TRUE(rc::check(id + ": drift of sum Q^2", [&] {
            const Instance instance = *oracle::small_instance(id, oracle::with_own_rates());
            const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, id));
            const ExactSystem system(instance, make_policy(id, instance, {}));
            Rational expected, expected_total;
            for (const auto& [next, p] : oracle::next_slot(instance, id, oracle::from_state(state)))
                for (std::size_t i = 0; i < next.length.size(); ++i) {
                    const Rational length = state.length[i].value(), change = Rational(next.length[i]) - length;
                    expected += p * (Rational(2) * length * change + change * change);
                    expected_total += p * change;
                }
            RC_ASSERT(drift(system, state, named_lyapunov("squares", instance, system.layout())) == expected);
            RC_ASSERT(drift(system, state, named_lyapunov("total", instance, system.layout())) == expected_total);
        }));
    }
}

/// Value and drift are linear in the function.
RC_GTEST_PROP(LyapunovExpression, IsTheSumOfItsTerms, ()) {
    const std::string id = *rc::gen::element<std::string>("wang-jsq-maxweight", "jsq-maxweight", "balanced-pandas");
    const Instance instance = *oracle::small_instance(id, oracle::with_own_rates());
    const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, id));
    const ExactSystem system(instance, make_policy(id, instance, {}));
    const auto function = [&](const std::string& words) {
        return find_lyapunov(words, instance, system.layout()).form;
    };
    const LyapunovForm sum = function("3 * squares+0.5 *total  + squares");
    const Rational four(4), half(Integer(1), Integer(2));
    RC_ASSERT(value(sum, state) == four * value(function("squares"), state) + half * value(function("total"), state));
    RC_ASSERT(drift(system, state, sum) ==
              four * drift(system, state, function("squares")) + half * drift(system, state, function("total")));
}

TEST(LyapunovExpression, IsRefusedWhereAPartIsWrong) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    const Layout layout = ExactSystem(instance, make_policy("jsq-maxweight", instance, {})).layout();
    const std::pair<const char*, const char*> wrong[] = {
        {"regret + regert", "not 'regert' (did you mean 'regret'?)"},
        {"0 * squares", "expected a number above 0 before '*', such as 3 or 1/2, not '0'"},
        {"-2 * squares", "expected a number above 0"},
        {"squares * 2", "not '2'"},
        {"2 * 3 * squares", "not '3 * squares'"},
        {"squares +", "not ''"},
        {"", "not ''"},
        {"squares + workload-squares", "expected a policy with one queue per server and level"},
    };
    for (const auto& [words, complaint] : wrong) try {
            (void)find_lyapunov(words, instance, layout);
            ADD_FAILURE() << words;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(complaint), std::string::npos) << words << ": " << error.what();
        }
}

TEST(Drift, OfTheRegretFunctionIsNegativeWhereThatOfSquaresIsNot) {
    // docs/models/queueing.md, Lyapunov functions: with server 1 on a remote task, sum Q^2 can grow at every scale; the
    // regret-corrected function does not.
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    const ExactSystem system(instance, make_policy("wang-jsq-maxweight", instance, {}));
    ExactState state = system.initial();
    state.length[0] = 11'111;
    state.length[1] = 44'444;
    state.length[2] = 44'445;
    state.serving[1] = {Service::Status::busy, instance.remote(), QueueId(2)};
    EXPECT_GT(drift(system, state, named_lyapunov("squares", instance, system.layout())), Rational(0));
    EXPECT_LT(drift(system, state, named_lyapunov("regret", instance, system.layout())), Rational(-1));
    // Known: drift + (1/10) sum Q <= 411/50 for every state of this instance.
    EXPECT_LE(drift(system, state, named_lyapunov("regret", instance, system.layout())) + Rational(100'000) / 10,
              testing_support::q("411/50"));
}

TEST(Drift, OfSquaredWorkloadsIsNegativeUnderBalancedPandas) {
    const Instance instance = testing_support::n2();
    const ExactSystem system(instance, make_policy("balanced-pandas", instance, {}));
    ExactState state = system.initial();
    state.length[system.layout().queue(ServerId(0), instance.local()).index()] = 2'000;
    EXPECT_LT(drift(system, state, named_lyapunov("workload-squares", instance, system.layout())), Rational(-1));
}

/// docs/models/queueing.md, Interpretation Q4: a phantom is committed to a queue and executes nothing.
TEST(Lyapunov, APhantomIsNotBusy) {
    const Instance instance = with_phantoms(testing_support::two_servers("4/5", "1/5", "1/2", "1/2"));
    const ExactSystem system(instance, make_policy("wang-jsq-maxweight", instance, {}));
    LyapunovText text{"v", {}, {}};
    for (const auto& [queue, weight] : {std::pair<std::optional<std::string>, int>{{}, 1}, {"common", 10}})
        text.pieces.push_back({Rational(weight), {{{}, 1}}, LyapunovText::Condition{"s1", queue, {}}});
    const LyapunovForm v = resolve(text, instance, system.layout());
    ExactState state = system.initial();
    for (const auto& [status, expected] :
         {std::pair{Service::Status::idle, 0}, {Service::Status::busy, 11}, {Service::Status::phantom, 0}}) {
        state.length[2] = status == Service::Status::busy ? 1 : 0;
        state.serving[1] = {status, instance.remote(), QueueId(2)};
        EXPECT_EQ(value(v, state), Rational(expected));
    }
}

/// It keeps its server from choosing, as a task does, so `regret` has its terms too: 2 (w - x) / mu.
TEST(Lyapunov, RegretHoldsThatOfPhantoms) {
    const Instance instance = with_phantoms(testing_support::two_servers("4/5", "1/5", "1/2", "1/2"));
    const ExactSystem system(instance, make_policy("wang-jsq-maxweight", instance, {}));
    const LyapunovForm v = named_lyapunov("regret", instance, system.layout());
    ExactState state = system.initial();
    state.length[1] = 10;
    EXPECT_EQ(value(v, state), Rational(100));
    state.serving[1] = {Service::Status::phantom, instance.remote(), QueueId(2)};
    EXPECT_EQ(value(v, state), Rational(100) + Rational(2) * Rational(8) * Rational(5));
}

TEST(Lyapunov, RefusesWhatItIsNotDefinedFor) {
    const Instance instance = testing_support::n2();
    const ExactSystem jsq(instance, make_policy("jsq-maxweight", instance, {}));
    const ExactSystem fifo(instance, make_policy("fifo", instance, {}));
    EXPECT_THROW((void)named_lyapunov("workload-squares", instance, jsq.layout()), InputError);
    EXPECT_THROW((void)named_lyapunov("regret", instance, fifo.layout()), InputError);
    EXPECT_THROW((void)named_lyapunov("square", instance, jsq.layout()), InputError);
}

}  // namespace
}  // namespace schedproof::queueing
