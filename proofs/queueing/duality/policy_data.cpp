#include "proofs/queueing/duality/policy_data.hpp"

#include <algorithm>

#include "model/queueing/layout.hpp"

namespace schedproof::duality {

namespace {

using namespace queueing;

MaxWeightData prepared(const Instance& instance, std::size_t queues) {
    MaxWeightData data;
    data.queues = queues;
    data.arrival_rates = instance.data().rates;
    data.admissible.resize(instance.types().size());
    data.servable.resize(instance.servers().size());
    return data;
}

MaxWeightData wang(const Instance& instance) {
    const std::size_t servers = instance.servers().size();
    MaxWeightData data = prepared(instance, servers + 1);
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

MaxWeightData jsq(const Instance& instance) {
    MaxWeightData data = prepared(instance, instance.servers().size());
    for (const TaskTypeId type : instance.types())
        for (const ServerId m : instance.type(type).replicas)
            data.admissible[type.index()].push_back({QueueId(m.index()), 1});
    for (const ServerId m : instance.servers())
        for (const ServerId n : instance.servers())
            data.servable[m.index()].push_back({QueueId(n.index()), instance.rate(instance.distance(m, n))});
    return data;
}

MaxWeightData cmu(const Instance& instance) {
    MaxWeightData data = prepared(instance, instance.types().size());
    for (const TaskTypeId type : instance.types()) {
        data.admissible[type.index()] = {{QueueId(type.index()), 1}};
        for (const ServerId m : instance.servers())
            data.servable[m.index()].push_back({QueueId(type.index()), instance.rate(type, m)});
    }
    return data;
}

MaxWeightData balanced_pandas(const Instance& instance) {
    MaxWeightData data = prepared(instance, instance.servers().size());
    for (const ServerId m : instance.servers()) {
        data.servable[m.index()] = {{QueueId(m.index()), 1}};
        for (const TaskTypeId type : instance.types())
            data.admissible[type.index()].push_back({QueueId(m.index()), Rational(1) / instance.rate(type, m)});
    }
    return data;
}

}  // namespace

std::optional<MaxWeightData> max_weight_data(const Instance& instance, std::string_view policy) {
    if (policy == "wang-jsq-maxweight") return wang(instance);
    if (policy == "jsq-maxweight") return jsq(instance);
    if (policy == "balanced-pandas") return balanced_pandas(instance);
    const auto& types = instance.data().types;
    const bool quadratic =
        std::all_of(types.begin(), types.end(), [](const TaskType& type) { return type.exponent == 1; });
    if (policy == "generalized-cmu" && quadratic) return cmu(instance);
    return std::nullopt;
}

}  // namespace schedproof::duality
