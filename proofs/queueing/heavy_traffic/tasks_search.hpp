/// From a workload to a number of tasks, at every slack of a family.
/// The method stands at the head of tasks_search.cpp.
#pragma once

#include <optional>
#include <vector>

#include "proofs/queueing/heavy_traffic/collapse_sides.hpp"
#include "proofs/queueing/theorems/heavy_traffic/heavy_upper.hpp"

namespace schedproof::heavy_traffic {

/// (T) for a workload with these weights (per function of the basis) and a collapse to these sides; of the two ways,
/// the one with the smaller bound. Nothing where neither bounds the tasks. Cost: two linear programs per cell and
/// queue.
[[nodiscard]] std::optional<queueing::HeavyUpperTheorem::Tasks> bound_tasks(const SlackCells& cells,
                                                                            const std::vector<Rational>& weights,
                                                                            const std::vector<CollapseSide>& sides,
                                                                            const queueing::CollapseTheorem& collapse);

}  // namespace schedproof::heavy_traffic
