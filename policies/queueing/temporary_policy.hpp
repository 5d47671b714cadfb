/// Registers a policy temporarily, such as one that a certificate brings.
#pragma once

#include <memory>

#include "policies/queueing/added_policy.hpp"

namespace schedproof::queueing {

/// Adds a policy, as add_policy does and with its conditions, until the last copy of what is returned ends. Views of
/// the list of policies end then, too.
[[nodiscard]] std::shared_ptr<const void> add_temporary_policy(const AddedPolicy& policy);

}  // namespace schedproof::queueing
