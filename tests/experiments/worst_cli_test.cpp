/// `schedproof worst` and `schedproof optimum` as their users meet them: text, JSON under the published schemas, exit
/// codes, instance files that read back, complaints.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using nlohmann::ordered_json;
using testing_support::Answer;
using testing_support::contains;

class WorstCommand : public testing_support::SchemaTest {};

const std::string two_tasks = "worst -p dyndloff --shape 1,1,1:01/2 --costs common";

TEST_F(WorstCommand, FindsTheSupremumAndWritesItsInstance) {
    expect_lines(
        two_tasks + " --instance-out worst.toml",
        {"verdict       Proved: the exact supremum",
         "statement     the makespan of dyndloff is at most 3/2 times the least, for all initial loads: servers with "
         "1, 1, 1 cores, tasks with replicas on {0, 1}, {2}; all costs of remote tasks, the same on all servers; it "
         "is attained",
         "ratio         3/2 (approx. 1.5)", "its ratio     3/2 (approx. 1.5)", "instance      worst.toml"});
    // What was written is an instance: its optimum is the one reported.
    const ordered_json optimum = json("optimum", "optimum worst.toml --method all");
    const ordered_json worst = json("worst", two_tasks);
    EXPECT_EQ(worst["proved"], "supremum");
    EXPECT_EQ(worst["attained"], true);
    EXPECT_EQ(worst["witness"]["optimum"], optimum["value"]);
    EXPECT_EQ(worst["witness"]["ratio"]["exact"], "3/2");
    EXPECT_EQ(json("worst", two_tasks + " --competitor free")["competitors"], 0);
}

TEST_F(WorstCommand, CertifiesWhatItProves) {
    const auto certified = [&](const std::string& command, const std::string& words) {
        SCOPED_TRACE(command);
        EXPECT_TRUE(contains(run(command + " --certificate c.json").out, "certificate   c.json\n"));
        const Answer answer = run("certify c.json");
        EXPECT_EQ(answer.exit, 0) << answer.out;
        EXPECT_TRUE(contains(answer.out, words)) << answer.out;
        expect_schema("certificate", read("c.json"), {"wait", "ratio", "approach", "lower"});
    };
    certified(two_tasks,
              "the makespan of dyndloff is at most 3/2 times the least, for all initial loads: servers with "
              "1, 1, 1 cores, tasks with replicas on {0, 1}, {2}; all costs of remote tasks, the same on "
              "all servers; it is attained. It is shown by 1,1,1:01/2 with L[0.0] = ");
    certified("worst -p hadoop --shape 1,1:0/1 --costs affine:1/2", "it is approached and never attained");
    certified("worst -p hadoop --shape 1,1:0/1 --costs any",
              "no factor bounds the makespan of the event loop of hadoop");
    certified("worst -p dyndloff --shape 1,1:0/1 --at-most 2", "is at most 2 times the least");
    certified("worst -p hadoop --shape 'servers=1..2 cores=1 tasks=1'", "all 4 shapes of servers=1..2 cores=1 tasks=1");
    const std::string text = read("c.json");
    const std::string from = "\"policy\": \"hadoop\"";
    ASSERT_TRUE(contains(text, from));
    std::string other = text;
    write("other.json", other.replace(other.find(from), from.size(), "\"policy\": \"list\""));
    EXPECT_EQ(run("certify other.json").exit, 1);
    expect_refused(two_tasks + " --grid 0,1 --certificate c.json", "--certificate");
    EXPECT_TRUE(contains(run("worst -p srpt+r --shape n2-m2-two-point:3,0 --certificate jobs.json").out,
                         "certificate   jobs.json, that it is not exceeded\n"));
    EXPECT_TRUE(
        contains(run("certify jobs.json").out, "the total flowtime of srpt+r at speed 1 is at most 10/9 times"));
    (void)good("worst -p srpt+r --shape n2-m2-two-point:3,0 --speed 2 --certificate faster.json");
    EXPECT_TRUE(
        contains(good("certify faster.json"), "the total flowtime of srpt+r at speed 2 is at most 5/9 times that of"));
    write("slower.json", testing_support::replaced(read("faster.json"), "n2-m2-s2-", "n2-m2-s3/2-"));
    EXPECT_EQ(run("certify slower.json").exit, 1);
    expect_refused("worst -p srpt+r --shape n2-m2-s2-det", "--shape: expected no speed here: --speed says it");
}

/// The order that decides: hadoop takes the flexible task first or last.
TEST_F(WorstCommand, ARangeCoversEveryOrder) {
    const ordered_json range = json("worst", "worst -p hadoop --shape 'servers=2 cores=1 tasks=2'");
    EXPECT_EQ(range["shapes"], 9);
    EXPECT_EQ(range["ratio"]["exact"], "2");
    EXPECT_EQ(range["proved"], "supremum");
    EXPECT_EQ(json("worst", "worst -p hadoop --shape '1,1:01/0'")["ratio"]["exact"], "2");
    EXPECT_EQ(json("worst", "worst -p hadoop --shape '1,1:0/01'")["ratio"]["exact"], "3/2");
    expect_refused("worst -p hadoop --shape 1,1:0/1@3/2", "expected no costs after the shape");
}

TEST_F(WorstCommand, SentencesNameEveryParameter) {
    std::set<std::string> sentences;
    for (const char* wait : {"0", "1", "2", "3"})
        for (const char* makespan : {"events", "map"})
            sentences.insert(json("worst", fmt::format("worst -p delay --shape 1,1:0/1 --wait {} --makespan {}", wait,
                                                       makespan))["statement"]);
    EXPECT_EQ(sentences.size(), 8U);
    for (const std::string& sentence : sentences)
        EXPECT_TRUE(contains(sentence, " of delay (W = ") && contains(sentence, "pick lowest")) << sentence;
    EXPECT_TRUE(
        contains(std::string(json("worst", "worst -p delay --shape 1,1:0/1 --grid 0,1 --wait 5/2")["statement"]),
                 "the makespan of the event loop of delay (W = 5/2, pick lowest) is at most"));
    EXPECT_TRUE(contains(
        std::string(json("worst-at-most", "worst -p delay --shape 1,1:0/1 --at-most 9 --wait 5/2")["statement"]),
        "the makespan of the event loop of delay (W = 5/2, pick lowest) is at most 9 times the least"));
}

TEST_F(WorstCommand, ProvesOrRefutesARatio) {
    EXPECT_EQ(json("worst-at-most", two_tasks + " --at-most 3/2")["verdict"], "proved");
    const ordered_json refuted = json("worst-at-most", two_tasks + " --at-most 7/5 --instance-out bad.json", 1);
    EXPECT_EQ(refuted["verdict"], "refuted");
    EXPECT_EQ(refuted["instance"], "bad.json");
    EXPECT_EQ(run("show bad.json").exit, 0);
    EXPECT_EQ(json("worst-at-most", two_tasks + " --at-most 3/2 --max-cells 3", 3)["verdict"], "unknown");
}

TEST_F(WorstCommand, UnboundedRatiosGridsAndRanges) {
    const ordered_json hadoop = json("worst", "worst -p hadoop --shape 1,1:0/1 --costs any");
    EXPECT_EQ(hadoop["ratio"], nullptr);
    EXPECT_EQ(hadoop["proved"], "supremum");
    const ordered_json on_grid =
        json("worst", "worst -p dyndloff --shape '2,1:0/1' --costs affine:1/2 --grid 0:1:1/2 --instance-out grid.json");
    EXPECT_EQ(on_grid["proved"], "grid");
    EXPECT_EQ(on_grid["cases"], 27);
    EXPECT_EQ(on_grid["ratio"]["exact"], "4/3");
    const ordered_json range =
        json("worst", "worst -p dyndloff --shape 'servers=2 cores=1 tasks=2' --costs affine:1/2");
    EXPECT_EQ(range["shapes"], 9);
    EXPECT_EQ(range["proved"], "supremum");
    const ordered_json ended = json("worst", two_tasks + " --max-cells 5", 3);
    EXPECT_EQ(ended["proved"], "lower-bound");
}

TEST_F(WorstCommand, FindsOptima) {
    const std::string instance = "experiments/instances/assignment/theorem-4-output.toml";
    const ordered_json optimum = json("optimum", "optimum " + instance + " --method all --smtlib better.smt2");
    EXPECT_EQ(optimum["value"]["exact"], "6");
    EXPECT_EQ(optimum["ways"].size(), 3U);
    EXPECT_TRUE(contains(read("better.smt2"), "(check-sat)"));
    EXPECT_EQ(json("optimum", "optimum " + instance + " --local")["value"]["exact"], "7");
    EXPECT_EQ(json("optimum", "optimum " + instance + " --deadline 5")["value"], nullptr);
    EXPECT_EQ(json("optimum", "optimum " + instance + " --rlimit 1", 3)["verdict"], "unknown");
    expect_lines("optimum " + instance, {"answer        6", "by solver     the solver refuted anything better; "});
}

TEST_F(WorstCommand, SetsRedundancyPoliciesAgainstTheOptimum) {
    const std::string two_jobs = "worst -p srpt+r --shape n2-m2-two-point:3,0";
    expect_lines(two_jobs + " --speed 2 --instance-out worst-jobs.toml",
                 {"verdict       Proved: the exact supremum",
                  "statement     the total flowtime of srpt+r at speed 2 is at most 5/9 times the optimum at speed 1 "
                  "(no multitasking, decisions at arrivals and departures), for all arrivals and sizes: 2 jobs on 2 "
                  "machines, two-point:3,0; it is attained",
                  "proved bound  14 (Theorem 1)", "proved bound  7/2 (approx. 3.5) (Theorem 1, strengthened)",
                  "instance      worst-jobs.toml"});
    EXPECT_EQ(run("show worst-jobs.toml").exit, 0);
    const ordered_json unit = json("worst-redundancy", two_jobs);
    EXPECT_EQ(unit["ratio"]["exact"], "10/9");
    EXPECT_EQ(unit["witness"]["ratio"]["exact"], "10/9");
    EXPECT_EQ(unit["bounds"].size(), 0U);
    const ordered_json on_grid =
        json("worst-redundancy", "worst -p laps+r --shape n2-m2-b1/2-two-point:3,0 --speed 4 --grid 1:3:1 --gaps 0,1");
    EXPECT_EQ(on_grid["proved"], "grid");
    EXPECT_EQ(on_grid["cases"], 18);
    EXPECT_EQ(json("worst-redundancy", two_jobs + " --max-cells 3", 3)["proved"], "lower-bound");
    expect_refused(two_jobs + " --costs any", "cannot be used with a policy of the redundancy family");
    expect_refused(two_jobs + " --speed 0", "expected a speed above 0");
    expect_refused(two_jobs + " --grid 0,1", "expected sizes above 0");
    expect_refused(two_jobs + " --grid 0:1", "FROM:TO:STEP");
    expect_refused(two_jobs + " --grid 1,2 --gaps=-1", "expected gaps of at least 0");
    expect_refused(two_jobs + " --grid 1:9:1/9 --max-problems 10", "more than 10 problems", 3);
    expect_refused("worst -p srpt+r --shape n2-m2-b1/2-det", "expected no beta");
    expect_refused("worst -p srpt+r --shape 1,1:0/1", "shape");
    expect_refused("worst -p dyndloff --shape 1,1:0/1 --speed 2", "--speed");
}

TEST_F(WorstCommand, RefusesWhatMakesNoSense) {
    const std::string shape = " --shape 1,1:0/1";
    expect_refused("worst -p dyndlofff" + shape, "did you mean 'dyndloff'");
    expect_refused("worst -p dyndloff --shape 1,1", "expected cores per server, a colon");
    expect_refused("worst -p dyndloff --shape 1,1:", "expected a task");
    expect_refused("worst -p dyndloff --shape 'server=2 cores=1 tasks=1'", "did you mean 'servers'");
    expect_refused("worst -p dyndloff --costs table:1" + shape, "above 1");
    expect_refused("worst -p dyndloff --costs linear:1" + shape, "linear");
    expect_refused("worst -p dyndloff --costs affine:1 --costs affine:1 --costs affine:1" + shape, "one for each of 2");
    expect_refused("worst -p dyndloff --grid 0:1" + shape, "FROM:TO:STEP");
    expect_refused("worst -p dyndloff --grid=-1,2" + shape, "at least 0");
    expect_refused("worst -p dyndloff --grid 0,1 --costs any" + shape, "costs in numbers");
    expect_refused("worst -p dyndloff --grid 0:1:1/100 --max-problems 100" + shape, "more than 100 problems", 3);
    expect_refused("optimum missing.toml", "missing.toml");
    expect_refused("optimum experiments/instances/assignment/theorem-4-output.toml --deadline soon", "--deadline");
}

}  // namespace
}  // namespace schedproof
