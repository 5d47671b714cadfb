/// The clusters among which a hunt looks for one where a policy breaks, the smallest first.
/// What is varied, and why, stands at the head of hunted_clusters.cpp.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/core/rational.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::checks {

/// How the rates of a cluster may differ.
enum class RateForm {
    shared,    ///< local and remote, the same of all types
    by_type,   ///< a remote rate of each type's own
    by_speed,  ///< local and remote, on servers of two speeds
    racks,     ///< local, rack and remote, with all servers but the last in one rack
};

/// What the clusters of a stage have in common.
struct HuntStage {
    std::size_t servers = 0, types = 0;
    RateForm form = RateForm::shared;
    [[nodiscard]] std::string in_words() const;
};

/// The stages of a hunt in order: servers, then types, then forms of rates.
[[nodiscard]] const std::vector<HuntStage>& hunt_stages();
[[nodiscard]] std::size_t smallest_hunted();  ///< servers
[[nodiscard]] std::size_t largest_hunted();

/// One type of a cluster.
struct HuntedType {
    std::uint32_t homes = 0;  ///< bit m: server m has its data
    std::size_t remote = 0;   ///< place of its remote rate in the list of such rates
    int share = 1;            ///< of the arrivals, in proportion
    friend auto operator<=>(const HuntedType&, const HuntedType&) = default;
};

/// One cluster, but for its load.
struct HuntedCluster {
    std::vector<HuntedType> types;
    std::vector<std::size_t> speeds = {};  ///< per server, place in the list of speeds; of RateForm::by_speed alone
};

/// The clusters of a stage, one of those that differ by the names of servers and types only; simple numbers first.
[[nodiscard]] std::vector<HuntedCluster> clusters_of(const HuntStage& stage);

/// The cluster with simple arrival rates at which its load is `load` or up to a fiftieth less, at most one task in a
/// slot; nothing where there would be more. Exact. Cost: a linear program.
[[nodiscard]] std::shared_ptr<const queueing::Instance> at_load(const HuntStage& stage, const HuntedCluster& cluster,
                                                                const Rational& load);

/// The fraction of least denominator in [low, high]. Requires 0 < low <= high.
[[nodiscard]] Rational simplest_between(const Rational& low, const Rational& high);

}  // namespace schedproof::checks
