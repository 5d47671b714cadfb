/// The terms of the drift, against the second implementations of an event and of a slot, and the kernel.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/summands/summands.hpp"
#include "proofs/queueing/theorems/summands/terms.hpp"
#include "tests/model/event_oracle.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/proofs/summand_support.hpp"

namespace schedproof::queueing {
namespace {

using namespace language;
using proof::LinearForm;

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
        for (const Follows& then : alternative.then) {
            std::optional<Rational> follows;
            if (then.shifts.empty()) follows = bound_at(system, summands, v, terms, links, then.term, point, state);
            for (const Shift& shift : then.shifts)
                follows = std::max(
                    follows, bound_at(system, summands, v, terms, links, then.term, shifted(point, shift), nullptr));
            if (!follows) return std::nullopt;
            value += then.probability * *follows;
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
        summands.emplace(system, *rc::gen::element(SummandKind::single, SummandKind::linked, SummandKind::together));
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

/// By the law of the next state.
Rational drift_of(const oracle::Pmf<oracle::OracleState>& law, const ExactState& state, const LyapunovForm& v) {
    Rational drift(0);
    for (const auto& [next, p] : law)
        drift += p * v.change(queueing::detail::from_exact<Rational>(state),
                              queueing::detail::from_exact<Rational>(oracle::to_state(next)));
    return drift;
}

/// By the second implementation of an event.
TEST(Summands, BoundTheDriftOfTheSecondImplementation) {
    int terms = 0;
    EXPECT_TRUE(rc::check("at settled states of every policy", [&] {
        const std::string id = *rc::gen::elementOf(oracle::policies_in_continuous_time());
        const Instance instance = without_batches(*oracle::small_cluster_in_time(id));
        const auto bounds = bounds_the_drift(
            instance, make_policy(id), [&](const ExactSystem&, const ExactState& state, const LyapunovForm& v) {
                return drift_of(oracle::next_event(instance, id, oracle::from_state(state)), state, v);
            });
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
        const auto bounds = bounds_the_drift(
            instance, make_policy(id), [&](const ExactSystem&, const ExactState& state, const LyapunovForm& v) {
                return drift_of(oracle::next_slot(instance, id, oracle::from_state(state)), state, v);
            });
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
    EXPECT_EQ(bound([](Alternative& alternative) { alternative.then.clear(); }), q("-67/10"));
}

/// s1 executes the only task of s0, which asks for it in vain unless another arrives. With V = 1000 Q_0 the mean change
/// is 500 - 200 - 400. A start by s0 would be worth -800, and to find no task is worth -700 by the link, which s1 has
/// in return.
TEST(Summands, CountALinkWhereATaskIsExecuted) {
    const Instance instance = ring_in_slots(2, "1/2");
    const SymbolicSystem system(instance, make_policy("pandas:plain"));
    const Summands summands(system, SummandKind::linked);
    const LyapunovForm v{"of-test", {}, {{std::nullopt, q("1000"), {length_of(QueueId(0))}}}};
    const ExactState state{{1, 0}, {Service{}, {Service::Status::busy, Level(1), QueueId(0)}}, {}, {}};
    const Sloped sloped{v, slopes_of(system, summands, v)};
    const std::vector<LinearForm> links(summands.links().size(), LinearForm(q("700")));
    const auto bound = [&](const std::function<void(Alternative&)>& alter) {
        std::vector<Term> terms = summands.terms();
        for (Term& term : terms)
            for (Alternative& alternative : term.alternatives) alter(alternative);
        Rational sum = value_of(done_together(system, summands), sloped.slopes);
        for (std::size_t t = 0; t < terms.size(); ++t)
            sum += bound_at(system, summands, sloped, terms, links, t, point_of(state), &state).value();
        return sum;
    };
    const Rational exact = drift(ExactSystem(instance, make_policy("pandas:plain")), state, v);
    EXPECT_EQ(exact, q("-100"));
    EXPECT_EQ(bound([](Alternative&) {}), q("300"));
    EXPECT_LT(bound([](Alternative& alternative) {
                  std::erase_if(alternative.links, [](const auto& link) { return link.second > 0; });
              }),
              exact);
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

}  // namespace
}  // namespace schedproof::queueing
