#include "experiments/statistics/warm_up.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "experiments/statistics/sample.hpp"
#include "model/core/errors.hpp"

namespace schedproof::statistics {

WarmUp mser(std::span<const double> series, std::size_t group) {
    require(group >= 1, "groups have at least one value");
    constexpr std::size_t last = 5, fewest = 4 * last;
    const std::size_t n = series.size() / group;
    if (n < fewest) return {series.size() / 2, false};
    std::vector<double> means(n);
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < group; ++k) sum += series[i * group + k];
        means[i] = sum / static_cast<double>(group);
        require(std::isfinite(means[i]), "a warm-up is sought among finite values");
    }
    // From the back, mean and squared deviations of what is kept grow by one value at a time (Welford).
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double mean = 0, squares = 0, least = infinity, least_late = infinity;
    std::size_t best = 0;
    for (std::size_t d = n; d-- > 0;) {
        const auto kept = static_cast<double>(n - d);
        const double step = means[d] - mean;
        mean += step / kept;
        squares += step * (means[d] - mean);
        const double error = squares / (kept * kept);
        if (d + last > n - 1) continue;
        // Among equals the earliest, which keeps most: a constant series has no warm-up.
        if (2 * d > n)
            least_late = std::min(least_late, error);
        else if (error <= least)
            least = error, best = d;
    }
    return {best * group, least <= least_late};
}

std::optional<bool> still_moves(std::span<const double> differences) {
    if (differences.size() < 2) return {};
    const Estimate difference = estimate(differences, 0.95);
    return std::abs(difference.mean) > *difference.half_width;
}

}  // namespace schedproof::statistics
