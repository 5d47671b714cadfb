/// Budgets of symbolic execution from the command line.
#pragma once

#include "experiments/command/core/output.hpp"
#include "proofs/explore/explorer.hpp"

namespace schedproof::cli {

/// With progress on a terminal. Borrows `progress`.
[[nodiscard]] explore::Budget budget_of(const BudgetRequest& request, Progress& progress);

}  // namespace schedproof::cli
