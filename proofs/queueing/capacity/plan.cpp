#include "proofs/queueing/capacity/plan.hpp"

#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/activities.hpp"
#include "proofs/queueing/capacity/region.hpp"

namespace schedproof::capacity {

queueing::FluidPlan fluid_plan(const queueing::Instance& instance) {
    const CapacityCertificate certificate = solve(instance);
    if (!certificate.exact()) throw LimitExceeded("rounds of the capacity program", "no exact optimum to plan by");
    queueing::FluidPlan plan{certificate.load(), {}};
    for (const Assignment& basic : basic_activities(instance, certificate).basic)
        plan.activities.push_back({basic.type, basic.server, basic.amount});
    return plan;
}

}  // namespace schedproof::capacity
