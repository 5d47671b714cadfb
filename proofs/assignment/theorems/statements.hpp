/// What is stated of policies for all problems of a shape, as constraints that no problem satisfies.
///
/// A statement runs the policy's own code on symbolic loads and costs and leaves, on each path, what must not be:
/// "the balanced assignment is makespan-optimal among local ones" is, for every local map O and every core q that the
/// code made active, the obligation {load_B(q) > load_O(p) for every active core p of O}. The competitors of a shape
/// are finitely many maps, so nothing is left to a solver. Statements about *every* assignment with some property,
/// rather than the one that the code makes, run over all maps in the same way, and no code.
/// Source: [jin2018], Section 5; docs/models/assignment.md, Which statements hold.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "policies/assignment/registry.hpp"
#include "proofs/assignment/theorems/symbolic_shape.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::assignment {

struct StatementInfo {
    std::string_view name;
    std::string_view sentence;  ///< `{0}` stands for the policy, `{1}` for the bound
    bool costs = false;         ///< costs are read, so they are symbols where the family gives none
    bool deadline = false;      ///< holds for every deadline, a further symbol
};

[[nodiscard]] std::span<const StatementInfo> statements();
/// Throws InputError for an unknown name.
[[nodiscard]] const StatementInfo& statement(std::string_view name);

/// What must not be, on the path that the code takes. Throws InputError when the statement is not one about the
/// policy, and when the policy draws.
[[nodiscard]] std::vector<explore::Forbidden> forbidden(const StatementInfo& statement, const AnyPolicy& policy,
                                                        const SymbolicProblem& now, const Rational& bound);

}  // namespace schedproof::assignment
