/// Bundles of counterexamples of the redundancy family: see evidence.hpp.
#pragma once

#include <string>

#include "checks/redundancy/claim.hpp"
#include "experiments/command/families/bundle.hpp"

namespace schedproof::command {

void write_bundle(const checks::RedundancyClaim& claim, const checks::RedundancyCounterexample& found,
                  const std::string& folder);
[[nodiscard]] Replay replay(const checks::RedundancyClaim& claim, const BundleText& bundle);

}  // namespace schedproof::command
