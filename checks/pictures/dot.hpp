/// State graphs as DOT text.
///
/// The same graph gives the same bytes. Nodes are `n0`, `n1`, ... in the order of the graph; a frontier node `n7` has a
/// stub `more7` for the moves that are not drawn; the legend is one node in a cluster of its own, so it never lies over
/// the graph. Every exact number stands in full in a tooltip where its label is rounded (`≈`).
///
/// Appearance. Colours are those of Okabe and Ito, which readers with any colour vision can tell apart, and none is
/// needed: a start has a double border, a highlighted state a thick one, a group a third dimension, a frontier a dashed
/// border; ties are dashed edges, highlighted edges thick ones.
///
/// Layout. Downwards; a graph that is much wider than deep runs to the right, since boxes are wider than high. Which
/// node stands in which row is left to `dot`: forcing states with equally many tasks into one row gives labelled edges
/// within a row, for which dot 2.43 finds no room ("something is probably seriously wrong", it says) and draws detours.
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
