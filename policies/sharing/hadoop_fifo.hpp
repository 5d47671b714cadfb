/// Hadoop's default: jobs by priority, then by time of submission; of the first job, the task nearest to its data.
///
/// Source: [zaharia2010], "Job scheduling at Master"; docs/models/sharing.md, Policies.
#pragma once

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

struct HadoopFifo {
    static constexpr PolicyInfo info{"hadoop-fifo", "[zaharia2010], Job scheduling at Master",
                                     "first job by priority and submission; its task nearest to its data"};

    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fifo)) return Launch{j, now.nearest(j, n)};
        return {};
    }
};

}  // namespace schedproof::sharing
