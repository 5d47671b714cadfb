/// Duality is drift: how much load a MaxWeight-type policy is guaranteed to carry, as a linear program of its own.
///
/// Such a policy compares weights. With q >= 0 the weights of its queues, a task of type L counts
///     v_L(q) = min over the queues admissible to L of factor * q,
/// which is what routing to the least weight adds to the drift of the quadratic Lyapunov function, and a server takes
///     w_m(q) = max over the queues that it may serve of rate * q      (0 if there is none).
/// The leading part of the drift is sum_L lambda_L v_L(q) - sum_m w_m(q), so the policy is stable by this argument for
/// all arrival rates with
///     sigma = max over q >= 0 of  sum_L lambda_L v_L(q) / sum_m w_m(q)  < 1.
/// If the data make (v, w) dual feasible in the capacity program (v_L mu_{Lm} <= w_m for all pairs), sigma <= rho*;
/// sigma = rho* for every lambda is the checkable form of throughput optimality. A policy that is blind to a level has
/// sigma > rho* somewhere.
///
/// As a linear program: max sum lambda_L v_L subject to v_L <= factor q_i, rate q_i <= w_m, sum w = 1. Its dual is a
/// fluid version of the policy's own means: send x_{Li} tasks of type L to queue i, each bringing `factor` work, and
/// let server m spend the share y_{im} of its time on queue i at its rate, within sigma:
///     sum_i x_{Li} = lambda_L,   sum_L factor x_{Li} <= sum_m rate y_{im},   sum_i y_{im} <= sigma.
/// A certificate carries both sides and is checked by multiplication, addition and comparison.
///
/// Policies in this form: JSQ-MaxWeight (own-server queues, factor 1, rate by the queue's distance), Wang (local queues
/// and a common one, rates alpha and gamma), generalised c-mu with quadratic costs (a queue per type, rate by level),
/// Balanced-Pandas (weights are workloads: factor 1/mu_{Lm} to every server, which serves its own at rate 1).
///
/// Not here: reading the data off a policy; drift remainders; instability when sigma > 1 (a policy may be stable
/// beyond what this argument gives).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/ids.hpp"
#include "model/core/rational.hpp"

namespace schedproof::duality {

/// A queue with the number that multiplies its weight: a factor where tasks are routed, a rate where it is served.
struct WeightedQueue {
    QueueId queue;
    Rational multiplier;  ///< Range: >= 0
};

/// A MaxWeight-type policy on an instance, as data.
struct MaxWeightData {
    std::size_t queues = 0;
    std::vector<Rational> arrival_rates;                 ///< lambda per type, >= 0
    std::vector<std::vector<WeightedQueue>> admissible;  ///< per type, not empty: queues it may join, with factors
    std::vector<std::vector<WeightedQueue>> servable;    ///< per server: queues it may serve, with rates
};

/// Task rate of a type to a queue, or time share of a server on a queue.
struct QueueShare {
    std::size_t owner = 0;  ///< index of the type, or of the server
    QueueId queue;
    Rational amount;  ///< Range: > 0
};

struct StabilityCertificate {
    /// sigma; none: infinite, as some type may join queues only that no server ever serves.
    std::optional<Rational> value;
    /// Weights that attain it. When infinite: weights that no server counts and some arriving type does.
    std::vector<Rational> weights;
    std::vector<QueueShare> routed;  ///< x, empty when infinite
    std::vector<QueueShare> served;  ///< y, empty when infinite
};

/// Requires known queues, each at most once in a list; rates and factors >= 0; one list per type, none of these empty.
/// Throws ContractViolation otherwise; LimitExceeded when no linear-programming method finds the optimum.
[[nodiscard]] StabilityCertificate solve(const MaxWeightData& data);

/// Empty when the certificate proves its value for the data, otherwise the first reason why not.
/// Exact: multiplication, addition and comparison only. Requires data as `solve` does.
[[nodiscard]] std::string rejection(const MaxWeightData& data, const StabilityCertificate& certificate);

[[nodiscard]] inline bool verify(const MaxWeightData& data, const StabilityCertificate& certificate) {
    return rejection(data, certificate).empty();
}

/// v_L(q) and w_m(q) at given weights. Require one weight per queue.
[[nodiscard]] Rational type_value(const MaxWeightData& data, std::size_t type, const std::vector<Rational>& weights);
[[nodiscard]] Rational server_value(const MaxWeightData& data, std::size_t server,
                                    const std::vector<Rational>& weights);

}  // namespace schedproof::duality
