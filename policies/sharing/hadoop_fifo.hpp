/// Hadoop's default: jobs by priority, then by time of submission; of the first job, the task nearest to its data.
///
/// Source: Zaharia et al., EuroSys 2010, section 2 (notes: "HDFS: Job scheduling at Master"); specification 2.
#pragma once

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

struct HadoopFifo {
    static constexpr PolicyInfo info{"hadoop-fifo", "Zaharia et al., EuroSys 2010, 2",
                                     "first job by priority and submission; its task nearest to its data"};

    template <SharingView V>
    [[nodiscard]] std::optional<Launch> offer(V& now, NodeId n) const {
        for (const JobId j : now.jobs(Order::fifo)) return Launch{j, now.nearest(j, n)};
        return {};
    }
};

}  // namespace schedproof::sharing
