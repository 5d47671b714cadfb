/// Jobs without end: each always has a task to launch, and where its data is does not change.
///
/// The models of the paper's analysis are of this kind: one job at the head among nodes that are alike, or a few jobs
/// that share the slots for ever. A state is a few numbers, so that chains of it can be solved; policies are the same
/// code as everywhere.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "model/sharing/scan.hpp"

namespace schedproof::checks {

struct EndlessJobs : sharing::Scan<EndlessJobs> {
    std::vector<std::vector<sharing::Locality>> level;  ///< by job and node
    std::vector<std::int64_t> running_tasks;            ///< by job
    std::vector<std::int64_t> skip_count;               ///< by job

    [[nodiscard]] IdRange<JobId> all_jobs() const { return IdRange<JobId>(level.size()); }
    [[nodiscard]] static bool is_ready(JobId) { return true; }
    [[nodiscard]] static int priority(JobId) { return 0; }
    [[nodiscard]] sharing::Locality nearest(JobId j, sharing::NodeId n) const { return level[j.index()][n.index()]; }
    [[nodiscard]] std::int64_t skips(JobId j) const { return skip_count[j.index()]; }
    void skip(JobId j) { ++skip_count[j.index()]; }
    void set_skips(JobId j, std::int64_t skips) { skip_count[j.index()] = skips; }
    [[nodiscard]] sharing::Ticks waited(JobId) const { return 0; }
    [[nodiscard]] sharing::Ticks since_submitted(JobId) const { return 0; }
    [[nodiscard]] std::int64_t reserved(JobId, sharing::NodeId) const { return 0; }
    [[nodiscard]] std::int64_t remote_tasks(sharing::NodeId) const { return 0; }
    [[nodiscard]] sharing::Ticks remote_time(sharing::NodeId) const { return 0; }
    [[nodiscard]] std::int64_t running(JobId j) const { return running_tasks[j.index()]; }
};
static_assert(sharing::OfferSource<EndlessJobs>);

}  // namespace schedproof::checks
