/// What a search for the worst case has shown of the ratio that it reports.
#pragma once

#include <string_view>

namespace schedproof::explore {

enum class WorstCase {
    supremum,     ///< of all problems of the shape: exact
    grid,         ///< the largest on a grid, every problem of which was tried
    lower_bound,  ///< a budget ended: attained or approached, and others may be larger
};
[[nodiscard]] std::string_view to_string(WorstCase shown);

}  // namespace schedproof::explore
