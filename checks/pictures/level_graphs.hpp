/// A graph of merged levels, with a graph for each level that can be opened.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "checks/pictures/state_graph.hpp"

namespace schedproof::graph {

/// Linked to one another as files: the overview is NAME.svg, a level NAME.LEVEL.svg.
struct LevelGraphs {
    StateGraph overview;
    std::map<std::int64_t, StateGraph> levels;  ///< by number of tasks; none where nothing is merged, or in ranges only
};

/// The name of a level's file, without its ending.
[[nodiscard]] std::string level_name(const std::string& name, std::int64_t level);

/// Draws with `options`, then with each merged level of the result open, as far as there is room for its states.
/// Cost: one drawing for each level.
[[nodiscard]] LevelGraphs level_graphs(const std::function<StateGraph(const GraphOptions&)>& draw,
                                       const GraphOptions& options, const std::string& name);

}  // namespace schedproof::graph
