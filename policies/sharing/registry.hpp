/// The policies of the sharing family by name, in the form of policies/core/policy_registry.hpp.
#pragma once

#include <span>
#include <string_view>

#include "policies/sharing/any_policy.hpp"
#include "policies/sharing/settable_parameters.hpp"

namespace schedproof::sharing {

/// Adds a policy for the rest of the run; to be called before any other function here, since views of the list end.
/// Throws InputError when a policy has this name, and when it is no plain one (base::is_plain_name).
void add_policy(const AddedPolicy& policy);

/// Whether the policy of this id was added.
[[nodiscard]] bool is_added(std::string_view id);

/// Every policy, each followed by its variants, then the added ones.
[[nodiscard]] std::span<const PolicyInfo> policies();

/// The registered id that equals the name, as a view that lives for ever; empty when there is none.
[[nodiscard]] std::string_view resolve_policy(std::string_view name);

/// What the policy's parameters are unless the user sets them: of an added policy, what its author wrote.
/// Throws InputError when the name is unknown.
[[nodiscard]] Parameters usual_parameters(std::string_view name);

/// Throws InputError when the name is unknown, or a parameter of the policy negative.
[[nodiscard]] AnyPolicy make_policy(std::string_view name, const Parameters& parameters);

}  // namespace schedproof::sharing
