#include "policies/queueing/fluid_model_planning.hpp"

#include <algorithm>

namespace schedproof::queueing {

namespace {
void require_plan_serves(const Instance& instance, const FluidPlan& plan) {
    std::vector<Rational> served(instance.types().size());
    for (const FluidPlan::Activity& activity : plan.activities) {
        require(activity.amount.sign() > 0, "a basic activity of a fluid plan is positive");
        served.at(activity.type.index()) += activity.amount;
    }
    for (const TaskTypeId type : instance.types())
        require(served[type.index()] == instance.arrival_rate(type),
                "a fluid plan serves exactly the arrivals of every type");
}
}  // namespace

FluidModelPlanningStatic::FluidModelPlanningStatic(const Instance& instance, const FluidPlan& plan) {
    require_plan_serves(instance, plan);
    auto splits = std::make_shared<std::vector<Split>>();
    for (const TaskTypeId type : instance.types()) {
        std::vector<Candidate> candidates;
        std::vector<Rational> probabilities;
        for (const FluidPlan::Activity& activity : plan.activities) {
            if (activity.type != type) continue;
            candidates.push_back({QueueId(activity.server.index()), instance.local()});
            probabilities.push_back(activity.amount / instance.arrival_rate(type));
        }
        if (candidates.empty()) {  // a type that never arrives still needs an answer
            candidates.push_back({QueueId(instance.type(type).replicas.front().index()), instance.local()});
            probabilities.emplace_back(1);
        }
        splits->push_back({std::move(candidates), DiscreteDistribution(std::move(probabilities))});
    }
    splits_ = std::move(splits);
}

FluidModelPlanningDeficit::FluidModelPlanningDeficit(const Instance& instance, const FluidPlan& plan) {
    require_plan_serves(instance, plan);
    auto counters = std::make_shared<std::vector<DeficitCounter>>();
    std::vector<Rational> shares;
    for (const FluidPlan::Activity& activity : plan.activities) {
        shares.push_back(activity.amount / (instance.rate(activity.type, activity.server) * plan.load));
        counters->push_back(
            {activity.server, {QueueId(activity.type.index()), instance.local()}, shares.back(), Rational(1)});
    }
    const Rational scale = common_denominator(shares);
    for (DeficitCounter& counter : *counters) {
        counter.growth *= scale;
        counter.charge = scale;
    }
    std::stable_sort(counters->begin(), counters->end(),
                     [](const DeficitCounter& a, const DeficitCounter& b) { return a.server < b.server; });
    counters_ = std::move(counters);
}

}  // namespace schedproof::queueing
