/// Static baselines that look at nothing: a task joins a server at random, and servers serve their own queue in order.
///
/// `random-local` picks among the servers that hold the data, `random-any` among all servers.
#pragma once

#include "model/queueing/policy.hpp"

namespace schedproof::queueing {

struct RandomLocal {
    static constexpr PolicyInfo info{"random-local", "[schedproof], baseline",
                                     "join a local server at random; serve own"};
    static constexpr DecisionClass decisions{RoutingRule::random_local, ServingRule::own, Reach::own};

    [[nodiscard]] Layout layout(const Instance& instance) const { return {instance, Arrangement::per_server}; }
    template <PolicyView V>
    [[nodiscard]] Best<V> route(const V& now, TaskTypeId type) const {
        return now.all(now.local(type));
    }
    template <PolicyView V>
    [[nodiscard]] Best<V> serve(const V& now, ServerId m) const {
        return now.own(m);
    }
};

struct RandomAny {
    static constexpr PolicyInfo info{"random-any", "[schedproof], baseline",
                                     "join any server at random; serve own in order of arrival"};
    static constexpr DecisionClass decisions{RoutingRule::random_any, ServingRule::own, Reach::own};

    [[nodiscard]] Layout layout(const Instance& instance) const {
        return {instance, Arrangement::per_server, Tracking::listed};
    }
    template <PolicyView V>
    [[nodiscard]] Best<V> route(const V& now, TaskTypeId type) const {
        return now.all(now.servers(type));
    }
    template <PolicyView V>
    [[nodiscard]] Best<V> serve(const V& now, ServerId m) const {
        return now.own(m);
    }
};

}  // namespace schedproof::queueing
