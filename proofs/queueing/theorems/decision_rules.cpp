/// Each rule is a set of conjunctions that must be infeasible (Forbidden): one conjunction per way to break the rule.
///
/// With keys k_q, "the answer is exactly the set of least keys" is broken if some chosen q and some other r have
/// k_q - k_r > 0, or if some r that is not chosen has k_q - k_r >= 0 for a chosen q: at most |candidates|^2
/// conjunctions of one linear constraint each. Serving adds constraints where a rule has a threshold or a precedence
/// ("own while it is not empty"). Keys are affine in the lengths: mu Q, W/mu = sum of Q/(mu mu'), and for marginal
/// costs 2 c mu Q, hence quadratic costs only. An answer that no lengths could justify (a queue that is not admissible)
/// makes the path itself forbidden: one empty conjunction. Source: [wang2013], Section II-B; [xie2015]; [xie2016];
/// [mandelbaum2004]; see the policies' files.
#include "proofs/queueing/theorems/decision_rules.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

using explore::Forbidden;
using proof::Constraint;
using proof::LinearForm;

namespace {

Constraint positive(LinearForm form) { return {std::move(form), true}; }
Constraint at_least_zero(LinearForm form) { return {std::move(form), false}; }

bool contains(const std::vector<Candidate>& chosen, QueueId q) {
    return std::any_of(chosen.begin(), chosen.end(), [&](const Candidate& c) { return c.queue == q; });
}
bool is_just(const std::vector<Candidate>& chosen, QueueId q) {
    return chosen.size() == 1 && chosen.front().queue == q;
}
bool are_just(const std::vector<Candidate>& chosen, const std::vector<QueueId>& queues) {
    return chosen.size() == queues.size() &&
           std::all_of(queues.begin(), queues.end(), [&](QueueId q) { return contains(chosen, q); });
}
const Keyed* find(const std::vector<Keyed>& all, QueueId q) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Keyed& k) { return k.queue == q; });
    return found == all.end() ? nullptr : &*found;
}

/// The path is impossible unless `holds`.
std::vector<Forbidden> never_unless(bool holds) { return std::vector<Forbidden>(holds ? 0 : 1); }

/// W_m = sum of Q / mu over the server's queues.
LinearForm workload(const RuleContext& c, const Lengths& length, ServerId m) {
    LinearForm sum;
    for (const QueueId q : c.layout.queues_of(m))
        sum.add(Rational(1) / c.layout.service_rate(c.instance, q, m), length[q.index()]);
    return sum;
}

/// The server's queues for tasks of a level, one for each row of rates.
std::vector<QueueId> queues_at(const RuleContext& c, ServerId m, Level level) {
    std::vector<QueueId> queues;
    for (std::size_t row = 0; row < c.layout.rows(); ++row)
        if (c.layout.has_queue(m, level, row)) queues.push_back(c.layout.queue(m, level, row));
    return queues;
}

/// `chosen` are exactly the largest of `keys`, and these are positive.
std::vector<Forbidden> exactly_largest(const std::vector<Keyed>& keys, const std::vector<Candidate>& chosen) {
    std::vector<Forbidden> forbidden;
    for (const Candidate& candidate : chosen) {
        const Keyed* own = find(keys, candidate.queue);
        if (!own) return never_unless(false);
        for (const Keyed& other : keys)
            if (other.key != own->key) forbidden.push_back({positive(other.key - own->key)});
        forbidden.push_back({at_least_zero(-own->key)});
    }
    if (chosen.empty()) return never_unless(false);
    for (const Keyed& other : keys)
        if (!contains(chosen, other.queue))
            forbidden.push_back({at_least_zero(other.key - find(keys, chosen.front().queue)->key)});
    return forbidden;
}

std::vector<Forbidden> own_or_common_forbids(const RuleContext& c, const Lengths& length, ServerId m,
                                             const std::vector<Candidate>& chosen) {
    const QueueId own = c.layout.queue(m, c.instance.local()), common = c.layout.shared();
    const LinearForm advantage = c.instance.rate(c.instance.local()) * length[own.index()] -
                                 c.instance.rate(c.instance.remote()) * length[common.index()];
    if (is_just(chosen, own)) return {{positive(-advantage)}};
    if (is_just(chosen, common)) return {{at_least_zero(advantage)}};
    return never_unless(false);
}

std::vector<Forbidden> largest_weight_forbids(const RuleContext& c, const Lengths& length, ServerId m,
                                              const std::vector<Candidate>& chosen) {
    const QueueId own = c.layout.queue(m, c.instance.local());
    const std::vector<Keyed> keys = serving_weights(c, length, m);
    if (!is_just(chosen, own)) return exactly_largest(keys, chosen);
    // Alone, or everything is empty.
    const LinearForm& mine = find(keys, own)->key;
    std::vector<Forbidden> forbidden;
    for (const Keyed& other : keys) {
        if (other.queue == own) continue;
        forbidden.push_back({positive(other.key - mine)});
        forbidden.push_back({at_least_zero(other.key - mine), positive(mine)});
    }
    return forbidden;
}

std::vector<Forbidden> own_then_help_forbids(const RuleContext& c, const Lengths& length, ServerId m,
                                             const std::vector<Candidate>& chosen) {
    const QueueId own = c.layout.queue(m, c.instance.local());
    const std::vector<Keyed> weighted = serving_weights(c, length, m);
    std::vector<Keyed> keys = weighted;
    if (c.decisions.serving == ServingRule::own_then_longest)
        for (Keyed& k : keys) k.key = length[k.queue.index()];
    const LinearForm alpha(c.instance.rate(c.instance.local()));
    const auto worth = [&](QueueId q) { return find(weighted, q)->key - alpha; };
    std::vector<Forbidden> forbidden;
    if (is_just(chosen, own)) {
        // Not while it is empty and a longest queue passes the threshold.
        for (const Keyed& candidate : keys) {
            if (candidate.queue == own) continue;
            Forbidden helpable{at_least_zero(-length[own.index()]), at_least_zero(worth(candidate.queue))};
            for (const Keyed& other : keys)
                if (other.queue != candidate.queue) helpable.push_back(at_least_zero(candidate.key - other.key));
            forbidden.push_back(std::move(helpable));
        }
        return forbidden;
    }
    if (chosen.empty()) return never_unless(false);
    forbidden.push_back({positive(length[own.index()])});
    const LinearForm best = find(keys, chosen.front().queue)->key;
    for (const Keyed& candidate : keys) {
        if (!contains(chosen, candidate.queue)) {
            forbidden.push_back({at_least_zero(candidate.key - best), at_least_zero(worth(candidate.queue))});
            continue;
        }
        forbidden.push_back({positive(-worth(candidate.queue))});
        for (const Keyed& other : keys)
            if (other.key != candidate.key) forbidden.push_back({positive(other.key - candidate.key)});
    }
    return forbidden;
}

std::vector<Forbidden> most_local_forbids(const RuleContext& c, const Lengths& length, ServerId m,
                                          const std::vector<Candidate>& chosen) {
    const bool or_own = c.decisions.serving == ServingRule::most_local_first;
    std::vector<Forbidden> forbidden;
    if (const auto own = queues_at(c, m, c.instance.local()); or_own && are_just(chosen, own)) {
        // Not while one is empty and another queue of the server has work.
        for (const QueueId empty : own)
            for (const QueueId q : c.layout.queues_of(m))
                if (q != empty)
                    forbidden.push_back({at_least_zero(-length[empty.index()]), positive(length[q.index()])});
        return forbidden;
    }
    for (const Level level : c.instance.levels()) {
        std::vector<QueueId> here;
        for (const QueueId q : queues_at(c, m, level)) {
            const bool has_work = contains(chosen, q);
            if (has_work) here.push_back(q);
            forbidden.push_back({has_work ? at_least_zero(-length[q.index()]) : positive(length[q.index()])});
        }
        if (!here.empty()) return are_just(chosen, here) ? forbidden : never_unless(false);
    }
    return chosen.empty() && !or_own ? forbidden : never_unless(false);
}

std::vector<Forbidden> largest_cost_forbids(const RuleContext& c, const Lengths& length, ServerId m,
                                            const std::vector<Candidate>& chosen) {
    if (!chosen.empty()) return exactly_largest(serving_weights(c, length, m), chosen);
    std::vector<Forbidden> forbidden;
    for (const Keyed& k : serving_weights(c, length, m)) forbidden.push_back({positive(k.key)});
    return forbidden;
}

/// Whether the plan has the server execute tasks of the queue, which are of one type.
bool is_planned(const RuleContext& c, ServerId m, QueueId q) {
    return std::any_of(c.plan->activities.begin(), c.plan->activities.end(),
                       [&](const FluidPlan::Activity& a) { return a.server == m && c.layout.queue(a.type) == q; });
}

/// The servers that execute tasks of the type under the plan; none where it is not known.
std::vector<ServerId> planned_servers(const RuleContext& c, TaskTypeId type) {
    std::vector<ServerId> servers;
    if (c.plan == nullptr) return servers;
    for (const FluidPlan::Activity& activity : c.plan->activities)
        if (activity.type == type) servers.push_back(activity.server);
    return servers;
}

/// Whether a task of the type joins each server with the part of its arrivals that the plan gives to that server.
bool splits_as_planned(const RuleContext& c, TaskTypeId type) {
    const Split& split = c.follows->splits.at(type.index());
    for (const FluidPlan::Activity& activity : c.plan->activities) {
        if (activity.type != type) continue;
        Rational part;
        for (std::size_t i = 0; i < split.candidates.size(); ++i)
            if (split.candidates[i].queue == c.layout.queue(activity.server, c.instance.local()))
                part += split.distribution.probability(i);
        if (part * c.instance.arrival_rate(type) != activity.amount) return false;
    }
    return true;
}

/// `chosen` are exactly the planned queues with work whose counters stand highest.
std::vector<Forbidden> furthest_behind_forbids(const RuleContext& c, const Lengths& length, ServerId m,
                                               const std::vector<Candidate>& chosen) {
    const std::vector<Keyed> behind = behind_plan(c, m);
    std::vector<Forbidden> forbidden;
    for (const Candidate& candidate : chosen) {
        const Keyed* own = find(behind, candidate.queue);
        if (!own) return never_unless(false);
        forbidden.push_back({at_least_zero(-length[own->queue.index()])});
        for (const Keyed& other : behind)
            if (other.queue != own->queue)
                forbidden.push_back({positive(length[other.queue.index()]), positive(other.key - own->key)});
    }
    for (const Keyed& other : behind) {
        if (contains(chosen, other.queue)) continue;
        Forbidden better{positive(length[other.queue.index()])};
        if (!chosen.empty()) better.push_back(at_least_zero(other.key - find(behind, chosen.front().queue)->key));
        forbidden.push_back(std::move(better));
    }
    return forbidden;
}

bool default_options(const Instance& instance, bool conserved) {
    return instance.options().counting == Counting::in_system &&
           (conserved || instance.options().empty_target == EmptyTarget::wasted);
}

bool routes_by_key(const RuleContext& c) {
    return c.decisions.routing == RoutingRule::planned ||
           !routing_keys(c, Lengths(c.layout.queues()), TaskTypeId(0)).empty();
}

/// Rules of queues of servers speak of each server's own one, which must be one that it can serve.
bool own_queues_are_served(const RuleContext& c) {
    if (c.layout.arrangement() != Arrangement::per_server) return true;
    for (const ServerId m : c.instance.servers())
        if (!c.layout.serves(c.instance, m, QueueId(m.index()))) return false;
    return true;
}

bool quadratic(const Instance& instance) {
    const auto& types = instance.data().types;
    return std::all_of(types.begin(), types.end(), [](const TaskType& t) { return t.exponent == 1; });
}

}  // namespace

std::vector<Keyed> routing_keys(const RuleContext& c, const Lengths& length, TaskTypeId type) {
    std::vector<Keyed> keys;
    const Level local = c.instance.local();
    const auto by_length = [&](QueueId q) { keys.push_back({q, length[q.index()]}); };
    const auto unkeyed = [&](QueueId q) { keys.push_back({q, {}}); };
    const auto& replicas = c.instance.type(type).replicas;
    switch (c.decisions.routing) {
        case RoutingRule::unspecified:
            break;
        case RoutingRule::planned:
            for (const ServerId m : planned_servers(c, type)) unkeyed(c.layout.queue(m, local));
            break;
        case RoutingRule::shortest_local:
        case RoutingRule::shortest_local_or_common:
            for (const ServerId m : replicas) by_length(c.layout.queue(m, local));
            if (c.decisions.routing == RoutingRule::shortest_local_or_common) by_length(c.layout.shared());
            break;
        case RoutingRule::least_weighted_workload:
            for (const ServerId m : c.instance.servers()) {
                if (!c.instance.can_serve(m, type)) continue;
                const Level level = c.instance.level(type, m);
                keys.push_back({c.layout.queue(m, level, c.layout.row(type)),
                                (Rational(1) / c.instance.rate(type, level)) * workload(c, length, m)});
            }
            break;
        case RoutingRule::own_type:
            unkeyed(c.layout.queue(type));
            break;
        case RoutingRule::common:
            unkeyed(c.layout.shared());
            break;
        case RoutingRule::random_local:
            for (const ServerId m : replicas) unkeyed(c.layout.queue(m, local));
            break;
        case RoutingRule::random_any:
            for (const ServerId m : c.instance.servers())
                if (c.instance.can_serve(m, type)) unkeyed(c.layout.queue(m, local));
            break;
    }
    return keys;
}

std::vector<Keyed> behind_plan(const RuleContext& c, ServerId m) {
    std::vector<Keyed> behind;
    std::size_t counter = 0;  // of the first activity of the server
    for (const FluidPlan::Activity& activity : c.plan->activities) counter += activity.server < m ? 1 : 0;
    for (const FluidPlan::Activity& activity : c.plan->activities)
        if (activity.server == m) behind.push_back({c.layout.queue(activity.type), c.counters.at(counter++)});
    return behind;
}

std::vector<Keyed> serving_weights(const RuleContext& c, const Lengths& length, ServerId m) {
    std::vector<Keyed> keys;
    for (const QueueId q : IdRange<QueueId>(c.layout.queues())) {
        if (!c.layout.serves(c.instance, m, q)) continue;
        Rational factor = c.layout.service_rate(c.instance, q, m);
        if (c.decisions.serving == ServingRule::largest_marginal_cost)
            factor *= c.instance.type(TaskTypeId(q.index())).cost * Rational(2);
        keys.push_back({q, factor * length[q.index()]});
    }
    return keys;
}

bool has_routing_rule(const RuleContext& c) {
    return default_options(c.instance, c.instance.continuous()) && routes_by_key(c);
}

bool has_serving_rule(const RuleContext& c, bool conserved) {
    if (!default_options(c.instance, conserved) || !own_queues_are_served(c)) return false;
    if (c.decisions.serving == ServingRule::largest_of_own_and_common && c.instance.rates_at_servers()) return false;
    if (c.decisions.serving == ServingRule::largest_marginal_cost) return quadratic(c.instance);
    return c.decisions.serving != ServingRule::unspecified && routes_by_key(c);
}

std::vector<Forbidden> routing_forbids(const RuleContext& c, const Lengths& length, TaskTypeId type,
                                       const std::vector<Candidate>& chosen) {
    const std::vector<Keyed> keys = routing_keys(c, length, type);
    if (c.decisions.routing == RoutingRule::planned) {
        if (keys.empty()) return {};
        if (!splits_as_planned(c, type)) return never_unless(false);
    }
    if (chosen.empty()) return never_unless(false);
    std::vector<Forbidden> forbidden;
    for (const Candidate& candidate : chosen) {
        const Keyed* own = find(keys, candidate.queue);
        if (!own) return never_unless(false);
        for (const Keyed& other : keys)
            if (other.key != own->key) forbidden.push_back({positive(own->key - other.key)});
    }
    for (const Keyed& other : keys)
        if (!contains(chosen, other.queue))
            forbidden.push_back({at_least_zero(find(keys, chosen.front().queue)->key - other.key)});
    return forbidden;
}

std::vector<Forbidden> serving_forbids(const RuleContext& c, const Lengths& length, ServerId m,
                                       const std::vector<Candidate>& chosen) {
    switch (c.decisions.serving) {
        case ServingRule::unspecified:
            break;
        case ServingRule::furthest_behind:
            return furthest_behind_forbids(c, length, m, chosen);
        case ServingRule::own:
            return never_unless(is_just(chosen, c.layout.queue(m, c.instance.local())));
        case ServingRule::common:
            return never_unless(is_just(chosen, c.layout.shared()));
        case ServingRule::largest_of_own_and_common:
            return own_or_common_forbids(c, length, m, chosen);
        case ServingRule::largest_weight:
            return largest_weight_forbids(c, length, m, chosen);
        case ServingRule::own_then_longest:
        case ServingRule::own_then_largest_weight:
            return own_then_help_forbids(c, length, m, chosen);
        case ServingRule::most_local_first:
        case ServingRule::most_local_or_none:
            return most_local_forbids(c, length, m, chosen);
        case ServingRule::largest_marginal_cost:
            return largest_cost_forbids(c, length, m, chosen);
    }
    throw ContractViolation("a policy that states no serving rule is asked about it");
}

std::vector<Forbidden> idling_forbids(const RuleContext& c, const Lengths& waiting, ServerId m,
                                      const std::vector<Candidate>& chosen) {
    std::vector<Forbidden> forbidden;
    for (const QueueId q : IdRange<QueueId>(c.layout.queues())) {
        const Arrangement a = c.layout.arrangement();
        const bool has_owner = a != Arrangement::single && a != Arrangement::per_type && !c.layout.is_shared(q);
        if (has_owner && c.decisions.reach != Reach::any && c.layout.owner(q) != m) continue;
        if (c.decisions.serving == ServingRule::furthest_behind && !is_planned(c, m, q)) continue;
        if (!c.layout.serves(c.instance, m, q)) continue;
        const Constraint waits = at_least_zero(waiting[q.index()] - LinearForm(Rational(1)));  // counts are integers
        if (chosen.empty()) forbidden.push_back({waits});
        for (const Candidate& candidate : chosen)
            if (candidate.queue != q) forbidden.push_back({waits, at_least_zero(-waiting[candidate.queue.index()])});
    }
    return forbidden;
}

}  // namespace schedproof::queueing
