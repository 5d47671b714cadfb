/// Jobs that arrive at random: a Poisson process, sizes drawn from one law.
///
/// Source: Xu et al., section 6: Poisson arrivals, Pareto sizes of mean 40. Their shape is lost; here it is 2, so
/// Pr(p > x) = (20/x)^2 for x >= 20, whose variance is infinite (specification 5).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "experiments/statistics/stream.hpp"
#include "model/core/real.hpp"
#include "model/redundancy/job.hpp"

namespace schedproof::workload {

/// Pr(X > x) = (scale/x)^shape from scale on. Range: shape > 1, so that there is a mean.
struct ParetoSizes {
    double shape = 2, scale = 20;
};
struct ExponentialSizes {
    double mean = 40;
};
struct UniformSizes {
    double from = 0, to = 1;
};
struct ConstantSizes {
    double size = 40;
};
using SizeLaw = std::variant<ParetoSizes, ExponentialSizes, UniformSizes, ConstantSizes>;

/// Reads `pareto:SHAPE,SCALE`, `exponential:MEAN`, `uniform:FROM,TO` or `constant:SIZE`. Throws InputError.
[[nodiscard]] SizeLaw parse_sizes(std::string_view text);
[[nodiscard]] double mean(const SizeLaw& law);

/// Parameters of a random workload.
struct RedundancyWorkload {
    double rate = 1;  ///< Unit: jobs per unit of time
    SizeLaw sizes;
    double horizon = 100'000;  ///< nobody arrives later
};

/// Largest expected number of jobs of a workload.
inline constexpr double max_generated_jobs = 20'000'000;

/// The same jobs for the same replication; arrivals and sizes are streams of their own.
/// Throws InputError unless rate and horizon are above 0 and the jobs not too many.
[[nodiscard]] redundancy::Jobs<Real> generate(const RedundancyWorkload& workload,
                                              const statistics::Replication& replication);

}  // namespace schedproof::workload
