#include "checks/pictures/level_graphs.hpp"

#include <fmt/core.h>

namespace schedproof::graph {

std::string level_name(const std::string& name, std::int64_t level) { return fmt::format("{}.{}", name, level); }

LevelGraphs level_graphs(const std::function<StateGraph(const GraphOptions&)>& draw, const GraphOptions& given,
                         const std::string& name) {
    GraphOptions options = given;
    LevelGraphs graphs{draw(options), {}};
    for (const Node& node : graphs.overview.nodes) {
        if (node.states == 1 || graphs.overview.level_width > 1 || graphs.levels.contains(node.level)) continue;
        options.open = {node.level};
        if (StateGraph opened = draw(options); !opened.open.empty())
            graphs.levels.emplace(node.level, std::move(opened));
    }
    const auto link = [&](StateGraph& graph) {
        for (Node& node : graph.nodes)
            if (node.states > 1 && graphs.levels.contains(node.level) && graph.open != std::vector{node.level})
                node.link = level_name(name, node.level) + ".svg";
    };
    link(graphs.overview);
    for (auto& [level, graph] : graphs.levels) {
        graph.overview = name + ".svg";
        link(graph);
    }
    return graphs;
}

}  // namespace schedproof::graph
