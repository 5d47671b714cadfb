/// How many slots the squared queue lengths of a MaxWeight-type policy need to drift downwards.
/// The method stands at the head of t_step.cpp.
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
