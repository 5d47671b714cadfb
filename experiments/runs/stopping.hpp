/// When there are enough replications.
///
/// After each replication from the least number on, the policies are judged as they will be reported: with the warm-up
/// of these replications, common to all. The first number at which every policy's first quantity is as precise as the
/// target for is the answer, so what is reported meets the precision, and what runs on which thread, and in which
/// portions, makes no difference to it. Source: relative precision as in Law, Simulation Modeling and Analysis, 9.4.1;
/// stopping when an estimated variance is small makes intervals cover a little less often than they say, the more so
/// from few replications on.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "experiments/runs/summary.hpp"

namespace schedproof::runs {

struct Precision {
    double relative = 0.01;
    std::size_t least = 10, most = 1000;  ///< replications
};

/// Fewer replications to begin with than this are warned of.
inline constexpr std::size_t few_replications = 10;

class Stopping {
  public:
    /// Requires precision.least >= 2: one replication has no precision.
    Stopping(const SummaryOptions& options, const Precision& precision);

    /// Adds the next replication, which stands at this place of each policy's observations. Requires the same policies
    /// each time. Cost: linear in batches and, for the estimates, in the replications before; with controls of
    /// stationary runs linear in the batches of all.
    void add(std::span<const PolicyResults> policies, std::size_t at);
    /// The least sufficient number of replications; none when those added do not suffice.
    [[nodiscard]] std::optional<std::size_t> answer() const { return answer_; }
    /// Adds what all policies have and was not added before, up to the answer.
    /// Requires the policies of earlier calls, with the observations of then and perhaps more.
    [[nodiscard]] std::optional<std::size_t> look(std::span<const PolicyResults> policies);

  private:
    struct Policy {
        Pooled pooled;
        simulation::Quantity judged;                        // the first one
        std::vector<simulation::Quantity> controls;         // with controls of stationary runs: all quantities
        std::vector<simulation::Observation> observations;  // and what was observed of them, without distributions
        std::vector<std::vector<simulation::Tally>> first;  // tallies of the first quantity, by replication and batch
        std::size_t cut = 0;
        std::vector<double> means;  // of the first quantity after the cut, of the replications that saw it
        std::size_t counted = 0;    // replications behind `means`
    };
    [[nodiscard]] bool precise();

    SummaryOptions options_;
    Precision precision_;
    std::vector<Policy> policies_;
    std::size_t added_ = 0;
    std::optional<std::size_t> answer_;
};

}  // namespace schedproof::runs
