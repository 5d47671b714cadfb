/// What `check --dry-run` says: what would be asked, with which budgets.
#pragma once

#include <string>

#include "checks/core/run.hpp"

namespace schedproof::cli {

/// The rows of `checks::plan` for people: by claim, policy and the oracles that are asked, on which instances; then how
/// many questions that makes, and what bounds each.
[[nodiscard]] std::string plan_text(const checks::Report& planned, const checks::Selection& selection,
                                    const checks::Settings& settings);

}  // namespace schedproof::cli
