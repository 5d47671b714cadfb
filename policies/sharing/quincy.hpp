/// Quincy's flow of least cost for one free slot: the task runs whose wait exceeds the cost of its transfer by most.
///
/// In the source every task is a unit of flow, which leaves the network through a slot, at the cost of the transfer
/// that the task needs there, or unscheduled, at a cost that grows with the time that it has waited. With one slot free
/// a flow of least cost moves at most one task into it: the one for which the second cost exceeds the first by most,
/// if any does.
/// Deviation: slots are offered one at a time, where the source solves for all of them at once; and nothing that runs
/// is moved (its variant without preemption and without fairness). A transfer costs W ticks of waiting within a rack
/// and 2 W across racks, since costs are compared with waits here; the source's are weighted amounts of data. The time
/// is that since the job's submission, for all of its tasks.
/// Source: [isard2009], Section 4; docs/models/sharing.md, Interpretation S17.
#pragma once

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

template <class Count = std::int64_t>
struct QuincyOf {
    static constexpr PolicyInfo info{"quincy", "[isard2009], Section 4",
                                     "the task whose wait exceeds the cost of its transfer by most"};
    Count w = 0;  ///< Unit: ticks. Range: at least 0
    static constexpr std::tuple parameters{Parameter("W", &QuincyOf::w)};

    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        std::optional<Launch> best;
        typename V::Count most = 0;
        for (const JobRef j : now.jobs(Order::fifo)) {
            const Locality nearest = now.nearest(j, n);
            const auto saved = now.since_submitted(j) - cost(nearest);
            if (best ? saved > most : saved >= 0) {
                best = Launch{j, nearest};
                most = saved;
            }
        }
        return best;
    }

  private:
    [[nodiscard]] constexpr Count cost(Locality transfer) const {
        return transfer == Locality::local ? Count(0) : transfer == Locality::rack_local ? w : w + w;
    }
};
using Quincy = QuincyOf<>;

}  // namespace schedproof::sharing
