/// Task types with rates of their own, through the command: answers where the queue tells the rate, and the reason
/// everywhere else.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

class TypeRatesCli : public testing_support::CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        write("one-home.toml", R"(family = "queueing"
name = "one-home"
levels = [{name = "local", rate = "2/5"}, {name = "remote", rate = "1/40"}]
servers = 2
types = [{name = "A", replicas = ["s0"]}, {name = "C", replicas = ["s0"], rates = ["2/5", "1/5"]}]
[arrivals]
kind = "single"
values = ["3/10", "1/4"]
)");
    }
};

TEST_F(TypeRatesCli, TheLoadIsThatOfTheTypesRates) {
    expect_lines("capacity one-home.toml", {"load rho*     11/12"});
    (void)good("capacity one-home.toml --certificate c.json");
    (void)good("capacity one-home.toml --verify c.json");
    expect_lines("capacity one-home.toml -p generalized-cmu", {"load rho*     11/12"});
}

TEST_F(TypeRatesCli, AreShownAndWritten) {
    EXPECT_TRUE(testing_support::contains(good("show one-home.toml"), "C: {s0}  1/4"));
    EXPECT_TRUE(testing_support::contains(good("show one-home.toml"), "rates 2/5 1/5"));
}

TEST_F(TypeRatesCli, PoliciesWhoseQueuesMixTypesRefuseThem) {
    const std::string reason =
        "expected no rates of its own under a policy whose queues may hold tasks of several types";
    for (const std::string policy :
         {"wang-jsq-maxweight", "jsq-maxweight", "fifo", "random-local", "random-any", "join-shortest-queue"}) {
        expect_refused("simulate one-home.toml --horizon 100 -p " + policy, reason);
        expect_refused("kernel one-home.toml -p " + policy, reason);
    }
    expect_refused("capacity one-home.toml -p jsq-maxweight", reason);
    expect_refused("kernel one-home.toml -p pandas", "a policy that speaks of local_rate or remote_rate");
}

TEST_F(TypeRatesCli, PoliciesWithAQueuePerTypeRun) {
    (void)good("kernel one-home.toml -p generalized-cmu");
    (void)good("simulate one-home.toml --horizon 2000 --replications 2 -p generalized-cmu");
    (void)good("simulate one-home.toml --horizon 2000 --replications 2 -p fluid-model-planning:deficit");
}

TEST_F(TypeRatesCli, AServerWithQueuesPerLevelHasOnePerListOfRates) {
    expect_lines("capacity one-home.toml -p balanced-pandas", {"load rho*     11/12"});
    // W = (10, 5): C compares 5/2 W_0 with 5 W_1, A with 40 W_1.
    expect_lines("kernel one-home.toml -p balanced-pandas --queues 3,0,1,0,0,0,0,1",
                 {"route       type A joins s0.local.A\n", "route       type C joins s0.local.C or s1.remote.C\n",
                  "serve       idle s0 turns to s0.local.A or s0.local.C\n"});
    (void)good("kernel one-home.toml -p balanced-pandas --queues 0,0,0,0,0,1,0,0 --serving idle,s1.remote.A");
    expect_refused("kernel one-home.toml -p balanced-pandas --queues 1,0,0,0,0,0,0,0 --serving own,idle",
                   "expected `idle` or a queue");
    for (const std::string how : {"", " --time continuous", " --discipline fcfs"})
        (void)good("simulate one-home.toml --horizon 2000 --replications 2 -p balanced-pandas" + how);
    (void)good("chain one-home.toml -p balanced-pandas --cap-total 2");
    expect_lines("prove steps one-home.toml -p balanced-pandas", {"steps         1, the least"});
}

TEST_F(TypeRatesCli, BalancedPandasIsProvedStableWithACertificate) {
    const std::string proved = good(
        "prove drift one-home.toml -p balanced-pandas --lyapunov workload-squares --threshold 1400 "
        "--certificate c.json");
    EXPECT_TRUE(testing_support::contains(proved, "verdict       Proved")) << proved;
    EXPECT_TRUE(testing_support::contains(proved, "40 Q[s1.remote.A]")) << proved;
    EXPECT_TRUE(testing_support::contains(proved, "stability     Proved, by Foster's criterion")) << proved;
    expect_lines("certify c.json", {"accepted      c.json"});
}

TEST_F(TypeRatesCli, TheDriftArgumentIsNotAboutThemAndBoundedRegretIs) {
    EXPECT_TRUE(testing_support::contains(good("prove throughput-optimal one-home.toml -p generalized-cmu", 3),
                                          "types have rates of their own"));
    EXPECT_TRUE(testing_support::contains(good("prove throughput-optimal one-home.toml -p balanced-pandas"),
                                          "all rates of levels, types or servers"));
    EXPECT_TRUE(testing_support::contains(good("heavy-traffic one-home.toml"),
                                          "stated for types without rates of their own only"));
}

}  // namespace
}  // namespace schedproof
