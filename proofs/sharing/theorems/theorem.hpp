/// A theorem about a sharing policy at every moment of every cluster, with its proof: what a certificate holds.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "proofs/certificate/explored_proof.hpp"
#include "proofs/sharing/theorems/statements.hpp"

namespace schedproof::certify {
class Certifiable;
struct CertificateKind;
}  // namespace schedproof::certify

namespace schedproof::sharing {

struct Theorem {
    std::string statement;  ///< of `statements()`
    /// Jobs with tasks to launch, present jobs where tasks are killed, nodes that hold the data of a task that joins a
    /// queue. Range: 1 to most_moment.
    std::size_t most = 1;
};

/// `n3`: what up to three jobs, or nodes, can be.
[[nodiscard]] std::string shape_name(std::size_t most);

struct Certificate {
    std::string policy;  ///< id in the registry
    Theorem theorem;
    std::vector<proof::ExploredProof> proofs;  ///< one per question, in their order
};

/// The questions whose proofs are the theorem. Throws InputError when policy, statement and number do not fit.
[[nodiscard]] std::vector<explore::Question> questions(const std::string& policy, const Theorem& theorem);

/// The theorem in words.
[[nodiscard]] std::string sentence(const Certificate& certificate);

/// Empty when the certificate proves its theorem of the registered policy, otherwise the first reason to reject it.
/// Asks no solver. Cost: one run of the code per leaf, and the multiplications of the proofs.
[[nodiscard]] std::string rejection(const Certificate& certificate);

/// For the certifier: as in proofs/redundancy/theorems/theorem.hpp.
[[nodiscard]] std::shared_ptr<const certify::Certifiable> certifiable(Certificate certificate);
[[nodiscard]] std::vector<certify::CertificateKind> certificate_kinds();

}  // namespace schedproof::sharing
