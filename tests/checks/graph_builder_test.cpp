#include <fmt/core.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/level_graphs.hpp"
#include "checks/pictures/state_graph.hpp"
#include "checks/pictures/state_label.hpp"
#include "tests/checks/graph_systems.hpp"

namespace schedproof::graph {
namespace {

using queueing::Chain;
using queueing::ExactState;
using queueing::ExactSystem;
using testing::Cluster;
using testing::fraction;

/// Whether every combination of outcomes from `from` to `to` broke a tie, by the definition.
bool only_by_ties(const ExactSystem& system, const ExactState& from, const ExactState& to) {
    for (const queueing::Move& move : system.moves(from))
        if (move.slot.next == to && !move.slot.tied) return false;
    return true;
}

std::size_t sum_of_states(const StateGraph& graph) {
    std::size_t sum = 0;
    for (const Node& node : graph.nodes) sum += node.states;
    return sum;
}

TEST(ChainGraph, HasEveryStateAndEveryMoveOfTheChain) {
    const Cluster cluster("wang-jsq-maxweight", 2);
    const Chain chain = cluster.system().chain();
    const StateGraph graph = chain_graph(cluster.system(), chain);
    ASSERT_EQ(graph.nodes.size(), chain.states.size());
    ASSERT_EQ(graph.edges.size(), chain.matrix.transitions());
    EXPECT_FALSE(graph.collapse);
    EXPECT_EQ(graph.nodes[0].kind, Node::Kind::start);
    std::size_t e = 0;
    for (std::size_t s = 0; s < chain.states.size(); ++s)
        for (const auto& move : chain.matrix.row(s)) {
            EXPECT_EQ(graph.edges[e].source, s);
            EXPECT_EQ(graph.edges[e].target, move.target);
            EXPECT_EQ(graph.edges[e].probability, move.probability);
            ++e;
        }
}

TEST(ChainGraph, AnEdgeIsATieExactlyWhenEveryCombinationBrokeOne) {
    for (const std::string_view name : testing::plan_free_policies) {
        const Cluster cluster(name, 1);
        const Chain chain = cluster.system().chain();
        for (const Edge& edge : chain_graph(cluster.system(), chain).edges)
            EXPECT_EQ(edge.tie, only_by_ties(cluster.system(), chain.states[edge.source], chain.states[edge.target]))
                << name;
    }
}

TEST(ChainGraph, FromTheEmptyStateJoiningAnyQueueIsATieAndStayingIsNot) {
    const Cluster cluster("wang-jsq-maxweight", 1);
    const StateGraph graph = chain_graph(cluster.system(), cluster.system().chain());
    std::map<bool, int> ties;
    for (const Edge& edge : graph.edges)
        if (edge.source == 0) {
            EXPECT_EQ(edge.tie, edge.target != 0);
            ++ties[edge.tie];
        }
    EXPECT_EQ(ties[false], 1);
    EXPECT_GE(ties[true], 3);
}

TEST(ChainGraph, ShowsStationaryProbabilitiesHighlightsAndNumbers) {
    const Cluster cluster("wang-jsq-maxweight", 1);
    const Chain chain = cluster.system().chain();
    const auto law = markov::stationary_distribution(chain.matrix);
    GraphOptions options;
    options.stationary = &law;
    options.highlighted = {chain.states[2]};
    options.number = {"L", "number of tasks", [](const ExactState& s) { return Rational(total_tasks(s)); }};
    const StateGraph graph = chain_graph(cluster.system(), chain, options);
    Rational sum;
    for (const Node& node : graph.nodes) {
        ASSERT_EQ(node.annotations.size(), 2u);
        sum += node.annotations[0].value;
    }
    EXPECT_EQ(sum, Rational(1));
    EXPECT_EQ(graph.nodes[2].kind, Node::Kind::highlighted);
    EXPECT_EQ(graph.nodes[2].annotations[1].value, Rational(1));
}

TEST(ChainGraph, RefusesTheChainOrTheLawOfAnotherSystem) {
    const Cluster one("wang-jsq-maxweight", 1), two("wang-jsq-maxweight", 2);
    const Chain chain = one.system().chain();
    EXPECT_THROW((void)chain_graph(two.system(), chain), ContractViolation);
    const auto law = markov::stationary_distribution(two.system().chain().matrix);
    GraphOptions options;
    options.stationary = &law;
    EXPECT_THROW((void)chain_graph(one.system(), chain, options), ContractViolation);
    GraphOptions tiny;
    tiny.max_nodes = 1;
    EXPECT_THROW((void)chain_graph(one.system(), chain, tiny), ContractViolation);
}

RC_GTEST_PROP(Collapse, KeepsStatesMovesAndFlowWithinTheLimits, ()) {
    const auto name =
        *rc::gen::elementOf(std::vector<std::string>{"wang-jsq-maxweight", "fifo", "random-any", "balanced-pandas"});
    const Cluster cluster(name, *rc::gen::inRange<std::uint32_t>(1, 4));
    const Chain chain = cluster.system().chain();
    const auto law = markov::stationary_distribution(chain.matrix);
    GraphOptions options;
    options.stationary = &law;
    options.max_nodes = *rc::gen::inRange<std::size_t>(8, 60);
    options.max_edges = *rc::gen::inRange<std::size_t>(8, 300);
    options.highlighted = {chain.states.back()};
    const StateGraph graph = chain_graph(cluster.system(), chain, options);
    RC_ASSERT(graph.nodes.size() <= options.max_nodes && graph.edges.size() <= options.max_edges);
    RC_ASSERT(sum_of_states(graph) == chain.states.size());
    std::size_t transitions = 0;
    Rational mass;
    std::vector<Rational> out(graph.nodes.size()), in(graph.nodes.size());
    for (const Edge& edge : graph.edges) {
        transitions += edge.transitions;
        if (!graph.collapse) continue;
        out[edge.source] += *edge.flow;
        in[edge.target] += *edge.flow;
        RC_ASSERT(edge.probability.has_value() == (graph.nodes[edge.source].states == 1));
        if (edge.probability)
            RC_ASSERT(*edge.flow == *edge.probability * graph.nodes[edge.source].annotations.at(0).value);
    }
    RC_ASSERT(transitions == chain.matrix.transitions());
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const Node& node = graph.nodes[n];
        RC_ASSERT((node.kind == Node::Kind::collapsed) == (node.states > 1));
        mass += node.annotations.at(0).value;
        if (graph.collapse) RC_ASSERT(out[n] == node.annotations[0].value && in[n] == node.annotations[0].value);
    }
    RC_ASSERT(mass == Rational(1));
    RC_ASSERT(graph.collapse.has_value() ==
              (chain.states.size() > options.max_nodes || chain.matrix.transitions() > options.max_edges));
}

TEST(Collapse, SaysWhatWasMergedAndHow) {
    const Cluster cluster("wang-jsq-maxweight", 4);
    const Chain chain = cluster.system().chain();
    GraphOptions options;
    options.max_nodes = 8;
    options.max_edges = 60;
    const StateGraph graph = chain_graph(cluster.system(), chain, options);
    ASSERT_TRUE(graph.collapse);
    EXPECT_EQ(graph.collapse->states, chain.states.size());
    EXPECT_EQ(graph.collapse->transitions, chain.matrix.transitions());
    EXPECT_EQ(graph.collapse->nodes, graph.nodes.size());
    EXPECT_EQ(graph.collapse->edges, graph.edges.size());
    EXPECT_NE(graph.collapse->to_string().find("states with equal number of tasks share a node"), std::string::npos);
    options.max_edges = 8;
    EXPECT_NE(chain_graph(cluster.system(), chain, options).collapse->rule.find("in ranges of"), std::string::npos);
}

TEST(Collapse, OpensALevelAsFarAsThereIsRoom) {
    const Cluster cluster("wang-jsq-maxweight", 4);
    const Chain chain = cluster.system().chain();
    std::map<std::int64_t, std::size_t> states;
    for (const ExactState& state : chain.states) ++states[total_tasks(state)];
    GraphOptions options;
    options.max_edges = 300;
    options.max_nodes = 40;
    options.open = {1};
    const StateGraph graph = chain_graph(cluster.system(), chain, options);
    ASSERT_TRUE(graph.collapse);
    EXPECT_EQ(graph.open, options.open);
    for (const Node& node : graph.nodes) EXPECT_EQ(node.states, node.level == 1 ? 1 : states.at(node.level));
    EXPECT_EQ(sum_of_states(graph), chain.states.size());
    EXPECT_NE(graph.collapse->rule.find("; those of 1 task stand alone"), std::string::npos);
    // Less room: those of equal queue lengths share a node, and at last the level is shut.
    options.max_nodes = 8;
    const StateGraph less = chain_graph(cluster.system(), chain, options);
    EXPECT_NE(less.collapse->rule.find("only if their queue lengths are equal"), std::string::npos);
    options.open = {1, 2, 3, 4};
    const StateGraph shut = chain_graph(cluster.system(), chain, options);
    EXPECT_TRUE(shut.open.empty());
    EXPECT_EQ(shut.nodes.size(), states.size());
    options.open = {77};
    EXPECT_EQ(chain_graph(cluster.system(), chain, options).nodes.size(), states.size());
}

TEST(Collapse, EveryMergedLevelLeadsToAGraphOfItsStates) {
    const Cluster cluster("wang-jsq-maxweight", 4);
    const Chain chain = cluster.system().chain();
    const auto draw = [&](const GraphOptions& options) { return chain_graph(cluster.system(), chain, options); };
    const LevelGraphs graphs = level_graphs(draw, {}, "chain");
    ASSERT_EQ(graphs.levels.size(), 4U);
    for (const Node& node : graphs.overview.nodes)
        EXPECT_EQ(node.link, node.states == 1 ? "" : fmt::format("chain.{}.svg", node.level));
    for (const auto& [level, graph] : graphs.levels) {
        EXPECT_EQ(graph.overview, "chain.svg");
        EXPECT_GT(graph.nodes.size(), graphs.overview.nodes.size());
        for (const Node& node : graph.nodes)
            EXPECT_EQ(node.link,
                      node.level == level || node.states == 1 ? "" : level_name("chain", node.level) + ".svg");
        const std::string dot = dot_text(graph);
        EXPECT_NE(dot.find("URL=\"chain.svg\", tooltip=\"close\""), std::string::npos);
    }
    // Where nothing is merged there is nothing to open.
    GraphOptions large;
    large.max_nodes = large.max_edges = 10'000;
    EXPECT_TRUE(level_graphs(draw, large, "chain").levels.empty());
}

TEST(NeighbourhoodGraph, StandsAloneInTheMiddleWhenTheRestIsMerged) {
    const Cluster cluster("wang-jsq-maxweight", 6);
    GraphOptions options;
    options.max_nodes = 10;
    const ExactState centre = cluster.system().chain().states[7];
    const StateGraph graph = neighbourhood_graph(cluster.system(), centre, 3, options);
    ASSERT_TRUE(graph.collapse);
    const auto starts = std::count_if(graph.nodes.begin(), graph.nodes.end(),
                                      [](const Node& n) { return n.kind == Node::Kind::start && n.states == 1; });
    EXPECT_EQ(starts, 1);
}

TEST(NeighbourhoodGraph, HoldsExactlyWhatTheRadiusReaches) {
    const Cluster cluster("wang-jsq-maxweight", 4);
    const ExactSystem& system = cluster.system();
    const ExactState centre = system.chain().states[7];
    std::set<ExactState> inner, reached{centre}, rim{centre};
    for (std::size_t radius = 0; radius <= 2; ++radius) {
        const StateGraph graph = neighbourhood_graph(system, centre, radius);
        EXPECT_EQ(sum_of_states(graph), reached.size());
        std::vector<Rational> out(graph.nodes.size());
        if (!graph.collapse) {
            for (const Edge& edge : graph.edges) out[edge.source] += *edge.probability;
            for (std::size_t n = 0; n < graph.nodes.size(); ++n)
                EXPECT_EQ(out[n], Rational(graph.nodes[n].frontier ? 0 : 1));
            const auto frontier =
                std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const Node& n) { return n.frontier; });
            EXPECT_EQ(static_cast<std::size_t>(frontier), rim.size());
            EXPECT_EQ(graph.nodes[0].kind, Node::Kind::start);
        }
        std::set<ExactState> next;
        for (const ExactState& state : rim)
            for (const auto& [to, p] : system.kernel(state))
                if (reached.insert(to).second) next.insert(to);
        rim = next;
    }
}

TEST(NeighbourhoodGraph, MergesRatherThanFailsAndStopsAtItsLimit) {
    const Cluster cluster("wang-jsq-maxweight", 6);
    GraphOptions options;
    options.max_nodes = 10;
    const StateGraph graph = neighbourhood_graph(cluster.system(), cluster.system().initial(), 4, options);
    ASSERT_TRUE(graph.collapse);
    EXPECT_LE(graph.nodes.size(), 10u);
    EXPECT_EQ(sum_of_states(graph), graph.collapse->states);
    options.max_explored = 5;
    EXPECT_THROW((void)neighbourhood_graph(cluster.system(), cluster.system().initial(), 4, options), LimitExceeded);
}

std::vector<ExactState> random_path(const ExactSystem& system, std::size_t slots) {
    std::vector<ExactState> path{system.initial()};
    for (std::size_t t = 0; t < slots; ++t) {
        const auto law = system.kernel(path.back());
        path.push_back(std::next(law.begin(), *rc::gen::inRange<long>(0, static_cast<long>(law.size())))->first);
    }
    return path;
}

RC_GTEST_PROP(PathGraph, EveryDrawnStateMovesSomewhereWithProbabilityOne, ()) {
    const Cluster cluster("wang-jsq-maxweight", 3);
    const auto path = random_path(cluster.system(), *rc::gen::inRange<std::size_t>(0, 12));
    GraphOptions options;
    options.max_nodes = *rc::gen::inRange<std::size_t>(8, 30);
    const StateGraph graph = path_graph(cluster.system(), path, options);
    RC_ASSERT(graph.nodes.size() <= options.max_nodes);
    std::map<std::size_t, Rational> out;
    std::size_t slots = 0;
    for (const Edge& edge : graph.edges) {
        if (edge.probability) out[edge.source] += *edge.probability;
        if (edge.highlighted) slots += edge.transitions;
    }
    for (const auto& [node, sum] : out) RC_ASSERT(sum == Rational(1));
    RC_ASSERT(slots == path.size() - 1);
    RC_ASSERT(graph.collapse.has_value() == (2 * path.size() - 1 > options.max_nodes));
}

TEST(PathGraph, DrawsARecurringStateOncePerSlot) {
    const Cluster cluster("wang-jsq-maxweight", 1);
    const ExactState empty = cluster.system().initial();
    const std::vector<ExactState> path(3, empty);
    const StateGraph graph = path_graph(cluster.system(), path);
    EXPECT_EQ(graph.nodes.size(), 5u);
    ASSERT_EQ(graph.edges.size(), 4u);
    EXPECT_EQ(*graph.edges[0].probability + *graph.edges[1].probability, Rational(1));
    EXPECT_TRUE(graph.edges[0].highlighted);
    EXPECT_FALSE(graph.edges[1].highlighted);
    EXPECT_TRUE(graph.edges[1].tie);
}

TEST(PathGraph, StandsWithoutProbabilitiesFromASlotOfTooManyOutcomesOn) {
    const Cluster cluster("wang-jsq-maxweight", 1);
    std::vector<ExactState> path{cluster.system().initial()};
    Sampler randomness({7, 0, 0});
    while (path.size() < 12) path.push_back(cluster.system().sample(path.back(), randomness));
    GraphOptions options;
    options.max_outcomes = 1;
    const StateGraph graph = path_graph(cluster.system(), path, options);
    ASSERT_EQ(graph.nodes.size(), path.size());
    ASSERT_EQ(graph.edges.size(), path.size() - 1);
    for (const Edge& edge : graph.edges) EXPECT_TRUE(edge.highlighted && !edge.probability && edge.transitions == 1);
    EXPECT_EQ(graph.notes.back(), "from slot 1 on without probabilities: a slot has too many outcomes");
    EXPECT_NE(path_graph(cluster.system(), path).notes.back(), graph.notes.back());
}

TEST(PathGraph, RefusesStepsOfProbabilityZeroDrawnOrNot) {
    const Cluster cluster("wang-jsq-maxweight", 2);
    const Chain chain = cluster.system().chain();
    const std::vector<ExactState> path(40, chain.states[0]);
    ASSERT_EQ(cluster.system().kernel(chain.states[0]).probability(chain.states.back()), Rational(0));
    EXPECT_NO_THROW((void)path_graph(cluster.system(), path));
    GraphOptions options;
    options.max_nodes = 8;
    for (std::size_t t = 1; t < path.size(); ++t) {
        std::vector<ExactState> jump = path;
        std::fill(jump.begin() + static_cast<std::ptrdiff_t>(t), jump.end(), chain.states.back());
        EXPECT_THROW((void)path_graph(cluster.system(), jump, options), ContractViolation) << t;
        EXPECT_THROW((void)path_graph(cluster.system(), jump), ContractViolation) << t;
    }
    EXPECT_THROW((void)path_graph(cluster.system(), {}), ContractViolation);
}

TEST(StateLines, NameQueuesServersWaitingTypesAndPhantoms) {
    const Cluster wang("wang-jsq-maxweight", 3);
    ExactState state = wang.system().initial();
    state.length = {2, 0, 1};
    state.serving[0] = {queueing::Service::Status::busy, Level(0), QueueId(0)};
    state.serving[1] = {queueing::Service::Status::phantom, Level(1), QueueId(2)};
    EXPECT_EQ(state_lines(wang.system(), state), (std::vector<std::string>{"Q 2 0 | 1", "f own ~common"}));

    const Cluster fifo("fifo", 3);
    state = fifo.system().initial();
    state.length = {2};
    state.serving[0] = {queueing::Service::Status::busy, Level(1), QueueId(0)};
    state.waiting[0] = {TaskTypeId(2)};
    EXPECT_EQ(state_lines(fifo.system(), state), (std::vector<std::string>{"Q 2", "f remote idle", "w queue: AB"}));

    const Cluster levels("balanced-pandas", 3);
    state = levels.system().initial();
    state.length[3] = 1;
    state.serving[1] = {queueing::Service::Status::busy, Level(1), QueueId(3)};
    EXPECT_EQ(state_lines(levels.system(), state), (std::vector<std::string>{"Q 0 0 | 0 1", "f idle remote"}));
}

TEST(StateLines, LeaveOutQueuesThatNoTaskJoins) {
    const Cluster wang("wang-jsq-maxweight", 3);
    ExactState state = wang.system().initial();
    state.length = {2, 0, 1};
    const auto queues_without = [&](const std::vector<QueueId>& unjoined) {
        return state_lines(wang.system(), state, unjoined).front();
    };
    EXPECT_EQ(queues_without({QueueId(1)}), "Q 2 | 1");
    EXPECT_EQ(queues_without({QueueId(0), QueueId(1)}), "Q 1, s0: 2") << "a state that was given has a task there";
    EXPECT_EQ(state_notes(wang.system(), {QueueId(1)})[0], "Q: tasks of s0 | common");
    EXPECT_EQ(state_notes(wang.system(), {QueueId(1)})[1], "left out, as no task joins it: s1");
    GraphOptions options;
    options.unjoined = {QueueId(1)};
    const StateGraph graph = neighbourhood_graph(wang.system(), wang.system().initial(), 1, options);
    EXPECT_EQ(graph.nodes.front().lines.front(), "Q 0 | 0");
    EXPECT_EQ(graph.notes[1], "left out, as no task joins it: s1");
}

TEST(ShortNumber, RoundsOnlyWhatIsLong) {
    EXPECT_EQ(short_number(fraction(1, 3)), "1/3");
    EXPECT_EQ(short_number(fraction(123456, 1234567)), "≈0.1");
    EXPECT_EQ(short_number(fraction(123456, 1234567), 20), "123456/1234567");
}

}  // namespace
}  // namespace schedproof::graph
