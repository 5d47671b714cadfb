/// Draws of a rule whose outcomes do not depend on the state, taken apart: from here on a rule has drawn, or the
/// outcomes of one decision are rules of their own with probabilities.
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
    const bool of_a_set = op(at) == Op::sample || op(at) == Op::draws;
    if (!has_drawn && ((of_a_set && is_certain(part(at, 0))) || op(at) == Op::mix || op(at) == Op::planned))
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

/// The probabilities that so many draws, each of any of the members, come upon 0, 1, ... of them.
std::vector<Rational> found_by_draws(std::size_t members, std::int64_t draws) {
    const Rational all(static_cast<std::int64_t>(members));
    std::vector<Rational> law(members + 1);
    law[0] = Rational(1);
    for (; draws > 0 && members > 0; --draws)
        for (std::size_t found = members + 1; found-- > 0;) {
            const Rational found_again(static_cast<std::int64_t>(found));
            law[found] *= found_again / all;
            if (found > 0) law[found] += law[found - 1] * (all - found_again + Rational(1)) / all;
        }
    return law;
}

/// What `sample` and `draws` may come upon among these members.
std::vector<std::pair<Rational, Ties>> drawn_sets(const language::Node& node, const Ties& members) {
    std::vector<std::pair<Rational, Ties>> all;
    const auto add = [&](std::size_t size, const Rational& probability) {
        const std::vector<Ties> equally_likely = subsets(members, size);
        const Rational each = probability / Rational(static_cast<std::int64_t>(equally_likely.size()));
        for (const Ties& set : equally_likely) all.emplace_back(each, set);
    };
    if (node.op == language::Op::sample) {
        add(static_cast<std::size_t>(node.a), Rational(1));
        return all;
    }
    const std::vector<Rational> law = found_by_draws(members.size(), node.a);
    for (std::size_t found = 0; found < law.size(); ++found)
        if (law[found].sign() > 0) add(found, law[found]);
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
            for (const auto& [probability, set] : drawn_sets(node, certain(part(at, 0))))
                extend(probability, [&](Implied& rule) { rule.chosen_.emplace(at, set); });
        }
        all = std::move(more);
    }
    return all;
}

}  // namespace schedproof::queueing
