/// Bundles of counterexamples of the sharing family: see evidence.hpp.
///
/// A case stands in counterexample.json: cluster, jobs with the nodes of their data, the state at which a slot is
/// offered, parameters, and the numbers of the analysis.
#pragma once

#include <string>

#include "checks/sharing/claim.hpp"
#include "experiments/command/families/bundle.hpp"

namespace schedproof::command {

void write_bundle(const checks::SharingClaim& claim, const checks::SharingCounterexample& found,
                  const std::string& folder);
[[nodiscard]] Replay replay(const checks::SharingClaim& claim, const BundleText& bundle);

}  // namespace schedproof::command
