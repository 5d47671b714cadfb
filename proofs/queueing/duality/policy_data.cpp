#include "proofs/queueing/duality/policy_data.hpp"

#include <algorithm>

#include "model/queueing/layout.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::duality {

namespace {

using namespace queueing;

MaxWeightData prepared(const Instance& instance, Arrangement arrangement, std::size_t queues) {
    static_cast<void>(Layout(instance, arrangement));  // refuses queues that do not tell the rates of their tasks
    MaxWeightData data;
    data.queues = queues;
    data.arrival_rates = instance.data().rates;
    data.admissible.resize(instance.types().size());
    data.servable.resize(instance.servers().size());
    return data;
}

/// Own queues and a common one, weighed by rate times length.
MaxWeightData with_common_queue(const Instance& instance) {
    const std::size_t servers = instance.servers().size();
    MaxWeightData data = prepared(instance, Arrangement::per_server_and_common, servers + 1);
    const QueueId common(servers);
    for (const TaskTypeId type : instance.types()) {
        for (const ServerId m : instance.type(type).replicas)
            data.admissible[type.index()].push_back({QueueId(m.index()), 1});
        data.admissible[type.index()].push_back({common, 1});
    }
    for (const ServerId m : instance.servers())
        data.servable[m.index()] = {{QueueId(m.index()), instance.rate(instance.local())},
                                    {common, instance.rate(instance.remote())}};
    return data;
}

/// Queues of servers, each of which may serve all, weighed by rate times length.
MaxWeightData with_server_queues(const Instance& instance) {
    MaxWeightData data = prepared(instance, Arrangement::per_server, instance.servers().size());
    for (const TaskTypeId type : instance.types())
        for (const ServerId m : instance.type(type).replicas)
            data.admissible[type.index()].push_back({QueueId(m.index()), 1});
    const Layout layout(instance, Arrangement::per_server);
    for (const ServerId m : instance.servers())
        for (const QueueId q : IdRange<QueueId>(layout.queues()))
            if (layout.serves(instance, m, q))
                data.servable[m.index()].push_back({q, layout.service_rate(instance, q, m)});
    return data;
}

/// Queues of types, weighed by rate times marginal cost.
MaxWeightData with_type_queues(const Instance& instance) {
    MaxWeightData data = prepared(instance, Arrangement::per_type, instance.types().size());
    for (const TaskTypeId type : instance.types()) {
        data.admissible[type.index()] = {{QueueId(type.index()), 1}};
        for (const ServerId m : instance.servers())
            if (instance.can_serve(m, type))
                data.servable[m.index()].push_back({QueueId(type.index()), instance.rate(type, m)});
    }
    return data;
}

/// Workloads of servers, each of which serves its own.
MaxWeightData with_workloads(const Instance& instance) {
    MaxWeightData data = prepared(instance, Arrangement::per_server_and_level, instance.servers().size());
    for (const ServerId m : instance.servers()) {
        data.servable[m.index()] = {{QueueId(m.index()), 1}};
        for (const TaskTypeId type : instance.types())
            if (instance.can_serve(m, type))
                data.admissible[type.index()].push_back({QueueId(m.index()), Rational(1) / instance.rate(type, m)});
    }
    return data;
}

}  // namespace

std::optional<MaxWeightData> max_weight_data(const Instance& instance, const DecisionClass& decisions) {
    const auto follows = [&](RoutingRule routing, ServingRule serving) {
        return decisions.routing == routing && decisions.serving == serving;
    };
    if (follows(RoutingRule::shortest_local_or_common, ServingRule::largest_of_own_and_common) &&
        !instance.rates_at_servers())
        return with_common_queue(instance);
    if (follows(RoutingRule::shortest_local, ServingRule::largest_weight)) return with_server_queues(instance);
    for (const ServingRule serving : {ServingRule::most_local_first, ServingRule::most_local_or_none})
        if (follows(RoutingRule::least_weighted_workload, serving)) return with_workloads(instance);
    const auto& types = instance.data().types;
    const bool quadratic =
        std::all_of(types.begin(), types.end(), [](const TaskType& type) { return type.exponent == 1; });
    if (quadratic && follows(RoutingRule::own_type, ServingRule::largest_marginal_cost))
        return with_type_queues(instance);
    return std::nullopt;
}

std::optional<MaxWeightData> max_weight_data(const Instance& instance, std::string_view policy) {
    const Rules* rules = find_rules(policy);
    return rules != nullptr ? max_weight_data(instance, decision_class(*rules)) : std::nullopt;
}

}  // namespace schedproof::duality
