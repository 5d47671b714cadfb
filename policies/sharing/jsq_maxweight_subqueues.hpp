/// JSQ-MaxWeight for jobs: every queue has a subqueue for each job, and the job with the fewest running tasks goes
/// first.
///
/// One queue per node for its local tasks and a common one. A task joins the shortest of its local queues and the
/// common queue; a free slot compares alpha Q_m with gamma Q_common, ties to its own. Lengths count running tasks too,
/// so a slot may turn to a queue in which nothing waits, and stays free (Interpretations Q2, Q5). Tasks of the common
/// queue run as remote ones everywhere (Interpretation Q6).
/// Deviation: the paper routes all tasks that arrive in a slot by the lengths at its beginning. Here a task also sees
/// those that were routed before it, of its own job too, unless the cluster says otherwise (`Routing::batch`).
/// Source: [wang2013], Sections II-B and V; docs/models/sharing.md, Interpretations S9, S10.
#pragma once

#include "model/sharing/policy.hpp"

namespace schedproof::sharing {

struct JsqMaxWeightSubqueues {
    static constexpr PolicyInfo info{
        "jsq-maxweight:subqueues", "[wang2013], Section V",
        "join the shortest of the local queues and the common one; serve own if alpha Q_m "
        ">= gamma Q_common, else common; of a queue, the job with the fewest running tasks"};

    template <RoutingView V>
    [[nodiscard]] constexpr typename V::Tied route(const V& now, DataRef data) const {
        return now.shortest(now.own_and_common(data));
    }
    template <QueueView V>
    [[nodiscard]] constexpr std::optional<Launch> offer(V& now, NodeRef n) const {
        const QueueRef q = now.weight(now.own(n)) >= now.weight(now.common()) ? now.own(n) : now.common();
        if (const std::optional<JobRef> j = now.fewest_running(q)) return Launch{*j, now.level(q)};
        return {};
    }
};

}  // namespace schedproof::sharing
