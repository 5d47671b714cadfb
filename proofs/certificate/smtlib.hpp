/// The refutations of a proof as SMT-LIB 2 files, so that any other solver can repeat them.
///
/// Every closed side of a tree and every obligation of a leaf is a set of linear constraints without a common real
/// point: a question of QF_LRA whose answer is unsat. That integers were tightened is already in the constraints.
/// Depends on model/core alone.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "proofs/certificate/explored_proof.hpp"

namespace schedproof::proof {

/// One file. `comment` is one line; `satisfiable` is what `(set-info :status ...)` says.
[[nodiscard]] std::string smtlib(const Space& space, std::span<const Constraint> constraints,
                                 const std::string& comment, bool satisfiable = false);

/// Calls `visit(what, constraints)` for every closed side and every obligation, in the order of the tree; `what` says
/// which it is, such as `closed side 3` or `leaf 12, obligation 0`.
/// Requires a proof that is accepted.
void for_each_refutation(
    const ExploredProof& proof,
    const std::function<void(const std::string& what, std::span<const Constraint> constraints)>& visit);

}  // namespace schedproof::proof
