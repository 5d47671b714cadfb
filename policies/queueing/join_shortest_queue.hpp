/// Join the shortest queue ([winston1977]; [weber1978]): the classical balancing rule, without help between servers.
///
/// A task joins the shortest queue among the servers that hold its data, all of them when the data are everywhere; a
/// server serves its own queue only. What Pandas and JSQ-MaxWeight add to it is help.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing {

struct JoinShortestQueue {
    static constexpr PolicyInfo info{"join-shortest-queue", "[winston1977]; [weber1978]",
                                     "join the shortest local queue; serve own"};
    static constexpr DecisionClass decisions{RoutingRule::shortest_local, ServingRule::own, Reach::own};

    [[nodiscard]] Layout layout(const Instance& instance) const { return {instance, Arrangement::per_server}; }
    template <PolicyView V>
    [[nodiscard]] Best<V> route(const V& now, TaskTypeId type) const {
        return now.argmin(now.local(type), key::length);
    }
    template <PolicyView V>
    [[nodiscard]] Best<V> serve(const V& now, ServerId m) const {
        return now.own(m);
    }
};

}  // namespace schedproof::queueing
