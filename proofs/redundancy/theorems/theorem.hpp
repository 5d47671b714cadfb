/// A theorem about a redundancy policy on all problems of a shape, with its proof: what a certificate holds.
#pragma once

#include <string>
#include <vector>

#include "proofs/certificate/explored_proof.hpp"
#include "proofs/certificate/polynomial.hpp"
#include "proofs/redundancy/theorems/statements.hpp"

namespace schedproof::redundancy {

struct Theorem {
    std::string statement;  ///< of `statements()`
    Shape shape;            ///< one job on one machine (det) where the statement has no inputs
    Rational bound;         ///< where the statement has one; otherwise 0
};

struct Certificate {
    std::string policy;  ///< id in the registry
    Theorem theorem;
    std::vector<proof::ExploredProof> proofs;    ///< one per question, in their order
    std::vector<proof::PolynomialProof> lemmas;  ///< one per lemma, in their order; products ascend
};

/// The questions whose proofs are the theorem. Throws InputError when policy, statement and shape do not fit.
[[nodiscard]] std::vector<explore::Question> questions(const std::string& policy, const Theorem& theorem);

/// The theorem in words.
[[nodiscard]] std::string sentence(const Certificate& certificate);

/// Empty when the certificate proves its theorem of the registered policy, otherwise the first fault.
/// Asks no solver. Cost: one run of the code per leaf, and the multiplications of the proofs.
[[nodiscard]] std::string fault(const Certificate& certificate);

}  // namespace schedproof::redundancy
