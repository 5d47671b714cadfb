/// Collapses of several queues to equal lengths: of more than one dimension at once.
/// The method stands at the head of subset_search.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "proofs/queueing/heavy_traffic/collapse_sides.hpp"

namespace schedproof::heavy_traffic {

/// For each set of some, not all, of the queues that can be joined, how far its mean length is below that of all, in
/// multiples that grow with the set; several choices of the multiples. Empty for fewer than three queues, or more than
/// four.
[[nodiscard]] std::vector<std::vector<CollapseSide>> subset_sides(const SlackCells& cells);

/// Chooses base, rate, bound and windows for a theorem whose forms are those of the sides, so that log_base(`factor` b
/// / rho) is small. False where no base is found. Cost: some linear programs for each cell and base.
[[nodiscard]] bool choose_subset_base(queueing::CollapseTheorem& theorem, const SlackCells& cells,
                                      const std::vector<CollapseSide>& sides, double factor);

}  // namespace schedproof::heavy_traffic
