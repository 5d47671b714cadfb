/// Bundles of counterexamples of the queueing family: see evidence.hpp.
#pragma once

#include <string>

#include "checks/claims/queueing_claim.hpp"
#include "experiments/cli/bundle.hpp"

namespace schedproof::cli {

void write_bundle(const checks::QueueingClaim& claim, const checks::QueueingCounterexample& found,
                  const std::string& folder);
[[nodiscard]] Replay replay(const checks::QueueingClaim& claim, const BundleText& bundle);

}  // namespace schedproof::cli
