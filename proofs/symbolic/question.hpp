/// A question about code: for all symbolic inputs, does this body leave nothing that its obligations forbid?
///
/// The body runs code under test, a policy or the kernel, on symbolic numbers, and returns lists of constraints, none
/// of which may be satisfiable together with the path that led there. A question is asked by the explorer, which finds
/// a proof or a point (explore/ask.hpp), and bound by this file, which runs the body again along the tree of a given
/// proof: the atoms asked must be the tree's, in order, and the obligations the leaf's. So a proof that passes `fault`
/// of certificate/explored_proof.hpp and `binding_fault` here speaks of the code, and no solver was asked.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "proofs/certificate/explored_proof.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::explore {

/// Constraints that must have no common point on the path. Empty list: the path itself must be impossible.
using Forbidden = std::vector<proof::Constraint>;

struct Question {
    std::string name;
    proof::Space space;
    std::function<std::vector<Forbidden>(const std::vector<Affine>&)> body;  ///< a function of its comparisons alone
};

/// Empty when the proof's space, tree and obligations are those of the question's body, otherwise the first thing that
/// differs. Cost: one run of the body per leaf.
[[nodiscard]] std::string binding_fault(const Question& question, const proof::ExploredProof& proof);

}  // namespace schedproof::explore
