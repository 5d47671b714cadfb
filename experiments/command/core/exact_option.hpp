/// Exact numbers in the words of options.
#pragma once

#include <string>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::command {

/// Throws InputError that names the option.
[[nodiscard]] Rational option_number(const std::string& text, const std::string& option);

/// `0:6:1/2` (from, to, step; at most 100000 steps) or `0,1,5/2`. Throws InputError that names the option.
[[nodiscard]] std::vector<Rational> option_numbers(const std::string& text, const std::string& option);

}  // namespace schedproof::command
