/// How many slots the squared queue lengths of a MaxWeight-type policy need to drift downwards.
///
/// A server is not interrupted, so it may spend the next slots on a task that was the right one long ago; over one slot
/// the sum of squares then grows however long the queues are. Over T slots it falls if the load is below one and T
/// large. With weights q >= 0 of the queues and f_m the queue whose task server m executes (stability.hpp for v, w),
///     G_T(q, f) = 2 [ T sum_L lambda_L v_L(q) - sum_m ( s_m rate_f q_f + (T - s_m) w_m(q) ) ],
///     s_m = sum_{t<T} (1 - rate_f)^t = (1 - (1 - rate_f)^T) / rate_f
/// is the leading part of E[ |Q(T)|^2 - |Q(0)|^2 ] from queues n q with n large: server m is held by its task for s_m
/// of the T slots in the mean, and takes the largest weight in the others. The rest of the drift is bounded, so T slots
/// are enough to prove stability by the sum of squares exactly when
///     max_f max_{q >= 0, sum q = 1} G_T(q, f) < 0.
/// For fixed f this is a linear program, as G_T is concave in q. Its optimality certificate is both an answer and a
/// proof of it: the value is negative (T works), or the optimal q is a direction in which the drift is not negative.
///
/// Monotone. G_T / T = 2 [ sum lambda v - sum w + sum_m (s_m / T) (w_m - rate_f q_f) ], and s_m / T falls as T grows,
/// being the mean of a falling sequence; so once T works every larger one does, and bisection finds the least. An idle
/// server regrets nothing, hence is never the worst case and is left out where the server can be busy at all.
///
/// Statuses. A server executes tasks of queues that it serves and that a type with arrivals may join; a weight is
/// positive on such queues only. All combinations are gone through.
///
/// Not here: the bounded rest, so no explicit finite set; drift_proof.hpp proves a one-slot drift with one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/duality/stability.hpp"

namespace schedproof::duality {

/// Per server the queue of the task in execution; none: idle, as it serves no queue that anyone joins.
using Executing = std::vector<std::optional<QueueId>>;

/// G_T(q, f) at given weights and statuses. Exact. Requires one weight per queue, one status per server, and servers
/// that execute tasks of queues that they serve.
[[nodiscard]] Rational leading_drift(const MaxWeightData& data, std::uint32_t steps, const Executing& executing,
                                     const std::vector<Rational>& weights);

/// The linear program of one f: max G_T / 2 as a minimum of its negative. Variables: q, then v, then w.
[[nodiscard]] capacity::LinearProgram step_program(const MaxWeightData& data, std::uint32_t steps,
                                                   const Executing& executing);

/// All combinations of statuses that count; see the file comment. Throws LimitExceeded past `limit`.
[[nodiscard]] std::vector<Executing> executing_combinations(const MaxWeightData& data, std::size_t limit = 20'000);

/// For one f, the optimum of its program with multipliers.
struct StepBound {
    Executing executing;
    capacity::LinearSolution solution;
    /// max_q G_T(q, f).
    [[nodiscard]] Rational largest() const { return Rational(-2) * solution.value; }
};

/// Weights at which a number of slots is too few.
struct StepFailure {
    std::uint32_t steps = 0;
    Executing executing;
    std::vector<Rational> weights;  ///< sum 1
    Rational drift;                 ///< G_T there, >= 0
};

struct StepResult {
    std::optional<std::uint32_t> steps;  ///< the least T that works; none: none up to the limit
    std::vector<StepBound> bounds;       ///< one per combination of statuses, all negative; empty without `steps`
    std::size_t worst = 0;               ///< the bound of largest value
    std::optional<StepFailure> failure;  ///< for one slot fewer, or for the limit; none when one slot is enough
};

/// The least T <= `max_steps` that works. Requires data as `duality::solve` does and max_steps >= 1.
/// Throws LimitExceeded past the limit of combinations, or when no linear-programming method answers.
/// Cost: combinations times log(max_steps) linear programs, whose entries have digits in proportion to T.
[[nodiscard]] StepResult least_steps(const MaxWeightData& data, std::uint32_t max_steps);

/// Empty when the result is proved: every combination has its negative, optimal value, and one slot fewer fails where
/// it is said to. Exact: multiplication, addition and comparison.
[[nodiscard]] std::string rejection(const MaxWeightData& data, const StepResult& result);

}  // namespace schedproof::duality
