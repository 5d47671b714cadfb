/// One pair of functions per kind of theorem: its data as JSON text, and back.
///
/// The kinds are those of queueing::Theorem, in its order; a new kind adds its name to `theorem_kinds`, an overload of
/// `to_json` and a line of `read_theorem`. Functions of the state, statuses and queues, which several kinds share, have
/// functions of their own here.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "proofs/certifier/any_certificate.hpp"
#include "proofs/certifier/spot.hpp"

namespace schedproof::certify {

/// What the member `theorem` of a certificate says, by alternative of queueing::Theorem.
inline constexpr std::array<std::string_view, std::variant_size_v<queueing::Theorem>> theorem_kinds{
    "drift", "transience", "maxweight-drift", "uniform-drift", "invariants"};

/// What it says for a theorem about assignments.
inline constexpr std::string_view assignment_kind = "assignment";
/// For one about redundancy policies, and for dual variables of one instance.
inline constexpr std::string_view redundancy_kind = "redundancy", dual_kind = "dual";

[[nodiscard]] std::string to_json(const queueing::DriftTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::TransienceTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::MaxWeightTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::UniformTheorem& theorem);
[[nodiscard]] std::string to_json(const queueing::InvariantTheorem& theorem);
[[nodiscard]] std::string to_json(const assignment::Theorem& theorem);
/// Throws InputError when the kind is unknown, or the data have not its form.
[[nodiscard]] queueing::Theorem read_theorem(const Spot& kind, const Spot& data);

[[nodiscard]] queueing::TransienceTheorem read_transience(const Spot& data);
[[nodiscard]] queueing::MaxWeightTheorem read_max_weight(const Spot& data);
[[nodiscard]] queueing::UniformTheorem read_uniform(const Spot& data);

[[nodiscard]] assignment::Theorem read_assignment(const Spot& data);

[[nodiscard]] std::string to_json(const redundancy::Theorem& theorem,
                                  const std::vector<proof::PolynomialProof>& lemmas);
/// Without policy and proofs.
[[nodiscard]] redundancy::Certificate read_redundancy(const Spot& data);

/// The members `instance` and `statement`.
[[nodiscard]] std::string instance_json(const redundancy::DualCertificate& certificate);
[[nodiscard]] std::string statement_json(const redundancy::DualCertificate& certificate);
/// SHA-256 of both, one after the other: two alphas that trade places are worth the same.
[[nodiscard]] std::string digest_of(const redundancy::DualCertificate& certificate);
/// Without the policy.
[[nodiscard]] redundancy::DualCertificate read_dual(const Spot& instance, const Spot& statement);

/// Identities of polynomial lemmas: a list of them; of each, a list of [coefficient, positions of the hypotheses].
[[nodiscard]] std::string to_json(const std::vector<proof::PolynomialProof>& lemmas);
[[nodiscard]] std::vector<proof::PolynomialProof> read_lemmas(const Spot& at);

[[nodiscard]] std::string to_json(const queueing::LyapunovForm& v);
[[nodiscard]] queueing::LyapunovForm read_lyapunov(const Spot& at);

/// Per server the list of what it can be doing: `"idle"` or {"status": "busy", "level": 1, "queue": 2}.
[[nodiscard]] std::string to_json(const std::vector<std::vector<queueing::Service>>& statuses);
[[nodiscard]] std::vector<std::vector<queueing::Service>> read_statuses(const Spot& at);

}  // namespace schedproof::certify
