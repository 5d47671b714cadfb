/// Three kinds of nodes are told apart.
///
/// A set is certain where its expression mentions nothing that a state decides. Such sets are computed by the evaluator
/// itself, and so are keys: run on affine numbers that refuse to be compared, it returns the key as a form in the lengths.
/// Only values over sets, as `least(A, key)`, compare; for each the member that attains it is chosen in turn, under the
/// premise that no other member's key is less.
///
/// Everything else is a set whose members depend on the state, for which the recursion below says what membership,
/// absence and emptiness imply. Conjunctions of disjunctions multiply out, up to `most_cases`.
///
/// Draws on the way from the root to the answer happen once per decision, so their outcomes can be taken apart (`drawn`);
/// inside keys and tests a draw is repeated per candidate, and only what holds for all outcomes is used.
#include "proofs/queueing/theorems/summands/implied.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "model/core/errors.hpp"
#include "model/queueing/view.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::queueing {

using explore::Affine;
using language::Asker;
using language::Tree;
using proof::LinearForm;
using proof::Variable;

namespace {


const Cases always{Premises{}};

/// Both hold.
Cases both(const Cases& a, const Cases& b) {
    Cases all;
    for (const Premises& first : a)
        for (const Premises& second : b) {
            if (all.size() == Implied::most_cases)
                throw LimitExceeded("cases of a rule", "its answer implies one of more than 5000 lists of premises");
            all.push_back(first);
            all.back().insert(all.back().end(), second.begin(), second.end());
        }
    return all;
}

/// One holds. A case without premises makes the others idle.
Cases either(Cases a, const Cases& b) {
    a.insert(a.end(), b.begin(), b.end());
    if (std::any_of(a.begin(), a.end(), [](const Premises& p) { return p.empty(); })) return always;
    return a;
}

/// form > 0 for integer lengths, as a form that is at least 0.
LinearForm above_zero(const LinearForm& form) {
    std::vector<Rational> numbers{form.constant()};
    for (const auto& [queue, c] : form.terms()) numbers.push_back(c);
    return form - LinearForm(Rational(Integer(1), common_denominator(numbers)));
}

/// The least value of a form on the ranges, if there is one.
std::optional<Rational> least(const LinearForm& form, const std::vector<Range>& ranges) {
    Rational value = form.constant();
    for (const auto& [queue, c] : form.terms()) {
        const Range& range = ranges[queue];
        if (c.sign() < 0 && !range.most) return std::nullopt;
        value += c * (c.sign() > 0 ? range.least : *range.most);
    }
    return value;
}

}  // namespace

std::vector<Range> ranges(const Premises& premises, std::size_t queues) {
    std::vector<Range> known(queues, Range{Rational(0), std::nullopt});
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round)
        for (const LinearForm& form : premises)
            for (const auto& [queue, c] : form.terms()) {
                // c Q >= -(rest), and -(rest) is at least the least value of the negated rest.
                const LinearForm rest = form - c * LinearForm::variable(queue);
                const std::optional<Rational> at_least = least(-rest, known);
                if (!at_least) continue;
                const Rational bound = *at_least / c;
                Range& range = known[queue];
                if (c.sign() > 0 && bound > range.least) range.least = bound;
                if (c.sign() < 0 && (!range.most || bound < *range.most)) range.most = bound;
            }
    return known;
}

Premises as_premises(const std::vector<Range>& ranges) {
    Premises premises;
    for (std::size_t q = 0; q < ranges.size(); ++q)
        if (ranges[q].most) premises.push_back(LinearForm(*ranges[q].most) - length_of(QueueId(q)));
    return premises;
}

std::vector<Range> common_ranges(const Cases& cases, std::size_t queues) {
    std::vector<Range> common;
    for (const Premises& premises : cases) {
        const std::vector<Range> here = ranges(premises, queues);
        if (std::any_of(here.begin(), here.end(), [](const Range& range) { return range.most && *range.most < range.least; }))
            continue;  // no length is in it
        if (common.empty()) {
            common = here;
            continue;
        }
        for (std::size_t q = 0; q < queues; ++q) {
            if (here[q].least < common[q].least) common[q].least = here[q].least;
            if (!here[q].most || !common[q].most)
                common[q].most.reset();
            else if (*here[q].most > *common[q].most)
                common[q].most = here[q].most;
        }
    }
    return common;
}

// ---- keys ----

/// Keys of candidates as forms: the evaluator on lengths that cannot be compared.
class Implied::Keys {
  public:
    struct Incomparable {};
    using Number = Affine;

    Keys(const Instance& instance, const Layout& layout, const PlanData* plan)
        : weights_(instance), decider_(space_), view_(instance, layout, weights_, lengths_, nobody_, memory_, plan) {
        for (const QueueId q : IdRange<QueueId>(layout.queues())) lengths_.emplace_back(length_of(q), &decider_);
        nobody_.assign(layout.queues(), 0);
    }
    Keys(const Keys&) = delete;
    Keys& operator=(const Keys&) = delete;

    /// Lengths stand for what `length` counts, and an idle server may choose any queue.
    class View : public queueing::View<Affine> {
      public:
        using queueing::View<Affine>::View;
        [[nodiscard]] static bool conserved() { return false; }
        [[nodiscard]] static bool has_work(QueueId) { throw Incomparable{}; }
    };
    using Quantity = language::Amount<Affine>;
    using Values = std::map<std::size_t, Quantity>;  ///< by node over a set
    struct Attained {
        const Values* values = nullptr;
        [[nodiscard]] static bool knows_set(std::size_t) { return false; }
        [[nodiscard]] static Ties set(std::size_t) { return {}; }
        [[nodiscard]] bool knows_value(std::size_t at) const { return values->contains(at); }
        [[nodiscard]] Quantity value(std::size_t at) const { return values->at(at); }
    };

    [[nodiscard]] Quantity amount(const Tree& tree, Asker asker, std::size_t at, const Candidate& c,
                                  const Values& attained) const {
        language::NoRandomness none;
        return language::Evaluation<View, language::NoRandomness, Attained>(tree, view_, asker, none, {&attained})
            .amount(at, c);
    }
    [[nodiscard]] Ties set(const Tree& tree, Asker asker, std::size_t at) const {
        language::NoRandomness none;
        return language::Evaluation<View, language::NoRandomness>(tree, view_, asker, none).set_at(at);
    }

  private:
    class Refusal final : public explore::Decider {
      public:
        using Decider::Decider;

      private:
        [[nodiscard]] bool choose(const proof::Atom&) override { throw Incomparable{}; }
    };

    Weights<Affine> weights_;
    proof::Space space_;
    Refusal decider_;
    Vector<Affine> lengths_;
    Vector<std::uint32_t> nobody_;
    std::vector<Affine> memory_;
    View view_;
};

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

bool is_value_over_set(language::Op op) { return language::is_value(language::operation(op)); }

}  // namespace

Implied::Implied(const Instance& instance, const Layout& layout, const Tree& tree, Asker asker,
                 std::vector<std::uint32_t> executing, const PlanData* plan)
    : instance_(&instance),
      layout_(&layout),
      tree_(&tree),
      asker_(asker),
      executing_(std::move(executing)),
      plan_(plan),
      keys_(std::make_shared<const Keys>(instance, layout, plan)) {}

/// The key's value at the candidate as a form in what `length` counts, for each choice of the members that attain the
/// values over sets in it; nothing where that is not derived.
std::optional<std::vector<Implied::Valued>> Implied::values(std::size_t key, const Candidate& c) const {
    std::vector<std::pair<Premises, Keys::Values>> ways(1);
    for (std::size_t at = key + 1; at-- > key + 1 - (*tree_)[key].span;) {
        if (!is_value_over_set(op(at))) continue;
        const bool attained = op(at) == Op::least || op(at) == Op::greatest;
        if (!attained && is_certain(part(at, 0))) continue;  // the evaluator adds them up
        if (!attained) return std::nullopt;
        std::vector<std::pair<Premises, Keys::Values>> more;
        for (const Candidate& d : universe(part(at, 0))) {
            const auto here = values(part(at, 1), d);
            if (!here) return std::nullopt;
            for (const Premises& attains : is_extreme(part(at, 0), part(at, 1), op(at) == Op::greatest, d))
                for (const Valued& value : *here)
                    for (const auto& [where, known] : ways) {
                        if (more.size() == most_cases) return std::nullopt;
                        more.emplace_back(where, known);
                        for (const Premises* premises : {&attains, &value.where})
                            more.back().first.insert(more.back().first.end(), premises->begin(), premises->end());
                        more.back().second.emplace(at, Keys::Quantity{Affine(value.form, nullptr)});
                    }
        }
        ways = std::move(more);
        at -= (*tree_)[at].span - 1U;  // what is inside is done
    }
    std::vector<Valued> all;
    for (const auto& [where, known] : ways) {
        try {
            const Keys::Quantity value = keys_->amount(*tree_, asker_, key, c, known);
            all.push_back({where, Rational(1, value.over) * value.value.form()});
        } catch (const Keys::Incomparable&) {
            return std::nullopt;
        } catch (const LimitExceeded&) {  // a cost of a higher degree
            return std::nullopt;
        }
    }
    return all;
}

/// What the value lies between. Of a queue whose waiting tasks the key counts, those in execution are 0 to a bound.
std::optional<std::vector<Implied::Bounds>> Implied::bounds(std::size_t key, const Candidate& c) const {
    const auto exact = values(key, c);
    if (!exact) return std::nullopt;
    bool waiting = instance_->options().counting == Counting::waiting;
    for (std::size_t at = key + 1 - (*tree_)[key].span; at <= key; ++at) waiting = waiting || op(at) == Op::servable;
    std::vector<Bounds> all;
    for (const Valued& value : *exact) {
        Bounds here{value.where, value.form, value.form};
        if (waiting)
            for (const auto& [queue, coefficient] : value.form.terms())
                (coefficient.sign() > 0 ? here.low : here.high) -=
                    LinearForm(coefficient * Rational(executing_[queue]));
        all.push_back(std::move(here));
    }
    return all;
}

// ---- sets ----

bool Implied::is_certain(std::size_t at) const {
    for (std::size_t i = at + 1 - (*tree_)[at].span; i <= at; ++i)
        if (depends_on_state(op(i))) return false;
    return true;
}

Ties Implied::certain(std::size_t at) const { return keys_->set(*tree_, asker_, at); }

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
    switch (op(at)) {
        case Op::it:
            require(it_.has_value(), "`it` stands within `among`");
            return universe(*it_);
        case Op::unite:
        case Op::first_of:
            add(universe(part(at, 0))), add(universe(part(at, 1)));
            return all;
        case Op::intersect: {
            const Ties other = universe(part(at, 1));
            return universe(part(at, 0)).where([&](const Candidate& c) {
                return std::find(other.begin(), other.end(), c) != other.end();
            });
        }
        case Op::when:
            add(universe(part(at, 1))), add(universe(part(at, 2)));
            return all;
        case Op::mix:
            if (const auto branch = branch_.find(at); branch != branch_.end()) return universe(part(at, branch->second));
            add(universe(part(at, 0))), add(universe(part(at, 1)));
            return all;
        case Op::among:
            return within(at, [&](std::size_t inner) { return universe(inner); });
        case Op::where:
        case Op::argmin:
        case Op::argmax:
        case Op::most_local:
            return universe(part(at, 0));
        case Op::lowest:
        case Op::sample:
        case Op::best:
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
        const LinearForm none_waits = LinearForm(Rational(executing_[c.queue.index()])) - length_of(c.queue);
        all = either(std::move(all), both(contains(c), {{none_waits}}));
    }
    return all;
}

Cases Implied::contains(std::size_t at, const Candidate& c) const {
    const Ties all = universe(at);
    if (std::find(all.begin(), all.end(), c) == all.end()) return {};
    if (is_certain(at) || chosen_.contains(at)) return always;
    switch (op(at)) {
        case Op::it:
            return contains(*it_, c);
        case Op::unite:
            return either(contains(part(at, 0), c), contains(part(at, 1), c));
        case Op::intersect:
            return both(contains(part(at, 0), c), contains(part(at, 1), c));
        case Op::where:
            return both(contains(part(at, 0), c), holds(part(at, 1), c));
        case Op::argmin:
        case Op::argmax:
            return is_extreme(part(at, 0), part(at, 1), op(at) == Op::argmax, c);
        case Op::most_local: {
            Cases cases = contains(part(at, 0), c);
            for (const Candidate& nearer : universe(part(at, 0)))
                if (nearer.level < c.level) cases = both(cases, lacks(part(at, 0), nearer));
            return cases;
        }
        case Op::first_of:
            return either(contains(part(at, 0), c), both(empty(part(at, 0)), contains(part(at, 1), c)));
        case Op::when:
            return either(both(holds(part(at, 0), {}), contains(part(at, 1), c)),
                          both(fails(part(at, 0), {}), contains(part(at, 2), c)));
        case Op::mix:
            if (const auto branch = branch_.find(at); branch != branch_.end())
                return contains(part(at, branch->second), c);
            return either(contains(part(at, 0), c), contains(part(at, 1), c));
        case Op::among:
            return within(at, [&](std::size_t inner) { return contains(inner, c); });
        case Op::best:
            if ((*tree_)[at].a == 1) return is_extreme(part(at, 0), part(at, 1), false, c);
            return contains(part(at, 0), c);
        case Op::lowest:
        case Op::sample:
            return contains(part(at, 0), c);
        default:
            return always;
    }
}

Cases Implied::lacks(std::size_t at, const Candidate& c) const {
    const Ties all = universe(at);
    if (std::find(all.begin(), all.end(), c) == all.end()) return always;
    if (is_certain(at) || chosen_.contains(at)) return {};
    switch (op(at)) {
        case Op::it:
            return lacks(*it_, c);
        case Op::unite:
            return both(lacks(part(at, 0), c), lacks(part(at, 1), c));
        case Op::intersect:
            return either(lacks(part(at, 0), c), lacks(part(at, 1), c));
        case Op::where:
            return either(lacks(part(at, 0), c), fails(part(at, 1), c));
        case Op::argmin:
        case Op::argmax:
            return is_beaten(at, c);
        case Op::first_of:
            return either(lacks(part(at, 0), c), both(empty(part(at, 0)), lacks(part(at, 1), c)));
        case Op::when:
            return either(both(holds(part(at, 0), {}), lacks(part(at, 1), c)),
                          both(fails(part(at, 0), {}), lacks(part(at, 2), c)));
        default:
            return always;
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
        if (!mine || !theirs) return always;
        for (const Bounds& a : *mine)
            for (const Bounds& b : *theirs) {
                const LinearForm better = op(at) == Op::argmin ? a.high - b.low : b.high - a.low;
                cases = either(std::move(cases), both(both(contains(set, d), {{above_zero(better)}}), {a.where, b.where}));
            }
    }
    return cases;
}

Cases Implied::empty(std::size_t at) const {
    if (is_certain(at)) return certain(at).empty() ? always : Cases{};
    if (const auto chosen = chosen_.find(at); chosen != chosen_.end())
        return chosen->second.empty() ? always : Cases{};
    switch (op(at)) {
        case Op::it:
            return empty(*it_);
        case Op::unite:
        case Op::first_of:
            return both(empty(part(at, 0)), empty(part(at, 1)));
        case Op::where:
            return none_passes(at);
        case Op::argmin:
        case Op::argmax:
        case Op::most_local:
        case Op::lowest:
        case Op::sample:
        case Op::best:
            return empty(part(at, 0));
        case Op::when:
            return either(both(holds(part(at, 0), {}), empty(part(at, 1))), both(fails(part(at, 0), {}), empty(part(at, 2))));
        case Op::mix:
            if (const auto branch = branch_.find(at); branch != branch_.end()) return empty(part(at, branch->second));
            return either(empty(part(at, 0)), empty(part(at, 1)));
        case Op::among:
            return within(at, [&](std::size_t inner) { return empty(inner); });
        default:
            return always;
    }
}

/// where(A, t) is empty: of a certain A every member fails; of another one, A is empty or some member fails.
Cases Implied::none_passes(std::size_t at) const {
    const std::size_t set = part(at, 0), test = part(at, 1);
    if (is_certain(set)) {
        Cases cases = always;
        for (const Candidate& c : certain(set)) cases = both(cases, fails(test, c));
        return cases;
    }
    Cases cases = empty(set);
    for (const Candidate& c : universe(set)) cases = either(std::move(cases), both(contains(set, c), fails(test, c)));
    return cases;
}

/// The candidate is in the set, and no member has a better key. Of a rival that is a member in all states, that is a
/// premise. With others, either the candidate's key is as good as that of all that may be members, or a rival with the best
/// key of them is no member. What the second case implies of each queue alone is often all that matters: a queue without
/// a waiting task is short, and so are those whose keys are less than its. It also keeps the rivals' premises, weakened
/// by the most that an absent rival's key can exceed the candidate's.
Cases Implied::is_extreme(std::size_t set, std::size_t key, bool greatest, const Candidate& c) const {
    const Cases member = contains(set, c);
    const auto mine = bounds(key, c);
    if (!mine || member.empty()) return member;
    struct Rival {
        QueueId queue;
        LinearForm low, high;
        Cases absent;
    };
    std::vector<Rival> rivals;
    for (const Candidate& d : universe(set)) {
        if (d == c) continue;
        const auto theirs = bounds(key, d);
        if (theirs && theirs->size() == 1 && theirs->front().where.empty())
            rivals.push_back({d.queue, theirs->front().low, theirs->front().high, lacks(set, d)});
    }
    const auto not_better = [&](const LinearForm& low, const LinearForm& high, const Rival& than) {
        return greatest ? high - than.low : than.high - low;
    };
    Cases cases;
    for (const Bounds& a : *mine) {
        Premises best = a.where;
        for (const Rival& rival : rivals) best.push_back(not_better(a.low, a.high, rival));
        cases.push_back(best);
        Cases beaten;  // by a rival that has the best key and is absent
        for (const Rival& rival : rivals)
            for (const Premises& absent : rival.absent) {
                Premises leads = absent;
                for (const Rival& other : rivals)
                    if (&other != &rival) leads.push_back(not_better(rival.low, rival.high, other));
                if (member.size() == 1) leads.insert(leads.end(), member.front().begin(), member.front().end());
                beaten.push_back(std::move(leads));
            }
        if (beaten.empty()) continue;
        const std::vector<Range> common = common_ranges(beaten, layout_->queues());
        Premises weakened = a.where;
        for (std::size_t i = 0; i < rivals.size(); ++i) {
            if (common[rivals[i].queue.index()].most) continue;  // it is short, and no more is needed
            const LinearForm& premise = best[a.where.size() + i];
            std::optional<Rational> slack(0);
            for (const Premises& absent : rivals[i].absent) {
                const std::optional<Rational> value = least(premise, ranges(absent, layout_->queues()));
                slack = slack && value ? std::optional(std::max(*slack, -*value)) : std::nullopt;
            }
            if (slack) weakened.push_back(premise + LinearForm(*slack));
        }
        const Premises short_queues = as_premises(common);
        weakened.insert(weakened.end(), short_queues.begin(), short_queues.end());
        cases.push_back(std::move(weakened));
    }
    return both(member, cases);
}

// ---- tests ----

Cases Implied::compared(std::size_t smaller, std::size_t larger, bool strictly, const Candidate& c) const {
    const auto low = bounds(smaller, c), high = bounds(larger, c);
    if (!low || !high) return always;
    Cases cases;
    for (const Bounds& a : *low)
        for (const Bounds& b : *high) {
            const LinearForm difference = b.high - a.low;
            if (difference.is_constant()) {
                const int sign = difference.constant().sign();
                if (sign < 0 || (strictly && sign == 0)) continue;
                cases = either(std::move(cases), both({a.where}, {b.where}));
            } else {
                cases = either(std::move(cases),
                               both(both({a.where}, {b.where}), {{strictly ? above_zero(difference) : difference}}));
            }
        }
    return cases;
}

Cases Implied::holds(std::size_t test, const Candidate& c) const {
    switch (op(test)) {
        case Op::has_work:
            return {{length_of(c.queue) - LinearForm(Rational(1))}};
        case Op::less:
        case Op::less_equal:
            return compared(part(test, 0), part(test, 1), op(test) == Op::less, c);
        case Op::equal:
            return both(compared(part(test, 0), part(test, 1), false, c), compared(part(test, 1), part(test, 0), false, c));
        case Op::both:
            return both(holds(part(test, 0), c), holds(part(test, 1), c));
        case Op::either:
            return either(holds(part(test, 0), c), holds(part(test, 1), c));
        case Op::negation:
            return fails(part(test, 0), c);
        default:
            return always;
    }
}

Cases Implied::fails(std::size_t test, const Candidate& c) const {
    switch (op(test)) {
        case Op::has_work: {
            const bool conserved = instance_->options().empty_target == EmptyTarget::conserved;
            return {{LinearForm(Rational(conserved ? executing_[c.queue.index()] : 0)) - length_of(c.queue)}};
        }
        case Op::less:
        case Op::less_equal:
            return compared(part(test, 1), part(test, 0), op(test) == Op::less_equal, c);
        case Op::equal:
            return either(compared(part(test, 0), part(test, 1), true, c), compared(part(test, 1), part(test, 0), true, c));
        case Op::both:
            return either(fails(part(test, 0), c), fails(part(test, 1), c));
        case Op::either:
            return both(fails(part(test, 0), c), fails(part(test, 1), c));
        case Op::negation:
            return holds(part(test, 0), c);
        default:
            return always;
    }
}

// ---- draws ----

/// The nodes that draw on the way from the node to its set, each at most once per decision, and whose outcomes do not
/// depend on the state.
std::vector<std::size_t> Implied::choices(std::size_t at) const {
    std::vector<std::size_t> met;
    if ((op(at) == Op::sample && is_certain(part(at, 0))) || op(at) == Op::mix || op(at) == Op::planned)
        met.push_back(at);
    for (std::size_t k = 0; k < (*tree_)[at].children; ++k)
        if (language::operation(op(part(at, k))).sort == language::Sort::set)
            for (const std::size_t inner : choices(part(at, k))) met.push_back(inner);
    return met;
}

std::vector<std::pair<Rational, Implied>> Implied::drawn() const {
    std::vector<std::pair<Rational, Implied>> all{{Rational(1), *this}};
    for (const std::size_t at : choices(tree_->root())) {
        std::vector<std::pair<Rational, Implied>> more;
        const auto extend = [&](const Rational& probability, const std::function<void(Implied&)>& choose) {
            for (const auto& [before, rule] : all) {
                if (more.size() == most_cases)
                    throw LimitExceeded("draws of a rule", "it draws one of more than 5000 outcomes");
                more.emplace_back(before * probability, rule);
                choose(more.back().second);
            }
        };
        const language::Node& node = (*tree_)[at];
        if (op(at) == Op::mix) {
            const Rational first(node.a, node.b);
            extend(first, [&](Implied& rule) { rule.branch_.emplace(at, 0); });
            extend(Rational(1) - first, [&](Implied& rule) { rule.branch_.emplace(at, 1); });
        } else if (op(at) == Op::planned) {
            const Split& split = plan_->splits[asker_.type.index()];
            for (std::size_t i = 0; i < split.candidates.size(); ++i)
                extend(split.distribution.probability(i),
                       [&](Implied& rule) { rule.chosen_.emplace(at, split.candidates[i]); });
        } else {
            const Ties from = certain(part(at, 0));
            const std::size_t count = std::min(from.size(), static_cast<std::size_t>(node.a));
            std::vector<bool> taken(from.size(), false);
            std::fill(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(count), true);
            std::vector<Ties> subsets;
            do {
                Ties subset;
                for (std::size_t i = 0; i < from.size(); ++i)
                    if (taken[i]) subset.add(from[i]);
                subsets.push_back(std::move(subset));
                if (subsets.size() > most_cases)
                    throw LimitExceeded("draws of a rule", "it draws one of more than 5000 sets");
            } while (std::prev_permutation(taken.begin(), taken.end()));
            for (const Ties& subset : subsets)
                extend(Rational(1, static_cast<std::int64_t>(subsets.size())),
                       [&](Implied& rule) { rule.chosen_.emplace(at, subset); });
        }
        all = std::move(more);
    }
    return all;
}

}  // namespace schedproof::queueing
