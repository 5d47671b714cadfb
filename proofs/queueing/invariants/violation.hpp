/// How an invariant fails at one state: what the policy answers, what its rule names, and what was compared.
///
/// An answer is judged by the constraints that the proofs refute (proofs/queueing/theorems/decision_rules.hpp), and the
/// answer that was expected is the one that breaks none of them: nothing here states a rule again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policies/queueing/exact.hpp"

namespace schedproof::queueing {

struct InvariantViolation {
    std::string kind;  ///< in which way: `joins another queue`, `drops a tie`, ...
    std::string text;  ///< with names and numbers; empty when the invariant holds
};

/// Of `invariants()` by name, at a valid state; of the slot, on these outcomes of it. `plan` is the one that a policy
/// should follow which follows one. Requires it for its decisions.
/// Cost: of decisions, as many tests of the rule as there are sets of queues, where these are at most 12. Throws
/// InputError for an invariant that is not stated for the policy.
[[nodiscard]] InvariantViolation invariant_violation(const ExactSystem& system, const ExactState& state,
                                                     const std::vector<Move>& outcomes, std::string_view invariant,
                                                     const FluidPlan* plan = nullptr);
/// The same, on the system's own outcomes, which are enumerated where the invariant is one of the slot.
[[nodiscard]] InvariantViolation invariant_violation(const ExactSystem& system, const ExactState& state,
                                                     std::string_view invariant, const FluidPlan* plan = nullptr);

/// What the policy's rule compares for a task of the type, or for a server, with the numbers there: `s0 = 2, s1 = 0`.
/// Empty where the rule compares none, or is none of those that the proofs know.
[[nodiscard]] std::string routing_compares(const ExactSystem& system, const ExactState& state, TaskTypeId type);
[[nodiscard]] std::string serving_compares(const ExactSystem& system, const ExactState& state, ServerId m);

}  // namespace schedproof::queueing
