/// `validate --hunt`: a small cluster on which the policy breaks, in place of all other parts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/command/validate/validate.hpp"

namespace schedproof::cli {

/// After which a hunt ends without `--time-limit`. Unit: seconds.
inline constexpr std::uint64_t hunt_seconds = 120;

/// Throws InputError for a policy of another family, and one that follows a plan.
void require_huntable(const checks::Family& family, const std::string& id);
/// Looks for a cluster on which the policy is transient at a load below 1; adds a remark. The cluster that is found
/// becomes the instance of `of`, and the standing of the outcome. Throws InputError where the policy runs on none of
/// the clusters. Requires a policy that `require_huntable` lets pass.
void hunt(Validated& of, Outcome& outcome, Journal& journal);
[[nodiscard]] std::vector<std::string> not_covered_by_hunt(const Validated& of);

}  // namespace schedproof::cli
