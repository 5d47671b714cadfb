/// Variance reduction: common random numbers, and control variates with known means.
///
/// Two policies that met the same arrivals and sizes are compared by the differences of paired replications: what
/// affects both alike cancels. And when the exact mean of another quantity of the same run is known (the number of
/// arrivals, the work they bring), its deviation from that mean explains a part of the deviation of the quantity in
/// question: regress on it, and predict at its exact mean.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "experiments/statistics/sample.hpp"

namespace schedproof::statistics {

/// Of a[i] - b[i], i a replication.
struct PairedDifference {
    Estimate difference;
    double correlation = 0;          ///< of a and b; 0 when one of them does not vary
    std::optional<double> relative;  ///< difference over the mean of b; none when that is 0
};

/// Requires as many values of a as of b, at least one. Range: 0 < confidence < 1.
[[nodiscard]] PairedDifference paired_difference(std::span<const double> a, std::span<const double> b,
                                                 double confidence);

/// A quantity by replication whose exact mean is known.
struct Control {
    std::vector<double> values;
    double expectation = 0;
};

struct Controlled {
    Estimate estimate;
    std::vector<std::size_t> used;  ///< which controls: not those that never vary or that the ones before determine
    double variance_ratio = 1;      ///< residual variance over variance: what is left of the error, squared
};

/// The intercept of the least-squares regression of `values` on the controls' deviations from their exact means, with
/// its Student-t interval of n - q - 1 degrees of freedom, q controls used. Exact when all are jointly normal. Controls
/// are taken in order while degrees of freedom remain; no interval without one.
/// Requires a value, and as many of each control. Source: Lavenberg and Welch (1981).
[[nodiscard]] Controlled controlled(std::span<const double> values, std::span<const Control> controls,
                                    double confidence);

}  // namespace schedproof::statistics
