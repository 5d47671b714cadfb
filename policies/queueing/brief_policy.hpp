/// A policy that is known for a while, such as one that a certificate brings.
#pragma once

#include <memory>

#include "policies/queueing/added_policy.hpp"

namespace schedproof::queueing {

/// Adds a policy, as add_policy does and with its conditions, until the last copy of what is returned ends. Views of
/// the list of policies end then, too.
[[nodiscard]] std::shared_ptr<const void> add_policy_for_now(const AddedPolicy& policy);

}  // namespace schedproof::queueing
