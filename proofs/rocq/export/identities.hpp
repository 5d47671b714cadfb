/// The polynomial identities of a certificate, for Identities.v.
#pragma once

#include <vector>

#include "proofs/certificate/polynomial.hpp"
#include "proofs/certifier/any_certificate.hpp"
#include "proofs/rocq/export/tree_stream.hpp"

namespace schedproof::rocq {

struct Identity {
    proof::PolynomialLemma lemma;
    proof::PolynomialProof proof;
};
/// In the order of the certificate; none in most kinds. Requires a proof per lemma.
[[nodiscard]] std::vector<Identity> identities(const AnyCertificate& certificate);

/// Hypotheses, conclusion and the products that add up to it.
[[nodiscard]] Stream stream_of(const std::vector<Identity>& identities);

}  // namespace schedproof::rocq
