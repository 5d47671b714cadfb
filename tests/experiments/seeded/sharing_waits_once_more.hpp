/// waits-once-more: which job launches a task on a free task slot, and how far from its data.
///
/// Seeded fault: a job that was passed over D times is passed over once more, `>` where delay scheduling has `>=`.
#pragma once

#include <array>

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

struct WaitsOnceMore {
    static constexpr PolicyInfo info{"waits-once-more", "",
                                     "fair sharing; a job without a local task is passed over, D times"};
    static constexpr std::array hopes{"sharing.wait-at-most-rounds"};

    /// Unit: free slots offered. Range: at least 0.
    std::int64_t d = 1;
    static constexpr std::tuple parameters{Parameter("D", &WaitsOnceMore::d)};

    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) {
            const Locality nearest = now.nearest(j, n);
            if (nearest == Locality::local) {
                now.set_skips(j, 0);
                return Launch{j, nearest};
            }
            if (now.skips(j) > d) return Launch{j, nearest};
            now.skip(j);
        }
        return {};
    }
};

static_assert(admitted<WaitsOnceMore>());

}  // namespace schedproof::sharing
