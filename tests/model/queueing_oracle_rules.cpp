#include "tests/model/queueing_oracle_rules.hpp"

namespace schedproof::oracle {

namespace {

using queueing::Arrangement;
using queueing::Instance;
using queueing::Tracking;

/// The candidates with the largest key, in order.
template <class Key>
Indices best(const Indices& candidates, Key&& key) {
    Indices winners;
    std::optional<Rational> top;
    for (const std::size_t i : candidates) {
        const Rational value = key(i);
        if (top && value < *top) continue;
        if (!top || value > *top) winners.clear();
        top = value;
        winners.push_back(i);
    }
    return winners;
}

Indices first_indices(std::size_t n) {
    Indices all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

Pmf<Target> one_of(const Indices& queues) {
    return uniform(queues.empty() ? std::vector<Target>{std::nullopt}
                                  : std::vector<Target>(queues.begin(), queues.end()));
}

// ---- routing ----

Pmf<std::size_t> shortest(const Sight& see, const Indices& queues) {
    return uniform(best(queues, [&](std::size_t q) { return Rational(-see.length[q]); }));
}

Pmf<std::size_t> route_shortest_local(const Sight& see, std::size_t type) {
    return shortest(see, see.cluster.replicas(type));
}

Pmf<std::size_t> route_wang(const Sight& see, std::size_t type) {
    Indices queues = see.cluster.replicas(type);
    queues.push_back(see.cluster.servers());
    return shortest(see, queues);
}

Pmf<std::size_t> route_least_workload(const Sight& see, std::size_t type) {
    const Cluster& c = see.cluster;
    const Indices winners = best(first_indices(c.servers()), [&](std::size_t m) {
        Rational workload;
        for (std::size_t list = 0; list < c.lists.size(); ++list)
            for (std::size_t k = 0; k < c.levels(); ++k)
                workload += Rational(see.length[c.queue(m, k, list)]) / c.lists[list][k];
        return -(workload / c.rate_of(type, c.level(type, m)));
    });
    Indices queues;
    for (const std::size_t m : winners) queues.push_back(c.queue(m, c.level(type, m), c.list_of(type)));
    return uniform(queues);
}

Pmf<std::size_t> route_by_type(const Sight&, std::size_t type) { return surely(type); }
Pmf<std::size_t> route_to_only_queue(const Sight&, std::size_t) { return surely(std::size_t{0}); }
Pmf<std::size_t> route_random_local(const Sight& see, std::size_t type) { return uniform(see.cluster.replicas(type)); }
Pmf<std::size_t> route_random(const Sight& see, std::size_t) { return uniform(first_indices(see.cluster.servers())); }

Pmf<std::size_t> route_planned(const Sight& see, std::size_t type) {
    Pmf<std::size_t> law;
    for (const Plan::Activity& a : plan_of(see.cluster).activities)
        if (a.type == type) law[a.server] += a.x / see.cluster.instance.data().rates[type];
    return law.empty() ? surely(see.cluster.replicas(type).front()) : law;
}

// ---- serving ----

Pmf<Target> serve_own(const Sight&, std::size_t m) { return surely(Target(m)); }
Pmf<Target> serve_only_queue(const Sight&, std::size_t) { return surely(Target(0)); }

Pmf<Target> serve_wang(const Sight& see, std::size_t m) {
    const Cluster& c = see.cluster;
    const auto weight = [&](std::size_t q, std::size_t level) {
        return see.has_work(q) ? Rational(see.length[q]) * c.rate(level) : Rational(0);
    };
    const std::size_t common = c.servers();
    return surely(Target(weight(m, 0) >= weight(common, c.levels() - 1) ? m : common));
}

Rational weighted_length(const Sight& see, std::size_t m, std::size_t n) {
    return see.cluster.rate(see.cluster.distance(m, n)) * Rational(see.length[n]);
}

Pmf<Target> serve_max_weight(const Sight& see, std::size_t m) {
    const Indices heaviest = best(see.queues_with_work(), [&](std::size_t n) { return weighted_length(see, m, n); });
    return one_of(heaviest.empty() ? Indices{m} : heaviest);
}

template <bool rack_aware>
Pmf<Target> serve_pandas(const Sight& see, std::size_t m) {
    if (see.has_work(m)) return surely(Target(m));
    Indices helped = best(see.queues_with_work(), [&](std::size_t n) {
        return rack_aware ? weighted_length(see, m, n) : Rational(see.length[n]);
    });
    std::erase_if(helped, [&](std::size_t n) { return weighted_length(see, m, n) < see.cluster.rate(0); });
    return one_of(helped.empty() ? Indices{m} : helped);
}

/// Without work: a queue of local tasks, or none.
template <bool or_none>
Pmf<Target> serve_nearest_own(const Sight& see, std::size_t m) {
    const Cluster& c = see.cluster;
    Indices local;
    for (std::size_t list = 0; list < c.lists.size(); ++list) local.push_back(c.queue(m, 0, list));
    for (std::size_t k = 0; k < c.levels(); ++k) {
        Indices with_work;
        for (const std::size_t q : local)
            if (see.has_work(q + k)) with_work.push_back(q + k);
        if (!with_work.empty()) return one_of(with_work);
    }
    return one_of(or_none ? Indices{} : local);
}

Pmf<Target> serve_marginal_cost(const Sight& see, std::size_t m) {
    return one_of(best(see.queues_with_work(), [&](std::size_t type) {
        const queueing::TaskType& info = see.cluster.instance.data().types[type];
        const Rational& mu = see.cluster.rate_of(type, see.cluster.level(type, m));
        Rational index = info.cost * Rational(info.exponent + 1) * mu;
        for (unsigned e = 0; e < info.exponent; ++e) index *= Rational(see.length[type]);
        return index;
    }));
}

Pmf<Target> serve_largest_deficit(const Sight& see, std::size_t m) {
    const auto& activities = plan_of(see.cluster).activities;
    Indices candidates;
    for (std::size_t a = 0; a < activities.size(); ++a)
        if (activities[a].server == m && see.has_work(activities[a].type)) candidates.push_back(a);
    Indices queues;
    for (const std::size_t a : best(candidates, [&](std::size_t i) { return see.memory[i]; }))
        queues.push_back(activities[a].type);
    return one_of(queues);
}

const std::map<std::string, Rules>& all_rules() {
    static const std::map<std::string, Rules> rules{
        {"wang-jsq-maxweight", {Arrangement::per_server_and_common, route_wang, serve_wang}},
        {"jsq-maxweight", {Arrangement::per_server, route_shortest_local, serve_max_weight}},
        {"pandas:plain", {Arrangement::per_server, route_shortest_local, serve_pandas<false>}},
        {"pandas:rackaware", {Arrangement::per_server, route_shortest_local, serve_pandas<true>}},
        {"balanced-pandas", {Arrangement::per_server_and_level, route_least_workload, serve_nearest_own<false>}},
        {"balanced-pandas:idle", {Arrangement::per_server_and_level, route_least_workload, serve_nearest_own<true>}},
        {"generalized-cmu", {Arrangement::per_type, route_by_type, serve_marginal_cost}},
        {"fifo", {Arrangement::single, route_to_only_queue, serve_only_queue}},
        {"random-local", {Arrangement::per_server, route_random_local, serve_own}},
        {"random-any", {Arrangement::per_server, route_random, serve_own}},
        {"join-shortest-queue", {Arrangement::per_server, route_shortest_local, serve_own}},
        {"fluid-model-planning:static", {Arrangement::per_server, route_planned, serve_own}},
        {"fluid-model-planning:deficit", {Arrangement::per_type, route_by_type, serve_largest_deficit}},
    };
    return rules;
}

std::size_t queue_count(const Cluster& c) {
    switch (c.rules.arrangement) {
        case Arrangement::per_server:
            return c.servers();
        case Arrangement::per_server_and_common:
            return c.servers() + 1;
        case Arrangement::per_server_and_level:
            return c.servers() * c.lists.size() * c.levels();
        case Arrangement::per_type:
            return c.types();
        case Arrangement::single:
            return 1;
    }
    throw ContractViolation("unknown arrangement of queues");
}

std::size_t counted_level(const Cluster& c, std::size_t q, std::size_t m) {
    switch (c.rules.arrangement) {
        case Arrangement::per_server:
            return c.distance(m, q);
        case Arrangement::per_server_and_common:
            return q < c.servers() ? c.distance(m, q) : c.levels() - 1;
        case Arrangement::per_server_and_level:
            return q % c.levels();
        case Arrangement::per_type:
            return c.level(q, m);
        case Arrangement::single:
            return 0;  // never counted
    }
    throw ContractViolation("unknown arrangement of queues");
}

Tracking tracking_of(const Cluster& c, const std::string& policy_id, std::size_t q) {
    if (policy_id == "fifo")
        return c.options().reveal == queueing::Reveal::on_start ? Tracking::revealed : Tracking::listed;
    if (policy_id == "random-any" || policy_id == "fluid-model-planning:static") return Tracking::listed;
    const bool by_type = c.options().common_rate == queueing::CommonRate::by_type;
    const bool common = c.rules.arrangement == Arrangement::per_server_and_common && q == c.servers();
    return common && by_type ? Tracking::listed : Tracking::counted;
}

bool ever_serves(const Cluster& c, std::size_t q, std::size_t m) {
    if (c.rules.serve == serve_own) return q == m;
    if (c.rules.serve == serve_nearest_own<false> || c.rules.serve == serve_nearest_own<true>) return c.owner(q) == m;
    if (c.rules.serve == serve_wang) return q == m || q == c.servers();
    if (c.rules.serve != serve_largest_deficit) return true;
    return std::any_of(plan_of(c).activities.begin(), plan_of(c).activities.end(),
                       [&](const Plan::Activity& a) { return a.type == q && a.server == m; });
}

}  // namespace

Cluster cluster_of(const Instance& instance, const std::string& policy_id, const std::optional<Plan>& plan) {
    const auto found = all_rules().find(policy_id);
    require(found != all_rules().end(), "the oracle does not know this policy");
    require(plan || !needs_plan(policy_id), "this policy needs a plan");
    return {instance, found->second, plan ? &*plan : nullptr, lists_of_rates(instance)};
}

std::vector<Rational> rates_of(const Instance& instance, std::size_t type) {
    std::vector<Rational> rates = instance.data().types[type].rates;
    if (rates.empty())
        for (const queueing::LevelInfo& level : instance.data().levels) rates.push_back(level.rate);
    return rates;
}

std::vector<std::vector<Rational>> lists_of_rates(const Instance& instance) {
    std::vector<std::vector<Rational>> lists;
    for (std::size_t type = 0; type < instance.data().types.size(); ++type)
        if (std::vector<Rational> rates = rates_of(instance, type);
            std::find(lists.begin(), lists.end(), rates) == lists.end())
            lists.push_back(std::move(rates));
    return lists;
}

std::vector<std::string> policy_ids() {
    std::vector<std::string> ids;
    for (const auto& [id, rules] : all_rules()) ids.push_back(id);
    return ids;
}

bool needs_plan(const std::string& policy_id) { return policy_id.rfind("fluid-model-planning:", 0) == 0; }

QueueShape queue_shape(const Instance& instance, const std::string& policy_id, const std::optional<Plan>& plan) {
    const Cluster c = cluster_of(instance, policy_id, plan);
    QueueShape shape;
    for (std::size_t q = 0; q < queue_count(c); ++q) {
        shape.tracking.push_back(tracking_of(c, policy_id, q));
        shape.level.emplace_back();
        shape.serves.emplace_back();
        for (std::size_t m = 0; m < c.servers(); ++m) {
            shape.level.back().push_back(counted_level(c, q, m));
            shape.serves.back().push_back(ever_serves(c, q, m));
        }
        shape.rate.emplace_back();
        for (std::size_t k = 0; k < c.levels(); ++k) shape.rate.back().push_back(c.rate_in(q, k));
    }
    if (c.rules.serve == serve_largest_deficit) shape.memory = plan_of(c).activities.size();
    return shape;
}

}  // namespace schedproof::oracle
