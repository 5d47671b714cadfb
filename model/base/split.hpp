/// Parts of a line: between separators, or between blanks.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace schedproof::base {

/// What counts as blank within a line; a carriage return ends the lines of some systems.
inline constexpr std::string_view line_blanks = " \t\r";

/// The text without the blanks at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text, std::string_view blanks = line_blanks);

/// The parts between separators, empty ones too: one more than there are separators.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// Fills `fields` with the first parts and returns the number of all: a line of a table, without an allocation.
std::size_t split_into(std::span<std::string_view> fields, std::string_view text, char separator);

/// The parts between blanks, none of them empty.
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view text, std::string_view blanks = line_blanks);

/// Fills `fields` with the first words and returns the number of all.
std::size_t split_words_into(std::span<std::string_view> fields, std::string_view text,
                             std::string_view blanks = line_blanks);

}  // namespace schedproof::base
