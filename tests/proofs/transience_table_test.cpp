/// Transience by a function with a table of one queue's length: the N system of [harrison1998] and [bell2001], whose
/// critical load is known, replay by exact enumeration, and what must be rejected.
///
/// Type A is served by the first servers at rate 1 and by the last at rate 1/2; B by the last alone. Preemptive
/// priority to A makes the number n of tasks of A a birth and death chain of its own, whatever there is of B. Its
/// stationary law gives the share of time in which the last server is free for B, and so the exact load from which B's
/// queue grows.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <string>

#include "policies/queueing/registry.hpp"
#include "policies/queueing/temporary_policy.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/queueing/transience/pattern_graph.hpp"
#include "proofs/queueing/transience/transience_search.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing::transience_table_tests {
namespace {

using namespace language;
using testing_support::q;

constexpr Rules shared_first{keep(Arrangement::per_type), route(own_type),
                             serve(argmin(nonempty(reachable), rate* tasks(1)))};
constexpr const char* name = "shared-first-of-test";

/// The N system with `own` servers for A alone.
InstanceData n_system(const Rational& a, const Rational& b, std::size_t own = 1,
                      Preemption preemption = Preemption::resume) {
    InstanceData data;
    data.name = "n-system";
    data.time = ContinuousTime{};
    data.options.preemption = preemption;
    data.types = {{"A", {}}, {"B", {}}};
    for (std::size_t m = 0; m <= own; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        data.types[0].at_servers.emplace_back(m < own ? q("1") : q("1/2"));
        data.types[1].at_servers.push_back(m < own ? std::nullopt : std::optional(q("1")));
    }
    data.rates = {a, b};
    return data;
}

/// The policy on an instance, in both execution modes, known by name to the checker while this lives.
struct OnN {
    std::shared_ptr<const void> known = add_temporary_policy({{name, "test", "of this test"}, shared_first});
    std::shared_ptr<const Instance> instance;
    SymbolicSystem symbolic;
    ExactSystem exact;

    explicit OnN(InstanceData data)
        : instance(std::make_shared<const Instance>(std::move(data))),
          symbolic(*instance, make_policy(name)),
          exact(*instance, make_policy(name)) {}
    [[nodiscard]] Certificate certificate(const TransienceProof& proof) const {
        return {instance, name, proof.theorem, proof.proofs};
    }
    [[nodiscard]] TransienceOutcome search(std::size_t largest = default_table) const {
        return search_transience(symbolic, {}, largest);
    }
};

/// [harrison1998]: arrivals 13/10 and 4/10 times a load.
InstanceData at_load(const char* load, Preemption preemption = Preemption::resume) {
    return n_system(q("13/10") * q(load), q("4/10") * q(load), 1, preemption);
}

const TransienceProof& found(const TransienceOutcome& outcome) {
    if (const auto* unknown = std::get_if<TransienceUnknown>(&outcome)) throw std::runtime_error(unknown->reason);
    return std::get<TransienceProof>(outcome);
}

/// W at an exact state, by the definition of phi.
Rational height(const TransienceTheorem& theorem, const ExactState& state) {
    Rational sum = value(theorem.w, state);
    if (theorem.table)
        for (std::int64_t n = 0; n < state.length[theorem.table->queue.index()].value(); ++n)
            sum +=
                theorem.table->increments[std::min(static_cast<std::size_t>(n), theorem.table->increments.size() - 1)];
    return sum;
}

void replay_table(const OnN& on, const TransienceTheorem& theorem) {
    EXPECT_TRUE(rc::check("beyond the threshold the exact drift is at least delta, and no jump exceeds J", [&] {
        ExactState state;
        state.serving.resize(on.instance->servers().size());
        for (std::size_t i = 0; i < on.symbolic.layout().queues(); ++i)
            state.length.emplace_back(*rc::gen::inRange<std::int64_t>(0, *rc::gen::element<std::int64_t>(3, 9, 90)));
        const Rational here = height(theorem, state);
        Rational drift;
        for (const Move& move : on.exact.moves(state)) {
            const Rational jump = height(theorem, move.slot.next) - here;
            RC_ASSERT(jump <= theorem.jump && -jump <= theorem.jump);
            drift += move.probability * jump;
        }
        if (here >= theorem.threshold) RC_ASSERT(drift >= theorem.delta);
    }));
}

/// 0.889972... is the load at which 4/10 of it equals the share of time with at most one task of A.
TEST(TransienceTable, TheNSystemIsTransientFromItsCriticalLoadOn) {
    const auto free_for_b = [](const Rational& load) {
        const Rational a = q("13/10") * load, x = a / q("3/2");
        return (Rational(1) + a) / (Rational(1) + a + a * x / (Rational(1) - x));
    };
    for (const char* load : {"88998/100000", "89/100", "9/10", "95/100"}) {
        EXPECT_GT(q("4/10") * q(load), free_for_b(q(load))) << load;
        const OnN on(at_load(load));
        const TransienceOutcome outcome = on.search();
        const TransienceProof& proof = found(outcome);
        ASSERT_TRUE(proof.theorem.table) << load;
        EXPECT_EQ(proof.theorem.table->queue, QueueId(0));
        EXPECT_EQ(proof.theorem.table->increments.size(), 2U) << "from two tasks on nothing changes";
        EXPECT_LT(proof.theorem.capacity.upper, Rational(1));
        EXPECT_EQ(rejection(on.certificate(proof)), "") << load;
        replay_table(on, proof.theorem);
    }
    EXPECT_LT(q("4/10") * q("88997/100000"), free_for_b(q("88997/100000")));
    const TransienceOutcome below = OnN(at_load("88997/100000")).search();
    ASSERT_TRUE(std::holds_alternative<TransienceUnknown>(below));
    EXPECT_NE(std::get<TransienceUnknown>(below).reason.find("a table of up to 64 increments"), std::string::npos);
}

TEST(TransienceTable, NoLinearFunctionWillDoThere) {
    const TransienceOutcome outcome = OnN(at_load("9/10")).search(0);
    ASSERT_TRUE(std::holds_alternative<TransienceUnknown>(outcome));
    EXPECT_TRUE(std::get<TransienceUnknown>(outcome).reason.starts_with("no linear W"));
}

/// A batch of two goes along two increments at once.
TEST(TransienceTable, OfTasksThatArriveInBatches) {
    InstanceData data = at_load("95/100");
    data.batches = {{{2, q("1/2")}}, {}};
    const OnN on(data);
    EXPECT_TRUE(std::holds_alternative<TransienceUnknown>(on.search(0)));
    const TransienceOutcome outcome = on.search();
    const TransienceProof& proof = found(outcome);
    ASSERT_TRUE(proof.theorem.table);
    EXPECT_EQ(rejection(on.certificate(proof)), "");
    replay_table(on, proof.theorem);
}

/// With statuses of servers in W besides.
TEST(TransienceTable, WithoutPreemptionToo) {
    const OnN on(at_load("88/100", Preemption::none));
    EXPECT_TRUE(std::holds_alternative<TransienceUnknown>(on.search(0)));
    const TransienceOutcome outcome = on.search();
    EXPECT_TRUE(found(outcome).theorem.table);
    EXPECT_EQ(rejection(on.certificate(found(outcome))), "");
}

/// With k servers of its own, A is a birth and death chain of k + 1 different rates.
TEST(TransienceTable, IsAsLongAsThePolicyNeeds) {
    const OnN on(n_system(q("31/10"), q("3/5"), 3));
    EXPECT_TRUE(std::holds_alternative<TransienceUnknown>(on.search(2)));
    const TransienceOutcome outcome = on.search();
    const TransienceTheorem& theorem = found(outcome).theorem;
    EXPECT_EQ(theorem.table->increments.size(), 4U);
    EXPECT_EQ(rejection(on.certificate(found(outcome))), "");
    EXPECT_NE(sentence(on.certificate(found(outcome)))
                  .find("phi(n + 1) - phi(n) is 1/5 for n = 0, 3/10, 2/5, "
                        "7/10 for n >= 3."),
              std::string::npos);
    replay_table(on, theorem);
}

/// A weight is a table of equal increments, also in slots, where three servers may take three tasks at once.
TEST(TransienceTable, OfEqualIncrementsIsAWeight) {
    const auto instance = std::make_shared<const Instance>(testing_support::n2());
    const SymbolicSystem symbolic(*instance, make_policy("pandas:plain"));
    LyapunovForm::Linear sum = LyapunovForm::Linear::variable(0);
    sum.add(q("598/905"), LyapunovForm::Linear::variable(1));
    LyapunovForm w{"W", {}, {{std::nullopt, Rational(1), {sum}}}};
    w.pieces.push_back({LyapunovForm::Condition{ServerId(1), QueueId(0), {}}, q("-63/362"), {{Rational(1)}}});
    const auto with = [&](const Rational& first) {
        return prove_transience(symbolic, w, q("13/724"), Rational(401), {},
                                QueueTable{QueueId(2), {first, q("248/905")}});
    };
    const TransienceOutcome outcome = with(q("248/905"));
    EXPECT_EQ(rejection({instance, "pandas:plain", found(outcome).theorem, found(outcome).proofs}), "");
    EXPECT_TRUE(std::holds_alternative<TransienceUnknown>(with(Rational(9))));
}

TEST(TransienceTable, MutantsOfTheFunctionAreNotProved) {
    const OnN on(at_load("9/10"));
    const TransienceOutcome outcome = on.search();
    const TransienceTheorem right = found(outcome).theorem;
    using Change = std::function<void(TransienceTheorem&)>;
    const auto tried = [&](const Change& change) {
        TransienceTheorem t = right;
        change(t);
        const TransienceOutcome made = prove_transience(on.symbolic, t.w, t.delta, t.threshold, {}, t.table);
        const auto* unknown = std::get_if<TransienceUnknown>(&made);
        return unknown ? unknown->reason : "proved";
    };
    EXPECT_EQ(tried([](auto&) {}), "proved");
    const std::string smaller = "the drift is smaller";
    EXPECT_TRUE(tried([](auto& t) { t.delta += q("1/100"); }).starts_with(smaller));
    EXPECT_TRUE(tried([](auto& t) { t.table->increments[0] *= q("-1"); }).starts_with(smaller));
    EXPECT_TRUE(tried([](auto& t) { t.table->increments[1] += q("1/5"); }).starts_with(smaller));
    EXPECT_TRUE(tried([](auto& t) { std::swap(t.table->increments[0], t.table->increments[1]); }).starts_with(smaller));
    EXPECT_TRUE(tried([](auto& t) { t.table.reset(); }).starts_with(smaller));
    EXPECT_TRUE(tried([](auto& t) { t.table->increments.pop_back(); }).starts_with(smaller));
    EXPECT_EQ(tried([](auto& t) { t.threshold = Rational(0); }), "the empty state lies at the threshold or above");
    EXPECT_EQ(tried([](auto& t) { t.table->queue = QueueId(1); }), "the queue of the table has a weight besides");
}

TEST(TransienceTable, TamperedCertificatesAreRejected) {
    const OnN on(at_load("9/10"));
    const TransienceOutcome outcome = on.search();
    const Certificate right = on.certificate(found(outcome));
    ASSERT_EQ(rejection(right), "");
    using Tamper = std::function<void(TransienceTheorem&)>;
    const std::vector<std::pair<const char*, Tamper>> mutants{
        {"first increment", [](auto& t) { t.table->increments[0] += q("1/1000"); }},
        {"last increment", [](auto& t) { t.table->increments[1] += q("1/1000"); }},
        {"last increment and its jump",
         [](auto& t) {
             t.table->increments[1] -= q("1/1000");
             t.jump -= q("3/1000");
         }},
        {"no increment", [](auto& t) { t.table->increments.clear(); }},
        {"the same function in a longer table", [](auto& t) { t.table->increments.push_back(t.table->increments[1]); }},
        {"no table", [](auto& t) { t.table.reset(); }},
        {"another queue", [](auto& t) { t.table->queue = QueueId(1); }},
        {"an unknown queue", [](auto& t) { t.table->queue = QueueId(2); }},
        {"an empty queue", [](auto& t) { t.empty = {QueueId(0)}; }},
        {"a weight besides",
         [](auto& t) { t.w.pieces[0].largest_of[0].add(q("1/9"), LyapunovForm::Linear::variable(0)); }},
        {"delta", [](auto& t) { t.delta += q("1/1000"); }},
        {"smaller delta, which holds but was not proved", [](auto& t) { t.delta *= q("1/2"); }},
        {"threshold", [](auto& t) { t.threshold -= q("1/2"); }},
        {"J", [](auto& t) { t.jump -= q("1/1000"); }},
        {"load", [](auto& t) { t.capacity.upper *= q("1/2"); }},
    };
    for (const auto& [what, tamper] : mutants) {
        Certificate wrong = right;
        tamper(std::get<TransienceTheorem>(wrong.theorem));
        EXPECT_NE(rejection(wrong), "") << what;
    }
}

/// The drift of each pattern of the picture is over all lengths of the table's queue.
TEST(TransienceTable, PatternsAreDrawnWithIt) {
    const OnN on(at_load("9/10"));
    const TransienceOutcome outcome = on.search();
    const PatternGraph graph = pattern_graph(on.symbolic, found(outcome).theorem);
    ASSERT_EQ(graph.nodes.size(), 2U);
    for (const PatternGraph::Node& node : graph.nodes) EXPECT_GE(node.drift.low, found(outcome).theorem.delta);
}

/// All tasks join the faster server's queue, so that of the other orders no pattern.
TEST(TransienceTable, PatternsLeaveOutQueuesThatNoTaskJoins) {
    InstanceData data = n_system(q("9/10"), q("2"), 2, Preemption::none);
    data.types[0].at_servers[1] = q("1/3");
    const auto instance = std::make_shared<const Instance>(std::move(data));
    const SymbolicSystem symbolic(*instance, make_policy("join-shortest-queue"));
    const TransienceOutcome outcome = search_transience(symbolic);
    const TransienceTheorem& theorem = found(outcome).theorem;
    EXPECT_EQ(theorem.empty, std::vector<QueueId>{QueueId(1)});
    const PatternGraph graph = pattern_graph(symbolic, theorem);
    EXPECT_EQ(graph.queue, (std::vector<std::string>{"Q[s0]", "Q[s2]"}));
    EXPECT_EQ(graph.nodes.size(), 2U);
    for (const PatternGraph::Node& node : graph.nodes) EXPECT_GT(node.cells, 0U);
}

TEST(TransienceTable, StopsWhereItsCellsAreTooMany) {
    const auto instance = std::make_shared<const Instance>(testing_support::n2());
    const SymbolicSystem symbolic(*instance, make_policy("jsq-maxweight"));
    const TransienceOutcome outcome = search_transience(symbolic, {}, default_table);
    EXPECT_NE(std::get<TransienceUnknown>(outcome).reason.find("tables of one queue's length were not tried"),
              std::string::npos);
}

}  // namespace
}  // namespace schedproof::queueing::transience_table_tests
