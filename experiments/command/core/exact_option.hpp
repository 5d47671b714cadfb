/// Exact numbers in the words of options.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::cli {

/// Throws InputError that names the option.
[[nodiscard]] Rational option_number(const std::string& text, const std::string& option);

/// The same for numbers that `holds` accepts; `form` is what was expected, such as "a speed above 0".
[[nodiscard]] Rational option_number(const std::string& text, const std::string& option, const char* form,
                                     const std::function<bool(const Rational&)>& holds);

/// `0:6:1/2` (from, to, step; at most 100000 steps) or `0,1,5/2`. Throws InputError that names the option.
[[nodiscard]] std::vector<Rational> option_numbers(const std::string& text, const std::string& option);

/// The same for slacks of a family of loads: above 0, and at most `up_to`.
[[nodiscard]] std::vector<Rational> option_slacks(const std::string& text, const std::string& option,
                                                  const Rational& up_to);

}  // namespace schedproof::cli
