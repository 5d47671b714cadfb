/// Fluid model planning ([harrison1998]; [harrison1999]; [kavousi], Section III-A): schedule by the capacity LP's
/// optimum.
///
/// The plan is a vertex optimum x*(L,m) of the capacity LP: how much of type L server m should do per slot. Its
/// positive entries are the basic activities. [kavousi] does not describe the papers' discrete review; two direct uses
/// of the plan are:
/// Deviation: the papers review the system at discrete times; the two rules below follow the plan slot by slot.
/// `static`: a type-L task joins server m with probability x*(L,m)/lambda_L, and servers serve their own list in
/// order. Each server is then a queue of its own, stable where the load rho* is below one (docs/models/queueing.md,
/// Interpretation Q18).
/// `deficit`: one queue per type; an idle server serves the non-empty type, among its basic activities, that is
/// furthest behind plan: D(L,m) = t x*(L,m) / (mu(L,m) rho*) - (slots m has spent on L until t).
#pragma once

#include <memory>
#include <string>

#include "model/queueing/any_policy.hpp"
#include "policies/queueing/fluid_plan.hpp"

namespace schedproof::queueing::language {

struct FluidModelPlanningStatic {
    static constexpr PolicyInfo info{"fluid-model-planning:static", "[harrison1999]; [kavousi], Section III-A",
                                     "join server m with the plan's probability; serve own in order of arrival"};
    static constexpr Rules rules{keep(Arrangement::per_server), route(planned), serve(own)};

    /// Throws ContractViolation unless the plan serves exactly the arrivals of every type.
    FluidModelPlanningStatic(const Instance& instance, const FluidPlan& plan);

    std::shared_ptr<const PlanData> plan;  ///< its splits
};

struct FluidModelPlanningDeficit {
    static constexpr PolicyInfo info{"fluid-model-planning:deficit", "[harrison1999]; [kavousi], Section III-A",
                                     "join the queue of one's type; serve the basic activity furthest behind plan"};
    static constexpr Rules rules{keep(Arrangement::per_type), route(own_type), serve(furthest_behind)};

    /// Requires: as FluidModelPlanningStatic.
    FluidModelPlanningDeficit(const Instance& instance, const FluidPlan& plan);

    /// D(L,m) per activity, times the common denominator of all planned shares, so that it is an integer.
    std::shared_ptr<const PlanData> plan;
};

}  // namespace schedproof::queueing::language

namespace schedproof::queueing {
/// Why no policy can follow the plan on the instance: it speaks of what is not there, or does not serve exactly the
/// arrivals. Empty when one can.
[[nodiscard]] std::string plan_rejection(const Instance& instance, const FluidPlan& plan);

using language::FluidModelPlanningDeficit;
using language::FluidModelPlanningStatic;
}  // namespace schedproof::queueing
