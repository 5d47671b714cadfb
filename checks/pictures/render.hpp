/// State graphs as pictures, through the Graphviz library.
///
/// Layout is `dot`: chains have a direction, away from the empty state and back, and layers show it. Its cost grows
/// fast (seconds at a few hundred edges, hopeless at thousands), so it is never run on more nodes and edges than stated
/// here; graphs of the builders stay below that by merging. A larger graph can still be written as DOT text and laid
/// out elsewhere.
#pragma once

#include <string>
#include <string_view>

#include "checks/pictures/state_graph.hpp"

namespace schedproof::graph {

enum class PictureFormat { svg, png };

/// Largest numbers of nodes, stubs of the frontier included, and of edges that are laid out.
inline constexpr std::size_t max_drawn_nodes = 300;
inline constexpr std::size_t max_drawn_edges = 400;

/// The bytes of the picture. The same graph, library and fonts give the same bytes.
/// Throws LimitExceeded past the numbers above, Error with Graphviz' own words when it fails.
[[nodiscard]] std::string picture(const StateGraph& graph, PictureFormat format);

/// The picture of any DOT text, laid out by the engine that its attribute `layout` names, else by dot. Throws Error
/// with Graphviz' own words when it fails. Requires text small enough to lay out: the limits above are the caller's
/// business here.
[[nodiscard]] std::string picture(const std::string& dot, PictureFormat format);

/// Writes the picture. Throws also InputError as base::OutputFile.
void write_picture(const StateGraph& graph, const std::string& path, PictureFormat format);

}  // namespace schedproof::graph
