/// State graphs of a whole chain and of a neighbourhood of a state.
///
/// Both builders make the same thing in two steps: first states and moves as they are (`Explored`), then nodes and
/// edges, one to one when they are few enough and merged by collapse.hpp otherwise. A neighbourhood is a breadth-first
/// search from its centre, slot by slot; states in the last layer have no moves and are drawn as the frontier.
///
/// The chain records probabilities but not whether a tie was broken on the way, which edges show. So each row is
/// enumerated again, and the two enumerations must agree in targets and probabilities; a chain of another system is
/// rejected. Cost: one enumeration of a slot per state drawn.
#include "checks/pictures/state_graph.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "checks/pictures/collapse_picture.hpp"
#include "checks/pictures/explored.hpp"

namespace schedproof::graph {

using detail::Step;
using detail::steps;
using queueing::Chain;
using queueing::ExactState;
using queueing::ExactSystem;

namespace {

/// Draws every explored state if they are few enough, else groups of them. `edges` is asked for only in the first case.
template <class EdgesOf>
void draw(StateGraph& graph, const ExactSystem& system, const Explored& explored, const GraphOptions& options,
          EdgesOf&& edges) {
    graph.by_levels = true;
    graph.caption.push_back(fmt::format("{} states, {} moves", explored.states.size(), explored.transitions));
    if (explored.states.size() > options.max_nodes || explored.transitions > options.max_edges) {
        collapse(graph, system, explored, options);
        return;
    }
    for (std::size_t s = 0; s < explored.states.size(); ++s)
        graph.nodes.push_back(detail::state_node(system, explored, s, options));
    graph.edges = edges();
}

/// The chain's moves with the ties that the chain itself does not record.
std::vector<Edge> chain_edges(const ExactSystem& system, const Chain& chain) {
    std::vector<Edge> edges;
    for (std::size_t s = 0; s < chain.states.size(); ++s) {
        const std::map<ExactState, Step> to = steps(system, chain.states[s]);
        require(to.size() == chain.matrix.row(s).size(), "the chain is not that of the system");
        for (const markov::Transition& move : chain.matrix.row(s)) {
            const auto step = to.find(chain.states[move.target]);
            require(step != to.end() && step->second.probability == move.probability,
                    "the chain is not that of the system");
            edges.push_back({s, move.target, move.probability, 1, {}, step->second.tie, false, step->second.parts});
        }
    }
    return edges;
}

/// What a search from a state found. Edges run in order of source, then target.
struct Neighbourhood {
    std::vector<ExactState> states;
    std::size_t expanded = 0;  ///< states before this one have their edges
    std::vector<Edge> edges;
};

Neighbourhood search(const ExactSystem& system, const ExactState& centre, std::size_t radius, std::size_t limit) {
    Neighbourhood found{{centre}, 0, {}};
    std::unordered_map<ExactState, std::size_t, queueing::StateHash<CheckedInt>> index{{centre, 0}};
    for (std::size_t distance = 0; distance < radius; ++distance) {
        const std::size_t end = found.states.size();
        for (std::size_t& s = found.expanded; s < end; ++s) {
            const std::size_t first = found.edges.size();
            for (auto& [next, step] : steps(system, found.states[s])) {
                const auto [entry, is_new] = index.try_emplace(next, found.states.size());
                if (is_new) found.states.push_back(next);
                found.edges.push_back({s, entry->second, step.probability, 1, {}, step.tie, false, step.parts});
            }
            if (found.states.size() > limit)
                throw LimitExceeded(
                    "explored states",
                    fmt::format("more than {} states within {} slots; choose a smaller radius or raise the limit",
                                limit, radius));
            std::sort(found.edges.begin() + static_cast<std::ptrdiff_t>(first), found.edges.end(),
                      [](const Edge& a, const Edge& b) { return a.target < b.target; });
        }
    }
    return found;
}

}  // namespace

StateGraph chain_graph(const ExactSystem& system, const Chain& chain, const GraphOptions& options) {
    chain.matrix.require_closed();
    require(chain.states.size() == chain.matrix.states(), "a chain needs one row per state");
    require(options.stationary == nullptr || options.stationary->weight.size() == chain.states.size(),
            "the stationary law is of another chain");
    StateGraph graph = detail::untitled(system, options);
    graph.title = fmt::format("{}: reachable chain under {}", system.instance().name(), system.info().id);
    if (options.stationary != nullptr) graph.notes.emplace_back("π: stationary probability");
    const Explored explored{chain.states, chain.matrix.transitions(),
                            [&](const MoveVisitor& visit) {
                                for (std::size_t s = 0; s < chain.states.size(); ++s)
                                    for (const auto& move : chain.matrix.row(s))
                                        visit(s, move.target, move.probability);
                            },
                            chain.states.size()};
    draw(graph, system, explored, options, [&] { return chain_edges(system, chain); });
    return graph;
}

StateGraph neighbourhood_graph(const ExactSystem& system, const ExactState& centre, std::size_t radius,
                               const GraphOptions& given) {
    GraphOptions options = given;
    options.stationary = nullptr;
    StateGraph graph = detail::untitled(system, options);
    graph.title = fmt::format("{}: what {} reaches within {} slot{}", system.instance().name(), system.info().id,
                              radius, radius == 1 ? "" : "s");
    const Neighbourhood found = search(system, centre, radius, options.max_explored);
    const Explored explored{found.states, found.edges.size(),
                            [&](const MoveVisitor& visit) {
                                for (const Edge& edge : found.edges) visit(edge.source, edge.target, *edge.probability);
                            },
                            found.expanded};
    draw(graph, system, explored, options, [&] { return found.edges; });
    return graph;
}

}  // namespace schedproof::graph
