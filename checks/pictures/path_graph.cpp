/// A path of states as a graph: what happened, and what else could have.
///
/// Each slot of the path is enumerated exactly. The move taken is one edge with its probability; all other next states
/// are one node beside it with their total probability, so that the probability of the path can be read off and the
/// edges out of a state still sum to one. A path that is too long for the limits keeps its first and its last slots and
/// one node for the gap between them; the slots of the gap are enumerated as well, so that an impossible path is
/// rejected wherever it breaks. Cost: one enumeration of a slot per step.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "checks/pictures/explored.hpp"
#include "checks/pictures/state_label.hpp"

namespace schedproof::graph {

using detail::Step;
using detail::steps;
using queueing::ExactState;
using queueing::ExactSystem;

namespace {

/// Slots begin..end-1 of a path, drawn as one node.
struct Stop {
    std::size_t begin;
    std::size_t end;
    [[nodiscard]] bool is_gap() const { return end - begin > 1; }
};

/// Every slot for itself; of a path too long for the options the first and the last slots, and one gap between them.
/// A slot takes two nodes: its state, and the other states it could have been.
std::vector<Stop> stops(std::size_t slots, const GraphOptions& options) {
    const std::size_t room = std::min(options.max_nodes, options.max_edges + 1);
    const bool all = 2 * slots <= room + 1;
    const std::size_t kept = all ? slots : (room - 1) / 2;
    const std::size_t head = all ? slots : kept - kept / 2;
    std::vector<Stop> stops;
    for (std::size_t t = 0; t < head; ++t) stops.push_back({t, t + 1});
    if (!all) stops.push_back({head, slots - kept / 2});
    for (std::size_t t = all ? slots : slots - kept / 2; t < slots; ++t) stops.push_back({t, t + 1});
    return stops;
}

Step step_into(std::span<const ExactState> path, std::size_t t, const std::map<ExactState, Step>& to) {
    const auto step = to.find(path[t]);
    if (step == to.end())
        throw ContractViolation(fmt::format("no slot leads from state {} of the path to state {}", t - 1, t));
    return step->second;
}

Node stop_node(const ExactSystem& system, std::span<const ExactState> path, const Stop& stop,
               const GraphOptions& options) {
    Node node;
    if (stop.is_gap()) {
        node.kind = Node::Kind::collapsed;
        node.states = stop.end - stop.begin;
        node.lines = {"⋮", fmt::format("slots {} to {}", stop.begin, stop.end - 1)};
        return node;
    }
    node = detail::state_node(system, {path.subspan(stop.begin, 1), 0, {}, 1}, 0, options);
    if (stop.begin > 0)
        node.kind = detail::is_highlighted(path[stop.begin], options) ? Node::Kind::highlighted : Node::Kind::normal;
    node.lines.insert(node.lines.begin(), fmt::format("slot {}", stop.begin));
    return node;
}

/// Adds the move into slot t, and one node for everything else that could have happened.
void add_step(StateGraph& graph, const ExactSystem& system, std::span<const ExactState> path, std::size_t t,
              std::size_t source, std::size_t target) {
    const std::map<ExactState, Step> to = steps(system, path[t - 1]);
    const Step taken = step_into(path, t, to);
    graph.edges.push_back({source, target, taken.probability, 1, {}, taken.tie, true});
    if (to.size() == 1) return;
    Node others;
    others.states = to.size() - 1;
    Step elsewhere;
    for (const auto& [state, step] : to) {
        if (state == path[t]) continue;
        elsewhere.probability += step.probability;
        elsewhere.tie = elsewhere.tie && step.tie;
        if (others.states == 1) others.lines = state_lines(system, state);
    }
    if (others.states > 1) {
        others.kind = Node::Kind::collapsed;
        others.lines = {fmt::format("{} other states", others.states)};
    }
    graph.edges.push_back({source, graph.nodes.size(), elsewhere.probability, others.states, {}, elsewhere.tie, false});
    graph.nodes.push_back(std::move(others));
}

}  // namespace

StateGraph path_graph(const ExactSystem& system, std::span<const ExactState> path, const GraphOptions& given) {
    require(!path.empty(), "a path has at least one state");
    GraphOptions options = given;
    options.stationary = nullptr;
    StateGraph graph = detail::untitled(system, options);
    graph.title = fmt::format("{}: a path of {} slot{} under {}", system.instance().name(), path.size() - 1,
                              path.size() == 2 ? "" : "s", system.info().id);
    graph.notes.emplace_back("other states: where else the slot could have led, with their total probability");
    std::size_t previous = 0;
    const std::vector<Stop> all = stops(path.size(), options);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t node = graph.nodes.size();
        graph.nodes.push_back(stop_node(system, path, all[i], options));
        if (i > 0 && all[i - 1].is_gap())
            graph.edges.push_back({previous, node, {}, all[i].begin - all[i - 1].begin, {}, false, true});
        else if (i > 0)
            add_step(graph, system, path, all[i].begin, previous, node);
        previous = node;
        if (!all[i].is_gap()) continue;
        for (std::size_t t = all[i].begin + 1; t <= all[i].end && t < path.size(); ++t)
            (void)step_into(path, t, steps(system, path[t - 1]));
        graph.collapse = Collapse{fmt::format("slots {} to {} are one node", all[i].begin, all[i].end - 1), path.size(),
                                  path.size() - 1, 0, 0};
    }
    if (graph.collapse) {
        graph.collapse->nodes = graph.nodes.size();
        graph.collapse->edges = graph.edges.size();
    }
    return graph;
}

}  // namespace schedproof::graph
