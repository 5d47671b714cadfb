#include <fmt/core.h>
#include <graphviz/cgraph.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "checks/pictures/dot.hpp"
#include "checks/pictures/level_layout.hpp"
#include "checks/pictures/render.hpp"
#include "tests/checks/graph_systems.hpp"
#include "tests/checks/parsed_dot.hpp"

namespace schedproof::graph {
namespace {

using testing::Cluster;

std::string attribute(void* object, const char* name) {
    const char* value = agget(object, const_cast<char*>(name));
    return value == nullptr ? "" : value;
}

Agnode_t* node(const Parsed& graph, std::string name) { return agnode(graph.get(), name.data(), 0); }

/// What Graphviz shows for a label: its escapes and entities resolved.
std::string shown(std::string_view label) {
    std::string out;
    for (std::size_t i = 0; i < label.size(); ++i) {
        if (label[i] == '\\' && i + 1 < label.size()) {
            out += label[++i] == 'n' ? '\n' : label[i];
        } else if (label.substr(i, 5) == "&amp;") {
            out += '&';
            i += 4;
        } else {
            out += label[i];
        }
    }
    return out;
}

StateGraph with_line(const std::string& line) {
    StateGraph graph;
    graph.title = graph.caption.emplace_back(line);
    graph.notes.push_back(line);
    graph.nodes.push_back({{line}, Node::Kind::normal, false, 1, {}});
    graph.edges.push_back({0, 0, Rational(1), 1, {}, false, false});
    return graph;
}

std::size_t frontier(const StateGraph& graph) {
    return static_cast<std::size_t>(
        std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const Node& n) { return n.frontier; }));
}

void expect_same_size(const StateGraph& graph) {
    const Parsed parsed = parse(dot_text(graph));
    ASSERT_TRUE(parsed);
    std::set<std::int64_t> levels;
    for (const Node& n : graph.nodes) levels.insert(n.level);
    const std::size_t stubs = graph.by_levels ? 0 : frontier(graph);
    EXPECT_EQ(static_cast<std::size_t>(agnnodes(parsed.get())),
              graph.nodes.size() + stubs + (graph.by_levels ? levels.size() : 0) + 1);
    EXPECT_EQ(static_cast<std::size_t>(agnedges(parsed.get())),
              graph.by_levels ? lines_of(graph).size() : graph.edges.size() + stubs);
}

TEST(Dot, HasANodePerNodeStubRowAndLegendAndAnEdgePerLineAndStub) {
    const Cluster cluster("wang-jsq-maxweight", 4);
    const auto chain = cluster.system().chain();
    expect_same_size(chain_graph(cluster.system(), chain));
    expect_same_size(neighbourhood_graph(cluster.system(), chain.states[9], 1));
    expect_same_size(neighbourhood_graph(cluster.system(), chain.states[9], 3));
    const std::vector<queueing::ExactState> path(30, chain.states[0]);
    expect_same_size(path_graph(cluster.system(), path));
}

/// The line that shows an edge; null for one back to its own node.
Agedge_t* drawn(const Parsed& graph, const Edge& edge) {
    Agnode_t* source = node(graph, "n" + std::to_string(edge.source));
    Agnode_t* target = node(graph, "n" + std::to_string(edge.target));
    Agedge_t* there = agedge(graph.get(), source, target, nullptr, 0);
    if (there != nullptr) return there;
    Agedge_t* back = agedge(graph.get(), target, source, nullptr, 0);
    return back != nullptr && attribute(back, "dir") == "both" ? back : nullptr;
}

TEST(Dot, DashesExactlyTheEdgesThatBreakATie) {
    const Cluster cluster("wang-jsq-maxweight", 2);
    const StateGraph graph = chain_graph(cluster.system(), cluster.system().chain());
    const Parsed parsed = parse(dot_text(graph));
    ASSERT_TRUE(parsed);
    std::size_t dashed = 0;
    for (const Edge& edge : graph.edges) {
        Agedge_t* line = drawn(parsed, edge);
        ASSERT_EQ(line == nullptr, edge.source == edge.target);
        if (line == nullptr) continue;
        EXPECT_EQ(attribute(line, "style") == "dashed", edge.tie);
        dashed += edge.tie ? 1 : 0;
    }
    EXPECT_GT(dashed, 0u);
    EXPECT_LT(dashed, graph.edges.size());
}

TEST(Dot, TellsEveryProbabilityOfAGraphByLevels) {
    const Cluster cluster("wang-jsq-maxweight", 2);
    const StateGraph graph = chain_graph(cluster.system(), cluster.system().chain());
    const Parsed parsed = parse(dot_text(graph));
    ASSERT_TRUE(parsed);
    std::size_t sums = 0;
    for (const Edge& edge : graph.edges) {
        const std::string probability = edge.probability->to_string();
        if (edge.source == edge.target) {
            const std::string label = attribute(node(parsed, "n" + std::to_string(edge.source)), "label");
            EXPECT_TRUE(label.ends_with("stays " + probability)) << label;
            continue;
        }
        Agedge_t* line = drawn(parsed, edge);
        EXPECT_NE(attribute(line, "label").find(probability + "<"), std::string::npos);
        const std::string said =
                              fmt::format("n{} to n{}: 1 move\\nprobability {}", edge.source, edge.target, probability),
                          tooltip = attribute(line, "tooltip");
        ASSERT_NE(tooltip.find(said), std::string::npos) << tooltip;
        Rational sum;
        for (const Rational& part : edge.parts) sum += part;
        EXPECT_EQ(sum, *edge.probability);
        const std::string rest = tooltip.substr(tooltip.find(said) + said.size());
        EXPECT_EQ(rest.starts_with(" = "), edge.parts.size() > 1) << tooltip;
        sums += edge.parts.size() > 1 ? 1 : 0;
    }
    EXPECT_GT(sums, 0u);
}

TEST(Dot, TellsKindsApartWithoutColour) {
    StateGraph graph;
    for (const auto kind : {Node::Kind::normal, Node::Kind::start, Node::Kind::highlighted, Node::Kind::collapsed})
        graph.nodes.push_back({{"x"}, kind, kind == Node::Kind::normal, 1, {}});
    const Parsed parsed = parse(dot_text(graph));
    EXPECT_NE(attribute(node(parsed, "n0"), "style").find("dashed"), std::string::npos);
    EXPECT_EQ(attribute(node(parsed, "n1"), "peripheries"), "2");
    EXPECT_EQ(attribute(node(parsed, "n2"), "penwidth"), "3");
    EXPECT_EQ(attribute(node(parsed, "n3"), "shape"), "box3d");
    EXPECT_NE(node(parsed, "more0"), nullptr);
}

TEST(Dot, ShowsFractionsAndKeepsLongOnesExactInTheTooltip) {
    StateGraph graph = with_line("x");
    graph.edges[0].probability = Rational(Integer(123457), Integer(1234567));
    const std::string dot = dot_text(graph);
    EXPECT_NE(dot.find("label=\" ≈0.1 \""), std::string::npos);
    EXPECT_NE(dot.find("probability 123457/1234567"), std::string::npos);
    graph.edges[0].probability = Rational(Integer(1), Integer(3));
    EXPECT_NE(dot_text(graph).find("label=\" 1/3 \""), std::string::npos);
}

TEST(Dot, IsDeterministicAndLabelsTheGraphWithItsOrigin) {
    const Cluster cluster("jsq-maxweight", 2);
    const auto text = [&] { return dot_text(chain_graph(cluster.system(), cluster.system().chain())); };
    EXPECT_EQ(text(), text());
    for (const char* part : {"two-servers", "jsq-maxweight", "truncation total 2", "cluster_legend"})
        EXPECT_NE(text().find(part), std::string::npos) << part;
}

TEST(Dot, SaysInTheLegendThatAndHowStatesWereMerged) {
    const Cluster cluster("wang-jsq-maxweight", 4);
    GraphOptions options;
    options.max_nodes = 8;
    const StateGraph graph = chain_graph(cluster.system(), cluster.system().chain(), options);
    const std::string sentence = graph.collapse->to_string(),
                      legend = dot_text(graph).substr(dot_text(graph).find("cluster_legend"));
    // The legend breaks long lines; a first line holds at least these characters of it.
    EXPECT_NE(legend.find(sentence.substr(0, 30)), std::string::npos);
    EXPECT_NE(legend.find("ties are not shown"), std::string::npos);
}

RC_GTEST_PROP(Dot, ShowsAnyTextAsItIs, ()) {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::element('\\', '"', '&', '<', '>', 'n', 'N', 'l', 'a', ';', '\n', ' ', '{', '|'));
    const Parsed parsed = parse(dot_text(with_line(text)));
    RC_ASSERT(static_cast<bool>(parsed));
    RC_ASSERT(shown(attribute(node(parsed, "n0"), "label")) == text);
}

RC_GTEST_PROP(Dot, SurvivesAnyBytes, ()) {
    const auto text = *rc::gen::arbitrary<std::string>();
    const Parsed parsed = parse(dot_text(with_line(text)));
    RC_ASSERT(static_cast<bool>(parsed));
    RC_ASSERT(agnnodes(parsed.get()) == 2);
}

TEST(Dot, KeepsUnicodeAndReplacesWhatIsNone) {
    EXPECT_EQ(escape_label("naïve π 語 𝛑"), "naïve π 語 𝛑");
    EXPECT_EQ(escape_label("a\x80z"), "a\uFFFDz");
    EXPECT_EQ(escape_label("\xC0\xAF"), "\uFFFD\uFFFD");
    EXPECT_EQ(escape_label("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");
    EXPECT_EQ(escape_label(std::string_view("a\0b", 3)), "a\uFFFDb");
    EXPECT_EQ(escape_html("<&\">\n"), "&lt;&amp;&quot;&gt;<BR ALIGN=\"LEFT\"/>");
}

TEST(Picture, DrawsSvgAndPngOfAwkwardNames) {
    auto data = testing::two_server_data();
    data.name = "a \"quoted\" \\N & <b>bold</b>\nname";
    data.servers[0].name = "s&lt;\\n\"π";
    const Cluster cluster("wang-jsq-maxweight", 1, data);
    const StateGraph graph = chain_graph(cluster.system(), cluster.system().chain());
    const std::string svg = picture(graph, PictureFormat::svg);
    EXPECT_NE(svg.find("</svg>"), std::string::npos);
    EXPECT_NE(svg.find("&quot;quoted&quot; \\N &amp; &lt;b&gt;bold&lt;/b&gt;"), std::string::npos);
    EXPECT_NE(svg.find("s&amp;lt;\\n&quot;π"), std::string::npos);
    EXPECT_EQ(picture(graph, PictureFormat::png).substr(1, 3), "PNG");
    EXPECT_EQ(svg, picture(graph, PictureFormat::svg));
}

TEST(Picture, RefusesWhatDotCannotLayOut) {
    StateGraph graph;
    for (std::size_t i = 0; i <= max_drawn_nodes; ++i) graph.nodes.push_back({{"x"}, Node::Kind::normal, false, 1, {}});
    EXPECT_THROW((void)picture(graph, PictureFormat::svg), LimitExceeded);
    graph.nodes.resize(max_drawn_nodes / 2 + 1);
    for (Node& n : graph.nodes) n.frontier = true;
    EXPECT_THROW((void)picture(graph, PictureFormat::svg), LimitExceeded);
    const GraphOptions defaults;
    EXPECT_LE(2 * defaults.max_nodes, max_drawn_nodes);
    EXPECT_LE(defaults.max_edges, max_drawn_edges);
}

}  // namespace
}  // namespace schedproof::graph
