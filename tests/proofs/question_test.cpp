/// Questions about code: proofs are bound to the body that they speak of, and every altered part is rejected.
#include "proofs/symbolic/question.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/core/errors.hpp"
#include "proofs/certifier/binding.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/theorems/drift.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::explore {
namespace {

using proof::Constraint;
using proof::ExploredProof;
using proof::LinearForm;

/// max(n, m) is at least both: obligations that no point satisfies, on two cells, below a side that is closed.
std::vector<Forbidden> largest_is_largest(const std::vector<Affine>& x) {
    if (x[0] + x[1] > Affine(20)) return {};
    const Affine largest = x[0] > x[1] ? x[0] : x[1];
    if (largest > Affine(20)) return {Forbidden{}};
    return {{{x[0].form() - largest.form(), true}}, {{x[1].form() - largest.form(), true}}};
}

Question question_of(std::function<std::vector<Forbidden>(const std::vector<Affine>&)> body) {
    Question question{"largest", {}, std::move(body)};
    question.space.add("n", true, Rational(0));
    question.space.add("m", true, Rational(0));
    return question;
}

std::string wrong(const Question& question, const ExploredProof& proof) {
    const std::string binding = certify::binding_rejection(question, proof);
    return binding.empty() ? proof::rejection(proof) : binding;
}

ExploredProof proof_of(const Question& question) {
    const Reply reply = ask(question);
    EXPECT_NE(reply.proof(), nullptr);
    return *reply.proof();
}

TEST(Question, AProofIsBoundToItsBody) {
    const Question question = question_of(largest_is_largest);
    const ExploredProof proof = proof_of(question);
    EXPECT_EQ(wrong(question, proof), "");
    const auto other = [&](auto body) { return certify::binding_rejection(question_of(body), proof); };
    // Another comparison, another order, another constant, more and fewer questions, other obligations.
    EXPECT_NE(other([](const std::vector<Affine>& x) {
                  if (x[0] + x[1] > Affine(20)) return std::vector<Forbidden>{};
                  const Affine largest = x[0] >= x[1] ? x[0] : x[1];
                  if (largest > Affine(20)) return std::vector<Forbidden>{Forbidden{}};
                  return std::vector<Forbidden>{{{x[0].form() - largest.form(), true}},
                                                {{x[1].form() - largest.form(), true}}};
              }),
              "");
    EXPECT_NE(other([](const std::vector<Affine>& x) {
                  const Affine largest = x[0] > x[1] ? x[0] : x[1];
                  if (x[0] + x[1] > Affine(20)) return std::vector<Forbidden>{};
                  if (largest > Affine(20)) return std::vector<Forbidden>{Forbidden{}};
                  return std::vector<Forbidden>{{{x[0].form() - largest.form(), true}},
                                                {{x[1].form() - largest.form(), true}}};
              }),
              "");
    EXPECT_NE(other([](const std::vector<Affine>& x) {
                  if (x[0] + x[1] > Affine(21)) return std::vector<Forbidden>{};
                  return largest_is_largest(x);
              }),
              "");
    EXPECT_NE(other([](const std::vector<Affine>&) { return std::vector<Forbidden>{}; }), "");
    EXPECT_NE(other([](const std::vector<Affine>& x) {
                  auto all = largest_is_largest(x);
                  if (x[0] > Affine(5)) all.clear();
                  return all;
              }),
              "");
    EXPECT_NE(other([](const std::vector<Affine>& x) {
                  auto all = largest_is_largest(x);
                  if (!all.empty()) all.pop_back();
                  return all;
              }),
              "");
    EXPECT_NE(other([](const std::vector<Affine>& x) {
                  auto all = largest_is_largest(x);
                  for (Forbidden& f : all)
                      for (Constraint& c : f) c.strict = false;
                  return all;
              }),
              "");
}

TEST(Question, EveryPartOfAProofIsRead) {
    const Question question = question_of(largest_is_largest);
    const ExploredProof good = proof_of(question);
    const auto rejected = [&](const char* what, auto&& spoil) {
        ExploredProof bad = good;
        spoil(bad);
        EXPECT_NE(wrong(question, bad), "") << what;
    };
    rejected("name", [](ExploredProof& p) { p.name += "x"; });
    rejected("symbol", [](ExploredProof& p) { p.space.symbols[0].name = "k"; });
    rejected("integrality", [](ExploredProof& p) { p.space.symbols[0].integer = false; });
    rejected("bound", [](ExploredProof& p) { p.space.symbols[0].lower = Rational(1); });
    rejected("symbols", [](ExploredProof& p) { p.space.symbols.pop_back(); });
    rejected("premise", [](ExploredProof& p) { p.space.premises.push_back({LinearForm(Rational(1)), false}); });
    rejected("missing leaf", [](ExploredProof& p) { p.leaves.pop_back(); });
    rejected("more leaves", [](ExploredProof& p) { p.leaves.emplace_back(); });
    rejected("count of leaves", [](ExploredProof& p) { ++p.tree.leaves; });
    rejected("more nodes", [](ExploredProof& p) { p.tree.nodes.push_back(p.tree.nodes.back()); });
    rejected("root", [](ExploredProof& p) { p.tree.root = proof::ToLeaf{0}; });
    for (std::size_t i = 0; i < good.tree.nodes.size(); ++i) {
        rejected("bound of an atom", [i](ExploredProof& p) { p.tree.nodes[i].atom.bound += Rational(1); });
        rejected("form of an atom", [i](ExploredProof& p) { p.tree.nodes[i].atom.form *= Rational(2); });
        rejected("strictness of an atom", [i](ExploredProof& p) { p.tree.nodes[i].atom.strict ^= true; });
        rejected("tightening of an atom", [i](ExploredProof& p) { p.tree.nodes[i].atom.integer ^= true; });
        rejected("sides exchanged", [i](ExploredProof& p) { std::swap(p.tree.nodes[i].yes, p.tree.nodes[i].no); });
        rejected("a side closed", [i](ExploredProof& p) { p.tree.nodes[i].no = proof::Closed{}; });
    }
    std::size_t closed = 0, obligations = 0;
    proof::Tree tree = good.tree;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        for (const bool yes : {true, false}) {
            const auto side = [&](ExploredProof& p) -> proof::Side& {
                return yes ? p.tree.nodes[i].yes : p.tree.nodes[i].no;
            };
            ExploredProof copy = good;
            const auto* empty = std::get_if<proof::Closed>(&side(copy));
            if (!empty) continue;
            ++closed;
            for (std::size_t k = 0; k < empty->multipliers.size(); ++k) {
                rejected("multiplier of a closed side", [&](ExploredProof& p) {
                    std::get<proof::Closed>(side(p)).multipliers[k].value += Rational(1, 3);
                });
                rejected("its constraint",
                         [&](ExploredProof& p) { ++std::get<proof::Closed>(side(p)).multipliers[k].constraint; });
            }
        }
    for (std::size_t leaf = 0; leaf < good.leaves.size(); ++leaf)
        for (std::size_t o = 0; o < good.leaves[leaf].size(); ++o) {
            ++obligations;
            const auto& multipliers = good.leaves[leaf][o].multipliers;
            for (std::size_t k = 0; k < multipliers.size(); ++k) {
                // A refutation by one strict constant stays one when scaled; any other combination is spoiled.
                if (multipliers.size() > 1)
                    rejected("multiplier",
                             [&](ExploredProof& p) { p.leaves[leaf][o].multipliers[k].value += Rational(1, 3); });
                rejected("multiplier turned", [&](ExploredProof& p) {
                    Rational& value = p.leaves[leaf][o].multipliers[k].value;
                    value = -value;
                });
                rejected("constraint", [&](ExploredProof& p) { p.leaves[leaf][o].multipliers[k].constraint = 99; });
            }
            rejected("no multipliers", [&](ExploredProof& p) { p.leaves[leaf][o].multipliers.clear(); });
            rejected("no obligation", [&](ExploredProof& p) {
                p.leaves[leaf].erase(p.leaves[leaf].begin() + static_cast<std::ptrdiff_t>(o));
            });
            if (!good.leaves[leaf][o].against.empty())
                rejected("obligation",
                         [&](ExploredProof& p) { p.leaves[leaf][o].against[0].form += LinearForm(Rational(1)); });
        }
    EXPECT_GT(closed, 0U);
    EXPECT_GT(obligations, 1U);
}

TEST(Question, WhatIsFalseHasAPoint) {
    const Question question = question_of([](const std::vector<Affine>& x) {
        const Affine largest = x[0] > Affine(5) ? x[0] : x[1];
        return std::vector<Forbidden>{{{x[1].form() - largest.form(), true}}};
    });
    const Reply reply = ask(question);
    const auto* point = std::get_if<Counterpoint>(&reply.result);
    ASSERT_NE(point, nullptr);
    EXPECT_TRUE(point->integral);
    EXPECT_GT(point->point[0], Rational(5));
    EXPECT_GT(point->point[1], point->point[0]);
}

TEST(Question, BudgetsEndWithAReason) {
    const Question question = question_of(largest_is_largest);
    using Spent = std::pair<std::uint64_t, std::uint64_t>;  // units of the solver, cells
    for (const auto& [solver, paths] : {Spent{0, 100}, Spent{10'000'000, 1}, Spent{10'000'000, 0}}) {
        Budget budget;
        budget.solver = solver;
        budget.paths = paths;
        const Reply reply = ask(question, budget);
        const auto* ended = std::get_if<Ended>(&reply.result);
        ASSERT_NE(ended, nullptr);
        EXPECT_TRUE(ended->reason.starts_with("largest: ")) << ended->reason;
    }
}

TEST(Question, ADriftProofOfOnePolicyIsNotOneOfAnother) {
    const queueing::Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    const queueing::SymbolicSystem jsq(instance, queueing::make_policy("jsq-maxweight", instance, {}));
    const queueing::SymbolicSystem pandas(instance, queueing::make_policy("pandas:plain", instance, {}));
    queueing::DriftTheorem theorem;
    theorem.v = queueing::named_lyapunov("squares", instance, jsq.layout());
    theorem.delta = Rational(1);
    theorem.threshold = Rational(400);
    theorem.measure = queueing::sum_of_queues(jsq.layout());
    theorem.statuses = queueing::find_statuses(jsq);
    // After one question per server on its statuses, the shape with both servers idle.
    const auto of = [&](const queueing::SymbolicSystem& system) { return queueing::questions(system, theorem).at(2); };
    const ExploredProof proof = proof_of(of(jsq));
    EXPECT_EQ(wrong(of(jsq), proof), "");
    EXPECT_NE(wrong(of(pandas), proof), "");
}

}  // namespace
}  // namespace schedproof::explore
