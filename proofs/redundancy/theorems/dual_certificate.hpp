/// A lower bound on the optimal flowtime of one instance, from dual variables that satisfy eq. 8: what a certificate
/// of dual fitting holds.
///
/// alpha is given per job and beta(t) = n(t)/(s M), n(t) the jobs active at t under SRPT (for SRPT+R) or under the
/// policy itself (Fair+R), at the policy's speed s. Feasible with a constant C, they are worth V = sum alpha - F/s, F
/// the flowtime of that run, and V <= P1 <= (1 + C Delta) OPT: redundancy_duals.hpp. How alpha was made does not
/// matter. No exploration: the checker runs the policy once and compares.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/redundancy/instance.hpp"
#include "proofs/certificate/explored_proof.hpp"
#include "proofs/redundancy/theorems/duals.hpp"

namespace schedproof::certify {
class Certifiable;
}  // namespace schedproof::certify

namespace schedproof::redundancy {

struct DualCertificate {
    std::string policy;  ///< `srpt+r` or `fair+r`
    std::string name;    ///< of the instance
    Problem<Rational> problem;
    Rational speed;                            ///< s of the policy; the optimum runs at speed 1
    std::vector<Rational> alpha;               ///< by job, >= 0
    Rational constant;                         ///< C >= 0
    std::vector<proof::ExploredProof> proofs;  ///< none: there is nothing to explore
};

/// What a certificate says, in numbers.
struct DualBound {
    Rational value;     ///< V
    Rational flowtime;  ///< of the policy
    Rational optimum;   ///< V / (1 + C Delta): no schedule at speed 1 has less
    Rational ratio;     ///< flowtime / optimum; 0 when V <= 0, where there is no bound
};
/// Requires a certificate that `rejection` can run.
[[nodiscard]] DualBound bound_of(const DualCertificate& certificate);

/// The rule's dual variables on an instance with the least constant. Throws InputError when the instance is not valid
/// or its service not linear.
[[nodiscard]] DualCertificate fit(DualRule rule, const Instance& instance);

/// The bound in words.
[[nodiscard]] std::string sentence(const DualCertificate& certificate);

/// Empty when the dual variables are feasible and worth more than 0, otherwise the first reason to reject it.
/// Throws InputError when the instance is not valid. Cost: two runs, and one comparison per job and step.
[[nodiscard]] std::string rejection(const DualCertificate& certificate);

/// The certificate behind the interface of the certifier; its kind is among `certificate_kinds` of theorem.hpp.
[[nodiscard]] std::shared_ptr<const certify::Certifiable> certifiable(DualCertificate certificate);

}  // namespace schedproof::redundancy
