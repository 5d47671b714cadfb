/// SMT-LIB files and canonical refutations of real proofs.
#include "proofs/certificate/smtlib.hpp"

#include <gtest/gtest.h>
#include <z3++.h>

#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

DriftProof proof_of(const Instance& instance, const char* policy, const char* v) {
    const SymbolicSystem system(instance, make_policy(policy, instance, {}));
    const ExactSystem exact(instance, make_policy(policy, instance, {}));
    DriftGoal goal;
    goal.v = named_lyapunov(v, instance, system.layout());
    DriftOutcome outcome = prove_drift(system, exact, goal);
    return std::get<DriftProof>(std::move(outcome));
}

z3::check_result answer(const std::string& text) {
    z3::context context;
    z3::solver solver(context);
    solver.from_string(text.c_str());
    return solver.check();
}

TEST(Smtlib, EveryFileIsUnsatAndWithoutItsLastConstraintSat) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    const DriftProof proof = proof_of(instance, "balanced-pandas", "workload-squares");
    std::size_t files = 0;
    for (const proof::ExploredProof& one : proof.proofs)
        for_each_refutation(one, [&](const std::string& what, std::span<const proof::Constraint> constraints) {
            ++files;
            const std::string text = smtlib(one.space, constraints, what);
            EXPECT_EQ(answer(text), z3::unsat) << one.name << ", " << what << "\n" << text;
            // A side is closed on a path that has points; an obligation without its negated statement is a cell.
            const std::string weaker = smtlib(one.space, constraints.first(constraints.size() - 1), what, true);
            if (what.starts_with("closed")) { EXPECT_EQ(answer(weaker), z3::sat) << weaker; }
        });
    EXPECT_GT(files, 100U);
}

TEST(Smtlib, NamesThatNoSymbolMayHoldAreReplaced) {
    proof::Space space;
    const auto x = space.add("a|b\\c", true, Rational(0)), y = space.add("a_b_c", false, std::nullopt);
    const std::vector<proof::Constraint> constraints{
        {proof::LinearForm::variable(x) - proof::LinearForm::variable(y), true},
        {proof::LinearForm::variable(y) - proof::LinearForm::variable(x) -
             proof::LinearForm(Rational(-3) / Rational(7)),
         false}};
    EXPECT_EQ(answer(smtlib(space, constraints, "two\nlines")), z3::sat);
    EXPECT_EQ(answer(smtlib(space, std::vector{constraints[0], negation(constraints[0])}, "x")), z3::unsat);
}

TEST(Canonical, ProofsStayProofsAndNoNumberIsFree) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    const DriftProof proof = proof_of(instance, "balanced-pandas", "workload-squares");
    for (const proof::ExploredProof& one : proof.proofs) {
        const proof::ExploredProof plain = canonical(one);
        EXPECT_EQ(rejection(plain), "");
        const proof::ExploredProof again = canonical(plain);
        EXPECT_EQ(again.tree, plain.tree);
        EXPECT_EQ(again.leaves, plain.leaves);
        // Any other number in a refutation breaks it, or is not canonical.
        for (std::size_t leaf = 0; leaf < plain.leaves.size(); ++leaf)
            for (std::size_t o = 0; o < plain.leaves[leaf].size(); ++o)
                for (std::size_t l = 0; l < plain.leaves[leaf][o].multipliers.size(); ++l) {
                    proof::ExploredProof altered = plain;
                    altered.leaves[leaf][o].multipliers[l].value *= Rational(2);
                    EXPECT_TRUE(!rejection(altered).empty() || canonical(altered).leaves != altered.leaves);
                }
    }
}

TEST(Canonical, OfConstraintsWithoutContent) {
    const proof::LinearForm zero, x = proof::LinearForm::variable(0);
    const std::vector<proof::Constraint> constraints{{x, false},   {zero, false}, {x, true},
                                                     {zero, true}, {-x, false},   {x, false}};
    const proof::Multipliers strict_zero{{3, Rational(1)}};
    EXPECT_EQ(canonical(constraints, {{1, Rational(4)}, {3, Rational(2)}}), strict_zero);
    const proof::Multipliers both{{2, Rational(1)}, {4, Rational(1)}};
    EXPECT_EQ(canonical(constraints, {{1, Rational(9)}, {2, Rational(5)}, {4, Rational(5)}}), both);
    const std::vector<proof::Constraint> negative{{x, false}, {x, false}, {-x - proof::LinearForm(Rational(3)), true}};
    const proof::Multipliers first{{0, Rational(1) / Rational(3)}, {2, Rational(1) / Rational(3)}};
    EXPECT_EQ(canonical(negative, {{1, Rational(7)}, {2, Rational(7)}}), first);
}

TEST(Tree, OfAbsurdDepthIsRefusedNotFollowed) {
    proof::Space space;
    const auto x = space.add("x", true, Rational(0));
    proof::Tree tree;
    const std::uint32_t depth = 200'000;
    for (std::uint32_t i = 0; i < depth; ++i) {
        const proof::Atom atom{proof::LinearForm::variable(x), Rational(i + 1), false, true};
        tree.nodes.push_back({atom,
                              i + 1 < depth ? proof::Side(proof::ToNode{i + 1}) : proof::Side(proof::ToLeaf{depth}),
                              proof::ToLeaf{i}});
    }
    tree.root = proof::ToNode{0};
    tree.leaves = depth + 1;
    EXPECT_NE(rejection(space, tree).find("deeper"), std::string::npos);
    tree.nodes.resize(1);
    tree.nodes[0].yes = proof::ToLeaf{1};
    tree.leaves = 2;
    EXPECT_EQ(rejection(space, tree), "");
}

}  // namespace
}  // namespace schedproof::queueing
