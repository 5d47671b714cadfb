/// Rows of `check` as verdicts for build servers.
#pragma once

#include <vector>

#include "checks/core/report.hpp"
#include "experiments/command/core/ci_report.hpp"

namespace schedproof::cli {

/// A verdict for each row. A refutation of a policy of which nothing was expected is noted. Each is at the line of its
/// policy, and a refutation has its counterexample in steps.
[[nodiscard]] std::vector<CiVerdict> ci_verdicts(const checks::Report& report, const checks::EvidenceFiles& evidence);

}  // namespace schedproof::cli
