/// The cells of a policy on all problems of a shape, and the linear programs on them: inside of worst_over_loads.
#pragma once

#include <vector>

#include "proofs/assignment/theorems/competitors.hpp"
#include "proofs/assignment/worst.hpp"

namespace schedproof::assignment {

/// Explores the policy. Throws ContractViolation when a comparison or a finish is not homogeneous.
[[nodiscard]] explore::Exploration<Finishes> ratio_cells(const SystemUnderTest& system_under_test,
                                                         const RatioSpace& space, const explore::Budget& budget);

/// form <= 1 for each of them.
[[nodiscard]] std::vector<proof::Constraint> at_most_one(const Finishes& finishes);

}  // namespace schedproof::assignment
