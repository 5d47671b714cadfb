/// Jobs that arrive at random: a Poisson process, sizes drawn from one law.
///
/// Source: [xu2017], Section 6: Poisson arrivals, Pareto sizes of mean 40. Their shape is lost; here it is 2, so
/// Pr(p > x) = (20/x)^2 for x >= 20, whose variance is infinite (docs/models/redundancy.md, Interpretation R14).
#pragma once

#include "experiments/statistics/stream.hpp"
#include "experiments/workload/random_law.hpp"
#include "model/core/real.hpp"
#include "model/redundancy/job.hpp"

namespace schedproof::workload {

/// Parameters of a random workload.
struct RedundancyWorkload {
    double rate = 1;  ///< Unit: jobs per unit of time
    RealLaw sizes = Pareto{2, 20};
    double horizon = 100'000;  ///< nobody arrives later
};

/// Largest expected number of jobs of a workload.
inline constexpr double max_generated_jobs = 20'000'000;

/// The same jobs for the same replication; arrivals and sizes are streams of their own. A size of 0 is drawn again.
/// Throws InputError unless rate and horizon are above 0 and the jobs not too many.
[[nodiscard]] redundancy::Jobs<Real> generate(const RedundancyWorkload& workload,
                                              const statistics::Replication& replication);

}  // namespace schedproof::workload
