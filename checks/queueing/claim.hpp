/// Claims of the queueing family: a policy on an instance, judged at one state by exact enumeration.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "checks/core/claim_text.hpp"
#include "checks/core/verdict.hpp"
#include "policies/queueing/exact.hpp"
#include "proofs/queueing/symbolic/symbolic_system.hpp"
#include "proofs/queueing/theorems/theorem.hpp"

namespace schedproof::checks {

using queueing::ExactState;
using queueing::ExactSystem;
using queueing::Instance;
using queueing::SymbolicSystem;
using InstancePtr = std::shared_ptr<const Instance>;

/// A policy on an instance, in both exact readings.
struct System {
    InstancePtr instance;
    SymbolicSystem symbolic;
    ExactSystem exact;
    [[nodiscard]] std::string policy() const { return std::string(exact.info().id); }
};

/// Throws InputError when the policy is not registered or cannot run on the instance.
[[nodiscard]] System registered(const InstancePtr& instance, std::string_view policy);

/// The same for the enumerate reading alone.
[[nodiscard]] ExactSystem registered_exact(const Instance& instance, std::string_view policy);

struct Oracle {
    std::string name;  ///< `explore`, `exhaustive`, `sampled`, `certificate` or `simulation`
    std::function<Verdict(const System&, const Settings&)> run;
};

/// How the claim fails at a state, by exact enumeration; empty when it does not.
using Violation = std::function<std::string(const ExactSystem&, const ExactState&)>;

struct QueueingClaim : ClaimText {
    std::vector<Oracle> oracles;
    /// Why the instance is not of the family; empty when it is.
    std::function<std::string(const Instance&)> outside;
    Violation violation;
    /// A state or number that meets the assumptions, in words; empty when there is none.
    std::function<std::string(const System&)> witness;
};

/// The system of a line. Throws InputError when the policy is not registered or cannot run on the instance.
[[nodiscard]] inline System subject(const QueueingClaim&, const InstancePtr& instance, const std::string& policy) {
    return registered(instance, policy);
}

/// Runs an oracle on a system and replays what it refutes. Throws OracleConflict when the replay finds no violation, or
/// when the certificate of a Proved is not accepted. Limits and missing readings become Unknown.
[[nodiscard]] Verdict consult(const QueueingClaim& claim, const Oracle& oracle, const System& system,
                              const Settings& settings);

/// How an oracle of the claim refutes a faulty system, for mutants of policies and instances: empty when it does not.
[[nodiscard]] std::string refutation_of(const Oracle& oracle, const Violation& violation, const System& mutant,
                                        const Settings& settings);

/// A Proved verdict for a theorem of a registered policy. Throws OracleConflict unless queueing::fault accepts it.
[[nodiscard]] Verdict proved(const System& system, queueing::Theorem theorem, std::vector<proof::ExploredProof> proofs);

/// The state of a refutation of this family.
[[nodiscard]] inline const ExactState& state_of(const Refuted& refuted) {
    return std::get<QueueingCounterexample>(refuted.counterexample).state;
}

/// A state in one line: `Q s0=2 common=1; s0 idle, s1 on common@remote`.
[[nodiscard]] std::string describe(const ExactSystem& system, const ExactState& state);

}  // namespace schedproof::checks
