/// When Phase II of DynDLOff is optimal: Theorem 4 of [jin2018], as it holds and in three forms that are false, and
/// A_k.
#pragma once

#include "policies/assignment/dyndloff.hpp"
#include "proofs/assignment/theorems/obligations.hpp"

namespace schedproof::assignment {

/// k: the last index i into D whose deadline leaves room for i remote tasks.
[[nodiscard]] std::size_t last_passing(const Problem<explore::Affine>& problem,
                                       const DynDlOffTrace<explore::Affine>& trace);

[[nodiscard]] Obligations k_optimal(const Problem<explore::Affine>& problem, const DynDlOff& policy);
[[nodiscard]] Obligations theorem_4(const Problem<explore::Affine>& problem, const DynDlOff& policy);
// As printed, or nearly: false. The optimum is found by comparing all assignments, so these are for few.
[[nodiscard]] Obligations theorem_4_moved_local(const Problem<explore::Affine>& problem, const DynDlOff& policy);
[[nodiscard]] Obligations theorem_4_constraint_2(const Problem<explore::Affine>& problem);
[[nodiscard]] Obligations theorem_4_output(const Problem<explore::Affine>& problem, const DynDlOff& policy);

}  // namespace schedproof::assignment
