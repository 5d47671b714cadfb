/// The parts of certificates that every theorem shares, as JSON text and back: forms, constraints, spaces, refutations
/// and explored proofs.
///
///     form         ["-12", [0, "1"], [2, "5/4"]]             constant, then coefficients by ascending variable
///     constraint   {"form": FORM, "strict": true}            form > 0, or >= 0
///     refutation   [[3, "1/2"], [5, "1"]]                    multipliers by ascending position of the constraint
///     side         "node", {"leaf": [OBLIGATION, ...]} or {"closed": REFUTATION}
///     obligation   {"against": [CONSTRAINT, ...], "multipliers": REFUTATION}
///     identities   [[["2", [0, 1]], ...], ...]               per lemma: coefficient, positions of the hypotheses
///     node         {"form": FORM, "bound": "3", "strict": false, "integer": true, "yes": SIDE, "no": SIDE}
/// A tree is its root's side and the list of its nodes in the order in which a walk that takes `yes` first meets them,
/// so a side that leads to a node need not say to which. Every number is a string in lowest terms. Nothing is written
/// that could be altered without notice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/base/text.hpp"
#include "proofs/certificate/explored_proof.hpp"
#include "proofs/certificate/polynomial.hpp"
#include "proofs/certifier/strict_cursor.hpp"

namespace schedproof::certify {

using base::json_string;

[[nodiscard]] std::string to_json(const Rational& value);
[[nodiscard]] std::string to_json(const proof::LinearForm& form);
[[nodiscard]] std::string to_json(const proof::Constraint& constraint);
[[nodiscard]] std::string to_json(const proof::Space& space);
/// Requires the canonical form: see proof::canonical. One node per line.
[[nodiscard]] std::string to_json(const proof::ExploredProof& proof);
[[nodiscard]] std::string to_json(const std::vector<proof::PolynomialProof>& lemmas);

/// `[a, b, c]` of what `render` makes of each item.
template <class Range, class Render>
[[nodiscard]] std::string json_list(const Range& range, Render&& render, std::string_view separator = ", ") {
    std::string text = "[";
    bool first = true;
    for (const auto& item : range) {
        if (!first) text += separator;
        first = false;
        text += render(item);
    }
    return text + "]";
}

/// The inverses. Throw InputError with the place when something has not exactly the form above.
[[nodiscard]] std::vector<Rational> read_numbers(const StrictCursor& at);
[[nodiscard]] proof::LinearForm read_form(const StrictCursor& at);
[[nodiscard]] proof::Constraint read_constraint(const StrictCursor& at);
[[nodiscard]] proof::Space read_space(const StrictCursor& at);
[[nodiscard]] proof::ExploredProof read_proof(const StrictCursor& at);
[[nodiscard]] std::vector<proof::ExploredProof> read_proofs(const StrictCursor& at);
[[nodiscard]] std::vector<proof::PolynomialProof> read_lemmas(const StrictCursor& at);

}  // namespace schedproof::certify
