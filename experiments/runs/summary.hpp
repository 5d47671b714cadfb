/// The results of the replications of one experiment: a mean, quantiles and their error bars for each quantity.
///
/// A mean's error bar comes from the means of the replications; of a single one, from batches of its run, unless the
/// run has an end of its own: then its parts are no sample of anything, and it has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/runs/kept_runs.hpp"
#include "experiments/simulators/core/observation.hpp"
#include "experiments/statistics/comparison.hpp"
#include "experiments/statistics/intervals.hpp"

namespace schedproof::runs {

/// Of one policy at one point, replications in order.
struct PolicyResults {
    std::string time_unit;
    std::vector<simulation::Quantity> quantities;
    std::vector<simulation::Observation> observations;
};

struct QuantitySummary {
    std::vector<std::optional<double>> means;  ///< by replication; none where it was never seen
    double weight = 0;                         ///< of all replications
    /// None when it was never seen, which of a rare one says nothing of its mean. The mean of the means of those
    /// replications that saw it; of one replication, by batch means.
    std::optional<statistics::Estimate> estimate;
    /// Of neighbouring twentieths of what is kept, summed over the replications; 0 of runs that end by themselves.
    double batch_correlation = 0;
    /// With the help of the quantities whose exact mean is known, `used` by index among all quantities, the one behind
    /// them being that of SummaryOptions::known; none when there is no such, or too few replications.
    std::optional<statistics::Controlled> controlled;
    /// By quantile_parts, as far as every replication that saw the quantity has a value beyond: means of the
    /// replications' quantiles. Empty without distribution or when never seen.
    std::vector<statistics::Estimate> quantiles;
    double largest = 0;  ///< value seen, as exact as the histogram; 0 without distribution
};

/// Of the intervals that must hold what is known of stationary runs for these to be taken as such.
inline constexpr double stationarity_confidence = 0.999;

/// A control that was left out, since the runs are not stationary enough for its mean to be known.
struct LeftOut {
    std::size_t control = 0, shown = 0;  ///< quantities, by index
    statistics::Estimate seen;           ///< mean of `shown`
    double lower = 0, upper = 0;         ///< what it ought to lie between, and is too far from
};

struct Summary {
    Cut cut;
    double batch_length = 0;
    std::size_t batches = 0;  ///< of a run, the cut ones included
    std::size_t replications = 0;
    std::uint64_t work = 0;  ///< of all replications, warm-up included
    std::vector<QuantitySummary> quantities;
    std::vector<LeftOut> left_out;
};

/// Position of the quantity of this name.
[[nodiscard]] std::optional<std::size_t> position_of(std::span<const simulation::Quantity> quantities,
                                                     std::string_view name);
/// Whether these means of replications say nothing of a rare quantity: no replication saw it, so that an interval would
/// be 0 +- 0 whatever its mean is.
[[nodiscard]] bool is_unseen(const simulation::Quantity& quantity, std::span<const double> means);
/// Whether some of these are controls of stationary runs, as `simulate --variance control` records them. Then a
/// precision is that of the controlled estimate, and a single run has one as well.
[[nodiscard]] bool are_controlled(std::span<const simulation::Quantity> quantities);
/// What a precision is judged by: of the first quantity. None when it was never seen.
[[nodiscard]] std::optional<statistics::Estimate> judged_estimate(const KeptRuns& runs, double confidence);

/// Requires observations of one experiment with these quantities, at least one. Throws InputError when the given
/// warm-up leaves nothing.
[[nodiscard]] Summary summarise(std::span<const simulation::Quantity> quantities,
                                std::span<const simulation::Observation> observations, const SummaryOptions& options);
/// Of policies that are compared, each with a run. Throws InputError when the policy of a known mean has no such
/// quantity.
[[nodiscard]] std::vector<Summary> summarise(std::span<const KeptRuns> policies, const SummaryOptions& options);
/// The same of their observations, cut at the same time. Throws as both.
[[nodiscard]] std::vector<Summary> summarise(std::span<const PolicyResults> policies, const SummaryOptions& options);

/// What is kept of policies that are compared, cut at the same time. Requires results, each with an observation. Throws
/// InputError when the given warm-up leaves nothing.
[[nodiscard]] std::vector<KeptRuns> keep(std::span<const PolicyResults> policies, const SummaryOptions& options);

/// The part of a distribution that each of some values does not exceed, of all replications together: points (value in
/// the quantity's unit, part), ascending, about `most`. Requires a quantity that has a distribution.
[[nodiscard]] std::vector<std::pair<double, double>> distribution(const KeptRuns& runs, std::size_t quantity,
                                                                  std::size_t most);

}  // namespace schedproof::runs
