/// Merging states until a graph can be looked at: see collapse_picture.hpp for the rule.
///
/// A rule is a key: states of equal keys share a node. The ranges of the number of tasks are of width 1, 2, 4, ..., and
/// the first whose nodes and merged edges fit the limits is taken; one range in the end holds all states, so this ends.
/// Of an open level the keys are longer: one for each state, else the lengths of the queues, else the number of working
/// servers, whichever is the first to fit.
///
/// The flow along a merged edge is the sum of pi(s) p(s, t) over its moves, with pi as integer weights over a common
/// total; one division at the end keeps it exact. The probability of a merged edge is shown only when its source is a
/// single state, since otherwise it is not a constant of the group.
///
/// Cost per rule: moves x logarithm of the edges; counting stops as soon as the edges exceed the limit.
#include "checks/pictures/collapse_picture.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "checks/pictures/state_label.hpp"

namespace schedproof::graph {

using queueing::ExactState;
using queueing::ExactSystem;

namespace {

using Key = std::vector<std::int64_t>;

std::string tasks(std::int64_t n) { return fmt::format("{} task{}", n, n == 1 ? "" : "s"); }

/// What is told apart within an open level.
enum class Detail { states, lengths, servers };

/// One way to group states: those of equal key share a node. A key is the range, then what tells its nodes apart: the
/// start stands alone, and so do the states of an open level, as far as `detail` says.
struct Rule {
    std::int64_t width = 1;
    std::optional<Detail> detail;  ///< of the open levels; none where there are none
    const GraphOptions& options;

    [[nodiscard]] bool is_open(std::int64_t level) const {
        return detail && std::find(options.open.begin(), options.open.end(), level) != options.open.end();
    }
    [[nodiscard]] Key key(const Explored& explored, std::size_t s) const {
        const ExactState& state = explored.states[s];
        const std::int64_t level = total_tasks(state);
        Key key{level / width};
        if (s == 0) key.push_back(-1);
        if (s == 0 || !is_open(level)) return key;
        key.push_back(level);
        switch (*detail) {
            case Detail::states:
                key.push_back(static_cast<std::int64_t>(s));
                break;
            case Detail::lengths:
                for (const CheckedInt length : state.length) key.push_back(length.value());
                break;
            case Detail::servers:
                key.push_back(working_servers(state));
                break;
        }
        return key;
    }
    /// The lines of a group, of which a state is a member.
    [[nodiscard]] std::vector<std::string> lines(const ExactSystem& system, const ExactState& member) const {
        const std::int64_t level = total_tasks(member), low = level / width * width;
        if (is_open(level) && detail == Detail::lengths) return {state_lines(system, member, options.unjoined).front()};
        if (is_open(level)) return {tasks(level), fmt::format("{} working", working_servers(member))};
        return {width == 1 ? tasks(low) : fmt::format("{} to {}", low, tasks(low + width - 1))};
    }
    [[nodiscard]] std::string words() const {
        std::string text = width == 1 ? std::string("states with equal number of tasks share a node")
                                      : fmt::format("states by number of tasks, in ranges of {}, share a node", width);
        if (!detail) return text;
        text += fmt::format("; those of {} task{} ", fmt::join(options.open, ", "),
                            options.open == std::vector<std::int64_t>{1} ? "" : "s");
        switch (*detail) {
            case Detail::states:
                return text + "stand alone";
            case Detail::lengths:
                return text + "only if their queue lengths are equal";
            case Detail::servers:
                return text + "only if equally many servers work";
        }
        throw ContractViolation("unknown detail of a level");
    }
};

/// The states by group, groups in the order of their keys.
struct Groups {
    std::vector<Key> key;
    std::vector<std::vector<std::size_t>> members;
    std::vector<std::size_t> of_state;
};

Groups group(const Explored& explored, const Rule& rule) {
    std::map<Key, std::vector<std::size_t>> by_key;
    for (std::size_t s = 0; s < explored.states.size(); ++s) by_key[rule.key(explored, s)].push_back(s);
    Groups groups;
    groups.of_state.resize(explored.states.size());
    for (auto& [key, members] : by_key) {
        for (const std::size_t s : members) groups.of_state[s] = groups.key.size();
        groups.key.push_back(key);
        groups.members.push_back(std::move(members));
    }
    return groups;
}

bool fits(const Explored& explored, const Groups& groups, std::size_t max_nodes, std::size_t max_edges) {
    if (groups.key.size() > max_nodes) return false;
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    explored.for_each_move([&](std::size_t source, std::size_t target, const Rational&) {
        if (pairs.size() <= max_edges) pairs.emplace(groups.of_state[source], groups.of_state[target]);
    });
    return pairs.size() <= max_edges;
}

/// The narrowest ranges that fit. Merged edges mean more to read than moves, with longer labels, and an overview is
/// what merging is for, so it has room for half as many.
std::int64_t narrowest(const Explored& explored, const GraphOptions& options) {
    std::int64_t width = 1;
    while (!fits(explored, group(explored, {width, {}, options}), options.max_nodes, options.max_edges / 2)) width *= 2;
    return width;
}

std::pair<Rule, Groups> finest_that_fits(const Explored& explored, const GraphOptions& options) {
    const std::int64_t width = narrowest(explored, options);
    for (const Detail detail : {Detail::states, Detail::lengths, Detail::servers}) {
        if (options.open.empty()) break;
        const Rule rule{width, detail, options};
        Groups groups = group(explored, rule);
        if (fits(explored, groups, options.max_nodes, options.max_edges)) return {rule, std::move(groups)};
    }
    const Rule rule{width, {}, options};
    return {rule, group(explored, rule)};
}

Node group_node(const ExactSystem& system, const Explored& explored, const GraphOptions& options, const Rule& rule,
                const std::vector<std::size_t>& members) {
    const ExactState& member = explored.states[members.front()];
    Node node;
    node.kind = Node::Kind::collapsed;
    node.states = members.size();
    node.lines = rule.lines(system, member);
    node.level = total_tasks(member) / rule.width * rule.width;
    node.lines.push_back(fmt::format("{} states", members.size()));
    const auto highlighted = std::count_if(members.begin(), members.end(), [&](std::size_t s) {
        return detail::is_highlighted(explored.states[s], options);
    });
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
    const auto [rule, groups] = finest_that_fits(explored, options);
    graph.nodes.clear();
    graph.level_width = rule.width;
    graph.open = rule.detail ? options.open : std::vector<std::int64_t>();
    for (const std::vector<std::size_t>& members : groups.members) {
        graph.nodes.push_back(members.size() == 1 ? detail::state_node(system, explored, members.front(), options)
                                                  : group_node(system, explored, options, rule, members));
        if (!rule.is_open(graph.nodes.back().level)) graph.nodes.back().level -= graph.nodes.back().level % rule.width;
    }
    graph.edges = group_edges(explored, options, groups);
    graph.collapse =
        Collapse{rule.words(), explored.states.size(), explored.transitions, graph.nodes.size(), graph.edges.size()};
}

}  // namespace schedproof::graph
