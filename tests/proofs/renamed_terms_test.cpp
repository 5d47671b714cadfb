/// One server that speaks for all that are alike: which renamings are found and accepted, that what is left unasked
/// holds, and what must be rejected.
#include "proofs/queueing/theorems/summands/renamed_terms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "policies/queueing/registry.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/queueing/drift/summand_search.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/summands/summands.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "tests/proofs/summand_support.hpp"

namespace schedproof::queueing {
namespace {

DriftProof proof_of(const Instance& instance, const char* policy) {
    const SymbolicSystem system(instance, make_policy(policy));
    auto outcome = find_by_summands(system, {});
    if (const auto* unknown = std::get_if<DriftUnknown>(&outcome)) throw std::runtime_error(unknown->reason);
    return std::get<DriftProof>(std::move(outcome));
}

std::string rejection_of(const Instance& instance, const char* policy, const DriftTheorem& theorem,
                         const std::vector<proof::ExploredProof>& proofs) {
    return rejection(Certificate{std::make_shared<const Instance>(instance), policy, theorem, proofs});
}

Instance unlike_ring(bool slots) {
    InstanceData data = ring_data(4, "1/2");
    data.rates.front() = q("9/20");
    if (slots)
        data.arrivals = ArrivalLaw::bernoulli(data.rates);
    else
        data.time = ContinuousTime{};
    return Instance(std::move(data));
}

/// All questions of the theorem without its renamings, asked anew.
TEST(RenamedTerms, WhatIsLeftUnaskedHolds) {
    for (const char* policy : {"jsq-maxweight", "balanced-pandas", "pandas:plain", "join-shortest-queue"})
        for (const Instance& instance : {ring_of(4, "1/2"), ring_in_slots(4, "1/2")}) {
            SCOPED_TRACE(policy + std::string(instance.continuous() ? " in continuous time" : " in slots"));
            const DriftProof proof = proof_of(instance, policy);
            ASSERT_FALSE(proof.theorem.renamings.empty());
            EXPECT_EQ(rejection_of(instance, policy, proof.theorem, proof.proofs), "");
            const SymbolicSystem system(instance, make_policy(policy));
            DriftTheorem each = proof.theorem;
            each.renamings.clear();
            const std::vector<explore::Question> all = questions(system, each);
            EXPECT_GT(all.size(), 2 * proof.proofs.size());
            for (const explore::Question& question : all)
                EXPECT_NE(explore::ask(question).proof(), nullptr) << question.name;
        }
}

/// Types with two homes, next to each other in a ring: a permutation leaves them what they are where it leaves
/// neighbours neighbours.
TEST(RenamedTerms, AreThoseOfNeighboursThatStayNeighbours) {
    constexpr std::uint32_t servers = 5;
    for (const Instance& instance : {ring_of(servers, "1/2"), ring_in_slots(servers, "1/2")}) {
        const SymbolicSystem system(instance, make_policy("jsq-maxweight"));
        const Summands summands(system);
        std::vector<std::uint32_t> order(servers);
        std::iota(order.begin(), order.end(), 0U);
        std::size_t found = 0;
        do {
            bool stay = true;
            for (std::uint32_t m = 0; m < servers; ++m) {
                const std::uint32_t gap = (order[(m + 1) % servers] + servers - order[m]) % servers;
                stay = stay && (gap == 1 || gap == servers - 1);
            }
            EXPECT_EQ(images(summands, {order, order}).has_value(), stay);
            found += stay;
        } while (std::next_permutation(order.begin(), order.end()));
        EXPECT_EQ(found, 2 * servers);
    }
}

/// One type that brings less than the others: no server speaks for another.
TEST(RenamedTerms, AreNoneWhereServersAreUnlike) {
    for (const bool slots : {false, true}) {
        const Instance instance = unlike_ring(slots);
        EXPECT_TRUE(proof_of(instance, "jsq-maxweight").theorem.renamings.empty());
    }
}

TEST(RenamedTerms, AlteredOnesAreRejected) {
    for (const Instance& instance : {ring_of(4, "1/2"), ring_in_slots(4, "1/2")}) {
        const char* policy = "jsq-maxweight";
        const DriftProof proof = proof_of(instance, policy);
        const auto rejected = [&](const char* what, const std::function<void(DriftTheorem&)>& alter) {
            DriftTheorem altered = proof.theorem;
            alter(altered);
            EXPECT_NE(rejection_of(instance, policy, altered, proof.proofs), "") << what;
        };
        rejected("another renaming", [](DriftTheorem& t) {
            std::swap(t.renamings[0].server[0], t.renamings[0].server[1]);
            std::swap(t.renamings[0].queue[0], t.renamings[0].queue[1]);
        });
        rejected("queues without their servers",
                 [](DriftTheorem& t) { std::swap(t.renamings[0].queue[0], t.renamings[0].queue[1]); });
        rejected("a server twice", [](DriftTheorem& t) { t.renamings[0].server[0] = t.renamings[0].server[1]; });
        rejected("a queue too few", [](DriftTheorem& t) { t.renamings[0].queue.pop_back(); });
        rejected("an unknown server", [](DriftTheorem& t) { t.renamings[0].server[0] = 4; });
        rejected("none", [](DriftTheorem& t) { t.renamings.clear(); });
        for (std::size_t t = 0; t < proof.theorem.summands->size(); ++t)
            rejected("the bound of one term",
                     [&](DriftTheorem& theorem) { (*theorem.summands)[t] += proof::LinearForm(Rational(1, 1000)); });
        rejected("a product of V", [](DriftTheorem& t) { t.v.products.front().coefficient += Rational(1, 1000); });
        rejected("a part of V", [](DriftTheorem& t) { t.v.pieces.front().coefficient += Rational(1, 1000); });
        rejected("the measure", [](DriftTheorem& t) { t.measure += length_of(QueueId(0)); });
        // Right for the ring, and not for one whose types are unlike.
        EXPECT_NE(rejection_of(unlike_ring(!instance.continuous()), policy, proof.theorem, proof.proofs), "");
    }
}

/// Each comparison by itself, of a theorem that the others let pass.
TEST(RenamedTerms, EachComparisonRejectsWhatTheOthersLetPass) {
    const Instance instance = ring_in_slots(4, "1/2");
    const SymbolicSystem system(instance, make_policy("jsq-maxweight"));
    const Summands summands(system, SummandKind::linked);
    ASSERT_FALSE(summands.links().empty());
    DriftTheorem right;
    const LyapunovForm::Linear all = sum_of_queues(system.layout());
    right.v = {"V", {{Rational(1), all, all}}, {}};
    right.measure = all;
    right.summands.emplace(summands.terms().size());
    right.links.resize(summands.links().size());
    right.renamings = {{{1, 2, 3, 0}, {1, 2, 3, 0}}};
    EXPECT_EQ(renamings_rejection(system, summands, right), "");
    const auto rejection_with = [&](const std::function<void(DriftTheorem&)>& alter) {
        DriftTheorem altered = right;
        alter(altered);
        return renamings_rejection(system, summands, altered);
    };
    EXPECT_EQ(rejection_with([](auto& t) { t.renamings[0].queue[0] = 0; }),
              "a renaming does not name each server and each queue once");
    EXPECT_EQ(rejection_with([](auto& t) {
                  t.renamings[0] = {{1, 0, 2, 3}, {1, 0, 2, 3}};
              }),
              "a renaming does not make terms of terms");
    EXPECT_EQ(rejection_with([](auto& t) { t.v.products[0].first += length_of(QueueId(0)); }), "a renaming changes V");
    EXPECT_EQ(rejection_with([](auto& t) { t.measure += length_of(QueueId(0)); }), "a renaming changes the measure");
    EXPECT_EQ(rejection_with([](auto& t) { t.summands->front() += length_of(QueueId(0)); }),
              "a renaming does not make bounds of bounds");
    EXPECT_EQ(rejection_with([](auto& t) { t.links.front() += length_of(QueueId(0)); }),
              "a renaming does not make forms of links of such forms");
}

/// A task of A goes to s0 or s1 by the toss of a coin, and half as many tasks of B go to s2: term by term that is the
/// same for s0 and s2, but what may join beside a task in execution is bounded type by type.
TEST(RenamedTerms, WhatOthersDoIsComparedToo) {
    InstanceData data;
    data.name = "coin";
    data.time = ContinuousTime{};
    data.levels = {{"local", q("1")}, {"remote", q("1/2")}};
    for (const char* name : {"s0", "s1", "s2"}) data.servers.push_back({name, {}});
    data.types = {{"A", {ServerId(0), ServerId(1)}}, {"B", {ServerId(2)}}};
    data.rates = {q("1/2"), q("1/4")};
    const Instance instance(std::move(data));
    static constexpr Rules coin = [] {
        using namespace language;
        return Rules{keep(Arrangement::per_server), route(sample(1, local)), serve(own)};
    }();
    const SymbolicSystem system(instance, policy_with(coin));
    const Summands summands(system);
    const Renaming exchange{{2, 1, 0}, {2, 1, 0}};
    ASSERT_TRUE(images(summands, exchange).has_value());
    DriftTheorem theorem;
    theorem.v.name = "V";
    for (const std::size_t m : {0, 2})
        theorem.v.pieces.push_back(
            {LyapunovForm::Condition{ServerId(m), QueueId(m), {}}, Rational(1), {length_of(QueueId(m))}});
    theorem.measure = sum_of_queues(system.layout());
    theorem.summands.emplace(summands.terms().size());
    theorem.renamings = {exchange};
    EXPECT_EQ(renamings_rejection(system, summands, theorem), "a renaming changes what others do to a server's part");
    for (LyapunovForm::Piece& piece : theorem.v.pieces) piece.largest_of = {LyapunovForm::Linear(Rational(1))};
    EXPECT_EQ(renamings_rejection(system, summands, theorem), "");
}

/// Permutations of V's queues and servers change the function, unless it does not tell them apart.
TEST(RenamedTerms, FunctionsAreComparedByTheirCoefficients) {
    const LyapunovForm::Linear a = length_of(QueueId(0)), b = length_of(QueueId(1));
    const LyapunovForm square{"V", {{Rational(1), a + b, a + b}}, {}};
    const LyapunovForm expanded{"V", {{Rational(1), a, a}, {Rational(2), b, a}, {Rational(1), b, b}}, {}};
    EXPECT_TRUE(are_equal(square, expanded));
    const LyapunovForm lopsided{"V", {{Rational(1), a, a + b}}, {}};
    const Renaming swap{{1, 0}, {1, 0}};
    EXPECT_TRUE(are_equal(renamed(square, swap), square));
    EXPECT_FALSE(are_equal(renamed(lopsided, swap), lopsided));
    const LyapunovForm::Condition busy{ServerId(0), QueueId(0), {}};
    const LyapunovForm part{"V", {}, {{busy, Rational(1), {a}}}};
    EXPECT_FALSE(are_equal(renamed(part, swap), part));
    EXPECT_TRUE(are_equal(renamed(renamed(part, swap), swap), part));
}

}  // namespace
}  // namespace schedproof::queueing
