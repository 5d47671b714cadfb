/// The queueing policies by name; registry.cpp lists them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/queueing/any_policy.hpp"
#include "policies/queueing/added_policy.hpp"
#include "policies/queueing/fluid_plan.hpp"

namespace schedproof::queueing {

/// Adds a policy for the rest of the run; to be called before any other function here, since views of the list end.
/// Throws InputError when a policy has this name, and when it is no plain one (base::is_plain_name).
void add_policy(const AddedPolicy& policy);

/// Whether the policy of this id was added.
[[nodiscard]] bool is_added(std::string_view id);

/// Every registered policy, in the order of registry.cpp, then the added ones.
[[nodiscard]] std::span<const PolicyInfo> policies();

/// The id that a name stands for: itself, or the first variant of a family (`pandas` is `pandas:plain`); empty when
/// the name is unknown.
[[nodiscard]] std::string_view resolve_policy(std::string_view name);

/// The rules of the registered policy of this id; null when the id is unknown.
[[nodiscard]] const Rules* find_rules(std::string_view id);

/// Its rules as text: what the policy is, beside its id. Throws InputError when the name is unknown.
[[nodiscard]] std::string definition(std::string_view name);

/// Throws InputError when the name is unknown.
[[nodiscard]] AnyPolicy make_policy(std::string_view name, const Instance& instance, const Planner& planner);
/// A policy that follows no plan, and so depends on no instance. Throws InputError for any other name.
[[nodiscard]] AnyPolicy make_policy(std::string_view name);

}  // namespace schedproof::queueing
