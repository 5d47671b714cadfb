/// JSQ-MaxWeight with one queue per server ([xie2016]; [kavousi], Sections IV-A and V-A).
///
/// A task joins the shortest queue among its local servers. An idle server turns to the queue n of largest
/// mu(m,n) Q_n, mu by the distance between the servers. The same code serves two levels and more.
/// Deviation: [kavousi], (4), prints beta for the remote weight of two levels; read gamma.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing {

struct JsqMaxWeight {
    static constexpr PolicyInfo info{"jsq-maxweight", "[xie2016]; [kavousi], Sections IV-A, V-A (5)",
                                     "join the shortest local queue; serve the queue of largest rate times length"};
    static constexpr DecisionClass decisions{RoutingRule::shortest_local, ServingRule::largest_weight, Reach::any};

    [[nodiscard]] Layout layout(const Instance& instance) const { return {instance, Arrangement::per_server}; }
    template <PolicyView V>
    [[nodiscard]] Best<V> route(const V& now, TaskTypeId type) const {
        return now.argmin(now.local(type), key::length);
    }
    template <PolicyView V>
    [[nodiscard]] Best<V> serve(const V& now, ServerId m) const {
        return now.max_weight(now.reachable(m), key::weighted_length).or_else(now.own(m));
    }
};

}  // namespace schedproof::queueing
