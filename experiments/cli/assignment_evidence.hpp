/// Bundles of counterexamples of the assignment family: see evidence.hpp.
#pragma once

#include <string>

#include "checks/claims/assignment_claim.hpp"
#include "experiments/cli/bundle.hpp"

namespace schedproof::cli {

void write_bundle(const checks::AssignmentClaim& claim, const checks::AssignmentCounterexample& found,
                  const std::string& folder);
[[nodiscard]] Replay replay(const checks::AssignmentClaim& claim, const BundleText& bundle);

}  // namespace schedproof::cli
