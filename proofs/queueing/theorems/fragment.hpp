/// The rules for which small clusters speak for every cluster.
#pragma once

#include <cstddef>
#include <string>

#include "model/queueing/language/rules.hpp"

namespace schedproof::queueing {

/// Other queues that the one small cluster shows around every asker, at every combination of distances.
inline constexpr std::size_t small_cluster_servers = 2;
/// Other servers of the largest clusters that are tried pattern by pattern: the cells of a proof grow exponentially.
inline constexpr std::size_t most_pattern_servers = 4;

/// On which clusters the decisions of rules are those on every cluster. The lemmas are in docs/models/queueing.md,
/// Every cluster at once.
struct Reduction {
    std::string outside;      ///< why on none: the part of the rules outside the fragment; empty inside
    bool patterns = false;    ///< on all small ones, pattern by pattern; otherwise one small cluster shows all
    std::size_t routing = 2;  ///< servers that show every violation by a route
    std::size_t serving = 2;  ///< servers beside the idle one that show every violation by what it serves
};
[[nodiscard]] Reduction reduction(const Rules& rules);

/// The part outside the fragment; empty for rules inside.
[[nodiscard]] inline std::string outside_fragment(const Rules& rules) { return reduction(rules).outside; }

/// What to say of it.
[[nodiscard]] inline std::string outside_fragment_reason(const std::string& part) {
    return "the step from small clusters to every cluster is proved for a fragment of the policy language; outside it "
           "stands, in the policy's " +
           part;
}

}  // namespace schedproof::queueing
