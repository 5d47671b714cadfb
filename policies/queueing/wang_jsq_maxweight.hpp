/// JSQ-MaxWeight with a common queue ([wang2013], Section II-B).
///
/// One queue per server for its local tasks, and one common queue from which any server may take a task remotely.
/// A task joins the shortest of its local queues and the common queue; an idle server compares alpha Q_m with gamma
/// Q_common. The policy knows two rates: on three levels it treats rack-local work as remote.
/// Ties between own and common go to the own queue, as the paper has it.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing {

struct WangJsqMaxWeight {
    static constexpr PolicyInfo info{"wang-jsq-maxweight", "[wang2013], Section II-B",
                                     "join the shortest of the local queues and the common queue; serve own if alpha "
                                     "Q_m >= gamma Q_common, else common"};
    static constexpr DecisionClass decisions{RoutingRule::shortest_local_or_common,
                                             ServingRule::largest_of_own_and_common, Reach::own_and_common};

    [[nodiscard]] Layout layout(const Instance& instance) const {
        return {instance, Arrangement::per_server_and_common, Tracking::counted,
                instance.options().common_rate == CommonRate::by_type ? Tracking::listed : Tracking::counted};
    }
    template <PolicyView V>
    [[nodiscard]] Best<V> route(const V& now, TaskTypeId type) const {
        return now.argmin(now.either(now.local(type), now.common_queue()), key::length);
    }
    template <PolicyView V>
    [[nodiscard]] Best<V> serve(const V& now, ServerId m) const {
        return now.weight(now.own(m)) >= now.weight(now.common()) ? now.own(m) : now.common();
    }
};

}  // namespace schedproof::queueing
