/// Proving the drift theorem of MaxWeight-type policies for every number of servers, and showing which leaf fails.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/queueing/chain.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/queueing/theorems/max_weight.hpp"

namespace schedproof::queueing {

struct UniformProof {
    UniformTheorem theorem;
    std::vector<proof::ExploredProof> proofs;  ///< of the questions, in their order
    explore::Statistics statistics;
};

/// A decision of the policy that the drift argument cannot use, on a small cluster with given rates.
struct LeafFailure {
    std::string leaf;  ///< name of the question
    std::shared_ptr<const Instance> instance;
    std::vector<Rational> lengths;  ///< by queue
    std::string decision;           ///< what the policy decides there, and what would be better
};

struct UniformUnknown {
    std::string reason;
};

using UniformOutcome = std::variant<UniformProof, LeafFailure, UniformUnknown>;

/// Proves every leaf with symbolic rates, or finds numbers at which one fails. A policy with thresholds that is not
/// exact may be proved with the slack that they cost.
/// Throws InputError when the policy cannot run on the small cluster.
[[nodiscard]] UniformOutcome prove_uniform(const ParametricPolicy& policy, std::size_t levels,
                                           const explore::Budget& budget = {}, Timing timing = Timing::slots);

/// The theorem at one instance: its load, its constants, the uniform leaves.
struct MaxWeightProof {
    MaxWeightTheorem theorem;
    std::vector<proof::ExploredProof> proofs;  ///< of the questions, in their order
    explore::Statistics statistics;
};
using MaxWeightOutcome = std::variant<MaxWeightProof, LeafFailure, UniformUnknown>;

/// Any number of servers: nothing of the instance's own states is explored. Unknown when the load is not below one
/// or types have rates of their own. `system` is a registered policy's. Throws InputError when the instance's options
/// are not those of the argument.
[[nodiscard]] MaxWeightOutcome prove_max_weight(const SymbolicSystem& system, const Rational& delta = Rational(1),
                                                const explore::Budget& budget = {});

/// The polynomial lemmas of a layout with their identities. Throws LimitExceeded when one is not found.
[[nodiscard]] std::vector<proof::PolynomialProof> prove_kernel_lemmas(Arrangement arrangement,
                                                                      Timing timing = Timing::slots);

}  // namespace schedproof::queueing
