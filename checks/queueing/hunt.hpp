/// Hunting for a small cluster on which a policy breaks: transient inside the capacity region, with a proof.
/// The method stands at the head of hunt.cpp.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/core/verdict.hpp"
#include "model/core/rational.hpp"
#include "model/queueing/instance.hpp"
#include "proofs/explore/explorer.hpp"

namespace schedproof::checks {

/// The id of the policy on clusters with so many servers: the same for all, but for rules with a parameter that is the
/// number of servers.
using PolicyOfSize = std::function<std::string(std::size_t servers)>;

/// Loads of the clusters where no others are asked for, the least first. Range: below 1, or nothing is found.
[[nodiscard]] const std::vector<Rational>& hunted_loads();

/// Small: most clusters are none on which the policy breaks.
[[nodiscard]] explore::Budget hunt_budget();

struct HuntOptions {
    explore::Budget budget = hunt_budget();        ///< of the cells of one cluster
    std::vector<Rational> loads = hunted_loads();  ///< not empty
    unsigned threads = 1;                          ///< the answer does not depend on it
    /// Called now and then with what is looked at and the number of clusters so far; false ends the hunt. May be empty.
    std::function<bool(std::string_view, std::size_t)> go_on = {};
};

/// A cluster on which the policy is transient, although its load is below 1.
struct HuntFind {
    std::shared_ptr<const queueing::Instance> found, instance;  ///< as it was found; minimised
    std::string policy;                                         ///< id on `instance`
    Verdict verdict;                                            ///< Proved
    std::string by;                                             ///< `modes`, `a cone` or `cells`
    /// Whether no smaller variant of `instance` (QueueingFamily::smaller) is proved transient at a load below 1, by
    /// what found this one: the cells, or modes and cones.
    bool one_minimal = false;
};

struct HuntOutcome {
    std::optional<HuntFind> find;
    std::size_t tried = 0;     ///< clusters looked at, up to that one
    std::size_t by_cells = 0;  ///< of these, by the cells of the joint state too
    std::size_t unfit = 0;     ///< clusters beside them on which the policy does not run, or is not asked
    std::string why_unfit;     ///< the first of them
    std::string reached;       ///< the last of them in words: how many servers, types and levels
    bool ended = false;        ///< by `go_on`, before all were looked at
};

/// Looks at the clusters of hunted_clusters.hpp, the smallest first. Nothing found says nothing about other clusters.
/// Throws InputError when a policy is unknown, follows a plan, or runs on none of the clusters; OracleConflict.
/// Deterministic, but for `go_on`. Cost: some milliseconds per cluster, then a tenth of a second where cells are asked.
[[nodiscard]] HuntOutcome hunt_transience(const PolicyOfSize& policy, const HuntOptions& options = {});

}  // namespace schedproof::checks
