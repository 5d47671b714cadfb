/// State graphs as DOT text.
///
/// The same graph gives the same bytes. Nodes are `n0`, `n1`, ... in the order of the graph; the legend is one node,
/// and never lies over the graph. Every exact number stands in full in a tooltip where its label is rounded (`≈`), and
/// a probability that several combinations of outcomes make is there as their sum.
///
/// Appearance. Colours are those of Okabe and Ito, which readers with any colour vision can tell apart, and none is
/// needed: a start has a double border, a highlighted state a thick one, a group a third dimension, a frontier a dashed
/// border; ties are dashed edges, highlighted edges thick ones.
///
/// Layout. A graph by levels has a row for each number of tasks, with every position in the text (level_layout.hpp): an
/// edge there is one move or two opposite ones that look alike, and a move back to its own node is a line in the node.
/// Any other graph is left to `dot`, downwards, or to the right where it is much wider than deep; there a frontier node
/// `n7` has a stub `more7` for the moves that are not drawn.
#pragma once

#include <string>
#include <string_view>

#include "checks/pictures/state_graph.hpp"

namespace schedproof::graph {

/// The graph in the DOT language, UTF-8.
[[nodiscard]] std::string dot_text(const StateGraph& graph);

/// Writes that text. Throws InputError as base::OutputFile.
void write_dot(const StateGraph& graph, const std::string& path);

/// Text as the inside of a double-quoted DOT label, which Graphviz then shows as it is: no escape sequence or entity
/// of it takes effect. A line break breaks the line; other control characters and bytes that are not UTF-8 become
/// U+FFFD.
[[nodiscard]] std::string escape_label(std::string_view text);

/// The same for text within an HTML-like label.
[[nodiscard]] std::string escape_html(std::string_view text);

}  // namespace schedproof::graph
