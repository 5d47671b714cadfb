/// A proof by summands as DOT text: one node whose label is a table.
///
/// A cell shows the coefficient of the row's bound in the column's queue: what one more task there adds to the bound.
/// Its colour goes from white to vermillion for what rises and to blue for what falls, by the largest coefficient of
/// the table; the number has the sign as well. In every column the sum is at most 0: that is the proof.
#include "checks/pictures/term_picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/state_label.hpp"
#include "proofs/queueing/theorems/summands/summands.hpp"

namespace schedproof::graph {

namespace {

using proof::LinearForm;
using queueing::DriftTheorem;

/// From white to a colour by a share of it.
std::string tint(const std::array<int, 3>& colour, double share) {
    const auto part = [&](int full) { return static_cast<int>(255 - share * (255 - full)); };
    return fmt::format("#{:02X}{:02X}{:02X}", part(colour[0]), part(colour[1]), part(colour[2]));
}
constexpr std::array<int, 3> rises{0xD5, 0x5E, 0x00}, falls{0x56, 0xB4, 0xE9};

std::string cell(const Rational& value, const Rational& most) {
    const double share = most.sign() == 0 ? 0 : std::min(1.0, std::abs(value.approximate()) / most.approximate());
    return fmt::format("<td bgcolor=\"{}\">{}</td>", tint(value.sign() > 0 ? rises : falls, 0.8 * share),
                       value.sign() == 0 ? "&#183;" : escape_html(short_number(value, 5)));
}

struct TermRow {
    std::string name;
    LinearForm bound;
};

/// The terms that are summed, what is done together in a slot, and the sum.
std::vector<TermRow> term_rows(const queueing::SymbolicSystem& system, const DriftTheorem& theorem) {
    const queueing::Summands& summands = summands_of(system, theorem);
    std::vector<TermRow> rows;
    LinearForm terms;
    for (std::size_t t = 0; t < summands.terms().size(); ++t) {
        if (summands.terms()[t].follows()) continue;
        rows.push_back({summands.terms()[t].name, (*theorem.summands)[t]});
        terms += rows.back().bound;
    }
    const LinearForm sum = sum_of_bounds(system, summands, theorem);
    if (sum != terms) rows.push_back({"done together", sum - terms});
    rows.push_back({"sum", sum});
    return rows;
}

Rational largest_coefficient(const std::vector<TermRow>& rows) {
    Rational most;
    for (const TermRow& row : rows)
        for (const auto& [queue, c] : row.bound.terms()) most = std::max(most, c.sign() < 0 ? -c : c);
    return most;
}

}  // namespace

std::string term_picture(const queueing::SymbolicSystem& system, const DriftTheorem& theorem,
                         const std::vector<std::string>& title) {
    const std::vector<TermRow> rows = term_rows(system, theorem);
    const auto queues = lengths_space(system).symbols;
    const Rational most = largest_coefficient(rows);
    std::string text;
    const auto wide = [&](const std::string& line, int size) {
        text += fmt::format(
            "<tr><td colspan=\"{}\" align=\"left\" border=\"0\"><font point-size=\"{}\">{}</font></td></tr>",
            queues.size() + 2, size, escape_html(line));
    };
    for (const std::string& line : title) wide(line, 16);
    wide(
        "Row: a decision, and what it adds at most to the drift of V for each task in a queue, rounded. "
        "The sum falls in every queue.",
        11);
    text += "<tr><td border=\"0\"></td>";
    for (const auto& queue : queues) text += fmt::format("<td border=\"0\">{}</td>", escape_html(queue.name));
    text += "<td border=\"0\">constant</td></tr>";
    for (const auto& [name, bound] : rows) {
        if (&bound == &rows.back().bound) text += "<hr/>";
        text += fmt::format("<tr><td align=\"left\" border=\"0\">{}</td>", escape_html(name));
        for (std::size_t q = 0; q < queues.size(); ++q)
            text += cell(bound.coefficient(static_cast<proof::Variable>(q)), most);
        text += fmt::format("<td>{}</td></tr>", escape_html(short_number(bound.constant(), 7)));
    }
    return fmt::format(
        "digraph terms {{\n  node [shape=plain, fontname=\"Helvetica\", fontsize=11];\n"
        "  table [label=<<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"4\" "
        "color=\"#BBBBBB\">{}</table>>];\n}}\n",
        text);
}

}  // namespace schedproof::graph
