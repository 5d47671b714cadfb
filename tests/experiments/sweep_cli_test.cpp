/// `schedproof sweep`: grids, complaints about specifications, and a real Slurm.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using namespace testing_support;

const std::string spec = R"([simulate]
instance = "experiments/instances/m2-half.toml"
policy = ["wang-jsq-maxweight", "fifo"]
replications = 2
batches = 10
warm-up = 20

[grid]
seed = [4, 3]
horizon = [100, 200.5]
)";

class SweepCli : public SchemaTest {
  protected:
    void SetUp() override {
        SchemaTest::SetUp();
        write("grid.toml", spec);
    }
    void expect_wrong(const std::string& from, const std::string& to, const std::string& words) const {
        write("wrong.toml", replaced(spec, from, to));
        expect_refused("sweep wrong.toml", words);
    }
};

TEST_F(SweepCli, ListsTheRunsInTheOrderOfTheFile) {
    const std::string list = good("sweep grid.toml --dry-run");
    EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 16);
    EXPECT_TRUE(
        list.starts_with("p0000-c00-r000000.json  schedproof simulate --horizon 100 --batches 10 --seed 4 "
                         "experiments/instances/m2-half.toml --policy wang-jsq-maxweight --first 0 --replications 1\n"
                         "p0000-c01-r000000.json  schedproof simulate --horizon 100 --batches 10 --seed 4 "
                         "experiments/instances/m2-half.toml --policy fifo --first 0 --replications 1\n"))
        << list;
    EXPECT_TRUE(contains(list, "p0001-c00-r000000.json  schedproof simulate --horizon 200.5 --batches 10 --seed 4 "));
    EXPECT_TRUE(contains(list, "p0002-c00-r000000.json  schedproof simulate --horizon 100 --batches 10 --seed 3 "));
    EXPECT_FALSE(std::filesystem::exists(at("grid.results")));
}

TEST_F(SweepCli, EveryUnitIsWhatItsCommandMakes) {
    static_cast<void>(good("sweep grid.toml"));
    const std::string list = good("sweep grid.toml --dry-run");
    const std::string line = list.substr(list.find("p0003-c01-r000001.json"));
    const std::string command = line.substr(line.find("simulate"), line.find('\n') - line.find("simulate"));
    const ordered_json unit = ordered_json::parse(read("grid.results/p0003-c01-r000001.json"));
    static_cast<void>(good(command + " --resume alone"));
    EXPECT_EQ(ordered_json::parse(read("alone/p0000-c00-r000000.json"))["observation"], unit["observation"]);
}

TEST_F(SweepCli, RunsMergesAndDraws) {
    const std::string text = good("sweep grid.toml --picture grid.svg --format json -o grid.json --series series.csv");
    EXPECT_EQ(text, "");
    expect_schema("simulate", read("grid.json"), {"/points/0/variables", "/points/0/description"});
    const ordered_json answer = ordered_json::parse(read("grid.json"));
    ASSERT_EQ(answer["points"].size(), 4U);
    EXPECT_EQ(answer["points"][1]["variables"]["horizon"], "200.5");
    EXPECT_EQ(answer["points"][1]["variables"]["seed"], "4");
    EXPECT_TRUE(contains(read("grid.svg"), ">seed<")) << "the axis is the first number that varies";
    EXPECT_EQ(answer["files"], ordered_json({"grid.json", "grid.svg", "series.csv"}))
        << "results of single runs, which are kept for later, are no answer";
    ordered_json same = answer;
    same["files"] = ordered_json::array();
    EXPECT_EQ(ordered_json::parse(good("sweep grid.toml --collect --format json")), same);
    EXPECT_EQ(ordered_json::parse(good("merge grid.results --format json")), same);
    static_cast<void>(
        good("merge grid.results --picture m.svg --figure mean --x-axis horizon --y-axis 'tasks waiting'"));
    EXPECT_TRUE(contains(read("m.svg"), ">horizon<"));
    EXPECT_TRUE(contains(read("m.svg"), "fifo, seed 3"));
    expect_refused("merge grid.results --picture n.svg --x-axis horizn", "(did you mean 'horizon'?)");
    const std::string csv = good("merge grid.results --format csv");
    EXPECT_TRUE(contains(csv, "\nseed,horizon,policy,parameter,seed,"));
    EXPECT_EQ(run("sweep grid.toml --resume parts --shard 1/2").exit, 0);
    EXPECT_EQ(run("sweep grid.toml --collect --resume parts").exit, 2);
    EXPECT_EQ(run("sweep grid.toml --resume parts --shard 2/2").exit, 0);
    EXPECT_EQ(shell("diff -r parts grid.results").exit, 0);
}

TEST_F(SweepCli, ComplaintsNameTheLine) {
    expect_wrong("seed = [4, 3]", "sede = [4, 3]",
                 "wrong.toml:9: grid.sede: expected an option of `simulate` without its dashes (did you mean 'seed'?)");
    expect_wrong("warm-up = 20", "threads = 2",
                 "wrong.toml:6: simulate.threads: expected an option that results depend on");
    expect_wrong("[grid]", "[grids]", "wrong.toml:8: grids: expected a known key (did you mean 'grid'?)");
    expect_wrong("[4, 3]", "4", "wrong.toml:9: grid.seed: expected a list of values, not 4");
    expect_wrong("[4, 3]", "[4, 4]", "wrong.toml:9: grid.seed: expected different values");
    expect_wrong("[4, 3]", "[]", "wrong.toml:9: grid.seed: expected a list with a value");
    expect_wrong("[4, 3]", "[4, -3]", "wrong.toml:9: grid.seed: --seed: expected a number of at least 0, not -3");
    expect_wrong("[4, 3]", "[4, []]", "wrong.toml:9: grid.seed[1]: expected text, an integer or a decimal, not a list");
    expect_wrong("warm-up = 20", "seed = 2", "wrong.toml:9: grid.seed: expected an option once, but line 6 fixes it");
    expect_wrong("\"fifo\"", "\"fio\"",
                 "wrong.toml:3: simulate.policy: expected a policy of the queueing, the redundancy or the sharing "
                 "family, not 'fio' (did you mean 'fifo'?)");
    expect_wrong("m2-half", "m2-haf", "experiments/instances/m2-haf.toml: expected an existing file");
    expect_wrong("warm-up = 20", "warm-up = \"never\"", "wrong.toml:6: simulate.warm-up: expected auto, or a time");
    expect_wrong("warm-up = 20", "warm-up = ", "wrong.toml:6: expected well-formed TOML");
    write("empty.toml", "# nothing\n");
    expect_refused("sweep empty.toml", "expected a table [simulate] or [grid]");
    expect_refused("sweep nothing.toml", "nothing.toml: expected an existing file");
    expect_refused("sweep grid.toml --shard 1/2 --slurm", "excludes");
}

TEST_F(SweepCli, CollectingWritesNothing) {
    std::filesystem::create_directory(at("grid.results"));
    expect_refused(
        "sweep grid.toml --collect",
        "grid.results/study.json: expected a directory that `simulate --resume` or `sweep` has written into");
    EXPECT_TRUE(std::filesystem::is_empty(at("grid.results")));
}

TEST_F(SweepCli, AnInputThatCannotBeReadAgainOrHasChangedIsRefused) {
    expect_refused("sweep - --slurm --resume d", "--slurm: expected a specification in a file");
    write("pipe.toml", replaced(spec, "experiments/instances/m2-half.toml", "/dev/stdin"));
    const Answer piped = shell(std::string("cat experiments/instances/m2-half.toml | '") + SCHEDPROOF_COMMAND +
                               "' sweep pipe.toml --resume d");
    EXPECT_EQ(piped.exit, 2);
    EXPECT_TRUE(contains(piped.err, "expected a file: a sweep reads it more than once")) << piped.err;
    static_cast<void>(good("sweep grid.toml"));
    // What the runs do not depend on may change.
    const std::string study = read("grid.results/study.json");
    write("grid.toml", "# changed\n" + replaced(spec, "warm-up = 20", "warm-up = 30"));
    EXPECT_TRUE(contains(good("sweep grid.toml --collect"), "warm-up    30 slots, as given"));
    EXPECT_EQ(read("grid.results/study.json"), study) << "collecting writes nothing";
    write("grid.toml", replaced(spec, "batches = 10", "batches = 20"));
    expect_refused("sweep grid.toml --collect", "expected the inputs of the results that are there");
}

/// The first point is running when the file that all points read is changed.
TEST_F(SweepCli, AnInputThatChangesUnderASweepEndsIt) {
    static_cast<void>(shell("cp experiments/instances/m2-half.toml m2.toml"));
    std::string slow = replaced(spec, "experiments/instances/m2-half.toml", "m2.toml");
    slow = replaced(slow, "replications = 2", "replications = 20");
    write("slow.toml", replaced(slow, "[100, 200.5]", "[20000, 20010]"));
    const Answer sweep = shell(std::string("'") + SCHEDPROOF_COMMAND +
                               "' sweep slow.toml --threads 1 2>sweep.err & sweep=$!\n"
                               "for i in $(seq 2000); do ls slow.results 2>/dev/null | grep -q '^p0.*json$' && break; "
                               "sleep 0.01; done\n"
                               "echo '# changed' >>m2.toml; wait $sweep; echo $?");
    EXPECT_EQ(sweep.out, "2\n");
    EXPECT_TRUE(contains(read("sweep.err"), "slow.toml: expected inputs that stay as they are while the sweep runs"))
        << read("sweep.err");
    EXPECT_FALSE(std::filesystem::exists(at("slow.results/p0001-c00-r000000.json")));
}

/// A policy of one's own is swept by its file: fixed, with a parameter in the grid, or by name in a list.
class SweepOwnPolicy : public SweepCli {
  protected:
    void SetUp() override {
        SweepCli::SetUp();
        ::setenv("XDG_CACHE_HOME", (here().parent_path() / "cache").c_str(), 1);
        write("near.policy",
              "policy: near\nlet: abs = 2\nlet: rel = 3/2\nkeep: per_server\n"
              "route: when(greatest(servers, length) - least(servers, length) > tasks(abs) && "
              "greatest(servers, length) > rel * least(servers, length), argmin(servers, length), "
              "argmin(local, length))\nserve: nonempty(own)\n");
        write("own.toml", own);
    }
    const std::string own = R"([simulate]
instance = "experiments/instances/m2-half.toml"
policy-file = "near.policy"
policy = ["near", "fifo"]
horizon = 200
batches = 10
replications = 2
)";
};

TEST_F(SweepOwnPolicy, AParameterInTheGridIsAnAxis) {
    write("grid.toml", replaced(own, "policy = [\"near\", \"fifo\"]\n", "") + "[grid]\nabs = [1, 4, 16]\n");
    EXPECT_TRUE(good("sweep grid.toml --dry-run")
                    .starts_with("p0000-c00-r000000.json  schedproof simulate --horizon 200 --batches 10 "
                                 "experiments/instances/m2-half.toml --policy-file near.policy:abs=1 --policy "
                                 "near:abs=1 --first 0 --replications 1\n"));
    (void)good("sweep grid.toml --picture abs.svg");
    const std::string picture = read("abs.svg");
    EXPECT_TRUE(contains(picture, ">abs<"));
    EXPECT_TRUE(contains(picture, ">near<")) << "one curve, not one for each value";
    EXPECT_FALSE(contains(picture, "near:abs"));
    write("grid.toml", replaced(own, "policy = [\"near\", \"fifo\"]\n", "rel = \"11/10\"\n") +
                           "[grid]\nabs = [1, 4]\nseed = [1, 2]\n");
    (void)good("sweep grid.toml --resume two --picture two.svg");
    EXPECT_TRUE(contains(read("two.svg"), ">near:rel=11/10, seed 1<"));
    EXPECT_TRUE(contains(read("two/study.json"), "near.policy:abs=1,rel=11/10"));
}

TEST_F(SweepOwnPolicy, ListsOfPoliciesTakeFiles) {
    write("list.toml", replaced(replaced(own, "policy-file = \"near.policy\"\n", ""), "[\"near\", \"fifo\"]",
                                "[\"near.policy:abs=1\", \"near.policy:abs=4\", \"fifo\"]"));
    (void)good("sweep list.toml --picture list.svg --x-axis parameter");
    EXPECT_TRUE(contains(read("list.svg"), ">abs<"));
    EXPECT_TRUE(contains(read("list.svg"), ">near<"));
    // As a user types it.
    EXPECT_TRUE(contains(good("simulate experiments/instances/m2-half.toml --horizon 200 --batches 10 --replications 2 "
                              "-p near.policy:abs=1 -p near.policy:abs=4 --picture typed.svg"),
                         "near:abs=4"));
    EXPECT_TRUE(contains(read("typed.svg"), ">abs<"));
}

/// Files in the grid, each with values of its own: the name that the file gives means the policy of the point.
TEST_F(SweepOwnPolicy, FilesInTheGridAreRunWithTheirValues) {
    std::filesystem::create_directory(at("b"));
    std::filesystem::copy_file(at("near.policy"), at("b/near.policy"));
    const std::string files = "[grid]\npolicy-file = [\"b/near.policy\", \"b/near.policy:abs=9\"]\n";
    write("files.toml", replaced(own, "policy-file = \"near.policy\"\n", "") + files);
    const std::string plan = good("sweep files.toml --dry-run");
    EXPECT_TRUE(contains(plan, "--policy-file b/near.policy --policy near --first")) << plan;
    EXPECT_TRUE(contains(plan, "--policy-file b/near.policy:abs=9 --policy near:abs=9 --first")) << plan;
    const std::string markdown = good("sweep files.toml --format markdown --y-axis 'task delay'");
    EXPECT_TRUE(contains(markdown, "| near |")) << markdown;
    EXPECT_TRUE(contains(markdown, "| near:abs=9 |")) << markdown;
    // The same with the values in the grid.
    write("values.toml", own + "[grid]\nabs = [1, 9]\n");
    EXPECT_TRUE(contains(good("sweep values.toml --dry-run"), "near.policy:abs=9 --policy near:abs=9 --first"));
}

/// Tables for a paper: of a sweep one for each quantity, points by policies, or the one that is named.
TEST_F(SweepOwnPolicy, TablesAreMadeForPapers) {
    write("table.toml", replaced(own, "policy = [\"near\", \"fifo\"]", "confidence = 0.9") + "[grid]\nabs = [1, 4]\n");
    const std::string latex = good("sweep table.toml --format latex --y-axis 'task delay'");
    EXPECT_TRUE(latex.starts_with("% schedproof sweep table.toml\n% In the preamble: \\usepackage{booktabs}\n"))
        << latex;
    EXPECT_TRUE(
        contains(latex, "% task delay (slot)\n\\begin{tabular}{rr}\n\\toprule\nabs & near \\\\\n\\midrule\n$1$ & $"))
        << latex;
    EXPECT_TRUE(contains(latex, " \\pm ")) << latex;
    EXPECT_EQ(latex.find("\\begin"), latex.rfind("\\begin")) << "one table";
    const std::string markdown = good("sweep table.toml --format markdown");
    EXPECT_TRUE(contains(markdown, "| abs | near |\n|---:|---:|\n| 1 | ")) << markdown;
    EXPECT_TRUE(contains(markdown, "\ntasks waiting (task)\n")) << markdown;
    expect_refused("sweep table.toml --format latex --y-axis 'task dely'", "(did you mean 'task delay'?)");
    const std::string one =
        good("simulate experiments/instances/m2-half.toml -p near.policy --horizon 200 --format markdown");
    EXPECT_TRUE(contains(one, "| policy | quantity | mean | with controls | 50% |") ||
                contains(one, "| policy | quantity | mean | 50% |"))
        << one;
    EXPECT_TRUE(contains(one, "| near | tasks in system | ")) << one;
}

/// What an author changes of a picture.
TEST_F(SweepOwnPolicy, PicturesAreChangedForPapers) {
    write("grid.toml", replaced(own, "policy = [\"near\", \"fifo\"]\n", "") + "[grid]\nabs = [1, 10, 100]\n");
    (void)good("sweep grid.toml --picture log.svg --log-x --title 'Delay, by threshold'");
    const std::string picture = read("log.svg");
    EXPECT_TRUE(contains(picture, ">Delay, by threshold<"));
    (void)good("sweep grid.toml --collect --picture linear.svg --title 'Delay, by threshold'");
    EXPECT_NE(picture, read("linear.svg")) << "the axis is logarithmic";
    (void)good("sweep grid.toml --collect --picture none.svg --no-title");
    EXPECT_FALSE(contains(read("none.svg"), "schedproof sweep"));
    expect_refused("sweep grid.toml --collect --title x", "--picture");
}

TEST_F(SweepOwnPolicy, CodeIsSwept) {
    (void)good("new-policy mine");
    write("code.toml", replaced(replaced(own, "near.policy", "mine.hpp"), "\"near\"", "\"mine\""));
    EXPECT_TRUE(contains(good("sweep code.toml"), "  mine  "));
}

TEST_F(SweepOwnPolicy, ComplaintsNameTheLine) {
    const auto refused = [&](const std::string& from, const std::string& to, const std::string& words) {
        write("wrong.toml", replaced(own, from, to));
        expect_refused("sweep wrong.toml", words);
    };
    refused("near.policy", "far.policy", "far.policy");
    refused("horizon", "asb = 3\nhorizon",
            "wrong.toml:5: simulate.asb: expected an option of `simulate` without its dashes, or a parameter of a "
            "policy file (did you mean 'abs'?)");
    refused("horizon", "abs = \"many\"\nhorizon", "near.policy: expected values NAME=NUMBER,...");
    (void)good("sweep own.toml");
    write("near.policy", replaced(read("near.policy"), "> tasks(abs)", ">= tasks(abs)"));
    expect_refused("sweep own.toml", "expected the inputs of the results that are there, but near.policy has changed");
}

TEST_F(SweepCli, WithoutSlurmItSaysWhatIsMissing) {
    const Answer answer = shell(std::string("PATH=/nowhere '") + SCHEDPROOF_COMMAND + "' sweep grid.toml --slurm");
    EXPECT_EQ(answer.exit, 2);
    EXPECT_TRUE(contains(answer.err, "sbatch: expected this program of Slurm to be installed")) << answer.err;
}

TEST_F(SweepOwnPolicy, ItsFilesTravelWithAnArrayJob) {
    write("slurm.toml", own + "[grid]\nabs = [1, 4]\n");
    write("sbatch", "#!/bin/sh\necho 7\n");
    const std::string here = this->here().string();
    const Answer submitted = shell("chmod +x sbatch && PATH=$PWD:$PATH '" + std::string(SCHEDPROOF_COMMAND) +
                                   "' sweep slurm.toml --resume d --slurm --tasks 1");
    ASSERT_EQ(submitted.exit, 0) << submitted.err;
    const Answer task = shell("mkdir away && mv near.policy slurm.toml away && cd / && SLURM_ARRAY_TASK_ID=1 sh '" +
                              here + "/d/array.sh'");
    EXPECT_EQ(task.exit, 0) << task.out << task.err;
    const std::string collected = good("sweep slurm.toml --resume d --collect --picture collected.svg");
    EXPECT_TRUE(contains(read("collected.svg"), "<svg"));
    EXPECT_EQ(shell("mv away/* .").exit, 0);
    EXPECT_EQ(good("sweep slurm.toml --resume d --collect"), collected);
    EXPECT_EQ(good("sweep slurm.toml --resume e"), collected);
}

/// The script starts a cluster of this one machine, submits, waits, merges, compares and stops everything; it says on
/// its output what went wrong.
TEST_F(SweepOwnPolicy, OnARealSlurmItMakesTheSameBytes) {
    write("slurm.toml", own + "[grid]\nabs = [1, 4]\nseed = [4, 3]\n");
    const Answer answer = shell(std::string("bash '") + SCHEDPROOF_SOURCE_DIR + "/tests/experiments/slurm_sweep.sh' '" +
                                SCHEDPROOF_COMMAND + "' slurm.toml");
    EXPECT_EQ(answer.exit, 0) << answer.out << answer.err;
    EXPECT_TRUE(contains(answer.out, "the same bytes from Slurm and from here")) << answer.out;
}

}  // namespace
}  // namespace schedproof
