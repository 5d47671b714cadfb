#include "experiments/statistics/warm_up.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof::statistics {

WarmUp mser(std::span<const double> series, std::size_t group) {
    require(group >= 1, "groups have at least one value");
    constexpr std::size_t last = 5, fewest = 4 * last;
    const std::size_t n = series.size() / group;
    const WarmUp makeshift{series.size() / 2, false};
    if (n < fewest) return makeshift;
    std::vector<double> means(n);
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < group; ++k) sum += series[i * group + k];
        means[i] = sum / static_cast<double>(group);
        require(std::isfinite(means[i]), "a warm-up is sought among finite values");
    }
    // From the back, mean and squared deviations of what is kept grow by one value at a time (Welford).
    double mean = 0, squares = 0, least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t d = n; d-- > 0;) {
        const auto kept = static_cast<double>(n - d);
        const double step = means[d] - mean;
        mean += step / kept;
        squares += step * (means[d] - mean);
        const double error = squares / (kept * kept);
        // Among equals the earliest, which keeps most: a constant series has no warm-up.
        if (d + last <= n - 1 && error <= least) least = error, best = d;
    }
    if (2 * best > n) return makeshift;
    return {best * group, true};
}

}  // namespace schedproof::statistics
