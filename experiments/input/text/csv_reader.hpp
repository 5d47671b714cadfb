/// Rows of a table between commas, whose columns have names.
///
/// Fields may stand between double quotes, without commas in them. Blank lines, lines that begin with `#`, and a byte
/// order mark are passed over. Reading is streamed, and strict: every row has a field of each column, no column is
/// unknown or stands twice, and the last line ends with its newline, for one that does not was cut.
#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/input/text/line_reader.hpp"

namespace schedproof::input {

struct CsvColumn {
    std::string_view name;
    bool required = true;
};

class CsvReader {
  public:
    /// Whether the first row must name the columns, in any order; or may, and they are in the order given where it
    /// names none of them.
    enum class Header { required, optional };

    /// Requires the stream and the names to outlive the reader. `file` names it in errors. With an optional header
    /// every column is required.
    CsvReader(std::istream& in, const std::string& file, std::vector<CsvColumn> columns, Header header);

    /// On to the next row; whether there is one. Throws InputError with file, line, column and what was expected.
    [[nodiscard]] bool next();

    /// Whether the file has this column.
    [[nodiscard]] bool has(std::size_t column) const { return place_[column] != absent; }
    /// Without blanks and quotes around it; empty where the file lacks the column. Valid until `next`.
    [[nodiscard]] std::string_view text(std::size_t column) const {
        return has(column) ? fields_[place_[column]] : std::string_view();
    }
    /// A number of at least 0, which messages call `what`. Throws InputError.
    [[nodiscard]] double number(std::size_t column, std::string_view what = "number") const;
    /// Throws InputError at this column of the row, or of a row on an earlier line.
    [[noreturn]] void fail(std::size_t column, std::string expected, std::size_t line = 0) const;
    /// Throws InputError at the line.
    [[noreturn]] void refuse(std::string key, std::string expected) const;

    /// How many rows were read, and the number of the line of the last.
    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t line() const { return lines_.line(); }
    [[nodiscard]] const std::string& file() const { return lines_.file(); }

  private:
    static constexpr std::size_t absent = static_cast<std::size_t>(-1);

    /// Fills the fields; the first row sets how many there are.
    void split(std::string_view line);
    /// Whether the first row names columns, whose places it then sets.
    bool is_header();
    [[nodiscard]] std::string names() const;

    LineReader lines_;
    std::vector<CsvColumn> columns_;
    Header header_;
    std::vector<std::string_view> fields_;
    std::vector<std::size_t> place_;  // by column: of its field
    std::size_t rows_ = 0;
};

}  // namespace schedproof::input
