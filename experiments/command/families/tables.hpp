/// How much of an instance `show` prints.
#pragma once

#include <cstddef>

namespace schedproof::cli {

inline constexpr std::size_t longest_table = 40;  ///< lines of servers, types, tasks or jobs
inline constexpr std::size_t longest_row = 12;    ///< entries in a line

}  // namespace schedproof::cli
