/// The decisions of an optimal policy as rules of the testbed: a table near the empty system, MaxWeight beyond it.
#pragma once

#include "model/queueing/language/rules.hpp"
#include "proofs/queueing/theorems/any_policy.hpp"

namespace schedproof::queueing {

/// Rules that keep a queue per type, by a table of the states with at most `most` waiting tasks, or fewer where the box
/// of the theorem is smaller. What such a policy is worth is not known before its own mean is proved.
/// Requires: a theorem of the mode names_types, or of continuous time. Throws InputError when a decision table cannot
/// be so large.
[[nodiscard]] Rules tabulated_rules(const Instance& instance, const AnyPolicyTheorem& theorem, std::uint32_t most,
                                    unsigned threads);

}  // namespace schedproof::queueing
