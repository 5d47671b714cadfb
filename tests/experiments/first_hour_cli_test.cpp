/// What somebody meets in the first hour with the command: words mistyped, things left out, and what a command is going
/// to do.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using namespace testing_support;
using nlohmann::ordered_json;

const std::string m2_half = "experiments/instances/m2-half.toml";

class FirstHour : public SchemaTest {
  protected:
    /// The whole of what is said, in one line and the hint where to read on: the help of the command, if one is named.
    void expect_said(const std::string& arguments, const std::string& complaint,
                     const std::string& command = "schedproof") const {
        expect_refused(arguments, complaint);
        EXPECT_EQ(run(arguments).err, "schedproof: " + complaint + "\nTry `" + command + " --help`.\n");
    }
};

TEST_F(FirstHour, AMistypedWordIsAnsweredByTheNearestAlone) {
    expect_said("kernl", "expected a command, not 'kernl' (did you mean 'kernel'?)");
    expect_said("prove drfit " + m2_half, "expected a command, not 'drfit' (did you mean 'drift'?)",
                "schedproof prove");
    expect_said("import hdfs", "expected a command, not 'hdfs' (did you mean 'hdfs-fsck'?)", "schedproof import");
    expect_said("generate asignment --servers 3", "expected a command, not 'asignment' (did you mean 'assignment'?)",
                "schedproof generate");
    expect_said("--versoin", "expected a known option, not '--versoin' (did you mean '--version'?)");
    expect_said("delay --horizon -5", "expected a known option, not '--horizon'", "schedproof delay");
    expect_said("prove drift " + m2_half + " --policyfile x",
                "expected a known option, not '--policyfile' (did you mean "
                "'--policy-file'?)",
                "schedproof prove drift");
    expect_said("simulate -p srpt --perods A", "expected a known option, not '--perods' (did you mean '--periods'?)",
                "schedproof simulate");
    // What stands without an option is no other option.
    expect_said("validate --policy-file mine.policy",
                "expected a known option, not '--policy-file': POLICY stands without one", "schedproof validate");
    expect_said("capacity --instance=" + m2_half,
                "expected a known option, not '--instance': INSTANCE stands without one", "schedproof capacity");
}

TEST_F(FirstHour, AMissingCommandIsAskedForByName) {
    expect_said("prove", "expected a command: one of drift, throughput-optimal, transience, steps, heavy-traffic",
                "schedproof prove");
    expect_said("generate", "expected a command: one of assignment", "schedproof generate");
    expect_refused("", "expected a command: one of list, show, new-policy, kernel, ");
}

TEST_F(FirstHour, APartOfANameIsTakenForIt) {
    const std::string meant = "not 'jsq' (did you mean 'jsq-maxweight'?)";
    expect_refused("kernel " + m2_half + " -p jsq", meant);
    expect_refused("check -p jsq", meant);
    expect_refused("simulate " + m2_half + " -p jsq", meant);
    expect_refused("kernel " + m2_half + " -p static", "(did you mean 'fluid-model-planning:static'?)");
    expect_refused("assign experiments/instances/assignment/dyndl-example.toml -p dyn", "(did you mean 'dyndlon'?)");
}

TEST_F(FirstHour, NumbersOutOfRangeAreRepeatedAsTheyWereGiven) {
    for (const std::string& policy : {m2_half + " -p fifo", std::string("-p delay"), std::string("-p srpt --rate 1")})
        for (const std::string horizon : {"--horizon -5", "--horizon=-5"})
            expect_refused("simulate " + policy + " " + horizon, "--horizon: expected a number above 0, not -5\n");
}

TEST_F(FirstHour, RacksAreStatedWithTheServers) {
    for (const std::string key : {"rack = 2", "racks = [[\"s0\"], [\"s1\"]]", "groups = 1"}) {
        write("racks.toml", replaced(slurp(SCHEDPROOF_SOURCE_DIR "/" + m2_half), "servers = ", key + "\nservers = "));
        expect_refused("show racks.toml",
                       "expected racks with the servers, such as servers = [{name = \"s0\", rack = ");
    }
}

TEST_F(FirstHour, AnEmptyFileIsNoCertificate) {
    expect_refused("certify /dev/null", "/dev/null: expected a certificate, but the file is empty");
    write("blank.json", " \n");
    expect_refused("certify blank.json", "blank.json: expected a certificate, but the file is empty");
    expect_refused("capacity blank.json", "blank.json: expected text, but the file is empty");
}

TEST_F(FirstHour, OptionsAreListedWithTheirMeaning) {
    expect_lines("list options",
                 {"routing       what the tasks of one slot see when they are routed (Q1)",
                  "                batch           each the queues before any arrival of the slot (default)",
                  "                waiting         waiting tasks only"});
    const ordered_json answer = json("list", "list options");
    for (const ordered_json& entry : answer["entries"]) EXPECT_EQ(entry["values"].size(), 2U) << entry;
}

TEST_F(FirstHour, APlanIsShownAndNothingRuns) {
    const std::string plan = good("check queueing.tasks-balance queueing.duality --dry-run --jobs 2 --max-cells 7");
    EXPECT_TRUE(contains(plan,
                         "\nqueueing.tasks-balance                         jsq-maxweight                explore, "
                         "sampled       2 instances\n"))
        << plan;
    EXPECT_TRUE(contains(plan, "\n2 claims, ")) << plan;
    EXPECT_TRUE(contains(plan,
                         " to oracles, on 2 threads\nrandom cases  200 for each policy and instance, seed 1\n"
                         "a proof       at most 7 cells, and 10000000 resource units of the solver for each "
                         "question; no clock ends it\n"))
        << plan;
    expect_refused("check sharing.no-work-lost -p jsq-maxweight --dry-run", "--policy");
    expect_refused("check --dry-run --format json", "--format");
    expect_refused("check --dry-run --mutants", "--dry-run");

    const std::string whole = good("validate pandas --dry-run --instance " + m2_half);
    EXPECT_TRUE(contains(whole, "\nqueueing.explore-agrees ")) << whole;
    EXPECT_TRUE(contains(whole, "looked for, or transience, on m2-half, m2-uneven, m2-one-type, n2-pandas\n")) << whole;
    EXPECT_TRUE(contains(good("validate dyndloff --dry-run --slots 0"), "\nsimulation    none\n"));
    expect_refused("validate pandas --dry-run --format json", "--format");

    const std::string study = "simulate " + m2_half + " -p fifo -p pandas --horizon 1000 --replications 2 --dry-run";
    const std::string runs = good(study);
    EXPECT_TRUE(contains(runs, "p0000-c01-r000001.json  schedproof simulate --horizon 1000 " + m2_half +
                                   " --policy pandas:plain --first 1 --replications 1\n"))
        << runs;
    EXPECT_EQ(std::count(runs.begin(), runs.end(), '\n'), 4);
    EXPECT_EQ(good(study + " --resume d"), runs);
    EXPECT_FALSE(std::filesystem::exists(at("d")));
}

TEST_F(FirstHour, AsksWhichEngineRunsAndIsToldWhatAnswersEachQuestion) {
    const std::string gate = at("gate.policy");
    std::ofstream(gate) << "policy: gate\nkeep: per_server\n"
                           "route: when(greatest(servers, length) > tasks(4), argmin(servers, length), local)\n"
                           "serve: first_of(argmax(nonempty(reachable), rate * length), own)\n";
    const std::string large = "--servers 100 --data-servers 100 --rate 50 ";
    EXPECT_EQ(good("simulate " + large + "--policy-file " + gate + " --explain"),
              "gate\n  engine  indexed: order by length (2 questions), any of a set (1), tournament by length (1), few "
              "queues (1)\n"
              "  greatest(servers, length): order by length\n"
              "  argmin(servers, length): order by length\n"
              "  local: any of a set\n"
              "  argmax(nonempty(reachable), rate * length): tournament by length\n"
              "  own: few queues\n");
    EXPECT_EQ(good("simulate " + m2_half + " -p fifo -p pandas:plain --explain"),
              "fifo\n  engine  indexed: few queues (2 questions)\n  common: few queues\n  common: few queues\n\n"
              "pandas:plain\n  engine  lanes: replications side by side\n");
    EXPECT_TRUE(contains(good("simulate " + large + "-p jsq-maxweight --horizon 100 --replications 2"),
                         "engine     dense: all servers of a slot side by side\n"));
    EXPECT_TRUE(contains(good("simulate " + large + "-p fifo --horizon 100 --replications 2 --format json"),
                         "\"engine\": \"indexed: few queues (2 questions)\""));
    expect_refused("simulate -p fifo --rate 1 --explain --format json", "--format");
}

/// Whoever waits at a terminal sees what is done and for how long, even while nothing is counted.
TEST_F(FirstHour, ATerminalShowsThatTimeGoesOn) {
    const std::string slow =
        "validate jsq-maxweight --only " + m2_half + " --cases 2 --no-mutants --slots 1000000000 --time-limit 4";
    const Answer shown = shell("script -qec \"'" SCHEDPROOF_COMMAND "' " + slow + "\" /dev/null");
    EXPECT_TRUE(contains(shown.out, "\r\033[Kvalidate: ")) << shown.out;
    EXPECT_FALSE(contains(run(slow).err, "validate:")) << "a file is no terminal";
}

/// Above every table stands the command that makes it, also where a file brought the policy.
TEST_F(FirstHour, TheCommandAboveATableMakesIt) {
    for (const std::string& command : std::vector<std::string>{
             "simulate " + m2_half + " -p experiments/zoo/gate.policy:abs=16 -p jsq-maxweight --horizon 2000",
             "simulate " + m2_half + " --policy-file experiments/zoo/gate.policy --horizon 2000 --replications 3",
             "mean " + m2_half + " -p join-shortest-queue --digits 2",
             "gap " + m2_half + " -p join-shortest-queue --digits 1",
             "heavy-traffic " + m2_half + " -p experiments/zoo/gate.policy --rho 1/2 --slots 2000"}) {
        const std::string text = good(command + " --format latex"), first = "% schedproof ";
        ASSERT_TRUE(text.starts_with(first)) << text;
        const std::string again = text.substr(first.size(), text.find('\n') - first.size());
        EXPECT_EQ(good(contains(again, "--format") ? again : again + " --format latex"), text);
    }
}

/// `--quiet` leaves the exit code, files, and errors.
/// By name, or how many of a folder.
TEST_F(FirstHour, FilesThatAreWrittenAreNamed) {
    const std::string simulation =
        "simulate experiments/instances/n1-fifo.toml -p fifo --horizon 200 --replications 2 ";
    EXPECT_EQ(run(simulation + "--picture a.svg --series b.csv -o c.txt").err, "wrote a.svg, b.csv, c.txt\n");
    EXPECT_EQ(complaint(run(simulation + "-o c.txt")), "");
    EXPECT_EQ(run(simulation).err, "");
    EXPECT_EQ(run("check queueing.route-minimises queueing.serve-maximises -p fifo --evidence ev").err,
              "wrote 7 files in ev\n");
    EXPECT_EQ(run("new-policy mine --text").err, "wrote mine.policy\n");
}

TEST_F(FirstHour, QuietIsSilent) {
    const auto silent = [&](const std::string& arguments, int exit) {
        const Answer answer = run(arguments + " --quiet");
        EXPECT_EQ(answer.exit, exit) << arguments << answer.err;
        EXPECT_EQ(answer.out, "") << arguments;
        return answer.err;
    };
    EXPECT_EQ(silent("check queueing.tasks-balance --cases 3", 0), "");
    EXPECT_EQ(silent("prove drift " + m2_half + " -p pandas --lyapunov squares", 1), "");
    EXPECT_EQ(silent("capacity " + m2_half + " --format json -o capacity.json", 0), "");
    EXPECT_TRUE(contains(read("capacity.json"), "\"load\""));
    EXPECT_EQ(silent("simulate " + m2_half + " -p fifo --rho 1.2 --horizon 200 --picture f.svg", 0), "")
        << "the warning about the load";
    EXPECT_TRUE(contains(read("f.svg"), "<svg"));
    EXPECT_EQ(silent("capacity nothing.toml", 2), "schedproof: nothing.toml: expected an existing file\n");
}

}  // namespace
}  // namespace schedproof
