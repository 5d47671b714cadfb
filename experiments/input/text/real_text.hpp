/// Numbers of real inputs, where a measurement is no exact fraction: times and bytes of traces.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace schedproof::input {

/// A decimal number, whole text, finite: `12`, `0.5`, `1e9`; none otherwise (`nan`, `0x10`, `1 `).
[[nodiscard]] inline std::optional<double> real_number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

}  // namespace schedproof::input
