/// The queueing policies by name; registry.def lists them.
///
/// No policy's header is included here or by whoever uses the registry: one unit per policy, made by CMake, knows its
/// type.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "policies/queueing/any_policy.hpp"
#include "policies/queueing/fluid_plan.hpp"

namespace schedproof::queueing {

/// Every registered policy, in the order of registry.def.
[[nodiscard]] std::span<const PolicyInfo> policies();

/// The id that a name stands for: itself, or the first variant of a family (`pandas` is `pandas:plain`); empty when
/// the name is unknown.
[[nodiscard]] std::string_view resolve_policy(std::string_view name);

/// Position of the policy of this id in registry.def. Throws InputError when the id is unknown.
[[nodiscard]] std::size_t registry_index(std::string_view id);

/// The registered policy of this id; null when the id is unknown.
[[nodiscard]] const PolicyDescriptor* find_policy(std::string_view id);

/// Throws InputError when the name is unknown.
[[nodiscard]] AnyPolicy make_policy(std::string_view name, const Instance& instance, const Planner& planner);
/// A policy that follows no plan, and so depends on no instance. Throws InputError for any other name.
[[nodiscard]] AnyPolicy make_policy(std::string_view name);

}  // namespace schedproof::queueing
