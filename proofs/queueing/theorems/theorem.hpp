/// A theorem about a policy on an instance, with the proofs of its questions: what a certificate holds.
///
/// Every kind of theorem is a value from which its questions about the code are made again, and which may carry
/// arithmetic of its own, such as the load of the instance. A certificate is right when the arithmetic is, when every
/// question has its proof, when each proof is one (explored_proof.hpp) and belongs to the code (question.hpp).
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "model/queueing/instance.hpp"
#include "proofs/certificate/explored_proof.hpp"
#include "proofs/queueing/theorems/drift.hpp"
#include "proofs/queueing/theorems/invariants.hpp"
#include "proofs/queueing/theorems/max_weight.hpp"
#include "proofs/queueing/theorems/transience.hpp"

namespace schedproof::queueing {

using Theorem = std::variant<DriftTheorem, TransienceTheorem, MaxWeightTheorem, UniformTheorem, InvariantTheorem>;

struct Certificate {
    std::shared_ptr<const Instance> instance;  ///< with its options; none for a theorem about every instance
    std::string policy;                        ///< id in the registry
    Theorem theorem;
    std::vector<proof::ExploredProof> proofs;  ///< one per question, in their order
};

/// Arithmetic of the theorem beyond its questions; empty when right.
[[nodiscard]] std::string arithmetic_fault(const SymbolicSystem& system, const DriftTheorem& theorem);

/// The theorem in words.
[[nodiscard]] std::string sentence(const Certificate& certificate);

/// Empty when the certificate proves its theorem of the registered policy, otherwise the first fault.
/// Asks no solver. Cost: one run of the code per leaf, and the multiplications of the proofs.
[[nodiscard]] std::string fault(const Certificate& certificate);

}  // namespace schedproof::queueing
