/// Merging states until a graph can be looked at: the ladder of rules of collapse.hpp.
///
/// A rule is a key: states of equal keys share a node. Rules are tried from the finest to the coarsest, and the first
/// whose nodes and merged edges fit the limits is taken. The last rules group by ranges of the number of tasks of
/// widths 1, 2, 4, ..., of which one holds all states, so the ladder ends.
///
/// The flow along a merged edge is the sum of pi(s) p(s, t) over its moves, with pi as integer weights over a common
/// total; one division at the end keeps it exact. The probability of a merged edge is shown only when its source is a
/// single state, since otherwise it is not a constant of the group.
///
/// Cost per rule: moves x logarithm of the edges; counting stops as soon as the edges exceed the limit.
#include "checks/pictures/collapse_picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "checks/pictures/state_label.hpp"

namespace schedproof::graph {

using queueing::ExactState;
using queueing::ExactSystem;

namespace {

using Key = std::vector<std::int64_t>;

/// One way to group states: those of equal key share a node.
struct Rule {
    std::string words;
    std::function<Key(const ExactState&)> key;
    std::function<std::vector<std::string>(const Key&, const ExactState& member)> lines;
};

std::string tasks(std::int64_t n) { return fmt::format("{} task{}", n, n == 1 ? "" : "s"); }

Rule by_lengths(const ExactSystem& system) {
    return {
        "states with equal queue lengths",
        [](const ExactState& state) {
            Key key{total_tasks(state)};
            for (const CheckedInt length : state.length) key.push_back(length.value());
            return key;
        },
        [&system](const Key&, const ExactState& member) { return std::vector{state_lines(system, member).front()}; }};
}

Rule by_tasks_and_servers() {
    return {"states with equal numbers of tasks and of working servers",
            [](const ExactState& state) {
                return Key{total_tasks(state), working_servers(state)};
            },
            [](const Key& key, const ExactState&) {
                return std::vector{tasks(key[0]), fmt::format("{} working", key[1])};
            }};
}

Rule by_range(std::int64_t width) {
    return {width == 1 ? std::string("states with equal number of tasks")
                       : fmt::format("states by number of tasks, in ranges of {}", width),
            [width](const ExactState& state) { return Key{total_tasks(state) / width}; },
            [width](const Key& key, const ExactState&) {
                const std::int64_t low = key[0] * width;
                return std::vector{width == 1 ? tasks(low) : fmt::format("{} to {}", low, tasks(low + width - 1))};
            }};
}

/// The states by group, groups in the order of their keys.
struct Groups {
    std::vector<Key> key;
    std::vector<std::vector<std::size_t>> members;
    std::vector<std::size_t> of_state;
};

Groups group(const Explored& explored, const Rule& rule) {
    std::map<Key, std::vector<std::size_t>> by_key;
    for (std::size_t s = 0; s < explored.states.size(); ++s) by_key[rule.key(explored.states[s])].push_back(s);
    Groups groups;
    groups.of_state.resize(explored.states.size());
    for (auto& [key, members] : by_key) {
        for (const std::size_t s : members) groups.of_state[s] = groups.key.size();
        groups.key.push_back(key);
        groups.members.push_back(std::move(members));
    }
    return groups;
}

bool fits(const Explored& explored, const Groups& groups, const GraphOptions& options) {
    if (groups.key.size() > options.max_nodes) return false;
    // Merged edges mean more to read than moves, with longer labels, and an overview is what merging is for.
    const std::size_t max_edges = options.max_edges / 2;
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    explored.for_each_move([&](std::size_t source, std::size_t target, const Rational&) {
        if (pairs.size() <= max_edges) pairs.emplace(groups.of_state[source], groups.of_state[target]);
    });
    return pairs.size() <= max_edges;
}

std::pair<Rule, Groups> finest_that_fits(const ExactSystem& system, const Explored& explored,
                                         const GraphOptions& options) {
    for (Rule rule : {by_lengths(system), by_tasks_and_servers()}) {
        Groups groups = group(explored, rule);
        if (fits(explored, groups, options)) return {std::move(rule), std::move(groups)};
    }
    for (std::int64_t width = 1;; width *= 2) {
        Rule rule = by_range(width);
        Groups groups = group(explored, rule);
        if (fits(explored, groups, options)) return {std::move(rule), std::move(groups)};
    }
}

Node group_node(const Explored& explored, const GraphOptions& options, const Rule& rule, const Key& key,
                const std::vector<std::size_t>& members) {
    Node node;
    node.kind = Node::Kind::collapsed;
    node.states = members.size();
    node.lines = rule.lines(key, explored.states[members.front()]);
    node.lines.push_back(fmt::format("{} states", members.size()));
    const auto highlighted = std::count_if(members.begin(), members.end(), [&](std::size_t s) {
        return detail::is_highlighted(explored.states[s], options);
    });
    if (members.front() == 0) node.lines.emplace_back("with the start");
    if (highlighted > 0) node.lines.push_back(fmt::format("{} of them highlighted", highlighted));
    if (options.stationary != nullptr) {
        Integer weight = 0;
        for (const std::size_t s : members) weight += options.stationary->weight[s];
        node.annotations.push_back({"π", Rational(weight, options.stationary->total)});
    }
    node.frontier = std::any_of(members.begin(), members.end(), [&](std::size_t s) { return s >= explored.expanded; });
    return node;
}

std::vector<Edge> group_edges(const Explored& explored, const GraphOptions& options, const Groups& groups) {
    struct Merged {
        std::size_t transitions = 0;
        Rational probability;
        Rational weighted;
    };
    std::map<std::pair<std::size_t, std::size_t>, Merged> merged;
    explored.for_each_move([&](std::size_t source, std::size_t target, const Rational& p) {
        Merged& edge = merged[{groups.of_state[source], groups.of_state[target]}];
        ++edge.transitions;
        edge.probability += p;
        if (options.stationary != nullptr) edge.weighted += p * Rational(options.stationary->weight[source]);
    });
    std::vector<Edge> edges;
    for (const auto& [pair, sum] : merged) {
        Edge edge{pair.first, pair.second, {}, sum.transitions, {}, false, false};
        if (groups.members[pair.first].size() == 1) edge.probability = sum.probability;
        if (options.stationary != nullptr) edge.flow = sum.weighted / Rational(options.stationary->total);
        edges.push_back(std::move(edge));
    }
    return edges;
}

}  // namespace

std::string Collapse::to_string() const {
    return fmt::format("{} states and {} moves are drawn as {} nodes and {} edges: {}", states, transitions, nodes,
                       edges, rule);
}

void collapse(StateGraph& graph, const ExactSystem& system, const Explored& explored, const GraphOptions& options) {
    const auto [rule, groups] = finest_that_fits(system, explored, options);
    graph.nodes.clear();
    for (std::size_t g = 0; g < groups.key.size(); ++g) {
        const std::vector<std::size_t>& members = groups.members[g];
        graph.nodes.push_back(members.size() == 1 ? detail::state_node(system, explored, members.front(), options)
                                                  : group_node(explored, options, rule, groups.key[g], members));
    }
    graph.edges = group_edges(explored, options, groups);
    graph.collapse = Collapse{rule.words + " share a node", explored.states.size(), explored.transitions,
                              graph.nodes.size(), graph.edges.size()};
}

}  // namespace schedproof::graph
