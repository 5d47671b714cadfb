/// Certificates of every family, as one closed sum.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "proofs/assignment/theorems/theorem.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/redundancy/theorems/dual_certificate.hpp"
#include "proofs/redundancy/theorems/theorem.hpp"

namespace schedproof {

using AnyCertificate =
    std::variant<queueing::Certificate, assignment::Certificate, redundancy::Certificate, redundancy::DualCertificate>;

/// Empty when the certificate proves its theorem of the registered policy, otherwise the first fault. Asks no solver.
[[nodiscard]] inline std::string fault(const AnyCertificate& certificate) {
    return std::visit([](const auto& c) { return fault(c); }, certificate);
}
/// The theorem in words.
[[nodiscard]] inline std::string sentence(const AnyCertificate& certificate) {
    return std::visit([](const auto& c) { return sentence(c); }, certificate);
}
/// One proof per question; none where there is nothing to explore.
[[nodiscard]] inline const std::vector<proof::ExploredProof>& proofs_of(const AnyCertificate& certificate) {
    return std::visit([](const auto& c) -> const std::vector<proof::ExploredProof>& { return c.proofs; }, certificate);
}

}  // namespace schedproof
