/// Claims: statements of papers, and of this project, that can be checked.
///
/// A claim says something of every policy on its lines, on a family of instances. Its oracles each try to settle it in
/// a way of their own; its violation judges one state by exact enumeration, without a solver, and every refutation goes
/// through it. Mutants are seeded faults that an oracle of the claim must catch: a check that cannot fail is a defect.
/// The witness shows that what the claim assumes does happen: no vacuous green.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "checks/claims/verdict.hpp"
#include "policies/queueing/exact.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/symbolic/symbolic_system.hpp"

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

/// Budgets of a run, all deterministic.
struct Settings {
    explore::Budget budget;
    std::uint64_t seed = 1;
    std::uint64_t cases = 200;  ///< random cases per policy and instance
};

enum class Expectation {
    holds,
    fails,  ///< false as stated: an oracle must refute it
    open,   ///< no oracle here settles it
};
[[nodiscard]] std::string_view to_string(Expectation expectation);

/// One policy of a claim on some instances of its family.
struct Line {
    std::string policy;
    std::vector<std::string> instances;  ///< names of instances.hpp
    Expectation expectation = Expectation::holds;
    std::vector<std::string> oracles;  ///< empty: all of the claim
    std::string why;                   ///< of an expectation other than `holds`
};

struct Oracle {
    std::string name;  ///< `explore`, `exhaustive`, `sampled`, `certificate` or `simulation`
    std::function<Verdict(const System&, const Settings&)> run;
};

/// How the claim fails at a state, by exact enumeration; empty when it does not.
using Violation = std::function<std::string(const ExactSystem&, const ExactState&)>;

struct Mutant {
    std::string name;
    std::string fault;  ///< what was done to what
    std::string oracle;
    std::function<std::string(const Settings&)> caught;  ///< how the oracle catches it; empty when it does not
};

struct Claim {
    std::string id;
    std::string statement;  ///< one sentence, with its quantifiers
    std::string source;
    std::string family;  ///< of instances, in words
    std::vector<Line> lines;
    std::vector<Oracle> oracles;
    /// Why the instance is not of the family; empty when it is.
    std::function<std::string(const Instance&)> outside;
    Violation violation;
    /// A state or number that meets the assumptions, in words; empty when there is none.
    std::function<std::string(const System&)> witness;
    std::vector<Mutant> mutants;
};

/// Runs an oracle on a system and replays what it refutes. Throws OracleConflict when the replay finds no violation, or
/// when the certificate of a Proved is not accepted. Limits and missing readings become Unknown.
[[nodiscard]] Verdict consult(const Claim& claim, const Oracle& oracle, const System& system, const Settings& settings);

/// How an oracle of the claim refutes a faulty system, for mutants of policies and instances: empty when it does not.
[[nodiscard]] std::string refutation_of(const Oracle& oracle, const Violation& violation, const System& mutant,
                                        const Settings& settings);

/// A Proved verdict for a theorem of a registered policy. Throws OracleConflict unless queueing::fault accepts it.
[[nodiscard]] Verdict proved(const System& system, queueing::Theorem theorem, std::vector<proof::ExploredProof> proofs);

/// A state in one line: `Q s0=2 common=1; s0 idle, s1 on common@remote`.
[[nodiscard]] std::string describe(const ExactSystem& system, const ExactState& state);

}  // namespace schedproof::checks
