#include "proofs/queueing/theorems/decision_rules.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

using explore::Forbidden;
using proof::Constraint;
using proof::LinearForm;

namespace {

/// A queue with the number that it is compared by.
struct Keyed {
    QueueId queue;
    LinearForm key;
};

Constraint positive(LinearForm form) { return {std::move(form), true}; }
Constraint at_least_zero(LinearForm form) { return {std::move(form), false}; }

bool contains(const std::vector<Candidate>& chosen, QueueId q) {
    return std::any_of(chosen.begin(), chosen.end(), [&](const Candidate& c) { return c.queue == q; });
}
bool is_just(const std::vector<Candidate>& chosen, QueueId q) {
    return chosen.size() == 1 && chosen.front().queue == q;
}
const Keyed* find(const std::vector<Keyed>& all, QueueId q) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Keyed& k) { return k.queue == q; });
    return found == all.end() ? nullptr : &*found;
}

/// The path is impossible unless `holds`.
std::vector<Forbidden> never_unless(bool holds) { return std::vector<Forbidden>(holds ? 0 : 1); }

bool helps_others(std::string_view policy) {
    return policy == "jsq-maxweight" || policy == "pandas:plain" || policy == "pandas:rackaware";
}

/// W_m = sum over levels of Q / mu.
LinearForm workload(const RuleContext& c, const Lengths& length, ServerId m) {
    LinearForm sum;
    for (const Level level : c.instance.levels())
        sum.add(Rational(1) / c.instance.rate(level), length[c.layout.queue(m, level).index()]);
    return sum;
}

std::vector<Keyed> routing_keys(const RuleContext& c, const Lengths& length, TaskTypeId type) {
    std::vector<Keyed> keys;
    const auto by_length = [&](QueueId q) { keys.push_back({q, length[q.index()]}); };
    const Level local = c.instance.local();
    if (c.policy == "wang-jsq-maxweight" || c.policy == "join-shortest-queue" || helps_others(c.policy))
        for (const ServerId m : c.instance.type(type).replicas) by_length(c.layout.queue(m, local));
    if (c.policy == "wang-jsq-maxweight") by_length(c.layout.shared());
    if (c.policy == "balanced-pandas")
        for (const ServerId m : c.instance.servers()) {
            const Level level = c.instance.level(type, m);
            keys.push_back({c.layout.queue(m, level), (Rational(1) / c.instance.rate(level)) * workload(c, length, m)});
        }
    if (c.policy == "generalized-cmu") keys.push_back({c.layout.queue(type), {}});
    if (c.policy == "fifo") keys.push_back({c.layout.shared(), {}});
    if (c.policy == "random-local")
        for (const ServerId m : c.instance.type(type).replicas) keys.push_back({c.layout.queue(m, local), {}});
    if (c.policy == "random-any")
        for (const ServerId m : c.instance.servers()) keys.push_back({c.layout.queue(m, local), {}});
    return keys;
}

/// Every queue with the rate of server m times its length, for c-mu times twice its cost.
std::vector<Keyed> weights(const RuleContext& c, const Lengths& length, ServerId m) {
    std::vector<Keyed> keys;
    for (const QueueId q : IdRange<QueueId>(c.layout.queues())) {
        Rational factor = c.instance.rate(c.layout.service_level(c.instance, q, m));
        if (c.policy == "generalized-cmu") factor *= c.instance.type(TaskTypeId(q.index())).cost * Rational(2);
        keys.push_back({q, factor * length[q.index()]});
    }
    return keys;
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

std::vector<Forbidden> wang_serves(const RuleContext& c, const Lengths& length, ServerId m,
                                   const std::vector<Candidate>& chosen) {
    const QueueId own = c.layout.queue(m, c.instance.local()), common = c.layout.shared();
    const LinearForm advantage = c.instance.rate(c.instance.local()) * length[own.index()] -
                                 c.instance.rate(c.instance.remote()) * length[common.index()];
    if (is_just(chosen, own)) return {{positive(-advantage)}};
    if (is_just(chosen, common)) return {{at_least_zero(advantage)}};
    return never_unless(false);
}

std::vector<Forbidden> jsq_maxweight_serves(const RuleContext& c, const Lengths& length, ServerId m,
                                            const std::vector<Candidate>& chosen) {
    const QueueId own = c.layout.queue(m, c.instance.local());
    const std::vector<Keyed> keys = weights(c, length, m);
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

std::vector<Forbidden> pandas_serves(const RuleContext& c, const Lengths& length, ServerId m,
                                     const std::vector<Candidate>& chosen) {
    const QueueId own = c.layout.queue(m, c.instance.local());
    const std::vector<Keyed> weighted = weights(c, length, m);
    std::vector<Keyed> keys = weighted;
    if (c.policy == "pandas:plain")
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

std::vector<Forbidden> balanced_pandas_serves(const RuleContext& c, const Lengths& length, ServerId m,
                                              const std::vector<Candidate>& chosen) {
    std::vector<Forbidden> forbidden;
    for (const Level level : c.instance.levels()) {
        const QueueId q = c.layout.queue(m, level);
        if (is_just(chosen, q)) {
            forbidden.push_back({at_least_zero(-length[q.index()])});
            return forbidden;
        }
        forbidden.push_back({positive(length[q.index()])});
    }
    return chosen.empty() ? forbidden : never_unless(false);
}

bool default_readings(const Instance& instance) {
    return instance.options().counting == Counting::in_system && instance.options().empty_target == EmptyTarget::wasted;
}

bool quadratic(const Instance& instance) {
    const auto& types = instance.data().types;
    return std::all_of(types.begin(), types.end(), [](const TaskType& t) { return t.exponent == 1; });
}

}  // namespace

bool has_routing_rule(const RuleContext& c) {
    return default_readings(c.instance) && !routing_keys(c, Lengths(c.layout.queues()), TaskTypeId(0)).empty();
}

bool has_serving_rule(const RuleContext& c) {
    if (!default_readings(c.instance)) return false;
    return c.policy == "generalized-cmu" ? quadratic(c.instance) : has_routing_rule(c);
}

std::vector<Forbidden> routing_forbids(const RuleContext& c, const Lengths& length, TaskTypeId type,
                                       const std::vector<Candidate>& chosen) {
    const std::vector<Keyed> keys = routing_keys(c, length, type);
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
    if (c.policy == "wang-jsq-maxweight") return wang_serves(c, length, m, chosen);
    if (c.policy == "jsq-maxweight") return jsq_maxweight_serves(c, length, m, chosen);
    if (c.policy == "balanced-pandas") return balanced_pandas_serves(c, length, m, chosen);
    if (c.policy == "generalized-cmu") {
        if (!chosen.empty()) return exactly_largest(weights(c, length, m), chosen);
        std::vector<Forbidden> forbidden;
        for (const Keyed& k : weights(c, length, m)) forbidden.push_back({positive(k.key)});
        return forbidden;
    }
    if (c.policy == "fifo") return never_unless(is_just(chosen, c.layout.shared()));
    if (helps_others(c.policy)) return pandas_serves(c, length, m, chosen);
    return never_unless(is_just(chosen, c.layout.queue(m, c.instance.local())));
}

std::vector<Forbidden> idling_forbids(const RuleContext& c, const Lengths& waiting, ServerId m,
                                      const std::vector<Candidate>& chosen) {
    std::vector<Forbidden> forbidden;
    const bool own_only = c.policy == "random-local" || c.policy == "random-any" || c.policy == "join-shortest-queue";
    for (const QueueId q : IdRange<QueueId>(c.layout.queues())) {
        const Arrangement a = c.layout.arrangement();
        const bool has_owner = a != Arrangement::single && a != Arrangement::per_type && !c.layout.is_shared(q);
        const bool others_serve = helps_others(c.policy);
        if (has_owner && (own_only || !others_serve) && c.layout.owner(q) != m) continue;
        const Constraint waits = at_least_zero(waiting[q.index()] - LinearForm(Rational(1)));  // counts are integers
        if (chosen.empty()) forbidden.push_back({waits});
        for (const Candidate& candidate : chosen)
            if (candidate.queue != q) forbidden.push_back({waits, at_least_zero(-waiting[candidate.queue.index()])});
    }
    return forbidden;
}

}  // namespace schedproof::queueing
