/// Sparrow's batch sampling with late binding: a job of m tasks leaves d m reservations at nodes drawn at random, and a
/// free slot goes to the first job with a reservation at its node.
///
/// Tasks are bound late: a job launches a task where a slot becomes free first, and reservations that are left when all
/// of its tasks run are void. Nodes keep reservations in the order of submission, one queue for each priority.
/// Deviation: reservations and offers take no time, where the source's messages do. Of a job's tasks the nearest to
/// its data is launched; the source says no more than that it is one of those left, since its batches are of tasks that
/// may run anywhere. How reservations are drawn is the environment's, and d with it (`--probes`).
/// Source: [ousterhout2013], Section 3, Batch sampling and Late binding; docs/models/sharing.md, Interpretation S16.
#pragma once

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

struct Sparrow {
    static constexpr PolicyInfo info{"sparrow", "[ousterhout2013], Section 3",
                                     "the first job with a reservation at the node; its task nearest to its data"};

    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        for (const JobRef j : now.jobs(Order::fifo))
            if (now.reserved(j, n) > 0) return Launch{j, now.nearest(j, n)};
        return {};
    }
};

}  // namespace schedproof::sharing
