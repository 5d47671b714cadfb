/// What a check found: a closed sum whose members are never merged, in no table and no report.
///
///     Proved      for every input of the stated family, with a certificate that was accepted without a solver,
///     Exhausted   each of n cases, and there are no others in the family,
///     Survived    n random cases, with their seed,
///     Refuted     a counterexample, which counts only after it was replayed by exact enumeration,
///     Unknown     which budget ended, or what the oracle cannot speak of.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "model/assignment/problem.hpp"
#include "model/redundancy/instance.hpp"
#include "policies/queueing/exact.hpp"
#include "proofs/certifier/any_certificate.hpp"

namespace schedproof::checks {

struct SharingCase;

/// A cluster under a policy, and a state of it, at which a claim fails.
struct QueueingCounterexample {
    std::shared_ptr<const queueing::Instance> instance;
    std::string policy;
    queueing::ExactState state;  ///< the empty one where the instance alone is the counterexample
    std::string violation;       ///< what fails there, in words
};

/// A problem on which a claim about a scheduler fails.
struct AssignmentCounterexample {
    std::shared_ptr<const assignment::Problem<Rational>> problem;
    std::string policy;
    std::string violation;
};

/// An instance on which a claim about a policy fails.
struct RedundancyCounterexample {
    std::shared_ptr<const redundancy::Instance> problem;
    std::string policy;
    std::string violation;
};

/// A state, course or setting on which a claim about a sharing policy fails.
struct SharingCounterexample {
    std::shared_ptr<const SharingCase> problem;
    std::string policy;
    std::string violation;
};

using Counterexample =
    std::variant<QueueingCounterexample, AssignmentCounterexample, RedundancyCounterexample, SharingCounterexample>;
/// What fails there, in words.
[[nodiscard]] const std::string& violation_of(const Counterexample& counterexample);

struct Proved {
    std::string theorem;                                ///< in words, with its family
    std::shared_ptr<const AnyCertificate> certificate;  ///< accepted by `rejection`
    std::uint64_t cells = 0;                            ///< leaves of its proofs
};
struct Exhausted {
    std::uint64_t cases = 0;
};
struct Survived {
    std::uint64_t cases = 0;
    std::uint64_t seed = 0;
};
struct Refuted {
    Counterexample counterexample;
};
struct Unknown {
    std::string reason;
};

using Verdict = std::variant<Proved, Exhausted, Survived, Refuted, Unknown>;

/// `Proved`, `Exhausted`, ...
[[nodiscard]] std::string_view kind(const Verdict& verdict);
/// The kind with its numbers: `Survived (400 cases, seed 1)`.
[[nodiscard]] std::string short_text(const Verdict& verdict);
/// One sentence: the theorem, the violation, the reason.
[[nodiscard]] std::string explanation(const Verdict& verdict);
/// Throws OracleConflict unless `fault` accepts the certificate.
[[nodiscard]] Verdict proved(AnyCertificate certificate);
/// Proved, Exhausted or Survived.
[[nodiscard]] bool affirms(const Verdict& verdict);

}  // namespace schedproof::checks
