/// `schedproof simulate` with policies of the redundancy family as a process: tables, files, pictures, and what it
/// refuses.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "model/redundancy/codec/codec.hpp"
#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using namespace testing_support;
using nlohmann::json;

const std::string data = std::string("'") + SCHEDPROOF_SOURCE_DIR + "/tests/data/";
const std::string trace = data + "swim/small.tsv'", grid = data + "availability/grid.csv'";
const std::string six = "simulate -p srpt -p srpt+r -p fair -p fair+r -p laps -p laps+r ";

class SimulateRedundancyCli : public CommandTest {
  protected:
    void expect_refused(const std::string& arguments, const std::string& words) const {
        CommandTest::expect_refused("simulate -p srpt " + arguments, words);
    }
};

/// Two machines, a job of size 3 at 0 and one of size 1 at 1: srpt takes 3 and 1; srpt+r, which works at rate 2 on one
/// job, 5/3 in the mean.
TEST_F(SimulateRedundancyCli, PrintsATableOfATrace) {
    write("two.tsv", "a\t5\t0\t402653184\t0\t0\nb\t6\t1\t1\t0\t0\n");
    const std::string run =
        "simulate -p srpt -p srpt+r --trace two.tsv --machines 2 --service two-point:2,0 --within 2";
    const std::string text = good(run);
    EXPECT_TRUE(
        text.starts_with("jobs      2 of two.tsv in 1 s, mean size 2; load 2\n"
                         "machines  2 at speed 1, service two-point:2,0 in continuous time\n"
                         "engine    events: mean service\n"
                         "input     two.tsv, SHA-256 "))
        << text;
    for (const std::string row :
         {"\nruns      1 to the last job, seed 1\n", "\nflowtime       second      2   1.667\n",
          "\ndone within 2            0.5     0.5\n", "\nactive jobs    job     1.333   1.429\n"})
        EXPECT_TRUE(contains(text, row)) << row << text;
    EXPECT_EQ(json::parse(good(run + " --format json"))["points"][0]["policies"][0]["work"], 4);
}

TEST_F(SimulateRedundancyCli, CountsJobsWithoutWork) {
    write("two.tsv", "z\t4\t0\t0\t0\t0\na\t5\t1\t402653184\t0\t0\t\t\nz\t5\t0\t0\t0\t0\nb\t6\t1\t1\t0\t0\t\t\n");
    EXPECT_TRUE(good("simulate -p srpt --trace two.tsv --machines 2 --service det")
                    .starts_with("jobs      2 of two.tsv in 1 s, mean size 2; load 2; 2 without bytes passed over\n"));
    const std::string log = good("simulate -p srpt --trace " + data + "swf/small.swf' --machines 2 --service det");
    EXPECT_TRUE(contains(log, "; 2 without run time or processors passed over\n")) << log;
}

TEST_F(SimulateRedundancyCli, RunsEveryModelAndTheSameOnAnyThreads) {
    for (const std::string& arguments :
         {six + "--trace " + trace + " --scale 5 --availability " + grid,
          six + "--trace " + trace + " --size bytes --periods B --machines 7 --replications 3",
          six + std::string("--rate 0.5 --mean-size 4 --horizon 300 --machines 5 --replications 2"),
          six + std::string(
                    "--sizes exponential:3 --horizon 200 --machines 9 --service gains:1,3/2,7/4@2 --speed 5/4")}) {
        const std::string table = good(arguments + " --threads 1");
        EXPECT_TRUE(contains(table, "\nquantity ")) << table;
        EXPECT_TRUE(contains(table, "laps+r")) << table;
        EXPECT_EQ(good(arguments + " --threads 4"), table);
    }
}

TEST_F(SimulateRedundancyCli, AnswersInJsonThatItsSchemaDescribes) {
    static_cast<void>(good(six + "--horizon 200 --machines 20 -o one.json --format json"));
    static_cast<void>(
        good("simulate --replications 4 --beta 1/2 --beta 7/25 -p laps+r -p srpt --horizon 300 --machines 20 "
             "--within 30 -o four.json --format json"));
    static_cast<void>(good(six + "--trace " + trace + " --availability " + grid + " -o trace.json --format json"));
    const Answer valid = validated("simulate", "one.json four.json trace.json");
    EXPECT_EQ(valid.exit, 0) << valid.out;
    const json point = json::parse(read("four.json"))["points"][0];
    ASSERT_EQ(point["policies"].size(), 3U);
    EXPECT_EQ(point["policies"][1]["policy"], "laps+r 7/25");
    EXPECT_NEAR(point["policies"][1]["parameter"], 0.28, 1e-12);
    EXPECT_TRUE(point["policies"][2]["parameter"].is_null());
    for (const json& policy : point["policies"]) {
        const json& flowtime = policy["quantities"][0];
        EXPECT_EQ(flowtime["means"].size(), 4U);
        EXPECT_EQ(policy["work"], 2 * flowtime["weight"].get<int>());
        EXPECT_GT(flowtime["half_width"], 0);
        EXPECT_EQ(policy["quantities"][1]["name"], "done within 30");
    }
    EXPECT_EQ(json::parse(read("trace.json"))["points"][0]["inputs"].size(), 2U);
}

/// Kept, cut into parts and put together, the same bytes; a precision is reached; what is drawn is found in a sweep.
TEST_F(SimulateRedundancyCli, ItsRunsAreAStudy) {
    const std::string study = "simulate -p srpt -p laps+r --beta 1/2 --beta 1 --horizon 200 --machines 20 ";
    const std::string table = good(study + "--replications 4");
    EXPECT_EQ(good(study + "--replications 4 --resume kept"), table);
    EXPECT_EQ(good(study + "--replications 4 --resume kept"), table);
    for (const std::string part : {"1/2", "2/2"}) (void)good(study + "--replications 4 --resume parts --shard " + part);
    EXPECT_EQ(good("merge parts"), table);
    const std::string runs = good(study + "--replications 2 --dry-run");
    EXPECT_TRUE(contains(runs,
                         "p0000-c02-r000001.json  schedproof simulate --horizon 200 --machines 20 --policy laps+r "
                         "--beta 1 --first 1 --replications 1\n"))
        << runs;
    EXPECT_TRUE(contains(good(study + "--replications 20 --precision 20%"), "+- is the half width"));
    EXPECT_TRUE(contains(good(study + "--replications 2 --format csv"), ",done within 40 mean (1),"));
    write("s.toml", "[simulate]\npolicy = \"srpt+r\"\nhorizon = 200\nmachines = 20\n[grid]\nrate = [0.5, 1]\n");
    EXPECT_TRUE(contains(good("sweep s.toml"), "== rate 1\n"));
    write("changed.tsv", "a\t5\t0\t402653184\t0\t0\n");
    const std::string traced = "simulate -p srpt --trace changed.tsv --service det --resume traced";
    (void)good(traced);
    write("changed.tsv", "a\t5\t0\t302653184\t0\t0\n");
    CommandTest::expect_refused(traced, "but changed.tsv has changed since");
}

TEST_F(SimulateRedundancyCli, WritesJobsAndPictures) {
    static_cast<void>(good("simulate -p srpt+r -p fair+r --trace " + trace +
                           " --machines 8 --service det --flowtimes jobs.csv --picture cdf.svg"));
    const std::string rows = read("jobs.csv"), svg = read("cdf.svg");
    EXPECT_TRUE(rows.starts_with("policy,replication,job,arrival,size,flowtime\nsrpt+r,0,0,0,4,4\n"))
        << rows.substr(0, 120);
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 121);
    EXPECT_TRUE(contains(svg, "</svg>"));
    EXPECT_TRUE(contains(svg, "fair+r"));
    EXPECT_TRUE(contains(svg, "fraction at most this large"));
    EXPECT_FALSE(contains(svg, "Batch means"));
    // Lines stand in the order of the runs, whichever end first.
    const std::string many = "simulate -p srpt -p fair --horizon 100 --machines 9 --replications 5 --first 3 ";
    static_cast<void>(good(many + "--threads 1 --flowtimes one.csv"));
    static_cast<void>(good(many + "--threads 4 --flowtimes four.csv"));
    EXPECT_EQ(read("one.csv"), read("four.csv"));
    EXPECT_TRUE(contains(read("one.csv"), "\nfair,3,") && contains(read("one.csv"), "\nsrpt,7,"));
    for (const std::string option : {"--resume kept", "--precision 5%"})
        expect_refused("--flowtimes x.csv " + option, "--flowtimes: cannot be used with --resume or --precision");
    EXPECT_FALSE(std::filesystem::exists(at("x.csv")));
    static_cast<void>(good(six + "--horizon 100 --machines 9 --picture cdf.png"));
    EXPECT_TRUE(read("cdf.png").starts_with("\x89PNG"));
}

const std::string shared = "experiments/instances/redundancy/";

/// docs/models/redundancy.md: at unit speed SRPT+R takes 73/10 on this instance, and the optimum 33/5.
TEST_F(SimulateRedundancyCli, SchedulesOfAnInstanceAreExact) {
    const std::string instance = shared + "srpt-r-not-optimal.toml";
    const std::string text = good("simulate " + instance + " -p srpt -p srpt+r");
    EXPECT_TRUE(contains(text, "\nsrpt+r\n  total flowtime 73/10 (approx. 7.3)\n")) << text;
    static_cast<void>(good("simulate " + instance + " -p srpt -p srpt+r --format json -o a.json"));
    const json answer = json::parse(read("a.json"));
    EXPECT_EQ(validated("redundancy-schedule", "a.json").out, "");
    for (const json& policy : answer["policies"]) {
        const json& intervals = policy["intervals"];
        for (std::size_t i = 1; i < intervals.size(); ++i) EXPECT_EQ(intervals[i]["start"], intervals[i - 1]["end"]);
        EXPECT_EQ(intervals.back()["waiting"], json::array());
    }
    json spoiled = answer;
    spoiled["policies"][0]["jobs"][0]["completion"] = 4;
    write("spoiled.json", spoiled.dump());
    EXPECT_EQ(validated("redundancy-schedule", "spoiled.json").exit, 1);
}

/// Speed and beta are the file's, unless they are given.
TEST_F(SimulateRedundancyCli, AnInstanceBringsItsSpeedAndBeta) {
    const std::string run = "simulate " + shared + "example.toml -p laps+r ";
    const json own = json::parse(good(run + "--format json"));
    EXPECT_EQ(own["speed"]["exact"], "5/4");
    EXPECT_EQ(own["policies"][0]["beta"]["exact"], "3/4");
    EXPECT_EQ(good(run + "--speed 5/4 --beta 3/4"), good(run));
    const json other = json::parse(good(run + "--format json --speed 2 --beta 1/2 --beta 1"));
    EXPECT_EQ(other["speed"]["exact"], "2");
    EXPECT_EQ(other["policies"].size(), 2U);
    write("empty.toml", "family = \"redundancy\"\nname = \"e\"\nmachines = 1\nservice = \"det\"\njobs = []\n");
    EXPECT_TRUE(contains(good("simulate empty.toml -p srpt"), "total flowtime 0\n"));
}

TEST_F(SimulateRedundancyCli, WhatAnInstanceSaysIsNotSaidAgain) {
    const std::string instance = shared + "example.toml ";
    for (const std::string option : {"--machines 2", "--service det", "--seed 2", "--replications 2", "--horizon 9",
                                     "--within 3", "--flowtimes j.csv", "--picture a.svg", "--rate 1"})
        expect_refused(instance + option,
                       option.substr(0, option.find(' ')) + ": cannot be used with " + shared + "example.toml");
    // A policy of one's own is one of those that may be given.
    (void)good("new-policy oldest --family redundancy");
    EXPECT_TRUE(contains(good("simulate " + instance + "-p srpt --policy-file oldest.hpp -p oldest"), "oldest"));
    expect_refused(instance + "--speed 0", "--speed: expected a speed above 0, not 0");
    expect_refused("experiments/instances/m2-half.toml", "m2-half.toml:");
    write("late.toml",
          "family = \"redundancy\"\nname = \"e\"\nmachines = 1\nservice = \"det\"\n"
          "jobs = [{arrival = 2, size = 1}, {arrival = 1, size = 1}]\n");
    expect_refused("late.toml", "late.toml:5: jobs");
    write("clock.toml", "family = \"redundancy\"\nname = \"e\"\nmachines = 1\nservice = \"periodic\"\njobs = []\n");
    expect_refused("clock.toml", "clock.toml:4: service");
}

TEST_F(SimulateRedundancyCli, WrongOptionsAreNamed) {
    expect_refused("--speed 0", "--speed: expected a speed above 0, not 0");
    expect_refused("--speed -2", "--speed: expected a speed above 0, not -2");
    expect_refused("--beta 0", "--beta: expected 0 < beta <= 1, not 0");
    expect_refused("--beta 3/2", "--beta: expected 0 < beta <= 1, not 3/2");
    expect_refused("-p srtp",
                   "--policy: expected a policy of the queueing, the redundancy or the sharing family, not 'srtp' (did "
                   "you mean 'srpt'?)");
    expect_refused("-p fifo",
                   "--policy: expected policies of one family, not fifo (queueing) beside srpt (redundancy)");
    expect_refused("-p srpt", "--policy: expected each policy once, but srpt stands twice");
    expect_refused("--service gains:1,3/2,5/2", "--service: expected a concave table");
    expect_refused("--service gains:1,2,3@2", "--service: expected gains of at most the peak rate 2");
    expect_refused("--service periodic", "--service: expected a service linear in time");
    expect_refused("--periods C", "--periods: expected one of A, B, not 'C'");
    expect_refused("--sizes constant:0", "--sizes: expected constant:X with X above 0");
    expect_refused("--rate 0", "--rate: expected a rate above 0, not 0");
    expect_refused("--horizon 1e-9", "--horizon: expected a horizon within which jobs arrive");
    expect_refused("--horizon 1e9", "--horizon: expected at most 20000000 jobs");
    expect_refused("--confidence 1", "--confidence: expected a number above 0 and below 1");
    expect_refused("--trace " + trace + " --rate 2", "--rate excludes --trace");
    expect_refused("--trace " + trace + " --sizes constant:1", "--sizes: cannot be used with --trace");
    expect_refused("--trace " + trace + " --horizon 5", "--horizon: cannot be used with --trace");
    expect_refused("--trace " + trace + " --service det --replications 2", "--replications: expected 1");
    expect_refused("--availability " + grid + " --machines 5", "--machines: expected at most the 4 machines of");
    expect_refused("--trace none.tsv", "none.tsv: expected an existing file");
    expect_refused("--picture x.gif", "x.gif: expected a picture's name that ends with .svg, .png, .pdf or .tikz");
    expect_refused("--flowtimes x.txt", "x.txt: --flowtimes: expected a name that ends in .csv");
    write("unsorted.tsv", "a\t5\t0\t1\t0\t0\nb\t4\t1\t1\t0\t0\n");
    expect_refused("--trace unsorted.tsv", "unsorted.tsv:2: submit time: expected jobs sorted by submit time");
    write("empty.tsv", "a\t5\t0\t0\t0\t0\n");
    expect_refused("--trace empty.tsv", "empty.tsv: expected at least one job with bytes");
    expect_refused("--trace empty.tsv --size bytes", "empty.tsv: expected at least one job with bytes");
    write("overlap.csv", "a,0,10,1\na,5,12,0\n");
    expect_refused("--availability overlap.csv", "overlap.csv:2: start: expected intervals of 'a' that do not overlap");
    write("short.csv", "a,0,0.5,1\n");
    expect_refused("--availability short.csv", "short.csv: end: expected a record of at least a second");
    expect_refused("--service det --machines 10001", "--machines: expected at most 10000 machines with --service");
    EXPECT_FALSE(std::filesystem::exists(at("x.txt")));
}

TEST_F(SimulateRedundancyCli, OptionsWithoutMeaningAreRefused) {
    for (const std::string option : {"--warm-up 10", "--batches 10", "--control c.json"})
        expect_refused(option, option.substr(0, option.find(' ')) +
                                   ": cannot be used with a policy of the redundancy family, srpt: its runs end with "
                                   "their last job");
    expect_refused("--replications 0", "--replications: expected at least 1 and at most");
    expect_refused(shared + "example.toml --format csv", "--format: expected text or json");
    expect_refused("--servers 10", "--servers: is an option of the queueing family");
    expect_refused("--load 2", "--load: is an option of the sharing family");
    CommandTest::expect_refused("simulate experiments/instances/m2-half.toml -p fifo --machines 4",
                                "--machines: is an option of the redundancy family");
}

TEST_F(SimulateRedundancyCli, HelpHasAnExampleThatRuns) {
    const std::string help = good("simulate --help");
    EXPECT_TRUE(contains(help, "\n  schedproof simulate --policy srpt --policy srpt+r"));
    const std::string table =
        good("simulate --policy srpt --policy srpt+r --rate 1 --horizon 2000 --replications 5 --periods A");
    EXPECT_TRUE(contains(table, "srpt+r"));
}

TEST_F(SimulateRedundancyCli, ShowReadsInstancesBack) {
    const std::string folder = "experiments/instances/redundancy/";
    const std::string text = good("show " + folder + "example.toml");
    EXPECT_EQ(text,
              "instance  example\n"
              "source    an example of the format\n"
              "machines  4\n"
              "service   gains:1,3/2,7/4@2, peak rate 2; gains of copies 1 3/2 7/4 7/4\n"
              "speed     5/4\n"
              "beta      3/4\n"
              "jobs      4   (arrival; size)\n"
              "  0: 0; 7/2\n  1: 0; 1\n  2: 1/2; 1/4\n  3: 3; 2\n");
    std::string documents;
    for (const auto& entry : std::filesystem::directory_iterator(at(folder))) {
        if (entry.path().extension() != ".toml") continue;
        const std::string name = entry.path().stem().string();
        static_cast<void>(good("show " + folder + name + ".toml --as json -o " + name + ".json"));
        static_cast<void>(good("show " + name + ".json --as toml -o " + name + ".toml"));
        EXPECT_EQ(redundancy::read_instance(at(name + ".toml").string()),
                  redundancy::read_instance(entry.path().string()));
        documents += " " + name + ".json";
    }
    const std::string validate = std::string("/usr/bin/python3 '") + SCHEDPROOF_SOURCE_DIR +
                                 "/tests/experiments/validate.py' experiments/instances/redundancy.schema.json";
    const Answer valid = shell(validate + documents);
    EXPECT_EQ(valid.exit, 0) << valid.out << valid.err;
    write("spoiled.json", replaced(read("example.json"), "\"7/2\"", "3.5"));
    EXPECT_EQ(shell(validate + " spoiled.json").exit, 1);
}

}  // namespace
}  // namespace schedproof
