/// The rules of the literature by name, and which of them a policy's rules are.
///
/// Drift arguments are about these rules. Whether a policy has one of them is read off its rules, as they are written:
/// rules that mean the same in other words are `unspecified`, for which there are fewer theorems.
#pragma once

#include <cstdint>

#include "model/queueing/language/rules.hpp"

namespace schedproof::queueing {

/// Which queue an arriving task joins, ties broken uniformly.
enum class RoutingRule : std::uint8_t {
    unspecified,
    shortest_local,            ///< the shortest queue of a server that holds its data
    shortest_local_or_common,  ///< the same, or the common queue
    least_weighted_workload,   ///< the server of least W_m / mu, in the queue of its level there
    own_type,                  ///< the queue of its type
    common,                    ///< the only queue
    random_local,              ///< any server that holds its data
    random_any,                ///< any server
    planned,                   ///< by the probabilities of a plan
};

/// Which queue an idle server m turns to.
enum class ServingRule : std::uint8_t {
    unspecified,
    own,                        ///< its own
    common,                     ///< the only queue
    largest_of_own_and_common,  ///< its own if mu_local Q_m >= mu_remote Q_common, else the common queue
    largest_weight,             ///< any of largest mu(m,n) Q_n; its own if all are empty
    own_then_longest,           ///< its own; if empty, the longest n that has mu(m,n) Q_n >= mu_local
    own_then_largest_weight,    ///< its own; if empty, the n of largest mu(m,n) Q_n if that is >= mu_local
    most_local_first,           ///< its own non-empty queue of the most local level; if all are empty, the local one
    most_local_or_none,         ///< the same; none if all are empty
    largest_marginal_cost,      ///< the type of largest C'(Q) mu; none if all are zero
    furthest_behind,            ///< the planned type whose counter stands highest
};

/// Whose queues a server may ever turn to.
enum class Reach : std::uint8_t {
    own,             ///< its own
    own_and_common,  ///< and the common one
    any,             ///< any; always a correct statement
};

struct DecisionClass {
    RoutingRule routing = RoutingRule::unspecified;
    ServingRule serving = ServingRule::unspecified;
    Reach reach = Reach::any;
    /// Whether a server that stays idle while tasks wait may turn to one when a queue becomes shorter: the longest
    /// queue anywhere may be too far away, and the next longest, in the server's own rack, near enough.
    bool reconsiders = true;
    friend constexpr bool operator==(const DecisionClass&, const DecisionClass&) = default;
};

[[nodiscard]] constexpr RoutingRule routing_rule(const Rules& rules) {
    using namespace language;
    using enum Arrangement;
    const Arrangement queues = rules.arrangement();
    const auto is = [&](Arrangement arrangement, const auto& set) {
        return queues == arrangement && rules.route() == set.tree;
    };
    if (is(per_server, argmin(local, length))) return RoutingRule::shortest_local;
    if (is(per_server_and_common, argmin(local | common, length))) return RoutingRule::shortest_local_or_common;
    if (is(per_server_and_level, argmin(servers, server_workload / rate))) return RoutingRule::least_weighted_workload;
    if (is(per_type, own_type)) return RoutingRule::own_type;
    if (is(single, Set<Decider::task>(common))) return RoutingRule::common;
    if (is(per_server, local)) return RoutingRule::random_local;
    if (is(per_server, servers)) return RoutingRule::random_any;
    if (is(per_server, planned)) return RoutingRule::planned;
    return RoutingRule::unspecified;
}

[[nodiscard]] constexpr ServingRule serving_rule(const Rules& rules) {
    using namespace language;
    using enum Arrangement;
    const Arrangement queues = rules.arrangement();
    const auto is = [&](Arrangement arrangement, const auto& set) {
        return queues == arrangement && rules.serve() == set.tree;
    };
    constexpr auto pays = rate * length >= local_rate * tasks(1);
    constexpr auto longest = argmax(nonempty(reachable), length);
    constexpr auto heaviest = argmax(nonempty(reachable), rate * length);
    constexpr auto nearest = most_local(nonempty(own_levels));
    if (is(per_server, own)) return ServingRule::own;
    if (is(single, Set<Decider::server>(common))) return ServingRule::common;
    if (is(per_server_and_common, when(least(own, rate * servable) >= least(common, rate * servable), own, common)))
        return ServingRule::largest_of_own_and_common;
    if (is(per_server, first_of(heaviest, own))) return ServingRule::largest_weight;
    if (is(per_server, first_of(nonempty(own), where(longest, pays), own))) return ServingRule::own_then_longest;
    if (is(per_server, first_of(nonempty(own), where(heaviest, pays), own)))
        return ServingRule::own_then_largest_weight;
    if (is(per_server_and_level, first_of(nearest, own))) return ServingRule::most_local_first;
    if (is(per_server_and_level, nearest)) return ServingRule::most_local_or_none;
    if (is(per_type, argmax(nonempty(reachable), rate * marginal_cost))) return ServingRule::largest_marginal_cost;
    if (is(per_type, furthest_behind)) return ServingRule::furthest_behind;
    return ServingRule::unspecified;
}

/// The rules of the literature that these are.
[[nodiscard]] constexpr DecisionClass decision_class(const Rules& rules) {
    const ServingRule serving = serving_rule(rules);
    const auto only = [&](auto... known) {
        return !rules.serve().any([&](language::Op op) {
            return op >= language::Op::local && op <= language::Op::tabulated && op != language::Op::it &&
                   op != language::Op::lowest && ((op != known) && ...);
        });
    };
    Reach reach = Reach::any;
    if (rules.arrangement() != Arrangement::per_type && rules.arrangement() != Arrangement::single) {
        using enum language::Op;
        if (only(own, own_levels))
            reach = Reach::own;
        else if (only(own, own_levels, common))
            reach = Reach::own_and_common;
    }
    return {routing_rule(rules), serving, reach,
            serving == ServingRule::unspecified || serving == ServingRule::own_then_longest};
}

}  // namespace schedproof::queueing
