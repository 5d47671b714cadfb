/// Bundles of counterexamples of the assignment family: see evidence.hpp.
#pragma once

#include <string>

#include "checks/assignment/claim.hpp"
#include "experiments/command/families/bundle.hpp"

namespace schedproof::command {

void write_bundle(const checks::AssignmentClaim& claim, const checks::AssignmentCounterexample& found,
                  const std::string& folder);
[[nodiscard]] Replay replay(const checks::AssignmentClaim& claim, const BundleText& bundle);

}  // namespace schedproof::command
