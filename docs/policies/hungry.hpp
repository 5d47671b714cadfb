/// hungry: which job launches a task on a free task slot, and how far from its data.
#pragma once

#include <array>

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

struct Hungry {
    static constexpr PolicyInfo info{"hungry", "docs/tutorial-sharing.md",
                                     "delay scheduling, except that a job without a running task launches at once"};
    static constexpr std::array hopes{"sharing.local-within-d"};

    /// Free slots offered before a job launches a task away from its data.
    std::int64_t d = 1;
    static constexpr std::tuple parameters{Parameter("D", &Hungry::d)};

    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) {
            const Locality nearest = now.nearest(j, n);
            if (nearest == Locality::local) now.set_skips(j, 0);
            if (nearest == Locality::local || now.running(j) == 0 || now.skips(j) >= d) return Launch{j, nearest};
            now.skip(j);
        }
        return {};
    }
};

static_assert(admitted<Hungry>());

}  // namespace schedproof::sharing
