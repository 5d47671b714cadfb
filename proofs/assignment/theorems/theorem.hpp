/// A theorem about a scheduler on all problems of a shape, with its proof: what a certificate holds.
#pragma once

#include <string>
#include <vector>

#include "proofs/assignment/theorems/statements.hpp"
#include "proofs/certificate/explored_proof.hpp"

namespace schedproof::assignment {

struct Theorem {
    std::string statement;  ///< of `statements()`
    Family family;
    Rational bound;  ///< where the statement has one; otherwise 0
};

struct Certificate {
    std::string policy;  ///< id of the scheduler in the registry
    Theorem theorem;
    std::vector<proof::ExploredProof> proofs;  ///< one per question, in their order
};

/// The question whose proof is the theorem. Throws InputError for an unknown scheduler or statement.
[[nodiscard]] std::vector<explore::Question> questions(const std::string& policy, const Theorem& theorem);

/// The theorem in words.
[[nodiscard]] std::string sentence(const Certificate& certificate);

/// Empty when the certificate proves its theorem of the registered scheduler, otherwise the first fault.
/// Asks no solver. Cost: one run of the code per leaf, and the multiplications of the proofs.
[[nodiscard]] std::string fault(const Certificate& certificate);

}  // namespace schedproof::assignment
