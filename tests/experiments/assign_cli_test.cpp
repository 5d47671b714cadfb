/// `assign`, `generate assignment` and `show` as their users meet them: processes, streams, exit codes, files.
///
/// The end-to-end run takes the example listing and its loads; what it must print stands here. Maps are checked against
/// the listing itself: every block once, local exactly where a replica lies, no core running two tasks at a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/input/fsck/reader.hpp"
#include "model/assignment/assignment.hpp"
#include "model/assignment/codec/codec.hpp"
#include "tests/support/command.hpp"

namespace schedproof {
namespace {

namespace fs = std::filesystem;
using namespace testing_support;
using nlohmann::json;

const std::string folder = "experiments/instances/assignment/";
const std::string example = folder + "dyndl-example.toml";
const std::string cluster =
    "assign --placement experiments/instances/example-fsck.txt --loads " + folder + "example-loads.csv ";

class AssignCli : public CommandTest {
  protected:
    json answer_of(const std::string& arguments) const {
        const std::string text = good(arguments + " --format json");
        write("answer.json", text);
        EXPECT_EQ(validated("assign", "answer.json").exit, 0);
        return json::parse(text, nullptr, false);
    }
    /// Exit code 2, nothing on standard output, no file left, and the last line on standard error.
    void expect_refused(const std::string& arguments, const std::string& words) const {
        SCOPED_TRACE(arguments);
        const auto before = files();
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.exit, 2) << answer.out;
        EXPECT_EQ(answer.out, "");
        EXPECT_EQ(last_line(answer.err), "schedproof: " + words);
        EXPECT_EQ(files(), before) << "a file was left behind";
    }
    static std::string last_line(std::string text) {
        while (text.ends_with('\n')) text.pop_back();
        return text.substr(text.rfind('\n') + 1);
    }
    /// Makespan of each policy of an answer.
    static std::map<std::string, std::string> makespans(const json& answer, const char* key = "makespan") {
        std::map<std::string, std::string> result;
        for (const json& row : answer["policies"])
            if (!row[key].is_null()) result[row["id"].get<std::string>()] = row[key]["exact"].get<std::string>();
        return result;
    }
};

TEST_F(AssignCli, TheWorkedExampleHasThePapersNumbers) {
    const json answer = answer_of("assign " + example + " --wait 3/10");
    const auto makespan = makespans(answer), events = makespans(answer, "event_makespan");
    EXPECT_EQ(events.at("hadoop"), "7/2");
    EXPECT_EQ(events.at("delay"), "13/4");
    EXPECT_EQ(events.at("dyndlon"), "13/4");
    EXPECT_EQ(makespan.at("dyndloff"), "3");
    EXPECT_FALSE(events.contains("dyndloff"));
    EXPECT_EQ(answer["ticks"], "20");
    const json wait8 = answer_of("assign " + example + " --wait 1/8 -p delay -p dyndlon");
    EXPECT_EQ(makespans(wait8, "event_makespan"),
              (std::map<std::string, std::string>{{"delay", "29/8"}, {"dyndlon", "29/8"}}));
    EXPECT_EQ(wait8["policies"][0]["remote_tasks"], 3);
    EXPECT_EQ(wait8["policies"][1]["remote_tasks"], 2);
}

TEST_F(AssignCli, ARealListingIsAssignedEndToEnd) {
    const std::string text = good(cluster + "--path /data/clicks -p dyndloff --map map.csv");
    EXPECT_TRUE(
        text.starts_with("instance   placement: 9 tasks, 9 servers with 18 cores\n"
                         "numbers    exact, in 64-bit ticks of 1/4\n"
                         "policy    makespan  as events  local  remote  locality "))
        << text;
    EXPECT_TRUE(contains(text, "\ndyndloff  3         -              7       2     77.8%"));
    EXPECT_TRUE(text.ends_with("map        written to map.csv\n"));
    EXPECT_EQ(read("map.csv"),
              "task,name,file,server,core,locality,start,finish\n"
              "0,blk_1073741825_1001,/data/clicks/2024-05-01.parquet,10.1.0.12,0,local,1/2,3/2\n"
              "1,blk_1073741826_1002,/data/clicks/2024-05-01.parquet,10.1.0.11,0,local,0,1\n"
              "2,blk_1073741827_1003,/data/clicks/2024-05-01.parquet,10.1.0.11,0,local,1,2\n"
              "3,blk_1073741828_1004,/data/clicks/2024-05-01.parquet,10.1.1.11,0,local,0,1\n"
              "4,blk_1073741829_1005,/data/clicks/2024-05-01.parquet,10.1.0.12,0,local,3/2,5/2\n"
              "5,blk_1073741830_1006,/data/clicks/2024-05-02.parquet,10.1.2.13,0,remote,0,2\n"
              "6,blk_1073741831_1007,/data/clicks/2024-05-02.parquet,10.1.1.11,0,remote,1,3\n"
              "7,blk_1073741832_1008,/data/clicks/2024-05-02.parquet,10.1.1.13,0,local,1,2\n"
              "8,blk_1073741833_1009,/data/clicks/2024-05-02.parquet,10.1.1.11,1,local,1/4,5/4\n");
}

TEST_F(AssignCli, MapsKeepWhatTheListingSays) {
    const input::Listing listing =
        input::read_fsck_file(std::string(SCHEDPROOF_SOURCE_DIR) + "/experiments/instances/example-fsck.txt");
    std::map<std::string, std::set<std::string>> holders;
    for (const auto& block : listing.blocks)
        for (const ServerId s : listing.replicas_of(block))
            holders["blk_" + std::to_string(block.id) + "_" + std::to_string(block.stamp)].insert(
                listing.servers[s.index()].name);
    for (const std::string policy : {"hadoop", "delay", "dyndlon", "list", "ltfpa", "hta", "bar", "dyndloff"}) {
        SCOPED_TRACE(policy);
        const json answer = answer_of(cluster + "--map map.json -p " + policy);
        EXPECT_EQ(validated("assignment-map", "map.json").exit, 0);
        const json map = json::parse(read("map.json"));
        ASSERT_EQ(map["tasks"].size(), listing.blocks.size());
        std::map<std::pair<std::string, int>, std::vector<std::pair<Rational, Rational>>> runs;
        std::size_t local = 0;
        Rational latest;
        for (const json& task : map["tasks"]) {
            const auto server = task["server"].get<std::string>();
            const bool holds = holders.at(task["name"].get<std::string>()).contains(server);
            EXPECT_EQ(task["locality"], holds ? "local" : "remote");
            local += holds ? 1U : 0U;
            const auto time = [&](const char* key) {
                return Rational::parse(task[key]["exact"].get_ref<const std::string&>()).value();
            };
            EXPECT_GE(time("finish") - time("start"), 1);
            latest = std::max(latest, time("finish"));
            runs[{server, task["core"].get<int>()}].emplace_back(time("start"), time("finish"));
        }
        for (auto& [core, times] : runs) {
            std::sort(times.begin(), times.end());
            for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GE(times[i].first, times[i - 1].second);
        }
        const json& row = answer["policies"][0];
        EXPECT_EQ(row["local_tasks"], local);
        const json& makespan = row["online"] == true ? row["event_makespan"] : row["makespan"];
        EXPECT_EQ(makespan["exact"], latest.to_string());
    }
}

TEST_F(AssignCli, AnswersAreTheSameEachTime) {
    const std::string random = cluster + "--random-picks --seed 7 -p hadoop --map ";
    good(random + "a.csv");
    good(random + "b.csv");
    EXPECT_EQ(read("a.csv"), read("b.csv"));
}

TEST_F(AssignCli, GeneratedDataSetsAndInstancesAreOneProblem) {
    const std::string size = " --tasks 60 --servers 9 --cores 3 --beta 7/2 --alpha 1/3 --theta 1/2 --seed 5 ";
    good("generate assignment" + size + "-o random.json");
    good("generate assignment" + size + "-o random.toml");
    EXPECT_EQ(assignment::read_instance(at("random.json").string()),
              assignment::read_instance(at("random.toml").string()));
    good("generate assignment" + size + "--placement p.txt --loads l.txt");
    const json one = answer_of("assign random.toml"),
               other = answer_of("assign --placement p.txt --loads l.txt --theta 1/2");
    EXPECT_EQ(makespans(one), makespans(other));
    EXPECT_EQ(makespans(one, "event_makespan"), makespans(other, "event_makespan"));
    for (const int part : {1, 2, 3, 4})
        good("generate assignment" + size + "--shard " + std::to_string(part) + "/4 --placement p" +
             std::to_string(part) + " --loads l" + std::to_string(part));
    EXPECT_EQ(read("p1") + read("p2") + read("p3") + read("p4"), read("p.txt"));
    EXPECT_EQ(read("l1") + read("l2") + read("l3") + read("l4"), read("l.txt"));
    EXPECT_EQ(good("generate assignment" + size + "--placement - --loads again.txt"), read("p.txt"));
    EXPECT_EQ(read("again.txt"), read("l.txt"));
    expect_refused("generate assignment --placement - --loads -",
                   "--loads: expected a file: the placements go to standard output");
    const Answer piped = shell(std::string("cat p.txt | '") + SCHEDPROOF_COMMAND +
                               "' assign --placement - --loads l.txt --theta 1/2 -p dyndloff --map m.csv");
    EXPECT_EQ(piped.exit, 0) << piped.err;
    expect_refused("generate assignment --replicas 4 --servers 3", "--replicas: expected a number from 1 to 3, not 4");
    expect_refused("generate assignment --servers 0", "--servers: expected a number from 1 to 2000000, not 0");
    expect_refused("generate assignment --shard 3/2 --loads l",
                   "--shard: expected a part i/n with i from 1 to n, such "
                   "as 2/8, not '3/2'");
    expect_refused("generate assignment --shard 1/2",
                   "--shard: expected --placement or --loads: shards are parts of data sets");
    expect_refused(
        "generate assignment --tasks 1200000 -o big.json",
        "--tasks: expected an instance of at most 4000000 values, not 4802300; write data sets (--placement, "
        "--loads) instead");
}

TEST_F(AssignCli, ShowsAndConvertsInstances) {
    const std::string text = good("show " + example);
    EXPECT_TRUE(text.starts_with("instance  dyndl-example\n")) << text;
    EXPECT_TRUE(contains(text,
                         "cost      g(n) = 1 + 1/2 n\nservers   4 with 8 cores   (initial loads)\n"
                         "  s1  2 cores: 3/4 1/2\n"));
    EXPECT_TRUE(contains(text, "  t5: {s3 s4}\n"));
    std::string documents;
    for (const auto& entry : fs::directory_iterator(at(folder))) {
        if (entry.path().extension() != ".toml") continue;
        const std::string name = entry.path().stem().string();
        good("show " + folder + name + ".toml --as json -o " + name + ".json");
        good("show " + name + ".json --as toml -o " + name + ".toml");
        EXPECT_EQ(assignment::read_instance(at(name + ".toml").string()),
                  assignment::read_instance(entry.path().string()));
        documents += " " + name + ".json";
    }
    const Answer valid =
        shell(std::string("/usr/bin/python3 '") + SCHEDPROOF_SOURCE_DIR +
              "/tests/experiments/validate.py' experiments/instances/assignment.schema.json" + documents);
    EXPECT_EQ(valid.exit, 0) << valid.out << valid.err;
    write("spoiled.json", replaced(read("dyndl-example.json"), "\"1/2\"", "0.5"));
    EXPECT_EQ(shell(std::string("/usr/bin/python3 '") + SCHEDPROOF_SOURCE_DIR +
                    "/tests/experiments/validate.py' experiments/instances/assignment.schema.json spoiled.json")
                  .exit,
              1);
}

TEST_F(AssignCli, WrongOptionsAreNamed) {
    expect_refused("assign", "INSTANCE: expected an instance file, or --placement with --loads");
    expect_refused("assign " + example + " -p dyndlof",
                   "--policy: expected a policy of `schedproof list policies --family assignment`, "
                   "not 'dyndlof' (did you mean 'dyndlon'?)");
    expect_refused("assign " + example + " --map m.csv", "--map: expected one policy (-p) whose map to write");
    expect_refused("assign " + example + " -p list --map m.txt",
                   "m.txt: --map: expected a name that ends in .csv or .json");
    expect_refused("assign " + example + " --wait -1", "--wait: expected a time of at least 0, not -1");
    expect_refused(cluster + "--cost tabel:2",
                   "--cost: expected affine:THETA, capped:THETA,CAP, table:COST,COST,... or step:FROM=COST,..., not "
                   "'tabel:2' (did you mean 'table'?)");
    expect_refused(cluster + "--theta 0", "--theta: expected a factor above 0, not 0");
    expect_refused(cluster + "--theta 1 --cost affine:1", "--theta: expected --cost or --theta, not both");
    expect_refused("assign --placement experiments/instances/example-fsck.txt",
                   "--loads: expected a file of initial loads, or --cores N for idle servers");
    expect_refused("capacity " + example, example + ":3: family: expected the family \"queueing\", not 'assignment'");
    expect_refused("assign experiments/instances/m2-half.toml",
                   "experiments/instances/m2-half.toml:3: family: expected the family \"assignment\", not 'queueing'");
}

TEST_F(AssignCli, BadInputIsRefusedAndNothingIsWritten) {
    const std::string csv = slurp(std::string(SCHEDPROOF_SOURCE_DIR) + "/" + folder + "example-loads.csv");
    const std::string listing = slurp(std::string(SCHEDPROOF_SOURCE_DIR) + "/experiments/instances/example-fsck.txt");
    const std::string with =
        "assign --placement experiments/instances/example-fsck.txt --loads l.csv -p list -o out "
        "--map m.csv";
    write("l.csv", replaced(csv, "10.1.0.11,1,3/2", "10.1.0.11,0,3/2"));
    expect_refused(with, "l.csv:3: core: expected each core once, but core 0 of '10.1.0.11' stands on line 2");
    write("l.csv", replaced(csv, "10.1.1.12,0,7\n10.1.1.12,1,5.5\n", ""));
    expect_refused(with,
                   "experiments/instances/example-fsck.txt: expected a load of server '10.1.1.12' in l.csv (did you "
                   "mean '10.1.0.12'?); or --cores N, for servers without");
    write("l.csv", replaced(csv, ",0,7\n", ",0,-7\n"));
    expect_refused(with, "l.csv:10: load: expected a load of at least 0, not -7");
    write("l.csv", replaced(csv, ",0,7\n", ",0,99999999999999999999\n"));
    expect_refused(with, "l.csv:10: load: expected loads that fit 64-bit ticks: 99999999999999999999 does not");
    write("l.csv", csv.substr(0, csv.size() / 2));
    EXPECT_EQ(run(with).exit, 2);
    write("cut.txt", listing.substr(0, listing.size() / 2));
    const std::string cut =
        "assign --placement cut.txt --loads " + folder + "example-loads.csv -p list -o out --map m.csv";
    EXPECT_EQ(run(cut).exit, 2);
    write("cut.txt", listing.substr(0, listing.find("/tmp <dir>")));
    expect_refused(cut,
                   "cut.txt: expected the summary that ends a listing ('Status: ...'); the file ends before it; "
                   "--incomplete takes "
                   "it as it is");
    EXPECT_FALSE(fs::exists(at("out")));
    EXPECT_FALSE(fs::exists(at("m.csv")));
    EXPECT_EQ(run(cut + " --incomplete").exit, 0);
    EXPECT_TRUE(fs::exists(at("m.csv")));
}

/// What a listing and loads say, as an instance file: `assign` gives the same answer on both.
TEST_F(AssignCli, AListingWithLoadsBecomesAnInstance) {
    const std::string listing = "experiments/instances/example-fsck.txt";
    const std::string loads = "--loads " + folder + "example-loads.csv ";
    const std::string import = "import assignment " + listing + " --path /data/clicks " + loads;
    good(import + "--name clicks -o clicks.toml");
    good(import + "--name clicks --format json -o clicks.json");
    EXPECT_EQ(good("show clicks.toml --as json"), read("clicks.json"));
    const json direct = answer_of("assign --placement " + listing + " --path /data/clicks " + loads);
    const json imported = answer_of("assign clicks.toml");
    EXPECT_EQ(imported["instance"], "clicks");
    EXPECT_EQ(makespans(imported), makespans(direct));
    EXPECT_EQ(makespans(imported, "event_makespan"), makespans(direct, "event_makespan"));
    good(import + "--jobs files -o jobs.json");
    std::set<std::string> jobs;
    const json with_jobs = json::parse(read("jobs.json"));
    for (const json& task : with_jobs["tasks"]) jobs.insert(task["job"].get<std::string>());
    EXPECT_TRUE(jobs.contains("/data/clicks/2024-05-02.parquet"));
    EXPECT_EQ(makespans(answer_of("assign jobs.json -p dyndloff")),
              makespans(answer_of("assign clicks.toml -p dyndloff")));
    good("generate assignment --tasks 20 --servers 5 --cores 2 --placement p.txt --loads l.txt");
    good("import assignment p.txt --loads l.txt --theta 2 -o sets.toml");
    EXPECT_EQ(makespans(answer_of("assign sets.toml -p dyndloff")),
              makespans(answer_of("assign --placement p.txt --loads l.txt --theta 2 -p dyndloff")));
}

TEST_F(AssignCli, AWrongImportNamesFileAndPlace) {
    const std::string listing = "import assignment experiments/instances/example-fsck.txt ";
    expect_refused(listing, "--loads: expected a file of initial loads, or --cores N for idle servers");
    expect_refused(
        listing + "--cores 2 --path /nowhere",
        "experiments/instances/example-fsck.txt: --path: expected a path that holds files of the listing, not "
        "'/nowhere'");
    write("loads.csv", "server,cores,load\na,two,0\n");
    expect_refused(listing + "--loads loads.csv",
                   "loads.csv:2: cores: expected a number of cores, 1 to 5000000, not 'two'");
    expect_refused(listing + "--cores 2 --name \"$(printf '\\377')\"",
                   "--name: expected a name in UTF-8 that is not empty");
    expect_refused(listing + "--cores 2 --theta 0", "--theta: expected a factor above 0, not 0");
    write("p.txt", "t s0; t s0;\n");
    expect_refused("import assignment p.txt --cores 2 --jobs files",
                   "p.txt: --jobs: expected 'one' with a data set of placements, which names no files");
    expect_refused("import assignment p.txt --cores 2",
                   "p.txt:1: column 7: expected each server once among the replicas of 't', but 's0' stands twice");
}

TEST_F(AssignCli, GivingUpIsUnknownAndWritesNoMap) {
    good("generate assignment --tasks 1500 --servers 100 --cores 4 --beta 5 -o big.json");
    const Answer answer = run("assign big.json -p hta --timeout 0 --map m.csv");
    EXPECT_EQ(answer.exit, 3) << answer.out;
    EXPECT_TRUE(contains(answer.out, "hta gave up: ")) << answer.out;
    EXPECT_FALSE(fs::exists(at("m.csv")));
}

TEST_F(AssignCli, LoadsBeyondTicksOfAllTogetherAreStillExact) {
    write("large.toml",
          "family = 'assignment'\nname = 'large'\ncost = {kind = 'table', values = ['4/3']}\n"
          "servers = [{loads = ['9223372036854775807']}, {loads = ['1']}]\ntasks = [['s0'], ['s0']]\n");
    const json answer = answer_of("assign large.toml -p dyndloff -p hadoop");
    EXPECT_TRUE(answer["ticks"].is_null());
    EXPECT_EQ(makespans(answer).at("dyndloff"), "11/3");
}

}  // namespace
}  // namespace schedproof
