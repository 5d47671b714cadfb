/// The plan that fluid model planning follows, and who makes it.
#pragma once

#include <concepts>
#include <functional>
#include <vector>

#include "model/queueing/instance.hpp"

namespace schedproof::queueing {

/// A vertex optimum of the capacity LP. Shape: the activities with x > 0. Unit: tasks per slot.
struct FluidPlan {
    struct Activity {
        TaskTypeId type;
        ServerId server;
        Rational amount;
    };
    Rational load;  ///< rho*
    std::vector<Activity> activities;
};

/// Solves the capacity LP of an instance; called only for policies that plan.
using Planner = std::function<FluidPlan(const Instance&)>;

/// For callers without a solver: throws InputError, so that a policy that plans cannot be made.
[[nodiscard]] FluidPlan no_planner(const Instance& instance);

/// A policy that follows a plan.
template <class P>
concept PlanningPolicy = std::constructible_from<P, const Instance&, const FluidPlan&>;

}  // namespace schedproof::queueing
