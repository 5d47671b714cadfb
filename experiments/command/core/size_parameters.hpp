/// Parameters of a rule that say how large its cluster is.
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace schedproof::cli {

/// The value that a parameter of this name has on so many servers, as `NAME=VALUE`: of `workers`. Empty for any other
/// name.
[[nodiscard]] inline std::string value_of_size(std::string_view name, std::size_t servers) {
    return name == "workers" ? fmt::format("workers={}", servers) : std::string();
}

}  // namespace schedproof::cli
