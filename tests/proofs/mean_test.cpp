/// Bounds of stationary means: the numbering of boxes, tables as bytes, and theorems against known means, sampled
/// paths, one another, and every alteration that the inequalities must notice.
///
/// Long: the alterations are of the theorems that the tests before them prove, each beside the one it spoils.
#include "proofs/queueing/theorems/mean.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <optional>

#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"
#include "model/markov/stationary.hpp"
#include "model/queueing/load.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/bounds/box_chain.hpp"
#include "proofs/queueing/bounds/mean_proof.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/proofs/mean_support.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using namespace mean_testing;
using testing_support::q;

// ------------------------------------------------------------------------------------------------------------- boxes

RC_GTEST_PROP(StateBox, NumbersEveryValidStateOnce, ()) {
    const std::size_t queues = *rc::gen::inRange<std::size_t>(1, 4), servers = *rc::gen::inRange<std::size_t>(1, 4);
    std::vector<std::vector<Service>> statuses;
    for (std::size_t m = 0; m < servers; ++m) {
        statuses.push_back({Service{}});
        for (std::size_t k = *rc::gen::inRange<std::size_t>(0, 3); k-- > 0;)
            statuses.back().push_back({*rc::gen::element(Service::Status::busy, Service::Status::phantom), Level(k),
                                       QueueId(*rc::gen::inRange<std::size_t>(0, queues))});
    }
    std::vector<std::uint32_t> weights;
    for (std::size_t i = 0; i < queues; ++i) weights.push_back(*rc::gen::inRange<std::uint32_t>(1, 4));
    const auto radius = *rc::gen::inRange<std::uint32_t>(0, 7);
    const StateBox box(statuses, weights, radius);

    // Counted from the definition: each combination of statuses, all lengths up to the radius.
    std::uint64_t count = 0;
    std::vector<std::size_t> choice(servers, 0);
    for (bool more = true; more;) {
        std::vector<std::uint32_t> least(queues, 0);
        for (std::size_t m = 0; m < servers; ++m)
            if (const Service& s = statuses[m][choice[m]]; s.status == Service::Status::busy) ++least[s.queue.index()];
        std::vector<std::uint32_t> length(queues, 0);
        for (bool next = true; next;) {
            std::uint64_t sum = 0;
            bool valid = true;
            for (std::size_t i = 0; i < queues; ++i) {
                sum += std::uint64_t{weights[i]} * length[i];
                valid = valid && length[i] >= least[i];
            }
            if (valid && sum <= radius) ++count;
            next = false;
            for (std::size_t i = 0; i < queues && !next; ++i)
                if (++length[i] <= radius)
                    next = true;
                else
                    length[i] = 0;
        }
        more = false;
        for (std::size_t m = 0; m < servers && !more; ++m)
            if (++choice[m] < statuses[m].size())
                more = true;
            else
                choice[m] = 0;
    }
    RC_ASSERT(box.size() == count);

    std::uint64_t expected = 0;
    std::optional<ExactState> before;
    box.each(0, box.size(), [&](std::uint64_t i, const ExactState& state) {
        RC_ASSERT(i == expected++);
        RC_ASSERT(box.index(state) == i);
        RC_ASSERT(box.measure(state) <= radius);
        RC_ASSERT((!before || before->serving != state.serving || before->length < state.length));
        before = state;
    });
    RC_ASSERT(expected == count);
    // From any place on.
    if (count > 0) {
        const auto from = *rc::gen::inRange<std::uint64_t>(0, count);
        box.each(from, count, [&](std::uint64_t i, const ExactState& state) { RC_ASSERT(box.index(state) == i); });
        ExactState outside;
        box.each(from, from + 1, [&](std::uint64_t, const ExactState& state) { outside = state; });
        outside.length[0] = outside.length[0] + CheckedInt(radius + 1);
        RC_ASSERT(!box.index(outside));
    }
}

TEST(StateBox, SaysThatItIsTooLargeBeforeItIsFilled) {
    const std::vector<std::vector<Service>> idle(3, {Service{}});
    EXPECT_THROW(StateBox(idle, {1, 1, 1, 1}, 100'000), LimitExceeded);
    EXPECT_THROW(StateBox(idle, {1}, 4'000'000'000U), LimitExceeded);
    EXPECT_THROW(StateBox(idle, {1, 1}, 100, 5'000), LimitExceeded);
    EXPECT_EQ(StateBox(idle, {1, 1}, 100, 5'151).size(), 5'151U);
}

/// By the definition: the box of this radius has at most so many states, and the next is larger, or beyond the limit.
RC_GTEST_PROP(StateBox, TheLargestRadiusIsThatOfTheLargestBox, ()) {
    const auto queues = *rc::gen::inRange<std::size_t>(1, 4);
    const auto weights = *rc::gen::container<std::vector<std::uint32_t>>(queues, rc::gen::inRange<std::uint32_t>(1, 4));
    std::vector<std::vector<Service>> statuses(*rc::gen::inRange<std::size_t>(1, 4), {Service{}});
    for (auto& own : statuses)
        for (std::size_t q = 0; q < queues; ++q)
            if (*rc::gen::arbitrary<bool>()) own.push_back({Service::Status::busy, Level(0), QueueId(q)});
    const auto most = *rc::gen::inRange<std::uint64_t>(1, 3000);
    constexpr std::uint32_t limit = 60;
    const auto fits = [&](std::uint32_t radius) {
        try {
            return StateBox(statuses, weights, radius, most).size() > 0;
        } catch (const LimitExceeded&) {
            return false;
        }
    };
    const std::uint32_t radius = StateBox::largest_radius(statuses, weights, most, limit);
    RC_ASSERT(radius <= limit);
    if (radius > 0) RC_ASSERT(fits(radius));
    if (radius < limit) RC_ASSERT(!fits(radius + 1));
}

// ------------------------------------------------------------------------------------------------------------ tables

RC_GTEST_PROP(MeanTable, ReadsBackWhatItWrites, ()) {
    MeanTable table;
    const auto entry = [] {
        return static_cast<Fixed>(*rc::gen::arbitrary<std::int64_t>()) * *rc::gen::element<std::int64_t>(1, 1, 1 << 30);
    };
    for (int i = *rc::gen::inRange(0, 20); i-- > 0;) {
        table.upper.push_back(entry());
        table.lower.push_back(entry());
    }
    const std::string bytes = to_bytes(table);
    RC_ASSERT(read_table(bytes, "t") == table);
    RC_ASSERT_THROWS_AS((void)read_table(bytes + '\0', "t"), InputError);
    RC_ASSERT_THROWS_AS((void)read_table(std::string_view(bytes).substr(0, bytes.size() - 1), "t"), InputError);
}

TEST(MeanTable, HasOneSpelling) {
    const std::string line = "schedproof table 1\n";
    EXPECT_EQ(read_table(line + '\1' + '\2' + '\1', "t"), (MeanTable{{1}, {-1}}));
    for (const std::string& wrong : {std::string(), std::string("schedproof table 2\n"), line, line + '\1',
                                     line + '\1' + '\2' + "\x81" + '\0', line + "\x81" + '\0' + '\2' + '\1',
                                     line + std::string(20, '\xff') + '\1', line + "\xff\xff\xff\xff\x7f" + "\1\1"})
        EXPECT_THROW((void)read_table(wrong, "t"), InputError) << testing::PrintToString(wrong);
}

RC_GTEST_PROP(FarFunction, IsWhatTheRationalsSay, ()) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/3");
    const auto* name = *rc::gen::element("regret", "squares", "total");
    const AnyPolicy policy = make_policy("jsq-maxweight", instance, {});
    const LyapunovForm w = named_lyapunov(name, instance, policy.layout(instance));
    const Rational kappa(Integer(*rc::gen::inRange(1, 50)), Integer(*rc::gen::inRange(1, 50)));
    const Rational offset(*rc::gen::inRange(0, 1000));
    const Integer scale = integral_scale({w, {}}, kappa) * *rc::gen::inRange(1, 1000);
    const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, "jsq-maxweight"), 100);
    RC_ASSERT(rational(FarFunction({w, {}}, kappa, offset, scale)(state)) ==
              Rational(scale) * (kappa * value(w, state) + offset));
}

// ---------------------------------------------------------------------------------------------------------- theorems

/// Two independent birth-and-death chains: up with 1/2 (1 - 4/5) = 1/10, down with (1 - 1/2) 4/5 = 2/5, ratio 1/4, so
/// the mean of each is (1/4)/(1 - 1/4) = 1/3 beyond what a slot adds.
TEST(Mean, OfJoinShortestQueueIsTwoThirds) {
    const auto with = [](StateFunction::Kind kind) {
        return proved(m2_half(), "join-shortest-queue", goal_of("1e-9", {kind})).theorem();
    };
    expect_holds(with(StateFunction::Kind::tasks), q("2/3"), q("1e-9"));
    expect_holds(with(StateFunction::Kind::delay), q("2/3"), q("1e-9"));
    expect_holds(with(StateFunction::Kind::queue), q("1/3"), q("1e-9"));
    // In a slot a server works with probability arrival rate over service rate, 5/8; it goes on with 1/5 of these.
    expect_holds(with(StateFunction::Kind::busy), q("1/4"), q("1e-9"));
    expect_holds(with(StateFunction::Kind::waiting), q("2/3") - q("1/4"), q("1e-9"));
    // Geometric with ratio 1/4: both empty with (3/4)^2, so more than none with 7/16.
    expect_holds(with(StateFunction::Kind::tail), q("7/16"), q("1e-9"));
}

/// E N^2 of a geometric N with ratio 1/4 is 1/9 + 4/9; of the sum of two independent ones 2 (5/9) + 2 (1/3)^2 = 4/3.
TEST(Mean, OfTheSquareOfTasks) {
    const StateFunction squared{StateFunction::Kind::tasks_squared};
    const Proved two = proved(m2_half(), "join-shortest-queue", goal_of("1e-9", squared));
    expect_holds(two.theorem(), q("4/3"), q("1e-9"));
    EXPECT_TRUE(two.theorem().setting.w.factor);
    const std::string words = sentence(two.certificate);
    EXPECT_NE(words.find("the mean square of the number of tasks in the system"), std::string::npos) << words;
    EXPECT_NE(words.find("where W = (Q[s0] + Q[s1]) V and V = 'regret'"), std::string::npos) << words;
    const Instance one = testing_support::one_server("4/5", "1/2");
    expect_holds(proved(one, "join-shortest-queue", goal_of("1e-9", squared)).theorem(), q("5/9"), q("1e-9"));
}

/// A truncated chain loses tasks, and with a cap that is rarely met next to nothing.
TEST(Mean, OfTheSquareOfTasksMeetsTruncatedChains) {
    const StateFunction squared{StateFunction::Kind::tasks_squared};
    const Instance lighter = testing_support::two_servers("4/5", "1/5", "1/4", "1/5");
    for (const char* policy : {"jsq-maxweight", "generalized-cmu"}) {
        const MeanTheorem theorem = proved(lighter, policy, goal_of("1e-6", squared)).theorem();
        const ExactSystem truncated(lighter, make_policy(policy, lighter, {}), {Truncation::Rule::queue, 14});
        const Chain chain = truncated.chain();
        std::vector<std::vector<Rational>> values(1);
        for (const ExactState& state : chain.states) values.front().emplace_back(squared.count(state));
        const Rational mean = markov::stationary_means(chain.matrix, values).front();
        EXPECT_LE(mean, theorem.upper) << policy;
        EXPECT_LE(theorem.lower - mean, q("1/100")) << policy;
    }
}

/// On one server, which is idle where a slot begins with no task: Q goes up from 0 with 1/2, from n > 0 up with 1/10
/// and down with 4/10, so P(0) = 3/8, P(n) = 5/4 P(0) 4^(1 - n) and E Q^2 = 25/18. Of two types the mean meets that of
/// a truncated chain.
TEST(Mean, OfHoldingCosts) {
    InstanceData data = testing_support::one_server("4/5", "1/2").data();
    data.types[0].cost = q("3");
    const Instance one(std::move(data));
    const auto cost_of = [](const Instance& instance) {
        return read_state_function("cost", instance, make_policy("generalized-cmu", instance, {}).layout(instance));
    };
    const Proved proof = proved(one, "generalized-cmu", goal_of("1e-9", cost_of(one)));
    expect_holds(proof.theorem(), q("25/6"), q("1e-9"));
    EXPECT_NE(sentence(proof.certificate).find("the mean of 3 Q[type A]^2 at the start of a slot"), std::string::npos);
    InstanceData uneven = testing_support::two_servers("4/5", "1/5", "1/4", "1/5").data();
    uneven.types[1].cost = q("2/3");
    const Instance two(std::move(uneven));
    const MeanTheorem theorem = proved(two, "generalized-cmu", goal_of("1e-6", cost_of(two))).theorem();
    const Chain chain =
        ExactSystem(two, make_policy("generalized-cmu", two, {}), {Truncation::Rule::queue, 14}).chain();
    std::vector<std::vector<Rational>> values(1);
    for (const ExactState& state : chain.states) {
        const Rational a(state.length[0].value()), b(state.length[1].value());
        values.front().push_back(q("1/2") * a * a + q("2/3") * b * b);
    }
    const Rational mean = markov::stationary_means(chain.matrix, values).front();
    EXPECT_LE(mean, theorem.upper);
    EXPECT_LE(theorem.lower - mean, q("1/100"));
}

TEST(Mean, OfHoldingCostsIsRefusedWhereTheyAreNone) {
    const Instance instance = m2_half();
    const auto refused = [&](const Instance& on, const char* policy, const char* words) {
        try {
            (void)read_state_function("cost", on, make_policy(policy, on, {}).layout(on));
            ADD_FAILURE() << policy;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    refused(instance, "jsq-maxweight", "--of: expected a policy with a queue per type");
    InstanceData cubes = instance.data();
    cubes.types[0].exponent = 2;
    refused(Instance(cubes), "generalized-cmu", "--of: expected quadratic holding costs");
    cubes.types[0].exponent = 1;
    cubes.types[0].cost = Rational(Integer(1) << 40);
    refused(Instance(cubes), "generalized-cmu", "--of: expected costs that are at most 2^32 - 1");
}

/// One drift of all states in place of the inequalities outside the box, which serves every radius that is far enough.
TEST(Mean, FollowsFromAUniformDrift) {
    MeanGoal goal = goal_of("1e-6");
    goal.uniform = true;
    const Proved one = proved(m2_half(), "jsq-maxweight", goal);
    ASSERT_TRUE(one.theorem().uniform);
    expect_meets(one.theorem(), q("4.560924484057952"), q("4.560924484057998"), q("1e-6"));
    goal = goal_of("1e-9", {StateFunction::Kind::tail});
    goal.uniform = true;
    expect_holds(proved(m2_half(), "join-shortest-queue", goal).theorem(), q("7/16"), q("1e-9"));
    const auto rejected = [&](const char* what, const std::function<void(MeanTheorem&)>& alter) {
        Proved altered = one;
        alter(altered.theorem());
        EXPECT_NE(rejection(altered.certificate), "") << what;
    };
    rejected("no drift", [](MeanTheorem& t) { t.uniform.reset(); });
    rejected("a faster fall", [](MeanTheorem& t) { t.uniform->eta += q("1/100"); });
    rejected("a slower fall", [](MeanTheorem& t) { t.uniform->eta -= q("1/100"); });
    rejected("a lower bound of the drift", [](MeanTheorem& t) { t.uniform->bound -= q("1/100"); });
    rejected("a higher bound of the drift", [](MeanTheorem& t) { t.uniform->bound += q("1/100"); });
    rejected("a fall that does not outweigh the function",
             [](MeanTheorem& t) { t.setting.kappa = q("1/2") / t.uniform->eta; });
    rejected("a box that is too small", [](MeanTheorem& t) { t.radius = 12; });
    rejected("a square", [](MeanTheorem& t) { t.setting.of.kind = StateFunction::Kind::tasks_squared; });
    rejected("squares without weights", [](MeanTheorem& t) { t.setting.of.kind = StateFunction::Kind::squares; });
}

/// Intervals found by an independent prototype with another program.
TEST(Mean, MeetsKnownIntervals) {
    const auto known = [](const Instance& instance, const char* policy, const char* lower, const char* upper,
                          const char* width) {
        expect_meets(proved(instance, policy, goal_of(width)).theorem(), q(lower), q(upper), q(width));
    };
    known(m2_half(), "jsq-maxweight", "4.560924484057952", "4.560924484057998", "1e-9");
    known(m2_half(), "balanced-pandas", "4.8602", "4.8604", "1/100");
    const Instance heavier = testing_support::two_servers("4/5", "1/5", "3/4", "3/4");
    known(heavier, "jsq-maxweight", "14.51620", "14.51625", "1e-3");
    known(m2_half(), "wang-jsq-maxweight", "7.8725", "7.8737", "1/10");
}

TEST(Mean, IntervalsOfNestedBoxesMeetAndShrink) {
    std::optional<MeanTheorem> before;
    for (const std::uint32_t radius : {30U, 45U, 60U}) {
        MeanGoal goal = goal_of("1e-3");
        goal.radius = radius;
        const MeanTheorem theorem = proved(m2_half(), "jsq-maxweight", goal).theorem();
        if (before) {
            EXPECT_LE(theorem.lower, before->upper);
            EXPECT_LE(before->lower, theorem.upper);
            EXPECT_LT(theorem.upper - theorem.lower, before->upper - before->lower);
        }
        before = theorem;
    }
}

TEST(Mean, DoesNotDependOnTheOrderOfServersAndTypes) {
    // Where too few tasks wait for the servers that ask, the lowest index would be served first.
    const auto evenly = [](const char* first, const char* second) {
        InstanceData data = testing_support::two_servers("4/5", "1/5", first, second).data();
        data.options.scarcity = Scarcity::uniform_subset;
        return Instance(std::move(data));
    };
    const Instance one = evenly("3/5", "2/5"), other = evenly("2/5", "3/5");
    const MeanTheorem a = proved(one, "jsq-maxweight", goal_of("1e-4")).theorem();
    const MeanTheorem b = proved(other, "jsq-maxweight", goal_of("1e-4")).theorem();
    expect_meets(a, b.lower, b.upper, q("1e-4"));
}

/// Mean of f over sampled slots, with the standard error of twenty batches.
std::pair<double, double> sampled(const ExactSystem& system, const StateFunction& f) {
    Sampler randomness(StreamKey{20261123});
    ExactState state = system.initial();
    const auto factor = f.factor(system.instance()).approximate();
    std::vector<double> batches;
    for (int batch = -2; batch < 20; ++batch) {
        double sum = 0;
        for (int t = 0; t < 2000; ++t) {
            state = system.sample(state, randomness);
            sum += factor * static_cast<double>(f.count(state));
        }
        if (batch >= 0) batches.push_back(sum / 2000);
    }
    double mean = 0, square = 0;
    for (const double b : batches) mean += b / 20;
    for (const double b : batches) square += (b - mean) * (b - mean) / 19;
    return {mean, std::sqrt(square / 20)};
}

/// The stationary means of f and of the tasks that are turned away.
std::vector<Rational> finite_means(const Chain& chain, const StateFunction& f, const Instance& instance) {
    std::vector<std::vector<Rational>> values{{}, chain.blocked};
    for (const ExactState& state : chain.states)
        values.front().push_back(f.factor(instance) * Rational(f.count(state)));
    return markov::stationary_means(chain.matrix, values);
}

/// Where no move leaves the box the bounds of the table are the mean itself, but for rounding.
RC_GTEST_PROP(Mean, OfAFiniteChainIsExactToRounding, ()) {
    const auto* id = *rc::gen::element("jsq-maxweight", "join-shortest-queue", "balanced-pandas");
    oracle::InstanceWish wish;
    wish.servers = *rc::gen::inRange<std::size_t>(1, 3);
    wish.levels = 2;
    const Instance instance = *oracle::small_instance(id, wish);
    const AnyPolicy policy = make_policy(id, instance, {});
    const SymbolicSystem symbolic(instance, policy);
    const auto cap = *rc::gen::inRange<std::uint32_t>(2, 7);
    const ExactSystem system(instance, policy, {Truncation::Rule::total, cap});
    StateFunction f;
    f.kind = *rc::gen::element(StateFunction::Kind::tasks, StateFunction::Kind::busy, StateFunction::Kind::delay,
                               StateFunction::Kind::tasks_squared);
    if (symbolic.layout().lists_tasks()) return;
    const FoldedBox box(
        StateBox(find_statuses(symbolic), std::vector<std::uint32_t>(symbolic.layout().queues(), 1), cap), {});
    const FarForm w{named_lyapunov("total", instance, symbolic.layout()), {}};
    BoxChain chain = box_chain(system, f, w, box, 1);
    for (const double leaving : chain.leaving) RC_ASSERT(leaving == 0);
    const std::vector<std::uint32_t> taboo =
        taboo_states(chain, static_cast<std::uint32_t>(*box.entry(system.initial())));
    const TabooSolution solution = solve_taboo(chain, taboo);
    long double most = 0, least = solution.from.front().u / solution.from.front().v;
    for (const auto& from : solution.from) {
        most = std::max(most, from.u / from.v);
        least = std::min(least, from.u / from.v);
    }
    const Integer scale = f.factor(instance).denominator() * (Integer(1) << 60U);
    const auto unit = static_cast<long double>(Rational(scale).approximate());
    MeanTable table;
    for (std::size_t i = 0; i < chain.states(); ++i) {
        table.upper.push_back(static_cast<Fixed>((solution.u[i] - most * solution.v[i]) * unit));
        table.lower.push_back(static_cast<Fixed>((solution.u[i] - least * solution.v[i]) * unit));
    }
    // Beyond anything in the table, so that nothing is glued.
    const MeanSetting setting{f, w, Rational(1), Rational(1'000'000'000), scale};
    const FixedBounds bounds = bounds_on_box(system, setting, box, table, 1);
    const Rational upper = rational(bounds.upper) / Rational(scale), lower = rational(bounds.lower) / Rational(scale);
    std::optional<Rational> mean;
    try {
        mean = finite_means(system.chain({.states = 2000, .progress = {}}), f, instance).front();
    } catch (const LimitExceeded&) {      // keeps counters, or is too large to be solved exactly here
    } catch (const ContractViolation&) {  // several closed classes
    }
    if (mean) {
        RC_ASSERT(lower <= *mean);
        RC_ASSERT(*mean <= upper);
    }
    if (taboo.size() == 1) RC_ASSERT(upper - lower <= (Rational(1) + upper) * q("1/10000000000"));
}

/// The exact mean where tasks beyond six of a queue are turned away; none unless hardly any is, in at most 250 states.
std::optional<double> truncated(const Instance& instance, const AnyPolicy& policy, const StateFunction& f) {
    const ExactSystem system(instance, policy, {Truncation::Rule::queue, 6});
    try {
        const std::vector<Rational> means = finite_means(system.chain({.states = 250, .progress = {}}), f, instance);
        if (means[1] > q("1/10000")) return std::nullopt;
        return means[0].approximate();
    } catch (const LimitExceeded&) {
    } catch (const ContractViolation&) {  // several closed classes
    }
    return std::nullopt;
}

/// Under a policy, an instance at about half of what the cluster can carry, so that a small box bounds most means.
struct HalfLoaded {
    std::string policy;
    Instance instance;
    [[nodiscard]] AnyPolicy rules() const { return make_policy(policy, instance, {}); }
};

std::optional<HalfLoaded> half_loaded() {
    const std::string policy = *rc::gen::element<std::string>("jsq-maxweight", "join-shortest-queue", "generalized-cmu",
                                                              "balanced-pandas", "wang-jsq-maxweight");
    oracle::InstanceWish wish;
    wish.servers = *rc::gen::inRange<std::size_t>(1, 3);
    wish.levels = 2;
    const Instance drawn = *oracle::small_instance(policy, wish);
    const Rational load = capacity::solve(drawn).load();
    if (load.sign() <= 0) return {};
    const Rational factor = Rational(floor(Rational(8) / load)) / Rational(16);  // a short one
    if (factor.sign() == 0) return {};
    return HalfLoaded{policy, factor < Rational(1) ? with_load(drawn, factor) : drawn};
}

/// A proof of bounded effort; none for states that are more than lengths and statuses, where the policy is unstable,
/// and where the box is too small.
std::optional<MeanProof> bounded(const HalfLoaded& drawn, MeanGoal goal) {
    const AnyPolicy policy = drawn.rules();
    goal.max_states = 4000;
    goal.max_programs = 300;
    explore::Budget budget;
    budget.paths = 2000;
    try {
        const Layout layout = policy.layout(drawn.instance);
        goal.w = named_lyapunov(argument_function(layout.arrangement()), drawn.instance, layout);
        MeanOutcome outcome =
            prove_mean(SymbolicSystem(drawn.instance, policy), ExactSystem(drawn.instance, policy), goal, budget);
        if (auto* proof = std::get_if<MeanProof>(&outcome)) return std::move(*proof);
    } catch (const InputError&) {
    } catch (const LimitExceeded&) {}
    return {};
}

TEST(Mean, AgreesWithSampledPathsAndTruncatedChainsOfRandomInstances) {
    int shown = 0, beside_truncated = 0;
    EXPECT_TRUE(rc::check("sampled and truncated means lie in proved intervals", [&] {
        const std::optional<HalfLoaded> drawn = half_loaded();
        if (!drawn) return;
        MeanGoal goal = goal_of("1/10");
        goal.of.kind =
            *rc::gen::element(StateFunction::Kind::tasks, StateFunction::Kind::waiting, StateFunction::Kind::delay,
                              StateFunction::Kind::busy, StateFunction::Kind::tail);
        const std::optional<MeanProof> proof = bounded(*drawn, goal);
        if (!proof) return;
        ++shown;
        const double lower = proof->theorem.lower.approximate(), upper = proof->theorem.upper.approximate();
        const AnyPolicy policy = drawn->rules();
        const auto [mean, error] = sampled(ExactSystem(drawn->instance, policy), goal.of);
        RC_ASSERT(lower <= mean + 7 * error + 0.02);
        RC_ASSERT(upper >= mean - 7 * error - 0.02);
        if (beside_truncated >= 25) return;
        if (const auto exact_mean = truncated(drawn->instance, policy, goal.of)) {
            ++beside_truncated;
            RC_ASSERT(lower <= *exact_mean + 0.02);
            RC_ASSERT(upper >= *exact_mean - 0.02);
        }
    }));
    EXPECT_GE(shown, 30);
    EXPECT_GE(beside_truncated, 20);
}

TEST(Mean, IntervalsOfNestedBoxesOfRandomInstancesMeet) {
    int nested = 0;
    EXPECT_TRUE(rc::check("intervals of boxes of one instance meet", [&] {
        const std::optional<HalfLoaded> drawn = half_loaded();
        if (!drawn) return;
        MeanGoal goal = goal_of("1/1000");
        std::optional<MeanTheorem> before;
        std::uint32_t radius = 0;
        for (int box = 0; box < 3; ++box) {
            radius += *rc::gen::inRange<std::uint32_t>(4, 9);
            goal.radius = radius;
            const std::optional<MeanProof> proof = bounded(*drawn, goal);
            if (!proof) continue;
            const MeanTheorem& theorem = proof->theorem;
            if (before) {
                ++nested;
                RC_ASSERT(theorem.lower <= before->upper);
                RC_ASSERT(before->lower <= theorem.upper);
            }
            before = theorem;
        }
    }));
    EXPECT_GE(nested, 40);
}

// --------------------------------------------------------------------------------------------------------- refusals

std::string reason_of(const MeanOutcome& outcome) {
    const auto* unknown = std::get_if<MeanUnknown>(&outcome);
    return unknown == nullptr ? "proved" : unknown->reason;
}

TEST(Mean, OfAnUnstableClusterIsNone) {
    const Instance over = testing_support::two_servers("4/5", "1/5", "9/10", "9/10");
    EXPECT_NE(
        reason_of(search(over, make_policy("jsq-maxweight", over, {}), goal_of("1e-3"))).find(": no box of at most "),
        std::string::npos);
    const Instance transient = testing_support::n2();
    MeanGoal goal = goal_of("1e-3");
    const AnyPolicy pandas = make_policy("pandas", transient, {});
    goal.w = named_lyapunov("squares", transient, pandas.layout(transient));
    EXPECT_NE(reason_of(search(transient, pandas, goal)).find(": no box of at most "), std::string::npos);
}

TEST(Mean, OfABoxThatDoesNotReachTheFarFieldIsNone) {
    MeanGoal goal = goal_of("1e-3");
    goal.radius = 4;
    EXPECT_NE(reason_of(search(m2_half(), make_policy("jsq-maxweight", m2_half(), {}), goal)).find("larger box"),
              std::string::npos);
}

TEST(Mean, OfStatesThatAreMoreThanLengthsIsRefused) {
    const Instance instance = m2_half();
    EXPECT_THROW((void)search(instance, make_policy("fifo", instance, {}), goal_of("1e-3")), InputError);
}

// ------------------------------------------------------------------------------------------------------- alterations

class MeanAlteration : public ::testing::Test {
  protected:
    static Proved fresh() {
        static const Proved once = [] {
            MeanGoal goal = goal_of("1e-6");
            goal.radius = 40;
            return proved(m2_half(), "jsq-maxweight", goal);
        }();
        return once;
    }
    /// Why the table does not prove the bounds that it gives exactly: no alteration hides in the rounding of what is
    /// printed.
    static std::string tight_rejection(const std::function<void(MeanTheorem&, MeanTable&)>& alter) {
        const Proved given = fresh();
        const AnyPolicy policy = make_policy("jsq-maxweight", *given.instance, {});
        MeanTheorem theorem = given.theorem();
        const FixedBounds bounds = bounds_on_box(ExactSystem(*given.instance, policy), theorem.setting,
                                                 theorem.folded_box(), *theorem.table, 1);
        theorem.upper = rational(bounds.upper) / Rational(theorem.setting.scale);
        theorem.lower = rational(bounds.lower) / Rational(theorem.setting.scale);
        auto table = std::make_shared<MeanTable>(*theorem.table);
        alter(theorem, *table);
        theorem.digest = base::sha256(to_bytes(*table));
        theorem.table = std::move(table);
        return arithmetic_rejection(SymbolicSystem(*given.instance, policy), theorem);
    }
    /// The certificate with another table, its digest made to fit.
    static Proved with_table(const std::function<void(MeanTable&)>& alter) {
        Proved altered = fresh();
        auto table = std::make_shared<MeanTable>(*altered.theorem().table);
        alter(*table);
        altered.theorem().digest = base::sha256(to_bytes(*table));
        altered.theorem().table = table;
        return altered;
    }
};

TEST_F(MeanAlteration, OfAnEntryOrABoundIsRejected) {
    EXPECT_EQ(tight_rejection([](MeanTheorem&, MeanTable&) {}), "");
    const StateBox box = fresh().theorem().box();
    // A state in the middle, so that its neighbours lie in the box too.
    ExactState middle;
    middle.length = {CheckedInt(3), CheckedInt(2)};
    middle.serving.assign(2, Service{});
    const auto i = static_cast<std::size_t>(*box.index(middle));
    for (const Fixed by : {Fixed{16}, Fixed{-16}}) {
        EXPECT_NE(tight_rejection([&](MeanTheorem&, MeanTable& t) { t.upper[i] += by; }), "");
        EXPECT_NE(tight_rejection([&](MeanTheorem&, MeanTable& t) { t.lower[i] += by; }), "");
    }
    const Rational one(Integer(1), fresh().theorem().setting.scale);
    EXPECT_NE(tight_rejection([&](MeanTheorem& t, MeanTable&) { t.upper -= one; }), "");
    EXPECT_NE(tight_rejection([&](MeanTheorem& t, MeanTable&) { t.lower += one; }), "");
}

TEST_F(MeanAlteration, OfTheTableIsRejected) {
    EXPECT_NE(rejection(with_table([](MeanTable& t) {
                            t.upper.pop_back();
                            t.lower.pop_back();
                        }).certificate),
              "");
    EXPECT_NE(rejection(with_table([](MeanTable& t) { std::swap(t.upper, t.lower); }).certificate), "");
    Proved altered = fresh();
    altered.theorem().digest[0] = altered.theorem().digest[0] == '0' ? '1' : '0';
    EXPECT_NE(rejection(altered.certificate), "");
    altered = fresh();
    altered.theorem().table = nullptr;
    EXPECT_NE(rejection(altered.certificate), "");
    // The table of another policy.
    MeanGoal goal = goal_of("1e-6");
    goal.radius = 40;
    const Proved other = proved(m2_half(), "generalized-cmu", goal);
    EXPECT_NE(rejection(with_table([&](MeanTable& t) { t = *other.theorem().table; }).certificate), "");
}

TEST_F(MeanAlteration, OfTheStatementIsRejected) {
    const auto rejected = [](const char* what, const std::function<void(MeanTheorem&)>& alter) {
        Proved altered = fresh();
        alter(altered.theorem());
        EXPECT_NE(rejection(altered.certificate), "") << what;
    };
    rejected("kappa", [](MeanTheorem& t) { t.setting.kappa = Rational(-1) * t.setting.kappa; });
    rejected("kappa", [](MeanTheorem& t) { t.setting.kappa = t.setting.kappa / Rational(4); });
    rejected("offset", [](MeanTheorem& t) { t.setting.offset -= Rational(5000); });
    rejected("scale", [](MeanTheorem& t) { t.setting.scale *= 2; });
    rejected("W negated", [](MeanTheorem& t) {
        for (auto& product : t.setting.w.v.products) product.coefficient = -product.coefficient;
        for (auto& piece : t.setting.w.v.pieces) piece.coefficient = -piece.coefficient;
    });
    rejected("a product dropped", [](MeanTheorem& t) { t.setting.w.v.products.pop_back(); });
    rejected("radius", [](MeanTheorem& t) { --t.radius; });
    rejected("weights", [](MeanTheorem& t) { t.weights[0] = 2; });
    rejected("weights", [](MeanTheorem& t) { t.weights[0] = 0; });
    rejected("weights", [](MeanTheorem& t) { t.weights.pop_back(); });
    rejected("function", [](MeanTheorem& t) { t.setting.of.kind = StateFunction::Kind::waiting; });
    rejected("function", [](MeanTheorem& t) { t.setting.of = {StateFunction::Kind::queue, QueueId(7)}; });
    rejected("statuses", [](MeanTheorem& t) { t.statuses[0].pop_back(); });
    rejected("statuses", [](MeanTheorem& t) { t.statuses.clear(); });
}

/// A box too small for the far field: its inequalities may all hold, and the questions outside must not.
TEST_F(MeanAlteration, OfTheFarFieldIsRejected) {
    Proved altered = fresh();
    altered.certificate.proofs.pop_back();
    EXPECT_NE(rejection(altered.certificate), "");
    altered = fresh();
    for (auto& obligations : altered.certificate.proofs.back().leaves)
        if (!obligations.empty()) obligations.pop_back();
    EXPECT_NE(rejection(altered.certificate), "");
}

TEST_F(MeanAlteration, OfTheInstanceOrPolicyIsRejected) {
    Proved altered = fresh();
    altered.certificate.policy = "generalized-cmu";
    EXPECT_NE(rejection(altered.certificate), "");
    altered = fresh();
    altered.instance = std::make_shared<const Instance>(testing_support::two_servers("4/5", "1/5", "1/2", "51/100"));
    altered.certificate.instance = altered.instance;
    EXPECT_NE(rejection(altered.certificate), "");
}

TEST(ExactDecimal, IsExact) {
    EXPECT_EQ(exact_decimal(q("5/4")), "1.25");
    EXPECT_EQ(exact_decimal(q("-1/1000")), "-0.001");
    EXPECT_EQ(exact_decimal(q("1/3")), "1/3");
    EXPECT_EQ(exact_decimal(q("7")), "7");
    EXPECT_EQ(exact_decimal(q("0")), "0");
}

}  // namespace
}  // namespace schedproof::queueing
