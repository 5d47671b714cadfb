/// Machine numbers from text that is nothing but the number: no blanks, no sign `+`, no rest.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace schedproof::base {

/// None when the text is no number, or one out of the type's range. Floating-point text may be `nan` or `inf`.
template <class Number>
[[nodiscard]] std::optional<Number> parse_numeral(std::string_view text) {
    Number value = 0;
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || at != end) return std::nullopt;
    return value;
}

}  // namespace schedproof::base
