/// The registered policies under their own types, for tests of what is compiled per policy.
#pragma once

#include <stdexcept>
#include <utility>

#include "policies/queueing/any_policy.hpp"
#include "registered_policies.hpp"

namespace schedproof::testing_support {

/// Calls `use` on the policy as what it is.
template <class Use>
void with_concrete_policy(const queueing::AnyPolicy& policy, Use&& use) {
#define SCHEDPROOF_POLICY(header, Name) \
    if (policy.info().id == queueing::Name::info.id) return use(policy.as<queueing::Name>());
#include "policies/queueing/registry.def"
#undef SCHEDPROOF_POLICY
    throw std::invalid_argument("the policy is not registered");
}

}  // namespace schedproof::testing_support
