/// Small clusters in continuous time, and sums over what was seen of a run.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "experiments/simulators/events/event_loop.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::simulation::event_runs {

using namespace queueing;

/// Servers in racks of two; type t has data on servers t and t + 1; rates 1, 1/2, 1/4.
inline SimulatedSystem racks(std::size_t servers) {
    InstanceData data;
    data.name = "racks";
    data.levels = {{"local", Rational(1)},
                   {"rack", Rational(Integer(1), Integer(2))},
                   {"remote", Rational(Integer(1), Integer(4))}};
    for (std::size_t m = 0; m < servers; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {"r" + std::to_string(m / 2)}});
        data.types.push_back({"t" + std::to_string(m), {ServerId(m)}});
        if (m + 1 < servers) data.types.back().replicas.emplace_back(m + 1);
        data.rates.emplace_back(Integer(m + 1), Integer(10));
    }
    return {std::make_shared<const Instance>(std::move(data))};
}

/// Servers of rate 1, data everywhere.
inline SimulatedSystem alike(std::size_t servers) {
    InstanceData data;
    data.name = "alike";
    data.levels = {{"local", Rational(1)}, {"remote", Rational(Integer(1), Integer(2))}};
    data.types = {{"any", {}}};
    for (std::size_t m = 0; m < servers; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        data.types[0].replicas.emplace_back(m);
    }
    data.rates = {Rational(1)};
    return {std::make_shared<const Instance>(std::move(data))};
}

inline EventSettings settings(SimulatedSystem system, AnyPolicy policy, double mean_gap, double duration) {
    EventSettings s{std::move(system), std::move(policy)};
    s.gap = workload::Exponential{mean_gap};
    s.size = workload::Gamma{2, 0.5};
    s.duration = duration;
    s.batches = 10;
    return s;
}

inline Tally total(const Observation& seen, std::size_t quantity) {
    Tally sum;
    for (const Batch& batch : seen.batches) sum.add(batch.tallies[quantity].sum, batch.tallies[quantity].weight);
    return sum;
}
inline double mean(const Observation& seen, std::size_t quantity) {
    const Tally sum = total(seen, quantity);
    return sum.sum / sum.weight;
}

}  // namespace schedproof::simulation::event_runs
