/// A table of an answer in the forms in which people read and print it: aligned text, Markdown, and LaTeX for booktabs.
///
/// A cell is text. What stands for a number in it, `12.3 +- 0.4`, `(1.2 +- 0.3)e-9` or `[0.25, 0.75]`, is set as
/// mathematics by LaTeX; everything else is set as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/command/core/option_table.hpp"
#include "experiments/command/core/requests.hpp"

namespace schedproof::cli {

struct Column {
    std::string head;
    bool number = false;    ///< to the right, and not to the left
    std::string unit = {};  ///< behind the head; empty: none
};

struct Table {
    std::string caption;  ///< what it is of, in a line; may be empty
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;  ///< a cell for each column, or fewer
};

/// Columns two blanks apart, heads without a rule. Without the caption.
[[nodiscard]] std::string as_text(const Table& table);
/// The table alone, without the caption.
[[nodiscard]] std::string as_markdown(const Table& table);
/// Whether a format is one of the two below.
[[nodiscard]] bool is_table_format(std::string_view format);
/// `markdown` or `latex`, one table after another. `command` says how they were made, as a comment.
[[nodiscard]] std::string as_tables(std::string_view format, const std::string& command,
                                    const std::vector<Table>& tables);

/// `destination_options` with `markdown` and `latex` as well, and with `csv` where there is one.
[[nodiscard]] OptionTable table_destination_options(Destination& to, bool csv = false);

}  // namespace schedproof::cli
