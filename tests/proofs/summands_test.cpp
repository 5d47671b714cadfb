/// Drift bounds summand by summand: what answers imply, against the exact kernel; terms, against the second
/// implementations of an event and of a slot; proofs on clusters whose thresholds are known; and alterations.
#include "proofs/queueing/theorems/summands/summands.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "model/core/errors.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/drift/summand_search.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "tests/model/event_oracle.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using namespace language;
using proof::LinearForm;
using testing_support::q;

AnyPolicy policy_with(const Rules& rules) { return {{"of-test", "test", "of this test"}, rules}; }

std::vector<Rational> point_of(const ExactState& state) {
    std::vector<Rational> point;
    for (const CheckedInt n : state.length) point.emplace_back(n.value());
    return point;
}

bool all_hold(const Premises& premises, const std::vector<Rational>& point) {
    return std::all_of(premises.begin(), premises.end(), [&](const LinearForm& h) { return h.at(point).sign() >= 0; });
}
bool one_holds(const Cases& cases, const std::vector<Rational>& point) {
    return std::any_of(cases.begin(), cases.end(), [&](const Premises& p) { return all_hold(p, point); });
}

// ---- what an answer implies ----

/// Of every answer at a state: whether each candidate is one that may be in it, and a case of what that implies holds.
bool is_implied(const Implied& rule, const Decision& answer, const std::vector<Rational>& point) {
    const std::vector<Candidate> candidates = rule.candidates();
    for (std::size_t i = 0; i < answer.size(); ++i) {
        if (answer[i].empty() && !(one_holds(rule.empty(), point) && one_holds(rule.declines(), point))) return false;
        for (const Candidate& c : answer[i])
            if (std::find(candidates.begin(), candidates.end(), c) == candidates.end() ||
                !one_holds(rule.contains(c), point))
                return false;
    }
    return true;
}

/// Whether premises hold for generated rules of the whole language at a random state, if they are told of so many tasks
/// in execution; nothing where a primitive is met that nothing is derived for.
std::optional<bool> is_implied_at_random(const std::function<std::uint32_t(std::uint32_t)>& told) {
    const Rules rules = *oracle::any_rules();
    const std::string like = oracle::policy_of_layout(rules);
    oracle::InstanceWish wish;
    wish.own_rates = !rules.names_rates_of_levels();
    const Instance instance = *oracle::small_instance(like, wish);
    const ExactState state = *oracle::valid_state(instance, oracle::queue_shape(instance, like), 6);
    const AnyPolicy policy = policy_with(rules);
    const Layout layout = policy.layout(instance);
    const Kernel<CheckedInt> kernel(instance, policy);
    std::vector<std::uint32_t> executing(layout.queues(), 0);
    for (const Service& s : state.serving)
        if (s.status == Service::Status::busy) ++executing[s.queue.index()];
    for (std::uint32_t& tasks : executing) tasks = told(tasks);
    try {
        bool holds = true;
        for (const TaskTypeId type : instance.types())
            holds = holds && is_implied({instance, layout, rules.route(), Asker::task(type), executing, nullptr},
                                        kernel.route(state, type), point_of(state));
        for (const ServerId m : instance.servers())
            holds = holds && is_implied({instance, layout, rules.serve(), Asker::idle(m), executing, nullptr},
                                        kernel.serve(state, m), point_of(state));
        return holds;
    } catch (const LimitExceeded&) {
        return std::nullopt;
    }
}

TEST(Implied, HoldsWhereverGeneratedRulesAnswer) {
    int derived = 0;
    EXPECT_TRUE(rc::check("premises hold", [&] {
        const auto holds = is_implied_at_random([](std::uint32_t tasks) { return tasks; });
        RC_ASSERT(holds.value_or(true));
        derived += holds ? 1 : 0;
    }));
    EXPECT_GT(derived, 50);
}

/// The comparison can fail.
TEST(Implied, IsNoticedToFailWhereTasksInExecutionAreForgotten) {
    int failed = 0;
    EXPECT_TRUE(rc::check("", [&] { failed += is_implied_at_random([](std::uint32_t) { return 0U; }) == false; }));
    EXPECT_GT(failed, 3);
}

/// The rules as the paper has them, with premises that are known.
TEST(Implied, SaysOfTheShortestQueueThatOthersAreAsLong) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    constexpr Rules rules{keep(Arrangement::per_server), route(argmin(servers, length)),
                          serve(first_of(argmax(nonempty(reachable), rate * length), own))};
    const AnyPolicy policy = policy_with(rules);
    const Layout layout = policy.layout(instance);
    const auto form = [](const char* constant, const char* first, const char* second) {
        LinearForm all{q(constant)};
        if (q(first).sign() != 0) all.append(0, q(first));
        if (q(second).sign() != 0) all.append(1, q(second));
        return all;
    };
    const Implied route(instance, layout, policy.rules().route(), Asker::task(TaskTypeId(0)), {1, 1}, nullptr);
    EXPECT_EQ(route.contains({QueueId(0), Level(0)}), (Cases{{form("0", "-1", "1")}}));
    const Implied serve(instance, layout, policy.rules().serve(), Asker::idle(ServerId(0)), {0, 1}, nullptr);
    // Its own queue is empty, so is the other but for the task that its server executes.
    const std::vector<Range> idle = common_ranges(serve.declines(), 2).value();
    EXPECT_EQ(idle[0].most, q("0"));
    EXPECT_EQ(idle[1].most, q("1"));
}

TEST(Implied, TakesDrawsOfARouteApart) {
    const Instance instance = testing_support::two_servers("4/5", "1/5", "1/2", "1/2");
    constexpr Rules rules{keep(Arrangement::per_server),
                          route(mix(Ratio(1, 4), argmin(sample(1, servers), length), local)), serve(own)};
    const AnyPolicy policy = policy_with(rules);
    const Layout layout = policy.layout(instance);
    const Implied route(instance, layout, policy.rules().route(), Asker::task(TaskTypeId(0)), {1, 1}, nullptr);
    Rational sum(0), local_only(0);
    for (const auto& [p, outcome] : route.drawn()) {
        sum += p;
        if (outcome.candidates().size() == 1 && outcome.candidates().front().queue == QueueId(0)) local_only += p;
    }
    EXPECT_EQ(sum, q("1"));
    EXPECT_EQ(local_only, q("7/8"));
}

// ---- the terms ----

/// Servers in a ring: tasks of type i are local to servers i and i + 1.
InstanceData ring_data(std::size_t servers, const char* lambda) {
    InstanceData data;
    data.name = "ring";
    data.levels = {{"local", q("4/5")}, {"remote", q("1/5")}};
    for (std::size_t i = 0; i < servers; ++i) {
        data.servers.push_back({"s" + std::to_string(i), {}});
        const std::size_t next = (i + 1) % servers;
        std::vector<ServerId> holders{ServerId(i)};
        if (servers > 2) holders.insert(next < i ? holders.begin() : holders.end(), ServerId(next));
        data.types.push_back({"T" + std::to_string(i), holders});
        data.rates.push_back(q(lambda));
    }
    return data;
}
Instance ring_of(std::size_t servers, const char* lambda) {
    InstanceData data = ring_data(servers, lambda);
    data.time = ContinuousTime{};
    return Instance(std::move(data));
}
Instance ring_in_slots(std::size_t servers, const char* lambda) {
    InstanceData data = ring_data(servers, lambda);
    data.arrivals = ArrivalLaw::bernoulli(data.rates);
    return Instance(std::move(data));
}

/// What a test does to a bound, to see that this is noticed.
struct Mutant {
    std::function<void(Term&)> of_terms = [](Term&) {};
    bool apart = false;  ///< forget what is done together
};

/// V with products of queues and random forms at statuses.
LyapunovForm any_function(const SymbolicSystem& system, const Summands& summands) {
    LyapunovForm v{"of-test", {}, {}};
    const auto coefficient = [] { return Rational(*rc::gen::inRange<std::int64_t>(-3, 4)); };
    const IdRange<QueueId> queues(system.layout().queues());
    for (const QueueId i : queues)
        for (const QueueId j : queues)
            if (!(j < i)) v.products.push_back({coefficient(), length_of(i), length_of(j)});
    if (system.instance().preemptive()) return v;
    for (const ServerId m : system.instance().servers())
        for (const Service& status : summands.statuses(m)) {
            LinearForm form{coefficient()};
            for (const QueueId k : queues) form.add(coefficient(), length_of(k));
            v.pieces.push_back({LyapunovForm::Condition{m, status.queue, status.level}, Rational(1), {form}});
        }
    return v;
}

std::vector<Rational> shifted(std::vector<Rational> point, const Shift& shift) {
    point[shift.first.index()] += Rational(shift.second);
    return point;
}

/// Whether the alternative is one of the status that the server has.
bool is_of_status(const Alternative& alternative, const ExactState& state) {
    return std::all_of(alternative.happen.begin(), alternative.happen.end(), [&](const Happening& happens) {
        return !happens.server || state.serving[happens.server->index()] == happens.before.value_or(Service{});
    });
}

/// The largest value of a term's alternatives whose premises hold, with that of what follows after one of its shifts;
/// nothing where no premises hold. `state` has the statuses that a term starts from, null for one that follows.
std::optional<Rational> bound_at(const SymbolicSystem& system, const Summands& summands, const Sloped& v,
                                 const std::vector<Term>& terms, const std::vector<LinearForm>& links, std::size_t t,
                                 const std::vector<Rational>& point, const ExactState* state) {
    const std::vector<LinearForm> none(terms.size());  // what follows is counted at its own lengths
    std::optional<Rational> most;
    for (const Alternative& alternative : terms[t].alternatives) {
        if (!all_hold(alternative.where, point) || (state != nullptr && !is_of_status(alternative, *state))) continue;
        Rational value = value_of(system, summands, v, none, links, alternative).at(point);
        if (const auto& then = alternative.then) {
            std::optional<Rational> follows;
            for (const Shift& shift : then->shifts)
                follows = std::max(
                    follows, bound_at(system, summands, v, terms, links, then->term, shifted(point, shift), nullptr));
            if (!follows) return std::nullopt;
            value += then->probability * *follows;
        }
        most = std::max(most, std::optional(value));
    }
    return most;
}

Instance without_batches(const Instance& instance) {
    InstanceData data = instance.data();
    data.batches.clear();
    return Instance(std::move(data));
}

/// A state with statuses that the rules allow; in continuous time after idle servers were offered what waits.
ExactState state_of_the_chain(const ExactSystem& exact, const SymbolicSystem& system, const Summands& summands) {
    ExactState state;
    std::vector<std::int64_t> least(system.layout().queues(), 0);
    for (const auto& own : statuses_of(system, summands)) {
        state.serving.push_back(exact.instance().preemptive() ? Service{} : *rc::gen::elementOf(own));
        if (state.serving.back().status == Service::Status::busy) ++least[state.serving.back().queue.index()];
    }
    for (const std::int64_t busy : least)
        state.length.emplace_back(busy + *rc::gen::inRange<std::int64_t>(0, *rc::gen::element<std::int64_t>(2, 5, 60)));
    if (!exact.instance().continuous()) return state;
    Sampler randomness({*rc::gen::inRange<std::uint32_t>(0, 1000), 0, 0});
    return exact.settled(state, randomness);
}

/// Whether the drift at a random state is at most the sum of the terms, of which one alternative takes place, and of
/// what is done together; nothing where summands are not defined.
std::optional<bool> bounds_the_drift(
    const Instance& instance, const AnyPolicy& policy,
    const std::function<Rational(const ExactSystem&, const ExactState&, const LyapunovForm&)>& drift_of,
    const Mutant& mutant = {}) {
    const ExactSystem exact(instance, policy);
    const SymbolicSystem system(instance, policy);
    std::optional<Summands> summands;
    try {
        summands.emplace(system, *rc::gen::arbitrary<bool>());
    } catch (const InputError&) {  // its queues list their tasks
        return std::nullopt;
    } catch (const LimitExceeded&) {  // nothing is derived for a primitive
        return std::nullopt;
    }
    const LyapunovForm v = any_function(system, *summands);
    const ExactState state = state_of_the_chain(exact, system, *summands);
    Rational bound(0);
    if (!instance.continuous() && !mutant.apart)
        bound += value_of(done_together(system, *summands), slopes_of(system, *summands, v));
    std::vector<LinearForm> links;
    for (std::size_t i = 0; i < summands->links().size(); ++i) {
        LinearForm& form = links.emplace_back(Rational(*rc::gen::inRange<std::int64_t>(0, 4)));
        for (const QueueId k : IdRange<QueueId>(system.layout().queues()))
            form.add(Rational(*rc::gen::inRange<std::int64_t>(0, 4)), length_of(k));
    }
    std::vector<Term> terms = summands->terms();
    for (Term& term : terms) mutant.of_terms(term);
    const Sloped sloped{v, slopes_of(system, *summands, v)};
    for (std::size_t t = 0; t < terms.size(); ++t) {
        if (terms[t].follows()) continue;
        const auto most = bound_at(system, *summands, sloped, terms, links, t, point_of(state), &state);
        if (!most) return false;
        bound += *most;
    }
    return drift_of(exact, state, v) <= bound;
}

/// By the second implementation of an event.
TEST(Summands, BoundTheDriftOfTheSecondImplementation) {
    int terms = 0;
    EXPECT_TRUE(rc::check("at settled states of every policy", [&] {
        const std::string id = *rc::gen::elementOf(oracle::policies_in_continuous_time());
        const Instance instance = without_batches(*oracle::small_cluster_in_time(id));
        const auto drift_of = [&](const ExactSystem&, const ExactState& state, const LyapunovForm& v) {
            Rational drift(0);
            for (const auto& [next, p] : oracle::next_event(instance, id, oracle::from_state(state)))
                drift += p * v.change(queueing::detail::from_exact<Rational>(state),
                                      queueing::detail::from_exact<Rational>(oracle::to_state(next)));
            return drift;
        };
        const auto bounds = bounds_the_drift(instance, make_policy(id), drift_of);
        RC_ASSERT(bounds.value_or(true));
        terms += bounds ? 1 : 0;
    }));
    EXPECT_GT(terms, 30);
}

/// By the second implementation of a slot.
TEST(Summands, BoundTheDriftOfTheSecondImplementationOfASlot) {
    int terms = 0;
    EXPECT_TRUE(rc::check("at states of every policy", [&] {
        const std::string id = *rc::gen::elementOf(oracle::policy_ids());
        if (oracle::needs_plan(id)) return;
        const Instance instance = *oracle::small_instance(id);
        const auto drift_of = [&](const ExactSystem&, const ExactState& state, const LyapunovForm& v) {
            Rational drift(0);
            for (const auto& [next, p] : oracle::next_slot(instance, id, oracle::from_state(state)))
                drift += p * v.change(queueing::detail::from_exact<Rational>(state),
                                      queueing::detail::from_exact<Rational>(oracle::to_state(next)));
            return drift;
        };
        const auto bounds = bounds_the_drift(instance, make_policy(id), drift_of);
        RC_ASSERT(bounds.value_or(true));
        terms += bounds ? 1 : 0;
    }));
    EXPECT_GT(terms, 20);
}

/// By the kernel, in both times.
TEST(Summands, BoundTheDriftOfGeneratedRules) {
    int terms = 0;
    const auto bounds = [](bool in_slots, const Mutant& mutant = {}) {
        const Rules rules = *oracle::any_rules();
        const std::string like = oracle::policy_of_layout(rules);
        oracle::InstanceWish wish;
        wish.own_rates = !rules.names_rates_of_levels();
        const Instance instance =
            in_slots ? *oracle::small_instance(like, wish) : without_batches(*oracle::small_cluster_in_time(like));
        return bounds_the_drift(
            instance, policy_with(rules),
            [](const ExactSystem& exact, const ExactState& state, const LyapunovForm& v) {
                return drift(exact, state, v);
            },
            mutant);
    };
    EXPECT_TRUE(rc::check("at states of rules of the whole language", [&] {
        const auto holds = bounds(*rc::gen::arbitrary<bool>());
        RC_ASSERT(holds.value_or(true));
        terms += holds ? 1 : 0;
    }));
    EXPECT_GT(terms, 15);
    // What is forgotten is noticed.
    int lacking = 0, apart = 0;
    EXPECT_TRUE(rc::check("", [&] {
        lacking += bounds(*rc::gen::arbitrary<bool>(),
                          {[](Term& term) { term.alternatives.erase(term.alternatives.begin()); }}) == false;
        apart += bounds(true, {[](Term&) {}, true}) == false;
    }));
    EXPECT_GT(lacking, 3);
    EXPECT_GT(apart, 3);
}

/// V = [s0 runs its own] Q_0 where s0 does, with 9 tasks at both servers. A task arrives there at rate 1/2, and after
/// the end of one, at rate 4/5, s0 turns to the next: the drift is that of Q_0, and the bound is no larger.
TEST(Summands, AreTightWhereOneAlternativeTakesPlace) {
    const Instance instance = ring_of(2, "1/2");
    const SymbolicSystem system(instance, make_policy("jsq-maxweight"));
    const Summands summands(system);
    const Service own{Service::Status::busy, Level(0), QueueId(0)};
    LyapunovForm v{"of-test", {}, {}};
    v.pieces.push_back({LyapunovForm::Condition{ServerId(0), own.queue, own.level}, q("1"), {length_of(own.queue)}});
    const ExactState state{{9, 9}, {own, {Service::Status::busy, Level(0), QueueId(1)}}, {}, {}};
    const auto bound = [&](const std::function<void(Alternative&)>& alter) {
        std::vector<Term> terms = summands.terms();
        for (Term& term : terms)
            for (Alternative& alternative : term.alternatives) alter(alternative);
        Rational sum(0);
        for (std::size_t t = 0; t < terms.size(); ++t)
            if (!terms[t].follows())
                sum += bound_at(system, summands, {v, slopes_of(system, summands, v)}, terms, {}, t, point_of(state),
                                &state)
                           .value();
        return sum * instance.event_rate();
    };
    EXPECT_EQ(bound([](Alternative&) {}), q("-3/10"));
    EXPECT_EQ(drift(ExactSystem(instance, make_policy("jsq-maxweight")), state, v) * instance.event_rate(), q("-3/10"));
    EXPECT_EQ(bound([](Alternative& alternative) { alternative.beside.reset(); }), q("-4/5"));
    EXPECT_EQ(bound([](Alternative& alternative) { alternative.then.reset(); }), q("-67/10"));
}

/// What a proof may use of the threshold holds after each shift of a state that is just there; a premise that asks for
/// more by a task does not.
TEST(Summands, UseOfTheThresholdWhatHoldsAfterEachShift) {
    const Instance instance = ring_of(2, "1/2");
    const SymbolicSystem system(instance, make_policy("jsq-maxweight"));
    const Summands summands(system);
    LinearForm measure;
    measure.append(0, q("1")), measure.append(1, q("2"));
    const std::vector<Rational> point{q("3"), q("4")};
    std::size_t following = 0, tight = 0;
    for (const Term& term : summands.terms()) {
        const LinearForm far = far_premise(measure, measure.at(point), term);
        if (!term.follows()) {
            EXPECT_EQ(far.at(point), q("0"));
            continue;
        }
        ++following;
        bool is_tight = false;
        for (const Shift& shift : term.after) {
            EXPECT_GE(far.at(shifted(point, shift)), q("0")) << term.name;
            is_tight = is_tight || far.at(shifted(point, shift)) == q("0");
        }
        tight += is_tight ? 1 : 0;
    }
    EXPECT_EQ(following, 4U);
    EXPECT_EQ(tight, following);
}

/// No server is committed to a queue without a task in continuous time: such a part of V is zero.
TEST(Summands, HaveNoPhantoms) {
    LyapunovForm v{"of-test", {}, {}};
    v.pieces.push_back(
        {LyapunovForm::Condition{ServerId(0), QueueId(0), std::nullopt, true}, q("1"), {length_of(QueueId(0))}});
    EXPECT_EQ(
        change(
            v,
            Happening{q("1"), QueueId(0), -1, ServerId(0), Service{Service::Status::busy, Level(0), QueueId(0)}, {}}),
        LinearForm());
}

// ---- proofs ----

std::variant<DriftProof, DriftUnknown> by_summands(const Instance& instance, const AnyPolicy& policy) {
    const SymbolicSystem system(instance, policy);
    DriftGoal goal;
    return find_by_summands(system, goal);
}

Certificate certificate_of(const Instance& instance, const std::string& policy, const DriftProof& proof) {
    return {std::make_shared<const Instance>(instance), policy, proof.theorem, proof.proofs};
}

/// Whether it proves the drift from a threshold that is at most this one, so that the policy is stable.
void expect_proof(const Instance& instance, const std::string& policy, std::int64_t at_most) {
    SCOPED_TRACE(policy + " on " + std::to_string(instance.servers().size()));
    const auto outcome = by_summands(instance, make_policy(policy));
    const auto* proof = std::get_if<DriftProof>(&outcome);
    ASSERT_NE(proof, nullptr) << std::get<DriftUnknown>(outcome).reason;
    EXPECT_LE(proof->theorem.threshold, Rational(at_most));
    EXPECT_EQ(stability_gap({instance, make_policy(policy)}, proof->theorem), "");
    EXPECT_EQ(rejection(certificate_of(instance, policy, *proof)), "");
}

/// Policies and thresholds; by cells of the joint state, those of two servers are 18 to 20.
TEST(Summands, ProveTheClustersOfTheSpecification) {
    const auto proves = [](std::size_t servers, const char* policy, std::int64_t at_most) {
        expect_proof(ring_of(servers, "1/2"), policy, at_most);
    };
    proves(2, "jsq-maxweight", 24), proves(2, "generalized-cmu", 24), proves(2, "pandas:plain", 24);
    proves(2, "balanced-pandas", 28), proves(3, "jsq-maxweight", 66), proves(3, "pandas:plain", 66);
    proves(4, "jsq-maxweight", 96), proves(4, "balanced-pandas", 80), proves(5, "pandas:plain", 140);
    proves(10, "join-shortest-queue", 50), proves(10, "balanced-pandas", 190);
}

/// By cells of the joint state, thresholds on two servers are 11 for JSQ-MaxWeight and 14 for Balanced-Pandas.
TEST(Summands, ProveTheSameInSlots) {
    const auto proves = [](std::size_t servers, const char* policy, std::int64_t at_most) {
        expect_proof(ring_in_slots(servers, "1/2"), policy, at_most);
    };
    proves(2, "jsq-maxweight", 24), proves(2, "generalized-cmu", 24), proves(2, "pandas:plain", 24);
    proves(2, "balanced-pandas", 30), proves(3, "jsq-maxweight", 66), proves(3, "pandas:plain", 70);
    proves(4, "generalized-cmu", 70), proves(4, "balanced-pandas", 130), proves(10, "join-shortest-queue", 35);
}

/// One type on servers that are alike, of rate 1.
Instance servers_alike(std::size_t count, const char* lambda) {
    InstanceData data;
    data.name = "alike";
    data.time = ContinuousTime{};
    data.types = {{"A", {}}};
    for (std::size_t m = 0; m < count; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        data.types.front().at_servers.emplace_back(q("1"));
    }
    data.rates = {q(lambda)};
    return Instance(std::move(data));
}

/// Thresholds are in the thousands there, and multipliers that are rounded to few places do not do.
TEST(Summands, ProveClustersNearTheBoundary) {
    for (const char* policy : {"balanced-pandas", "jsq-maxweight", "generalized-cmu"}) {
        const auto outcome = by_summands(ring_of(3, "99/125"), make_policy(policy));
        EXPECT_TRUE(std::holds_alternative<DriftProof>(outcome)) << policy;
    }
}

/// The shorter of two queues that are drawn, at load 9/10, and beyond the boundary.
TEST(Summands, TakeTheDrawsOfARouteApart) {
    constexpr Rules two{keep(Arrangement::per_server), route(argmin(sample(2, servers), length)), serve(own)};
    for (const auto& [count, lambda] : {std::pair<std::size_t, const char*>{4, "18/5"}, {10, "9"}}) {
        const auto outcome = by_summands(servers_alike(count, lambda), policy_with(two));
        ASSERT_TRUE(std::holds_alternative<DriftProof>(outcome)) << std::get<DriftUnknown>(outcome).reason;
        EXPECT_EQ(std::get<DriftProof>(outcome).theorem.summands->size(), count * (count - 1) / 2 + 3 * count);
    }
    EXPECT_TRUE(std::holds_alternative<DriftUnknown>(by_summands(servers_alike(4, "4"), policy_with(two))));
}

TEST(Summands, ProveNothingBeyondTheBoundary) {
    for (const char* policy : {"join-shortest-queue", "balanced-pandas", "jsq-maxweight", "pandas:plain"})
        for (const std::size_t servers : {std::size_t{2}, std::size_t{3}})
            for (const Instance& instance : {ring_of(servers, "81/100"), ring_in_slots(servers, "81/100")}) {
                const auto outcome = by_summands(instance, make_policy(policy));
                ASSERT_TRUE(std::holds_alternative<DriftUnknown>(outcome)) << policy;
                EXPECT_NE(std::get<DriftUnknown>(outcome).reason.find("fall together"), std::string::npos);
            }
}

/// Of up to four servers, up to five types with one or two holders, and random rates.
Instance random_cluster(std::mt19937& draw, bool continuous) {
    const auto up_to = [&](std::size_t most) { return 1 + draw() % most; };
    const auto tenths = [&](std::size_t most) { return Rational(static_cast<std::int64_t>(up_to(most)), 10); };
    const std::size_t servers = 1 + up_to(3);
    InstanceData data;
    data.name = "random";
    data.levels = {{"local", Rational(1, 2) + tenths(4)}, {"remote", tenths(4)}};
    if (continuous) data.time = ContinuousTime{};
    for (std::size_t m = 0; m < servers; ++m) data.servers.push_back({"s" + std::to_string(m), {}});
    for (std::size_t i = 0, types = 1 + up_to(servers); i < types; ++i) {
        std::vector<ServerId> holders{ServerId(draw() % servers), ServerId(draw() % servers)};
        std::sort(holders.begin(), holders.end());
        holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
        data.types.push_back({"T" + std::to_string(i), holders});
        data.rates.push_back(Rational(1, 10) * tenths(9));  // so few that at_load can ask for any number
    }
    if (!continuous) data.arrivals = ArrivalLaw::bernoulli(data.rates);
    return Instance(std::move(data));
}

/// How many of random clusters at load 101/100 the policies were tried on; in slots some cannot bring so many tasks.
int proves_nothing_beyond_the_boundary(std::size_t clusters) {
    std::mt19937 draw(20261130);
    int tried = 0;
    for (std::size_t i = 0; i < clusters; ++i) {
        std::optional<Instance> beyond;
        try {
            beyond = capacity::at_load(random_cluster(draw, i % 2 == 0), Rational(101, 100), "load");
        } catch (const InputError&) {
            continue;
        }
        for (const char* policy : {"balanced-pandas", "generalized-cmu", "jsq-maxweight", "pandas:plain"}) {
            EXPECT_TRUE(std::holds_alternative<DriftUnknown>(by_summands(*beyond, make_policy(policy))))
                << policy << " on cluster " << i;
            ++tried;
        }
    }
    return tried;
}

TEST(Summands, ProveNothingOfRandomClustersBeyondTheBoundary) { EXPECT_GT(proves_nothing_beyond_the_boundary(12), 20); }
TEST(Summands, ProveNothingOfManyClustersBeyondTheBoundary) {
    EXPECT_GT(proves_nothing_beyond_the_boundary(1500), 4000);
}

/// Where tasks are interrupted, no V has a part of a server.
TEST(Summands, ProveInterruptedTasks) {
    InstanceData data = ring_of(3, "1/2").data();
    data.options.preemption = Preemption::resume;
    const auto outcome = by_summands(Instance(data), make_policy("jsq-maxweight"));
    ASSERT_TRUE(std::holds_alternative<DriftProof>(outcome)) << std::get<DriftUnknown>(outcome).reason;
    EXPECT_TRUE(std::get<DriftProof>(outcome).theorem.v.pieces.empty());
}

/// A proof, and one altered in one place, must differ for the checker.
void expect_alterations_rejected(const Instance& instance) {
    const auto outcome = by_summands(instance, make_policy("jsq-maxweight"));
    const Certificate good = certificate_of(instance, "jsq-maxweight", std::get<DriftProof>(outcome));
    ASSERT_EQ(rejection(good), "");
    const auto rejected = [&](const char* what, const std::function<void(Certificate&, DriftTheorem&)>& alter) {
        Certificate altered = good;
        alter(altered, std::get<DriftTheorem>(altered.theorem));
        // The certifier refuses proofs that are not in their canonical form, too.
        const bool canonical =
            std::all_of(altered.proofs.begin(), altered.proofs.end(), [](const proof::ExploredProof& p) {
                return !proof::rejection(p).empty() || proof::canonical(p).leaves == p.leaves;
            });
        EXPECT_FALSE(rejection(altered).empty() && canonical) << what;
    };
    rejected("threshold", [](auto&, DriftTheorem& t) { t.threshold -= Rational(1); });
    rejected("delta", [](auto&, DriftTheorem& t) { t.delta += Rational(1, 1000); });
    rejected("bound", [](auto&, DriftTheorem& t) { t.summands->back() += LinearForm(Rational(1, 1000)); });
    rejected("number of bounds", [](auto&, DriftTheorem& t) { t.summands->pop_back(); });
    rejected("unknown queue", [](auto&, DriftTheorem& t) { t.summands->front() += length_of(QueueId(2)); });
    rejected("V", [](auto&, DriftTheorem& t) { t.v.pieces.back().coefficient += Rational(1, 1000); });
    rejected("a maximum",
             [](auto&, DriftTheorem& t) { t.v.pieces.back().largest_of.push_back(length_of(QueueId(0))); });
    rejected("statuses", [](auto&, DriftTheorem& t) { t.statuses.front().pop_back(); });
    rejected("sense", [](auto&, DriftTheorem& t) { t.sense = Sense::above; });
    rejected("by cells", [](auto&, DriftTheorem& t) { t.summands.reset(); });
    for (std::size_t p = 0; p < good.proofs.size(); ++p)
        for (std::size_t o = 0; o < good.proofs[p].leaves.front().size(); ++o) {
            rejected("dropped alternative", [&](Certificate& c, auto&) {
                auto& obligations = c.proofs[p].leaves.front();
                obligations.erase(obligations.begin() + static_cast<std::ptrdiff_t>(o));
            });
            rejected("premise", [&](Certificate& c, auto&) {
                c.proofs[p].leaves.front()[o].against.front().form += LinearForm(Rational(1, 1000));
            });
            for (std::size_t k = 0; k < good.proofs[p].leaves.front()[o].multipliers.size(); ++k)
                rejected("multiplier", [&](Certificate& c, auto&) {
                    c.proofs[p].leaves.front()[o].multipliers[k].value += Rational(1, 1000);
                });
        }
}
TEST(Summands, AlteredProofsAreRejected) {
    expect_alterations_rejected(ring_of(2, "1/2"));
    expect_alterations_rejected(ring_in_slots(2, "1/2"));
}

TEST(Summands, AreRefusedWhereTheyAreNotDefined) {
    const auto refused = [](const Instance& instance, const char* policy, const std::string& words) {
        try {
            const SymbolicSystem system(instance, make_policy(policy));
            const Summands summands(system);
            ADD_FAILURE() << "accepted: " << policy;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    InstanceData slots = testing_support::two_servers("4/5", "1/5", "1/2", "1/2").data();
    slots.options.unmatched = Unmatched::phantom;
    refused(Instance(slots), "jsq-maxweight", "idle again");
    slots.options.unmatched = Unmatched::idle;
    slots.options.routing = Routing::sequential;
    refused(Instance(slots), "jsq-maxweight", "on the same lengths");
    refused(ring_of(2, "1/2"), "random-any", "lists its tasks");
    InstanceData data = ring_of(2, "1/2").data();
    data.batches = {{{2, q("1/2")}}, {}};
    refused(Instance(data), "jsq-maxweight", "batches");

    const Instance instance = ring_of(2, "1/2");
    const SymbolicSystem system(instance, make_policy("jsq-maxweight"));
    const auto asked = [&](const DriftGoal& goal, const char* function, const std::string& words) {
        try {
            (void)prove_by_summands(system, {named_lyapunov(function, instance, system.layout()), {}}, goal);
            ADD_FAILURE() << "accepted: " << words;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    DriftGoal above, given;
    above.sense = Sense::above;
    given.threshold = q("5");
    asked(above, "squares", "from above only");
    asked(given, "squares", "its own threshold");
    asked({}, "regret", "without maxima");
}

}  // namespace
}  // namespace schedproof::queueing
