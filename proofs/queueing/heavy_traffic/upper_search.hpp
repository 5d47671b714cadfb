/// Finding the facts of a heavy-traffic upper bound: closed set, workload, collapse, base, corrections.
/// The method stands at the head of upper_search.cpp.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "proofs/certificate/explored_proof.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/queueing/theorems/heavy_traffic/heavy_upper.hpp"

namespace schedproof::heavy_traffic {

struct UpperGoal {
    explore::Budget budget{};
    /// Slack at which, among the bounds found, the least is wanted; absent: a tenth of the family's largest.
    std::optional<Rational> at{};
    std::function<void(const std::string&)> say{};  ///< a line about each step; may be empty
};

/// A theorem with the proofs of its questions, in their order.
struct UpperProof {
    queueing::HeavyUpperTheorem theorem;
    std::vector<proof::ExploredProof> proofs;
    explore::Statistics statistics;
};
/// Which fact could not be shown, and where.
struct UpperUnknown {
    std::string fact;  ///< `U`, `B`, `F` or `exploration`
    std::string reason;
    std::string cell;  ///< a shape and constraints, if one cell is to blame
};
using UpperOutcome = std::variant<UpperProof, UpperUnknown>;

/// The bound of the policy on the family of its instance. Throws InputError as `boundary_prices` does, and for policies
/// whose queues list tasks or which keep counters; LimitExceeded when a budget ends.
[[nodiscard]] UpperOutcome best_upper(const queueing::SymbolicSystem& system, const UpperGoal& goal = {});

}  // namespace schedproof::heavy_traffic
