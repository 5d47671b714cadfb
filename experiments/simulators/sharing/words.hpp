/// Lists in options: words between commas.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace schedproof::simulation {

/// The parts between commas, some of them perhaps empty; one of an empty text.
[[nodiscard]] inline std::vector<std::string> comma_separated(std::string_view text) {
    std::vector<std::string> all;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        all.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return all;
}

}  // namespace schedproof::simulation
