/// Naive fair sharing: a free slot goes to the job with the fewest running tasks, wherever its data is.
///
/// With jobs of a single task it is FIFO.
/// Deviation: the printed loop of Algorithm 1 has no break, so that one free slot would receive many tasks; read: one
/// launch per free slot. Where it launches "t on n" without data on n, the task nearest to its data is taken.
/// Source: [zaharia2010], Algorithm 1; docs/models/sharing.md, Interpretations S1, S5.
#pragma once

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

struct NaiveFair {
    static constexpr PolicyInfo info{"naive-fair", "[zaharia2010], Algorithm 1",
                                     "the job with the fewest running tasks; its task nearest to its data"};

    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) return Launch{j, now.nearest(j, n)};
        return {};
    }
};

}  // namespace schedproof::sharing
