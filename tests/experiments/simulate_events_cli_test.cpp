/// `schedproof simulate --time continuous` as a process.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/schema.hpp"

namespace schedproof {
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

TEST_F(SimulateEventsCli, RunsATraceAndJudgesIt) {
    const std::string trace = std::string(SCHEDPROOF_SOURCE_DIR) + "/tests/data/swf/small.swf ";
    const std::string arguments =
        "simulate experiments/instances/m2-half.toml --time continuous -p join-shortest-queue ";
    const std::string printed = good(arguments + "--replications 1 --batches 10 --tasks " + trace);
    for (const char* words : {"\ntasks ", "\ntrace, Load ", "No policy is stable under it", "\ntrace, Stationarity ",
                              "\ntrace, Bounded arrivals ", "\ntrace, Tails "})
        EXPECT_TRUE(contains(printed, words)) << words << "\n" << printed;
}

TEST_F(SimulateEventsCli, RefusesWhatDoesNotFit) {
    expect_refused(half + "-p fluid-model-planning:deficit",
                   "policy: expected a policy that keeps no accounts of slots");
    expect_refused(half + "-p fifo --gaps expo:1", "--gaps: expected exponential:MEAN");
    expect_refused(half + "-p fifo --task-sizes pareto:1,1", "--task-sizes: expected pareto:SHAPE,SCALE");
    expect_refused(half + "-p fifo --counts-only", "--time: expected slots");
    expect_refused("simulate experiments/instances/m2-half.toml -p fifo --gaps exponential:1",
                   "--time: expected continuous with");
    expect_refused(half + "-p fifo --tasks no.swf", "no.swf");
}

}  // namespace
}  // namespace schedproof
