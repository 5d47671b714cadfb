/// What claims say of a policy that none of them was written for.
#pragma once

#include <string>

#include "checks/core/claim.hpp"

namespace schedproof::checks {

/// Whether a refutation on a line of the claim speaks against the policy: not where the claim fails of some policy as
/// it should, so that it is about an argument and not about every policy.
[[nodiscard]] bool speaks_against(const Claim& claim, Expectation expectation);

/// The claim's statement. Where no line has the policy, it begins with whom it is asked of instead of whom, since it
/// may name those.
[[nodiscard]] std::string statement_about(const std::string& policy, const Claim& claim);

/// The claim as one about the policy alone, on every instance that its lines name.
[[nodiscard]] Claim about_policy(const std::string& policy, Claim claim);

}  // namespace schedproof::checks
