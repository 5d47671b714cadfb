#include "experiments/command/core/budget.hpp"

namespace schedproof::cli {

explore::Budget budget_of(const BudgetRequest& request, Progress& progress) {
    explore::Budget budget;
    budget.solver = request.rlimit.value_or(budget.solver);
    budget.paths = request.max_cells.value_or(budget.paths);
    budget.progress = [&progress](std::uint64_t cells) { progress.report("cells", static_cast<double>(cells), 0); };
    return budget;
}

}  // namespace schedproof::cli
