/// What is known of a queueing policy beside its decisions.
#pragma once

#include "model/queueing/policy.hpp"
#include "policies/queueing/fluid_plan.hpp"

namespace schedproof::queueing {

struct PolicyDescriptor {
    PolicyInfo info;
    DecisionClass decisions;
    bool follows_plan = false;
    bool keeps_counters = false;  ///< deficit counters, so that its chain is infinite
};

/// Everything is stated in the policy's own file, or follows from its members.
template <class P>
[[nodiscard]] constexpr PolicyDescriptor descriptor() {
    return {P::info, decision_class<P>(), PlanningPolicy<P>, DeficitCountingPolicy<P>};
}

}  // namespace schedproof::queueing
