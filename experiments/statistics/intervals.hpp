/// Confidence intervals with the coverage that they state.
///
/// Three situations, three intervals. Independent replications: Student's t on their means (`estimate` in
/// sample.hpp). One long run: its batches are nearly independent when they are long, and each has a sum and a weight,
/// so the mean is a ratio and its variance that of the linearised ratio. Independent values of one law: a quantile lies
/// between two order statistics with a probability that the binomial law gives, whatever the law of the values.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "experiments/statistics/sample.hpp"

namespace schedproof::statistics {

struct Interval {
    double low = 0, high = 0;
    [[nodiscard]] bool covers(double x) const { return low <= x && x <= high; }
    friend bool operator==(const Interval&, const Interval&) = default;
};

/// Sum and weight of one stretch of a run.
struct Part {
    double sum = 0, weight = 0;
};

/// A mean of one run.
struct BatchMeans {
    Estimate estimate;
    std::size_t batches = 0;  ///< after merging
    double correlation = 0;   ///< of neighbouring batches (lag 1): above 2/sqrt(batches) they are too short to trust
};

/// Merges the parts, which are in order of time, into `batches` stretches of equally many parts (those that are left
/// over at the start are left out) and takes the ratio estimate sum/weight. No interval for fewer than two batches.
/// Range: 0 < confidence < 1. Requires a weight above 0. Source: Student's t with batches - 1 degrees of freedom.
[[nodiscard]] BatchMeans batch_means(std::span<const Part> parts, std::size_t batches, double confidence);

/// The stretches of `batch_means` as values whose mean is the ratio estimate and that vary as its linearisation does;
/// none when a stretch has no weight. Requires at least as many parts as batches.
[[nodiscard]] std::optional<std::vector<double>> stretch_values(std::span<const Part> parts, std::size_t batches);

/// Ranks (1-based) of the order statistics of n independent values between which the p-quantile lies with probability
/// of at least `confidence`, at most (1 - confidence)/2 on each side; none when n is too small for it.
/// Range: 0 < p < 1, 0 < confidence < 1. Source: binomial law of the number of values up to the quantile.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> quantile_ranks(std::size_t n, double p,
                                                                                double confidence);

/// Whether the half width is at most precision/(1 + precision) of the mean's size: then the mean is off by at most
/// `precision` of the true one wherever the interval covers it. Never for an estimate without interval.
/// Requires precision > 0. Source: Law, Simulation Modeling and Analysis, 9.4.1.
[[nodiscard]] bool is_precise(const Estimate& estimate, double precision);

/// For the number of successes among n trials, the exact interval of their probability (Clopper and Pearson).
/// Requires successes <= n and n >= 1.
[[nodiscard]] Interval proportion(std::size_t successes, std::size_t n, double confidence);

/// Probability of at most k successes in n trials of probability p: how surprising a coverage of k out of n is.
[[nodiscard]] double binomial_at_most(std::size_t k, std::size_t n, double p);

}  // namespace schedproof::statistics
