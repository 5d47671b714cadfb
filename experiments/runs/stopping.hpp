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

    /// The least sufficient number of replications among those that all policies have; none when they do not suffice.
    /// Requires the policies of earlier calls, with the observations of then and perhaps more.
    /// Cost: of the replications that are new, linear in batches and, for the estimates, in those before; with controls
    /// of stationary runs linear in the batches of all.
    [[nodiscard]] std::optional<std::size_t> look(std::span<const PolicyResults> policies);

  private:
    struct Policy {
        Pooled pooled;
        std::size_t cut = 0;
        std::size_t counted = 0;    // replications behind `means`
        std::vector<double> means;  // of the first quantity after the cut, of the replications that saw it
    };
    [[nodiscard]] bool precise(std::span<const PolicyResults> policies, std::size_t n);

    SummaryOptions options_;
    Precision precision_;
    std::vector<Policy> policies_;
    std::size_t looked_ = 0;
    std::optional<std::size_t> answer_;
};

}  // namespace schedproof::runs
