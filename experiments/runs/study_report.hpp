/// What a point of a study comes to, ready to be printed, written or drawn.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/runs/point_run.hpp"

namespace schedproof::runs {

struct PolicyReport {
    std::string label;
    std::optional<double> parameter;
    std::string parameter_name;
    std::string time_unit;
    std::vector<simulation::Quantity> quantities;
    Summary summary;
    /// By quantity, means of batches, all replications together; not finite where nothing was seen.
    std::vector<std::vector<double>> series;
    /// By quantity, points of the distribution function; empty without distribution.
    std::vector<std::vector<std::pair<double, double>>> distributions;
};

/// A quantity under one policy against the same under the first, replication by replication.
struct DifferenceReport {
    std::size_t policy = 1;    ///< index
    std::size_t quantity = 0;  ///< index among the policy's
    statistics::PairedDifference difference;
};

struct PointReport {
    StudyPoint point;
    std::vector<PolicyReport> policies;
    std::vector<DifferenceReport> differences;
    bool precise = true;  ///< false when a precision was asked for and the most replications did not reach it
};

/// Requires runs of the point's policies, at least one of each. Throws InputError as `summarise`.
[[nodiscard]] PointReport report(const StudyPoint& point, const std::vector<KeptRuns>& results);
/// The same of their observations.
[[nodiscard]] PointReport report(const StudyPoint& point, const std::vector<PolicyResults>& results);

}  // namespace schedproof::runs
