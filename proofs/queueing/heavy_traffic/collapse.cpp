#include "proofs/queueing/heavy_traffic/collapse.hpp"

#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/activities.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;

Workload workload(const Instance& instance, const capacity::CapacityCertificate& certificate) {
    Workload result;
    result.load = certificate.load();
    require(result.load.sign() > 0, "without load nothing has a price");
    const Rational dearest = *std::max_element(certificate.type_price.begin(), certificate.type_price.end());
    for (const Rational& v : certificate.type_price) result.type_price.push_back(v / dearest);
    for (const Rational& w : certificate.server_price) {
        result.server_price.push_back(w / dearest);
        result.slack += result.server_price.back();
        result.service_variance -= result.server_price.back() * result.server_price.back();
    }
    for (const TaskTypeId type : instance.types()) {
        const Rational &v = result.type_price[type.index()], &lambda = instance.arrival_rate(type);
        result.slack -= lambda * v;
        result.service_variance += lambda * v * v;
    }
    for (const ArrivalFactor& factor : instance.arrivals().factors()) {
        Rational mean, square;
        for (const ArrivalOutcome& outcome : factor.outcomes()) {
            Rational value;
            for (std::size_t i = 0; i < outcome.count.size(); ++i)
                value += Rational(outcome.count[i]) * result.type_price[factor.types()[i].index()];
            mean += outcome.probability * value;
            square += outcome.probability * value * value;
        }
        result.arrival_variance += square - mean * mean;
    }
    result.pooled = capacity::basic_activities(instance, certificate).complete_resource_pooling();
    return result;
}

std::optional<CollapseRay> collapse_ray(const duality::MaxWeightData& data, const Workload& workload,
                                        const std::vector<Rational>& costs) {
    std::vector<bool> joined(data.queues);
    CollapseRay ray;
    ray.least.resize(data.queues);
    for (std::size_t type = 0; type < data.admissible.size(); ++type) {
        if (data.arrival_rates[type].sign() == 0) continue;
        for (const auto& entry : data.admissible[type]) {
            joined[entry.queue.index()] = true;
            if (entry.multiplier.sign() == 0) continue;  // its tasks count nothing there
            Rational& least = ray.least[entry.queue.index()];
            least = std::max(least, workload.type_price[type] / entry.multiplier);
        }
    }
    std::vector<std::optional<Rational>> price(data.queues);
    for (std::size_t m = 0; m < data.servable.size(); ++m)
        for (const auto& entry : data.servable[m]) {
            if (!joined[entry.queue.index()] || entry.multiplier.sign() == 0) continue;
            const Rational here = workload.server_price[m] / entry.multiplier;
            auto& p = price[entry.queue.index()];
            if (!p || here < *p) p = here;
        }
    Rational tasks, value;
    for (std::size_t i = 0; i < price.size(); ++i) {
        const Rational p = price[i].value_or(Rational());
        const Rational cost = costs.empty() ? Rational(1) : costs[i];
        ray.direction.push_back(p / cost);
        ray.least[i] /= cost;
        tasks += ray.direction.back();
        value += p * ray.direction.back();
    }
    // With sigma = rho*, p attains the largest stability load: nobody pays more than its price, and what a type brings
    // is worth v. A smaller reach means that other weights, not p, are where the drift vanishes first.
    if (duality::solve(data).value != workload.load) return std::nullopt;
    if (ray.least == ray.direction) ray.factor = tasks / value;  // the dearest task is worth 1
    return ray;
}

WorkloadRay workload_ray(const Instance& instance, const Workload& workload) {
    WorkloadRay ray;
    Rational tasks, value;
    for (const ServerId m : instance.servers()) {
        const Rational& w = workload.server_price[m.index()];
        std::optional<Rational> slowest;
        for (const TaskTypeId type : instance.types()) {
            const Rational& rate = instance.rate(type, m);
            if (instance.arrival_rate(type).sign() > 0 && workload.type_price[type.index()] * rate == w &&
                (!slowest || rate < *slowest))
                slowest = rate;
        }
        ray.slowest.push_back(slowest.value_or(Rational()));
        tasks += ray.slowest.back() * w;
        value += w * w;
    }
    ray.factor = tasks / value;
    return ray;
}

}  // namespace schedproof::heavy_traffic
