/// Proving and refuting drift statements for all states.
///
/// The cells of every shape are explored once; the least threshold is the largest measure of a point at which the
/// statement fails, one exact linear program per cell, and the same cells then carry the proof. A statement that fails
/// beyond every threshold does so along a ray of some cell; a failure counts only after integer states were replayed
/// by exact enumeration.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "policies/queueing/exact.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/queueing/theorems/drift.hpp"

namespace schedproof::queueing {

/// A statement whose threshold may still be looked for.
struct DriftGoal {
    LyapunovForm v;
    Sense sense = Sense::below;
    Rational delta = Rational(1);                 ///< > 0
    std::optional<Rational> threshold;            ///< absent: the least one
    std::optional<LyapunovForm::Linear> measure;  ///< absent: the sum of all queues
};

/// A theorem with the proofs of its questions, in their order.
struct DriftProof {
    DriftTheorem theorem;
    std::vector<proof::ExploredProof> proofs;
    explore::Statistics statistics;
};

/// A state at which the statement fails, and the direction along which such states go on for ever, if any.
struct DriftRefutation {
    ExactState state;
    Rational drift;                            ///< exact, by enumeration
    std::optional<ExactState> far;             ///< a state about a thousand times as far out, where it fails too
    std::optional<std::vector<Rational>> ray;  ///< direction, by symbol of the state's shape
    explore::Statistics statistics;
};

struct DriftUnknown {
    std::string reason;
    explore::Statistics statistics;
};

using DriftOutcome = std::variant<DriftProof, DriftRefutation, DriftUnknown>;

/// What every server can be doing, found by exploring `serve`, whatever tasks its queues list; with some queues empty,
/// which no server then serves. Throws LimitExceeded when a budget ends.
[[nodiscard]] std::vector<std::vector<Service>> find_statuses(const SymbolicSystem& system,
                                                              const explore::Budget& budget = {},
                                                              const std::vector<QueueId>& empty = {});

/// The exact drift of V on all cells of a shape, where some queues hold no task: one form per leaf of the tree; none
/// where states are not settled.
[[nodiscard]] explore::Exploration<std::optional<proof::LinearForm>> drift_cells(
    const SymbolicSystem& system, const Shape& shape, const LyapunovForm& v, const explore::Budget& budget = {},
    const std::vector<QueueId>& empty = {});

/// Proves or refutes the goal at every state. `exact` replays counterexamples: the same instance and policy.
/// Throws InputError when V does not fit the policy's queues, or the goal is vacuous (drift.hpp); ContractViolation
/// when delta is not positive.
[[nodiscard]] DriftOutcome prove_drift(const SymbolicSystem& system, const ExactSystem& exact, const DriftGoal& goal,
                                       const explore::Budget& budget = {});

}  // namespace schedproof::queueing
