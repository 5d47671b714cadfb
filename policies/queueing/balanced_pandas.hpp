/// Balanced-Pandas: weighted-workload routing and priority scheduling ([xie2016]; [kavousi],
/// Section V-B).
///
/// Each server has one queue per locality level. Its workload is W_m = sum over levels of Q / mu. A task joins the
/// server of smallest W_m / mu(L,m), in the queue of its level there; a server serves its own queues only, the most
/// local first. Any number of levels.
/// Deviation: [kavousi], (7), puts indicators inside the argmin, which literal zeros would always win; read: over all
/// m.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing {

struct BalancedPandas {
    static constexpr PolicyInfo info{"balanced-pandas", "[xie2016]; [kavousi], Section V-B (6)-(7)",
                                     "join the server of least workload over rate; serve own tasks, most local first"};
    static constexpr DecisionClass decisions{RoutingRule::least_weighted_workload, ServingRule::most_local_first,
                                             Reach::own};

    [[nodiscard]] Layout layout(const Instance& instance) const {
        return {instance, Arrangement::per_server_and_level};
    }
    template <PolicyView V>
    [[nodiscard]] Best<V> route(const V& now, TaskTypeId type) const {
        return now.argmin(now.servers(type), key::weighted_workload);
    }
    template <PolicyView V>
    [[nodiscard]] Best<V> serve(const V& now, ServerId m) const {
        for (const Level level : now.levels())
            if (now.has_work(now.own(m, level).queue)) return now.own(m, level);
        return {};
    }
};

}  // namespace schedproof::queueing
