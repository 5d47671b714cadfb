/// `mean`: intervals, their certificates with the tables beside them, and what is refused.
#include <nlohmann/json.hpp>

#include "tests/support/command.hpp"
#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using nlohmann::json;
using namespace testing_support;

const std::string half = "experiments/instances/m2-half.toml ";

class MeanCli : public CommandTest {
  protected:
    [[nodiscard]] std::string table_file() const {
        for (const auto& entry : std::filesystem::directory_iterator(here()))
            if (entry.path().extension() == ".table") return entry.path().filename().string();
        return "no table";
    }
};

TEST_F(MeanCli, ProvesAnIntervalThatTheCheckerAccepts) {
    const std::string text = out("mean " + half + "-p join-shortest-queue --digits 9 --certificate c.json", 0);
    for (const char* part :
         {"verdict       Proved\ntasks         [0.66666666",
          "the mean number of tasks in the system "
          "at the start of a slot is at least 0.66666666",
          "under every stationary law", "valid states with Q[s0] + Q[s1] <= ", "certificate   c.json\n"})
        EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
    EXPECT_EQ(validated("certificate", "c.json").exit, 0);
    for (const std::string& program :
         std::vector<std::string>{SCHEDPROOF_COMMAND "' certify", SCHEDPROOF_CERTIFY "'"}) {
        const Answer answer = shell("'" + program + " c.json");
        EXPECT_EQ(answer.exit, 0) << answer.out << answer.err;
        EXPECT_TRUE(answer.out.starts_with("accepted      c.json\ntheorem       On 'm2-half'")) << answer.out;
    }
    // From another folder, and with the instance given.
    std::filesystem::create_directory(at("elsewhere"));
    EXPECT_EQ(run("certify c.json --instance " + half).exit, 0);
    EXPECT_NE(run("certify c.json --instance experiments/instances/m2-shared.toml").exit, 0);
}

TEST_F(MeanCli, ProvesSecondMomentsAndUniformDrifts) {
    const std::string squares = out("mean " + half + "-p join-shortest-queue --of tasks^2 --certificate s.json", 0);
    EXPECT_TRUE(contains(squares, "tasks^2       [1.333333333")) << squares;
    EXPECT_TRUE(contains(squares, "the mean square of the number of tasks in the system")) << squares;
    EXPECT_EQ(validated("certificate", "s.json").exit, 0);
    EXPECT_EQ(run("certify s.json").exit, 0);
    const std::string cost = out("mean " + half + "-p generalized-cmu --of cost --digits 3 --certificate h.json", 0);
    EXPECT_TRUE(contains(cost, "\ncost          [")) << cost;
    EXPECT_EQ(validated("certificate", "h.json").exit, 0);
    EXPECT_EQ(run("certify h.json").exit, 0);
    const std::string one = out("mean " + half + "-p join-shortest-queue --uniform --certificate u.json", 0);
    EXPECT_TRUE(contains(one, "at every state at most ")) << one;
    EXPECT_EQ(validated("certificate", "u.json").exit, 0);
    EXPECT_EQ(run("certify u.json").exit, 0);
    // More digits than floating point carries.
    const std::string digits = out("mean " + half + "-p join-shortest-queue --digits 20", 0);
    EXPECT_TRUE(contains(digits, "[0.66666666666666666666")) << digits;
}

TEST_F(MeanCli, ACertificateNeedsItsTableAsItIs) {
    (void)out("mean " + half + "-p jsq-maxweight --box 40 --certificate c.json", 0);
    const std::string name = table_file(), bytes = read(name);
    std::filesystem::remove(at(name));
    expect_refused("certify c.json", "expected the table of the certificate beside it");
    write(name, bytes.substr(0, bytes.size() - 1));
    expect_refused("certify c.json", "expected more entries");
    write(name, "");
    expect_refused("certify c.json", "expected a table");
    std::string other = bytes;
    other[other.size() / 2] = static_cast<char>(other[other.size() / 2] ^ 1);
    write(name, other);
    EXPECT_EQ(run("certify c.json").exit, 1);
    EXPECT_TRUE(contains(run("certify c.json").out, "not the one of the digest"));
    write(name, bytes);
    EXPECT_EQ(run("certify c.json").exit, 0);
    // From a pipe, beside is where the program runs.
    EXPECT_EQ(run("certify - <c.json").exit, 0);
    // What it says is what it proves.
    const std::string text = read("c.json");
    const auto statement = json::parse(text)["statement"];
    write("d.json", replaced(text, "\"radius\": 40", "\"radius\": 39"));
    EXPECT_NE(run("certify d.json").exit, 0);
    write("d.json", replaced(text, "\"kind\": \"tasks\"", "\"kind\": \"waiting\""));
    EXPECT_NE(run("certify d.json").exit, 0);
    write("d.json", replaced(text, "\"kind\": \"tasks\"", "\"kind\": \"tasks\", \"queue\": 0"));
    EXPECT_NE(run("certify d.json").exit, 0);
    write("d.json", replaced(text, "\"scale\": " + statement["scale"].dump(), "\"scale\": \"1\""));
    EXPECT_NE(run("certify d.json").exit, 0);
    write("d.json", replaced(text, statement["table"], std::string(64, '0')));
    EXPECT_NE(run("certify d.json").exit, 0);
    write("d.json", replaced(text, statement["table"], "../" + std::string(61, '0')));
    expect_refused("certify d.json", "hexadecimal");
}

TEST_F(MeanCli, TellsATruncatedChainHowFarItIs) {
    (void)out("mean " + half + "-p join-shortest-queue --digits 9 --certificate c.json");
    const std::string chain = "chain " + half + "-p join-shortest-queue --cap-queue 4 --mean c.json ";
    // Each queue is a birth-and-death chain: 0 to 1 with 1/10, up with 1/10 and down with 4/10, its mean 1/3. A full
    // one loses what arrives and falls with 8/10: weights 1, 1/4, 1/16, 1/64 and 1/512.
    const double mean = (1.0 / 4 + 2.0 / 16 + 3.0 / 64 + 4.0 / 512) / (1 + 1.0 / 4 + 1.0 / 16 + 1.0 / 64 + 1.0 / 512);
    const std::string text = out(chain);
    EXPECT_TRUE(contains(text, "untruncated\n  E sum Q           [0.66666666")) << text;
    EXPECT_TRUE(contains(text, " more than the truncated chain's\n")) << text;
    write("answer.json", out(chain + "--format json"));
    EXPECT_EQ(validated("chain", "answer.json").exit, 0);
    const json answer = json::parse(read("answer.json"));
    const double lost =
        answer["untruncated"]["lower"]["approx"].get<double>() - answer["means"]["tasks"]["approx"].get<double>();
    EXPECT_NEAR(lost, 2.0 / 3 - 2 * mean, 1e-8);
    expect_refused("chain " + half + "-p jsq-maxweight --cap-queue 4 --mean c.json", "--mean: expected a mean of this");
    (void)out("mean " + half + "-p join-shortest-queue --of busy --digits 6 --certificate b.json");
    expect_refused("chain " + half + "-p join-shortest-queue --cap-queue 4 --mean b.json", "a mean number of tasks");
    write("d.json", replaced(read("c.json"), "\"upper\": \"", "\"upper\": \"-"));
    expect_refused("chain " + half + "-p join-shortest-queue --cap-queue 4 --mean d.json", "that is accepted");
}

TEST_F(MeanCli, AnswersInJson) {
    const auto answer = [&](const std::string& rest, int exit) {
        const std::string text = out("mean " + half + rest + " --format json", exit);
        write("answer.json", text);
        EXPECT_EQ(validated("mean", "answer.json").exit, 0) << text;
        return json::parse(text);
    };
    const json delay = answer("-p join-shortest-queue --digits 9 --of delay", 0);
    EXPECT_EQ(delay["verdict"], "proved");
    EXPECT_NEAR(delay["lower"]["approx"].get<double>(), 2.0 / 3, 1e-9);
    EXPECT_TRUE(delay["reached"].get<bool>());
    const json tail = answer("-p join-shortest-queue --of 'P(tasks>0)'", 0);
    EXPECT_NEAR(tail["upper"]["approx"].get<double>(), 7.0 / 16, 1e-6);
    const json small = answer("-p jsq-maxweight --digits 9 --max-states 20000", 3);
    EXPECT_FALSE(small["reached"].get<bool>());
    EXPECT_LE(small["theorem"]["states"].get<int>(), 20'000);
    const json none = answer("-p jsq-maxweight --box 3", 3);
    EXPECT_EQ(none["verdict"], "unknown");
    EXPECT_TRUE(contains(none["reason"], "a larger box is needed (--box"));
}

TEST_F(MeanCli, MeasuresWhereNothingIsProvedAndANumberIsAskedFor) {
    const std::string nothing = "mean " + half + "-p join-shortest-queue --lyapunov squares --max-states 4 ";
    const std::string unknown = out(nothing, 3);
    EXPECT_TRUE(contains(unknown, "verdict       Unknown\n")) << unknown;
    EXPECT_TRUE(contains(unknown, "they have a radius of at most 0, and 1 is needed")) << unknown;
    EXPECT_FALSE(contains(unknown, "transience")) << unknown;
    // The two queues are independent and geometric: a box of states that have few tasks gives less than 2/3.
    const std::string text = out(nothing + "--measured", 0);
    EXPECT_TRUE(contains(text, "verdict       Measured\ntasks         0: it bounds nothing\n")) << text;
    EXPECT_TRUE(contains(out(nothing + "--measured --format markdown", 0), " (Measured) |")) << text;
    write("answer.json", out(nothing + "--measured --format json", 0));
    EXPECT_EQ(validated("mean", "answer.json").exit, 0);
    const json answer = json::parse(read("answer.json"));
    EXPECT_EQ(answer["verdict"], "measured");
    EXPECT_GE(answer["measured"]["value"].get<double>(), 0);
    EXPECT_LT(answer["measured"]["value"].get<double>(), 2.0 / 3);
    // Where the interval is found, it is what is told.
    EXPECT_TRUE(contains(out("mean " + half + "-p join-shortest-queue --measured", 0), "verdict       Proved\n"));
    // A policy without a stationary law has a number all the same, which is why it bounds nothing.
    const std::string unstable =
        out("mean experiments/instances/n2-pandas.toml -p pandas --lyapunov squares "
            "--max-states 3000 --measured",
            0);
    EXPECT_TRUE(contains(unstable, "verdict       Measured\n")) << unstable;
}

TEST_F(MeanCli, EndsWithTheTime) {
    const std::string text = out("mean " + half + "-p jsq-maxweight --digits 20 --time-limit 1", 3);
    const bool proved = contains(text, "verdict       Proved\n");
    EXPECT_TRUE(contains(text, proved ? " states (--time-limit)\n" : "1 seconds did not suffice for a box")) << text;
    expect_refused("mean " + half + "-p jsq-maxweight --time-limit 0", "--time-limit");
}

TEST_F(MeanCli, SaysWhyThereIsNoMean) {
    const std::string unstable = out("mean experiments/instances/n2-pandas.toml -p pandas --lyapunov squares", 3);
    EXPECT_TRUE(contains(unstable, "verdict       Unknown\nreason        squares: no box of at most ")) << unstable;
    EXPECT_TRUE(contains(unstable, "schedproof prove transience")) << unstable;
    // Beyond its capacity: no function is proved, and a search finds none.
    const std::string over = replaced(read("experiments/instances/m2-half.toml"), "A = \"1/2\", B = \"1/2\"",
                                      "A = \"19/20\", B = \"19/20\"");
    write("over.toml", over);
    const std::string none = out("mean over.toml -p jsq-maxweight", 3);
    for (const char* part : {"reason        the load rho* is 19/16 (approx. 1.1875): no policy is stable; ",
                             "no interval found. Tried: regret: no box of at most ", "; a search: "})
        EXPECT_TRUE(contains(none, part)) << none;
    // A function that is unbounded below proves nothing, whatever its drift.
    write("down.toml", read("experiments/instances/m2-half.toml") +
                           "\n[[lyapunov]]\nname = 'down'\nproducts = [{coefficient = -1, first = {s0 = 1}, "
                           "second = {s0 = 1}}]\n");
    const std::string down = out("mean down.toml -p jsq-maxweight --lyapunov down", 3);
    EXPECT_TRUE(contains(down, "V is not shown to be bounded below")) << down;
}

/// A table whose inequality proves less than 0 proves what is known without it: nothing is ever negative.
TEST_F(MeanCli, ALowerBoundIsNeverBelowZero) {
    for (const char* asked : {"-p join-shortest-queue --of 'P(tasks>30)' --digits 6", "-p jsq-maxweight --box 10",
                              "-p jsq-maxweight --of 'P(tasks>4)' --box 9"}) {
        SCOPED_TRACE(asked);
        const json proved = json::parse(out("mean " + half + asked + " --certificate low.json --format json", 0));
        EXPECT_EQ(proved["lower"]["exact"], "0");
        EXPECT_EQ(proved["width"]["exact"], proved["upper"]["exact"]);
        EXPECT_TRUE(contains(proved["theorem"]["sentence"], " is at least 0 and at most "));
        EXPECT_EQ(run("certify low.json").exit, 0);
        // What the table proves is below 0, and no more than that may be said of it.
        const std::string certificate = read("low.json");
        EXPECT_TRUE(contains(certificate, "\"lower\": \"-"));
        write("more.json", replaced(certificate, "\"lower\": \"-", "\"lower\": \""));
        EXPECT_EQ(run("certify more.json").exit, 1);
    }
    // Where nothing arrives, nothing is there.
    write("none.toml",
          replaced(read("experiments/instances/m2-half.toml"), "A = \"1/2\", B = \"1/2\"", "A = \"0\", B = \"0\""));
    EXPECT_TRUE(contains(out("mean none.toml -p jsq-maxweight --digits 2", 0), "tasks         [0, 0"));
    EXPECT_TRUE(contains(out("gap none.toml -p jsq-maxweight", 0), "optimum       at least 0 tasks"));
    EXPECT_TRUE(contains(out("optimum-policy none.toml --box 10", 0), "tasks         at least 0\n"));
}

TEST_F(MeanCli, RefusesWhatItCannotTake) {
    const std::string start = "mean " + half + "-p jsq-maxweight ";
    expect_refused(start + "--of task", "--of: expected tasks, waiting");
    expect_refused(start + "--of task", "did you mean 'tasks'?");
    expect_refused(start + "--of queue:s9", "--of: expected tasks");
    expect_refused(start + "--of 'P(tasks>-1)'", "--of: expected tasks");
    expect_refused(start + "--digits 0", "--digits");
    expect_refused(start + "--digits 40", "--digits");
    expect_refused(start + "--digits 4 --box 20", "--box");
    expect_refused(start + "--of tasks^2 --uniform", "--uniform: expected a quantity that grows no faster");
    expect_refused(start + "--of cost", "--of: expected a policy with a queue per type");
    expect_refused("mean " + half + "-p generalized-cmu --of cost --uniform", "not tasks^2 or cost");
    expect_refused(start + "--weights 1", "--weights: expected 2 numbers");
    expect_refused(start + "--weights 1,0", "--weights: expected integers from 1");
    expect_refused(start + "--lyapunov nothing", "lyapunov");
    expect_refused(start + "--certificate -", "--certificate");
    expect_refused("mean " + half + "-p fifo", "expected queues that hold counts");
    // A box beyond memory is refused before it is filled.
    EXPECT_TRUE(contains(out(start + "--box 100000000", 3), "more than 4000000 states"));
}

TEST_F(MeanCli, ControlsSimulatedMeans) {
    (void)out("mean " + half + "-p jsq-maxweight --digits 4 --certificate c.json", 0);
    const std::string both = "simulate " + half +
                             "-p jsq-maxweight -p generalized-cmu --horizon 20000 --confidence 0.9999 "
                             "--replications 20 --control c.json ";
    const std::string text = out(both, 0);
    for (const char* part :
         {"tasks in system under jsq-maxweight, certified in [4.560",
          "tasks in system under jsq-maxweight: simulated 4.", ", which holds the certified mean\n",
          "with it and the arrivals as controls, on the same random numbers\n", "squared error left"})
        EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
    write("answer.json", out(both + "--format json", 0));
    EXPECT_EQ(validated("simulate", "answer.json").exit, 0);
    const json policies = json::parse(read("answer.json"))["points"][0]["policies"];
    const json own = policies[0]["quantities"][0], other = policies[1]["quantities"][0];
    // Of the policy of the certificate the mean itself is tested, that of the other is corrected: both hold the truth.
    const auto middle = [&](const std::string& policy) {
        const json mean = json::parse(out("mean " + half + "-p " + policy + " --digits 4 --format json", 0));
        return (mean["lower"]["approx"].get<double>() + mean["upper"]["approx"].get<double>()) / 2;
    };
    EXPECT_NEAR(own["mean"].get<double>(), middle("jsq-maxweight"), own["half_width"].get<double>());
    const json& controlled = other["controlled"];
    EXPECT_EQ(controlled["controls"], (json{"arrivals", "tasks in system under jsq-maxweight"}));
    EXPECT_NEAR(controlled["mean"].get<double>(), middle("generalized-cmu"), controlled["half_width"].get<double>());
    EXPECT_LT(controlled["half_width"].get<double>(), 0.8 * other["half_width"].get<double>());
    // More than the arrivals alone explain.
    const json alone = json::parse(out("simulate " + half +
                                       "-p generalized-cmu --horizon 20000 --confidence 0.9999 --replications 20 "
                                       "--warm-up 500 --format json"))["points"][0]["policies"][0]["quantities"][0];
    EXPECT_LT(controlled["variance_ratio"].get<double>(), alone["controlled"]["variance_ratio"].get<double>());
}

TEST_F(MeanCli, RefusesControlsThatAreOfAnotherMean) {
    (void)out("mean " + half + "-p jsq-maxweight --digits 3 --certificate c.json", 0);
    const std::string one = "simulate " + half + "--horizon 1000 --control c.json ";
    EXPECT_TRUE(contains(out(one + "-p jsq-maxweight", 0), "certified mean"));
    // Runs that are far from it are no runs of what is certified.
    const std::string far =
        out("simulate " + half + "--horizon 1000 --control c.json -p jsq-maxweight --queues 5000,0 --warm-up 0", 0);
    EXPECT_TRUE(contains(far, ", which misses the certified mean\n")) << far;
    EXPECT_TRUE(contains(
        far, "\ntasks in system under jsq-maxweight: no control, because in these runs tasks in system is 500"))
        << far;
    const json apart = json::parse(out(
        "simulate " + half +
        "--horizon 1000 --control c.json -p jsq-maxweight --queues 5000,0 --warm-up 0 --format json"))["points"][0]
                                                                                                      ["policies"][0];
    EXPECT_EQ(apart["left_out"].size(), 1U);
    EXPECT_EQ(apart["quantities"][1]["controlled"]["controls"], json{"arrivals"});
    EXPECT_TRUE(contains(out(one + "-p jsq-maxweight --replications 2", 0), "too few replications for controls"));
    expect_refused(one + "-p generalized-cmu",
                   "--control: expected a mean under one of the policies that are simulated");
    expect_refused(one + "-p jsq-maxweight --rho 3/4", "--control: expected a mean of the instance that is simulated");
    expect_refused("simulate experiments/instances/m2-shared.toml -p jsq-maxweight --control c.json",
                   "--control: expected a mean of the instance that is simulated");
    expect_refused(one + "-p jsq-maxweight --cap-total 9", "without truncation");
    expect_refused(one + "-p jsq-maxweight --time continuous", "in slots and without truncation");
    expect_refused("simulate -p srpt --rate 1 --horizon 100 --control c.json",
                   "--control: cannot be used with a policy of the redundancy family");
    (void)out("mean " + half + "-p join-shortest-queue --of busy --digits 4 --certificate b.json");
    expect_refused("simulate " + half + "-p join-shortest-queue --control b.json", "the mean of tasks or of waiting");
    write("d.json", replaced(read("c.json"), "\"upper\": \"", "\"upper\": \"-"));
    expect_refused("simulate " + half + "-p jsq-maxweight --control d.json", "that is accepted");
}

TEST_F(MeanCli, SetsPoliciesBesideTheBestOfAll) {
    const std::string gap = "gap " + half + "-p join-shortest-queue -p jsq-maxweight --digits 3 ";
    const std::string text = out(gap + "--evidence gap", 0);
    for (const char* part : {"instance      m2-half (rho* <= 5/8", "optimum       at least 0.66",
                             "join-shortest-queue ", "jsq-maxweight tasks in [4.5", ": at least 6.8",
                             " times the best policy compared here; at most 6.8", " times the optimum\n"})
        EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
    for (const auto& entry : std::filesystem::directory_iterator(at("gap")))
        if (entry.path().extension() == ".json") {
            EXPECT_EQ(run("certify " + entry.path().string()).exit, 0) << entry.path();
        }
    write("answer.json", out(gap + "--rho 5/16,5/8 --format json --picture gap.svg", 0));
    EXPECT_EQ(validated("gap", "answer.json").exit, 0);
    const json points = json::parse(read("answer.json"))["points"];
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[0]["load"]["exact"], "5/16");
    EXPECT_EQ(points[0]["instance"], "m2-half-load-1:2");
    EXPECT_TRUE(
        out(gap + "--rho 5/16 --format csv", 0)
            .starts_with(
                "load,policy,lower,upper,any_policy_lower,reached,any_policy_reached\n0.3125,join-shortest-queue,0."));
    EXPECT_TRUE(contains(read("gap.svg"), "<svg"));
    expect_refused(gap + "-p join-shortest-queue", "stands twice");
    expect_refused(gap + "--rho 15/8", "--rho: ");
    expect_refused(gap + "--rho 0", "--rho: expected a load above 0");
    expect_refused(gap + "--rho 1", "--rho: expected loads rho* below 1, not 1");
    const std::string alone = out("gap " + half + "-p jsq-maxweight --digits 3", 0);
    EXPECT_FALSE(contains(alone, "the best policy compared here")) << alone;
    // What no bound is found for does not take the rest of a sweep along.
    const std::string tiny = out("gap " + half + "-p join-shortest-queue --digits 1 --rho 5/8,5/8000000000", 3);
    for (const char* part : {"optimum       at least 0.66", "optimum       Unknown: limit reached: 127 bits"})
        EXPECT_TRUE(contains(tiny, part)) << tiny;
    expect_refused("gap " + half + "-p fifo", "expected queues that hold counts");
}

TEST_F(MeanCli, TellsWhenAnIntervalOfAGapIsWiderThanAskedFor) {
    const std::string gap = "gap " + half + "-p join-shortest-queue --digits 9 --max-states 60 ";
    const std::string text = out(gap, 3);
    for (const char* part : {" tasks under any policy; not reached: a larger box may raise it",
                             "; not reached: an interval as narrow as --digits asks for"})
        EXPECT_TRUE(contains(text, part)) << text;
    const json point = json::parse(out(gap + "--format json", 3))["points"][0];
    EXPECT_EQ(point["any_policy_reached"], false);
    EXPECT_EQ(point["policies"][0]["reached"], false);
    EXPECT_TRUE(contains(out(gap + "--format csv", 3), ",false,false\n"));
    for (const char* part : {"(wider than asked for)", "(a larger box may raise it)"})
        EXPECT_TRUE(contains(out(gap + "--format markdown", 3), part));
    const json narrow = json::parse(out("gap " + half + "-p join-shortest-queue --digits 2 --format json", 0));
    EXPECT_EQ(narrow["points"][0]["any_policy_reached"], true);
    EXPECT_EQ(narrow["points"][0]["policies"][0]["reached"], true);
}

}  // namespace
}  // namespace schedproof
