/// How TOML and JSON write the same thing: the few marks in which the writers of instance files differ.
#pragma once

#include <string>
#include <string_view>

#include "model/core/rational.hpp"

namespace schedproof::base {

/// A name in double quotes. TOML basic strings and JSON strings escape alike.
/// Throws ContractViolation when the text is not UTF-8 or holds a NUL byte.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// A number that reads back exactly: a small integer as it is, any other in quotes.
[[nodiscard]] std::string exact_literal(const Rational& value);

/// The two notations. They differ in four marks; everything else about a file is the same.
struct Notation {
    std::string_view equals;
    bool json;

    [[nodiscard]] std::string key(std::string_view name) const {
        return (json ? in_quotes(name) : std::string(name)) + std::string(equals);
    }
    [[nodiscard]] std::string text(std::string_view name, std::string_view value) const {
        return key(name) + in_quotes(value);
    }
    /// A list with one item per line.
    template <class Range, class Render>
    [[nodiscard]] std::string long_list(const Range& range, Render&& render) const;
};

template <class Range, class Render>
std::string joined(const Range& range, std::string_view separator, Render&& render) {
    std::string result;
    bool first = true;
    for (const auto& item : range) {
        if (!first) result += separator;
        first = false;
        result += render(item);
    }
    return result;
}

template <class Range, class Render>
std::string list(const Range& range, Render&& render) {
    return "[" + joined(range, ", ", render) + "]";
}

template <class Range, class Render>
std::string Notation::long_list(const Range& range, Render&& render) const {
    const std::string line = json ? "\n    " : "\n  ";
    return "[" + line + joined(range, "," + line, render) + (json ? "\n  ]" : "\n]");
}

}  // namespace schedproof::base
