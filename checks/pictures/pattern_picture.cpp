/// The cells of a transience proof as DOT text.
///
/// A transience proof splits the states near a long queue into cells: by the order of the other queues, or by the
/// statuses of the servers. For each node the picture shows the range of the drift of W over all its cells and the
/// range of each queue's mean change; for each edge the range of its probability. The ends of all ranges are exact
/// rationals from the linear programs of the proof; an arrow in a node gives the sign, and says so when it depends on
/// the cell.
///
/// Between statuses nearly every move is possible, so a circular layout shows most; between orders the moves follow a
/// few chains, and layers do. Moves that are rare wherever they are possible are dashed, and left out of large graphs.
#include "checks/pictures/pattern_picture.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/state_label.hpp"

namespace schedproof::graph {

namespace {

using queueing::PatternGraph;
using Range = PatternGraph::Range;

constexpr const char* up_colour = "#D55E00";
constexpr const char* down_colour = "#0072B2";
constexpr const char* both_colour = "#555555";

std::string range_text(const Range& range, std::size_t width = 7) {
    const std::string low = short_number(range.low, width);
    return range.low == range.high ? low : low + " .. " + short_number(range.high, width);
}

std::string exact(const Range& range) { return range.low.to_string() + " .. " + range.high.to_string(); }

/// Which way a queue goes on average, in every status or depending on it.
struct Direction {
    const char* arrow;
    const char* colour;
};
Direction direction(const Range& range) {
    if (range.low.sign() > 0) return {"&#8593;", up_colour};
    if (range.high.sign() < 0) return {"&#8595;", down_colour};
    return range.low.sign() == 0 && range.high.sign() == 0 ? Direction{"&#183;", both_colour}
                                                           : Direction{"&#8597;", both_colour};
}

/// Beyond these, rare moves and labels of arrows are left out.
bool few_nodes(const PatternGraph& graph) { return graph.nodes.size() <= 12; }

/// Moves that are rarer than this wherever they are possible are drawn thin, dashed and without a label.
bool rare(const PatternGraph& graph, const PatternGraph::Edge& edge) {
    return !graph.by_status && edge.probability.high < Rational(Integer(1), Integer(20));
}

std::string edge_label(const PatternGraph& graph, const PatternGraph::Edge& edge) {
    if (rare(graph, edge) || !few_nodes(graph)) return "";
    const std::string probability = short_number(edge.probability.high, 6);
    return graph.by_status ? probability + ": " + range_text(edge.tasks, 3) : probability;
}

std::string edge_text(const PatternGraph& graph, const PatternGraph::Edge& edge) {
    const double width = 0.7 + 3.5 * edge.probability.high.approximate();
    const char* colour = both_colour;
    if (graph.by_status && edge.tasks.high.sign() < 0) colour = down_colour;
    if (graph.by_status && edge.tasks.low.sign() >= 0) colour = up_colour;
    return fmt::format(
        "  n{} -> n{} [label=\" {} \", tooltip=\"probability {}; tasks {}\", color=\"{}\", fontcolor=\"{}\", "
        "penwidth={:.2f}{}];\n",
        edge.from, edge.to, escape_label(edge_label(graph, edge)), exact(edge.probability), exact(edge.tasks), colour,
        colour, width, rare(graph, edge) ? ", style=dashed" : "");
}

std::string node_text(const PatternGraph& graph, std::size_t i) {
    const PatternGraph::Node& node = graph.nodes[i];
    std::string rows;
    for (const std::string& line : node.name)
        rows += fmt::format("<tr><td colspan=\"3\"><b>{}</b></td></tr>", escape_html(line));
    rows += fmt::format(
        "<tr><td align=\"left\">drift of W</td><td><font color=\"{}\">{}</font></td><td align=\"left\">{}</td></tr>",
        direction(node.drift).colour, direction(node.drift).arrow, escape_html(range_text(node.drift)));
    for (std::size_t q = 0; q < graph.queue.size(); ++q) {
        const Direction to = direction(node.queues[q]);
        rows += fmt::format(
            "<tr><td align=\"left\">{}{}</td><td><font color=\"{}\">{}</font></td>"
            "<td align=\"left\">{}</td></tr>",
            escape_html(graph.queue[q]), q == graph.longest ? " (long)" : "", to.colour, to.arrow,
            escape_html(range_text(node.queues[q])));
    }
    for (const PatternGraph::Edge& edge : graph.edges)
        if (edge.from == i && edge.to == i)
            rows += fmt::format("<tr><td align=\"left\">stays</td><td></td><td align=\"left\">{}</td></tr>",
                                escape_html(edge_label(graph, edge)));
    return fmt::format(
        "  n{} [fillcolor=\"{}\", tooltip=\"drift of W {}; {} cells\", label=<<table border=\"0\" cellborder=\"0\" "
        "cellspacing=\"1\">{}</table>>];\n",
        i, node.drift.low.sign() > 0 ? "#FDF1E7" : "#FFFFFF", exact(node.drift), node.cells, rows);
}

/// The function in lines of some terms.
std::vector<std::string> function_lines(const std::string& function, std::size_t width) {
    std::vector<std::string> lines{"W ="};
    std::string term;
    const auto flush = [&] {
        if (lines.back().size() + term.size() > width && lines.back().size() > 3) lines.emplace_back("   ");
        lines.back() += " " + term;
        term.clear();
    };
    for (std::size_t start = 0; start < function.size();) {
        const std::size_t end = std::min(function.find(" + ", start + 1), function.find(" - ", start + 1));
        term = function.substr(start, end - start);
        if (term.front() == ' ') term.erase(0, 1);
        flush();
        start = end;
    }
    return lines;
}

/// Title, function and how to read the picture, above it.
std::string pattern_header(const PatternGraph& graph, const std::vector<std::string>& title,
                           const std::string& function) {
    const char* step = graph.in_events ? "event" : "slot";
    std::vector<std::string> lines = function_lines(function, 90);
    lines.push_back("Ranges are the exact least and largest values over all cells of a node.");
    if (graph.by_status) {
        lines.push_back(fmt::format("Arrows: probability, then the change of the number of tasks in that {}.", step));
    } else {
        lines.push_back("Nodes: order of the other " + std::string(graph.by_server ? "servers' tasks N" : "queues") +
                        " where " + graph.queue[graph.longest] + " is long; all statuses of the servers.");
        lines.push_back(fmt::format("Arrows: moves of one {} {}", step,
                                    few_nodes(graph) ? "with their largest probability; dashed where always below 1/20."
                                                     : "that somewhere have probability 1/20 or more."));
    }
    std::string rows;
    for (const std::string& line : title)
        rows += fmt::format("<tr><td><font point-size=\"16\">{}</font></td></tr>", escape_html(line));
    for (const std::string& line : lines)
        rows += fmt::format("<tr><td align=\"left\"><font point-size=\"11\">{}</font></td></tr>", escape_html(line));
    return "<<table border=\"0\" cellborder=\"0\" cellspacing=\"1\">" + rows + "</table>>";
}

}  // namespace

std::string pattern_picture(const PatternGraph& graph, const std::vector<std::string>& title,
                            const std::string& function) {
    std::string text = fmt::format(
        "digraph patterns {{\n  {}labelloc=t; fontname=\"Helvetica\"; label={};\n"
        "  node [shape=box, style=\"filled,rounded\", fontname=\"Helvetica\", fontsize=11, margin=\"0.08,0.04\"];\n"
        "  edge [fontname=\"Helvetica\", fontsize=10, arrowsize=0.7];\n",
        // Nearly every status leads to nearly every other: a circle shows that best.
        graph.by_status ? "layout=circo; mindist=2.2; " : "ranksep=0.8; nodesep=0.5; ",
        pattern_header(graph, title, function));
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) text += node_text(graph, i);
    for (const PatternGraph::Edge& edge : graph.edges)
        if (edge.from != edge.to && (few_nodes(graph) || !rare(graph, edge))) text += edge_text(graph, edge);
    return text + "}\n";
}

}  // namespace schedproof::graph
