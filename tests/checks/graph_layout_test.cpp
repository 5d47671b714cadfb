/// Graphs by levels: rows in order, nothing over anything, lines from border to border.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "checks/pictures/level_layout.hpp"
#include "tests/checks/graph_systems.hpp"

namespace schedproof::graph {
namespace {

using testing::Cluster;

StateGraph random_graph() {
    StateGraph graph;
    graph.by_levels = true;
    const auto levels = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 5));
    for (const std::int64_t level : levels) {
        Node node;
        node.level = level;
        graph.nodes.push_back(node);
    }
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    const std::size_t n = levels.size();
    for (int i = 0; n > 0 && i < *rc::gen::inRange(0, 60); ++i)
        pairs.emplace(*rc::gen::inRange<std::size_t>(0, n), *rc::gen::inRange<std::size_t>(0, n));
    for (const auto& [source, target] : pairs)
        graph.edges.push_back({source, target, Rational(1), 1, {}, *rc::gen::arbitrary<bool>(), false});
    return graph;
}

LevelLayout laid_out(const StateGraph& graph, Point box) {
    return level_layout(graph, std::vector<Point>(graph.nodes.size(), box), [](const Line&) { return Point{40, 26}; });
}

bool meet(Point a, Point b, Point size) { return std::abs(a.x - b.x) < size.x && std::abs(a.y - b.y) < size.y; }

RC_GTEST_PROP(LevelLayout, PutsLevelsInOrderAndNothingOverANode, ()) {
    const StateGraph graph = random_graph();
    const Point box{90, 40};
    const LevelLayout layout = laid_out(graph, box);
    RC_ASSERT(layout.nodes.size() == graph.nodes.size());
    for (std::size_t a = 0; a < graph.nodes.size(); ++a)
        for (std::size_t b = 0; b < graph.nodes.size(); ++b) {
            if (graph.nodes[a].level < graph.nodes[b].level) RC_ASSERT(layout.nodes[a].y < layout.nodes[b].y);
            if (a != b) RC_ASSERT(!meet(layout.nodes[a], layout.nodes[b], box));
        }
    for (std::size_t row = 1; row < layout.rows.size(); ++row) {
        RC_ASSERT(layout.rows[row - 1].y < layout.rows[row].y);
        RC_ASSERT(layout.rows[row - 1].level <= layout.rows[row].level);
    }
    for (const Point p : layout.nodes)
        RC_ASSERT(layout.first.x <= p.x - box.x / 2 && p.x + box.x / 2 <= layout.last.x &&
                  layout.first.y <= p.y - box.y / 2 && p.y + box.y / 2 <= layout.last.y);
}

/// No side of the frame is farther out than what is drawn, wherever the places have moved to.
RC_GTEST_PROP(LevelLayout, HasAFrameAroundWhatItDraws, ()) {
    const StateGraph graph = random_graph();
    RC_PRE(!graph.nodes.empty());
    const Point box{90, 40}, label{40, 26};
    const LevelLayout layout = laid_out(graph, box);
    Point least = layout.nodes.front(), most = least;
    const auto hold = [&](Point p, Point size) {
        least = {std::min(least.x, p.x - size.x / 2), std::min(least.y, p.y - size.y / 2)};
        most = {std::max(most.x, p.x + size.x / 2), std::max(most.y, p.y + size.y / 2)};
    };
    for (const Point p : layout.nodes) hold(p, box);
    for (const Line& line : layout.lines) {
        for (const Point p : line.curve) hold(p, {0, 0});
        hold(line.label, label);
    }
    constexpr std::int64_t margin = 4;  // of a label
    RC_ASSERT(layout.first.x >= least.x - margin && layout.first.y >= least.y - margin);
    RC_ASSERT(layout.last.x <= most.x + margin);
    RC_ASSERT(layout.last.y <= most.y + margin);
}

RC_GTEST_PROP(LevelLayout, DrawsEveryEdgeOnceFromBorderToBorder, ()) {
    const StateGraph graph = random_graph();
    const Point box{90, 40};
    const LevelLayout layout = laid_out(graph, box);
    std::multiset<std::size_t> drawn;
    for (const Line& line : layout.lines) {
        drawn.insert(line.edge);
        const Edge& edge = graph.edges[line.edge];
        if (line.back) {
            drawn.insert(*line.back);
            const Edge& back = graph.edges[*line.back];
            RC_ASSERT(back.source == edge.target && back.target == edge.source && back.tie == edge.tie);
            RC_ASSERT(graph.nodes[edge.source].level <= graph.nodes[edge.target].level);
        }
        RC_ASSERT(line.curve.size() % 3 == 1 && line.curve.size() >= 4);
        for (const auto& [end, n] :
             {std::pair(line.curve.front(), edge.source), std::pair(line.curve.back(), edge.target)}) {
            RC_ASSERT(std::abs(end.x - layout.nodes[n].x) <= box.x / 2);
            RC_ASSERT(std::abs(end.y - layout.nodes[n].y) == box.y / 2);
        }
    }
    std::size_t loops = 0;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const bool loop = graph.edges[e].source == graph.edges[e].target;
        loops += loop ? 1 : 0;
        RC_ASSERT(drawn.count(e) == (loop ? 0U : 1U));
    }
    RC_ASSERT(drawn.size() + loops == graph.edges.size());
}

/// A chain of a size that is still drawn state by state.
TEST(LevelLayout, MergesOppositeMovesAndKeepsLabelsApart) {
    const Cluster cluster("wang-jsq-maxweight", 2);
    const StateGraph graph = chain_graph(cluster.system(), cluster.system().chain());
    const LevelLayout layout = laid_out(graph, {90, 50});
    EXPECT_LT(layout.lines.size(), graph.edges.size());
    std::size_t over_node = 0, over_label = 0, merged = 0;
    for (const Line& line : layout.lines) {
        merged += line.back ? 1 : 0;
        for (const Point p : layout.nodes)
            over_node += std::abs(p.x - line.label.x) < 65 && std::abs(p.y - line.label.y) < 38 ? 1 : 0;
        for (const Line& other : layout.lines) over_label += &other != &line && meet(other.label, line.label, {40, 26});
    }
    EXPECT_GT(merged, 0U);
    EXPECT_EQ(over_node, 0U);
    EXPECT_EQ(over_label, 0U);
}

}  // namespace
}  // namespace schedproof::graph
