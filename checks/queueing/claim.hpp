/// What claims about queueing are written with, besides claim_builder.hpp.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "checks/core/claim_builder.hpp"
#include "checks/queueing/family.hpp"
#include "proofs/queueing/theorems/theorem.hpp"

namespace schedproof::checks {

// The groups, each adding its claims to the list.
void add_queueing_invariants(std::vector<Claim>& claims);     ///< decisions and slots
void add_queueing_modes(std::vector<Claim>& claims);          ///< symbolic execution = enumeration; renaming servers
void add_queueing_stability(std::vector<Claim>& claims);      ///< drift, per policy
void add_queueing_growth(std::vector<Claim>& claims);         ///< a queue that grows without end
void add_queueing_capacity(std::vector<Claim>& claims);       ///< outer bound; stability programs
void add_queueing_theorems(std::vector<Claim>& claims);       ///< every cluster; transience; synthesis
void add_queueing_means(std::vector<Claim>& claims);          ///< intervals of stationary means; bounds of all policies
void add_queueing_heavy_traffic(std::vector<Claim>& claims);  ///< lower bound; balance; several slots
void add_queueing_near_boundary(std::vector<Claim>& claims);  ///< families of loads: collapse; optimal, or above

namespace queueing_claims {

using QueueingClaim = ClaimBuilder<QueueingFamily>;

/// How a claim fails at a state of a system, by exact enumeration; empty when it does not.
using StateProperty = std::function<Violation(const System&, const ExactState&)>;
[[nodiscard]] Property<QueueingFamily> at_state(StateProperty property);

/// An oracle that asks a system.
[[nodiscard]] QueueingOracle asks(std::string name, std::function<Verdict(const System&, const Settings&)> run);
/// The oracle `sampled`: asks the claim's property at random states as `sample` does (sampling.hpp), with the statuses
/// that the policy's code leads to, if `reachable`.
[[nodiscard]] QueueingOracle sampled_states(std::int64_t largest, bool reachable = false);
/// The oracle `exhaustive`: asks it at every state of at most `cap` tasks, as `exhaust` does.
[[nodiscard]] QueueingOracle exhausted_states(std::int64_t cap);
/// Why an instance is not one that a claim speaks of; empty when it is.
[[nodiscard]] std::function<std::string(const QueueingDomain&)> of_instance(
    std::function<std::string(const Instance&)> outside);

/// Why a claim about slots does not speak of an instance; empty when its time runs in slots.
[[nodiscard]] std::string without_slots(const Instance& instance);
/// Why an instance is not inside the capacity region; empty when it is.
[[nodiscard]] std::string outside_region(const Instance& instance);
/// The load, by a certificate that was verified; empty unless it is below 1.
[[nodiscard]] std::string load_below_one(const System& system);

/// A refutation at a state; what fails there is said by the replay.
[[nodiscard]] Verdict refuted_at(const System& system, ExactState state);
/// A refutation by the instance alone.
[[nodiscard]] Verdict refuted_on(const System& system);
[[nodiscard]] inline const ExactState& state_of(const Refuted& refuted) {
    return case_of<QueueingFamily>(refuted.counterexample).state;
}
/// Proved of a theorem of a registered policy. Throws OracleConflict when its certificate is rejected.
[[nodiscard]] Verdict proved(const System& system, queueing::Theorem theorem, std::vector<proof::ExploredProof> proofs);

/// What an oracle says of a registered policy, by whatever property.
[[nodiscard]] Verdict verdict_of(const QueueingOracle& oracle, const System& system, const Settings& settings);
/// How an oracle refutes another statement than the claim's, by that statement's property; empty when it does not.
[[nodiscard]] std::string refutation_of(const QueueingOracle& oracle, const Property<QueueingFamily>& property,
                                        const System& system, const Settings& settings);

/// Asks the registered policies that a claim of every policy does not mention; nothing is expected of them.
void ask_others(QueueingClaim& claim, const std::vector<std::string>& instances, const LineOptions& options = {});

/// A policy with a seeded fault on a named instance.
struct MutantPolicy {
    std::string name;
    std::string change;
    std::string oracle;
    std::function<System(const InstancePtr&)> make;
    std::string instance;
};
[[nodiscard]] MutantSystem<QueueingFamily> mutant_on(MutantPolicy mutant);
/// Another registered policy in its place, on a named instance.
[[nodiscard]] std::function<System(const InstancePtr&)> another_policy(std::string policy);
/// Servers whose rates are half-way to 1, of which the instance knows nothing.
[[nodiscard]] std::function<System(const InstancePtr&)> faster_servers(std::string policy);
/// The slots of another named instance of the same servers, of which the instance knows nothing.
[[nodiscard]] std::function<System(const InstancePtr&)> slots_of(std::string other, std::string policy);

/// A certificate with a seeded fault, which its checker must reject.
struct SpoiledCertificate {
    std::string name;
    std::string change;
    std::string oracle;  ///< under which the mutant is listed
    QueueingOracle prove;
    std::string instance;
    std::string policy;
    std::function<void(queueing::Certificate&)> spoil;
};
[[nodiscard]] Mutant spoiled(SpoiledCertificate mutant);

}  // namespace queueing_claims
}  // namespace schedproof::checks
