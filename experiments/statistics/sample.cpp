#include "experiments/statistics/sample.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "model/core/errors.hpp"

namespace schedproof::statistics {

Estimate estimate(std::span<const double> values, double confidence) {
    require(!values.empty() && confidence > 0 && confidence < 1,
            "an estimate needs a value, and a confidence in (0, 1)");
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    if (values.size() == 1) return {mean, {}};
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    const boost::math::students_t law(n - 1);
    return {mean, boost::math::quantile(law, (1 + confidence) / 2) * std::sqrt(squares / (n - 1) / n)};
}

Estimate skewed_estimate(std::span<const double> values, double confidence) {
    Estimate found = estimate(values, confidence);
    if (found.half_width && found.mean > 0) found.half_width = found.mean * std::expm1(*found.half_width / found.mean);
    return found;
}

Sample::Sample(std::vector<double> values) : sorted_(std::move(values)) { std::sort(sorted_.begin(), sorted_.end()); }

double Sample::mean() const {
    require(!sorted_.empty(), "the mean of no value");
    return std::accumulate(sorted_.begin(), sorted_.end(), 0.0) / static_cast<double>(sorted_.size());
}

double Sample::quantile(double p) const {
    require(!sorted_.empty() && p >= 0 && p <= 1, "a quantile needs a value, and a part between 0 and 1");
    const double rank = std::ceil(p * static_cast<double>(sorted_.size()));
    return sorted_[std::min(sorted_.size(), std::max<std::size_t>(1, static_cast<std::size_t>(rank))) - 1];
}

double Sample::share_within(double x) const {
    require(!sorted_.empty(), "a share of no value");
    const auto within = std::upper_bound(sorted_.begin(), sorted_.end(), x) - sorted_.begin();
    return static_cast<double>(within) / static_cast<double>(sorted_.size());
}

std::vector<std::pair<double, double>> Sample::distribution(std::size_t most) const {
    std::vector<std::pair<double, double>> points;
    const std::size_t step = std::max<std::size_t>(1, sorted_.size() / std::max<std::size_t>(1, most));
    for (std::size_t i = 0; i < sorted_.size();
         i = i + 1 == sorted_.size() ? i + 1 : std::min(i + step, sorted_.size() - 1))
        if (points.empty() || sorted_[i] > points.back().first)
            points.emplace_back(sorted_[i], share_within(sorted_[i]));
    return points;
}

}  // namespace schedproof::statistics
