#include <algorithm>
#include <functional>
#include <string>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/summands/implied.hpp"

namespace schedproof::queueing {

/// The nodes that draw on the way from the node to its set, each at most once per decision, and whose outcomes do not
/// depend on the state, but for those that have drawn.
std::vector<std::size_t> Implied::choices(std::size_t at) const {
    std::vector<std::size_t> met;
    const bool has_drawn = chosen_.contains(at) || branch_.contains(at);
    if (!has_drawn && ((op(at) == Op::sample && is_certain(part(at, 0))) || op(at) == Op::mix || op(at) == Op::planned))
        met.push_back(at);
    for (std::size_t k = 0; k < (*tree_)[at].children; ++k)
        if (language::operation(op(part(at, k))).sort == language::Sort::set)
            for (const std::size_t inner : choices(part(at, k))) met.push_back(inner);
    return met;
}

namespace {

/// All subsets of so many members; of all members, where there are no more.
std::vector<Ties> subsets(const Ties& from, std::size_t size) {
    std::vector<bool> taken(from.size(), false);
    std::fill(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(std::min(from.size(), size)), true);
    std::vector<Ties> all;
    do {
        if (all.size() == most_cases)
            throw LimitExceeded("draws of a rule", "it draws one of more than " + std::to_string(most_cases) + " sets");
        all.emplace_back();
        for (std::size_t i = 0; i < from.size(); ++i)
            if (taken[i]) all.back().add(from[i]);
    } while (std::prev_permutation(taken.begin(), taken.end()));
    return all;
}

}  // namespace

std::vector<std::pair<Rational, Implied>> Implied::drawn(std::size_t part_at) const {
    std::vector<std::pair<Rational, Implied>> all{{Rational(1), *this}};
    for (const std::size_t at : choices(part_at)) {
        std::vector<std::pair<Rational, Implied>> more;
        const auto extend = [&](const Rational& probability, const std::function<void(Implied&)>& choose) {
            for (const auto& [before, rule] : all) {
                if (more.size() == most_cases)
                    throw LimitExceeded("draws of a rule",
                                        "it draws one of more than " + std::to_string(most_cases) + " outcomes");
                more.emplace_back(before * probability, rule);
                choose(more.back().second);
                more.back().second.extremes_.clear();
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
            const std::vector<Ties> all_subsets = subsets(certain(part(at, 0)), static_cast<std::size_t>(node.a));
            for (const Ties& subset : all_subsets)
                extend(Rational(1, static_cast<std::int64_t>(all_subsets.size())),
                       [&](Implied& rule) { rule.chosen_.emplace(at, subset); });
        }
        all = std::move(more);
    }
    return all;
}

}  // namespace schedproof::queueing
