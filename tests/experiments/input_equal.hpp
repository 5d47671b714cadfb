/// Equality of instances, part by part, for tests of readers and writers.
#pragma once

#include <algorithm>

#include "model/queueing/instance.hpp"

namespace schedproof::testing {

inline bool same_law(const std::optional<queueing::ArrivalLaw>& a, const std::optional<queueing::ArrivalLaw>& b) {
    if (a.has_value() != b.has_value()) return false;
    if (!a) return true;
    const auto same_outcome = [](const auto& x, const auto& y) {
        return x.count == y.count && x.probability == y.probability;
    };
    const auto same_factor = [&](const auto& x, const auto& y) {
        return std::ranges::equal(x.types(), y.types()) && std::ranges::equal(x.outcomes(), y.outcomes(), same_outcome);
    };
    return std::ranges::equal(a->factors(), b->factors(), same_factor);
}

inline bool same(const queueing::InstanceData& a, const queueing::InstanceData& b) {
    const auto same_level = [](const auto& x, const auto& y) { return x.name == y.name && x.rate == y.rate; };
    const auto same_server = [](const auto& x, const auto& y) { return x.name == y.name && x.groups == y.groups; };
    const auto same_type = [](const auto& x, const auto& y) {
        return x.name == y.name && x.replicas == y.replicas && x.cost == y.cost && x.exponent == y.exponent &&
               x.rates == y.rates;
    };
    return a.name == b.name && a.source == b.source && a.options == b.options && a.rates == b.rates &&
           a.batches == b.batches && a.lyapunov == b.lyapunov && std::ranges::equal(a.levels, b.levels, same_level) &&
           std::ranges::equal(a.servers, b.servers, same_server) && std::ranges::equal(a.types, b.types, same_type) &&
           same_law(a.arrivals, b.arrivals);
}

}  // namespace schedproof::testing
