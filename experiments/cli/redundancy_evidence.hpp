/// Bundles of counterexamples of the redundancy family: see evidence.hpp.
#pragma once

#include <string>

#include "checks/claims/redundancy_claim.hpp"
#include "experiments/cli/bundle.hpp"

namespace schedproof::cli {

void write_bundle(const checks::RedundancyClaim& claim, const checks::RedundancyCounterexample& found,
                  const std::string& folder);
[[nodiscard]] Replay replay(const checks::RedundancyClaim& claim, const BundleText& bundle);

}  // namespace schedproof::cli
