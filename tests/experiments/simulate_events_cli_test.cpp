/// `schedproof simulate --time continuous` as a process.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/schema.hpp"

namespace schedproof::simulate_events {
namespace {

using namespace testing_support;

class SimulateEventsCli : public SchemaTest {};

const std::string half = "simulate experiments/instances/m2-half.toml --time continuous --warm-up 100 ";

TEST_F(SimulateEventsCli, RunsPoliciesOnLaws) {
    const std::string arguments =
        half +
        "-p join-shortest-queue -p jsq-maxweight --gaps gamma:4,0.5 --task-sizes pareto:3,0.4 "
        "--horizon 2000 --batches 20 --replications 3 ";
    expect_lines(arguments, {"time       continuous; gaps gamma:4,0.5, sizes pareto:3,0.4", "task delay  "});
    EXPECT_EQ(good(arguments + "--format json --threads 1"), good(arguments + "--format json --threads 2"));
    const std::set<std::string> optional{"/points/0/variables", "/points/0/description"};
    const ordered_json answer = json("simulate", arguments, 0, optional);
    const ordered_json& delay = answer["points"][0]["policies"][0]["quantities"][0];
    EXPECT_EQ(delay["name"], "task delay");
    EXPECT_GT(delay["mean"].get<double>(), 0.6 / 0.8);
}

TEST_F(SimulateEventsCli, RunsATraceAndReportsOnIt) {
    const std::string trace = std::string(SCHEDPROOF_SOURCE_DIR) + "/tests/data/swf/small.swf ";
    const std::string arguments =
        "simulate experiments/instances/m2-half.toml --time continuous -p join-shortest-queue ";
    const std::string printed = good(arguments + "--replications 1 --batches 10 --trace " + trace);
    for (const char* words : {"\ntasks ", "\ntrace, Load ", "No policy is stable under it", "\ntrace, Stationarity ",
                              "\ntrace, Bounded arrivals ", "\ntrace, Tails "})
        EXPECT_TRUE(contains(printed, words)) << words << "\n" << printed;
}

TEST_F(SimulateEventsCli, JobsOfATraceWithoutWorkAreCounted) {
    const std::string arguments =
        "simulate experiments/instances/m2-half.toml --time continuous -p join-shortest-queue --replications 1 "
        "--batches 5 --trace ";
    write("two.tsv", "z\t4\t0\t0\t0\t0\na\t5\t1\t402653184\t0\t0\t\t\nz\t5\t0\t0\t0\t0\nb\t6\t1\t1\t0\t0\t\t\n");
    const Answer swim = run(arguments + "two.tsv");
    EXPECT_EQ(swim.exit, 0);
    EXPECT_TRUE(contains(swim.out, "2 jobs of two.tsv\n")) << swim.out;
    EXPECT_TRUE(contains(swim.err, "warning: two.tsv: 2 jobs without bytes are passed over\n")) << swim.err;
    const Answer swf = run(arguments + std::string(SCHEDPROOF_SOURCE_DIR) + "/tests/data/swf/small.swf");
    EXPECT_TRUE(contains(swf.err, "small.swf: 2 jobs without run time or processors are passed over\n")) << swf.err;
}

/// Until 9 one job, of 8 tasks of 120 s; at 10 another 33 tasks. Two servers do 8/5 of work in a second.
TEST_F(SimulateEventsCli, ATraceIsCutByTheHorizonAndRunToItsEnd) {
    const std::string trace = std::string(SCHEDPROOF_SOURCE_DIR) + "/tests/data/swf/small.swf ";
    const auto until = [&](const std::string& horizon) {
        return ordered_json::parse(
            good("simulate experiments/instances/m2-half.toml --time continuous -p join-shortest-queue --replications "
                 "1 --batches 5 --format json --horizon " +
                 horizon + " --trace " + trace))["points"][0];
    };
    const ordered_json one = until("9"), three = until("10");
    EXPECT_EQ(one["policies"][0]["work"], 8);
    EXPECT_EQ(three["policies"][0]["work"], 41);
    EXPECT_EQ(one["description"]["load rho*"], fmt::format("{:.6g}", 8 * 120 / 9.0 / 1.6));
    EXPECT_EQ(three["description"]["load rho*"], fmt::format("{:.6g}", (8 * 120 + 1.5 + 32 * 30) / 10 / 1.6));
    const ordered_json& growth = three["policies"][0]["quantities"][3];
    EXPECT_EQ(growth["name"], "growth of tasks in system");
    EXPECT_EQ(growth["mean"], 0) << "all tasks are done";
}

TEST_F(SimulateEventsCli, NeedsNoRateWhereGapsAreGiven) {
    const std::string cluster = "simulate --servers 20 --time continuous -p jsq-maxweight --replications 2 ";
    const std::string half_full = good(cluster + "--rack-size 5 --gaps constant:0.125 --horizon 200");
    for (const char* words : {"\nload rho*  0.5\n", " growth of tasks in system "})
        EXPECT_TRUE(contains(half_full, words)) << half_full;
    EXPECT_TRUE(contains(run(cluster + "--rack-size 5 --gaps constant:0.05 --horizon 200").err,
                         "the load rho* is 1.25, not below 1: no policy is stable; `growth` estimates the drift"));
    expect_refused(cluster + "--gaps constant:1 --rate 5", "--rate: cannot be used with --gaps or --trace");
    expect_refused(cluster, "--rate: expected the mean number of tasks");
    expect_refused(cluster + "--rate 5 --arrivals fixed", "--arrivals: expected slots with fixed arrivals");
    expect_refused("simulate --servers 20 --time continuous -p fluid-model-planning:static --rate 5",
                   "--policy: expected listed task types, for which fluid-model-planning:static has a plan");
}

/// Costs of power 17 do not fit 64 bits when queues are long; no answer is better than a wrong one.
TEST_F(SimulateEventsCli, CostsThatDoNotFitAreSaid) {
    std::string steep = slurp(at("experiments/instances/m2-half.toml"));
    for (const char* name : {"name = \"A\",", "name = \"B\","})
        steep = replaced(steep, name, std::string(name) + " exponent = 16,");
    write("steep.toml", replaced(steep, "A = \"1/2\", B = \"1/2\"", "A = \"1\", B = \"1\""));
    for (const char* time : {"slots", "continuous"}) {
        const Answer answer = run(std::string("simulate steep.toml -p generalized-cmu --horizon 2000 --replications 2 "
                                              "--time ") +
                                  time);
        EXPECT_EQ(answer.exit, 3) << answer.out;
        EXPECT_TRUE(contains(answer.err, "limit reached: 64-bit integers")) << answer.err;
    }
}

TEST_F(SimulateEventsCli, RefusesWhatDoesNotFit) {
    expect_refused(half + "-p fluid-model-planning:deficit", "policy: expected a policy without deficit counters");
    expect_refused(half + "-p fifo --gaps expo:1", "--gaps: expected exponential:MEAN");
    expect_refused(half + "-p fifo --task-sizes pareto:1,1", "--task-sizes: expected pareto:SHAPE,SCALE");
    expect_refused(half + "-p fifo --counts-only", "--time: expected slots");
    expect_refused("simulate experiments/instances/m2-half.toml -p fifo --gaps exponential:1",
                   "--time: expected continuous with");
    expect_refused(half + "-p fifo --trace no.swf", "no.swf");
}

/// A log becomes an instance and tasks, which are replayed as they came; what does not fit is refused.
TEST_F(SimulateEventsCli, ALogOfRequestsIsReplayed) {
    const std::string log = "experiments/instances/example-requests.jsonl";
    good("import trace " + log + " --servers 3 --replicas 2 -o log.toml --tasks log.csv");
    good("capacity log.toml");
    const std::string printed =
        good("simulate log.toml --trace log.csv --affinity --replications 1 -p experiments/zoo/least-work.policy");
    for (const char* words : {"\ntasks  ", "48 of log.csv", "hit share", "share of tokens saved", "delay of misses",
                              "herding", "Jain's index of busy times", " batches of 0.0565 s,"})
        EXPECT_TRUE(contains(printed, words)) << words << "\n" << printed;
    const std::string simulated = "simulate log.toml --trace log.csv --affinity --replications 1 -p ";
    expect_refused("import trace " + log + " --servers 3 --replicas 4", "--replicas: expected at most the 3 servers");
    expect_refused("import trace " + log + " --seconds 1,2", "--seconds: expected three numbers");
    expect_refused("import trace " + log + " --kind azure", "TIMESTAMP,ContextTokens,GeneratedTokens");
    expect_refused("import trace LICENSE", "--kind: expected the format");
    expect_refused("simulate log.toml --trace no.csv -p experiments/zoo/gate.policy", "no.csv");
    expect_refused(simulated + "generalized-cmu", "affinity: expected queues that belong to servers");
    write("other.csv", "time,type,size\n1,of-s9,1\n");
    expect_refused("simulate log.toml --trace other.csv -p experiments/zoo/gate.policy",
                   "other.csv:2: type: expected a type");
    expect_refused("simulate --servers 4 --time continuous --trace log.csv -p join-shortest-queue",
                   "--trace: expected INSTANCE");
}

}  // namespace
}  // namespace schedproof::simulate_events
