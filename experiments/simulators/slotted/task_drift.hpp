/// Drift of the number of tasks and of its square, slot by slot: quantities whose stationary mean is 0 under every
/// policy, so that they are control variates of all others.
///
/// Let N tasks be in the system at the start of a slot, A more arrive, and n_r of them then be in execution at rate r.
/// A is independent of the past, and given all that has happened until services end, so are these from one another.
/// With R = sum r n_r, S = sum r (1-r) n_r and D completions, E D = R and E D^2 = R^2 + S. So the mean of
///     lambda - R                                         is that of N' - N, and the mean of
///     2 lambda N + E A^2 - 2 (N + A) R + R^2 + S         is that of N'^2 - N^2,
/// with N' = N + A - D. Over any stretch of slots, from any start and under any policy, each sum therefore has the mean
/// of what N, or N^2, has grown by. Under a stationary law with a finite second moment that is 0.
///
/// Why they explain so much: where all capacity is used whenever tasks are there, R falls short of the capacity C only
/// while N is small, so that the second is 2 N (lambda - C) plus a constant and little else, whatever was drawn. The
/// approximating martingales of heavy traffic are sums of the two.
/// Source: [henderson2002]; [asmussen2007], Chapter V.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/simulators/slotted/system.hpp"

namespace schedproof::simulation {

class TaskDrift {
  public:
    explicit TaskDrift(const SimulatedSystem& system);

    struct Sums {
        double tasks = 0, squares = 0;
        friend bool operator==(const Sums&, const Sums&) = default;
    };
    /// Adds a slot: `there` tasks with the `arrived` ones, before any service ends, and by entry of the instance's
    /// table of rates how many are in execution.
    void add(std::uint64_t there, std::uint64_t arrived, std::span<const std::uint32_t> in_execution, Sums& to) const;

  private:
    std::vector<double> rates_;
    double mean_, square_;  // of arrivals
};

}  // namespace schedproof::simulation
