/// Policies that differ from a given one in a single primitive: what checks of that policy should tell apart.
#pragma once

#include <string>
#include <vector>

#include "model/queueing/language/rules.hpp"

namespace schedproof::checks {

struct RuleMutant {
    std::string change;  ///< `serve: own for common`
    queueing::Rules rules;
};

/// Every single change that leaves rules of the same queues: the other extreme, a part for the whole, a strict
/// comparison for one that is not, one rate for another, a threshold of one task more. In the order of the primitives,
/// without repetition. Some decide as the original does.
[[nodiscard]] std::vector<RuleMutant> rule_mutants(const queueing::Rules& rules);

}  // namespace schedproof::checks
