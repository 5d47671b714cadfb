/// `schedproof simulate` of queueing policies in slots as a process: clusters made by options, and interpretations of
/// the slot.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using namespace testing_support;

class SimulateQueueingCli : public SchemaTest {
  protected:
    /// Mean number of tasks in the system.
    [[nodiscard]] double tasks(const std::string& arguments) const {
        const ordered_json answer = ordered_json::parse(good("simulate " + arguments + " --format json"));
        const ordered_json& first = answer["points"][0]["policies"][0]["quantities"][0];
        EXPECT_EQ(first["name"], "tasks in system");
        return first["mean"].get<double>();
    }
};

/// At 660 tasks a slot servers without data must help. Where tasks in execution count, the local queues grow to the
/// length of the common one, which serves 20 / (1/5) = 100 tasks at once: about 80,000 tasks are there in the end
/// (docs/models/sharing.md, Wang's Section V). On a cluster of a tenth that is 8,000. Where they do not count, far
/// fewer are.
TEST_F(SimulateQueueingCli, WhatIsCountedDecidesHowManyTasksThereAre) {
    const std::string cluster =
        "--servers 100 --data-servers 80 --rate 66 -p wang-jsq-maxweight --replications 2 --horizon 30000 --warm-up "
        "15000 --counts-only ";
    const double in_system = tasks(cluster + "--counting in-system"), waiting = tasks(cluster + "--counting waiting");
    EXPECT_EQ(tasks(cluster), in_system);
    EXPECT_GT(in_system, 1.5 * waiting);
    EXPECT_NE(tasks("experiments/instances/m2-half.toml -p wang-jsq-maxweight --horizon 500 --replications 1"),
              tasks("experiments/instances/m2-half.toml -p wang-jsq-maxweight --horizon 500 --replications 1 "
                    "--counting waiting"));
}

TEST_F(SimulateQueueingCli, BatchesAreNoShorterThanASlot) {
    const std::string cluster = "simulate --servers 20 --rate 5 -p jsq-maxweight --replications 2 ";
    expect_lines(cluster + "--horizon 50", {"runs       2 of 50 slots each"});
    expect_lines(cluster + "--horizon 0.5", {"runs       2 of 1 slots each"});
    expect_lines(cluster + "--horizon 1000 --batches 300", {"runs       2 of 1200 slots each"});
}

TEST_F(SimulateQueueingCli, KnowsTheLoadOfRacksWithDataEverywhere) {
    expect_lines("simulate --servers 20 --rack-size 5 --rate 8 -p jsq-maxweight --horizon 50 --replications 2",
                 {"load rho*  1/2 (approx. 0.5)"});
    EXPECT_FALSE(contains(good("simulate --servers 20 --data-servers 10 --rack-size 5 --rate 8 -p jsq-maxweight "
                               "--horizon 50 --replications 2"),
                          "load rho*"));
}

TEST_F(SimulateQueueingCli, ReadsServiceRatesToTheEnd) {
    const std::string cluster = "simulate --servers 20 --rate 5 -p jsq-maxweight --horizon 50 --replications 2 ";
    static_cast<void>(good(cluster + "--service-rates 4/5,1/5"));
    for (const char* wrong : {"4/5,1/5,", ",4/5,1/5", "4/5,,1/5", ","})
        expect_refused(cluster + "--service-rates " + wrong, "--service-rates: expected rates above 0, separated");
    expect_refused(cluster + "--counting all", "--counting");
}

}  // namespace
}  // namespace schedproof
