/// Transience in a cone: functions that all grow where all are large, since the policy is then in one mode.
#pragma once

#include "proofs/queueing/transience/transience_search.hpp"

namespace schedproof::queueing {

/// A proof by theorems/cone.hpp, or the reason why there is none: then that says nothing about the policy. Exact.
/// Throws InputError where the terms of the drift are not defined, and LimitExceeded where nothing is derived from a
/// rule. Cost: a few linear programs per premise of the rules.
[[nodiscard]] TransienceOutcome prove_in_cone(const SymbolicSystem& system);

}  // namespace schedproof::queueing
