/// Transience: the known answers of docs/models/queueing.md, Counterexamples, replay by exact enumeration, and what
/// must be rejected.
///
/// The search runs by symbolic execution; what it finds is compared with exact enumeration at random states, and
/// against the checker, which asks no solver.
#include "proofs/queueing/theorems/transience.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <memory>

#include "checks/pictures/pattern_picture.hpp"
#include "checks/pictures/render.hpp"
#include "model/queueing/codec/codec.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/lyapunov_formula.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/queueing/transience/pattern_graph.hpp"
#include "proofs/queueing/transience/transience_search.hpp"
#include "tests/strangers/gate.hpp"

namespace schedproof::queueing::transience_tests {
namespace {

Rational q(std::int64_t p, std::int64_t d) { return {Integer(p), Integer(d)}; }

std::shared_ptr<const Instance> read(const std::string& name) {
    return std::make_shared<const Instance>(
        queueing::read_instance(std::string(SCHEDPROOF_SOURCE_DIR) + "/experiments/instances/" + name + ".toml"));
}

/// n1-fifo with another total rate.
std::shared_ptr<const Instance> fifo_at(const Rational& total) {
    InstanceData data = read("n1-fifo")->data();
    const std::vector<Rational> rates(2, total * q(1, 2));
    data.arrivals = ArrivalLaw::single(rates);
    data.rates.clear();
    return std::make_shared<const Instance>(std::move(data));
}

/// A policy in both execution modes on an instance.
struct Systems {
    std::shared_ptr<const Instance> instance;
    std::string policy;
    SymbolicSystem symbolic;
    ExactSystem exact;
    Systems(std::shared_ptr<const Instance> on, const std::string& id)
        : instance(std::move(on)),
          policy(id),
          symbolic(*instance, make_policy(id, *instance, capacity::fluid_plan)),
          exact(*instance, make_policy(id, *instance, capacity::fluid_plan)) {}
    [[nodiscard]] Certificate certificate(const TransienceProof& proof) const {
        return {instance, policy, proof.theorem, proof.proofs};
    }
};

const TransienceProof& proved(const TransienceOutcome& outcome) {
    if (const auto* unknown = std::get_if<TransienceUnknown>(&outcome)) throw std::runtime_error(unknown->reason);
    return std::get<TransienceProof>(outcome);
}

std::string reason(const TransienceOutcome& outcome) {
    const auto* unknown = std::get_if<TransienceUnknown>(&outcome);
    return unknown ? unknown->reason : "proved";
}

/// Q0 + 598/905 Q1 + 248/905 Q2 - 63/362 [s1 runs s0], with weights to be tampered with.
LyapunovForm printed(const Rational& q1 = q(598, 905), const Rational& q2 = q(248, 905),
                     const Rational& status = q(-63, 362)) {
    LyapunovForm::Linear sum = LyapunovForm::Linear::variable(0);
    sum.add(q1, LyapunovForm::Linear::variable(1)).add(q2, LyapunovForm::Linear::variable(2));
    LyapunovForm w{"W", {}, {{std::nullopt, Rational(1), {sum}}}};
    if (status.sign() != 0)
        w.pieces.push_back({LyapunovForm::Condition{ServerId(1), QueueId(0), {}}, status, {{Rational(1)}}});
    return w;
}

/// A random state of a theorem's statuses: lengths of any scale, at least the tasks in execution.
ExactState random_state(const TransienceTheorem& theorem, std::size_t queues) {
    ExactState state;
    std::vector<std::int64_t> least(queues, 0);
    for (const auto& own : theorem.statuses) {
        state.serving.push_back(own[*rc::gen::inRange<std::size_t>(0, own.size())]);
        if (state.serving.back().status == Service::Status::busy) ++least[state.serving.back().queue.index()];
    }
    for (std::size_t i = 0; i < queues; ++i) {
        const std::int64_t scale = *rc::gen::element<std::int64_t>(2, 5, 50, 5000);
        state.length.emplace_back(least[i] + *rc::gen::inRange<std::int64_t>(0, scale));
    }
    return state;
}

void replay(const Systems& on, const TransienceTheorem& theorem) {
    EXPECT_TRUE(rc::check("beyond the threshold the exact drift is at least delta, and no jump exceeds J", [&] {
        const ExactState state = random_state(theorem, on.symbolic.layout().queues());
        const Rational here = value(theorem.w, state);
        for (const Move& move : on.exact.moves(state)) {
            const Rational jump = value(theorem.w, move.slot.next) - here;
            RC_ASSERT(jump <= theorem.jump && -jump <= theorem.jump);
        }
        if (here >= theorem.threshold) RC_ASSERT(drift(on.exact, state, theorem.w) >= theorem.delta);
    }));
}

struct Known {
    const char* instance;
    const char* policy;
    Rational delta, load;
};

class KnownTransience : public ::testing::TestWithParam<Known> {};

TEST_P(KnownTransience, ProvedCertifiedAndReplayed) {
    const Known known = GetParam();
    const Systems on(read(known.instance), known.policy);
    const TransienceOutcome outcome = search_transience(on.symbolic);
    const TransienceProof& proof = proved(outcome);
    EXPECT_GE(proof.theorem.delta, known.delta);
    EXPECT_EQ(proof.theorem.capacity.load(), known.load);
    EXPECT_EQ(rejection(on.certificate(proof)), "");
    const std::string words = sentence(on.certificate(proof));
    EXPECT_NE(words.find("although rho* = " + known.load.to_string() + " < 1, the cluster is transient"),
              std::string::npos);

    replay(on, proof.theorem);
}

INSTANTIATE_TEST_SUITE_P(Docs, KnownTransience,
                         ::testing::Values(Known{"n1-fifo", "fifo", q(3, 50), q(7, 16)},
                                           Known{"n2-pandas", "pandas:plain", q(13, 362), q(37, 38)},
                                           Known{"n2-pandas", "pandas:rackaware", q(13, 362), q(37, 38)},
                                           Known{"n2-pandas-slow-rack", "pandas:plain", q(41, 2800), q(319, 320)},
                                           Known{"n2-pandas-lighter", "pandas:plain", q(107, 18100), q(179, 190)},
                                           Known{"n2-pandas", "wang-jsq-maxweight", q(13, 40), q(37, 38)}));

TEST(Transience, TheWeightsOfTheDocsHaveTheDriftStated) {
    const Systems on(read("n2-pandas"), "pandas:plain");
    const auto outcome = [&](const Rational& delta, std::int64_t threshold, bool of_queue_0) {
        DriftGoal goal{printed(), Sense::above, delta, Rational(threshold), {}};
        if (of_queue_0) goal.measure = LyapunovForm::Linear::variable(0);
        return prove_drift(on.symbolic, on.exact, goal);
    };
    EXPECT_TRUE(std::holds_alternative<DriftProof>(outcome(q(13, 362), 40, true)));
    EXPECT_TRUE(std::holds_alternative<DriftProof>(outcome(q(13, 724), 400, false)));
    EXPECT_TRUE(std::holds_alternative<DriftRefutation>(outcome(q(13, 362) + q(1, 100'000), 40, true)));
    EXPECT_TRUE(std::holds_alternative<DriftRefutation>(outcome(q(13, 362) + q(1, 100'000), 400, false)));
    EXPECT_EQ(best_drift_where_long(on.symbolic, QueueId(0)).delta, q(13, 362));
}

TEST(Transience, TheLongQueueOfTheOtherRatesHasTheDriftStated) {
    const Systems slow(read("n2-pandas-slow-rack"), "pandas:plain"), lighter(read("n2-pandas-lighter"), "pandas:plain");
    EXPECT_EQ(best_drift_where_long(slow.symbolic, QueueId(0)).delta, q(41, 2800));
    EXPECT_EQ(best_drift_where_long(lighter.symbolic, QueueId(0)).delta, q(107, 18100));
}

TEST(Transience, WithTheWeightsOfTheDocs) {
    const Systems on(read("n2-pandas"), "pandas:plain");
    const TransienceOutcome outcome = prove_transience(on.symbolic, printed(), q(13, 724), Rational(401));
    const TransienceProof& proof = proved(outcome);
    EXPECT_EQ(rejection(on.certificate(proof)), "");
    // Two arrivals and three servers, each worth at most 1; one status worth 63/362.
    EXPECT_EQ(proof.theorem.jump, Rational(5) + q(63, 362));
    replay(on, proof.theorem);
}

TEST(Transience, MutantsOfTheFunctionAreNotProved) {
    const Systems on(read("n2-pandas"), "pandas:plain");
    const auto tried = [&](const LyapunovForm& w, const Rational& delta, const Rational& threshold) {
        return reason(prove_transience(on.symbolic, w, delta, threshold));
    };
    const std::string smaller = "the drift is smaller";
    const Rational delta = q(13, 724), threshold(401);
    EXPECT_EQ(tried(printed(), delta, threshold), "proved");
    EXPECT_TRUE(tried(printed(), q(13, 362) + q(1, 100'000), threshold).starts_with(smaller)) << "delta too large";
    EXPECT_TRUE(tried(printed(q(-598, 905)), delta, threshold).starts_with(smaller)) << "sign of a weight";
    EXPECT_TRUE(tried(printed(q(598, 905), q(248, 905), q(63, 362)), delta, threshold).starts_with(smaller))
        << "sign of a status";
    EXPECT_TRUE(tried(printed(q(598, 905), q(248, 905), Rational(0)), delta, threshold).starts_with(smaller))
        << "omitted status";
    EXPECT_EQ(tried(printed(), Rational(0), threshold), "delta is not positive");
    EXPECT_EQ(tried(printed(), delta, Rational(0)), "the empty state lies at the threshold or above");
    EXPECT_EQ(tried(printed(), delta, Rational(1'000'000)),
              "climbing from the empty state does not pass the threshold within 5000 slots");
    LyapunovForm negative = printed();
    negative.pieces.front().coefficient = Rational(-1);
    EXPECT_EQ(tried(negative, delta, threshold), "climbing from the empty state ends below the threshold");
    LyapunovForm square = printed();
    square.products.push_back({Rational(1), LyapunovForm::Linear::variable(0), LyapunovForm::Linear::variable(0)});
    EXPECT_EQ(tried(square, delta, threshold), "W has products: its jumps are not bounded");
    LyapunovForm conditional = printed();
    conditional.pieces.back().largest_of = {LyapunovForm::Linear::variable(0)};
    EXPECT_EQ(tried(conditional, delta, threshold), "W has a queue under a condition: its jumps are not bounded");
    LyapunovForm maximum = printed();
    maximum.pieces.front().largest_of.push_back(LyapunovForm::Linear::variable(1));
    EXPECT_EQ(tried(maximum, delta, threshold), "W has a maximum: it is not linear");
}

TEST(Transience, TamperedCertificatesAreRejected) {
    const Systems on(read("n2-pandas"), "pandas:plain");
    const TransienceOutcome outcome = search_transience(on.symbolic);
    const Certificate right = on.certificate(proved(outcome));
    ASSERT_EQ(rejection(right), "");
    using Tamper = std::function<void(TransienceTheorem&)>;
    const std::vector<std::pair<const char*, Tamper>> mutants{
        {"delta", [](auto& t) { t.delta += q(1, 1000); }},
        {"smaller delta, which holds but was not proved", [](auto& t) { t.delta *= q(1, 2); }},
        {"threshold", [](auto& t) { t.threshold -= q(1, 2); }},
        {"higher threshold, which holds but was not proved", [](auto& t) { t.threshold += Rational(7); }},
        {"J", [](auto& t) { t.jump -= q(1, 1000); }},
        {"larger J", [](auto& t) { t.jump += Rational(1); }},
        {"sign of W", [](auto& t) { t.w.pieces.front().coefficient = Rational(-1); }},
        {"weight of a status", [](auto& t) { t.w.pieces.back().coefficient *= Rational(-1); }},
        {"omitted status term", [](auto& t) { t.w.pieces.pop_back(); }},
        {"omitted status", [](auto& t) { t.statuses.back().pop_back(); }},
        {"no idle status", [](auto& t) { t.statuses.front().erase(t.statuses.front().begin()); }},
        {"statuses of a server", [](auto& t) { t.statuses.pop_back(); }},
        {"no load", [](auto& t) { t.capacity = {}; }},
        {"load", [](auto& t) { t.capacity.upper *= q(1, 2); }},
        {"price", [](auto& t) { t.capacity.server_price.front() += q(1, 2); }},
    };
    for (const auto& [name, tamper] : mutants) {
        Certificate wrong = right;
        tamper(std::get<TransienceTheorem>(wrong.theorem));
        EXPECT_NE(rejection(wrong), "") << name;
    }
    Certificate other_policy = right;
    other_policy.policy = "jsq-maxweight";
    EXPECT_NE(rejection(other_policy), "");
    Certificate fewer = right;
    fewer.proofs.pop_back();
    EXPECT_NE(rejection(fewer), "");
}

TEST(Transience, FifoHasConstantDriftWhereverItIsSaturated) {
    const Systems on(read("n1-fifo"), "fifo");
    const TransienceOutcome outcome = search_transience(on.symbolic);
    const TransienceTheorem& theorem = proved(outcome).theorem;
    EXPECT_EQ(formula(theorem.w, *on.instance, on.symbolic.layout()),
              "Q[queue] - 3/5 [s0 runs queue at local] + 3/5 [s0 runs queue at remote] - 3/5 [s1 runs queue at local] "
              "+ 3/5 [s1 runs queue at remote]");
    for (const Shape& shape : shapes_of(theorem.statuses)) {
        ExactState state = shape;
        state.length.emplace_back(1000);
        EXPECT_EQ(drift(on.exact, state, theorem.w), q(3, 50));
    }
}

TEST(Transience, FifoIsTransientAboveSixteenTwentyFifthsAndStableBelow) {
    const Systems above(fifo_at(q(13, 20)), "fifo"), at(fifo_at(q(16, 25)), "fifo"), below(fifo_at(q(3, 5)), "fifo");
    const TransienceOutcome found = search_transience(above.symbolic);
    EXPECT_EQ(proved(found).theorem.delta, q(1, 100));
    for (const Systems* on : {&at, &below})
        EXPECT_TRUE(reason(search_transience(on->symbolic)).starts_with("no linear W")) << on->instance->name();
    // The same W, which is bounded below, proves stability: its drift is lambda - 16/25 = -1/25.
    const DriftOutcome stable =
        prove_drift(below.symbolic, below.exact, {proved(found).theorem.w, Sense::below, q(1, 25), {}, {}});
    ASSERT_TRUE(std::holds_alternative<DriftProof>(stable));
    const Rational& least = std::get<DriftProof>(stable).theorem.threshold;
    EXPECT_LE(least, Rational(10));
    EXPECT_TRUE(std::holds_alternative<DriftRefutation>(prove_drift(
        below.symbolic, below.exact, {proved(found).theorem.w, Sense::below, q(1, 25), least - Rational(1), {}})))
        << "a threshold too low";
    EXPECT_FALSE(std::holds_alternative<DriftProof>(
        prove_drift(below.symbolic, below.exact, {proved(found).theorem.w, Sense::below, q(1, 24), {}, {}})));
}

TEST(Transience, NothingIsClaimedOfStablePolicies) {
    const Systems two[] = {{read("n2-pandas"), "jsq-maxweight"},   {read("n2-pandas"), "generalized-cmu"},
                           {read("m2-uneven"), "balanced-pandas"}, {read("m2-uneven"), "wang-jsq-maxweight"},
                           {read("m2-uneven"), "pandas:plain"},    {read("m2-half"), "random-local"}};
    for (const Systems& on : two) {
        const TransienceOutcome outcome = search_transience(on.symbolic);
        EXPECT_TRUE(reason(outcome).starts_with("no linear W")) << on.policy;
        for (const Rational& delta : std::get<TransienceUnknown>(outcome).best) EXPECT_LE(delta.sign(), 0) << on.policy;
    }
}

TEST(Transience, BudgetsEndAsUnknown) {
    const Systems on(read("n2-pandas"), "pandas:plain");
    explore::Budget few;
    few.paths = 12;
    EXPECT_TRUE(reason(search_transience(on.symbolic, few)).starts_with("exploration ended"));
    EXPECT_THROW((void)best_drift_where_long(on.symbolic, QueueId(0), few), LimitExceeded);
}

TEST(Transience, OutsideTheCapacityRegionTheSentenceSaysSo) {
    const Systems on(fifo_at(Rational(1)), "fifo");
    InstanceData data = on.instance->data();
    data.levels = {{"local", q(2, 5)}, {"remote", q(1, 5)}};
    const Systems slow(std::make_shared<const Instance>(std::move(data)), "fifo");
    const TransienceOutcome outcome = search_transience(slow.symbolic);
    const std::string words = sentence(slow.certificate(proved(outcome)));
    EXPECT_EQ(words.find("inside"), std::string::npos) << words;
    EXPECT_NE(words.find("at load rho* = 5/4"), std::string::npos) << words;
}

TEST(PatternGraph, PandasHasSixCells) {
    const Systems on(read("n2-pandas"), "pandas:plain");
    const TransienceOutcome outcome = search_transience(on.symbolic);
    const TransienceTheorem& theorem = proved(outcome).theorem;
    const PatternGraph graph = pattern_graph(on.symbolic, theorem);
    std::set<std::string> names;
    for (const auto& node : graph.nodes) {
        names.insert(node.name.front());
        EXPECT_GE(node.drift.low, theorem.delta);
        EXPECT_GT(node.cells, 0U);
    }
    EXPECT_EQ(names, (std::set<std::string>{"0 = Q[s1] = Q[s2]", "0 = Q[s1] < Q[s2]", "0 = Q[s2] < Q[s1]",
                                            "0 < Q[s1] < Q[s2]", "0 < Q[s1] = Q[s2]", "0 < Q[s2] < Q[s1]"}));
    EXPECT_TRUE(rc::check("the exact drift at a state lies in the range of its node", [&] {
        ExactState state = random_state(theorem, 3);
        state.length[0] = CheckedInt(1'000'000);
        const auto a = state.length[1].value(), b = state.length[2].value();
        const std::string s1 = "Q[s1]", s2 = "Q[s2]";
        std::string name = a == 0 && b == 0 ? "0 = Q[s1] = Q[s2]" : a == b ? "0 < Q[s1] = Q[s2]" : "";
        if (name.empty()) name = (std::min(a, b) == 0 ? "0 = " : "0 < ") + (a < b ? s1 + " < " + s2 : s2 + " < " + s1);
        for (const auto& node : graph.nodes)
            if (node.name.front() == name) {
                const Rational change = drift(on.exact, state, theorem.w);
                RC_ASSERT(node.drift.low <= change && change <= node.drift.high);
                return;
            }
        RC_FAIL("no node " + name);
    }));
    EXPECT_THROW((void)pattern_graph(on.symbolic, theorem, {}, 5), LimitExceeded);
    const std::string dot = graph::pattern_picture(graph, {"a", "b"}, "Q");
    EXPECT_NE(dot.find("0 &lt; Q[s1] = Q[s2]"), std::string::npos);
    EXPECT_TRUE(graph::picture(dot, graph::PictureFormat::svg).find("<svg") != std::string::npos);
}

/// Where servers have queues by level, the order is that of all that they hold.
TEST(PatternGraph, ServersWithQueuesByLevelAreOrderedByTheirTasks) {
    const auto instance = read("router-t2");
    const SymbolicSystem symbolic(*instance, strangers::Gate{});
    const ExactSystem exact(*instance, strangers::Gate{});
    const TransienceOutcome outcome = search_transience(symbolic);
    const TransienceTheorem& theorem = proved(outcome).theorem;
    const PatternGraph graph = pattern_graph(symbolic, theorem);
    EXPECT_EQ(graph.queue, (std::vector<std::string>{"N[s0]", "N[s1]"}));
    EXPECT_EQ(graph.longest, 0U);
    ASSERT_EQ(graph.nodes.size(), 2U);
    EXPECT_EQ(graph.nodes[0].name.front(), "0 = N[s1]");
    EXPECT_EQ(graph.nodes[1].name.front(), "0 < N[s1]");
    EXPECT_EQ(graph.edges.size(), 2U);
    EXPECT_TRUE(rc::check("drift and change of every server lie in the ranges of the state's node", [&] {
        ExactState state = random_state(theorem, symbolic.layout().queues());
        state.length[*rc::gen::inRange<std::size_t>(0, 4)] = CheckedInt(1'000'000);
        if (*rc::gen::arbitrary<bool>()) {
            for (std::size_t i = 4; i < 8; ++i) state.length[i] = CheckedInt(0);
            state.serving[1] = {};
        }
        const auto tasks = [](const ExactState& at, std::size_t server) {
            Rational sum;
            for (std::size_t i = 4 * server; i < 4 * server + 4; ++i) sum += Rational(at.length[i].value());
            return sum;
        };
        const PatternGraph::Node& node = graph.nodes[tasks(state, 1).sign() > 0 ? 1 : 0];
        const auto holds = [](const PatternGraph::Range& range, const Rational& q) {
            return range.low <= q && q <= range.high;
        };
        RC_ASSERT(holds(node.drift, drift(exact, state, theorem.w)));
        for (std::size_t server = 0; server < 2; ++server) {
            Rational change;
            for (const Move& move : exact.moves(state))
                change += move.probability * (tasks(move.slot.next, server) - tasks(state, server));
            RC_ASSERT(holds(node.queues[server], change));
        }
    }));
    const std::string dot = graph::pattern_picture(graph, {"a"}, "Q");
    EXPECT_NE(dot.find("order of the other servers' tasks N where N[s0] is long"), std::string::npos) << dot;
}

TEST(PatternGraph, FifoHasNineStatusesWithExactLaws) {
    const Systems on(read("n1-fifo"), "fifo");
    const TransienceOutcome outcome = search_transience(on.symbolic);
    const PatternGraph graph = pattern_graph(on.symbolic, proved(outcome).theorem);
    ASSERT_EQ(graph.nodes.size(), 9U);
    std::vector<Rational> total(9);
    for (const auto& edge : graph.edges) {
        EXPECT_EQ(edge.probability.low, edge.probability.high);
        total[edge.from] += edge.probability.low;
    }
    for (std::size_t i = 0; i < 9; ++i) {
        EXPECT_EQ(total[i], Rational(1));
        EXPECT_EQ(graph.nodes[i].drift.low, q(3, 50));
        EXPECT_EQ(graph.nodes[i].drift.high, q(3, 50));
    }
}

}  // namespace
}  // namespace schedproof::queueing::transience_tests
