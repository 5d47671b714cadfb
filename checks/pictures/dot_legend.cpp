/// Title and legend of a graph. A row stands in the legend only when its sign occurs in the picture, so that a legend
/// never explains what is not there.
#include <fmt/core.h>

#include <algorithm>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/dot_colours.hpp"
#include "checks/pictures/dot_parts.hpp"
#include "checks/pictures/level_layout.hpp"
#include "checks/pictures/state_label.hpp"

namespace schedproof::graph::detail {

namespace {

/// A text with room behind it. A box is as wide as its texts in the font with which they are laid out; whoever looks at
/// the picture may have a font in its place that is wider by an eighth, as DejaVu Sans is than Helvetica.
std::string with_room(std::string_view text) {
    std::string cell = escape_html(text);
    for (std::size_t spaces = text.size() / 5; spaces > 0; --spaces) cell += "&#160;";  // each half a letter wide
    return cell;
}

/// The rows of the legend.
class Legend {
  public:
    explicit Legend(const StateGraph& graph) {
        for (const std::string& note : graph.notes) text(note);
        nodes(graph);
        edges(graph);
        if (graph.by_levels) lines(graph);
        if (graph.collapse) text(graph.collapse->to_string());
        if (graph.collapse && !any_tie_) text("merged: ties are not shown");
        if (rounded_) text("≈: rounded; the exact number is in the tooltip of the SVG, and in the DOT text");
    }
    [[nodiscard]] LegendTable table() && { return {std::move(rows_), height_}; }

  private:
    void text(std::string_view line) {
        std::string cell;
        for (const std::string& part : wrapped(line, 64)) {
            cell += with_room(part) + "<BR ALIGN=\"LEFT\"/>";
            height_ += 13;
        }
        height_ += 5;
        rows_ += fmt::format("<TR><TD COLSPAN=\"2\" ALIGN=\"LEFT\" BALIGN=\"LEFT\">{}</TD></TR>", cell);
    }
    void row(std::string_view sample, std::string_view meaning) {
        height_ += 20;
        rows_ +=
            fmt::format("<TR><TD ALIGN=\"CENTER\">{}</TD><TD ALIGN=\"LEFT\">{}</TD></TR>", sample, with_room(meaning));
    }
    void nodes(const StateGraph& graph) {
        const auto any = [&](Node::Kind kind) {
            return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& n) { return n.kind == kind; });
        };
        const auto box = [](std::string_view fill, int border) {
            return fmt::format(
                "<TABLE BORDER=\"{}\" CELLBORDER=\"0\" CELLPADDING=\"1\" BGCOLOR=\"{}\"><TR><TD>  </TD></TR></TABLE>",
                border, fill);
        };
        if (any(Node::Kind::start)) row(box(sky_blue, 1), "double border: start");
        if (any(Node::Kind::highlighted)) row(box(yellow, 3), "thick border: highlighted");
        if (any(Node::Kind::collapsed)) row(box(grey, 1), "solid body: several states in one node");
        if (std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& n) { return n.frontier; }))
            row("…", "dashed border: not all of its moves are drawn");
        for (const Node& node : graph.nodes)
            for (const Annotation& a : node.annotations) rounded_ = rounded_ || is_rounded(a.value);
    }
    void edges(const StateGraph& graph) {
        bool probability = false, count = false, flow = false, highlighted = false;
        for (const Edge& edge : graph.edges) {
            probability = probability || edge.probability.has_value();
            count = count || !edge.probability;
            flow = flow || edge.flow.has_value();
            highlighted = highlighted || edge.highlighted;
            any_tie_ = any_tie_ || edge.tie;
            rounded_ = rounded_ || (edge.probability && is_rounded(*edge.probability)) ||
                       (edge.flow && is_rounded(*edge.flow));
        }
        if (probability) row("p/q", fmt::format("probability that {} makes this move", graph.step));
        if (count) row("n×", "number of moves between states, drawn as one");
        if (flow) row("flow", fmt::format("stationary probability that {} makes one of them", graph.step));
        if (any_tie_) row(fmt::format("<FONT COLOR=\"{}\">╌╌▶</FONT>", vermillion), "dashed: only by breaking a tie");
        if (highlighted) row(fmt::format("<FONT COLOR=\"{}\"><B>━━▶</B></FONT>", blue), "thick: highlighted");
    }
    void lines(const StateGraph& graph) {
        const auto any_loop = [&](bool known) {
            return std::any_of(graph.edges.begin(), graph.edges.end(), [&](const Edge& edge) {
                return edge.source == edge.target && edge.probability.has_value() == known;
            });
        };
        if (any_loop(true)) row("stays", fmt::format("probability that {} leads back to this state", graph.step));
        if (any_loop(false)) row("within", "number of moves between states of the node");
        const std::vector<Line> drawn = lines_of(graph);
        if (std::any_of(drawn.begin(), drawn.end(), [](const Line& line) { return line.back.has_value(); }))
            row("↓ ↑ → ←", "two heads: opposite moves, each number with its direction");
        text("a row: states with equal number of tasks; a move downwards has more arrivals than departures");
    }
    static bool is_rounded(const Rational& value) { return short_number(value) != value.to_string(); }

    std::string rows_;
    std::int64_t height_ = 0;
    bool any_tie_ = false;
    bool rounded_ = false;
};

}  // namespace

std::string title_label(const StateGraph& graph) {
    const auto row = [](std::string_view text) { return fmt::format("<TR><TD ALIGN=\"LEFT\">{}</TD></TR>", text); };
    std::string html = row("<B>" + escape_html(graph.title) + "</B>");
    for (const std::string& line : graph.caption)
        for (const std::string& part : wrapped(line, 100)) html += row(escape_html(part));
    return "<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"1\">" + html + "</TABLE>";
}

LegendTable legend(const StateGraph& graph) { return Legend(graph).table(); }

}  // namespace schedproof::graph::detail
