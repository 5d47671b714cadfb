/// `schedproof delay` as its users meet it: the paper's numbers, JSON by its schema, pictures, complaints.
#include <gtest/gtest.h>

#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using namespace testing_support;

class DelayCli : public SchemaTest {
  protected:
    void expect_refused(const std::string& arguments, const std::string& words, int exit = 2) const {
        CommandTest::expect_refused("delay " + arguments, words, exit);
    }
};

TEST_F(DelayCli, AnswersThePapersExample) {
    expect_lines(
        "delay --slots 4 --task-time 50 --skips 0,24",
        {"cluster  100 nodes, 3 replicas of each task's data; each offer from any node alike",
         "goal     19/20 (approx. 0.95)",
         "   tasks       rule       D   least   slack  locality   printed       needed  worst wait  mean wait",
         "      20     23.105      24      23       1  0.953531   0.936234          28          50  3",
         "worst wait until then: ceil(D/S) T, if no task takes longer than T and slots are offered as they fall free",
         "mean wait until a job may launch anywhere: (D/S) T with S = 400 slots; a single wait may be longer",
         "      0    0.000000  0.274155", "     24    0.953531  0.936234"});
    expect_lines("delay --nodes 600 --tasks 400,10,10 --goal 9/10",
                 {"      10    138.630     139 ", "     400      4.939       5 "});
}

TEST_F(DelayCli, AnswersInJsonThatItsSchemaDescribes) {
    const ordered_json answer = json("delay", "delay --tasks 20,50 --slots 4 --task-time 50");
    EXPECT_EQ(answer["jobs"][0]["rule"]["skips"], 24);
    EXPECT_EQ(answer["jobs"][0]["rule"]["most"]["exact"], "4621/200");
    EXPECT_EQ(answer["jobs"][0]["least_skips"], 23);
    EXPECT_EQ(answer["jobs"][0]["least_skips_as_printed"], 28);
    EXPECT_EQ(answer["jobs"][0]["reached_as_printed"], false);
    EXPECT_EQ(answer["jobs"][0]["mean_wait"]["exact"], "3");
    EXPECT_EQ(answer["jobs"][0]["table"].size(), answer["jobs"][1]["table"].size());
    EXPECT_EQ(answer["jobs"][0]["sure_wait"]["exact"], "50");
    EXPECT_EQ(answer["local"], nullptr);
    const ordered_json offers = json("delay", "delay --skips 5,10 --local 0.1")["offers"];
    EXPECT_EQ(offers[1]["within"]["exact"], "6513215599/10000000000");
    EXPECT_EQ(offers[0]["launch"]["exact"], "468559/1000000");
}

TEST_F(DelayCli, AnswersWithTheProbabilityOfALocalTaskWithinDOffers) {
    expect_lines("delay --local 0.1 --skips 0,2,10,40",
                 {"p = 1/10 (approx. 0.1) of the offers are local",
                  "      0  0                                                 1/10 (approx. 0.1)",
                  "      2  19/100 (approx. 0.19)                             271/1000 (approx. 0.271)",
                  "     10  6513215599/10000000000 (approx. 0.651322)", "     40  0.985219117"});
    expect_refused("--local 3/2", "--local: expected 0 <= P <= 1, not 3/2");
    expect_refused("--local 1/3 --skips 1000000", "too long a fraction", 3);
}

TEST_F(DelayCli, DrawsLocalityAgainstD) {
    const std::string again = good("delay --picture d.svg --tasks 5,50");
    EXPECT_TRUE(contains(read("d.svg"), "50 tasks, algorithm as printed"));
    EXPECT_EQ(good("delay --picture d.png --tasks 5,50"), again);
    EXPECT_TRUE(read("d.png").starts_with("\x89PNG"));
}

TEST_F(DelayCli, WrongOptionsAreNamed) {
    expect_refused("--goal 1", "--goal: expected 0 <= GOAL < 1, not 1");
    expect_refused("--goal -1/2", "--goal: expected 0 <= GOAL < 1, not -1/2");
    expect_refused("--goal much", "--goal: expected");
    expect_refused("--task-time 0", "--task-time: expected a time above 0, not 0");
    expect_refused("--nodes 0", "--nodes");
    expect_refused("--tasks 3,x", "--tasks");
    expect_refused("--picture d.gif", "d.gif: expected a picture's name that ends with .svg, .png, .pdf or .tikz");
    expect_refused("--nodes 1000 --tasks 1000 --skips 1000000", "delay analysis", 3);
    expect_refused("--nodes 1000000 --tasks 1000000", "more than 50000 tasks", 3);
}

}  // namespace
}  // namespace schedproof
