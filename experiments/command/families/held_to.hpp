/// What a policy's file holds it to.
#pragma once

#include <vector>

#include "checks/core/run.hpp"
#include "experiments/command/core/policy_file.hpp"

namespace schedproof::cli {

/// For a run of claims. Throws InputError at the policy's line when the file names a claim that is none of its family,
/// and as read_any_instance when an instance cannot be read.
[[nodiscard]] checks::HeldTo held_to(const PolicyFile& file, const std::vector<checks::Claim>& claims);

}  // namespace schedproof::cli
