/// Keys of candidates, and sets that are the same in all states, by the evaluator itself.
///
/// Run on affine numbers that refuse to be compared, it returns a key as a form in the lengths. What compares is given
/// to it. Of values over sets, as `least(A, key)`, the member that attains it is chosen in turn, under the premise that
/// no other member's key is less; of `minimum(a, b)` and `maximum(a, b)` each part in turn, under the premise that the
/// other is not better. A key whose cost has a higher degree has no form.
#include "proofs/queueing/theorems/summands/implied_keys.hpp"

#include "model/core/errors.hpp"

namespace schedproof::queueing {

using explore::Affine;
using language::Asker;
using language::Tree;
using proof::LinearForm;

namespace {

bool is_value_over_set(language::Op op) { return language::is_value(language::operation(op)); }
bool is_of_two(language::Op op) { return op == language::Op::minimum || op == language::Op::maximum; }

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

bool Implied::stands_before(const Candidate& a, const Candidate& b) const {
    const auto place = [&](const Candidate& c) { return std::pair(keys_->view().place(asker_.type, c), c.queue); };
    return place(a) < place(b);
}

Ties Implied::certain(std::size_t at) const { return keys_->set(*tree_, asker_, at); }

/// The key's value at the candidate as a form in what `length` counts, for each choice of the members that attain the
/// values over sets in it; nothing where that is not derived.
std::optional<std::vector<Implied::Valued>> Implied::values(std::size_t key, const Candidate& c) const {
    Ways ways(1);
    for (std::size_t at = key + 1; at-- > key + 1 - (*tree_)[key].span;) {
        std::optional<Ways> more;
        if (is_of_two(op(at))) {
            more = chosen_of_two(at, c, ways);
        } else if (op(at) == Op::least || op(at) == Op::greatest) {
            more = attained(at, ways);
        } else {
            // The evaluator adds up what is certain.
            const bool sum = is_value_over_set(op(at));
            if (sum && (!is_certain(part(at, 0)) || holds_of_two(part(at, 1)))) return std::nullopt;
            continue;
        }
        if (!more) return std::nullopt;
        ways = *std::move(more);
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

/// Whether the key compares two in it, which may come out otherwise at each candidate.
bool Implied::holds_of_two(std::size_t key) const {
    for (std::size_t at = key + 1 - (*tree_)[key].span; at <= key; ++at)
        if (is_of_two(op(at))) return true;
    return false;
}

/// The ways with each member chosen that may attain `least` or `greatest`; nothing where that is not derived.
std::optional<Implied::Ways> Implied::attained(std::size_t at, const Ways& ways) const {
    Ways more;
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
    return more;
}

/// The ways with each part of `minimum` or `maximum` chosen at the candidate; nothing where that is not derived.
std::optional<Implied::Ways> Implied::chosen_of_two(std::size_t at, const Candidate& c, const Ways& ways) const {
    const auto first = values(part(at, 0), c), second = values(part(at, 1), c);
    if (!first || !second) return std::nullopt;
    Ways more;
    const auto choose = [&](const Valued& taken, const Valued& other) {
        LinearForm ahead = op(at) == Op::maximum ? taken.form - other.form : other.form - taken.form;
        ahead = bounds_of({{}, std::move(ahead)}, counts_waiting(at)).high;
        if (ahead.is_constant() && ahead.constant().sign() < 0) return;
        for (auto [where, known] : ways) {
            for (const Premises* premises : {&taken.where, &other.where})
                where.insert(where.end(), premises->begin(), premises->end());
            if (!ahead.is_constant()) where.push_back(ahead);
            known.emplace(at, Keys::Quantity{Affine(taken.form, nullptr)});
            more.emplace_back(std::move(where), std::move(known));
        }
    };
    for (const Valued& a : *first)
        for (const Valued& b : *second) {
            choose(a, b);
            choose(b, a);
        }
    return more.size() > most_cases ? std::nullopt : std::optional(std::move(more));
}

/// Whether lengths in it leave out tasks in execution.
bool Implied::counts_waiting(std::size_t key) const {
    if (instance_->options().counting == Counting::waiting) return true;
    for (std::size_t at = key + 1 - (*tree_)[key].span; at <= key; ++at)
        if (op(at) == Op::servable) return true;
    return false;
}

/// Of a queue whose waiting tasks a value counts, those in execution are 0 to a bound.
Implied::Bounds Implied::bounds_of(Valued value, bool waiting) const {
    Bounds here{std::move(value.where), value.form, value.form};
    if (waiting)
        for (const auto& [queue, coefficient] : value.form.terms())
            (coefficient.sign() > 0 ? here.low : here.high) -= LinearForm(coefficient * Rational(executing_[queue]));
    return here;
}

/// What the value lies between.
std::optional<std::vector<Implied::Bounds>> Implied::bounds(std::size_t key, const Candidate& c) const {
    auto exact = values(key, c);
    if (!exact) return std::nullopt;
    const bool waiting = counts_waiting(key);
    std::vector<Bounds> all;
    for (Valued& value : *exact) all.push_back(bounds_of(std::move(value), waiting));
    return all;
}

}  // namespace schedproof::queueing
