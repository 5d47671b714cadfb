#include "policies/queueing/fluid_model_planning.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::queueing {

std::string plan_rejection(const Instance& instance, const FluidPlan& plan) {
    if (plan.load.sign() < 0 || (plan.load.sign() == 0 && !plan.activities.empty()))
        return "the load of a plan is not positive";
    std::vector<Rational> served(instance.types().size());
    std::set<std::pair<TaskTypeId, ServerId>> met;
    for (const FluidPlan::Activity& activity : plan.activities) {
        if (activity.type.index() >= instance.types().size() || activity.server.index() >= instance.servers().size())
            return "a plan speaks of an unknown type or server";
        if (activity.amount.sign() <= 0) return "an activity of a plan is not positive";
        if (!met.emplace(activity.type, activity.server).second) return "an activity stands in a plan twice";
        served[activity.type.index()] += activity.amount;
    }
    for (const TaskTypeId type : instance.types())
        if (served[type.index()] != instance.arrival_rate(type))
            return "a plan does not serve exactly the arrivals of " + instance.type(type).name;
    return "";
}

namespace {
void require_plan_serves(const Instance& instance, const FluidPlan& plan) {
    if (const std::string wrong = plan_rejection(instance, plan); !wrong.empty()) throw ContractViolation(wrong);
}
}  // namespace

FluidModelPlanningStatic::FluidModelPlanningStatic(const Instance& instance, const FluidPlan& fluid) {
    require_plan_serves(instance, fluid);
    auto data = std::make_shared<PlanData>();
    for (const TaskTypeId type : instance.types()) {
        std::vector<Candidate> queues;
        std::vector<Rational> probabilities;
        for (const FluidPlan::Activity& activity : fluid.activities) {
            if (activity.type != type) continue;
            queues.push_back({QueueId(activity.server.index()), instance.local()});
            probabilities.push_back(activity.amount / instance.arrival_rate(type));
        }
        if (queues.empty()) {  // a type that never arrives still needs an answer
            queues.push_back({QueueId(instance.type(type).replicas.front().index()), instance.local()});
            probabilities.emplace_back(1);
        }
        data->splits.push_back({std::move(queues), DiscreteDistribution(std::move(probabilities))});
    }
    plan = std::move(data);
}

FluidModelPlanningDeficit::FluidModelPlanningDeficit(const Instance& instance, const FluidPlan& fluid) {
    require_plan_serves(instance, fluid);
    auto data = std::make_shared<PlanData>();
    std::vector<DeficitCounter>& counters = data->counters;
    std::vector<Rational> shares;
    for (const FluidPlan::Activity& activity : fluid.activities) {
        shares.push_back(activity.amount / (instance.rate(activity.type, activity.server) * fluid.load));
        counters.push_back(
            {activity.server, {QueueId(activity.type.index()), instance.local()}, shares.back(), Rational(1)});
    }
    const Rational scale = common_denominator(shares);
    for (DeficitCounter& counter : counters) {
        counter.growth *= scale;
        counter.charge = scale;
    }
    std::stable_sort(counters.begin(), counters.end(),
                     [](const DeficitCounter& a, const DeficitCounter& b) { return a.server < b.server; });
    plan = std::move(data);
}

}  // namespace schedproof::queueing
