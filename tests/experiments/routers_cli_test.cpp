/// The routers of docs/routers.md, through nothing but their texts: which comparisons are strict, what is proved of
/// them, and what certificates refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using testing_support::contains;
using testing_support::replaced;

const std::string one_hot = "experiments/instances/router-h3.toml", one_home = "experiments/instances/router-t2.toml";
const std::vector<std::string> all_rules{"gate",       "request-gate", "mean-gate", "bounded-hash",
                                         "load-aware", "least-work",   "work-gate"};

class RoutersCli : public testing_support::CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        for (const std::string& rule : all_rules)
            write(rule + ".policy", testing_support::slurp(std::filesystem::path(SCHEDPROOF_SOURCE_DIR) /
                                                           "experiments/zoo" / (rule + ".policy")));
        write("gate-abs-0.policy", replaced(read("gate.policy"), "let: abs = 64", "let: abs = 0"));
        write("request-gate-abs-0.policy", replaced(read("request-gate.policy"), "let: abs = 64", "let: abs = 0"));
    }
    /// Where requests of both types go on router-h3, under a rule and its values, when the workers hold these numbers
    /// of their own requests.
    void expect_routes(const std::string& rule, int s0, int s1, int s2, const std::string& a,
                       const std::string& b) const {
        SCOPED_TRACE(rule + " " + std::to_string(s0) + " " + std::to_string(s1) + " " + std::to_string(s2));
        const std::string queues = std::to_string(s0) + ",0," + std::to_string(s1) + ",0," + std::to_string(s2) + ",0";
        const std::size_t values = std::min(rule.find(':'), rule.size());
        const std::string file = rule.substr(0, values) + ".policy" + rule.substr(values);
        const std::string answer = good("kernel " + one_hot + " --policy-file " + file + " --queues " + queues);
        EXPECT_TRUE(contains(answer, "type A joins " + a + "\n")) << answer;
        EXPECT_TRUE(contains(answer, "type B joins " + b + "\n")) << answer;
    }
    /// Proves that the drift of `weighted-work` is at least `delta` at every state, with a certificate.
    void expect_growth(const std::string& instance, const std::string& rule, const std::string& delta) const {
        expect_lines("prove drift " + instance + " --lyapunov weighted-work --above --delta " + delta +
                         " --threshold 0 --certificate c.json --policy-file " + rule + ".policy",
                     {"verdict       Proved"});
        expect_lines("certify c.json --instance " + instance, {"accepted      c.json"});
    }
};

TEST_F(RoutersCli, TheGateOpensBeyondBothThresholdsOnly) {
    expect_routes("gate", 64, 0, 0, "s0.local", "s1.local");
    expect_routes("gate", 65, 0, 0, "s1.remote or s2.remote", "s1.local or s2.remote");
    expect_routes("gate", 300, 200, 200, "s0.local", "s1.local");
    expect_routes("gate", 301, 200, 200, "s1.remote or s2.remote", "s1.local or s2.remote");
    expect_routes("gate-abs-0", 150, 100, 100, "s0.local", "s1.local");
    expect_routes("gate-abs-0", 151, 100, 100, "s1.remote or s2.remote", "s1.local or s2.remote");
    // Open, everything goes to the least loaded worker, whoever holds it.
    expect_routes("gate", 65, 1, 0, "s2.remote", "s2.remote");
    expect_routes("gate", 0, 65, 1, "s0.local", "s0.remote");
}

TEST_F(RoutersCli, TheGatePerRequestAsksOfTheRequestsOwnWorker) {
    expect_routes("request-gate", 64, 0, 0, "s0.local", "s1.local");
    expect_routes("request-gate", 65, 0, 0, "s1.remote or s2.remote", "s1.local");
    expect_routes("request-gate", 0, 65, 1, "s0.local", "s0.remote");
    expect_routes("request-gate-abs-0", 150, 100, 100, "s0.local", "s1.local");
    expect_routes("request-gate-abs-0", 151, 100, 100, "s1.remote or s2.remote", "s1.local");
}

/// On three workers of which one holds n requests of its own the mean is n/3, and (n + 1)/3 with the new one.
TEST_F(RoutersCli, TheGatesOnTheMeanLeaveAHomeBeyondBothThresholdsOnly) {
    const std::string away = "s1.remote or s2.remote";
    expect_routes("mean-gate", 96, 0, 0, "s0.local", "s1.local");
    expect_routes("mean-gate", 97, 0, 0, away, "s1.local");
    expect_routes("mean-gate:abs=0", 100, 100, 0, "s0.local", "s1.local");
    expect_routes("mean-gate:abs=0", 101, 100, 0, "s2.remote", "s1.local");
    expect_routes("mean-gate:rel=4,abs=0", 500, 0, 0, "s0.local", "s1.local");
    expect_routes("bounded-hash:workers=3", 15, 0, 0, "s0.local", "s1.local");
    expect_routes("bounded-hash:workers=3", 16, 0, 0, away, "s1.local");
    expect_routes("bounded-hash:workers=3,abs=0", 100, 100, 39, "s0.local", "s1.local");
    expect_routes("bounded-hash:workers=3,abs=0", 100, 100, 38, "s2.remote", "s2.remote");
    expect_routes("load-aware", 50, 100, 0, "s2.remote", "s2.remote");
    expect_routes("load-aware", 50, 101, 0, "s0.local", "s2.remote");
    expect_routes("load-aware:beta=1/2", 50, 100, 0, "s0.local", "s2.remote");
    expect_routes("load-aware:beta=1/2", 50, 99, 0, "s0.local", "s1.local");
}

/// At rates 2/5 and 1/10 a request elsewhere costs as much work over rate as four at home.
TEST_F(RoutersCli, WorkOverRateIsCompared) {
    expect_routes("least-work", 4, 1, 1, "s0.local or s1.remote or s2.remote", "s1.local");
    expect_routes("least-work", 5, 1, 1, "s1.remote or s2.remote", "s1.local");
    expect_routes("work-gate", 26, 0, 0, "s0.local", "s1.local");
    expect_routes("work-gate", 27, 0, 0, "s1.remote or s2.remote", "s1.local");
    expect_routes("work-gate", 30, 1, 1, "s0.local", "s1.local");
    expect_routes("work-gate", 31, 1, 1, "s1.remote or s2.remote", "s1.local");
}

TEST_F(RoutersCli, TheGateIsTransientInsideTheCapacityRegion) {
    expect_growth(one_hot, "gate", "11/324");
    expect_lines("prove transience " + one_hot + " --policy-file gate.policy --certificate t.json",
                 {"verdict       Proved", "load          rho* = 469/480"});
    expect_lines("certify t.json", {"accepted      t.json"});
    // The bound is attained.
    expect_lines(
        "kernel " + one_hot +
            " --lyapunov weighted-work --queues 1,0,1,0,0,1 --serving own,own,s2.remote --policy-file gate.policy",
        {"  drift     11/324"});
}

/// With all workers busy the bound of the argument on paper is the drift, gate shut or open; the command finds one.
TEST_F(RoutersCli, OnTwelveWorkersTheGateIsTransient) {
    std::string level = "1,0", uneven = "70,0", busy = "own";
    for (int worker = 1; worker < 12; ++worker) {
        level += ",1,0";
        uneven += worker < 11 ? ",2,0" : ",1,0";
        busy += ",own";
    }
    const std::string kernel =
        "kernel experiments/instances/router-w12.toml --lyapunov weighted-work --policy-file gate.policy --serving " +
        busy;
    expect_lines(kernel + " --queues " + level, {"route       type A joins s0.local", "  drift     19/460"});
    expect_lines(kernel + " --queues " + uneven, {"route       type A joins s11.remote", "  drift     19/460"});
    const std::string prove = "prove transience experiments/instances/router-w12.toml --policy-file gate";
    expect_lines(prove + ".policy --certificate w.json", {"verdict       Proved"});
    expect_lines("certify w.json", {"accepted      w.json"});
    expect_lines(prove + "-abs-0.policy", {"verdict       Proved"});
    expect_refused(prove + ".policy --picture cells.svg",
                   "--picture: the proof is by modes of arrivals, which have no cells");
}

/// k of M workers are hot: where k/M exceeds what the rule compares the mean with, the gate stays shut and homes grow.
TEST_F(RoutersCli, AHotMajorityHidesInTheMean) {
    struct Known {
        const char *instance, *rule, *delta;
    };
    for (const Known& known : {Known{"router-k4", "mean-gate.policy", "1/80"},
                               {"router-k4", "mean-gate.policy:rel=27/20,abs=0", "1/80"},
                               {"router-k6", "mean-gate.policy", "3/500"},
                               {"router-k6", "bounded-hash.policy", "3/500"},
                               {"router-k3", "load-aware.policy:beta=1/2", "1/25"},
                               {"router-k4", "load-aware.policy:beta=1/2", "1/80"}}) {
        SCOPED_TRACE(std::string(known.instance) + " " + known.rule);
        const std::string instance = "experiments/instances/" + std::string(known.instance) + ".toml";
        expect_lines("prove transience " + instance + " --certificate k.json --policy-file " + known.rule,
                     {"verdict       Proved", "delta         " + std::string(known.delta) + " "});
        expect_lines("certify k.json --instance " + instance, {"accepted      k.json"});
        EXPECT_LT(read("k.json").size(), 50'000U);
    }
    expect_refused(
        "prove transience experiments/instances/router-k4.toml --policy-file mean-gate.policy --picture cells.svg",
        "--picture: the proof is by terms of the drift in a cone, which has no cells to draw");
    // 2/3 = 1/rel: no majority.
    expect_lines("prove transience experiments/instances/router-k3.toml --policy-file mean-gate.policy",
                 {"verdict       Unknown"}, 3);
}

/// Two adapters with one home pass the same test under both gates.
TEST_F(RoutersCli, TheGatesAreTransientWhereMissesDifferInCost) {
    expect_growth(one_home, "gate", "115/468");
    expect_growth(one_home, "request-gate", "115/468");
    expect_lines("prove transience " + one_home + " --policy-file request-gate.policy", {"verdict       Proved"});
}

TEST_F(RoutersCli, WorkIsThroughputOptimal) {
    for (const std::string rule : {"least-work", "work-gate"}) {
        SCOPED_TRACE(rule);
        const std::string file = " --policy-file " + rule + ".policy";
        expect_lines("prove throughput-optimal --for-all --certificate p.json" + file, {"verdict       Proved"});
        expect_lines("certify p.json", {"accepted      p.json"});
        expect_lines("prove throughput-optimal --for-all --levels 3" + file, {"verdict       Proved"});
        expect_lines("prove throughput-optimal experiments/instances/router-w12.toml" + file, {"verdict       Proved"});
        expect_lines("prove drift " + one_home + " --lyapunov workload-squares --certificate d.json" + file,
                     {"verdict       Proved", "stability     Proved"});
        expect_lines("certify d.json", {"accepted      d.json"});
    }
    expect_lines("prove throughput-optimal --for-all --policy-file gate.policy", {"verdict       Unknown"}, 3);
    expect_lines("prove throughput-optimal --for-all --policy-file request-gate.policy", {"verdict       Unknown"}, 3);
}

/// In the certificate, and in the function of the instance, where a smaller weight breaks an inequality.
TEST_F(RoutersCli, AnAlteredWeightIsRejected) {
    expect_growth(one_home, "gate", "115/468");
    const std::string instance = testing_support::slurp(at(one_home)), certificate = read("c.json");
    struct Weight {
        const char *queue, *right, *less;
    };
    for (const Weight& weight :
         {Weight{"s0.local.A", "265", "264"}, {"s1.remote.A", "440", "439"}, {"s1.remote.C", "55", "54"}}) {
        SCOPED_TRACE(weight.queue);
        const auto altered = [&](const std::string& text, const std::string& before, const std::string& after) {
            return replaced(text, before + weight.right + after, before + weight.less + after);
        };
        const std::size_t statement = certificate.find("\"statement\"");
        write("wrong.json", certificate.substr(0, statement) + altered(certificate.substr(statement), ", \"", "\"]"));
        expect_lines("certify wrong.json", {"rejected      wrong.json"}, 1);
        write("wrong.toml", altered(instance, '"' + std::string(weight.queue) + "\" = ", ""));
        expect_lines(
            "prove drift wrong.toml --lyapunov weighted-work --above --delta 115/468 --threshold 0 "
            "--policy-file gate.policy",
            {"verdict       Refuted"}, 1);
    }
}

/// Growth of the requests in the system, with 95 % intervals, from no requests and from 2,000 at each home.
TEST_F(RoutersCli, TheGateGrowsInSimulationsFromBothStarts) {
    struct Known {
        const char *discipline, *start;
        double low, high;
    };
    for (const Known& known : {Known{"local-first", "0", 0.0203, 0.0223},
                               {"local-first", "2000", 0.0203, 0.0223},
                               {"fcfs", "0", 0.0262, 0.0284},
                               {"fcfs", "2000", 0.0262, 0.0284}}) {
        SCOPED_TRACE(std::string(known.discipline) + " from " + known.start);
        (void)good("simulate " + one_hot +
                   " --policy-file gate.policy --policy-file least-work.policy --horizon 500000 --replications 5 "
                   "--warm-up 250000 --counts-only --format json -o s.json --discipline " +
                   known.discipline + " --queues " + known.start + ",0," + known.start + ",0,0,0");
        const auto growth = [answer = nlohmann::json::parse(read("s.json"))](std::size_t policy) {
            for (const auto& quantity : answer["points"][0]["policies"][policy]["quantities"])
                if (quantity["name"] == "growth of tasks in system") return quantity;
            return nlohmann::json();
        };
        const double gate = growth(0)["mean"], half = growth(0)["half_width"], least_work = growth(1)["mean"];
        EXPECT_LT(gate - half, known.high);
        EXPECT_GT(gate + half, known.low);
        EXPECT_LT(std::abs(least_work), 0.001);
    }
}

/// The page shows the texts as they are.
TEST_F(RoutersCli, ThePageShowsTheirTexts) {
    const std::string page = testing_support::slurp(std::filesystem::path(SCHEDPROOF_SOURCE_DIR) / "docs/routers.md");
    for (const std::string& rule : all_rules)
        EXPECT_TRUE(contains(page, "```text\n" + read(rule + ".policy") + "```\n")) << rule;
}

}  // namespace
}  // namespace schedproof
