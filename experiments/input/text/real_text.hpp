/// Numbers of real inputs, where a measurement is no exact fraction: times and bytes of traces.
#pragma once

#include <cmath>
#include <optional>
#include <string_view>

#include "model/base/numeral.hpp"

namespace schedproof::input {

/// A decimal number, whole text, finite: `12`, `0.5`, `1e9`; none otherwise (`nan`, `0x10`, `1 `).
[[nodiscard]] inline std::optional<double> real_number(std::string_view text) {
    const auto value = base::parse_numeral<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace schedproof::input
