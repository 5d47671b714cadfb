/// Bundles of counterexamples of the queueing family: see evidence.hpp.
#pragma once

#include <string>

#include "checks/queueing/claim.hpp"
#include "experiments/command/families/bundle.hpp"

namespace schedproof::command {

void write_bundle(const checks::QueueingClaim& claim, const checks::QueueingCounterexample& found,
                  const std::string& folder);
[[nodiscard]] Replay replay(const checks::QueueingClaim& claim, const BundleText& bundle);

}  // namespace schedproof::command
