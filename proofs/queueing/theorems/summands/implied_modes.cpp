/// Rules that look at the same have the same answer.
///
/// Several types ask one expression at one state. Where no primitive in a part of it depends on who asks, as in
/// `argmin(servers, server_length)`, the part is one set of servers, and one condition, for all; every type then draws
/// from the same set by the same law, so that the mean over types of what they do is a mean over the servers of the
/// set, and at most its largest value. `when` and `first_of` choose between their parts for all at once where what they
/// ask is shared, and draws are taken apart where they are met, so that each has the modes that are left. Elsewhere
/// types are divided: first into those whose data have the same homes, then one by one.
///
/// A part is shared where each of its primitives is, as `is_shared` lists them; what is not listed is not shared.
#include <algorithm>
#include <map>

#include "proofs/queueing/theorems/summands/implied.hpp"

namespace schedproof::queueing {

namespace {

/// Primitives that say the same of a server whoever asks, if their parts do.
bool speaks_of_servers(language::Op op) {
    using enum language::Op;
    switch (op) {
        case server_length:
        case server_workload:
        case level:
        case remote_level:
        case constant:
        case unite:
        case intersect:
        case first_of:
        case when:
        case multiple:
        case as_work:
        case plus:
        case minus:
        case minimum:
        case maximum:
        case less:
        case less_equal:
        case equal:
        case both:
        case either:
        case negation:
            return true;
        default:
            return false;
    }
}

}  // namespace

std::vector<QueueId> Implied::met() const {
    std::vector<QueueId> all;
    for (const Candidate& c : universe(tree_->root())) all.push_back(c.queue);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// What the set at the node may hold, as servers with the candidate of each rule, where it may hold the same servers
/// for all, in the same order of queues, each of them once.
std::optional<Implied::ByServer> Implied::by_server(const Rules& rules, std::size_t at) {
    const Layout& layout = *rules.front()->layout_;
    if (layout.arrangement() != Arrangement::per_server && layout.arrangement() != Arrangement::per_server_and_level)
        return std::nullopt;
    ByServer all(rules.front()->universe(at).size());
    for (const Implied* rule : rules) {
        const Ties set = rule->universe(at);
        if (set.size() != all.size()) return std::nullopt;
        std::vector<Candidate> members(set.begin(), set.end());
        std::sort(members.begin(), members.end());
        for (std::size_t k = 0; k < members.size(); ++k) {
            const QueueId queue = members[k].queue;
            if (layout.is_shared(queue)) return std::nullopt;
            if (!all[k].empty() && layout.owner(all[k].front().queue) != layout.owner(queue)) return std::nullopt;
            if (k > 0 && !(layout.owner(members[k - 1].queue) < layout.owner(queue))) return std::nullopt;
            all[k].push_back(members[k]);
        }
    }
    return all;
}

/// Whether what is asked of the candidates at each server is the same for all rules.
template <class What>
bool Implied::is_same(const ByServer* over, const What& what) {
    return over != nullptr && std::all_of(over->begin(), over->end(), [&](const std::vector<Candidate>& candidates) {
               return std::all_of(candidates.begin(), candidates.end(),
                                  [&](const Candidate& c) { return what(c) == what(candidates.front()); });
           });
}

/// The part that all rules have drawn at the node, if they have and it is the same.
std::optional<std::size_t> Implied::common_branch(const Rules& rules, std::size_t at) {
    const auto first = rules.front()->branch_.find(at);
    if (first == rules.front()->branch_.end()) return std::nullopt;
    for (const Implied* rule : rules)
        if (const auto own = rule->branch_.find(at); own == rule->branch_.end() || own->second != first->second)
            return std::nullopt;
    return rules.front()->part(at, first->second);
}

/// Whether the part at the node says the same of every server whichever of the rules is asked: of a key or a test, of
/// those `over`, of which it speaks.
bool Implied::is_shared(const Rules& rules, std::size_t at, const ByServer* over) {
    const Implied& first = *rules.front();
    if (first.chosen_.contains(at)) return by_server(rules, at).has_value();
    const auto parts_are = [&] {
        for (std::size_t k = 0; k < (*first.tree_)[at].children; ++k)
            if (!is_shared(rules, first.part(at, k), over)) return false;
        return true;
    };
    switch (first.op(at)) {
        case Op::local:
        case Op::servers:
            return by_server(rules, at).has_value();
        case Op::mix: {
            const auto drawn = common_branch(rules, at);
            return drawn && is_shared(rules, *drawn, nullptr);
        }
        case Op::where:
        case Op::argmin:
        case Op::argmax:
        case Op::least:
        case Op::greatest:
        case Op::total:
        case Op::mean: {
            if (!is_shared(rules, first.part(at, 0), nullptr)) return false;
            const auto members = by_server(rules, first.part(at, 0));
            return members && is_shared(rules, first.part(at, 1), &*members);
        }
        case Op::length:
            return is_same(over, [](const Candidate& c) { return c.queue; });
        case Op::distance:
            return is_same(over, [](const Candidate& c) { return c.level; });
        case Op::times_rate:
        case Op::over_rate:
            return parts_are() && is_same(over, [&](const Candidate& c) {
                       return first.layout_->rate(*first.instance_, c.queue, c.level);
                   });
        default:
            return speaks_of_servers(first.op(at)) && parts_are();
    }
}

/// Those with the same homes together; where all have the same, each alone.
std::vector<Modes::Part> Implied::divided(const Rules& rules, std::size_t at) {
    std::map<std::vector<ServerId>, std::vector<std::size_t>> by_home;
    for (std::size_t i = 0; i < rules.size(); ++i)
        by_home[rules[i]->instance_->type(rules[i]->asker_.type).replicas].push_back(i);
    std::vector<std::vector<std::size_t>> groups;
    for (const auto& [home, group] : by_home) groups.push_back(group);
    if (groups.size() == 1) {
        groups.clear();
        for (std::size_t i = 0; i < rules.size(); ++i) groups.push_back({i});
    }
    std::vector<Modes::Part> parts;
    for (std::vector<std::size_t>& group : groups) {
        Rules some;
        for (const std::size_t i : group) some.push_back(rules[i]);
        parts.push_back({Rational(1), std::move(group), modes(some, at)});
    }
    return parts;
}

/// By the outcomes of what the part at the node draws, of which all rules have the same number with the same
/// probabilities; else nothing.
std::optional<std::vector<Modes::Part>> Implied::by_draw(const Rules& rules, std::size_t at) {
    std::vector<std::vector<std::pair<Rational, Implied>>> drawn;
    for (const Implied* rule : rules) drawn.push_back(rule->drawn(at));
    std::vector<std::size_t> all(rules.size());
    for (std::size_t i = 0; i < rules.size(); ++i) all[i] = i;
    std::vector<Modes::Part> parts;
    for (std::size_t k = 0; k < drawn.front().size(); ++k) {
        Rules outcome;
        for (const auto& mine : drawn) {
            if (mine.size() != drawn.front().size() || mine[k].first != drawn.front()[k].first) return std::nullopt;
            outcome.push_back(&mine[k].second);
        }
        parts.push_back({drawn.front()[k].first, all, modes(outcome, at)});
    }
    return parts;
}

Modes Implied::modes(const Rules& rules, std::size_t at) {
    const Implied& first = *rules.front();
    Modes found;
    const auto add = [&](Modes more) {
        std::move(more.same.begin(), more.same.end(), std::back_inserter(found.same));
        std::move(more.apart.begin(), more.apart.end(), std::back_inserter(found.apart));
    };
    if (const auto drawn = common_branch(rules, at)) return modes(rules, *drawn);
    const bool alone = rules.size() == 1;
    if (first.op(at) == Op::when && (alone || is_shared(rules, first.part(at, 0), nullptr))) {
        add(modes(rules, first.part(at, 1)));
        add(modes(rules, first.part(at, 2)));
    } else if (first.op(at) == Op::first_of && (alone || is_shared(rules, first.part(at, 0), nullptr))) {
        add(modes(rules, first.part(at, 0)));
        add(modes(rules, first.part(at, 1)));
    } else if (!first.choices(at).empty()) {
        auto parts = by_draw(rules, at);
        found.apart.push_back(parts ? std::move(*parts) : divided(rules, at));
    } else if (alone) {
        for (const Candidate& c : first.universe(at)) found.same.push_back({c});
    } else if (const auto same = is_shared(rules, at, nullptr) ? by_server(rules, at) : std::nullopt) {
        found.same = *same;
    } else {
        found.apart.push_back(divided(rules, at));
    }
    return found;
}

Modes Implied::modes(const std::vector<const Implied*>& rules) { return modes(rules, rules.front()->tree_->root()); }

}  // namespace schedproof::queueing
