/// Parameters of a rule that say how large its cluster is.
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace schedproof::cli {

/// The value that a parameter of this name has on so many servers, as `NAME=VALUE`: of `workers`, and of
/// `one_in_workers`, one over their number. Empty for any other name.
[[nodiscard]] inline std::string value_of_size(std::string_view name, std::size_t servers) {
    if (name == "workers") return fmt::format("workers={}", servers);
    if (name == "one_in_workers") return fmt::format("one_in_workers=1/{}", servers);
    return "";
}

}  // namespace schedproof::cli
