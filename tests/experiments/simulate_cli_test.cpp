/// `schedproof simulate` and `merge` as processes: answers, files, parts, kills, full disks, and what they refuse.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

using namespace testing_support;

const std::string half_file = "experiments/instances/m2-half.toml ";
const std::string quick_run =
    "simulate " + half_file + "-p wang-jsq-maxweight --horizon 200 --batches 20 --warm-up 20 ";

class SimulateCli : public SchemaTest {
  protected:
    /// Every file of both directories is in the other, with the same bytes.
    void expect_same_files(const std::string& a, const std::string& b) const {
        const Answer difference = shell("diff -r " + a + " " + b);
        EXPECT_EQ(difference.exit, 0) << difference.out << difference.err;
    }
    [[nodiscard]] std::size_t units(const std::string& directory) const {
        const auto files = std::filesystem::directory_iterator(at(directory));
        return static_cast<std::size_t>(std::count_if(begin(files), end(files), [](const auto& entry) {
            return entry.path().filename().string().starts_with("p0");
        }));
    }
};

TEST_F(SimulateCli, PrintsWhatItRanAndFound) {
    expect_lines(quick_run + "-p fifo --replications 3",
                 {"cluster    m2-half: 2 servers, 2 task types",
                  "input      experiments/instances/m2-half.toml, SHA-256 ", "runs       3 of 200 slots each, seed 1",
                  "warm-up    20 slots, as given", "quantity                          unit       wang-jsq-maxweight  ",
                  "tasks in system                   task       ",
                  "minus wang-jsq-maxweight, replication by replication, on the same random numbers",
                  "+- is the half width of the 95 % confidence interval, by the means of the replications"});
    EXPECT_TRUE(contains(good(quick_run + "--replications 1"), "by batch means of the one run"));
    EXPECT_TRUE(contains(good("simulate " + half_file + "-p fifo --horizon 3000 --replications 2"), "no level found"))
        << "first-in-first-out is unstable here";
}

TEST_F(SimulateCli, AnswersInJsonThatItsSchemaDescribes) {
    const std::set<std::string> optional{"/points/0/variables", "/points/0/description"};
    const ordered_json one = json("simulate", quick_run + "-p fifo --replications 4 --seed 9", 0, optional);
    EXPECT_EQ(one["command"],
              "schedproof simulate --policy wang-jsq-maxweight --policy fifo --horizon 200 --batches 20 "
              "--seed 9 --replications 4 --warm-up 20 experiments/instances/m2-half.toml");
    const ordered_json& point = one["points"][0];
    const ordered_json& a = point["policies"][0]["quantities"][0]["means"];
    const ordered_json& b = point["policies"][1]["quantities"][0]["means"];
    double difference = 0;
    for (std::size_t r = 0; r < 4; ++r) difference += (b[r].get<double>() - a[r].get<double>()) / 4;
    EXPECT_NEAR(point["differences"][0]["mean"], difference, 1e-12);
    // The command of a policy, and a range of replications, give the same numbers again.
    const ordered_json again = ordered_json::parse(good(point["policies"][1]["command"].get<std::string>() +
                                                        " --warm-up 20 --first 2 --replications 1 --format json"));
    EXPECT_EQ(again["points"][0]["policies"][0]["quantities"][0]["means"][0], b[2]);
}

TEST_F(SimulateCli, IsTheSameOnAnyNumberOfThreads) {
    for (const char* format : {"text", "json", "csv"}) {
        const std::string arguments = quick_run + "-p fifo --replications 5 --format " + format;
        EXPECT_EQ(good(arguments + " --threads 1"), good(arguments + " --threads 2")) << format;
    }
}

TEST_F(SimulateCli, GoesOnUntilItIsPrecise) {
    const ordered_json loose = ordered_json::parse(good(quick_run + "--precision 20% --replications 3 --format json"));
    const ordered_json tight = ordered_json::parse(good(quick_run + "--precision 0.08 --replications 3 --format json"));
    const auto replications = [](const ordered_json& answer) {
        return answer["points"][0]["policies"][0]["replications"].get<int>();
    };
    EXPECT_GT(replications(tight), replications(loose));
    EXPECT_TRUE(tight["points"][0]["precision"]["reached"]);
    const ordered_json& first = tight["points"][0]["policies"][0]["quantities"][0];
    EXPECT_LE(first["half_width"].get<double>(), 0.08 / 1.08 * first["mean"].get<double>());
    EXPECT_EQ(good(quick_run + "--precision 8% --replications 3 --resume precise"),
              good(quick_run + "--precision 8% --replications 3"));
    const Answer capped = run(quick_run + "--precision 0.1% --replications 3 --most 5 --resume capped");
    EXPECT_EQ(capped.exit, 3);
    EXPECT_TRUE(contains(capped.out, "The precision of 0.1 % was not reached within 5 replications."));
    EXPECT_TRUE(contains(capped.err, "schedproof: the precision was not reached"));
    EXPECT_TRUE(contains(capped.err, "warning: with --precision from 3 replications on, chance may end a study early"));
    const Answer merged = run("merge capped");
    EXPECT_EQ(merged.exit, 3);
    EXPECT_EQ(merged.out, capped.out);
    EXPECT_FALSE(contains(run(quick_run + "--precision 20%").err, "warning"));
}

TEST_F(SimulateCli, CsvHasUnitsAndWhereItComesFrom) {
    const std::string csv = good(quick_run + "--replications 2 --format csv --series series.csv");
    EXPECT_TRUE(csv.starts_with("# schedproof "));
    EXPECT_TRUE(contains(csv, "\n# command: schedproof simulate --policy wang-jsq-maxweight --horizon 200 "));
    EXPECT_TRUE(contains(csv, "\n# input: experiments/instances/m2-half.toml sha256 "));
    EXPECT_TRUE(
        contains(csv,
                 "\npolicy,parameter,seed,replications,confidence,time unit,run (slot),warm-up (slot),tasks in system "
                 "mean (task),tasks in system half-width (task),tasks waiting mean (task),"));
    const std::string series = read("series.csv");
    EXPECT_TRUE(contains(series, "\npolicy,seed,time unit,until (slot),tasks in system (task),tasks waiting (task),"));
    EXPECT_EQ(std::count(series.begin(), series.end(), '\n'), 3 + 1 + 20);
}

TEST_F(SimulateCli, DrawsPictures) {
    for (const char* kind : {"auto", "series", "cdf"}) {
        static_cast<void>(good(quick_run + "-p fifo --replications 2 --picture p.svg --figure " + kind));
        EXPECT_TRUE(contains(read("p.svg"), "wang-jsq-maxweight")) << kind;
    }
    static_cast<void>(good(quick_run + "--replications 2 --picture p.png --figure cdf --y-axis 'task delay'"));
    EXPECT_TRUE(read("p.png").starts_with("\x89PNG"));
    expect_refused(
        quick_run + "--picture p2.svg --figure cdf --y-axis 'tasks waiting' --replications 2",
        "--y-axis: expected a quantity with a distribution: length of a queue, task delay, not 'tasks waiting'");
    expect_refused(quick_run + "--picture p2.svg --y-axis 'task in system' --replications 2",
                   "(did you mean 'tasks in system'?)");
    expect_refused(quick_run + "--picture p2.svg --figure mean --replications 2",
                   "expected a study in which a number varies");
}

TEST_F(SimulateCli, ComparesPoliciesThatANumberTellsApart) {
    const std::string delay =
        "simulate -p delay -p hadoop-fifo --skips 0,2,8 --nodes 10 --load 2 --horizon 100 --replications 2 --warm-up "
        "10 ";
    const ordered_json answer =
        ordered_json::parse(good(delay + "--format json --picture d.svg --y-axis 'local tasks'"));
    const ordered_json& policies = answer["points"][0]["policies"];
    ASSERT_EQ(policies.size(), 4U);
    EXPECT_EQ(policies[2]["policy"], "delay D=8");
    EXPECT_EQ(policies[2]["parameter"], 8);
    EXPECT_TRUE(contains(read("d.svg"), "D (offers passed over)"));
    EXPECT_TRUE(contains(read("d.svg"), ">hadoop-fifo<")) << "a level line beside the curve, in the legend";
    // The command of one of them is that one alone.
    const ordered_json alone = ordered_json::parse(
        good(policies[2]["command"].get<std::string>() + " --replications 2 --warm-up 10 --format json"));
    EXPECT_EQ(alone["points"][0]["policies"][0]["quantities"], policies[2]["quantities"]);
}

TEST_F(SimulateCli, PartsMergeToTheWhole) {
    const std::string study = quick_run + "-p fifo --replications 4 ";
    const std::string whole = good(study + "--resume whole");
    EXPECT_EQ(whole, good(study));
    for (const char* part : {"1/3", "2/3", "3/3"}) EXPECT_EQ(run(study + "--resume parts --shard " + part).exit, 0);
    expect_same_files("whole", "parts");
    EXPECT_EQ(good("merge parts"), whole);
    // Two machines, one part run twice.
    EXPECT_EQ(run(study + "--resume here --shard 1/2").exit, 0);
    EXPECT_EQ(run(study + "--resume there --shard 2/2").exit, 0);
    EXPECT_EQ(run(study + "--resume there --shard 1/2").exit, 0);
    EXPECT_EQ(run(study + "--resume there --shard 1/2").exit, 0) << "nothing left to do";
    EXPECT_EQ(good("merge here there"), whole);
    expect_refused("merge here",
                   "expected a complete study: 4 missing, 0 damaged\nschedproof: missing p0000-c01-r000000"
                   ".json: schedproof simulate --horizon 200 ");
    // As tasks of an array, 5 to 6.
    const auto task = [&](int id, const std::string& array, const std::string& directory) {
        return shell(fmt::format("SLURM_ARRAY_TASK_ID={} {} '{}' {} --resume {} --shard slurm", id, array,
                                 SCHEDPROOF_COMMAND, study, directory));
    };
    const std::string consecutive = "SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=6 SLURM_ARRAY_TASK_COUNT=2";
    for (const int id : {5, 6}) EXPECT_EQ(task(id, consecutive, "array").exit, 0);
    expect_same_files("whole", "array");
    // The parts of tasks that an array leaves out would be in nobody's hands: every task refuses, those before the gap
    // too.
    const std::string gap = "SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_COUNT=3";
    for (const int id : {1, 2, 4}) {
        const Answer refused = task(id, gap, "with-a-gap");
        EXPECT_EQ(refused.exit, 2);
        EXPECT_TRUE(contains(refused.err, "--shard: expected a Slurm array without gaps")) << refused.err;
    }
}

TEST_F(SimulateCli, MergeTellsDamageAndDisagreement) {
    const std::string study = quick_run + "--replications 3 ";
    const std::string whole = good(study + "--resume a");
    std::filesystem::copy(at("a"), at("b"));
    const std::string unit = read("b/p0000-c00-r000001.json");
    write("b/p0000-c00-r000001.json", replaced(unit, "\"batch_length\":10.0", "\"batch_length\":11.0"));
    expect_refused("merge b",
                   "schedproof: damaged b/p0000-c00-r000001.json: expected a result of `schedproof simulate`, "
                   "as it was written; this one has been altered");
    expect_refused("merge a b", "a/p0000-c00-r000001.json and b/p0000-c00-r000001.json are of one unit and differ", 4);
    write("b/p0000-c00-r000001.json", unit.substr(0, unit.size() / 2));
    expect_refused("merge b", "1 damaged");
    write("b/p0000-c00-r000001.json", read("b/p0000-c00-r000002.json"));
    expect_refused("merge b", "it is of another command");
    // To resume is to make the damaged one again.
    const Answer resumed = run(study + "--resume b");
    EXPECT_EQ(resumed.out, whole);
    EXPECT_TRUE(contains(resumed.err, "note: b/p0000-c00-r000001.json is made again: it is of another command"));
    expect_same_files("a", "b");
    write("b/p0009-c00-r000000.json", unit);
    EXPECT_TRUE(contains(run("merge b").err, "note: b/p0009-c00-r000000.json is no part of the study"));
    expect_refused("merge nowhere", "nowhere: expected an existing directory");
    expect_refused("merge experiments",
                   "study.json: expected a directory that `simulate --resume` or `sweep` has written");
    expect_refused(quick_run + "--seed 5 --replications 3 --resume a",
                   "expected a directory of this study, not of `schedproof simulate ");
    static_cast<void>(good(quick_run + "--replications 4 --resume c"));
    expect_refused("merge a c", "c/study.json: expected the same study as in a/study.json");
    const std::string study_file = read("c/study.json");
    for (const auto& [text, said] :
         {std::pair("{", "c/study.json:1: expected well-formed JSON"),
          std::pair("{\"schema\": 5}", "c/study.json:1: schema: expected simulation-study, not 5"),
          std::pair("null", "c/study.json:1: expected a JSON object")}) {
        write("c/study.json", text);
        expect_refused("merge c", said);
    }
    const std::size_t points = study_file.find("\"points\"");
    write("c/study.json", study_file.substr(0, points) + "\"points\": []\n}\n");
    expect_refused("merge c", "points: expected a list of at least 1");
    write("c/study.json", study_file);
    write("c/p0000-c00-r000000.json", "{\"schema\": 5}\n");
    expect_refused("merge c", "damaged c/p0000-c00-r000000.json: expected a result of `schedproof simulate`");
}

TEST_F(SimulateCli, AKilledRunIsResumedToTheSameBytes) {
    const std::string study =
        "simulate " + half_file + "-p wang-jsq-maxweight --horizon 3000 --batches 20 --replications 600 ";
    const std::string whole = good(study + "--resume whole");
    // Killed as soon as three runs are there, in the middle of others.
    const Answer killed = shell(std::string("'") + SCHEDPROOF_COMMAND + "' " + study +
                                "--resume killed >killed.out & victim=$!\n"
                                "for i in $(seq 2000); do [ \"$(ls killed 2>/dev/null | grep -c '^p0.*json$')\" -ge 3 "
                                "] && break; sleep 0.01; done\n"
                                "kill -9 $victim; wait $victim; echo $?");
    EXPECT_EQ(killed.out, "137\n") << "it must not have ended before";
    EXPECT_EQ(read("killed.out"), "");
    EXPECT_GE(units("killed"), 3U);
    EXPECT_LT(units("killed"), 600U);
    EXPECT_EQ(run("merge killed").exit, 2);
    EXPECT_EQ(good(study + "--resume killed"), whole);
    expect_same_files("whole", "killed");
}

TEST_F(SimulateCli, AStudyCanBeAskedForMore) {
    const std::string study = quick_run + "-p fifo --resume d ";
    static_cast<void>(good(study + "--replications 2"));
    const std::string before = read("d/p0000-c01-r000001.json");
    EXPECT_EQ(good(study + "--replications 4"), good(quick_run + "-p fifo --replications 4"));
    EXPECT_EQ(units("d"), 8U);
    EXPECT_EQ(read("d/p0000-c01-r000001.json"), before);
    EXPECT_EQ(good("merge d"), good(study + "--replications 4"));
    EXPECT_EQ(good(study + "--precision 50% --replications 2 --confidence 0.8"),
              good(quick_run + "-p fifo --precision 50% --replications 2 --confidence 0.8"));
    expect_refused(quick_run + "--replications 2 --resume d", "expected a directory of this study");
}

TEST_F(SimulateCli, AFullDiskLosesNothing) {
    const std::string study = quick_run + "--replications 3 ";
    const std::string whole = good(study + "--resume whole");
    expect_refused(study + "-o /dev/full", "/dev/full: expected room for the whole file");
    static_cast<void>(shell("cp -r whole partly; rm partly/p0000-c00-r000002.json"));
    // No file may grow beyond a block.
    const Answer full = shell(std::string("ulimit -f 1; '") + SCHEDPROOF_COMMAND + "' " + study + "--resume partly");
    EXPECT_EQ(full.exit, 2) << full.err;
    EXPECT_EQ(full.out, "");
    EXPECT_TRUE(contains(full.err, "expected room for the whole file: File too large")) << full.err;
    EXPECT_EQ(units("partly"), 2U) << "neither whole nor in part";
    EXPECT_EQ(good(study + "--resume partly"), whole);
    expect_same_files("whole", "partly");
}

TEST_F(SimulateCli, WrongOptionsAreNamed) {
    expect_refused("simulate " + half_file, "--policy: expected a policy, or --policy-file");
    expect_refused("simulate -p fifo", "INSTANCE: expected an instance file");
    expect_refused(
        "simulate " + half_file + "-p fifo --nodes 7",
        "--nodes: is an option of the sharing family, which cannot be used with a policy of the queueing family");
    expect_refused("simulate " + half_file + "-p fifoo", "(did you mean 'fifo'?)");
    expect_refused(quick_run + "-p wang-jsq-maxweight",
                   "--policy: expected each policy once, but wang-jsq-maxweight stands twice");
    expect_refused("simulate --servers 5 --rate 1 --service-rates 1/2 -p fifo",
                   "--service-rates: expected two rates, local and remote");
    expect_refused("simulate " + half_file + "-p fluid-model-planning:deficit --time continuous",
                   "--policy: expected a policy without deficit counters");
    expect_refused(quick_run + "--precision 0", "--precision: expected a precision above 0 and below 1");
    expect_refused(quick_run + "--precision 1% --replications 1",
                   "--replications: expected at least 2 with --precision");
    expect_refused(quick_run + "--precision 1% --most 5", "--most: expected at least the 10 of --replications, not 5");
    for (const char* confidence : {"95", "0", "1", "0.9999999999"})
        expect_refused(
            quick_run + "--confidence " + confidence,
            std::string("--confidence: expected a number above 0 and below 1, by a millionth at least, not '") +
                confidence + "'");
    expect_refused("simulate " + half_file + "-p fifo --warm-up soon",
                   "--warm-up: expected auto, or a time of at least 0, not 'soon'");
    expect_refused("simulate " + half_file + "-p fifo --horizon 100 --warm-up 500 --replications 2",
                   "--warm-up: expected a warm-up of at least 0 and shorter than the run");
    expect_refused(quick_run + "--replications 0", "--replications: expected at least 1");
    expect_refused(quick_run + "--replications -2", "expected a number of at least 0, not -2");
    expect_refused(quick_run + "--horizon -5", "--horizon");
    expect_refused(quick_run + "--shard 1/2", "--shard: needs --resume DIR");
    expect_refused(quick_run + "--series x.txt", "x.txt: --series: expected a name that ends in .csv");
    expect_refused(quick_run + "--picture x.gif",
                   "x.gif: expected a picture's name that ends with .svg, .png, .pdf or .tikz");
    expect_refused(quick_run + "--format jsn", "did you mean 'json'?");
    expect_refused(quick_run + "--resum dir", "did you mean '--resume'?");
    write("file", "");
    expect_refused(quick_run + "--resume file", "file: expected a directory");
    const Answer shard = run(quick_run + "--resume d --shard 3/2");
    EXPECT_EQ(shard.exit, 2);
    EXPECT_TRUE(
        contains(shard.err, "--shard: expected a part i/n with i from 1 to n, such as 2/8, or slurm, not '3/2'"));
    EXPECT_TRUE(contains(run(quick_run + "--resume d --shard slurm").err, "with SLURM_ARRAY_TASK_ID set to a number"));
    EXPECT_TRUE(contains(run(quick_run + "--resume d --shard 1/2 --precision 1%").err,
                         "--precision: cannot be used with --shard"));
}

TEST_F(SimulateCli, APictureThatCannotBeDrawnIsRefusedBeforeTheRuns) {
    const std::string study = quick_run + "--replications 2 --resume d --picture p.svg ";
    expect_refused(study + "--y-axis 'task in system'", "(did you mean 'tasks in system'?)");
    expect_refused(study + "--figure mean", "--x-axis: expected a study in which a number varies");
    expect_refused(study + "--figure cdf --y-axis 'tasks waiting'",
                   "--y-axis: expected a quantity with a distribution");
    const std::string command = std::string("'") + SCHEDPROOF_COMMAND + "' " + study;
    const Answer without = shell("PATH=/nowhere " + command);
    EXPECT_EQ(without.exit, 2);
    EXPECT_TRUE(contains(without.err, "gnuplot: expected this program")) << without.err;
    const Answer nowhere = shell("TMPDIR=/nowhere " + command);
    EXPECT_EQ(nowhere.exit, 2) << nowhere.err;
    EXPECT_TRUE(contains(nowhere.err, "TMPDIR: expected a directory for temporary files")) << nowhere.err;
    EXPECT_FALSE(std::filesystem::exists(at("d"))) << "nothing has run";
}

TEST_F(SimulateCli, InputsHaveTheFingerprintOfWhatWasRead) {
    const std::string options = " -p fifo --horizon 100 --replications 2 --warm-up 10 --format json";
    const auto fingerprint = [](const std::string& answer) {
        return ordered_json::parse(answer)["points"][0]["inputs"][0]["sha256"].get<std::string>();
    };
    const std::string command = std::string("'") + SCHEDPROOF_COMMAND + "' simulate ";
    const std::string expected = shell("sha256sum < " + half_file).out.substr(0, 64);
    EXPECT_EQ(fingerprint(good("simulate " + half_file + options)), expected);
    for (const std::string& given : {command + "-" + options + " < " + half_file,
                                     "mkfifo pipe; cat " + half_file + " > pipe & " + command + "pipe" + options}) {
        const Answer answer = shell(given);
        ASSERT_EQ(answer.exit, 0) << answer.err;
        EXPECT_EQ(fingerprint(answer.out), expected) << given;
    }
}

TEST_F(SimulateCli, ASingleRunOfATraceHasNoInterval) {
    write("t.tsv", "a\t0\t0\t900000000\t1\t1\nb\t50\t50\t300000000\t1\t1\n");
    const std::string traced = "simulate --trace t.tsv -p delay --skips 1 --nodes 4 ";
    const ordered_json answer = ordered_json::parse(good(traced + "--replications 1 --format json"));
    for (const ordered_json& quantity : answer["points"][0]["policies"][0]["quantities"])
        EXPECT_TRUE(quantity["half_width"].is_null()) << quantity;
    EXPECT_TRUE(contains(good(traced + "--replications 1"), "A single run that ends by itself has no spread"));
    EXPECT_TRUE(contains(good(traced + "--replications 2"), "by the means of the replications"));
}

TEST_F(SimulateCli, ABatchIsASlotAtLeast) {
    const auto policy_of = [&](const std::string& length) {
        return ordered_json::parse(good("simulate " + half_file + "-p fifo --replications 2 --format json " +
                                        length))["points"][0]["policies"][0];
    };
    EXPECT_EQ(policy_of("--horizon 50")["run"], 50);
    EXPECT_EQ(policy_of("--horizon 50")["batches"], 50);
    EXPECT_EQ(policy_of("--horizon 50")["warm_up"]["method"], "MSER");
    EXPECT_EQ(policy_of("--horizon 150 --batches 20")["run"], 160);
    EXPECT_EQ(policy_of("--horizon 200")["warm_up"]["method"], "MSER-5");
}

TEST_F(SimulateCli, PoliciesAreComparedAfterACommonWarmUp) {
    const std::string pair = "simulate " + half_file +
                             "-p wang-jsq-maxweight -p balanced-pandas --horizon 4000 "
                             "--replications 3 --seed 3 ";
    const ordered_json answer = ordered_json::parse(good(pair + "--format json"));
    const ordered_json& policies = answer["points"][0]["policies"];
    EXPECT_EQ(policies[0]["warm_up"]["time"], policies[1]["warm_up"]["time"]);
    double longest = 0;
    for (const ordered_json& policy : policies) {
        const ordered_json alone =
            ordered_json::parse(good(policy["command"].get<std::string>() + " --replications 3 --format json"));
        longest = std::max(longest, alone["points"][0]["policies"][0]["warm_up"]["time"].get<double>());
    }
    EXPECT_EQ(policies[0]["warm_up"]["time"], longest);
    EXPECT_TRUE(contains(good(pair), " slots by MSER-5, the longest that a policy needs\n"));
}

TEST_F(SimulateCli, AChangedInputIsNoticed) {
    write("m2.toml", slurp(at("experiments/instances/m2-half.toml")));
    const std::string study = "simulate m2.toml -p fifo --horizon 100 --replications 2 --resume d";
    static_cast<void>(good(study));
    write("m2.toml", slurp(at("experiments/instances/m2-half.toml")) + "\n# changed\n");
    expect_refused(study,
                   "d/study.json: expected the inputs of the results that are there, but m2.toml has changed since");
}

}  // namespace
}  // namespace schedproof
