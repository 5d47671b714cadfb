/// waits-beside-data: which job launches a task on a free task slot, and how far from its data.
///
/// Seeded fault: the count is looked at before the data is, so that a job is passed over where it has a local task.
/// Delay scheduling launches it there at once.
#pragma once

#include <array>

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

struct WaitsBesideData {
    static constexpr PolicyInfo info{"waits-beside-data", "",
                                     "fair sharing; a job without a local task is passed over, D times"};
    static constexpr std::array hopes{"sharing.local-within-d"};

    /// Unit: free slots offered. Range: at least 0.
    std::int64_t d = 1;
    static constexpr std::tuple parameters{Parameter("D", &WaitsBesideData::d)};

    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) {
            const Locality nearest = now.nearest(j, n);
            if (now.skips(j) >= d) {
                if (nearest == Locality::local) now.set_skips(j, 0);
                return Launch{j, nearest};
            }
            now.skip(j);
        }
        return {};
    }
};

static_assert(admitted<WaitsBesideData>());

}  // namespace schedproof::sharing
