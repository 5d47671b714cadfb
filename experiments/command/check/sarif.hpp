/// Verdicts as SARIF 2.1.0, for services that show them beside the code.
#pragma once

#include "checks/core/report.hpp"
#include "experiments/command/core/answer_fields.hpp"

namespace schedproof::cli {

/// A rule per claim that was asked, and a result for each row that somebody should look at: one that is not as
/// expected, and a refutation of a policy of which nothing was expected. Rows as expected are counted in the run's
/// properties alone, since GitHub shows every result as an alert, whatever its kind. Each result is at the line of its
/// policy, and a refutation has its counterexample as a code flow.
[[nodiscard]] Json sarif_json(const checks::Report& report, const checks::EvidenceFiles& evidence);

}  // namespace schedproof::cli
