/// Estimates of a quantity from simulation: means over replications with error bars, and empirical distributions.
///
/// Values of one run depend on each other (jobs queue behind each other), so an error bar comes from independent
/// replications alone: the Student-t interval of their means. Distributions are those of all values together.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace schedproof::statistics {

/// Mean of independent values, and how far the true mean may be.
struct Estimate {
    double mean = 0;
    std::optional<double> half_width;  ///< of the confidence interval; none for a single value
};

/// Range: 0 < confidence < 1. Requires a value. Source: Student's t with n-1 degrees of freedom.
[[nodiscard]] Estimate estimate(std::span<const double> values, double confidence);

/// The same for a law on the positive numbers with a long tail, such as estimates of a small probability have: with few
/// values Student's interval then often ends below the mean (of five exponential ones, one in eight). It is taken for
/// the logarithm of the mean, whose error to first order is that of the mean over the mean; the half width is its
/// longer side. Of means that are not above 0, `estimate`.
[[nodiscard]] Estimate skewed_estimate(std::span<const double> values, double confidence);

/// Values in ascending order.
class Sample {
  public:
    explicit Sample(std::vector<double> values);

    [[nodiscard]] std::size_t size() const { return sorted_.size(); }
    [[nodiscard]] double mean() const;
    /// The least value that at least a part p of all does not exceed. Range: 0 <= p <= 1. Requires a value.
    [[nodiscard]] double quantile(double p) const;
    /// Which part does not exceed x. Requires a value.
    [[nodiscard]] double share_within(double x) const;
    /// Points (x, share_within(x)) of the distribution function, ascending: the first and last value and between them
    /// the quantiles of about `most` equal steps.
    [[nodiscard]] std::vector<std::pair<double, double>> distribution(std::size_t most) const;

  private:
    std::vector<double> sorted_;
};

}  // namespace schedproof::statistics
