/// Finding a ray with more tasks than the workload needs, to which a policy keeps.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "proofs/certificate/explored_proof.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/queueing/heavy_traffic/slack_cells.hpp"
#include "proofs/queueing/theorems/heavy_traffic/heavy_ray.hpp"

namespace schedproof::heavy_traffic {

/// A theorem of a factor above 1 with the proofs of its questions, in their order.
struct RayProof {
    queueing::HeavyRayTheorem theorem;
    std::vector<proof::ExploredProof> proofs;
    explore::Statistics statistics;
};

/// Of the forms that the code compares, the one that gives the largest factor; a reason where none gives one above 1.
/// Throws LimitExceeded when a budget ends.
[[nodiscard]] std::variant<RayProof, std::string> best_ray(const SlackCells& cells,
                                                           const queueing::HeavyLowerTheorem& lower,
                                                           const explore::Budget& budget = {});

}  // namespace schedproof::heavy_traffic
