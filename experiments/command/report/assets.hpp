/// Files that are part of the program: the site's style and scripts, and the project's texts that its pages show.
#pragma once

#include <string_view>
#include <vector>

namespace schedproof::cli::site {

struct Asset {
    std::string_view path;  ///< below the root of the source tree
    std::string_view text;
};

/// In the order of their paths within their folders.
[[nodiscard]] const std::vector<Asset>& assets();
/// The text of a file; empty where it is not part of the program.
[[nodiscard]] std::string_view asset(std::string_view path);

}  // namespace schedproof::cli::site
