/// What a policy states about its decisions, beside its code: the rules of its paper that the decisions follow.
///
/// The statement is data. Proofs turn it into questions about the policy's answers, so a policy that states a rule and
/// decides otherwise is refuted; the event simulator asks fewer servers by it. A policy that states nothing is run,
/// enumerated and simulated all the same.
#pragma once

#include <cstdint>

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
    most_local_first,           ///< its own non-empty queue of the most local level
    largest_marginal_cost,      ///< the type of largest C'(Q) mu; none if all are zero
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
    bool reconsiders = false;
};

/// What the policy states as its member `decisions`; nothing where it has none.
template <class P>
[[nodiscard]] constexpr DecisionClass decision_class() {
    if constexpr (requires { P::decisions; })
        return P::decisions;
    else
        return {};
}

}  // namespace schedproof::queueing
