/// Continuous time from instance to answer, as a user runs the commands: every command that knows it, the units that
/// they name, and what is refused.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/command.hpp"

namespace schedproof::cli {
namespace {

using namespace schedproof::testing_support;

std::string cluster(const std::string& rest,
                    const std::string& arrivals = "kind = \"poisson\"\nvalues = {A = \"9/5\"}") {
    return "family = \"queueing\"\nname = \"two\"\ntime = \"continuous\"\nservers = 2\n"
           "types = [{name = \"A\", rates = {s0 = 1, s1 = 1}}]\n" +
           rest + "[arrivals]\n" + arrivals + "\n";
}

class ContinuousTimeCli : public CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        write("two.toml", cluster("unit = \"s\"\n"));
        write("resume.toml", cluster("options = {preemption = \"resume\"}\n"));
    }
    void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
        for (const std::string& part : parts) EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
    }
    void expect_complaint(const std::string& arguments, const std::vector<std::string>& parts) {
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.exit, 2) << answer.out << answer.err;
        for (const std::string& part : parts) EXPECT_TRUE(contains(answer.err, part)) << part << "\n" << answer.err;
    }
};

TEST_F(ContinuousTimeCli, EveryCommandNamesTheUnitOfTime) {
    expect_parts(out("show two.toml", 0), {"continuous", "19/5 (approx. 3.8) events per s", "preemption=none"});
    expect_parts(out("capacity two.toml", 0), {"load rho*     9/10", "tasks per s", "server's time"});
    expect_parts(out("kernel two.toml -p join-shortest-queue --queues 2,1 --serving s0,s1", 0),
                 {"event: 3 states", "9/19 (approx. 0.473684)      Q 2,2  f s0,s1"});
    expect_parts(out("chain two.toml -p join-shortest-queue --cap-total 6", 0),
                 {"tasks per s", "a task is lost if", "Little"});
    expect_parts(out("simulate two.toml -p join-shortest-queue --horizon 2000 --replications 2", 0),
                 {"continuous", "tasks in system"});
    expect_parts(out("simulate resume.toml -p join-shortest-queue --horizon 2000 --replications 2", 0),
                 {"every server asked after each", "tasks in system"});
}

TEST_F(ContinuousTimeCli, StabilityIsProvedAndCertified) {
    expect_parts(out("prove drift two.toml -p join-shortest-queue --certificate c.json", 0),
                 {"in continuous time", "an event (19/5 per s on average)", "(Foster)"});
    expect_parts(out("certify c.json", 0), {"accepted"});
    expect_parts(out("mean two.toml -p join-shortest-queue --of delay", 0), {"[5.4749126, 5.4749129]"});
    expect_parts(out("mean resume.toml -p fifo", 0), {"9.47368421"});
    EXPECT_EQ(run("mean resume.toml -p fifo --of busy").exit, 2);
    for (const char* instance : {"two.toml", "resume.toml"})
        expect_parts(
            run(std::string("check queueing.squares-drift-negative -p join-shortest-queue --instance ") + instance).out,
            {"Proved", "Survived"});
}

/// Two tasks with probability 1/2: 6/5 arrivals of 9/5 tasks. A batch is one step of the chain, and a slot has one.
TEST_F(ContinuousTimeCli, BatchesAreTasksOfOneEvent) {
    write("batches.toml", cluster("unit = \"s\"\n",
                                  "kind = \"poisson\"\nvalues = {A = \"6/5\"}\n"
                                  "batches = {A = [{size = 2, probability = \"1/2\"}]}"));
    expect_parts(out("show batches.toml", 0), {"16/5 (approx. 3.2) events per s", "arrivals  9/5 (approx. 1.8) per s",
                                               "in batches of 1 with probability 1/2, 2 with probability 1/2"});
    expect_parts(out("show batches.toml --as toml", 0),
                 {"values = [\"6/5\"]", "batches = {\"A\" = [{size = 2, probability = \"1/2\"}]}"});
    expect_parts(out("show batches.toml --in-slots 1/2", 0), {"9/10 (approx. 0.9) in a slot on average; at most 2"});
    expect_complaint("show batches.toml --in-slots 1", {"expected a length of at most 5/6"});
    expect_parts(out("capacity batches.toml", 0), {"load rho*     9/10"});
    expect_parts(out("kernel batches.toml -p join-shortest-queue --queues 2,1 --serving s0,s1", 0),
                 {"event: 5 states", "3/16 (approx. 0.1875)        Q 2,2  f s0,s1",
                  "3/32 (approx. 0.09375)       Q 2,3  f s0,s1"});
    expect_parts(out("prove drift batches.toml -p join-shortest-queue --certificate c.json", 0),
                 {"(16/5 per s on average)", "(Foster)"});
    expect_parts(out("certify c.json", 0), {"accepted"});
    expect_parts(out("certify c.json --rocq rocq", 0), {"level 1, the logic alone", "the theory has no batches"});
    expect_parts(out("simulate batches.toml -p join-shortest-queue --horizon 2000 --replications 2", 0),
                 {"batches of the instance", "load rho*", "0.9", "tasks in system"});
    write("slots.toml", replaced(read("experiments/instances/m2-half.toml"), "kind = \"bernoulli\"",
                                 "kind = \"bernoulli\"\nbatches = {A = [{size = 2, probability = \"1/2\"}]}"));
    expect_complaint("show slots.toml", {"slots.toml:", "arrivals.batches", "expected no batches in slots"});
}

/// Of every cluster, and with the constants of one: two servers at rates 4/5 and 1/5, 13/5 events a unit of time.
TEST_F(ContinuousTimeCli, EveryClusterIsProvedAndCertified) {
    const std::string every = "prove throughput-optimal --for-all -p jsq-maxweight --time ";
    expect_parts(out(every + "continuous --certificate every.json", 0),
                 {"all Poisson arrivals", "all rates r0 > ... > r1 > 0", "at every settled state",
                  "Lambda (1 + 2 M alpha/gamma) + M alpha"});
    expect_parts(out(every + "continuous-interrupted --certificate more.json", 0),
                 {"interrupted and resumed", "C = Lambda + M alpha + 2 M (M-1) alpha (Lambda"});
    write("half.toml", out("show experiments/instances/m2-half.toml --in-continuous-time --as toml", 0));
    write("resumed.toml", replaced(read("half.toml"), "preemption = \"none\"", "preemption = \"resume\""));
    // rho* = 5/8, so 2 (1 - rho*) = 3/4; C = 1 (1 + 16) + 8/5 + 16/5 + 2 (13/5) (4) = 213/5 and 29/5.
    expect_parts(out("prove throughput-optimal half.toml -p jsq-maxweight --certificate half.json", 0),
                 {"in an event (13/5 per slot on average) is at most -15/52 sum of w + 213/13 at every settled state"});
    expect_parts(out("prove throughput-optimal resumed.toml -p generalized-cmu --certificate resumed.json", 0),
                 {"at most -15/52 sum of w + 29/13"});
    expect_parts(out("certify every.json more.json half.json resumed.json", 0),
                 {"accepted      every.json", "accepted      more.json", "accepted      half.json",
                  "accepted      resumed.json"});
    // A certificate of one time is none of the other.
    write("other.json",
          replaced(read("every.json"), "\"time\": \"continuous\"", "\"time\": \"continuous-interrupted\""));
    EXPECT_EQ(run("certify other.json").exit, 1);
    expect_complaint("prove throughput-optimal half.toml --time continuous -p jsq-maxweight", {"--time"});
    expect_complaint(every + "weekly", {"--time", "'weekly'"});
}

/// In slots a server may turn to a queue without a waiting task; here it would leave one alone that waits elsewhere.
TEST_F(ContinuousTimeCli, ARuleThatLeavesAWaitingTaskAloneIsNotProvedOnEveryCluster) {
    write("stubborn.policy",
          "policy: stubborn\nsource: \"a test\"\nsummary: \"serve the heaviest queue, whether a task waits there\"\n"
          "keep: per_server\nroute: argmin(local, length)\nserve: argmax(reachable, rate * length)\n");
    const std::string every = "prove throughput-optimal --for-all --policy-file stubborn.policy";
    expect_parts(out(every, 0), {"Proved"});
    expect_parts(out(every + " --time continuous", 3), {"Unknown", "serving of s0", "waiting in s1 > 0"});
}

/// Two classes before one server ([cobham1954]): 26/7 tasks, and 25/7 where the slower class is interrupted.
TEST_F(ContinuousTimeCli, EveryPolicyIsBoundedAndNonPreemptionPriced) {
    const std::string classes = "experiments/instances/two-classes.toml ";
    write("first.policy",
          "policy: fastest-first\nkeep: per_type\nroute: own_type\n"
          "serve: argmax(nonempty(reachable), rate * tasks(1))\n");
    const std::string text = out("gap " + classes +
                                     "-p fastest-first --policy-file first.policy --preemption "
                                     "--digits 3 --evidence gap",
                                 0);
    expect_parts(text, {"optimum       at least 3.71", " tasks under any policy that interrupts no task\n",
                        "fastest-first tasks in [3.71", "preemption    at least 3.57",
                        " tasks under any policy that may interrupt them\nfastest-first tasks in [3.57",
                        "at least 1.039 and at most 1.041 times"});
    for (const char* name : {"any-policy-two-classes", "any-policy-two-classes-with-preemption",
                             "mean-fastest-first-two-classes-with-preemption"})
        EXPECT_EQ(run("certify gap/" + std::string(name) + ".json").exit, 0) << name;
    write("gap.json", out("gap resume.toml -p fifo --digits 3 --format json", 0));
    EXPECT_EQ(validated("gap", "gap.json").exit, 0);
    write("priced.json", out("gap two.toml -p fifo --preemption --digits 3 --format json", 0));
    EXPECT_EQ(validated("gap", "priced.json").exit, 0);
    expect_parts(read("priced.json"), {"\"price_at_least\"", "\"price_at_most\"", "\"with_preemption\""});
    expect_complaint("gap resume.toml -p fifo --preemption", {"--preemption", "says preemption = \"resume\""});
    expect_complaint("gap experiments/instances/m2-half.toml -p jsq-maxweight --preemption", {"is in slots"});
    expect_complaint("gap two.toml -p fifo --preemption --format csv", {"--preemption", "text or json, not csv"});
}

/// The slow server of two is used from two waiting tasks on ([lin1984]).
TEST_F(ContinuousTimeCli, APolicyThatIsNearlyTheBestIsExported) {
    const std::string slow = "experiments/instances/slow-server.toml ";
    const std::string text = out("optimum-policy " + slow +
                                     "--export near.policy --policy-certificate near.json --certificate any.json "
                                     "--decisions 4 --beside fifo",
                                 0);
    expect_parts(text, {"in continuous time, the mean number of tasks in the system is at least",
                        "tasks         at least 2.40399002", "its tasks     in [2.40399002",
                        "what idle servers start, by waiting tasks of A, from 0\n       -,-  A,-  A,-  A,A  A,A\n",
                        "fifo; * marks where its decision costs: 1 of 5 states"});
    for (const char* name : {"near.json", "any.json"}) EXPECT_EQ(run("certify " + std::string(name)).exit, 0) << name;
    write("answer.json", out("optimum-policy " + slow + "--box 30 --decisions 2 --beside fifo --format json", 0));
    EXPECT_EQ(validated("optimum-policy", "answer.json").exit, 0);
    EXPECT_EQ(validated("certificate", "any.json").exit, 0);
    write("resumed.toml", replaced(read("experiments/instances/slow-server.toml"), "servers = 2",
                                   "servers = 2\noptions = {preemption = \"resume\"}"));
    const std::string resumed =
        out("optimum-policy resumed.toml --export resumed.policy --certificate resumed.json", 0);
    expect_parts(resumed, {"tasks         at least 2.1176470588", "its tasks     in [2.1176470588"});
    EXPECT_EQ(run("certify resumed.json").exit, 0);
    // A certificate of the one is none of the other.
    write("wrong.json", replaced(read("any.json"), "\"preemption\": \"none\"", "\"preemption\": \"resume\""));
    EXPECT_NE(run("certify wrong.json").exit, 0);
    write("wrong.json", replaced(read("any.json"), "\"1/5\"", "\"1/4\""));
    EXPECT_NE(run("certify wrong.json").exit, 0);
    const Answer rocq = run("certify any.json --rocq rocq");
    EXPECT_TRUE(contains(rocq.err, "the theory has no continuous time")) << rocq.err;
}

TEST_F(ContinuousTimeCli, WhatIsWrittenReadsBackAlike) {
    write("again.json", out("show two.toml --as json", 0));
    EXPECT_EQ(out("show again.json --as json", 0), read("again.json"));
    write("again.toml", out("show resume.toml --as toml", 0));
    EXPECT_EQ(out("show again.toml --as toml", 0), read("again.toml"));
    EXPECT_TRUE(contains(read("again.toml"), "preemption = \"resume\""));
}

TEST_F(ContinuousTimeCli, WhatIsAboutSlotsIsRefused) {
    expect_complaint("optimum-policy two.toml --mode names-types", {"--mode", "time is continuous in two.toml"});
    expect_complaint("simulate two.toml -p join-shortest-queue --time slots", {"--time", "time is continuous"});
    expect_complaint("simulate two.toml -p join-shortest-queue --routing batch", {"--time"});
    expect_complaint("kernel resume.toml -p join-shortest-queue --queues 2,1 --serving s0,s1", {"preemption"});
    expect_complaint("kernel two.toml -p join-shortest-queue --queues 2,1 --serving idle,s1", {"settled"});
    expect_complaint("kernel two.toml -p fluid-model-planning:deficit", {"counts slots"});
}

TEST_F(ContinuousTimeCli, FilesNameWhatIsWrongInThem) {
    const auto refused = [&](const std::string& text, const std::vector<std::string>& parts) {
        write("wrong.toml", text);
        expect_complaint("show wrong.toml", parts);
    };
    refused(cluster("", "kind = \"single\"\nvalues = {A = \"1/2\"}"), {"wrong.toml:7: arrivals.kind", "poisson"});
    refused(cluster("", "kind = \"poisson\"\nvalues = {A = 0}"), {"arrivals: ", "above 0"});
    refused(cluster("options = {routing = \"batch\"}\n"), {"wrong.toml:6: options.routing", "continuous time"});
    refused(cluster("options = {preemption = \"restart\"}\n"), {"options.preemption", "none or resume"});
    refused(cluster("slack = {type = \"A\", up-to = \"1/10\"}\n"), {"slack"});
    std::string slots = cluster("unit = \"s\"\n");
    slots.replace(slots.find("continuous"), std::string("continuous").size(), "slots");
    refused(slots, {"unit", "the unit of time is the slot"});
    std::string misspelt = cluster("");
    misspelt.replace(misspelt.find("continuous"), std::string("continuous").size(), "continous");
    refused(misspelt, {"wrong.toml:3: time", "continuous"});
    std::string nobody = cluster("");
    nobody.replace(nobody.find("{s0 = 1, s1 = 1}"), std::string("{s0 = 1, s1 = 1}").size(), "{}");
    refused(nobody, {"rates"});
}

}  // namespace
}  // namespace schedproof::cli
