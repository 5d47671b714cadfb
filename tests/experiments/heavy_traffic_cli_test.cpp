/// `schedproof heavy-traffic` and `schedproof prove steps` as their users meet them: text line by line, JSON judged by
/// the published schemas, complaints.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using namespace testing_support;

const std::string small_cluster_file = "experiments/instances/m2-half.toml";

/// Objects whose members are task types of the instance.
const std::set<std::string> by_name{"/workload/prices"};

class HeavyTrafficCommand : public testing_support::SchemaTest {};
/// rho* along a family of loads, in text and JSON; an instance without one says nothing of it.
TEST_F(HeavyTrafficCommand, CapacityShowsTheLoadAlongAFamily) {
    const std::string family = "capacity experiments/instances/slack-two-levels.toml";
    expect_lines(family, {"  0 to 1/20: 1 - eps; A 1, B 1/4\n"});
    const ordered_json piece =
        json("capacity", family, 0, {"along_slack", "/along_slack/0/price_per_task"})["along_slack"][0];
    EXPECT_EQ(piece["load_to"]["exact"], "19/20");
    EXPECT_EQ(piece["price_per_task"]["B"]["exact"], "1/4");
    EXPECT_FALSE(contains(good("capacity " + small_cluster_file + " --format json"), "slack"));
}

/// eps E sum Q along loads: certified where a box suffices, simulated elsewhere, and between the bounds.
TEST_F(HeavyTrafficCommand, DrawsTheCurveNearTheBoundary) {
    const std::string curve =
        "heavy-traffic experiments/instances/heavy-traffic-eps01.toml -p wang-jsq-maxweight "
        "--rho 3/5,9/10 --slots 20000 --max-states 10000 ";
    const ordered_json answer = json("heavy-traffic-curve", curve + "--picture curve.svg");
    const auto& points = answer["points"];
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[0]["verdict"], "Proved");
    EXPECT_EQ(points[1]["verdict"], "Measured");
    EXPECT_FALSE(points[1]["reason"].is_null());
    EXPECT_EQ(points[1]["eps"]["exact"], "1/10");
    EXPECT_EQ(points[1]["bound"]["exact"], "11/10") << "Theorem 2, (14)";
    // A mean that is certified in a larger box, 6.7017 (means.md), lies in the interval of the simulation.
    const double mean = points[1]["simulated"], half_width = points[1]["half_width"];
    EXPECT_LT(std::abs(mean - 6.7017), 2 * half_width);
    for (const auto& point : points) {
        const double least = point["verdict"] == "Proved" ? point["lower"]["approx"].get<double>() : mean;
        EXPECT_GT(least, point["line_queue"]["approx"].get<double>());
    }
    EXPECT_TRUE(contains(read("curve.svg"), "wang-jsq-maxweight, certified"));
    EXPECT_TRUE(good(curve + "--format csv")
                    .starts_with(
                        "rho,eps,lower,upper,simulated,half_width,bound_14,line_queue,every_policy,least,most\n0.6,0.4,"
                        "3.03,3.7,"));
    EXPECT_TRUE(contains(good(curve + "--format latex"), "& Measured & $0.11$ &"));
    expect_refused("heavy-traffic " + small_cluster_file + " --rho 1/2", "--policy");
    expect_refused("heavy-traffic " + small_cluster_file + " -p fifo --rho 1",
                   "--rho: expected loads inside the capacity region");
    expect_refused("heavy-traffic " + small_cluster_file + " -p fifo --format csv", "--format");
    expect_refused("heavy-traffic " + small_cluster_file + " -p fifo --rho 1/2 --cap-total 3", "--cap-total");
}

/// Along a family the truth lies between bounds that are proved for all its slacks at once.
TEST_F(HeavyTrafficCommand, DrawsMeansOfAFamilyBetweenItsBounds) {
    struct Case {
        const char *family, *policy, *slacks;
    };
    for (const Case& one : {Case{"slack-one-type", "jsq-maxweight", "1/10,1/20,1/50,1/100"},
                            Case{"slack-one-type", "wang-jsq-maxweight", "1/10,1/20,1/50,1/100"},
                            Case{"slack-shared", "join-shortest-queue", "1/20,1/50,1/100"},
                            Case{"slack-two-levels", "pandas", "1/20,1/50,1/100"},
                            Case{"slack-two-levels", "jsq-maxweight", "1/20,1/50,1/100"}}) {
        const ordered_json answer =
            json("heavy-traffic-curve", std::string("heavy-traffic experiments/instances/") + one.family + ".toml -p " +
                                            one.policy + " --slack " + one.slacks + " --slots 40000 --max-states 5000");
        for (const auto& point : answer["points"]) {
            const bool proved = point["verdict"] == "Proved";
            const double mean = proved ? 0 : point["simulated"].get<double>();
            const double around = proved ? 0 : 2 * point["half_width"].get<double>();
            EXPECT_LE(point["least"]["approx"], proved ? point["upper"]["approx"].get<double>() : mean + around);
            EXPECT_LE(point["every_policy"]["approx"], point["least"]["approx"]);
            ASSERT_FALSE(point["most"].is_null()) << one.policy;
            EXPECT_GE(point["most"]["approx"], proved ? point["lower"]["approx"].get<double>() : mean - around);
        }
    }
    const std::string family = "heavy-traffic experiments/instances/slack-one-type.toml -p jsq-maxweight ";
    expect_refused(family + "--slack 1/5", "--slack: expected slacks above 0 and at most 1/10, not 1/5");
    expect_refused(family + "--slack 1/20 --rho 1/2", "--slack");
    expect_refused("heavy-traffic " + small_cluster_file + " -p fifo --slack 1/20", "slack");
    expect_refused("heavy-traffic " + small_cluster_file + " --picture x.svg", "--picture: expected --rho or --slack");
    expect_refused("heavy-traffic " + small_cluster_file + " --slots 2000", "--slots: expected --rho or --slack");
    expect_refused("heavy-traffic " + small_cluster_file + " --seed 2", "--seed: expected --rho or --slack");
}

class ProveStepsCommand : public testing_support::SchemaTest {};

const std::string instances = "experiments/instances/";

TEST_F(HeavyTrafficCommand, SaysWhatIsKnownOfAnInstance) {
    expect_lines("heavy-traffic " + instances + "heavy-traffic-eps01.toml",
                 {"eps               1/10 (approx. 0.1)", "sigma^2           9/100 (approx. 0.09)   of the arrivals",
                  "nu^2              8/25 (approx. 0.32)   of the offered service",
                  "bound (14)        11/10 (approx. 1.1)   tasks",
                  "line queue        307386337537/200000000000 (approx. "
                  "1.53693) <= E Phi <= ",
                  "  (12) holds ", "  Mr > 0 holds ", "  (20) holds      eps < min{1, 2/5, 4/5, 3/10}"});
    expect_lines("heavy-traffic " + instances + "n3-two-levels-eps001.toml -p jsq-maxweight",
                 {"  (12) FAILS      servers {s1}: local tasks 1/2 (approx. 0.5) < 4/5 (approx. 0.8)",
                  "  Z = 1 * type A + 1/4 * type B", "  collapse ray    of MaxWeight: Q[s0] = 1 Q[s1] = 1/4",
                  "  limit factor    20/17 (approx. 1.17647)"});
    expect_lines("heavy-traffic " + instances + "n3-three-levels-eps0004.toml -p jsq-maxweight",
                 {"conditions (12), (20): stated for two levels only", "  limit factor    35/29 (approx. 1.2069)"});
    // A thousand servers: (12) is decided by a flow, not by 2^800 sets.
    expect_lines(
        "heavy-traffic " + instances + "wang-cluster.toml",
        {"eps               50", "  (12) FAILS ", "  Mr > 0 holds    200 of 1000 servers are local to no type"});
    expect_lines("heavy-traffic " + instances + "heavy-traffic-eps01.toml -p wang-jsq-maxweight --cap-total 4",
                 {"truncated chain only (total 4: ",
                  "  Lemma 1         2 eps E sum Q = spread + turned away + "
                  "unused, residual exactly zero",
                  "    spread        21/50 (approx. 0.42)", "    E |Q_perp|^2  "});
}

TEST_F(HeavyTrafficCommand, AnswersInJson) {
    const ordered_json whole = json(
        "heavy-traffic", "heavy-traffic " + instances + "heavy-traffic-eps002.toml -p wang-jsq-maxweight --cap-queue 2",
        0, by_name);
    EXPECT_EQ(whole["lower_bound"]["exact"], "15/2");
    EXPECT_EQ(whole["conditions"]["all_hold"], true);
    EXPECT_EQ(whole["collapse"]["factor"]["exact"], "1");
    EXPECT_EQ(whole["chain"]["lemma_1"]["residual"]["exact"], "0");
    EXPECT_EQ(whole["collapse"]["queue_names"].size(), whole["collapse"]["direction"].size());
    const ordered_json failing =
        json("heavy-traffic", "heavy-traffic " + instances + "n3-two-levels-eps001.toml", 0, by_name);
    EXPECT_EQ(failing["conditions"]["heavy_local_traffic"]["violating"]["servers"], ordered_json({"s1"}));
    EXPECT_EQ(failing["chain"], nullptr);
    const ordered_json loose =
        json("heavy-traffic", "heavy-traffic " + instances + "n2-pandas.toml -p jsq-maxweight", 0, by_name);
    EXPECT_EQ(loose["collapse"]["loose_queues"], ordered_json({"s1"}));
    EXPECT_EQ(whole["collapse"]["loose_queues"], ordered_json::array());
    (void)json("heavy-traffic", "heavy-traffic " + instances + "n2-pandas.toml", 0, by_name);
}

TEST_F(HeavyTrafficCommand, RefusesWhatMakesNoSense) {
    const std::string half = instances + "m2-half.toml";
    expect_refused("heavy-traffic " + half + " --cap-total 3", "expected a policy");
    expect_refused("heavy-traffic " + half + " -p wang --cap-total 3", "expected a registered policy, not 'wang'");
    expect_refused("heavy-traffic " + half + " -p fifo --cap-total 3 --cap-queue 2", "not both");
    expect_refused("heavy-traffic " + half + " -p wang-jsq-maxweight --cap-total 9 --max-states 20",
                   "20 reachable states", 3);
    expect_refused("heavy-traffic missing.toml", "missing.toml");
    expect_refused("prove steps " + half + " -p fifo", "expected a MaxWeight-type policy");
    expect_refused("prove steps " + half + " -p wang-jsq-maxweight --max-steps 0", "max-steps");
    expect_refused("prove", "expected a command: one of drift");
}

TEST_F(ProveStepsCommand, KnownNumbersOfSlots) {
    const auto steps = [&](const std::string& instance, const std::string& policy, const std::string& more = "",
                           int exit = 0) {
        return json("prove-steps", "prove steps " + instances + instance + ".toml -p " + policy + more, exit, by_name);
    };
    EXPECT_EQ(steps("m2-half", "wang-jsq-maxweight")["steps"], 9);
    EXPECT_EQ(steps("m2-shared", "wang-jsq-maxweight")["steps"], 17);
    EXPECT_EQ(steps("m2-one-type", "wang-jsq-maxweight")["steps"], 30);
    EXPECT_EQ(steps("m2-fast-remote", "wang-jsq-maxweight")["steps"], 4);
    EXPECT_EQ(steps("m2-uneven", "wang-jsq-maxweight", " --max-steps 60", 1)["steps"], nullptr);
    EXPECT_EQ(steps("m2-uneven", "wang-jsq-maxweight")["steps"], 80);
    EXPECT_EQ(steps("m2-uneven", "balanced-pandas")["fewer"], nullptr);
    // Blind to racks, Wang's policy has no number of slots on N2.
    EXPECT_EQ(steps("n2-pandas", "wang-jsq-maxweight", " --max-steps 500", 1)["fewer"]["steps"], 500);
    expect_lines("prove steps " + instances + "m2-half.toml -p wang-jsq-maxweight",
                 {"verdict       Exhausted (4 combinations of statuses)", "steps         9, the least",
                  "worst status  common,common: leading drift at most "
                  "-267326/1953125",
                  "8 slots       status common,common, direction Q[s0] = 1/3 Q[s1] = 1/3 Q[common] = 1/3: "
                  "leading drift 50356/390625"});
}

}  // namespace
}  // namespace schedproof
