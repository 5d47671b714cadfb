/// A theorem about a policy on all problems of a shape, with its proof: what a certificate holds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "proofs/assignment/theorems/statements.hpp"
#include "proofs/certificate/explored_proof.hpp"

namespace schedproof::certify {
class Certifiable;
struct CertificateKind;
}  // namespace schedproof::certify

namespace schedproof::assignment {

struct Theorem {
    std::string statement;  ///< of `statements()`
    Family family;
    Rational bound;  ///< where the statement has one; otherwise 0
};

struct Certificate {
    std::string policy;  ///< id of the policy in the registry
    Theorem theorem;
    std::vector<proof::ExploredProof> proofs;  ///< one per question, in their order
};

/// The question whose proof is the theorem. Throws InputError for an unknown policy or statement, and for a statement
/// that is not one about the policy.
[[nodiscard]] std::vector<explore::Question> questions(const std::string& policy, const Theorem& theorem);

/// The theorem in words.
[[nodiscard]] std::string sentence(const Certificate& certificate);

/// Empty when the certificate proves its theorem of the registered policy, otherwise the first reason to reject it.
/// Asks no solver. Cost: one run of the code per leaf, and the multiplications of the proofs.
[[nodiscard]] std::string rejection(const Certificate& certificate);

/// For the certifier, which writes, reads and checks certificates without knowing their family: a certificate behind
/// its interface (certifier/any_certificate.hpp), and what files may hold (certifier/certificate_kinds.hpp).
[[nodiscard]] std::shared_ptr<const certify::Certifiable> certifiable(Certificate certificate);
[[nodiscard]] std::vector<certify::CertificateKind> certificate_kinds();

}  // namespace schedproof::assignment
