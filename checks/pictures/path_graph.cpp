/// A path of states as a graph: what happened, and what else could have.
///
/// Each slot of the path is enumerated exactly. The move taken is one edge with its probability; all other next states
/// are one node beside it with their total probability, so that the probability of the path can be read off and the
/// edges out of a state still sum to one. A path that is too long for the limits keeps its first and its last slots and
/// one node for the gap between them; the slots of the gap are enumerated as well, so that an impossible path is
/// rejected wherever it breaks. A slot of many independent arrivals has more outcomes than can be enumerated, though a
/// path through it is sampled at once: from the first such slot on only the moves are drawn.
/// Cost: one enumeration of a slot per step whose law is known.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
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

/// Whether a slot has more combinations of outcomes than `limit` whatever the policy does: each outcome of each factor
/// of the arrivals goes with each end of each service that may end or go on.
bool has_many_outcomes(const ExactSystem& system, const ExactState& state, std::size_t limit) {
    std::size_t least = 1;
    const auto times = [&](std::size_t outcomes) { least = least > limit ? least : least * outcomes; };
    const queueing::Instance& instance = system.instance();
    for (const queueing::ArrivalFactor& factor : instance.arrivals().factors()) {
        if (factor.outcomes().size() > limit) return true;
        times(factor.outcomes().size());
    }
    for (const queueing::Service& service : state.serving)
        if (service.status != queueing::Service::Status::idle &&
            system.layout().rate(instance, service.queue, service.level) < 1)
            times(2);
    return least > limit;
}

/// A path with the laws of its slots, up to the first that is too long to be enumerated.
class Path {
  public:
    Path(const ExactSystem& system, std::span<const ExactState> states, std::size_t limit)
        : system_(system), states_(states), limit_(limit), known_until_(states.size()) {}

    [[nodiscard]] std::span<const ExactState> states() const { return states_; }
    /// Where slot t could have come from slot t-1; none from the first law on that is too long.
    /// Throws ContractViolation when it could not have come to where it is. Requires rising t.
    [[nodiscard]] std::optional<std::map<ExactState, Step>> into(std::size_t t) {
        if (t >= known_until_) return std::nullopt;
        auto to = law(states_[t - 1]);
        if (!to)
            known_until_ = t;
        else if (!to->contains(states_[t]))
            throw ContractViolation(fmt::format("no slot leads from state {} of the path to state {}", t - 1, t));
        return to;
    }
    /// The first slot whose law is not known.
    [[nodiscard]] std::optional<std::size_t> unknown_from() const {
        return known_until_ < states_.size() ? std::optional(known_until_) : std::nullopt;
    }

  private:
    [[nodiscard]] std::optional<std::map<ExactState, Step>> law(const ExactState& state) const {
        if (has_many_outcomes(system_, state, limit_)) return std::nullopt;
        try {
            return steps(system_, state);
        } catch (const LimitExceeded& limit) {
            if (limit.limit() != "outcomes") throw;
            return std::nullopt;
        }
    }

    const ExactSystem& system_;
    std::span<const ExactState> states_;
    std::size_t limit_, known_until_;
};

const char* step_of(const ExactSystem& system) { return system.instance().continuous() ? "event" : "slot"; }

Node stop_node(const ExactSystem& system, std::span<const ExactState> path, const Stop& stop,
               const GraphOptions& options) {
    Node node;
    if (stop.is_gap()) {
        node.kind = Node::Kind::collapsed;
        node.states = stop.end - stop.begin;
        node.lines = {"⋮", fmt::format("{}s {} to {}", step_of(system), stop.begin, stop.end - 1)};
        return node;
    }
    node = detail::state_node(system, {path.subspan(stop.begin, 1), 0, {}, 1}, 0, options);
    if (stop.begin > 0)
        node.kind = detail::is_highlighted(path[stop.begin], options) ? Node::Kind::highlighted : Node::Kind::normal;
    node.lines.insert(node.lines.begin(), fmt::format("{} {}", step_of(system), stop.begin));
    return node;
}

/// Adds the move into slot t, and one node for everything else that could have happened.
void add_step(StateGraph& graph, const ExactSystem& system, Path& path, std::size_t t, std::size_t source,
              std::size_t target, const GraphOptions& options) {
    const auto to = path.into(t);
    if (!to) {
        graph.edges.push_back({source, target, {}, 1, {}, false, true});
        return;
    }
    const Step& taken = to->at(path.states()[t]);
    graph.edges.push_back({source, target, taken.probability, 1, {}, taken.tie, true});
    if (to->size() == 1) return;
    Node others;
    others.states = to->size() - 1;
    Step elsewhere;
    for (const auto& [state, step] : *to) {
        if (state == path.states()[t]) continue;
        elsewhere.probability += step.probability;
        elsewhere.tie = elsewhere.tie && step.tie;
        if (others.states == 1) others.lines = state_lines(system, state, options.unjoined);
    }
    if (others.states > 1) {
        others.kind = Node::Kind::collapsed;
        others.lines = {fmt::format("{} other states", others.states)};
    }
    graph.edges.push_back({source, graph.nodes.size(), elsewhere.probability, others.states, {}, elsewhere.tie, false});
    graph.nodes.push_back(std::move(others));
}

}  // namespace

StateGraph path_graph(const ExactSystem& system, std::span<const ExactState> states, const GraphOptions& given) {
    require(!states.empty(), "a path has at least one state");
    GraphOptions options = given;
    options.stationary = nullptr;
    StateGraph graph = detail::untitled(system, options);
    const char* const step = step_of(system);
    graph.title = fmt::format("{}: a path of {} {}{} under {}", system.instance().name(), states.size() - 1, step,
                              states.size() == 2 ? "" : "s", system.info().id);
    graph.notes.push_back(
        fmt::format("other states: where else the {} could have led, with their total probability", step));
    Path path(system, states, options.max_outcomes);
    std::size_t previous = 0;
    const std::vector<Stop> all = stops(states.size(), options);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t node = graph.nodes.size();
        graph.nodes.push_back(stop_node(system, states, all[i], options));
        if (i > 0 && all[i - 1].is_gap())
            graph.edges.push_back({previous, node, {}, all[i].begin - all[i - 1].begin, {}, false, true});
        else if (i > 0)
            add_step(graph, system, path, all[i].begin, previous, node, options);
        previous = node;
        if (!all[i].is_gap()) continue;
        for (std::size_t t = all[i].begin + 1; t <= all[i].end && t < states.size(); ++t) (void)path.into(t);
        graph.collapse = Collapse{fmt::format("{}s {} to {} are one node", step, all[i].begin, all[i].end - 1),
                                  states.size(), states.size() - 1, 0, 0};
    }
    if (const auto slot = path.unknown_from())
        graph.notes.push_back(
            fmt::format("from {0} {1} on without probabilities: {2} has too many outcomes", step, *slot, graph.step));
    if (graph.collapse) {
        graph.collapse->nodes = graph.nodes.size();
        graph.collapse->edges = graph.edges.size();
    }
    return graph;
}

}  // namespace schedproof::graph
