/// The sharing policies once more, from docs/models/sharing.md, on lists: what an offer at a state comes to.
///
/// Nothing of a policy or of a view is called: running tasks are counted on the slots, levels found from racks and
/// replicas, orders by sorting pairs. Only the data types are shared with the system under test.
/// Source: [zaharia2010], Algorithms 1 and 2; [wang2013], Section V; [jin2018], Section 4; docs/models/sharing.md,
/// Policies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checks/sharing/case.hpp"
#include "model/sharing/policy.hpp"

namespace schedproof::checks {

struct ReferenceOffer {
    std::optional<sharing::JobLaunch> launch;
    std::vector<std::int64_t> skips;  ///< by job, afterwards
};
/// What the rule of the policy `id` says. Throws InputError where the model has no rule of it.
[[nodiscard]] ReferenceOffer reference_offer(const std::string& id, const SharingCase& c);

/// Of which job fair-kill kills a task, if any.
[[nodiscard]] std::optional<std::size_t> reference_reclaim(const sharing::State& state);
/// What fair-kill makes of a state before any slot is offered: all that it kills, and who takes those slots.
[[nodiscard]] sharing::State reference_kills(const sharing::Setting& setting, sharing::State state);
/// The queues that a task joins under jsq-maxweight:subqueues, ascending.
[[nodiscard]] std::vector<std::size_t> reference_route(const sharing::Setting& setting, const sharing::State& state,
                                                       const sharing::Replicas& data);

[[nodiscard]] std::int64_t reference_running(const sharing::State& state, std::size_t job);
[[nodiscard]] sharing::Locality reference_level(const sharing::Cluster& cluster, std::size_t node,
                                                const sharing::Replicas& data);
/// The level of the job's nearest unlaunched task; nothing when there is none.
[[nodiscard]] std::optional<sharing::Locality> reference_nearest(const sharing::Setting& setting,
                                                                 const sharing::State& state, std::size_t job,
                                                                 std::size_t node);
/// The first of the jobs with the fewest running tasks among those that have tasks to launch.
[[nodiscard]] std::optional<std::size_t> reference_head(const SharingCase& c);

}  // namespace schedproof::checks
