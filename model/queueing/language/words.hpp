/// The table of the language as a page of words: for the documentation, the templates of new policies and completion.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/queueing/language/operations.hpp"

namespace schedproof::queueing::language {

/// How the operation is written, with A, B for sets, `key`, `test` and `condition`, d, n, m for numbers of members or
/// tasks, and p for a probability: `argmin(A, key)`, `A | B`.
[[nodiscard]] std::string usage(const Operation& row);

/// A table of the page.
struct WordSection {
    std::string_view title;
    std::vector<std::reference_wrapper<const Operation>> rows;
};
/// Every row of the table in one section.
[[nodiscard]] std::vector<WordSection> word_sections();
/// The sections as tables of Markdown.
[[nodiscard]] std::string page_of_words();

/// The vocabulary as a comment, whose lines begin with `mark` and have at most 120 columns.
[[nodiscard]] std::string vocabulary_comment(std::string_view mark);

}  // namespace schedproof::queueing::language
