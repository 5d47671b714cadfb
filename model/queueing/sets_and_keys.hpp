/// What a policy's question names: a set of candidate queues, and a key by which they are compared.
///
/// Views answer the same named question in different ways, by scanning or from an index. Sets and keys are therefore
/// types, not lambdas.
#pragma once

#include "model/queueing/ties.hpp"

namespace schedproof::queueing {

namespace sets {
/// Queues of the servers that hold a replica of the type.
struct Local {
    TaskTypeId type;
};
/// Queues of all servers, each the one for the server's level to the type.
struct Servers {
    TaskTypeId type;
};
/// All servers' queues, or all types' queues, with the level at which server m would run them.
struct Reachable {
    ServerId server;
};
/// The common queue.
struct Common {};
template <class A, class B>
struct Union {
    A first;
    B second;
};
}  // namespace sets

namespace key {
struct Length {
    template <class V>
    auto operator()(const V& now, const Candidate& c) const {
        return now.length(c.queue);
    }
};
struct WeightedLength {
    template <class V>
    auto operator()(const V& now, const Candidate& c) const {
        return now.weighted_length(c);
    }
};
struct WeightedWorkload {
    template <class V>
    auto operator()(const V& now, const Candidate& c) const {
        return now.weighted_workload(c);
    }
};
struct MarginalCost {
    template <class V>
    auto operator()(const V& now, const Candidate& c) const {
        return now.marginal_cost(c);
    }
};
inline constexpr Length length;                       ///< Q
inline constexpr WeightedLength weighted_length;      ///< mu Q
inline constexpr WeightedWorkload weighted_workload;  ///< W_m / mu, W_m the workload of the queue's server
inline constexpr MarginalCost marginal_cost;          ///< C'(Q) mu
}  // namespace key

}  // namespace schedproof::queueing
