/// The capacity program's answer as the plan that fluid model planning follows.
#pragma once

#include "model/queueing/instance.hpp"
#include "policies/queueing/fluid_plan.hpp"

namespace schedproof::capacity {

/// A vertex optimum of the capacity program. Throws LimitExceeded when only an interval for rho* was found.
[[nodiscard]] queueing::FluidPlan fluid_plan(const queueing::Instance& instance);

}  // namespace schedproof::capacity
