/// What a check found: a closed sum whose members are never merged, in no table and no report.
///
///     Proved      for every input of the stated family, with a certificate that was accepted without a solver,
///     Exhausted   each of n cases, which are all within the bounds that it names,
///     Survived    n random cases, with their seed,
///     Refuted     a counterexample, which counts only after it was replayed by exact enumeration,
///     Unknown     which budget ended, or what the oracle cannot speak of.
#pragma once

#include <any>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "proofs/certifier/any_certificate.hpp"

namespace schedproof::checks {

/// How a claim fails on a problem; empty when it does not.
struct Violation {
    /// Which of the ways in which the claim can fail; a smaller counterexample fails in the same way. Empty where there
    /// is one way only.
    std::string kind;
    std::string text;  ///< what fails, with the numbers that were compared

    Violation() = default;
    Violation(std::string what) : text(std::move(what)) {}  // NOLINT(google-explicit-constructor): one way to fail
    Violation(const char* what) : text(what) {}             // NOLINT(google-explicit-constructor)
    Violation(std::string its_kind, std::string what) : kind(std::move(its_kind)), text(std::move(what)) {}
    [[nodiscard]] bool empty() const { return text.empty(); }
};

/// A problem, of whatever family, on which a claim about a policy fails.
struct Counterexample {
    std::any problem;  ///< a std::shared_ptr<const F::Case>, F being the family's traits: see case_of
    std::string policy;
    std::string violation;   ///< what fails there, in words
    std::string kind = {};   ///< of the violation
    std::string place = {};  ///< the problem in a line, where the replay has said it
};
template <class F>
[[nodiscard]] Counterexample counterexample(typename F::Case problem, std::string policy, std::string violation = "") {
    return {std::make_shared<const typename F::Case>(std::move(problem)), std::move(policy), std::move(violation)};
}
/// Requires a counterexample of the family F.
template <class F>
[[nodiscard]] const typename F::Case& case_of(const Counterexample& found) {
    return *std::any_cast<const std::shared_ptr<const typename F::Case>&>(found.problem);
}

struct Proved {
    std::string theorem;                                ///< in words, with its family
    std::shared_ptr<const AnyCertificate> certificate;  ///< accepted by `rejection`
    std::uint64_t cells = 0;                            ///< leaves of its proofs
};
struct Exhausted {
    std::uint64_t cases = 0;
    std::string bounds;  ///< what the cases are, in words: "every state that ... with at most 4 tasks"
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
    bool opposite = false;  ///< the opposite is proved, by what is no certificate or counterexample of the claim
};

using Verdict = std::variant<Proved, Exhausted, Survived, Refuted, Unknown>;

/// The kinds of verdicts, in the order of the sum.
enum class VerdictKind { proved, exhausted, survived, refuted, unknown };
[[nodiscard]] VerdictKind kind_of(const Verdict& verdict);
/// `Proved`, `Exhausted`, ...
[[nodiscard]] std::string_view to_string(VerdictKind kind);
[[nodiscard]] std::string_view kind(const Verdict& verdict);
/// The kind with its numbers: `Survived (400 cases, seed 1)`.
[[nodiscard]] std::string short_text(const Verdict& verdict);
/// One sentence: the theorem, the bounds, the violation, the reason.
[[nodiscard]] std::string explanation(const Verdict& verdict);
/// Throws OracleConflict when the certificate is rejected.
[[nodiscard]] Verdict proved(AnyCertificate certificate);
/// Proved, Exhausted or Survived.
[[nodiscard]] bool affirms(const Verdict& verdict);
[[nodiscard]] bool affirms(VerdictKind kind);

}  // namespace schedproof::checks
