/// Delay scheduling with a wait in time: a free slot is offered to the jobs one by one, and a job takes it for a local
/// task, or for a remote one when it has waited at least W for this slot.
///
/// Each pair of a job and a slot has a wait of its own, which begins when both are there; `delay`, in contrast, counts
/// offers of a job. A job that may take a remote task does so before a later one is asked for a local one.
/// `one_remote` takes no remote task while one runs on the node: DynDLOn as the paper emulates it ([jin2018],
/// Section 6.2.1), where its wait on a node with remote tasks has no end.
/// Source: [jin2018], Sections 6.1.1 and 6.2.1 (DELAY3, DELAY6, DELAY10); docs/models/sharing.md, Interpretation S15.
#pragma once

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

template <class Count = std::int64_t>
struct DelayTimeOf {
    static constexpr PolicyInfo info{"delay-time", "[jin2018], Sections 4 and 6.1.1",
                                     "jobs one by one: a local task, or a remote one after a wait"};
    Count w = 0;  ///< W. Range: at least 0
    Order order = Order::fifo;
    bool one_remote = false;
    static constexpr std::tuple parameters{Parameter("W", &DelayTimeOf::w), Parameter("order", &DelayTimeOf::order),
                                           Parameter("one remote", &DelayTimeOf::one_remote)};

    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        const bool closed = one_remote && now.remote_tasks(n) > 0;
        for (const JobRef j : now.jobs(order)) {
            const Locality nearest = now.nearest(j, n);
            if (nearest == Locality::local || (!closed && now.waited(j) >= w)) return Launch{j, nearest};
        }
        return {};
    }
};
using DelayTime = DelayTimeOf<>;

}  // namespace schedproof::sharing
