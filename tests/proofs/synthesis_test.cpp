/// Synthesis of Lyapunov functions: known answers of docs/models/queueing.md, Functions found by synthesis, replay, and
/// templates that must fail.
#include "proofs/queueing/drift/synthesis.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <memory>

#include "model/core/errors.hpp"
#include "model/queueing/codec/codec.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/lyapunov_formula.hpp"
#include "proofs/queueing/theorems/theorem.hpp"

namespace schedproof::queueing {
namespace {

Rational q(std::int64_t p, std::int64_t d) { return {Integer(p), Integer(d)}; }

struct Systems {
    std::shared_ptr<const Instance> instance;
    std::string policy;
    SymbolicSystem symbolic;
    ExactSystem exact;
    Systems(const std::string& file, const std::string& id)
        : instance(std::make_shared<const Instance>(queueing::read_instance(
              std::string(SCHEDPROOF_SOURCE_DIR) + "/experiments/instances/" + file + ".toml"))),
          policy(id),
          symbolic(*instance, make_policy(id, *instance, capacity::fluid_plan)),
          exact(*instance, make_policy(id, *instance, capacity::fluid_plan)) {}
    [[nodiscard]] LyapunovTemplate pairs() const { return pair_template(*instance, symbolic.layout()); }
    [[nodiscard]] auto find(const LyapunovTemplate& shape, const SynthesisBudget& budget = {}) const {
        return synthesise(symbolic, exact, shape, budget);
    }
};

std::string reason(const std::variant<FoundLyapunov, SynthesisFailure>& outcome) {
    const auto* failure = std::get_if<SynthesisFailure>(&outcome);
    return failure ? failure->reason : "found";
}

const char* const no_parameters = "no parameters of the template make the drift fall in every direction";

struct Known {
    const char* instance;
    std::int64_t threshold;  // known: at most this
    const char* formula;
};

class KnownSynthesis : public ::testing::TestWithParam<Known> {};

TEST_P(KnownSynthesis, FindsAFunctionWhereTheSquaresAreRefuted) {
    const Known known = GetParam();
    const Systems on(known.instance, "pandas:plain");
    DriftGoal squares;
    squares.v = named_lyapunov("squares", *on.instance, on.symbolic.layout());
    ASSERT_TRUE(std::holds_alternative<DriftRefutation>(prove_drift(on.symbolic, on.exact, squares)));

    const auto outcome = on.find(on.pairs());
    ASSERT_EQ(reason(outcome), "found");
    const auto& found = std::get<FoundLyapunov>(outcome);
    const DriftTheorem& theorem = found.proof.theorem;
    EXPECT_EQ(theorem.v.name, "found");
    EXPECT_EQ(formula(theorem.v, *on.instance, on.symbolic.layout()), known.formula);
    EXPECT_LE(theorem.threshold, Rational(known.threshold));
    EXPECT_GT(found.slack.sign(), 0);
    EXPECT_EQ(rejection(Certificate{on.instance, on.policy, theorem, found.proof.proofs}), "");

    EXPECT_TRUE(rc::check("beyond the threshold the exact drift is at most -1", [&] {
        ExactState state;
        std::vector<std::int64_t> least(2, 0);
        for (const auto& own : theorem.statuses) {
            state.serving.push_back(own[*rc::gen::inRange<std::size_t>(0, own.size())]);
            if (state.serving.back().status == Service::Status::busy) ++least[state.serving.back().queue.index()];
        }
        for (std::size_t i = 0; i < 2; ++i)
            state.length.emplace_back(least[i] +
                                      *rc::gen::inRange<std::int64_t>(0, *rc::gen::element<std::int64_t>(2, 30, 9000)));
        RC_PRE(Rational(state.length[0].value() + state.length[1].value()) >= theorem.threshold);
        RC_ASSERT(drift(on.exact, state, theorem.v) <= Rational(-1));
    }));
}

INSTANTIATE_TEST_SUITE_P(
    Docs, KnownSynthesis,
    ::testing::Values(
        Known{"m2-uneven", 4000, "Q[s0]^2 + Q[s1]^2 + 1/2 Q[s0] Q[s1] + 9 [s0 runs s1] Q[s0] + 9 [s1 runs s0] Q[s1]"},
        Known{"m2-half", 300, "Q[s0]^2 + Q[s1]^2 + Q[s0] Q[s1] + 9 [s0 runs s1] Q[s0] + 9 [s1 runs s0] Q[s1]"}));

TEST(Synthesis, TemplatesThatLackAPartAreRefusedNotBelieved) {
    const Systems on("m2-uneven", "pandas:plain");
    LyapunovTemplate pair_only = on.pairs();
    pair_only.parameters.resize(1);
    EXPECT_EQ(reason(on.find(pair_only)), no_parameters);
    LyapunovTemplate no_slow = on.pairs();
    no_slow.parameters.erase(no_slow.parameters.begin() + 1);
    EXPECT_EQ(reason(on.find(no_slow)), no_parameters);
    LyapunovTemplate nothing = on.pairs();
    nothing.parameters.clear();
    EXPECT_EQ(reason(on.find(nothing)), no_parameters);
    LyapunovTemplate cramped = on.pairs();
    cramped.largest = q(1, 100);
    EXPECT_EQ(reason(on.find(cramped)), no_parameters);
}

TEST(Synthesis, EndsWithItsCellsInAll) {
    const Systems on("m2-uneven", "pandas:plain");
    SynthesisBudget budget;
    for (const std::uint64_t cells : {1U, 7U}) {
        budget.cells = cells;
        const auto outcome = on.find(on.pairs(), budget);
        ASSERT_EQ(reason(outcome), "exploration ended: more than " + std::to_string(cells) + " cells in all");
        EXPECT_EQ(std::get<SynthesisFailure>(outcome).statistics.cells, cells);
    }
    budget.cells = 100'000;
    EXPECT_EQ(reason(on.find(on.pairs(), budget)), "found");
}

TEST(Synthesis, ParametersThatAreWrongAreRefuted) {
    const Systems on("m2-uneven", "pandas:plain");
    const LyapunovTemplate shape = on.pairs();
    const auto outcome = [&](const std::vector<Rational>& values) {
        DriftGoal goal;
        goal.v = shape.at(values, "given");
        return prove_drift(on.symbolic, on.exact, goal);
    };
    EXPECT_TRUE(std::holds_alternative<DriftProof>(outcome({q(1, 2), Rational(9), Rational(0)})));
    EXPECT_FALSE(std::holds_alternative<DriftProof>(outcome({q(1, 2), Rational(-9), Rational(0)})));
    EXPECT_TRUE(std::holds_alternative<DriftRefutation>(outcome({q(1, 2), Rational(0), Rational(0)})));
    EXPECT_TRUE(std::holds_alternative<DriftRefutation>(outcome({q(1, 2), Rational(0), Rational(9)})));
}

TEST(Synthesis, NothingIsFoundForTransientPolicies) {
    const Systems pandas("n2-pandas", "pandas:plain"), fifo("n1-fifo", "fifo");
    EXPECT_EQ(reason(pandas.find(pandas.pairs())), no_parameters);
    EXPECT_THROW((void)fifo.pairs(), InputError);
}

TEST(Synthesis, TemplatesMustBeBoundedBelow) {
    const Systems on("m2-half", "pandas:plain");
    LyapunovTemplate shape = on.pairs();
    shape.parameters.front().form.products.front().coefficient = Rational(-1);
    EXPECT_THROW((void)on.find(shape), InputError);
    shape = on.pairs();
    shape.fixed.products.clear();
    shape.fixed.pieces = {{std::nullopt, Rational(-1), {LyapunovForm::Linear::variable(0)}}};
    EXPECT_THROW((void)on.find(shape), InputError);
}

TEST(Synthesis, BudgetsEndAsFailures) {
    const Systems on("m2-half", "pandas:plain");
    SynthesisBudget none;
    none.rounds = 0;
    EXPECT_EQ(reason(on.find(on.pairs(), none)), "more than 0 proposals");
    SynthesisBudget few;
    few.explore.paths = 1;
    EXPECT_NE(reason(on.find(on.pairs(), few)).find("more than 1 cells"), std::string::npos);
    few.explore.solver = 0;
    EXPECT_NE(reason(on.find(on.pairs(), few)), "found");
}

TEST(Synthesis, IsDeterministic) {
    const Systems on("m2-uneven", "pandas:plain");
    const auto first = on.find(on.pairs()), second = on.find(on.pairs());
    ASSERT_EQ(reason(first), "found");
    EXPECT_EQ(std::get<FoundLyapunov>(first).parameters, std::get<FoundLyapunov>(second).parameters);
    EXPECT_EQ(std::get<FoundLyapunov>(first).rounds, std::get<FoundLyapunov>(second).rounds);
}

TEST(Formula, ReadsAsPeopleWriteIt) {
    const Systems on("m2-half", "wang-jsq-maxweight");
    const auto text = [&](const LyapunovForm& v) { return formula(v, *on.instance, on.symbolic.layout()); };
    using Linear = LyapunovForm::Linear;
    const Linear a = Linear::variable(0), b = Linear::variable(1);
    EXPECT_EQ(text({"", {}, {}}), "0");
    EXPECT_EQ(text({"", {{Rational(1), a, a}, {q(-1, 2), a - b, a + Linear(Rational(1))}}, {}}),
              "Q[s0]^2 - 1/2 (Q[s0] - Q[s1]) (Q[s0] + 1)");
    // A factor other than a queue stands in parentheses: (2 Q)^2 is not 2 Q^2, and 3 (-Q) Q is not 3 - Q Q.
    EXPECT_EQ(text({"", {{Rational(1), Rational(2) * a, Rational(2) * a}, {Rational(3), -a, b}}, {}}),
              "(2 Q[s0])^2 + 3 (-Q[s0]) Q[s1]");
    EXPECT_EQ(text({"", {{Rational(3), Linear(Rational(-2)), Linear(Rational(-2))}}, {}}), "3 (-2)^2");
    EXPECT_EQ(text({"", {}, {{LyapunovForm::Condition{ServerId(1), {}, Level(1)}, Rational(2), {a, Rational(3) * b}}}}),
              "2 [s1 busy at remote] max(Q[s0], 3 Q[s1])");
    EXPECT_EQ(text({"", {}, {{std::nullopt, Rational(-1), {a - Linear(Rational(4))}}}}), "-Q[s0] + 4");
}

/// Deficit counters have any sign, so directions are not of a bounded set.
TEST(Synthesis, SpeaksOfNoPolicyWithCounters) {
    const Systems on("m2-uneven", "fluid-model-planning:deficit");
    EXPECT_EQ(reason(on.find(on.pairs())), "counters may grow while the lengths stay: no form speaks of them");
}

}  // namespace
}  // namespace schedproof::queueing
