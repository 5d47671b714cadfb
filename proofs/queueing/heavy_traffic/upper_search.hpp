/// Finding the facts of a heavy-traffic upper bound: closed set, workload, collapse, base, corrections.
/// The method stands at the head of upper_search.cpp.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "proofs/certificate/explored_proof.hpp"
#include "proofs/explore/explorer.hpp"
#include "proofs/queueing/heavy_traffic/slack_cells.hpp"
#include "proofs/queueing/theorems/heavy_traffic/heavy_upper.hpp"

namespace schedproof::heavy_traffic {

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

/// The bound of the policy of the cells, of those found the least at a tenth of the family's largest slack.
/// Throws LimitExceeded when a budget ends.
[[nodiscard]] UpperOutcome best_upper(const SlackCells& cells, const queueing::BoundaryPrices& prices,
                                      const explore::Budget& budget = {});
/// A bound of E H + E s for queues that starve, s over queues, from many forms at once; without a number of tasks.
[[nodiscard]] UpperOutcome upper_with_starving(const SlackCells& cells, const queueing::BoundaryPrices& prices,
                                               const proof::LinearForm& starving, const explore::Budget& budget = {});

}  // namespace schedproof::heavy_traffic
