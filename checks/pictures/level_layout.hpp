/// Where the nodes and edges of a graph stand whose rows are numbers of tasks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "checks/pictures/state_graph.hpp"

namespace schedproof::graph {

/// Unit: points of print, 72 to the inch; x to the right, y downwards.
struct Point {
    std::int64_t x = 0, y = 0;
};

/// What is drawn between two nodes: an edge, or two opposite edges that look alike, as one line with two heads.
struct Line {
    std::size_t edge = 0;             ///< of the graph; of two, the one downwards or to the right
    std::optional<std::size_t> back;  ///< the opposite edge
    std::vector<Point> curve = {};    ///< Bezier pieces of third degree from the edge's source: 3n + 1 points
    Point label = {};                 ///< centre
};

/// A row of the picture; a level with many states has several.
struct LayoutRow {
    std::int64_t level = 0;
    std::int64_t y = 0;  ///< middle
};

struct LevelLayout {
    std::vector<Point> nodes;     ///< centres
    std::vector<Line> lines;      ///< every edge once, but those from a node to itself
    std::vector<LayoutRow> rows;  ///< from top to bottom
    Point first, last;            ///< corners of what is occupied, labels and arcs included
};

/// The lines of a graph, without places: opposite edges are merged where both or neither break a tie and both or
/// neither are highlighted.
[[nodiscard]] std::vector<Line> lines_of(const StateGraph& graph);

/// Lays out a graph by the levels of its nodes, from the lowest at the top. `boxes` are the widths and heights of the
/// nodes, and `label` gives those of a line's label. Cost: quadratic in the edges.
[[nodiscard]] LevelLayout level_layout(const StateGraph& graph, const std::vector<Point>& boxes,
                                       const std::function<Point(const Line&)>& label);

}  // namespace schedproof::graph
