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
#include "proofs/queueing/theorems/any_policy.hpp"
#include "proofs/queueing/theorems/bounded_regret.hpp"
#include "proofs/queueing/theorems/drift.hpp"
#include "proofs/queueing/theorems/heavy_traffic/heavy_ray.hpp"
#include "proofs/queueing/theorems/heavy_traffic/heavy_upper.hpp"
#include "proofs/queueing/theorems/invariants.hpp"
#include "proofs/queueing/theorems/max_weight.hpp"
#include "proofs/queueing/theorems/mean.hpp"
#include "proofs/queueing/theorems/transience.hpp"

namespace schedproof::certify {
class Certifiable;
struct CertificateKind;
}  // namespace schedproof::certify

namespace schedproof::queueing {

using Theorem = std::variant<DriftTheorem, TransienceTheorem, MaxWeightTheorem, UniformTheorem, InvariantTheorem,
                             MeanTheorem, AnyPolicyTheorem, CollapseTheorem, HeavyLowerTheorem, HeavyUpperTheorem,
                             HeavyRayTheorem, RegretTheorem>;

struct Certificate {
    std::shared_ptr<const Instance> instance;  ///< with its options; none for a theorem about every instance
    std::string policy;                        ///< id in the registry; empty for a theorem about every policy
    Theorem theorem;
    std::vector<proof::ExploredProof> proofs;  ///< one per question, in their order
};

/// Arithmetic of the theorem beyond its questions; empty when right.
[[nodiscard]] std::string arithmetic_rejection(const SymbolicSystem& system, const DriftTheorem& theorem);

/// The certificate's policy on its instance, following the plan that its theorem gives, if one. Throws InputError when
/// it cannot be made, or would need a plan. Requires an instance.
[[nodiscard]] AnyPolicy policy_of(const Certificate& certificate);

/// The theorem in words.
[[nodiscard]] std::string sentence(const Certificate& certificate);

/// Empty when the certificate proves its theorem of the registered policy, otherwise the first reason to reject it.
/// Asks no solver. Cost: one run of the code per leaf, and the multiplications of the proofs.
[[nodiscard]] std::string rejection(const Certificate& certificate);

/// For the certifier, which writes, reads and checks certificates without knowing their family: a certificate behind
/// its interface (certifier/any_certificate.hpp), and what files may hold (certifier/certificate_kinds.hpp).
[[nodiscard]] std::shared_ptr<const certify::Certifiable> certifiable(Certificate certificate);
[[nodiscard]] std::vector<certify::CertificateKind> certificate_kinds();

}  // namespace schedproof::queueing
