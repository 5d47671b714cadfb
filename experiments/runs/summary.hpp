/// What the replications of one experiment say: a mean, quantiles and their error bars for each quantity.
///
/// The warm-up is judged on the replications together (their batches, pooled by place in the run), by the first
/// quantity and by those with a distribution; the latest cut is taken for all, so that one figure is never of another
/// period than its neighbour. Of many quantities some would always be cut late by chance. A mean's error bar comes from
/// the means of the replications; of a single one, from batches of its run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/simulation/observation.hpp"
#include "experiments/statistics/comparison.hpp"
#include "experiments/statistics/intervals.hpp"

namespace schedproof::runs {

struct SummaryOptions {
    double confidence = 0.95;
    /// Unit: the experiment's time unit, rounded up to a batch. None: found by MSER-5, or 0 when `terminating`.
    std::optional<double> warm_up = {};
    bool terminating = false;  ///< the run has an end of its own (a trace): its start belongs to it
};

/// Batches that were cut off at the start of each run.
struct Cut {
    std::size_t batches = 0;
    bool automatic = false;
    bool found = true;                   ///< of the first quantity; else half the run was cut as a makeshift
    std::vector<std::string> unsettled;  ///< others with a distribution whose series shows no level in its first half
    friend bool operator==(const Cut&, const Cut&) = default;
};

/// Parts of the quantiles that are reported.
inline constexpr double quantile_parts[] = {0.5, 0.9, 0.95, 0.99, 0.999};

struct QuantitySummary {
    std::vector<std::optional<double>> means;  ///< by replication; none where it was never seen
    double weight = 0;                         ///< of all replications
    /// None when it was never seen. The mean of the replications' means; of one replication, by batch means.
    std::optional<statistics::Estimate> estimate;
    double batch_correlation = 0;  ///< of a single replication's batches
    /// With the help of the quantities whose exact mean is known; none when there is no such, or too few replications.
    std::optional<statistics::Controlled> controlled;
    /// By quantile_parts: means of the replications' quantiles; empty without distribution or when never seen.
    std::vector<statistics::Estimate> quantiles;
    double largest = 0;  ///< value seen, as exact as the histogram; 0 without distribution
};

struct Summary {
    Cut cut;
    double batch_length = 0;
    std::size_t batches = 0;  ///< of a run, the cut ones included
    std::size_t replications = 0;
    std::uint64_t work = 0;  ///< of all replications, warm-up included
    std::vector<QuantitySummary> quantities;
};

/// Batches to cut off. Requires observations of one experiment, at least one.
[[nodiscard]] Cut warm_up(std::span<const simulation::Quantity> quantities,
                          std::span<const simulation::Observation> observations, const SummaryOptions& options);

/// Requires observations of one experiment with these quantities, at least one. Throws InputError when the given
/// warm-up leaves nothing.
[[nodiscard]] Summary summarise(std::span<const simulation::Quantity> quantities,
                                std::span<const simulation::Observation> observations, const SummaryOptions& options);

/// The part of a distribution that each of some values does not exceed, of all replications together and after the
/// cut: points (value in the quantity's unit, part), ascending, about `most`.
[[nodiscard]] std::vector<std::pair<double, double>> distribution(const simulation::Quantity& quantity,
                                                                  std::size_t index,
                                                                  std::span<const simulation::Observation> observations,
                                                                  const Cut& cut, std::size_t most);

/// When to stop: the first quantity as precise as asked for.
struct Precision {
    double relative = 0.01;
    std::size_t least = 10, most = 1000;  ///< replications
};

/// The least number of replications, from `precision.least` on, whose summary's first quantity is as precise as asked
/// for; none when these do not suffice. What runs on which thread, and in which portions, makes no difference to it.
[[nodiscard]] std::optional<std::size_t> enough(std::span<const simulation::Quantity> quantities,
                                                std::span<const simulation::Observation> observations,
                                                const SummaryOptions& options, const Precision& precision);

}  // namespace schedproof::runs
