/// Where the warm-up of a simulation ends, by the rule MSER.
///
/// The start is cut off so that the mean of what is left has the least marginal standard error (MSER): what is kept
/// after the first d of n values has mean m_d, and d minimises sum_{i>d} (x_i - m_d)^2 / (n-d)^2. Values far from the
/// later level cost more in the numerator than their number gains in the denominator. Neighbours are averaged in
/// groups of five before (MSER-5), which smooths. The last five groups are no candidates: few values are alike by
/// chance. A minimum in the second half says that the run is too short to see a level, not where it begins.
/// Source: White, Cobb, Spratt (2000); Hoad, Robinson, Davies (2010).
#pragma once

#include <cstddef>
#include <span>

namespace schedproof::statistics {

struct WarmUp {
    std::size_t cut = 0;  ///< values to leave out at the start; at most half of all
    bool found = true;    ///< whether the minimum lay in the first half; else `cut` is half of all, a makeshift
    friend bool operator==(const WarmUp&, const WarmUp&) = default;
};

/// `series` in order of time; what does not fill a group at the end is not looked at. Fewer than twenty
/// groups are not found, since the second half would have too few candidates to object. Requires group >= 1 and finite
/// values. Cost: linear.
[[nodiscard]] WarmUp mser(std::span<const double> series, std::size_t group = 5);

}  // namespace schedproof::statistics
