/// `schedproof worst` with a policy of the redundancy family: its flowtime against the optimum's.
#pragma once

#include "experiments/command/worst/worst.hpp"

namespace schedproof::command {

/// Whether the policy is one of the redundancy family.
[[nodiscard]] bool asks_redundancy(const WorstRequest& request);

/// The exact supremum over all arrivals and sizes of a shape, or the largest ratio on a grid, beside the proved bounds.
int run_redundancy(const WorstRequest& request);

}  // namespace schedproof::command
