#include "checks/pictures/assignment_picture.hpp"

#include <graphviz/cgraph.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <regex>
#include <set>
#include <string>

#include "checks/assignment/exhibit.hpp"
#include "checks/assignment/witnesses.hpp"
#include "checks/pictures/render.hpp"
#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "policies/assignment/dyndloff.hpp"
#include "tests/checks/parsed_dot.hpp"

namespace schedproof::graph {
namespace {

using namespace assignment;
using checks::assignment_witness;

Assignment on(const std::vector<std::size_t>& cores) {
    Assignment result;
    for (const std::size_t p : cores) result.emplace_back(p);
    return result;
}
const AssignmentNames table_2_names{
    {"t1", "t2", "t3", "t4", "t5"}, {"s1", "s2", "s3", "s4"}, {"p11", "p12", "p21", "p22", "p31", "p32", "p41", "p42"}};

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}
bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

TEST(AssignmentGraph, HasAnArcPerReplicaAndPerRemoteTask) {
    const Problem<Rational> problem = assignment_witness("table-2").problem;
    const std::string local = assignment_graph(problem, on({2, 6, 2, 3, 6}), {"title"}, {}, table_2_names);
    const Parsed parsed = parse(local);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(agnedges(parsed.get()), 10);
    EXPECT_EQ(agnnodes(parsed.get()), 9);
    EXPECT_EQ(count(local, "dir=back"), 5u);
    EXPECT_FALSE(has(local, "dashed"));
    EXPECT_TRUE(has(local, "makespan 9/2"));
    EXPECT_TRUE(has(local, "<b>5/2 &#8594; 9/2</b>"));

    const std::string remote = assignment_graph(problem, on({0, 1, 2, 2, 4}), {}, {}, table_2_names);
    EXPECT_EQ(agnedges(parse(remote).get()), 11);
    EXPECT_EQ(count(remote, "style=dashed"), 1u);
    EXPECT_TRUE(has(remote, "1 remote, <font color=\"#B35900\">3/2 each</font>"));
}

TEST(AssignmentGraph, NumbersTheStepsOfAPath) {
    const Problem<Rational> problem = assignment_witness("table-2").problem;
    const AlternatingPath path{{ServerId(3), ServerId(1), ServerId(0)}, {TaskId(1), TaskId(0)}};
    const std::string dot = assignment_graph(problem, on({2, 6, 2, 3, 6}), {}, path, table_2_names);
    EXPECT_EQ(count(dot, "penwidth=3.2"), 4u);
    for (const char* arc : {"t1:e -> s3:c0:w", "t1:e -> s1:s:w", "t0:e -> s1:c0:w", "t0:e -> s0:s:w"})
        EXPECT_TRUE(has(dot, arc)) << arc;
    EXPECT_THROW((void)assignment_graph(problem, on({2, 6, 2, 3, 6}), {}, {{ServerId(3)}, {TaskId(1)}}),
                 ContractViolation);
    EXPECT_THROW((void)assignment_graph(problem, on({0, 6, 2, 3, 6}), {}, path), ContractViolation);
}

/// What is written in an SVG, whatever the fonts made of its layout.
std::multiset<std::string> words(const std::string& svg) {
    static const std::regex text("<text[^>]*>([^<]+)</");
    std::multiset<std::string> found;
    for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) found.insert((*it)[1]);
    return found;
}

/// With SCHEDPROOF_UPDATE_DOCS=1 in the environment the picture of the documents is written anew.
void expect_shown(const std::string& dot, const std::string& figure) {
    const std::string file = SCHEDPROOF_SOURCE_DIR "/docs/figures/" + figure, now = picture(dot, PictureFormat::svg);
    if (std::getenv("SCHEDPROOF_UPDATE_DOCS") != nullptr) base::write_file(file, now);
    EXPECT_GT(words(now).size(), 10U);
    EXPECT_EQ(words(now), words(base::read_text(file, std::size_t{1} << 20U))) << figure;
}

/// The start of Phase I, its path and what flipping it gives, in the paper's numbers. s3 is named before s2, so that
/// their tie falls as there; t4 changes places with t3, whose data are on the same servers.
TEST(AssignmentGraph, ShowsTheWorkedExampleOfPhaseOne) {
    const Problem<Rational> problem = checks::problem_of({"3/4 1/2", "9/4 14", "1/4 2", "5/2 15/4"},
                                                         {{0, 2}, {2, 3}, {1, 2}, {1, 2}, {1, 3}}, {"3/2 +1/2"});
    const AssignmentNames names{{"t1", "t2", "t3", "t4", "t5"},
                                {"s1", "s3", "s2", "s4"},
                                {"p11", "p12", "p31", "p32", "p21", "p22", "p41", "p42"}};
    Counters counters;
    const Assignment initial = CostReducingPaths(problem, Settle::reached, false, counters).initial().assignment();
    EXPECT_EQ(evaluate(problem, initial).makespan, Rational(7) / Rational(2));
    const AlternatingPath path{{ServerId(3), ServerId(1), ServerId(2), ServerId(0)}, {TaskId(4), TaskId(3), TaskId(0)}};
    expect_shown(assignment_graph(problem, initial, {"the initial assignment, and a cost-reducing path"}, path, names),
                 "jin2018-3b.svg");

    const Assignment balanced = DynDlOff{}.balance(problem).assignment();
    EXPECT_EQ(evaluate(problem, balanced).makespan, Rational(13) / Rational(4));
    for (std::size_t i = 0; i < path.tasks.size(); ++i)
        EXPECT_EQ(problem.shape->server_of(balanced[path.tasks[i].index()]), path.servers[i + 1]);
    expect_shown(assignment_graph(problem, balanced, {"with the path flipped: balanced"}, {}, names), "jin2018-3c.svg");
}

TEST(LoadBars, DrawEveryTaskAndCutIdleCoresOff) {
    const Problem<Rational> problem = assignment_witness("table-2").problem;
    const std::string dot = load_bars(problem, {{"before", on({0, 6, 2, 2, 4})}, {"after", on({0, 1, 2, 2, 3})}},
                                      {"Table 2"}, table_2_names);
    ASSERT_TRUE(parse(dot));
    EXPECT_EQ(count(dot, ": local 1\""), 8u);
    EXPECT_EQ(count(dot, ": remote 3/2\""), 2u);
    EXPECT_EQ(count(dot, "makespan 7/2"), 2u);
    EXPECT_EQ(count(dot, "initial load 14\""), 2u);
    EXPECT_TRUE(has(picture(dot, PictureFormat::svg), "<svg"));
    EXPECT_EQ(picture(dot, PictureFormat::png).substr(1, 3), "PNG");
    EXPECT_EQ(dot, load_bars(problem, {{"before", on({0, 6, 2, 2, 4})}, {"after", on({0, 1, 2, 2, 3})}}, {"Table 2"},
                             table_2_names));
}

TEST(LoadBars, NamesAreShownAsTheyAre) {
    const Problem<Rational> problem = assignment_witness("property-1.2").problem;
    const AssignmentNames names{{"<a & \"b\">", "t\\n"}, {}, {}};
    const std::string bars = load_bars(problem, {{"\"", on({1, 0})}}, {"x < y & z"}, names);
    EXPECT_TRUE(has(picture(bars, PictureFormat::svg), "x &lt; y &amp; z"));
    const std::string graph = assignment_graph(problem, on({1, 0}), {"x < y & z"}, {}, names);
    EXPECT_TRUE(has(picture(graph, PictureFormat::svg), "x &lt; y &amp; z"));
}

TEST(AssignmentPictures, ExhibitEveryRefutation) {
    for (const checks::NamedProperty& property : checks::dyndloff_properties()) {
        if (property.holds) continue;
        const Problem<Rational> problem = assignment_witness(property.witness).problem;
        const checks::Exhibit exhibit = checks::exhibit(property, problem, property.under_test());
        EXPECT_TRUE(parse(exhibit.loads_dot(problem, {"title"}))) << property.id;
        EXPECT_TRUE(parse(exhibit.graph_dot(problem, {"title"}))) << property.id;
        EXPECT_EQ(!exhibit.path.tasks.empty(), property.id.find("constraint-2") != std::string::npos) << property.id;
    }
}

TEST(AssignmentPictures, StateTheirLimits) {
    const Problem<Rational> problem = checks::ratio_two_problem(max_drawn_cores);
    Assignment all(problem.shape->tasks().size(), CoreId(0));
    EXPECT_THROW((void)load_bars(problem, {{"", all}}, {}), LimitExceeded);
    EXPECT_THROW((void)assignment_graph(problem, all, {}), LimitExceeded);
    const Problem<Rational> small = assignment_witness("property-1.2").problem;
    EXPECT_THROW((void)load_bars(small, std::vector<LoadPanel>(5, {"", on({1, 0})}), {}), LimitExceeded);
    EXPECT_THROW((void)load_bars(small, {}, {}), ContractViolation);
}

}  // namespace
}  // namespace schedproof::graph
