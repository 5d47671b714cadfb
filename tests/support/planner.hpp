/// A generated plan in the form in which the registry asks for one.
#pragma once

#include <optional>

#include "policies/queueing/registry.hpp"
#include "tests/model/queueing_oracle.hpp"

namespace schedproof::testing_support {

/// Requires a plan if the policy that is made reads one.
inline queueing::Planner planner_of(const std::optional<oracle::Plan>& plan) {
    return [plan](const queueing::Instance&) {
        queueing::FluidPlan fluid{plan->load, {}};
        for (const auto& a : plan->activities)
            fluid.activities.push_back({TaskTypeId(a.type), ServerId(a.server), a.x});
        return fluid;
    };
}

}  // namespace schedproof::testing_support
