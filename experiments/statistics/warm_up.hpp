/// Where the warm-up of a simulation ends, by the rule MSER.
///
/// The start is cut off so that the mean of what is left has the least marginal standard error (MSER): what is kept
/// after the first d of n values has mean m_d, and d minimises sum_{i>d} (x_i - m_d)^2 / (n-d)^2. Values far from the
/// later level cost more in the numerator than their number gains in the denominator. Neighbours are averaged in
/// groups of five before (MSER-5), which smooths. The last five groups are no candidates: few values are alike by
/// chance. A minimum in the second half says that a level may begin there, or that values which depend on each other
/// were alike by chance; on correlated series of a constant mean that is often so. Whether runs still move, their parts
/// tell: each run's mean over its second quarter less that over its fourth, which are 0 on average where a level was
/// reached before the second quarter, by Student's t at 5 %. Source: White, Cobb, Spratt (2000); Hoad, Robinson, Davies
/// (2010).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace schedproof::statistics {

struct WarmUp {
    std::size_t cut = 0;  ///< values to leave out at the start: the best of at most half of all
    bool found = true;    ///< whether none in the second half is better
    friend bool operator==(const WarmUp&, const WarmUp&) = default;
};

/// `series` in order of time; what does not fill a group at the end is not looked at. Fewer than twenty
/// groups are not found, since the second half would have too few candidates to object. Requires group >= 1 and finite
/// values. Cost: linear.
[[nodiscard]] WarmUp mser(std::span<const double> series, std::size_t group = 5);

/// Whether differences that are independent, one for each run, are not 0 on average. Of runs in stationarity it says so
/// of one in twenty. Nothing for fewer than two.
[[nodiscard]] std::optional<bool> still_moves(std::span<const double> differences);

}  // namespace schedproof::statistics
