/// What holds in every slot, at every state of an instance: of a policy's decisions, and of the slot itself.
///
/// An invariant is a name with a sentence. For all states it is a question per combination of the servers' statuses,
/// asked of the policy's own code on symbolic lengths. At one state it is checked by exact enumeration
/// (proofs/queueing/invariants/violation.hpp). Both use the rules of decision_rules.hpp and of the slot, and neither
/// asks a solver.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policies/queueing/exact.hpp"
#include "policies/queueing/fluid_plan.hpp"
#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "proofs/symbolic/question.hpp"

namespace schedproof::queueing {

struct InvariantInfo {
    std::string_view name;
    std::string_view sentence;
};

/// Decisions: `route-minimises`, `serve-maximises`, `serve-takes-waiting`. Slots: `tasks-balance`,
/// `execution-within-queue`, `departures-by-servers`, `non-preemptive`, `arrivals-mean`.
[[nodiscard]] std::span<const InvariantInfo> invariants();

/// Whether the invariant is one of the slot, not of a decision.
[[nodiscard]] bool of_slot(std::string_view invariant);

/// Why the invariant is not stated for policies of the class on the instance; empty when it is.
[[nodiscard]] std::string not_stated(const Instance& instance, const Layout& layout, const DecisionClass& decisions,
                                     std::string_view invariant);

struct InvariantTheorem {
    std::vector<std::string> names;              ///< of `invariants()`
    std::vector<std::vector<Service>> statuses;  ///< per server, what it can be doing; idle first
    std::optional<FluidPlan> plan = {};          ///< that the policy follows; none of a policy that follows none
};

/// The questions whose proofs are the theorem: those of the statuses, then per invariant and shape.
/// They borrow `system`. Throws InputError for an invariant that is not stated for the policy.
[[nodiscard]] std::vector<explore::Question> questions(const SymbolicSystem& system, const InvariantTheorem& theorem);

/// The theorem in words.
[[nodiscard]] std::string sentence(const SymbolicSystem& system, const InvariantTheorem& theorem);

/// Arithmetic of the theorem beyond its questions; empty when right.
[[nodiscard]] std::string arithmetic_rejection(const SymbolicSystem& system, const InvariantTheorem& theorem);

/// What may not be, once the slot from an exact state has these outcomes: constraints without symbols.
/// Requires an invariant of the slot.
[[nodiscard]] std::vector<explore::Forbidden> slot_forbids(const ExactSystem& system, const ExactState& state,
                                                           const std::vector<Move>& outcomes,
                                                           std::string_view invariant);

}  // namespace schedproof::queueing
