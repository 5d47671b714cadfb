/// Proving a theorem of the redundancy family, or finding the problem that refutes it.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "proofs/explore/ask.hpp"
#include "proofs/redundancy/theorems/theorem.hpp"

namespace schedproof::redundancy {

/// A question that has no proof.
struct Refuted {
    std::string question;                      ///< or the name of a lemma without an identity
    std::optional<explore::Counterpoint> at;   ///< of the question's symbols; none for a lemma
    std::optional<Problem<Rational>> problem;  ///< to be run at speed 1, where the statement is about whole runs
};

struct TheoremProof {
    std::variant<Certificate, Refuted, explore::Ended> result;
    explore::Statistics statistics;
    [[nodiscard]] const Certificate* certificate() const { return std::get_if<Certificate>(&result); }
    [[nodiscard]] const Refuted* refuted() const { return std::get_if<Refuted>(&result); }
};

/// Asks all questions of the theorem, each within the budget, up to the first that has no proof.
/// Throws InputError when policy, statement and shape do not fit.
[[nodiscard]] TheoremProof prove(const std::string& policy, const Theorem& theorem, const explore::Budget& budget = {});

}  // namespace schedproof::redundancy
