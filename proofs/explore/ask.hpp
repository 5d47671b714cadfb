/// Asking a question about code: a proof, a point where it fails, or a budget that ended.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "proofs/certificate/explored_proof.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::explore {

/// A real point where something forbidden holds. Symbols that are integers have integer values where one of the
/// roundings tried satisfies the constraints.
struct Counterpoint {
    std::vector<Rational> point;                 ///< by symbol
    bool integral = false;                       ///< integers where the symbols are, and all of `constraints` hold
    std::vector<proof::Constraint> constraints;  ///< of the space, the path, and what is forbidden
};
struct Ended {
    std::string reason;
};

struct Reply {
    std::variant<proof::ExploredProof, Counterpoint, Ended> result;
    Statistics statistics;
    [[nodiscard]] const proof::ExploredProof* proof() const { return std::get_if<proof::ExploredProof>(&result); }
};

/// Explores the question's body and refutes the obligations of each leaf as it is found. The first that cannot be
/// refuted gives the counterpoint, and no further leaf is explored: the statistics are of what was.
[[nodiscard]] Reply ask(const Question& question, const Budget& budget = {});

/// The same for an exploration made before, whose leaves are the question's obligations.
[[nodiscard]] Reply settle(const Question& question, Exploration<std::vector<Forbidden>> exploration);

/// A point of the constraints with integers where the space asks for them, by rounding multiples of points found;
/// a real point when none of these fits.
[[nodiscard]] std::optional<Counterpoint> find_point(const proof::Space& space,
                                                     const std::vector<proof::Constraint>& constraints);

}  // namespace schedproof::explore
