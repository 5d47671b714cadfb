/// First in, first out: one queue, served in order of arrival by whichever server is idle, near the data or not.
///
/// The baseline that ignores locality. Tasks of one slot stand in an order each equally likely. With at most one task
/// per slot the types may be drawn when service starts (option reveal = on-start): the same law, and the state is
/// (number of tasks, statuses).
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing {

struct Fifo {
    static constexpr PolicyInfo info{"fifo", "[kavousi], Section II", "join the one queue; serve its head"};
    static constexpr DecisionClass decisions{RoutingRule::common, ServingRule::common, Reach::any};

    [[nodiscard]] Layout layout(const Instance& instance) const {
        return {instance, Arrangement::single, Tracking::counted,
                instance.options().reveal == Reveal::on_start ? Tracking::revealed : Tracking::listed};
    }
    template <PolicyView V>
    [[nodiscard]] Best<V> route(const V& now, TaskTypeId) const {
        return now.common();
    }
    template <PolicyView V>
    [[nodiscard]] Best<V> serve(const V& now, ServerId) const {
        return now.common();
    }
};

}  // namespace schedproof::queueing
