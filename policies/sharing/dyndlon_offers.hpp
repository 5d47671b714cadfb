/// DynDLOn for many jobs: a free slot takes any job's local task; a remote one only after a wait that grows with the
/// price of remote tasks on its node.
///
/// Jobs are asked in their order: first for a local task, all of them; then the first for which the slot has waited
/// long enough. While the node runs r > 0 remote tasks, of all jobs, the wait is max(g(r), W), about as long as one of
/// them takes; otherwise W.
/// Deviation: the paper speaks of one job. Read for many: each pair of a job and a slot has a wait of its own, which
/// begins when both are there, the slot free and the job submitted. The paper lets all free cores take local tasks
/// before any takes a remote one; here slots are offered one by one, and each is settled before the next. Racks are
/// unknown to the paper; of tasks that are not local the nearest is taken, of equally near ones the first where the
/// paper draws one, and only remote ones make a node dearer.
/// Source: [jin2018], Section 4, Algorithm 1; docs/models/sharing.md, Interpretation S11.
#pragma once

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

template <class Count = std::int64_t>
struct DynDlOnOf {
    static constexpr PolicyInfo info{"dyndlon", "[jin2018], Section 4, Algorithm 1",
                                     "any job's local task; otherwise a remote one after a wait that grows with the "
                                     "price of remote tasks on the node"};
    Count w = 0;  ///< W. Range: at least 0
    Order order = Order::fifo;
    static constexpr std::tuple parameters{Parameter("W", &DynDlOnOf::w), Parameter("order", &DynDlOnOf::order)};

    template <SharingView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        if (const std::optional<JobRef> j = now.first_local(order, n)) return Launch{*j, Locality::local};
        for (const JobRef j : now.jobs(order)) {
            if (!(now.waited(j) >= w)) continue;
            if (now.remote_tasks(n) == 0 || now.waited(j) >= now.remote_time(n)) return Launch{j, now.nearest(j, n)};
        }
        return {};
    }
};
using DynDlOn = DynDlOnOf<>;

}  // namespace schedproof::sharing
