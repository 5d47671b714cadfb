/// The DOT text of a graph by levels. Its layout is `nop2`: Graphviz places and bends nothing, it only draws.
///
/// Sizes of texts are needed before Graphviz knows them, so they are estimated, rather too wide than too narrow; a node
/// gets at least the size that was estimated, so that lines end at its border. A move from a state to itself is a line
/// in its node, not a loop beside it: loops take the most room and say the least. The legend stands below the graph, or
/// to the right of one that is high; nothing of the graph is there.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/dot_parts.hpp"
#include "checks/pictures/level_layout.hpp"

namespace schedproof::graph::detail {

namespace {

/// Characters of a UTF-8 text, about.
std::int64_t characters(std::string_view text) {
    return std::count_if(text.begin(), text.end(),
                         [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

/// Width and height of some lines of text, in tenths of a point per character and in points per line.
Point extent(const std::vector<std::string>& lines, std::int64_t tenths, std::int64_t line_height) {
    std::int64_t longest = 0;
    for (const std::string& line : lines) longest = std::max(longest, characters(line));
    return {longest * tenths / 10, static_cast<std::int64_t>(lines.size()) * line_height};
}

/// Points of print in the inches of an attribute.
std::string inches(std::int64_t points) { return fmt::format("{}.{:03}", points / 72, points % 72 * 1000 / 72); }

/// Graphviz counts upwards.
std::string coordinates(Point p) { return fmt::format("{},{}", p.x, -p.y); }

/// Lines that meet a node take up some of its width.
constexpr std::int64_t room_of_an_end = 8;

class LevelText {
  public:
    explicit LevelText(const StateGraph& graph) : graph_(graph) {
        for (const Node& node : graph.nodes) lines_.push_back(node_lines(node));
        for (const Edge& edge : graph.edges)
            if (edge.source == edge.target) {
                std::string text = edge.probability ? "stays" : "within";
                for (const std::string& line : edge_lines(edge)) text += " " + line;
                lines_[edge.source].push_back(text + (edge.tie ? " by a tie" : ""));
            }
        for (const auto& lines : lines_) boxes_.push_back(box(lines));
        std::vector<std::int64_t> ends(graph.nodes.size(), 0);
        for (const Line& line : lines_of(graph)) {
            ++ends[graph.edges[line.edge].source];
            ++ends[graph.edges[line.edge].target];
        }
        for (std::size_t n = 0; n < boxes_.size(); ++n) boxes_[n].x = std::max(boxes_[n].x, room_of_an_end * ends[n]);
        layout_ = level_layout(graph, boxes_, [this](const Line& line) {
            Point size = extent(label(line, {"↓ ", "↑ "}), 60, 13);
            return Point{size.x + 4, size.y};
        });
    }

    [[nodiscard]] std::string text() const {
        std::string out = "digraph schedproof {\n";
        out += fmt::format(
            "  graph [layout=nop2, outputorder=edgesfirst, label=<{}>, labelloc=t, labeljust=l, "
            "fontname=\"Helvetica\", "
            "fontsize=12, charset=\"UTF-8\", bgcolor=white];\n",
            title_label(graph_));
        out +=
            "  node [shape=box, style=\"rounded,filled\", fillcolor=white, color=black, fontname=\"Helvetica\", "
            "fontsize=11, margin=\"0.1,0.05\"];\n"
            "  edge [color=\"#333333\", fontname=\"Helvetica\", fontsize=10, arrowsize=0.7];\n";
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n) out += node(n);
        std::int64_t last_level = -1;
        for (std::size_t row = 0; row < layout_.rows.size(); ++row) {
            if (row == 0 || layout_.rows[row].level != last_level) out += level(row);
            last_level = layout_.rows[row].level;
        }
        for (const Line& line : layout_.lines) out += edge(line);
        return out + legend_node() + "}\n";
    }

  private:
    static Point box(const std::vector<std::string>& lines) {
        const Point size = extent(lines, 64, 14);
        return {size.x + 20, size.y + 12};
    }

    [[nodiscard]] std::string node(std::size_t n) const {
        const Point size = boxes_[n];
        return fmt::format("  n{} [label=\"{}\", {}, pos=\"{}\", width={}, height={}];\n", n, quoted_lines(lines_[n]),
                           node_attributes(n, graph_.nodes[n]), coordinates(layout_.nodes[n]), inches(size.x),
                           inches(size.y));
    }

    /// The number of tasks of a row, left of it.
    [[nodiscard]] std::string level(std::size_t row) const {
        const auto& [number, y] = layout_.rows[row];
        const bool open = std::find(graph_.open.begin(), graph_.open.end(), number) != graph_.open.end();
        const std::string range = graph_.level_width > 1 && !open
                                      ? fmt::format("{} to {}", number, number + graph_.level_width - 1)
                                      : std::to_string(number);
        std::string link;
        if (open && !graph_.overview.empty())
            link = fmt::format(", URL=\"{}\", tooltip=\"close\", fontcolor=\"#0072B2\"", escape_label(graph_.overview));
        return fmt::format(
            "  level{} [label=\"{} task{}{}\", shape=plaintext, style=\"\", fontcolor=\"#555555\", pos=\"{}\"{}];\n",
            row, range, range == "1" ? "" : "s", link.empty() ? "" : "\\nclose", coordinates({layout_.first.x - 50, y}),
            link);
    }

    /// The lines of a label; of two moves each behind the sign of its direction.
    [[nodiscard]] std::vector<std::string> label(const Line& line, std::array<const char*, 2> signs) const {
        std::vector<std::string> all = edge_lines(graph_.edges[line.edge]);
        if (!line.back) return all;
        all.front() = signs[0] + all.front();
        std::vector<std::string> back = edge_lines(graph_.edges[*line.back]);
        back.front() = signs[1] + back.front();
        all.insert(all.end(), back.begin(), back.end());
        return all;
    }

    /// Where the moves of a line lead, to the eye.
    [[nodiscard]] std::array<const char*, 2> signs(const Line& line) const {
        const Edge& edge = graph_.edges[line.edge];
        const Point from = layout_.nodes[edge.source], to = layout_.nodes[edge.target];
        if (from.y != to.y) return {"↓ ", "↑ "};
        return from.x < to.x ? std::array{"→ ", "← "} : std::array{"← ", "→ "};
    }

    [[nodiscard]] std::string edge(const Line& line) const {
        const Edge& edge = graph_.edges[line.edge];
        std::string cells, tooltip = edge_tooltip(edge);
        for (const std::string& text : label(line, signs(line)))
            cells += "<TR><TD ALIGN=\"LEFT\">" + escape_html(text) + "</TD></TR>";
        if (line.back) tooltip += "\\n" + edge_tooltip(graph_.edges[*line.back]);
        return fmt::format(
            "  n{} -> n{} [label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\" "
            "BGCOLOR=\"white\">{}</TABLE>>, tooltip=\"{}\", labeltooltip=\"{}\", lp=\"{}\", pos=\"{}\"{}{}];\n",
            edge.source, edge.target, cells, tooltip, tooltip, coordinates(line.label), spline(line),
            line.back ? ", dir=both" : "", edge_style(edge));
    }

    /// The curve with its heads, which take the last points of it.
    static std::string spline(const Line& line) {
        constexpr std::int64_t head = 7;
        std::vector<Point> curve = line.curve;
        const auto shortened = [](Point tip, Point before) {
            return Point{tip.x, before.y < tip.y ? tip.y - head : tip.y + head};
        };
        std::string text;
        if (line.back) {
            text += "s," + coordinates(curve.front()) + " ";
            curve.front() = shortened(curve.front(), curve[1]);
        }
        text += "e," + coordinates(curve.back());
        curve.back() = shortened(curve.back(), curve[curve.size() - 2]);
        for (const Point p : curve) text += " " + coordinates(p);
        return text;
    }

    [[nodiscard]] std::string legend_node() const {
        const LegendTable table = legend(graph_);
        const Point first = layout_.first, last = layout_.last;
        constexpr std::int64_t width = 400, apart = 30;
        const std::int64_t height = table.height + 30;
        const bool beside = last.y - first.y > last.x - first.x && last.x - first.x < 900;
        const Point place = beside ? Point{last.x + 2 * apart + width / 2, first.y + height / 2}
                                   : Point{first.x - 80 + width / 2, last.y + apart + height / 2};
        return fmt::format(
            "  subgraph cluster_legend {{\n    legend [shape=plaintext, style=\"\", margin=0, fontsize=10, "
            "pos=\"{}\",\n      label=<<TABLE BORDER=\"1\" COLOR=\"#999999\" CELLBORDER=\"0\" CELLSPACING=\"1\" "
            "CELLPADDING=\"2\"><TR><TD COLSPAN=\"2\" ALIGN=\"LEFT\"><B>legend</B></TD></TR>{}</TABLE>>];\n  }}\n",
            coordinates(place), table.html);
    }

    const StateGraph& graph_;
    std::vector<std::vector<std::string>> lines_;  ///< of each node
    std::vector<Point> boxes_;
    LevelLayout layout_;
};

}  // namespace

std::string level_text(const StateGraph& graph) { return LevelText(graph).text(); }

}  // namespace schedproof::graph::detail
