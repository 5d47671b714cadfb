/// A set is certain where its expression mentions nothing that a state decides; the evaluator computes it
/// (implied_keys.cpp). Everything else is a set whose members depend on the state, for which the recursion below says
/// what membership, absence and emptiness imply; of tests see implied_tests.cpp. Conjunctions of disjunctions multiply
/// out, up to `most_cases`.
///
/// Draws on the way from the root to the answer happen once per decision, so their outcomes can be taken apart
/// (implied_draws.cpp); inside keys and tests a draw is repeated per candidate, and only what holds for all outcomes is
/// used.
#include "proofs/queueing/theorems/summands/implied.hpp"

#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/narrowing.hpp"

namespace schedproof::queueing {

using proof::LinearForm;

namespace {

bool depends_on_state(language::Op op) {
    using enum language::Op;
    switch (op) {
        case length:
        case servable:
        case server_length:
        case server_workload:
        case marginal_cost:
        case has_work:
        case it:
        case tabulated:
        case planned:
        case furthest_behind:
            return true;
        default:
            return language::operation(op).draws;
    }
}

}  // namespace

bool Implied::is_certain(std::size_t at) const {
    for (std::size_t i = at + 1 - (*tree_)[at].span; i <= at; ++i)
        if (depends_on_state(op(i))) return false;
    return true;
}

/// Calls `then` where `it` is the set of the first part of the node `among`.
template <class Then>
auto Implied::within(std::size_t among, Then&& then) const {
    const std::optional<std::size_t> outer = it_;
    it_ = part(among, 0);
    auto result = then(part(among, 1));
    it_ = outer;
    return result;
}

/// All that may be in the set of the node, at any state.
Ties Implied::universe(std::size_t at) const {
    if (is_certain(at)) return certain(at);
    if (const auto chosen = chosen_.find(at); chosen != chosen_.end()) return chosen->second;
    Ties all;
    const auto add = [&](const Ties& more) {
        for (const Candidate& c : more)
            if (std::find(all.begin(), all.end(), c) == all.end()) all.add(c);
    };
    if (narrows(op(at))) return universe(part(at, 0));
    switch (op(at)) {
        case Op::it:
            require(it_.has_value(), "`it` stands within `among`");
            return universe(*it_);
        case Op::mix:
            if (const auto branch = branch_.find(at); branch != branch_.end())
                return universe(part(at, branch->second));
            [[fallthrough]];
        case Op::unite:
        case Op::first_of:
            add(universe(part(at, 0))), add(universe(part(at, 1)));
            return all;
        case Op::when:
            add(universe(part(at, 1))), add(universe(part(at, 2)));
            return all;
        case Op::among:
            return within(at, [&](std::size_t inner) { return universe(inner); });
        case Op::intersect:
        case Op::where:
            return universe(part(at, 0));
        case Op::planned:
            for (const Candidate& c : plan_->splits[asker_.type.index()].candidates) add(c);
            return all;
        default:
            throw LimitExceeded("what an answer implies", std::string("nothing is derived for `") +
                                                              std::string(language::operation(op(at)).written) + "`");
    }
}

std::vector<Candidate> Implied::candidates() const {
    const Ties all = universe(tree_->root());
    std::vector<Candidate> met(all.begin(), all.end());
    std::erase_if(met, [&](const Candidate& c) { return contains(c).empty(); });
    std::sort(met.begin(), met.end());
    return met;
}
Cases Implied::contains(const Candidate& c) const { return contains(tree_->root(), c); }
Cases Implied::empty() const { return empty(tree_->root()); }

Cases Implied::declines() const {
    Cases all = empty();
    for (const Candidate& c : candidates()) {
        none_waits_ = c.queue;
        all = disjunction(std::move(all), conjunction(contains(c), {{none_waits(c.queue)}}));
        none_waits_.reset();
    }
    return all;
}

Cases Implied::contains(std::size_t at, const Candidate& c) const {
    const Ties all = universe(at);
    if (std::find(all.begin(), all.end(), c) == all.end()) return {};
    if (is_certain(at) || chosen_.contains(at)) return always();
    switch (op(at)) {
        case Op::it:
            return contains(*it_, c);
        case Op::unite:
            return disjunction(contains(part(at, 0), c), contains(part(at, 1), c));
        case Op::intersect:
            return conjunction(contains(part(at, 0), c), contains(part(at, 1), c));
        case Op::where:
            return conjunction(contains(part(at, 0), c), holds(part(at, 1), c));
        case Op::argmin:
        case Op::argmax:
            return is_extreme(part(at, 0), part(at, 1), op(at) == Op::argmax, c);
        case Op::most_local:
            return is_nearest(part(at, 0), c);
        case Op::first_of:
            return disjunction(contains(part(at, 0), c), conjunction(empty(part(at, 0)), contains(part(at, 1), c)));
        case Op::when:
            return disjunction(conjunction(holds(part(at, 0), {}), contains(part(at, 1), c)),
                               conjunction(fails(part(at, 0), {}), contains(part(at, 2), c)));
        case Op::mix:
            if (const auto branch = branch_.find(at); branch != branch_.end())
                return contains(part(at, branch->second), c);
            return disjunction(contains(part(at, 0), c), contains(part(at, 1), c));
        case Op::among:
            return within(at, [&](std::size_t inner) { return contains(inner, c); });
        case Op::best:
            if ((*tree_)[at].a == 1) return is_extreme(part(at, 0), part(at, 1), false, c);
            return contains(part(at, 0), c);
        case Op::preferred:
            return is_preferred(at, c);
        default:
            return narrows(op(at)) ? contains(part(at, 0), c) : always();
    }
}

/// The candidate is in the set, and no nearer member is.
Cases Implied::is_nearest(std::size_t set, const Candidate& c) const {
    Cases cases = contains(set, c);
    for (const Candidate& nearer : universe(set))
        if (nearer.level < c.level) cases = conjunction(cases, lacks(set, nearer));
    return cases;
}

/// The candidate is in the set, and where one is wanted, no member stands before it in the type's order.
Cases Implied::is_preferred(std::size_t at, const Candidate& c) const {
    const std::size_t set = part(at, 0);
    Cases cases = contains(set, c);
    if ((*tree_)[at].a > 1) return cases;
    for (const Candidate& other : universe(set))
        if (stands_before(other, c)) cases = conjunction(cases, lacks(set, other));
    return cases;
}

Cases Implied::lacks(std::size_t at, const Candidate& c) const {
    const Ties all = universe(at);
    if (std::find(all.begin(), all.end(), c) == all.end()) return always();
    if (is_certain(at) || chosen_.contains(at)) return {};
    switch (op(at)) {
        case Op::it:
            return lacks(*it_, c);
        case Op::unite:
            return conjunction(lacks(part(at, 0), c), lacks(part(at, 1), c));
        case Op::intersect:
            return disjunction(lacks(part(at, 0), c), lacks(part(at, 1), c));
        case Op::where:
            return disjunction(lacks(part(at, 0), c), fails(part(at, 1), c));
        case Op::argmin:
        case Op::argmax:
            return is_beaten(at, c);
        case Op::first_of:
            return disjunction(lacks(part(at, 0), c), conjunction(empty(part(at, 0)), lacks(part(at, 1), c)));
        case Op::when:
            return disjunction(conjunction(holds(part(at, 0), {}), lacks(part(at, 1), c)),
                               conjunction(fails(part(at, 0), {}), lacks(part(at, 2), c)));
        default:
            return always();
    }
}

/// Of argmin and argmax: another member's key is strictly better, or the candidate is no member.
Cases Implied::is_beaten(std::size_t at, const Candidate& c) const {
    const std::size_t set = part(at, 0), key = part(at, 1);
    Cases cases = lacks(set, c);
    const auto mine = bounds(key, c);
    for (const Candidate& d : universe(set)) {
        if (d == c) continue;
        const auto theirs = bounds(key, d);
        if (!mine || !theirs) return always();
        for (const Bounds& a : *mine)
            for (const Bounds& b : *theirs) {
                const LinearForm better = op(at) == Op::argmin ? a.high - b.low : b.high - a.low;
                cases = disjunction(std::move(cases), conjunction(conjunction(contains(set, d), {{above_zero(better)}}),
                                                                  {a.where, b.where}));
            }
    }
    return cases;
}

Cases Implied::empty(std::size_t at) const {
    if (is_certain(at)) return certain(at).empty() ? always() : Cases{};
    if (const auto chosen = chosen_.find(at); chosen != chosen_.end())
        return chosen->second.empty() ? always() : Cases{};
    if (narrows(op(at))) return empty(part(at, 0));
    switch (op(at)) {
        case Op::it:
            return empty(*it_);
        case Op::unite:
        case Op::first_of:
            return conjunction(empty(part(at, 0)), empty(part(at, 1)));
        case Op::where:
            return none_passes(at);
        case Op::when:
            return disjunction(conjunction(holds(part(at, 0), {}), empty(part(at, 1))),
                               conjunction(fails(part(at, 0), {}), empty(part(at, 2))));
        case Op::mix:
            if (const auto branch = branch_.find(at); branch != branch_.end()) return empty(part(at, branch->second));
            return disjunction(empty(part(at, 0)), empty(part(at, 1)));
        case Op::among:
            return within(at, [&](std::size_t inner) { return empty(inner); });
        default:
            return always();
    }
}

/// where(A, t) is empty: of a certain A every member fails; of another one, A is empty or some member fails.
Cases Implied::none_passes(std::size_t at) const {
    const std::size_t set = part(at, 0), test = part(at, 1);
    if (is_certain(set)) {
        Cases cases = always();
        for (const Candidate& c : certain(set)) cases = conjunction(cases, fails(test, c));
        return cases;
    }
    Cases cases = empty(set);
    for (const Candidate& c : universe(set))
        cases = disjunction(std::move(cases), conjunction(contains(set, c), fails(test, c)));
    return cases;
}

/// The candidate is in the set, and no member has a better key. Of a rival that is a member in all states, that is a
/// premise. With others, either the candidate's key is as good as that of all that may be members, or a rival with the
/// best key of them is no member. What the second case implies of each queue alone is often all that matters: a queue
/// without a waiting task is short, and so are those whose keys are less than its. It also keeps the rivals' premises,
/// weakened by the most that an absent rival's key can exceed the candidate's.
Cases Implied::is_extreme(std::size_t set, std::size_t key, bool greatest, const Candidate& c) const {
    const Extreme asked(set, key, greatest, c, it_, none_waits_);
    if (const auto known = extremes_.find(asked); known != extremes_.end()) return known->second;
    return extremes_.emplace(asked, find_extreme(set, key, greatest, c)).first->second;
}

Cases Implied::find_extreme(std::size_t set, std::size_t key, bool greatest, const Candidate& c) const {
    const Cases member = contains(set, c);
    const auto mine = bounds(key, c);
    if (!mine || member.empty()) return member;
    const std::vector<Rival> rivals = rivals_of(set, key, c);
    Cases cases;
    for (const Bounds& a : *mine) {
        Premises best = a.where;
        for (const Rival& rival : rivals) best.push_back(rival.not_better_than(a.low, a.high, greatest));
        cases.push_back(best);
        const auto common = common_ranges(
            led_by_absent(rivals, greatest, member.size() == 1 ? member.front() : Premises()), layout_->queues());
        if (!common) continue;
        Premises weakened = a.where;
        for (std::size_t i = 0; i < rivals.size(); ++i) {
            if ((*common)[rivals[i].queue.index()].most) continue;  // it is short, and no more is needed
            const LinearForm& premise = best[a.where.size() + i];
            std::optional<Rational> slack(0);
            for (const Premises& absent : rivals[i].absent) {
                const std::optional<Rational> value = least_value(premise, ranges(absent, layout_->queues()));
                slack = slack && value ? std::optional(std::max(*slack, -*value)) : std::nullopt;
            }
            if (slack) weakened.push_back(premise + LinearForm(*slack));
        }
        const Premises short_queues = as_premises(*common);
        weakened.insert(weakened.end(), short_queues.begin(), short_queues.end());
        cases.push_back(std::move(weakened));
    }
    return conjunction(member, cases);
}

LinearForm Implied::Rival::not_better_than(const LinearForm& others_low, const LinearForm& others_high,
                                           bool greatest) const {
    return greatest ? others_high - low : high - others_low;
}

/// The other candidates of the set whose keys are known, and what holds where they are no members.
std::vector<Implied::Rival> Implied::rivals_of(std::size_t set, std::size_t key, const Candidate& c) const {
    std::vector<Rival> rivals;
    for (const Candidate& d : universe(set)) {
        if (d == c) continue;
        const auto theirs = bounds(key, d);
        if (theirs && theirs->size() == 1 && theirs->front().where.empty())
            rivals.push_back({d.queue, theirs->front().low, theirs->front().high, lacks(set, d)});
    }
    return rivals;
}

/// A rival has the best key of all and is no member, and `known` holds.
Cases Implied::led_by_absent(const std::vector<Rival>& rivals, bool greatest, const Premises& known) {
    Cases cases;
    for (const Rival& leader : rivals)
        for (const Premises& absent : leader.absent) {
            cases.push_back(absent);
            for (const Rival& other : rivals)
                if (&other != &leader) cases.back().push_back(other.not_better_than(leader.low, leader.high, greatest));
            cases.back().insert(cases.back().end(), known.begin(), known.end());
        }
    return cases;
}

}  // namespace schedproof::queueing
