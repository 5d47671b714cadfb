/// Whether V is bounded below, and functions given by name of queue.
#include "proofs/queueing/theorems/boundedness.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/lyapunov_formula.hpp"
#include "proofs/queueing/theorems/user_lyapunov.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using Linear = LyapunovForm::Linear;

struct Queues {
    Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    ExactSystem system{instance, make_policy("wang-jsq-maxweight", instance, {})};  // s0, s1, common
    [[nodiscard]] bool bounded(const LyapunovForm& v) const {
        return boundedness_gap(v, instance, system.layout()).empty();
    }
};

Linear form(int a, int b, int c, int constant = 0) {
    Linear f{Rational(constant)};
    f.add(Rational(a), Linear::variable(0)).add(Rational(b), Linear::variable(1)).add(Rational(c), Linear::variable(2));
    return f;
}
LyapunovForm square(const Linear& f, int coefficient = 1) { return {"v", {{Rational(coefficient), f, f}}, {}}; }
LyapunovForm linear(const Linear& f) { return {"v", {}, {{std::nullopt, Rational(1), {f}}}}; }
LyapunovForm sum(LyapunovForm a, const LyapunovForm& b) {
    a.products.insert(a.products.end(), b.products.begin(), b.products.end());
    a.pieces.insert(a.pieces.end(), b.pieces.begin(), b.pieces.end());
    return a;
}

TEST(Boundedness, OfTheNamedFunctions) {
    const Queues q;
    for (const char* name : {"total", "squares", "regret"})
        EXPECT_TRUE(q.bounded(named_lyapunov(name, q.instance, q.system.layout()))) << name;
    const Instance n2 = testing_support::n2();
    const ExactSystem pandas(n2, make_policy("balanced-pandas", n2, {}));
    EXPECT_EQ(boundedness_gap(named_lyapunov("workload-squares", n2, pandas.layout()), n2, pandas.layout()), "");
}

TEST(Boundedness, OfSmallFunctions) {
    const Queues q;
    EXPECT_TRUE(q.bounded(square(form(1, -1, 0))));
    EXPECT_FALSE(q.bounded(square(form(1, -1, 0), -1)));
    EXPECT_FALSE(q.bounded(square(form(1, 0, 0), -1)));
    EXPECT_TRUE(q.bounded(linear(form(1, 1, 0, -7))));
    EXPECT_FALSE(q.bounded(linear(form(1, -1, 0))));
    // Where a square outgrows a line, the line may fall; elsewhere it may not.
    EXPECT_TRUE(q.bounded(sum(square(form(1, 0, 0)), linear(form(-100, 0, 0)))));
    EXPECT_FALSE(q.bounded(sum(square(form(1, 0, 0)), linear(form(0, -1, 0)))));
    EXPECT_FALSE(q.bounded(sum(square(form(1, -1, 0)), linear(form(-1, -1, 0)))));
    EXPECT_TRUE(q.bounded(sum(square(form(1, 1, 0)), linear(form(-5, -5, 0)))));  // by lowering the cross terms
    // Q0 Q1 >= 0 on lengths, whatever the matrix says; its negative is not.
    const LyapunovForm product{"v", {{Rational(1), form(1, 0, 0), form(0, 1, 0)}}, {}};
    EXPECT_TRUE(q.bounded(product));
    EXPECT_FALSE(q.bounded({"v", {{Rational(-1), form(1, 0, 0), form(0, 1, 0)}}, {}}));
}

TEST(Boundedness, OfMaximaAndConditions) {
    const Queues q;
    const LyapunovForm::Condition busy{ServerId(0), std::nullopt, std::nullopt};
    // max(Q0 - Q1, Q1) >= Q1; -max(Q0, Q1) falls.
    EXPECT_TRUE(q.bounded({"v", {}, {{std::nullopt, Rational(1), {form(1, -1, 0), form(0, 1, 0)}}}}));
    EXPECT_FALSE(q.bounded({"v", {}, {{std::nullopt, Rational(-1), {form(1, 0, 0), form(0, 1, 0)}}}}));
    // While busy: max(Q0, Q1) - Q0 >= 0.
    EXPECT_TRUE(q.bounded(
        {"v", {}, {{busy, Rational(1), {form(0, 1, 0), form(1, 0, 0)}}, {busy, Rational(-1), {form(1, 0, 0)}}}}));
    // A sum that helps only while busy does not help while idle, and the other way round.
    EXPECT_FALSE(
        q.bounded({"v", {}, {{busy, Rational(1), {form(1, 0, 0)}}, {std::nullopt, Rational(-1), {form(1, 0, 0)}}}}));
    EXPECT_FALSE(q.bounded({"v", {}, {{busy, Rational(-1), {form(1, 0, 0)}}}}));
    EXPECT_TRUE(
        q.bounded({"v", {}, {{busy, Rational(-1), {form(1, 0, 0)}}, {std::nullopt, Rational(1), {form(1, 0, 0)}}}}));
}

/// What is called bounded does not fall far along any ray: evaluated, not reasoned about.
RC_GTEST_PROP(Boundedness, HoldsOnRandomFunctionsAndRays, ()) {
    static const Queues q;
    const auto random_form = [] {
        const auto entry = [] { return *rc::gen::inRange(-3, 4); };
        return form(entry(), entry(), entry(), entry());
    };
    LyapunovForm v{"v", {}, {}};
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
        v.products.push_back({Rational(*rc::gen::inRange(-1, 4)), random_form(), random_form()});
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
        LyapunovForm::Piece piece{{}, Rational(*rc::gen::inRange(-2, 3)), {random_form()}};
        if (*rc::gen::arbitrary<bool>()) piece.largest_of.push_back(random_form());
        if (*rc::gen::arbitrary<bool>()) piece.when = LyapunovForm::Condition{ServerId(0), QueueId(0), std::nullopt};
        v.pieces.push_back(std::move(piece));
    }
    const bool bounded = q.bounded(v);
    RC_TAG(bounded);
    if (!bounded) return;
    for (int ray = 0; ray < 20; ++ray) {
        ExactState state = q.system.initial();
        for (auto& length : state.length)
            length = CheckedInt(std::int64_t{*rc::gen::inRange(0, 6)} * 1'000'000 + *rc::gen::inRange(0, 4));
        if (state.length[0] >= CheckedInt(1) && *rc::gen::arbitrary<bool>())
            state.serving[0] = {Service::Status::busy, Level(0), QueueId(0)};
        RC_ASSERT(value(v, state) > Rational(-500'000));
    }
}

TEST(Stability, FollowsFromDriftOnlyWithEverythingThatFosterAsksFor) {
    const Queues q;
    const SymbolicSystem system(q.instance, make_policy("wang-jsq-maxweight", q.instance, {}));
    DriftTheorem theorem;
    theorem.v = named_lyapunov("regret", q.instance, system.layout());
    theorem.delta = theorem.threshold = Rational(1);
    theorem.measure = sum_of_queues(system.layout());
    theorem.statuses = find_statuses(system);
    EXPECT_EQ(stability_gap(system, theorem), "");
    const auto gap = [&](const std::function<void(DriftTheorem&)>& change) {
        DriftTheorem other = theorem;
        change(other);
        return stability_gap(system, other);
    };
    EXPECT_NE(gap([](DriftTheorem& t) { t.sense = Sense::above; }), "");
    EXPECT_NE(gap([](DriftTheorem& t) { t.measure -= Linear::variable(2); }), "");
    EXPECT_NE(gap([](DriftTheorem& t) { t.measure *= Rational(-1); }), "");
    EXPECT_NE(gap([](DriftTheorem& t) { t.v.products[1].coefficient = Rational(-1); }), "");
    // The regrets alone: at least 0 by pairing each maximum with its own queue.
    EXPECT_EQ(gap([](DriftTheorem& t) { t.v.products.clear(); }), "");
    // With the sign of one pair turned they are not.
    EXPECT_NE(gap([](DriftTheorem& t) {
                  t.v.products.clear();
                  t.v.pieces[0].coefficient *= Rational(-1);
              }),
              "");
    // A policy that counts something besides its queues has infinitely many states with short queues.
    const Instance& instance = q.instance;
    const AnyPolicy deficit = make_policy("fluid-model-planning:deficit", instance, capacity::fluid_plan);
    const SymbolicSystem counting(instance, deficit);
    theorem.v = named_lyapunov("squares", instance, counting.layout());
    theorem.measure = sum_of_queues(counting.layout());
    EXPECT_NE(stability_gap(counting, theorem), "");
}

TEST(UserLyapunov, NamesBecomeTheQueuesOfThePolicy) {
    const Queues q;
    LyapunovText text{"mine", {}, {}};
    for (const char* queue : {"s0", "s1", "common"})
        text.products.push_back(
            {Rational(1), {{{queue, Rational(1)}}, Rational()}, {{{queue, Rational(1)}}, Rational()}});
    LyapunovForm squares = named_lyapunov("squares", q.instance, q.system.layout());
    squares.name = "mine";
    EXPECT_EQ(resolve(text, q.instance, q.system.layout()), squares);

    text.pieces.push_back({Rational(2), {{{{"comon", Rational(1)}}, Rational()}}, std::nullopt});
    try {
        (void)resolve(text, q.instance, q.system.layout());
        FAIL() << "an unknown queue was accepted";
    } catch (const InputError& error) {
        EXPECT_NE(error.expected().find("did you mean 'common'?"), std::string::npos) << error.expected();
        EXPECT_EQ(error.place().key, "lyapunov.mine");
    }
    text.pieces[0].largest_of[0].terms[0].queue = "s0";
    text.pieces[0].when = LyapunovText::Condition{"s1", "common", "remote"};
    const LyapunovForm v = resolve(text, q.instance, q.system.layout());
    EXPECT_EQ(v.pieces[0].when, (LyapunovForm::Condition{ServerId(1), QueueId(2), Level(1)}));
    EXPECT_EQ(formula(v, q.instance, q.system.layout()),
              "Q[s0]^2 + Q[s1]^2 + Q[common]^2 + 2 [s1 runs common at remote] Q[s0]");
}

}  // namespace
}  // namespace schedproof::queueing
