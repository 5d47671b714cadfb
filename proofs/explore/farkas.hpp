/// Exact linear programs on a cell: the multipliers of certificates, largest values, rays.
///
/// Constraints are those of linear.hpp, over variables that may be negative; strict ones count as their closures where
/// a value is maximised. Answers come from an exact program (proofs/linear_programs/linear_program.hpp), never from the
/// SMT solver, and are checked by multiplication before they are returned.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "proofs/certificate/linear.hpp"
#include "proofs/certificate/tree.hpp"

namespace schedproof::explore {

/// Multipliers that refute the constraints; nothing when these have a common point.
/// Throws LimitExceeded when no linear-programming method answers.
[[nodiscard]] std::optional<proof::Multipliers> refute(std::span<const proof::Constraint> constraints);

/// Largest value of a form on a polyhedron.
struct Maximum {
    enum class Kind { attained, unbounded, empty };
    Kind kind = Kind::empty;
    Rational value;               ///< when attained
    std::vector<Rational> point;  ///< when attained: where. Shape: `variables`
    std::vector<Rational> ray;    ///< when unbounded: a direction that stays inside and increases the form
};
/// Requires: variables of constraints and objective below `variables`.
/// Throws LimitExceeded when no linear-programming method answers.
[[nodiscard]] Maximum maximise(std::span<const proof::Constraint> constraints, const proof::LinearForm& objective,
                               std::size_t variables);

/// A point of the constraints that keeps away from the strict ones; nothing when these cannot all hold.
[[nodiscard]] std::optional<std::vector<Rational>> inside(const std::vector<proof::Constraint>& constraints,
                                                          std::size_t variables);

/// Gives every closed side of the tree its multipliers.
/// Throws OracleConflict when a side that the solver called empty has a point.
void close(const proof::Space& space, proof::Tree& tree);

}  // namespace schedproof::explore
