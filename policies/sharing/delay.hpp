/// Delay scheduling: a job that finds no local task on the offered node lets others go first, D times.
///
/// Skips count scheduling opportunities, which are free slots offered, not seconds. Jobs without unlaunched tasks are
/// not asked and not counted. A local launch starts the count anew; another launch leaves it, so that a job that has
/// been skipped D times launches as many non-local tasks as it is offered slots until it meets a local one.
/// Deviation: the printed loop has no break, so that one free slot would receive many tasks; read: one launch per free
/// slot. The source's text lost its indentation; "skipcnt += 1" is read as the branch in which nothing of the job is
/// launched. Where it launches "t on n" without data on n, the task nearest to its data is taken.
/// Source: [zaharia2010], Algorithm 2; docs/models/sharing.md, Interpretations S1, S2, S3, S5.
#pragma once

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

template <class Count = std::int64_t>
struct DelayOf {
    static constexpr PolicyInfo info{"delay", "[zaharia2010], Algorithm 2",
                                     "fair sharing in which a job without a local task is passed over, D times"};
    Count d = 1;  ///< D. Unit: free slots offered. Range: at least 0; 0 is naive fair sharing.
    static constexpr std::tuple parameters{Parameter("D", &DelayOf::d)};

    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fair)) {
            const Locality nearest = now.nearest(j, n);
            if (nearest == Locality::local) {
                now.set_skips(j, 0);
                return Launch{j, nearest};
            }
            if (now.skips(j) >= d) return Launch{j, nearest};
            now.skip(j);
        }
        return {};
    }
};
using Delay = DelayOf<>;

}  // namespace schedproof::sharing
