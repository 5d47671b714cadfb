/// Keys of candidates, and sets that are the same in all states, by the evaluator itself.
///
/// Run on affine numbers that refuse to be compared, it returns a key as a form in the lengths. Only values over sets,
/// as `least(A, key)`, compare: for each the member that attains it is chosen in turn, under the premise that no other
/// member's key is less. A key whose cost has a higher degree, or that compares otherwise, has no form.
#include "proofs/queueing/theorems/summands/implied_keys.hpp"

#include "model/core/errors.hpp"

namespace schedproof::queueing {

using explore::Affine;
using language::Asker;
using language::Tree;
using proof::LinearForm;

namespace {

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

Ties Implied::certain(std::size_t at) const { return keys_->set(*tree_, asker_, at); }

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

}  // namespace schedproof::queueing
