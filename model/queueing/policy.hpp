/// What a queueing policy is: a name and rules.
///
/// The rules say which queue an arriving task joins and which one an idle server turns to, in the language of
/// language/expressions.hpp. They are data, so simulators, the exact enumeration and the proofs all read the same
/// policy, and a policy has nothing in which it could keep a state or treat one mode unlike another. A policy file
/// needs this header alone, which compiles quickly; what engines hold is in any_policy.hpp.
#pragma once

#include <concepts>

#include "model/core/policy_info.hpp"
#include "model/queueing/language/rules.hpp"

namespace schedproof::queueing {

using schedproof::PolicyInfo;

/// A policy as it is written: members `info` and `rules`.
template <class P>
concept QueueingPolicy = requires(const P& policy) {
    { policy.info } -> std::convertible_to<PolicyInfo>;
    { policy.rules } -> std::convertible_to<Rules>;
};

}  // namespace schedproof::queueing
