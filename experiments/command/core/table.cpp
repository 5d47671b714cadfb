/// Tables in the forms in which people read and print them.
///
/// One value serves all forms, so that what a paper shows is what the terminal showed. A cell is recognised as a
/// number, an error bar or an interval by its characters alone, to the last of them; what is not quite one is text, in
/// which every character that LaTeX would read as a command is escaped.
#include "experiments/command/core/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "experiments/command/core/options.hpp"
#include "model/base/numeral.hpp"
#include "model/base/tex.hpp"

namespace schedproof::cli {

namespace {

std::string head_of(const Column& column) {
    return column.unit.empty() ? column.head : fmt::format("{} ({})", column.head, column.unit);
}

const std::string& cell(const std::vector<std::string>& row, std::size_t column) {
    static const std::string none;
    return column < row.size() ? row[column] : none;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

/// Text in which no character means anything to LaTeX, but for the load's star.
std::string plain(const std::string& text) { return replaced(base::tex(text), "rho*", "$\\rho^*$"); }

/// Takes the word off the front of the text, if it stands there.
bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

/// Takes digits, with a point and a sign where they are, off the front of the text; returns them.
std::string_view take_number(std::string_view& text) {
    std::size_t end = text.starts_with('-') ? 1 : 0;
    end = std::min(text.find_first_not_of("0123456789.", end), text.size());
    const std::string_view number = text.substr(0, text.substr(0, end) == "-" ? 0 : end);
    text.remove_prefix(number.size());
    return number;
}

/// `e-05` as `10^{-5}`; none where something else stands there.
std::optional<std::string> take_power(std::string_view& text) {
    if (text.empty()) return "";
    if (!take(text, "e")) return std::nullopt;
    (void)take(text, "+");
    const auto exponent = base::parse_numeral<std::int64_t>(text);
    if (!exponent) return std::nullopt;
    text = {};
    return fmt::format(" \\cdot 10^{{{}}}", *exponent);
}

/// A number, an error bar or an interval as mathematics; any other cell as text.
std::string set(const std::string& text) {
    std::string_view rest = text;
    const bool scaled = take(rest, "("), interval = !scaled && take(rest, "[");
    const std::string_view first = take_number(rest);
    if (first.empty()) return plain(text);
    const bool bar = take(rest, " +- ");
    if (!bar && !take(rest, ", ") && (scaled || interval)) return plain(text);
    const std::string_view second = bar || interval ? take_number(rest) : std::string_view();
    if ((bar || interval) && second.empty()) return plain(text);
    if ((scaled && !take(rest, ")")) || (interval && (bar || !take(rest, "]")))) return plain(text);
    const auto power = take_power(rest);
    if (!power || (interval && !power->empty()) || (bar && !scaled && !power->empty())) return plain(text);
    if (interval) return fmt::format("$[{}, {}]$", first, second);
    if (!bar) return fmt::format("${}{}$", first, *power);
    return scaled ? fmt::format("$({} \\pm {}){}$", first, second, *power) : fmt::format("${} \\pm {}$", first, second);
}

std::string as_latex(const Table& table) {
    std::string sides, text, row;
    for (const Column& column : table.columns) {
        sides += column.number ? 'r' : 'l';
        row += (row.empty() ? "" : " & ") + plain(head_of(column));
    }
    text = fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n\\midrule\n", sides, row);
    for (const auto& cells : table.rows) {
        row.clear();
        for (std::size_t c = 0; c < table.columns.size(); ++c) row += (c == 0 ? "" : " & ") + set(cell(cells, c));
        text += row + " \\\\\n";
    }
    return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace

std::string as_markdown(const Table& table) {
    std::string text = "|", rule = "|";
    const auto escaped = [](const std::string& of) { return replaced(of, "|", "\\|"); };
    for (const Column& column : table.columns) {
        text += fmt::format(" {} |", escaped(head_of(column)));
        rule += column.number ? "---:|" : "---|";
    }
    text += "\n" + rule + "\n";
    for (const auto& cells : table.rows) {
        text += "|";
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            text += fmt::format(" {} |", replaced(escaped(cell(cells, c)), "+-", "±"));
        text += "\n";
    }
    return text;
}

std::string as_text(const Table& table) {
    std::vector<std::vector<std::string>> rows(1);
    for (const Column& column : table.columns) rows.front().push_back(head_of(column));
    rows.insert(rows.end(), table.rows.begin(), table.rows.end());
    std::vector<std::size_t> width(table.columns.size());
    for (const auto& row : rows)
        for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
    std::string all;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c)
            line += table.columns[c].number ? fmt::format("{:>{}}  ", row[c], width[c])
                                            : fmt::format("{:<{}}  ", row[c], width[c]);
        line.erase(line.find_last_not_of(' ') + 1);
        all += line + "\n";
    }
    return all;
}

bool is_table_format(std::string_view format) { return format == "markdown" || format == "latex"; }

std::string as_tables(std::string_view format, const std::string& command, const std::vector<Table>& tables) {
    const bool latex = format == "latex";
    std::string text = latex ? fmt::format("% {}\n% In the preamble: \\usepackage{{booktabs}}\n", command)
                             : fmt::format("<!-- {} -->\n", replaced(command, "--", "-\\-"));
    for (const Table& table : tables) {
        text += "\n";
        if (!table.caption.empty()) text += latex ? "% " + table.caption + "\n" : table.caption + "\n\n";
        text += latex ? as_latex(table) : as_markdown(table);
    }
    return text;
}

OptionTable table_destination_options(Destination& to, bool csv) {
    OptionTable options = destination_options(to);
    options.front().meaning = fmt::format(
        "text for people, markdown or latex (booktabs) for papers, json{} for programs", csv ? " or csv" : "");
    if (csv) options.front().words.emplace_back("csv");
    for (const char* form : {"markdown", "latex"}) options.front().words.emplace_back(form);
    return options;
}

}  // namespace schedproof::cli
