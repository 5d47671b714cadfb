/// Long sentences of an answer in lines that can be read.
#pragma once

#include <string>
#include <string_view>

namespace schedproof::base {

/// The text with its long lines broken at spaces, into lines of at most 120 bytes where words allow it. A line that is
/// a label, two spaces or more, and a text goes on below its text; one that is indented goes on at its indentation.
/// Rows of tables, which have two spaces or more behind the label's, and calls of schedproof stay as they are.
[[nodiscard]] std::string with_line_breaks(std::string_view text);

}  // namespace schedproof::base
