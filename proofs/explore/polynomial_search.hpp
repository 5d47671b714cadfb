/// Looking for the identity that proves a polynomial lemma: a linear program over products of hypotheses.
#pragma once

#include <optional>

#include "proofs/certificate/polynomial.hpp"

namespace schedproof::explore {

/// A proof with products of at most `degree` hypotheses; nothing when there is none of that degree.
/// Cost: a linear program with one column per product and one row per monomial. Checked before it is returned.
[[nodiscard]] std::optional<proof::PolynomialProof> prove(const proof::PolynomialLemma& lemma, unsigned degree = 3);

/// Whether Z3's non-linear engine finds the negated lemma unsatisfiable: a second opinion, no part of any proof.
/// Nothing when its budget ends. Requires: exponents that are not negative, or reciprocals of symbols.
[[nodiscard]] std::optional<bool> holds_by_solver(const proof::PolynomialLemma& lemma, unsigned budget = 50'000'000);

}  // namespace schedproof::explore
