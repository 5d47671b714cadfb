#include "checks/pictures/explored.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "checks/pictures/state_label.hpp"

namespace schedproof::graph::detail {

using queueing::ExactState;
using queueing::ExactSystem;

std::map<ExactState, Step> steps(const ExactSystem& system, const ExactState& state) {
    std::map<ExactState, Step> to;
    for (queueing::Move& move : system.moves(state)) {
        Step& step = to[std::move(move.slot.next)];
        step.probability += move.probability;
        step.tie = step.tie && move.slot.tied;
        step.parts.push_back(move.probability);
    }
    return to;
}

StateGraph untitled(const ExactSystem& system, const GraphOptions& options) {
    require(options.max_nodes >= 8 && options.max_edges >= 8, "a graph needs room for 8 nodes and 8 edges");
    StateGraph graph;
    const std::string& source = system.instance().data().source;
    graph.caption.push_back(
        fmt::format("instance {}{}", system.instance().name(), source.empty() ? "" : " (" + source + ")"));
    const PolicyInfo& info = system.info();
    graph.caption.push_back(
        fmt::format("policy {}{}", info.id, info.source.empty() ? "" : fmt::format(" ({})", info.source)));
    graph.caption.push_back("truncation " + queueing::describe(system.truncation(), system.instance()));
    if (system.instance().continuous()) graph.step = "an event";
    graph.notes = state_notes(system, options.unjoined);
    if (options.number) graph.notes.push_back(options.number->symbol + ": " + options.number->meaning);
    return graph;
}

bool is_highlighted(const ExactState& state, const GraphOptions& options) {
    return std::find(options.highlighted.begin(), options.highlighted.end(), state) != options.highlighted.end();
}

Node state_node(const ExactSystem& system, const Explored& explored, std::size_t s, const GraphOptions& options) {
    const ExactState& state = explored.states[s];
    Node node;
    node.lines = state_lines(system, state, options.unjoined);
    node.level = total_tasks(state);
    const bool highlighted = is_highlighted(state, options);
    if (highlighted) node.kind = Node::Kind::highlighted;
    if (s == 0) node.kind = Node::Kind::start;
    if (s == 0 && highlighted) node.lines.emplace_back("highlighted");
    node.frontier = s >= explored.expanded;
    if (options.stationary != nullptr)
        node.annotations.push_back({"π", Rational(options.stationary->weight[s], options.stationary->total)});
    if (options.number) {
        if (auto value = options.number->value(state))
            node.annotations.push_back({options.number->symbol, std::move(*value)});
    }
    return node;
}

}  // namespace schedproof::graph::detail
