/// Whether a cluster is stable under a policy, by the first of several arguments that settles it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "checks/queueing/stability_options.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/queueing/transience/transience_search.hpp"

namespace schedproof::checks {

/// A proof of stability, or of transience.
using StabilityArgument = std::variant<queueing::MaxWeightProof, queueing::DriftProof, queueing::TransienceProof>;

struct StabilityOutcome {
    std::optional<StabilityArgument> argument;  ///< none: every one failed
    std::string by;                             ///< its name, such as `transience`
    std::vector<std::string> why_not;           ///< of each argument that was tried and failed: name and reason

    [[nodiscard]] bool stable() const {
        return argument && !std::holds_alternative<queueing::TransienceProof>(*argument);
    }
    [[nodiscard]] bool transient() const { return argument && !stable(); }
};

/// Tries the drift argument of MaxWeight-type policies, which explores no state of the instance; cell by cell, the
/// drift of the function that the options name, if any, and that of the function of the argument; a drift bounded
/// summand by summand, before the latter where statuses are many; a search for transience, first of all where a random
/// state speaks against that drift; last a search for a Lyapunov function. A drift counts only where stability follows
/// from it. `budget` is that of each, but for summands, which have one of their own.
/// Requires: both are of one instance and policy.
[[nodiscard]] StabilityOutcome settle_stability(const queueing::SymbolicSystem& symbolic,
                                                const queueing::ExactSystem& exact, const explore::Budget& budget,
                                                const StabilityOptions& options = {});

}  // namespace schedproof::checks
