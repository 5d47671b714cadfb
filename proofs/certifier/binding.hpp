/// The binding of a proof to the code that it is about.
///
/// A proof that passes proof::rejection is a statement about constraints and nothing else. The binding runs the body
/// of the question again along the proof's tree: the comparisons that the code makes must be the tree's, in its order,
/// and the constraints that the code returns must be the obligations of the leaf where it ends. No solver is asked.
#pragma once

#include <string>
#include <vector>

#include "proofs/certificate/explored_proof.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::certify {

/// Empty when the proof's space, tree and obligations are those of the question's body; otherwise the first that
/// differs. Requires a proof that proof::rejection accepts. Cost: one run of the body per leaf.
[[nodiscard]] std::string binding_rejection(const explore::Question& question, const proof::ExploredProof& proof);

/// Empty when there is one proof per question, in their order, and each is right in itself and bound to its question;
/// otherwise the first reason for rejection. Cost: one run of the code per leaf, and the multiplications of the proofs.
[[nodiscard]] std::string rejection(const std::vector<explore::Question>& questions,
                                    const std::vector<proof::ExploredProof>& proofs);

}  // namespace schedproof::certify
