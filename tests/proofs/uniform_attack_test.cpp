/// Whether the theorem for every number of servers is true: its bound against exact drifts on larger clusters.
///
/// The small clusters of a proof have up to five servers, most of them three. Here clusters of five and six are drawn
/// at random, and states of any scale; the drift of V is taken by enumeration, sum w by a second description of the
/// queues (queueing_oracle.hpp), C as the theorem gives it. Policies are the registered ones, and registered rules with
/// random expressions in places where they change ties only, or perhaps more, as far as they are proved.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <optional>
#include <set>

#include "model/core/errors.hpp"
#include "model/queueing/language/evaluate.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"
#include "proofs/queueing/theorems/fragment.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/small_model.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/model/queueing_oracle.hpp"
#include "tests/support/threshold_policies.hpp"

namespace schedproof::queueing {
namespace {

using language::Op;
using language::Tree;

/// Twenty times as many with SCHEDPROOF_ATTACK=full, as the ctest label `full` has it.
bool is_full() {
    const char* wish = std::getenv("SCHEDPROOF_ATTACK");
    return wish && std::string(wish) == "full";
}
std::uint64_t cases(std::uint64_t few) { return is_full() ? 20 * few : few; }

int below(int n) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, n)); }

/// What `draw` makes of the random numbers of a seed.
template <class Draw>
auto drawn(std::uint64_t seed, Draw draw) {
    return rc::gen::exec(std::move(draw))(rc::Random(seed), rc::kNominalSize).value();
}

/// Two outcomes, one of them without tasks, or at most one task.
ArrivalLaw any_law(std::size_t types) {
    if (below(2) == 0) {
        std::vector<Rational> rates(types);
        Rational left(1);
        for (Rational& rate : rates) {
            rate = left * Rational(1 + below(4), 5);
            left -= rate;
        }
        return ArrivalLaw::single(rates);
    }
    std::vector<TaskTypeId> all;
    ArrivalOutcome some{{}, Rational(1 + below(4), 5)};
    for (std::size_t t = 0; t < types; ++t) {
        all.emplace_back(t);
        some.count.push_back(static_cast<std::uint32_t>(below(3)));
    }
    ++some.count.front();
    const ArrivalOutcome none{std::vector<std::uint32_t>(types, 0), Rational(1) - some.probability};
    return ArrivalLaw({ArrivalFactor(all, {some, none})});
}

/// Five or six servers in two racks, one to three types; in continuous time three servers, as an event asks every one.
Instance large_cluster(std::size_t levels, Timing timing) {
    InstanceData data;
    data.name = "large";
    std::vector<int> numerators{1 + below(3)};
    while (numerators.size() < levels) numerators.push_back(numerators.back() + 1 + below(6));
    const int denominator = numerators.back() + below(3);
    for (std::size_t k = 0; k < levels; ++k)
        data.levels.push_back({"level" + std::to_string(k), Rational(numerators[levels - 1 - k], denominator)});
    const std::size_t servers = timing != Timing::slots ? 4 : below(is_full() ? 2 : 4) == 0 ? 6 : 5;
    for (std::size_t m = 0; m < servers; ++m) {
        Server server{"s" + std::to_string(m), {}};
        if (levels == 3) server.groups.push_back(below(2) == 0 ? "r0" : "r1");
        data.servers.push_back(std::move(server));
    }
    const std::size_t types = 1 + static_cast<std::size_t>(below(3));
    for (std::size_t t = 0; t < types; ++t) {
        TaskType type;
        type.name = "t" + std::to_string(t);
        while (type.replicas.empty())
            for (std::size_t m = 0; m < servers; ++m)
                if (below(5) < 3) type.replicas.emplace_back(m);
        type.cost = Rational(1 + below(4), 1 + below(2));
        data.types.push_back(std::move(type));
    }
    if (timing == Timing::slots) {
        data.arrivals = any_law(types);
    } else {
        data.time = ContinuousTime{};
        for (LevelInfo& level : data.levels) level.rate *= Rational(7, 2);
        for (std::size_t t = 0; t < types; ++t) data.rates.push_back(Rational(1 + below(9), 4));
        if (timing == Timing::interruptions) data.options.preemption = Preemption::resume;
    }
    return Instance(std::move(data));
}

/// Lengths of a few tasks, of many, or a mixture, in any order or with the long queues first or last.
std::vector<long long> any_lengths(std::size_t queues) {
    constexpr long long scales[] = {1, 3, 100, 10'000, 1'000'000};
    const long long scale = scales[below(5)];
    const int order = below(3);
    const auto first = static_cast<std::size_t>(below(static_cast<int>(queues) + 1));
    std::vector<long long> lengths;
    for (std::size_t i = 0; i < queues; ++i) {
        const bool is_long = order == 0 ? below(3) > 0 : (i < first) == (order == 1);
        lengths.push_back(below(4) + (is_long ? scale * (order == 0 ? below(4) : 1) : 0));
    }
    return lengths;
}

/// A state with at most two idle servers, so that a slot has few outcomes.
ExactState any_state(const Instance& instance, const oracle::QueueShape& shape) {
    oracle::OracleState state = oracle::empty_state(instance, shape);
    state.length = any_lengths(state.length.size());
    std::vector<long long> unserved = state.length;
    int idle = 2;
    for (std::size_t m = 0; m < state.servers.size(); ++m) {
        if (idle > 0 && below(3) == 0) {
            --idle;
            continue;
        }
        std::vector<std::size_t> servable, open;
        for (std::size_t q = 0; q < unserved.size(); ++q) {
            if (!shape.serves[q][m]) continue;
            servable.push_back(q);
            if (unserved[q] > 0) open.push_back(q);
        }
        if (open.empty()) {  // one task more
            open.push_back(servable.front());
            ++state.length[servable.front()];
            ++unserved[servable.front()];
        }
        const std::size_t queue = open[static_cast<std::size_t>(below(static_cast<int>(open.size())))];
        --unserved[queue];
        state.servers[m] = {oracle::Status::busy, shape.level[queue][m], queue};
    }
    return oracle::to_state(state);
}

/// sum over servers of w_m, from the oracle's tables of queues.
Rational total_weight(const Instance& instance, Arrangement arrangement, const oracle::QueueShape& shape,
                      const ExactState& state) {
    Rational sum;
    for (std::size_t m = 0; m < instance.servers().size(); ++m) {
        Rational greatest, workload;
        for (std::size_t q = 0; q < shape.serves.size(); ++q) {
            if (!shape.serves[q][m]) continue;
            const Rational tasks(state.length[q].value());
            const Rational& rate = instance.rate(Level(shape.level[q][m]));
            workload += tasks / rate;
            Rational weight = rate * tasks;
            if (arrangement == Arrangement::per_type) weight *= Rational(2) * instance.data().types[q].cost;
            greatest = std::max(greatest, weight);
        }
        sum += arrangement == Arrangement::per_server_and_level ? workload : greatest;
    }
    return sum;
}

/// One random cluster and state at which the drift exceeds the bound, in words; empty when it does not.
std::string attack_once(const AnyPolicy& policy, std::size_t levels, const Slack& slack, Timing timing) {
    const Instance instance = large_cluster(levels, timing);
    const Arrangement arrangement = policy.rules().arrangement();
    const oracle::QueueShape shape = oracle::queue_shape(instance, oracle::policy_of_layout(policy.rules()));
    ExactState state = any_state(instance, shape);
    const ExactSystem system(instance, policy);
    if (timing != Timing::slots) {
        if (instance.preemptive()) std::fill(state.serving.begin(), state.serving.end(), Service{});
        Sampler sampler({static_cast<std::uint64_t>(below(1'000'000)), 0, 0});
        state = system.settled(state, sampler);
    }
    const DriftBound bound = drift_bound(instance, system.layout(), capacity::solve(instance).upper, slack);
    const LyapunovForm v = named_lyapunov(argument_function(arrangement), instance, system.layout());
    const Rational change = drift(system, state, v);
    const Rational most = bound.constant - bound.slope * total_weight(instance, arrangement, shape, state);
    if (change <= most) return "";
    std::string lengths;
    for (const CheckedInt& length : state.length) lengths += " " + std::to_string(length.value());
    return "the drift is " + change.to_string() + " > " + most.to_string() + " at" + lengths;
}

/// The first of so many attempts that finds a drift above the bound, in words; empty when none does. A few states have
/// a slot of too many outcomes to enumerate, and count for nothing.
std::string attack(const AnyPolicy& policy, std::size_t levels, const Slack& slack, std::uint64_t attempts,
                   Timing timing = Timing::slots) {
    std::uint64_t too_large = 0;
    for (std::uint64_t seed = 0; seed < attempts; ++seed) {
        try {
            std::string found = drawn(seed, [&] { return attack_once(policy, levels, slack, timing); });
            if (!found.empty()) return "seed " + std::to_string(seed) + ": " + found;
        } catch (const LimitExceeded&) {
            ++too_large;
        }
    }
    EXPECT_LE(10 * too_large, attempts);
    return "";
}

std::optional<UniformTheorem> proved(const AnyPolicy& policy, std::size_t levels) {
    UniformOutcome outcome = prove_uniform(ParametricPolicy(policy), levels);
    auto* proof = std::get_if<UniformProof>(&outcome);
    return proof ? std::optional(std::move(proof->theorem)) : std::nullopt;
}

/// The registered policies with a theorem, which uniform_test.cpp proves.
const std::set<std::pair<std::string, std::size_t>> theorems{
    {"wang-jsq-maxweight", 2}, {"jsq-maxweight", 2},        {"jsq-maxweight", 3},
    {"generalized-cmu", 2},    {"generalized-cmu", 3},      {"balanced-pandas", 2},
    {"balanced-pandas", 3},    {"balanced-pandas:idle", 2}, {"balanced-pandas:idle", 3}};

TEST(UniformAttack, FindsNoDriftAboveTheBoundOfAProvedPolicy) {
    for (const auto& [id, levels] : theorems)
        for (const Timing timing : {Timing::slots, Timing::events, Timing::interruptions})
            EXPECT_EQ(attack(make_policy(id), levels, {}, cases(4), timing), "") << id << ", " << levels << " levels";
    if (!is_full()) return;
    std::set<std::pair<std::string, std::size_t>> found;
    for (const PolicyInfo& info : policies())
        for (const std::size_t levels : {2U, 3U})
            if (!find_rules(info.id)->planned() && proved(make_policy(info.id), levels)) found.emplace(info.id, levels);
    EXPECT_EQ(found, theorems);
}

TEST(UniformAttack, FindsNoDriftAboveTheBoundOfAPolicyWithThresholds) {
    using namespace testing_support;
    // Of fewer tasks they are proved in uniform_test.cpp, with slack of this form.
    const std::pair<AnyPolicy, Slack> policies[] = {
        {longest_within(10'000), {10'000, 0}}, {own_unless_far(10'000), {0, 10'000}}, {work_gate(64), {64, 0}}};
    for (const auto& [policy, slack] : policies) {
        for (const Timing timing : {Timing::slots, Timing::events, Timing::interruptions})
            EXPECT_EQ(attack(policy, 2, slack, cases(4), timing), "") << policy.info().id;
        if (!is_full()) continue;
        const auto theorem = proved(policy, 2);
        ASSERT_TRUE(theorem) << policy.info().id;
        EXPECT_EQ(theorem->slack, slack) << policy.info().id;
    }
    // The constant without what the thresholds cost is too small.
    EXPECT_NE(attack(longest_within(10'000), 2, {}, 200), "");
    EXPECT_NE(attack(own_unless_far(10'000), 2, {}, 200), "");
}

// ---- generated policies ----

bool is_key(Op op) { return queueing::language::operation(op).sort == queueing::language::Sort::key; }
bool is_test(Op op) { return queueing::language::operation(op).sort == queueing::language::Sort::test; }

/// Parts of random rules with a root of the kind, that neither draw nor stand inside `among`.
template <class Kind>
std::optional<Tree> any_part(const Rules& rules, bool of_route, Kind kind) {
    const Tree& tree = of_route ? rules.route() : rules.serve();
    std::vector<Tree> parts;
    for (std::size_t i = 0; i < tree.size(); ++i)
        if (const Tree part = tree.subtree(i); kind(tree[i].op) && !language::is_random(part) &&
                                               !part.any([](Op op) { return op == Op::it || op == Op::among; }))
            parts.push_back(part);
    if (parts.empty()) return std::nullopt;
    return parts[static_cast<std::size_t>(below(static_cast<int>(parts.size())))];
}

/// A rule with random parts, most of which change nothing but ties.
Tree varied(const Tree& rule, bool of_route, Arrangement arrangement) {
    const Rules random = *oracle::any_rules(arrangement);
    const auto key = any_part(random, of_route, is_key), test = any_part(random, of_route, is_test);
    const auto set = any_part(random, of_route, [](Op op) { return !is_key(op) && !is_test(op); });
    switch (below(6)) {
        case 0:
            if (key) return Tree::node(below(2) == 0 ? Op::argmin : Op::argmax, 0, 0, rule, *key);
            [[fallthrough]];
        case 1:
            if (test) return Tree::node(Op::first_of, 0, 0, Tree::node(Op::where, 0, 0, rule, *test), rule);
            [[fallthrough]];
        case 2:
            if (set) return Tree::node(Op::first_of, 0, 0, rule, *set);
            [[fallthrough]];
        case 3:
            if (set && test) return Tree::node(Op::first_of, 0, 0, Tree::node(Op::where, 0, 0, *set, *test), rule);
            [[fallthrough]];
        case 4:
            return Tree::node(Op::most_local, 0, 0, rule);
        default:
            return Tree::node(Op::unite, 0, 0, rule, rule);
    }
}

/// A registered policy with one of its rules, or both, varied.
AnyPolicy any_relative(const std::vector<std::string>& registered) {
    for (;;) {
        const Rules& rules =
            *find_rules(registered[static_cast<std::size_t>(below(static_cast<int>(registered.size())))]);
        try {
            Tree route = rules.route(), serve = rules.serve();
            const int which = below(3);
            if (which != 0) route = varied(route, true, rules.arrangement());
            if (which != 1) serve = varied(serve, false, rules.arrangement());
            return {{"relative", "test", "drawn at random"}, Rules({rules.arrangement()}, {route}, {serve})};
        } catch (const char*) {  // more primitives than a tree holds
        }
    }
}

TEST(UniformAttack, FindsNoDriftAboveTheBoundOfAGeneratedPolicyThatIsProved) {
    const std::vector<std::string> registered{"wang-jsq-maxweight", "jsq-maxweight", "generalized-cmu",
                                              "balanced-pandas"};
    std::size_t accepted = 0, refused = 0;
    const std::uint64_t drawings = cases(10);
    for (std::uint64_t seed = 0; seed < drawings; ++seed) {
        const AnyPolicy policy = drawn(seed, [&] { return any_relative(registered); });
        std::optional<UniformTheorem> theorem;
        if (outside_fragment(policy.rules()).empty()) theorem = proved(policy, 2);
        if (!theorem) {
            ++refused;
            continue;
        }
        ++accepted;
        EXPECT_EQ(attack(policy, 2, theorem->slack, 3), "") << seed << ": " << to_string(policy.rules());
    }
    EXPECT_GE(accepted, drawings / 5);
    EXPECT_GE(refused, drawings / 5);
}

// ---- what the attack would notice ----

/// Whether the leaves hold on the small cluster, whatever that says of larger ones.
bool holds_on_the_small_cluster(const AnyPolicy& policy) {
    for (const Leaf& leaf : leaves(ParametricPolicy(policy), 2))
        if (!explore::ask(leaf.question).proof()) return false;
    return true;
}

AnyPolicy jsq_first() {
    using namespace language;
    return {{"jsq-first", "test", "join the shortest of the first three"},
            JsqMaxWeight::rules.with(language::route(argmin(lowest(3, local), length)))};
}
AnyPolicy maxweight_first() {
    using namespace language;
    return {{"maxweight-first", "test", "serve the heaviest of the first three"},
            JsqMaxWeight::rules.with(
                language::serve(first_of(argmax(nonempty(lowest(3, reachable)), rate * length), own)))};
}

/// Policies that the small cluster takes for right: without the check of the fragment they would be proved.
TEST(UniformAttack, NoticesWhenTheFragmentIsNotChecked) {
    for (const AnyPolicy& policy : {jsq_first(), maxweight_first()}) {
        EXPECT_TRUE(holds_on_the_small_cluster(policy)) << policy.info().id;
        EXPECT_NE(outside_fragment(policy.rules()), "") << policy.info().id;
        EXPECT_NE(attack(policy, 2, {}, 400), "") << policy.info().id;
    }
}

}  // namespace
}  // namespace schedproof::queueing
