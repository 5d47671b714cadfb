/// Which claims the argument for a claim uses.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace schedproof::cli::site {

/// A claim and those that its argument uses, as the papers and docs/models give it. No verdict depends on it: every
/// claim is checked by itself, whatever it rests on.
struct Argument {
    std::string_view claim;
    std::vector<std::string_view> rests_on;
};

/// Without a cycle; each claim once, and claims that rest on no other are left out.
[[nodiscard]] std::span<const Argument> arguments();

}  // namespace schedproof::cli::site
