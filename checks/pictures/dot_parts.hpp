/// What the writers of DOT texts share: the attributes of nodes and edges, the title and the legend.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/pictures/state_graph.hpp"

namespace schedproof::graph::detail {

/// The lines of a node's label, as they are shown.
[[nodiscard]] std::vector<std::string> node_lines(const Node& node);
/// The lines of an edge's label, likewise.
[[nodiscard]] std::vector<std::string> edge_lines(const Edge& edge);
/// A label or a tooltip of these lines, as the inside of a double-quoted attribute.
[[nodiscard]] std::string quoted_lines(const std::vector<std::string>& lines);

/// Tooltip, style and link of a node, and the tooltip of an edge, as the insides of attribute lists and attributes.
[[nodiscard]] std::string node_attributes(std::size_t id, const Node& node);
[[nodiscard]] std::string edge_tooltip(const Edge& edge);
/// Colour and stroke of an edge, with a comma before each attribute.
[[nodiscard]] std::string edge_style(const Edge& edge);

/// Title and caption, as an HTML-like label without its angle brackets.
[[nodiscard]] std::string title_label(const StateGraph& graph);

/// A row for each sign that occurs in the graph, as a table of an HTML-like label, and how high it will be about.
/// Unit of the height: points.
struct LegendTable {
    std::string html;
    std::int64_t height = 0;
};
[[nodiscard]] LegendTable legend(const StateGraph& graph);

/// The whole text of a graph by levels; every position is in it.
[[nodiscard]] std::string level_text(const StateGraph& graph);

}  // namespace schedproof::graph::detail
