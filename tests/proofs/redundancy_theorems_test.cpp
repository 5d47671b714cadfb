/// Statements for all arrivals and sizes: proved at small sizes, refuted where a constant is sharper than true or a
/// interpretation is wrong, each refutation replayed without a solver.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/core/errors.hpp"
#include "proofs/explore/polynomial_search.hpp"
#include "proofs/redundancy/theorem_proof.hpp"
#include "proofs/redundancy/theorems/theorem.hpp"
#include "tests/support/redundancy_problems.hpp"

namespace schedproof::redundancy {
namespace {

using testing_support::any_redundancy_problem;
using testing_support::ratio;

Theorem theorem(const std::string& statement, const std::string& shape, const Rational& bound = Rational(0)) {
    return {statement, parse_shape(shape), bound};
}

/// Empty when the theorem is proved and its certificate accepted; otherwise which question failed, or `replayed` where
/// a problem shows it.
std::string refutation(const Theorem& theorem, std::string policy = "") {
    const StatementInfo& what = statement(theorem.statement);
    if (policy.empty()) policy = what.policy.substr(0, what.policy.find(' '));
    const TheoremProof found = prove(policy, theorem);
    if (const Refuted* refuted = found.refuted()) {
        EXPECT_EQ(what.inputs == Inputs::jobs, refuted->problem.has_value());
        if (!refuted->problem) return refuted->question;
        EXPECT_EQ(fault(refuted->problem->jobs), "");
        const AnyPolicy own = make_policy(policy, theorem.shape.beta.value_or(ratio(1)));
        EXPECT_TRUE(fails(what, own, *refuted->problem, theorem.bound));
        return "replayed";
    }
    if (found.certificate() == nullptr) return "ended";
    EXPECT_EQ(rejection(*found.certificate()), "") << theorem.statement;
    if (statement(theorem.statement).inputs != Inputs::none) {  // a polynomial inequality names nobody
        EXPECT_NE(sentence(*found.certificate()).find(policy), std::string::npos);
    }
    return "";
}

TEST(RedundancyTheorems, ShapesAreReadAsTheyAreWritten) {
    for (const char* text : {"n4-m2-det", "n3-m4-two-point:3,0", "n10-m5-b1/2-det", "n1-m1-b1-gains:1,3/2@2",
                             "n2-m2-s3/2-det", "n2-m2-b1/2-s4-two-point:3,0"})
        EXPECT_EQ(name(parse_shape(text)), text);
    for (const char* text : {"",
                             "n4",
                             "n4-m2",
                             "n4-m2-",
                             "m2-n4-det",
                             "n0-m2-det",
                             "n4-m33-det",
                             "n4-m2-b2-det",
                             "n4-m2-b0-det",
                             "n4-m2-bx-det",
                             "n4-m2-periodic",
                             "n4-m2-det-",
                             "n4 -m2-det",
                             "n-m2-det",
                             "n4-m2-b1/2",
                             "n4-m2-s0-det",
                             "n4-m2-s-det",
                             "n4-m2-s2",
                             "n4-m2-s-1-det",
                             "n4-m2-s2-b1/2-det",
                             "n99999-m1-det",
                             "n4-m2-two-point:1,2"})
        EXPECT_THROW((void)parse_shape(text), InputError) << text;
}

TEST(RedundancyTheorems, DualVariablesOfSrptAreFeasible) {
    EXPECT_EQ(refutation(theorem("srpt-dual-feasible", "n1-m1-det", ratio(0))), "");
    EXPECT_EQ(refutation(theorem("srpt-dual-feasible", "n3-m2-det", ratio(1, 2))), "");
    EXPECT_EQ(refutation(theorem("srpt-dual-feasible", "n4-m3-det", ratio(2, 3))), "");
    EXPECT_EQ(refutation(theorem("srpt-dual-feasible", "n3-m2-det", ratio(49, 100))), "replayed");
    EXPECT_EQ(refutation(theorem("srpt-dual-feasible", "n1-m2-det", ratio(49, 100))), "replayed");
    EXPECT_EQ(refutation(theorem("srpt-dual-value", "n4-m2-det")), "");
    EXPECT_EQ(refutation(theorem("srpt-static", "n7-m3-det", ratio(2, 3))), "");
    EXPECT_NE(refutation(theorem("srpt-static", "n7-m3-det", ratio(2, 3) - ratio(1, 100))), "");
    EXPECT_EQ(refutation(theorem("remaining-flowtime", "n7-m3-det")), "");
}

TEST(RedundancyTheorems, DominanceLastsThroughEveryStep) {
    EXPECT_EQ(refutation(theorem("dominance-step", "n6-m3-det")), "");
    EXPECT_EQ(refutation(theorem("dominance-arrival", "n4-m2-det")), "");
    EXPECT_EQ(refutation(theorem("redundancy-step", "n6-m4-det")), "");
    EXPECT_EQ(refutation(theorem("redundancy-helps", "n3-m4-two-point:3,0", ratio(1))), "");
    EXPECT_EQ(refutation(theorem("redundancy-helps", "n2-m2-two-point:3,0", ratio(99, 100))), "replayed");
    EXPECT_EQ(refutation(theorem("redundancy-step", "n5-m4-det"), "late"), "");
    EXPECT_EQ(refutation(theorem("redundancy-helps", "n3-m3-two-point:3,0", ratio(1)), "late"), "");
}

TEST(RedundancyTheorems, OnOneMachineNobodyChangesTheEnd) {
    for (const PolicyInfo& info : policies()) {
        const std::string id(info.id);
        if (is_added(id)) continue;
        EXPECT_EQ(refutation(theorem("busy-periods", has_beta(id) ? "n3-m1-b1/3-det" : "n3-m1-det"), id), "") << id;
    }
    EXPECT_THROW((void)questions("fair", theorem("busy-periods", "n2-m2-det")), InputError);
    EXPECT_THROW((void)questions("laps", theorem("busy-periods", "n2-m1-det")), InputError);
}

TEST(RedundancyTheorems, LatestJobsAreFavoured) {
    for (const char* policy : {"fair", "fair+r"})
        for (const char* shape : {"n7-m3-det", "n5-m7-det", "n4-m1-det"})
            EXPECT_EQ(refutation(theorem("latest-favoured", shape), policy), "") << policy << shape;
    EXPECT_THROW((void)questions("srpt", theorem("latest-favoured", "n2-m2-det")), InputError);
}

TEST(RedundancyTheorems, LapsWithBetaOfOneIsFair) {
    for (const char* policy : {"laps", "laps+r"})
        EXPECT_EQ(refutation(theorem("as-fair", "n3-m2-b1-two-point:3,0"), policy), "") << policy;
    for (const char* policy : {"laps:all", "laps+r:all"}) {
        EXPECT_EQ(refutation(theorem("as-fair", "n3-m2-b1-det"), policy), "replayed") << policy;
        EXPECT_EQ(refutation(theorem("as-fair", "n2-m2-b1-det"), policy), "") << policy;  // no job more than machines
    }
    EXPECT_THROW((void)questions("laps", theorem("as-fair", "n2-m2-b1/2-det")), InputError);
}

TEST(RedundancyTheorems, CopiesOfTheOldestMayHurt) {
    EXPECT_EQ(refutation(theorem("copies-help", "n2-m2-det", ratio(1)), "redundancy-d"), "replayed");
    EXPECT_EQ(refutation(theorem("copies-help", "n2-m2-det", ratio(2)), "redundancy-d"), "");
    EXPECT_EQ(refutation(theorem("copies-help", "n2-m3-two-point:3,0", ratio(1)), "fair+r"), "");
}

TEST(RedundancyTheorems, AlphaOfFairIsBounded) {
    for (const char* shape : {"n3-m1-det", "n3-m2-two-point:2,0", "n2-m3-two-point:3,0"})
        EXPECT_EQ(refutation(theorem("fair-alpha-bounded", shape)), "") << shape;
    EXPECT_EQ(refutation(theorem("fair-alpha-bounded-naive", "n3-m2-det")), "replayed");
}

TEST(RedundancyTheorems, DualVariablesOfFairAreFeasibleAndWorthAFractionOfTheFlowtime) {
    for (const char* rule : {"cap", "rank", "shifted"}) {
        const std::string feasible = std::string("fair-dual-feasible-") + rule;
        EXPECT_EQ(refutation(theorem(feasible, "n3-m2-two-point:2,0", ratio(1, 2))), "") << rule;
        EXPECT_EQ(refutation(theorem(feasible, "n3-m2-det", ratio(12, 25))), "replayed") << rule;
    }
    EXPECT_EQ(refutation(theorem("fair-dual-value-cap", "n4-m2-det", ratio(1, 2))), "");
    EXPECT_EQ(refutation(theorem("fair-dual-value-rank", "n3-m2-det", ratio(3, 8))), "");
    EXPECT_EQ(refutation(theorem("fair-dual-value-shifted", "n3-m2-det", ratio(1, 4))), "");
    EXPECT_EQ(refutation(theorem("fair-dual-value-naive", "n3-m2-det", ratio(1, 2))), "");
    // Of at most four jobs on one machine, cap is worth (1+2+3+4)/16.
    EXPECT_EQ(refutation(theorem("fair-dual-value-cap", "n4-m1-det", ratio(5, 8))), "");
    EXPECT_EQ(refutation(theorem("fair-dual-value-cap", "n4-m1-det", ratio(63, 100))), "replayed");
    EXPECT_EQ(refutation(theorem("fair-dual-value-shifted", "n3-m2-det", ratio(51, 100))), "replayed");
}

TEST(RedundancyTheorems, WrongInterpretationsAreRefuted) {
    EXPECT_EQ(refutation(theorem("srpt-dual-feasible-own-count", "n3-m2-two-point:2,0", ratio(1, 2))), "replayed");
    EXPECT_EQ(refutation(theorem("srpt-dual-feasible-forget", "n1-m1-det", ratio(0))), "replayed");
    EXPECT_EQ(refutation(theorem("srpt-dual-value-floor", "n1-m2-det")), "replayed");
    EXPECT_EQ(refutation(theorem("fair-dual-feasible-naive", "n3-m2-det", ratio(1))), "replayed");
    EXPECT_EQ(refutation(theorem("laps-drift-slow", "n6-m1-b1-det", ratio(2))), "drift with 6 active");
    EXPECT_EQ(refutation(theorem("core-inequality-each-rank", "n1-m1-det")), "core-inequality-each-rank");
}

TEST(RedundancyTheorems, PotentialOfLapsDrifts) {
    for (const char* shape : {"n8-m1-b1/4-det", "n8-m3-b1/2-det", "n8-m2-b3/4-det", "n8-m5-b1-det"}) {
        for (const char* policy : {"laps+r", "laps+r:oldest", "laps+r:all", "laps+r:all-oldest"}) {
            EXPECT_EQ(refutation(theorem("laps-drift", shape, ratio(1)), policy), "") << policy << shape;
            EXPECT_EQ(refutation(theorem("laps-drift-strong-all", shape, ratio(1)), policy), "") << policy << shape;
        }
        EXPECT_EQ(refutation(theorem("laps-drift-strong", shape, ratio(2))), "") << shape;
        EXPECT_NE(refutation(theorem("laps-drift", shape, ratio(1, 12))), "") << shape;
        EXPECT_NE(refutation(theorem("laps-drift-strong", shape, ratio(1, 8))), "") << shape;
    }
    // With every latest job served, shares of 1/ceil(z/M) waste machines, and the constant of the rounds fails.
    EXPECT_EQ(refutation(theorem("laps-drift-strong", "n8-m3-b1-det", ratio(2)), "laps+r:all"), "drift with 7 active");
    EXPECT_EQ(refutation(theorem("laps-drift-strong", "n8-m3-b1-det", ratio(2)), "laps+r"), "");
}

TEST(RedundancyTheorems, LemmasHaveIdentities) {
    EXPECT_EQ(refutation(theorem("core-inequality", "n1-m1-det")), "");
    EXPECT_EQ(refutation(theorem("improves-on-srpt", "n1-m1-det")), "");
    EXPECT_EQ(refutation(theorem("gains-concave", "n1-m1-det")), "");
    EXPECT_EQ(lemmas(statement("gains-concave")).size(), 9U);
    EXPECT_EQ(refutation(theorem("best-copy", "n1-m1-det")), "");
    EXPECT_EQ(lemmas(statement("best-copy")).size(), 14U);
    for (const auto& [name, count] : {std::pair("relaxed-cost", 8U), {"dual-below-cost", 8U}, {"price-sums", 3U}}) {
        EXPECT_EQ(refutation(theorem(name, "n1-m1-det")), "") << name;
        EXPECT_EQ(lemmas(statement(name)).size(), count) << name;
    }
    for (const char* name : {"core-inequality", "gains-concave", "best-copy", "core-inequality-each-rank", "price-sums",
                             "improves-on-srpt"})
        for (const proof::PolynomialLemma& lemma : lemmas(statement(name)))
            EXPECT_EQ(explore::holds_by_solver(lemma), statement(name).holds) << lemma.name;
    EXPECT_TRUE(lemmas(statement("laps-drift")).empty());
}

TEST(RedundancyTheorems, OfAnotherPolicyOrShapeAreRefused) {
    EXPECT_THROW((void)questions("srpt", theorem("srpt-dual-value", "n2-m1-det")), InputError);
    EXPECT_THROW((void)questions("laps", theorem("laps-drift", "n2-m1-b1-det", ratio(1))), InputError);
    EXPECT_THROW((void)questions("laps+r", theorem("laps-drift", "n2-m1-det", ratio(1))), InputError);
    EXPECT_THROW((void)questions("srpt+r", theorem("srpt-dual-value", "n2-m1-b1-det")), InputError);
    EXPECT_THROW((void)questions("srpt", theorem("dominance-step", "n2-m1-two-point:2,0")), InputError);
    EXPECT_THROW((void)questions("srpt", theorem("weak-duality-srpt", "n2-m1-s2-det", ratio(1))), InputError);
    EXPECT_THROW((void)questions("fair+r", theorem("weak-duality-cap", "n2-m1-b1/2-s2-det", ratio(1))), InputError);
    // The others are about every speed.
    EXPECT_THROW((void)questions("srpt+r", theorem("srpt-dual-value", "n2-m1-s2-det")), InputError);
    EXPECT_EQ(questions("srpt+r", theorem("ratio", "n2-m1-s2-det", ratio(1))).size(), 1U);
    EXPECT_THROW((void)statement("srpt-dual"), InputError);
    Certificate certificate{"laps+r", theorem("core-inequality", "n2-m1-det"), {}, {}};
    EXPECT_EQ(rejection(certificate), "the statement has no shape");
}

/// A proof holds for one policy, one shape and one constant only.
TEST(RedundancyTheorems, ProofsAreBoundToTheirCode) {
    const Theorem right = theorem("fair-dual-feasible-cap", "n3-m2-det", ratio(1, 2));
    const TheoremProof found = prove("fair+r", right);
    ASSERT_NE(found.certificate(), nullptr);
    const auto other = [&](const Theorem& altered) {
        Certificate copy = *found.certificate();
        copy.theorem = altered;
        return rejection(copy);
    };
    EXPECT_NE(other(theorem("fair-dual-feasible-rank", "n3-m2-det", ratio(1, 2))), "");
    EXPECT_NE(other(theorem("fair-dual-feasible-cap", "n3-m2-two-point:2,0", ratio(1, 2))), "");
    EXPECT_NE(other(theorem("fair-dual-feasible-cap", "n3-m1-det", ratio(1, 2))), "");
    EXPECT_NE(other(theorem("fair-dual-feasible-cap", "n2-m2-det", ratio(1, 2))), "");
    EXPECT_NE(other(theorem("fair-dual-feasible-cap", "n3-m2-det", ratio(2, 3))), "");
}

/// What is proved for every problem of a shape holds on problems of it.
RC_GTEST_PROP(RedundancyTheoremsProperty, HoldOnProblems, ()) {
    const auto problem = any_redundancy_problem(5, 4);
    const Rational constant = Rational(1) - Rational(1) / Rational(problem.machines);
    for (const StatementInfo& what : statements()) {
        if (what.inputs != Inputs::jobs || !what.holds) continue;
        Rational bound = constant;
        if (what.name.ends_with("shifted") && what.name.find("value") != std::string_view::npos)
            bound = ratio(1, 4);
        else if (what.name.ends_with("rank") && what.name.find("value") != std::string_view::npos)
            bound = ratio(3, 8);
        else if (what.name.find("value") != std::string_view::npos)
            bound = ratio(1, 2);
        else if (what.name == "redundancy-helps")
            bound = ratio(1);
        else if (what.name == "copies-help")
            continue;  // false with every bound below that of some problem
        Problem<Rational> its = problem;
        if (what.name == "busy-periods") its.machines = 1;
        for (const PolicyInfo& info : policies()) {
            const std::string id(info.id);
            const bool one_of =
                what.policy.empty() || (" " + std::string(what.policy) + " ").find(" " + id + " ") != std::string::npos;
            if (!one_of || (what.name == "as-fair" && id.ends_with(":all"))) continue;
            RC_ASSERT(!fails(what, make_policy(id, ratio(1)), its, bound));
        }
    }
}

TEST(RedundancyTheorems, EndAtTheirBudget) {
    explore::Budget budget;
    budget.paths = 10;
    const TheoremProof found = prove("srpt+r", theorem("srpt-dual-feasible", "n3-m2-det", ratio(1, 2)), budget);
    EXPECT_TRUE(std::holds_alternative<explore::Ended>(found.result));
    EXPECT_LE(found.statistics.cells, 10U);
}

/// The symbols stand for what they should: at a point, the symbolic problem is the problem.
TEST(RedundancyTheorems, PointsAreProblems) {
    const auto problem = at(parse_shape("n3-m2-det"), {ratio(1), ratio(1, 2), ratio(3), ratio(4), ratio(5)});
    ASSERT_EQ(problem.jobs.size(), 3U);
    EXPECT_EQ(problem.jobs[0], (Job<Rational>{ratio(0), ratio(3)}));
    EXPECT_EQ(problem.jobs[1], (Job<Rational>{ratio(1), ratio(4)}));
    EXPECT_EQ(problem.jobs[2], (Job<Rational>{ratio(3, 2), ratio(5)}));
    EXPECT_FALSE(at(statement("laps-drift"), parse_shape("n1-m1-b1-det"), {}));
}

}  // namespace
}  // namespace schedproof::redundancy
