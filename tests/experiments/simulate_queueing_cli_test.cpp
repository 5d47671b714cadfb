/// `schedproof simulate` of queueing policies in slots as a process: clusters made by options, and interpretations of
/// the slot.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

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

/// A start is in the words of `kernel`, for each policy's queues, and the answer names it.
TEST_F(SimulateQueueingCli, StartsInAGivenState) {
    const std::string two_servers =
        "simulate experiments/instances/m2-half.toml --horizon 100 --replications 2 --warm-up 0 ";
    expect_lines(two_servers + "-p wang-jsq-maxweight --queues 2000,0,3 --serving own,common",
                 {"start      Q 2000,0,3  f s0,common"});
    expect_lines(two_servers + "-p balanced-pandas --queues 2000,0,0,0", {"start       Q 2000,0,0,0  f idle,idle"});
    expect_lines(two_servers + "-p fifo --queues A+B+B", {"start      Q A+B+B  f idle,idle"});
    expect_lines(two_servers + "-p jsq-maxweight --queues 500,0 --time continuous",
                 {"start      Q 500,0  f idle,idle"});
    // In ten slots two servers complete at most two tasks a slot, and at most two come.
    for (const char* how : {"", "--counts-only "})
        EXPECT_NEAR(
            tasks("experiments/instances/m2-half.toml -p jsq-maxweight --horizon 10 --replications 2 --warm-up 0 "
                  "--queues 5000,400 " +
                  std::string(how)),
            5400, 20)
            << how;
    expect_refused(two_servers + "-p jsq-maxweight -p balanced-pandas --queues 9,0",
                   "--queues: expected 4 entries, one per queue, not 2, for a start under balanced-pandas");
    expect_refused(two_servers + "-p jsq-maxweight --queues 9,x",
                   "--queues (entry 2): expected a number of tasks, not 'x'");
    expect_refused(two_servers + "-p jsq-maxweight --queues 9,0 --cap-total 5",
                   "expected a state within the truncation");
    expect_refused(two_servers + "-p jsq-maxweight --queues 99999999,9",
                   "--queues: expected at most 100000000 tasks in all");
    expect_refused("simulate --servers 20 --rate 5 -p jsq-maxweight --horizon 50 --queues 1,2", "--queues");
    expect_refused("simulate -p srpt --queues 1,2", "--queues");
}

/// A fill is some tasks where the policy puts them; the level of a pilot is the same in every part of a study.
TEST_F(SimulateQueueingCli, StartsFilledWithTasks) {
    const std::string two_servers =
        "simulate experiments/instances/m2-half.toml --horizon 100 --replications 3 --warm-up 0 ";
    expect_lines(two_servers + "-p jsq-maxweight --fill 500", {"start      500 tasks, queued by the policy"});
    expect_lines(two_servers + "-p fifo --fill 7 --time continuous", {"start      7 tasks, queued by the policy"});
    EXPECT_NEAR(tasks("experiments/instances/m2-half.toml -p balanced-pandas --horizon 10 --replications 2 --warm-up 0 "
                      "--fill 5400"),
                5400, 20);
    const std::string pilot = two_servers + "-p jsq-maxweight -p balanced-pandas --variance control --fill auto ";
    const std::string whole = good(pilot);
    EXPECT_TRUE(contains(whole, " tasks, queued by the policy: the level of a pilot\n"));
    EXPECT_EQ(good(pilot + "--threads 3"), whole);
    for (const char* part : {"1/2", "2/2"}) good(pilot + "--resume parts --shard " + part);
    EXPECT_EQ(good("merge parts"), whole);
    EXPECT_EQ(good(pilot + "--resume parts"), whole);
    for (const char* fill : {"0", "x", "100000001"})
        expect_refused(two_servers + "-p fifo --fill " + fill,
                       "--fill: expected auto, or a number of tasks from 1 to 100000000");
    expect_refused(two_servers + "-p fifo --fill auto --rho 1", "--fill: expected a number of tasks at the load 1");
    expect_refused(two_servers + "-p fifo --fill auto --time continuous", "--fill: expected a number of tasks in ");
    expect_refused("simulate experiments/instances/m2-half.toml -p fifo --fill auto --horizon 3",
                   "--horizon: expected at least 4 slots with --fill auto");
    for (const char* other : {"--queues A+B", "--cap-total 9", "--cap-queue 9"})
        expect_refused(two_servers + "-p fifo --fill 5 " + other, "--fill");
    expect_refused("simulate --servers 20 --rate 5 -p jsq-maxweight --horizon 50 --fill 5", "--fill");
}

/// fcfs is run by the simulators, on policies that leave it open, and refused with the reason by all that is exact.
TEST_F(SimulateQueueingCli, NamesTheDiscipline) {
    const std::string two_servers = "simulate experiments/instances/m2-half.toml --horizon 200 --replications 2 ";
    const std::string fcfs = "discipline  fcfs: a server with queues by level takes its oldest task";
    const std::string local =
        "discipline  local-first: a server with queues by level takes a task of the most local one";
    expect_lines(two_servers + "-p balanced-pandas", {local});
    expect_lines(two_servers + "-p balanced-pandas --discipline fcfs", {fcfs});
    expect_lines(two_servers + "-p balanced-pandas --discipline fcfs --time continuous", {fcfs});
    expect_lines("simulate --servers 20 --rate 5 -p balanced-pandas --horizon 50 --replications 2 --discipline fcfs",
                 {fcfs});
    EXPECT_FALSE(contains(good(two_servers + "-p jsq-maxweight"), "discipline"));
    const std::string heavy =
        "experiments/instances/m2-half.toml -p balanced-pandas --horizon 200 --replications 2 "
        "--warm-up 0 --queues 40,40,40,40 ";
    EXPECT_NE(tasks(heavy), tasks(heavy + "--discipline fcfs"));
    for (const char* how : {"", "--time continuous"})
        expect_refused(two_servers + "-p balanced-pandas -p jsq-maxweight --discipline fcfs " + how,
                       "--discipline: expected local-first under jsq-maxweight, whose rule says which queue an idle "
                       "server turns to");
    expect_refused(two_servers + "-p balanced-pandas --discipline lifo", "--discipline");
    const auto file = [](const std::string& discipline) {
        return "family = 'queueing'\nname = 'one'\nlevels = [{name = 'local', rate = '4/5'}, {name = 'remote', rate = "
               "'1/5'}]\nservers = 1\ntypes = [{name = 'A', replicas = ['s0']}]\n[arrivals]\nkind = 'bernoulli'\n"
               "values = ['1/2']\n[options]\ndiscipline = '" +
               discipline + "'\n";
    };
    write("fcfs.toml", file("fcfs"));
    write("local.toml", file("local-first"));
    static_cast<void>(good("kernel local.toml -p balanced-pandas"));
    for (const char* command : {"kernel", "chain --cap-total 3", "prove drift", "graph --cap-total 3", "simulate"})
        expect_refused(std::string(command) + " fcfs.toml -p balanced-pandas",
                       "options.discipline: expected local-first: under another discipline the order of all tasks of a "
                       "server decides what it serves");
}

TEST_F(SimulateQueueingCli, ReadsServiceRatesToTheEnd) {
    const std::string cluster = "simulate --servers 20 --rate 5 -p jsq-maxweight --horizon 50 --replications 2 ";
    static_cast<void>(good(cluster + "--service-rates 4/5,1/5"));
    for (const char* wrong : {"4/5,1/5,", ",4/5,1/5", "4/5,,1/5", ","})
        expect_refused(cluster + "--service-rates " + wrong, "--service-rates: expected rates above 0, separated");
    expect_refused(cluster + "--counting all", "--counting");
}

/// On m2-half each queue is geometric under join-shortest-queue, with mean 1/3; a task's delay is one more than what
/// Little's law gives of the tasks between slots.
TEST_F(SimulateQueueingCli, CorrectsMeansByTheDrift) {
    const std::string two =
        "simulate experiments/instances/m2-half.toml -p join-shortest-queue --horizon 20000 "
        "--confidence 0.9999 --variance control ";
    for (const char* runs : {"--replications 12 ", "--replications 1 "}) {
        SCOPED_TRACE(runs);
        const std::string answer = good(two + runs + "--format json");
        write("answer.json", answer);
        EXPECT_EQ(validated("simulate", "answer.json").exit, 0);
        const ordered_json policy = ordered_json::parse(answer)["points"][0]["policies"][0];
        EXPECT_TRUE(policy["left_out"].empty());
        for (const auto& quantity : policy["quantities"]) {
            const double exact = quantity["name"] == "tasks in system" ? 2.0 / 3 : 5.0 / 3;
            if (quantity["name"] != "tasks in system" && quantity["name"] != "task delay") continue;
            const ordered_json& controlled = quantity["controlled"];
            EXPECT_EQ(controlled["controls"], (ordered_json{"drift of tasks^2", "drift of tasks", "arrivals"}));
            EXPECT_NEAR(controlled["mean"].get<double>(), exact, controlled["half_width"].get<double>());
        }
    }
    expect_lines(two + "--replications 10",
                 {"controls   drift of the number of tasks and of its square, mean 0 in a stationary run"});
    EXPECT_TRUE(contains(good(two + "--replications 10 -p random-local"), "\nwith controls\n"));
    EXPECT_TRUE(contains(good(two + "--replications 10 --format csv"), "tasks in system controlled half-width (task)"));
    // FIFO is unstable there, below the capacity: its number of tasks grows.
    EXPECT_TRUE(contains(good("simulate experiments/instances/n1-fifo.toml -p fifo --horizon 20000 --variance control"),
                         "\ndrift of tasks^2 under fifo: no control, because in these runs growth of tasks^2 is "));
    // A state so far out that nothing happens to it in the run: the squares grow by as much in one run as they fall in
    // another, but their drift is the same in all.
    EXPECT_TRUE(
        contains(good("simulate experiments/instances/m2-half.toml -p jsq-maxweight --variance control --horizon 1000 "
                      "--queues 5000,0 --warm-up 0"),
                 "\ndrift of tasks^2 under jsq-maxweight: no control, because in these runs drift of tasks^2 is "));
    EXPECT_TRUE(
        contains(good(two + "--replications 5"), "\ntoo few replications for controls: one control needs eight"));
    // Fewer runs do for a precision: it is that of the corrected mean.
    const std::string precise =
        "simulate experiments/instances/heavy-traffic-eps001.toml -p wang-jsq-maxweight "
        "--horizon 100000 --warm-up 20000 --precision 5% --format json ";
    const auto runs = [&](const std::string& how) {
        return ordered_json::parse(good(precise + how))["points"][0]["policies"][0]["replications"].get<int>();
    };
    EXPECT_LT(2 * runs("--variance control"), runs(""));
    expect_refused(two + "--cap-total 9", "--variance: expected plain with --cap-total or --cap-queue");
    expect_refused(two + "--rho 1", "--variance: expected plain at the load 1");
    expect_refused(two + "--time continuous", "--variance: expected plain in continuous time");
    expect_refused("simulate -p srpt --rate 1 --horizon 100 --variance control", "--variance");
}

TEST_F(SimulateQueueingCli, MeasuresHoldingCosts) {
    const std::string two =
        "simulate experiments/instances/m2-half.toml --horizon 2000 --replications 3 --holding-cost ";
    EXPECT_TRUE(contains(good(two + "-p generalized-cmu"), " holding cost "));
    EXPECT_FALSE(
        contains(good("simulate experiments/instances/m2-half.toml --horizon 2000 -p generalized-cmu"), "holding"));
    expect_refused(two + "-p generalized-cmu -p jsq-maxweight",
                   "--holding-cost: expected policies with a queue per type");
    expect_refused(two + "-p generalized-cmu --time continuous", "--time: expected slots");
    expect_refused(two + "-p generalized-cmu --tail 'P(tasks>9)'", "--tail");
}

/// Under join-shortest-queue P(Q > k) = 4^-(k+1) in each queue of m2-half, and the two are independent.
TEST_F(SimulateQueueingCli, SplitsForTails) {
    const std::string two =
        "simulate experiments/instances/m2-half.toml -p join-shortest-queue --horizon 4000 "
        "--confidence 0.9999 --replications 20 ";
    for (const auto& [event, exact] : {std::pair("P(queue:s0>14)", std::pow(0.25, 15)),
                                       std::pair("P(tasks>16)", std::pow(0.25, 17) * (1 + 0.75 * 17))}) {
        const std::string command = two + "--tail '" + event + "' ";
        const std::string answer = good(command + "--format json");
        write("answer.json", answer);
        EXPECT_EQ(validated("simulate", "answer.json").exit, 0);
        EXPECT_EQ(good(command + "--threads 1 --format json"), answer);
        const ordered_json tail = ordered_json::parse(answer)["points"][0]["policies"][0]["quantities"][0];
        EXPECT_EQ(tail["name"], event);
        EXPECT_NEAR(tail["mean"].get<double>(), exact, tail["half_width"].get<double>()) << event;
        EXPECT_LT(tail["half_width"].get<double>(), 0.7 * exact) << event;
    }
    const std::string text = good(two + "--tail 'P(tasks>16)'");
    EXPECT_TRUE(contains(text, "splitting, join-shortest-queue  at 1 (x")) << text;
    EXPECT_TRUE(contains(text, ")e-10")) << text;
    EXPECT_TRUE(contains(good(two + "--tail 'P(tasks>0)' --cap-total 4"), "P(tasks>0)"));
    expect_refused(two + "--tail 'P(task>16)'", "--tail: expected P(tasks>K) or P(queue:NAME>K) with a number K");
    expect_refused(two + "--tail 'P(task>16)'", "did you mean 'P(tasks>K)'?");
    expect_refused(two + "--tail 'P(queue:s9>1)'", "--tail: expected P(tasks>K)");
    expect_refused(two + "--tail 'P(tasks>1)' --time continuous", "--tail: cannot be used in continuous time");
    expect_refused(two + "--tail 'P(tasks>1)' --variance control", "--variance");
    const ordered_json precise = ordered_json::parse(
        good("simulate experiments/instances/m2-half.toml -p join-shortest-queue --horizon 2000 --tail 'P(tasks>8)' "
             "--precision 20% --format json"))["points"][0];
    EXPECT_TRUE(precise["precision"]["reached"].get<bool>());
    const ordered_json tail = precise["policies"][0]["quantities"][0];
    EXPECT_LE(tail["half_width"].get<double>(), 0.2 * tail["mean"].get<double>());
    // Eight slots bring 16 tasks at most: that none was seen is no probability of 0 +- 0.
    const std::string short_run =
        "simulate experiments/instances/m2-half.toml -p join-shortest-queue --horizon 8 --warm-up 0 --batches 1 --tail "
        "'P(tasks>16)' ";
    EXPECT_TRUE(contains(good(short_run + "--replications 3"), "never seen"));
    const Answer unseen = run(short_run + "--precision 20% --most 12 --format json");
    EXPECT_EQ(unseen.exit, 3) << "the precision was not reached";
    const ordered_json point = ordered_json::parse(unseen.out)["points"][0];
    EXPECT_FALSE(point["precision"]["reached"].get<bool>());
    EXPECT_TRUE(point["policies"][0]["quantities"][0]["mean"].is_null());
    expect_refused(
        "simulate experiments/instances/m2-half.toml -p balanced-pandas --discipline fcfs --tail 'P(tasks>1)'",
        "--discipline: expected local-first with --tail");
    expect_refused("simulate --servers 9 --rate 1 -p fifo --tail 'P(tasks>1)'", "--tail");
}

}  // namespace
}  // namespace schedproof
