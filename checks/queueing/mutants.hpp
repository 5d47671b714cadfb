/// Faulty policies, seeded on purpose: each is a registered policy with one line gone wrong, under the same name.
///
/// The oracles of the claims must refute them. A mutant that survives means that the check cannot fail.
#pragma once

#include "checks/queueing/family.hpp"

namespace schedproof::checks::mutants {

// Routing.
[[nodiscard]] System jsq_routes_to_longest(const InstancePtr& instance);
[[nodiscard]] System jsq_drops_routing_ties(const InstancePtr& instance);
[[nodiscard]] System wang_ignores_common_when_routing(const InstancePtr& instance);
[[nodiscard]] System balanced_routes_by_plain_workload(const InstancePtr& instance);
[[nodiscard]] System static_plan_exchanged(const InstancePtr& instance);
[[nodiscard]] System static_split_even(const InstancePtr& instance);
// Serving.
[[nodiscard]] System deficit_plan_exchanged(const InstancePtr& instance);
[[nodiscard]] System jsq_serves_smallest_weight(const InstancePtr& instance);
[[nodiscard]] System jsq_ignores_rates(const InstancePtr& instance);
[[nodiscard]] System wang_never_helps(const InstancePtr& instance);
[[nodiscard]] System wang_weighs_common_as_local(const InstancePtr& instance);
[[nodiscard]] System wang_ties_go_to_common(const InstancePtr& instance);
[[nodiscard]] System balanced_serves_remote_first(const InstancePtr& instance);
[[nodiscard]] System pandas_threshold_off_by_one(const InstancePtr& instance);
[[nodiscard]] System pandas_helps_before_own(const InstancePtr& instance);
[[nodiscard]] System cmu_ignores_costs_of_distance(const InstancePtr& instance);

/// The symbolic mode of `left`, the exact mode of `right`: two pieces of policy code that claim to be one policy.
[[nodiscard]] System crossed(System left, const System& right);

}  // namespace schedproof::checks::mutants
