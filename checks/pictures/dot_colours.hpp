/// Okabe and Ito's palette, as far as graphs use it.
#pragma once

#include <string_view>

namespace schedproof::graph {

inline constexpr std::string_view sky_blue = "#56B4E9";
inline constexpr std::string_view yellow = "#F0E442";
inline constexpr std::string_view blue = "#0072B2";
inline constexpr std::string_view vermillion = "#D55E00";
inline constexpr std::string_view grey = "#E4E4E4";

}  // namespace schedproof::graph
