/// Pictures as parts of a page.
#pragma once

#include <string>
#include <vector>

#include "experiments/command/report/html.hpp"

namespace schedproof::cli::site {

struct Picture {
    std::string name;  ///< of its file without the ending: `state`, or `state.3` for one of its levels
    std::string svg;
};

/// The pictures in the order of their names; what is no picture is left out. A plot stands there as an image. A level's
/// picture is folded up behind that of which it is a level, and links between pictures lead to each other within the
/// page, in which their ids begin with `prefix`. Scripts move, enlarge and open them (picture.js).
[[nodiscard]] Html plates(std::vector<Picture> pictures, const std::string& prefix);

}  // namespace schedproof::cli::site
