/// Rules of bounded regret: what is read off them against the second implementation of the language and exact drifts,
/// rules that almost are such, certificates that were altered.
#include "proofs/queueing/theorems/bounded_regret.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/certifier/certify.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/lyapunov_expression.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/model/queueing_generators.hpp"
#include "tests/model/rule_oracle.hpp"

namespace schedproof::queueing {
namespace regret_rules {

using namespace queueing::language;

constexpr Expression work_over_rate = server_workload / rate;
constexpr Expression least_work = argmin(servers, work_over_rate);
constexpr Expression least_of_all = least(servers, work_over_rate);
constexpr Expression own_first = first_of(most_local(nonempty(own_levels)), own);

constexpr Expression request(int n) { return tasks(n) / rate / rate; }
/// Members of the set whose work over the rate exceeds the least by at most n tasks.
constexpr Expression guarded(const Expression& set, int n) {
    return first_of(where(set, work_over_rate <= least_of_all + request(n)), least_work);
}

Rules rules_of(const Expression& routing, const Expression& serving = own_first,
               Arrangement arrangement = Arrangement::per_server_and_level) {
    return {keep(arrangement), route(routing), serve(serving)};
}
std::optional<RegretTheorem> theorem_of(const Rules& rules) {
    const auto found = bounded_regret(rules);
    const auto* theorem = std::get_if<RegretTheorem>(&found);
    return theorem == nullptr ? std::nullopt : std::optional(*theorem);
}
/// The tasks, where the least counts once.
std::optional<Rational> regret(const Rules& rules) {
    const auto theorem = theorem_of(rules);
    return theorem && theorem->throughput_optimal() ? std::optional(theorem->tasks) : std::nullopt;
}
std::optional<Rational> regret(const Expression& routing) { return regret(rules_of(routing)); }

TEST(BoundedRegret, IsReadOffRules) {
    EXPECT_EQ(regret(BalancedPandas::rules), Rational(0));
    EXPECT_EQ(regret(guarded(local, 8)), Rational(8));
    EXPECT_EQ(regret(guarded(argmin(sample(2, servers), server_length), 3)), Rational(3));
    EXPECT_EQ(
        regret(guarded(when(greatest(servers, server_length) > tasks(9), argmin(servers, server_length), local), 0)),
        Rational(0));
    // Other ways to say it.
    const auto by = [](const Expression& test) { return regret(first_of(where(local, test), least_work)); };
    EXPECT_EQ(by(2 * work_over_rate < 2 * least_of_all + request(6)), Rational(3));
    EXPECT_EQ(by(work_over_rate - request(4) <= least_of_all), Rational(4));
    EXPECT_EQ(by((server_workload - tasks(4) / rate) / rate <= least_of_all + request(1)), Rational(5));
    EXPECT_EQ(by(!(work_over_rate > least_of_all + request(7))), Rational(7));
    EXPECT_EQ(by(work_over_rate == least_of_all), Rational(0));
    EXPECT_EQ(by(work_over_rate + request(2) <= least_of_all), Rational(0));
    EXPECT_EQ(by(2 * work_over_rate <= least_of_all + request(5)), Rational(Integer(5), Integer(2)));
    EXPECT_EQ(by(work_over_rate <= request(5)), Rational(5));
    EXPECT_EQ(by(server_length < tasks(3) && work_over_rate <= least_of_all + request(2)), Rational(2));
    EXPECT_EQ(by(!(work_over_rate > least_of_all + request(2) || server_length > tasks(1))), Rational(2));
    EXPECT_EQ(regret(among(guarded(sample(1, servers), 4), argmax(it, server_length))), Rational(4));
    EXPECT_EQ(regret(mix(Ratio(1, 3), guarded(local, 5), least_work)), Rational(5));
    EXPECT_EQ(
        regret(rules_of(least_work, mix(Ratio(1, 2), nonempty(own_levels), argmax(nonempty(own_levels), length)))),
        Rational(0));
}

/// What the least is multiplied by: numbers of the rule, and alpha / gamma for each rate that the key leaves out.
TEST(BoundedRegret, HasAFactorWhereRulesCompareOtherwise) {
    const auto of = [](const Expression& routing) { return theorem_of(rules_of(routing)); };
    const auto is = [](const Rational& tasks, const Rational& ratio, std::uint32_t rates) {
        return std::optional(RegretTheorem{tasks, ratio, rates});
    };
    EXPECT_EQ(of(first_of(where(local, work_over_rate <= 2 * least_of_all + request(3)), least_work)), is(3, 2, 0));
    EXPECT_EQ(of(first_of(where(local, 4 * work_over_rate < 6 * least_of_all - request(3)), least_work)),
              is(0, Rational(Integer(3), Integer(2)), 0));
    EXPECT_EQ(of(argmin(servers, server_workload)), is(0, 1, 1));
    EXPECT_EQ(of(argmin(servers, server_length / rate)), is(0, 1, 1));
    EXPECT_EQ(of(argmin(servers, 2 * ((server_length + tasks(1)) / rate))), is(1, 1, 1));
    EXPECT_EQ(of(argmin(servers, server_length)), is(0, 1, 2));
    const Expression sticky = server_workload <= least(servers, server_workload) + tasks(26) / rate;
    EXPECT_EQ(of(first_of(where(local, sticky), argmin(servers, server_workload))), is(26, 1, 1));
    EXPECT_EQ(of(first_of(where(local, sticky), least_work)), is(26, 1, 1));
    const Expression gate = server_length <= Ratio(3, 2) * least(servers, server_length) + tasks(64);
    EXPECT_EQ(of(first_of(where(local, gate), argmin(servers, server_workload))),
              is(64, Rational(Integer(3), Integer(2)), 2));
    // Of two that hold, the one of fewer rates.
    EXPECT_EQ(of(first_of(where(local, gate && sticky), least_work)), is(26, 1, 1));
    EXPECT_EQ(of(preferred(1, argmin(servers, server_length))), is(0, 1, 2));
    EXPECT_EQ(of(draws(2, argmin(servers, server_workload))), is(0, 1, 1));
    // No such sum, the least of another key, or one over a rate that is not that of its server.
    EXPECT_FALSE(of(argmin(servers, rate * length)));
    EXPECT_FALSE(of(argmin(servers, length)));
    EXPECT_FALSE(of(argmin(servers, server_length / rate / rate)));
    EXPECT_FALSE(of(argmin(servers, server_workload + as_work(server_length))));
    EXPECT_FALSE(of(argmin(servers, server_workload + server_length / rate)));
    EXPECT_FALSE(of(argmin(servers, tasks(1) - server_length)));
    EXPECT_FALSE(of(first_of(where(local, server_workload <= least(servers, server_length / rate)), least_work)));
    EXPECT_FALSE(of(first_of(where(local, work_over_rate <= least(servers, server_workload) / rate), least_work)));
    EXPECT_FALSE(of(argmin(draws(2, servers), server_length)));
    EXPECT_FALSE(of(preferred(1, servers)));
}

/// Each leaves out what the argument needs.
TEST(BoundedRegret, IsNotSeenInRulesThatMayHaveNone) {
    const auto by = [](const Expression& test) { return regret(first_of(where(local, test), least_work)); };
    EXPECT_FALSE(by(work_over_rate <= greatest(servers, work_over_rate) + request(1)));
    EXPECT_FALSE(by(work_over_rate <= least(local, work_over_rate) + request(1)));
    EXPECT_FALSE(by(work_over_rate <= 2 * least_of_all));
    EXPECT_FALSE(by(server_workload <= least(servers, server_workload) + tasks(1) / rate));
    EXPECT_FALSE(by(work_over_rate >= least_of_all));
    EXPECT_FALSE(by(least_of_all <= request(5)));
    EXPECT_FALSE(by(server_length <= tasks(3) || work_over_rate <= least_of_all));
    EXPECT_FALSE(by(!(work_over_rate > least_of_all + request(2) && server_length > tasks(1))));
    EXPECT_FALSE(by(!(work_over_rate == least_of_all)));
    EXPECT_FALSE(regret(argmin(servers, server_workload)));
    EXPECT_FALSE(regret(argmin(local, work_over_rate)));
    EXPECT_FALSE(regret(argmax(servers, work_over_rate)));
    EXPECT_FALSE(regret(argmin(sample(2, servers), work_over_rate)));
    EXPECT_FALSE(regret(mix(Ratio(1, 100), local, least_work)));
    EXPECT_FALSE(regret(when(least(servers, server_length) > tasks(50), least_work, local)));
    EXPECT_FALSE(regret(least_work | local));
    EXPECT_FALSE(regret(among(least_work, servers)));
    // No server may be named.
    EXPECT_FALSE(regret(where(local, work_over_rate <= least_of_all)));
    EXPECT_FALSE(regret(least_work & local));
    EXPECT_FALSE(regret(first_of(least_work & local, where(servers, work_over_rate < least_of_all))));
    // A value over no queue ends the run.
    EXPECT_FALSE(regret(guarded(where(servers, server_length < greatest(local, server_length)), 3)));
    EXPECT_FALSE(regret(guarded(when(least(where(local, length > tasks(1)), length) > tasks(1), local, servers), 3)));
    EXPECT_FALSE(regret(rules_of(
        least_work, when(least(nonempty(own_levels), length) > tasks(1), nonempty(own_levels), nonempty(own_levels)))));
    EXPECT_FALSE(regret(rules_of(least_work, argmax(nonempty(own_levels), length - mean(own_levels, length)))));
    EXPECT_EQ(regret(among(least_work, where(it, length <= least(it, length)) | it)), Rational(0));
    EXPECT_FALSE(regret(among(sample(1, local), first_of(where(it, length < least(it, length)), least_work))));
    // Types and servers may have rates of their own.
    EXPECT_FALSE(regret(argmin(least_work, local_rate * length)));
    // Servers that do not start their own tasks; those that help others the language refuses with these queues.
    EXPECT_FALSE(regret(rules_of(least_work, own_levels)));
    EXPECT_FALSE(regret(rules_of(least_work, first_of(nonempty(own), own))));
    EXPECT_FALSE(regret(rules_of(least_work, first_of(where(own_levels, has_work && length > tasks(1)), own))));
    EXPECT_FALSE(regret(rules_of(least_work, mix(Ratio(9, 10), nonempty(own_levels), own))));
    EXPECT_FALSE(regret(rules_of(argmin(servers, length / rate / rate), own, Arrangement::per_server)));
}

/// Work as the rules see it, for the owner of a queue.
Rational seen_work(const oracle::RuleCase& at, const Layout& layout, ServerId m) {
    const bool waiting = at.instance.options().counting == Counting::waiting;
    Rational work;
    for (const QueueId q : layout.queues_of(m)) {
        const Rational length = at.length[q.index()] - (waiting ? at.in_service[q.index()] : Rational(0));
        work += length / layout.rate(at.instance, q, layout.service_level(at.instance, q, m));
    }
    return work;
}

/// Whether a state was met in which one task less would not hold, and one in which the least would not do once.
struct Tightness {
    bool tasks = false, least = false;
};

/// Whatever is read off a rule holds of every queue that it may answer, by the second implementation.
Tightness keeps_its_regret(const Rules& rules, const RegretTheorem& theorem) {
    Tightness tight;
    const Rational& tasks = theorem.tasks;
    oracle::InstanceWish wish;
    wish.own_rates = !rules.names_rates_of_levels();
    const Instance instance = *oracle::small_instance("balanced-pandas", wish);
    const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, "balanced-pandas"), 4);
    const Layout layout = rules.layout(instance);
    oracle::RuleCase at{instance, rules.arrangement(), {}, std::vector<Rational>(state.length.size())};
    for (const CheckedInt n : state.length) at.length.emplace_back(n.value());
    for (const Service& s : state.serving)
        if (s.status == Service::Status::busy) at.in_service[s.queue.index()] += Rational(1);
    std::vector<Rational> rates;
    for (const ServerId m : instance.servers())
        for (const QueueId q : layout.queues_of(m))
            rates.push_back(layout.rate(instance, q, layout.service_level(instance, q, m)));
    const Rational gamma = *std::min_element(rates.begin(), rates.end());
    Rational kappa = theorem.ratio;
    for (std::uint32_t i = 0; i < theorem.rates; ++i) kappa *= *std::max_element(rates.begin(), rates.end()) / gamma;
    const auto weighted = [&](const oracle::Member& member) {
        const QueueId q(member.first);
        return seen_work(at, layout, layout.owner(q)) / layout.rate(instance, q, Level(member.second));
    };
    for (const TaskTypeId type : instance.types()) {
        const oracle::Members all = oracle::law_of_route(servers.tree, at, type.index()).begin()->first;
        std::optional<Rational> least;
        for (const oracle::Member& member : all) least = std::min(least.value_or(weighted(member)), weighted(member));
        for (const auto& [answer, probability] : oracle::law_of_route(rules.route(), at, type.index())) {
            RC_ASSERT(!answer.empty());
            for (const oracle::Member& member : answer) {
                RC_ASSERT(weighted(member) <= kappa * *least + tasks / (gamma * gamma));
                tight.tasks |=
                    tasks > Rational(0) && weighted(member) > kappa * *least + (tasks - Rational(1)) / (gamma * gamma);
                tight.least |= kappa > Rational(1) && weighted(member) > *least + tasks / (gamma * gamma);
            }
        }
    }
    for (const ServerId m : instance.servers()) {
        bool has_work = false;
        for (const QueueId q : layout.queues_of(m))
            has_work = has_work || at.length[q.index()] > at.in_service[q.index()];
        if (!has_work || state.serving[m.index()].status != Service::Status::idle) continue;
        for (const auto& [answer, probability] : oracle::law_of_serve(rules.serve(), at, m.index())) {
            RC_ASSERT(!answer.empty());
            for (const oracle::Member& member : answer) {
                RC_ASSERT(layout.owner(QueueId(member.first)) == m);
                RC_ASSERT(at.length[member.first] > Rational(0));
            }
        }
    }
    return tight;
}

/// As `guarded`, by a key that counts otherwise, and by a multiple of its least.
Expression guarded_otherwise(const Expression& set, int n) {
    const int kind = *rc::gen::inRange(0, 4), times = *rc::gen::inRange(1, 3);
    const Expression key = kind == 0   ? work_over_rate
                           : kind == 1 ? server_workload
                           : kind == 2 ? server_length / rate
                                       : server_length;
    const Expression room = kind == 0 ? request(n) : kind == 3 ? tasks(n) : tasks(n) / rate;
    return first_of(where(set, key <= times * least(servers, key) + room), argmin(servers, key));
}

/// A random rule behind a guard, another one in its place, or neither.
TEST(BoundedRegret, HoldsOfWhateverRuleItIsReadOff) {
    int bounded = 0, tight = 0, multiplied = 0;
    EXPECT_TRUE(rc::check("rules of bounded regret", [&] {
        const Rules drawn = *oracle::any_rules(Arrangement::per_server_and_level);
        const int n = *rc::gen::inRange(0, 4);
        Expression inner = local;
        inner.tree = *rc::gen::arbitrary<bool>() ? drawn.route() : servers.tree;
        Rules rules = drawn;
        try {
            const int guard = *rc::gen::inRange(0, 5);
            if (guard > 0) rules = rules.with(route(guard > 2 ? guarded(inner, n) : guarded_otherwise(inner, n)));
            if (*rc::gen::inRange(0, 4) > 0) rules = rules.with(serve(own_first));
        } catch (const char*) {  // more primitives than a tree holds
        }
        const auto found = theorem_of(rules);
        if (!found) return;
        ++bounded;
        for (int states = 0; states < 6; ++states) {
            const Tightness met = keeps_its_regret(rules, *found);
            tight += met.tasks ? 1 : 0;
            multiplied += met.least ? 1 : 0;
        }
    }));
    EXPECT_GT(bounded, 20);
    EXPECT_GT(tight, 5);
    EXPECT_GT(multiplied, 5);
}

/// The drift of the sum of W^2 in a slot of the exact kernel, with the constant of the default options. A slope twice
/// as steep does not hold of it.
TEST(BoundedRegret, BoundsTheDriftOfTheSquaresOfWork) {
    int steeper = 0;
    EXPECT_TRUE(rc::check("the drift of the squares of work", [&] {
        const int n = *rc::gen::inRange(0, 4);
        const bool otherwise = *rc::gen::arbitrary<bool>();
        const AnyPolicy policy({"guarded", "test", "home unless it is far behind"},
                               rules_of(otherwise ? guarded_otherwise(local, n) : guarded(local, n)));
        const RegretTheorem theorem = theorem_of(policy.rules()).value();
        InstanceData data = (*oracle::small_instance("balanced-pandas")).data();
        data.options = {};
        const Instance instance{std::move(data)};
        const Rational load = theorem.kappa(instance) * capacity::solve(instance).upper;
        const ExactSystem system(instance, policy);
        const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, "balanced-pandas"), 5000);
        const Layout layout = policy.layout(instance);
        Rational gamma(1), work;
        for (const ServerId m : instance.servers())
            for (const QueueId q : layout.queues_of(m)) {
                const Rational mu = layout.rate(instance, q, layout.service_level(instance, q, m));
                gamma = std::min(gamma, mu);
                work += Rational(state.length[q.index()].value()) / mu;
            }
        const Rational square(9);  // at most three tasks come in a slot
        const Rational constant = Rational(instance.servers().size()) / gamma +
                                  (square + Rational(2 * n) * instance.total_arrival_rate()) / (gamma * gamma);
        const LyapunovForm squares = find_lyapunov("workload-squares", instance, layout).form;
        const Rational found = drift(system, state, squares), fall = Rational(2) * (Rational(1) - load) * work;
        RC_ASSERT(found <= constant - fall);
        steeper += load < Rational(1) && found > constant - Rational(2) * fall ? 1 : 0;
    }));
    EXPECT_GT(steeper, 5);
}

TEST(BoundedRegret, CertificatesAreHeldAgainstTheRules) {
    const auto at = [](const char* policy, const Rational& tasks, const Rational& ratio = 1, std::uint32_t rates = 0) {
        return rejection(Certificate{nullptr, policy, RegretTheorem{tasks, ratio, rates}, {}});
    };
    EXPECT_EQ(at("balanced-pandas", Rational(0)), "");
    EXPECT_EQ(at("balanced-pandas", Rational(1)), "the rules keep another bound");
    EXPECT_EQ(at("balanced-pandas", Rational(0), Rational(2)), "the rules keep another bound");
    EXPECT_EQ(at("balanced-pandas", Rational(0), Rational(1), 1), "the rules keep another bound");
    EXPECT_NE(at("pandas", Rational(0)), "");
    EXPECT_NE(at("join-shortest-queue", Rational(0)), "");
    EXPECT_NE(rejection(Certificate{nullptr, "balanced-pandas", RegretTheorem{}, {proof::ExploredProof{}}}), "");
}

}  // namespace regret_rules
}  // namespace schedproof::queueing
