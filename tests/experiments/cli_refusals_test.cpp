/// What the command refuses: misspelt words, wrong command lines, wrong states, wrong files. Most of it is tables, of
/// wrong inputs and what must be said about each.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/experiments/cli_fixture.hpp"

namespace schedproof {
namespace {

using namespace testing_support;

class CliRefusals : public CliTest {};

// ---------------------------------------------------------------------------------------------------- wrong commands

TEST_F(CliRefusals, AMisspeltWordIsAnsweredWithTheNearest) {
    write("own.toml", replaced(read(half), "[arrivals]", "[options]\nruoting = \"batch\"\n[arrivals]"));
    const std::vector<std::pair<std::string, std::string>> table{
        {"capcity " + half, "'capacity'"},
        {"graf " + half, "'graph'"},
        {"import hdfs-fsk x", "'hdfs-fsck'"},
        {"capacity " + half + " --sertificate c.json", "'--certificate'"},
        {"capacity " + half + " --verfy=c.json", "'--verify'"},
        {"chain " + half + " -p fifo --cap-totl 2", "'--cap-total'"},
        {"kernel " + half + " -p balanced-panda", "'balanced-pandas'"},
        {"chain " + half + " -p jsq-maxwieght", "'jsq-maxweight'"},
        {"capacity " + half + " -p fifoo", "'fifo'"},
        {"kernel " + instances + "example-cluster.toml -p fifo --queues logs-c", "'logs-a'"},
        {"kernel " + instances + "example-cluster.toml -p fifo --serving queue@rak,idle,idle,idle,idle,idle,idle,idle",
         "'rack'"},
        {"kernel " + half + " -p wang-jsq-maxweight --queues 0,0,1 --serving comon,idle", "'common'"},
        {"kernel " + half + " -p jsq-maxweight --queues 1,0 --serving s00,idle", "'s0'"},
        {"show own.toml", "'routing'"},
    };
    for (const auto& [arguments, nearest] : table) {
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.exit, 2) << arguments;
        EXPECT_EQ(answer.out, "") << arguments;
        EXPECT_TRUE(contains(answer.err, "did you mean " + nearest + "?")) << arguments << "\n" << answer.err;
    }
}

TEST_F(CliRefusals, WrongCommandLinesAreRefused) {
    for (const std::string arguments :
         {"", "capacity", "list", "import", "chain experiments/instances/m2-half.toml", "list policies more",
          "list policies --format yaml", "chain experiments/instances/m2-half.toml -p fifo --cap-total -1",
          "chain experiments/instances/m2-half.toml -p fifo --cap-total 1.5",
          "chain experiments/instances/m2-half.toml -p fifo --cap-total 4294967297",
          "graph experiments/instances/m2-half.toml -p fifo --around 1 --path 1",
          "graph experiments/instances/m2-half.toml -p fifo --max-nodes 2",
          "chain experiments/instances/m2-half.toml -p fifo --cap-total 1 --cap-queue 1",
          "graph experiments/instances/m2-half.toml -p fifo --cap-total 1 --around 1 --stationary",
          "graph experiments/instances/m2-half.toml -p fifo --cap-total 1 -o chain.jpg",
          "capacity experiments/instances/m2-half.toml --picture cluster",
          "capacity experiments/instances/m2-half.toml -p fifo"}) {
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.exit, 2) << arguments;
        EXPECT_EQ(answer.out, "") << arguments;
        EXPECT_TRUE(answer.err.starts_with("schedproof: ")) << arguments << "\n" << answer.err;
        EXPECT_EQ(files(), std::set<std::string>{"experiments"}) << arguments;
    }
}

TEST_F(CliRefusals, WrongStatesAreRefused) {
    const std::string jsq = "kernel " + half + " -p jsq-maxweight ", fifo = "kernel " + half + " -p fifo ";
    const std::vector<std::pair<std::string, std::string>> table{
        {jsq + "--queues 1", "--queues: expected 2 entries"},
        {jsq + "--queues 1,0,0", "--queues: expected 2 entries"},
        {jsq + "--queues 1,", "--queues (entry 2)"},
        {jsq + "--queues 1,-1", "--queues (entry 2): expected a number of tasks, not '-1'"},
        {jsq + "--queues 1.5,1", "--queues (entry 1)"},
        {jsq + "--queues 1,99999999999999999999", "--queues (entry 2)"},
        {jsq + "--queues 1,1 --serving s0", "--serving: expected 2 entries"},
        {jsq + "--queues 1,1 --serving s0,", "--serving (entry 2)"},
        {jsq + "--serving s0,idle", "--serving (entry 1): expected at most as many executing servers as tasks"},
        {jsq + "--queues 1,0 --serving s0,s0",
         "--serving (entry 2): expected at most as many executing servers as tasks"},
        {jsq + "--queues 1,0 --serving phantom:s0,idle", "--serving (entry 1): expected no phantom"},
        {fifo + "--queues A --serving queue,idle", "--serving (entry 1): expected QUEUE@LEVEL"},
        {fifo + "--queues A+C", "--queues (entry 1)"},
        {fifo + "--queues 2", "--queues (entry 1)"},
    };
    for (const auto& [arguments, words] : table) expect_refused(arguments, words);
    expect_refused("graph " + half + " -p jsq-maxweight --around 1 --queues 1 -o a.svg",
                   "--queues: expected 2 entries");
}

TEST_F(CliRefusals, ALimitIsAnUnknown) {
    expect_refused("chain " + half + " -p fifo --cap-total 2 --max-states 3 -o a.json", "more than 3 reachable states",
                   3);
    expect_refused("chain " + half + " -p fifo --max-states 100", "give --cap-total or --cap-queue", 3);
    // What is drawn may be finite where the chain, which is written whole, is not.
    for (const std::string written : {"--prism model", "--umb a.umb"}) {
        const std::string chain = " -o a.svg " + written;
        expect_refused("graph " + half + " -p fifo --cap-total 2 --max-states 3" + chain,
                       "more than 3 reachable states", 3);
        expect_refused("graph " + half + " -p fifo --around 1 --max-states 100" + chain,
                       "give --cap-total or --cap-queue", 3);
        expect_refused("graph " + half + " -p fifo --path 2 --max-states 100" + chain,
                       "give --cap-total or --cap-queue", 3);
        expect_refused("graph " + half + " -p fluid-model-planning:deficit --cap-total 2" + chain,
                       "no truncation makes its chain finite", 3);
    }
}

// -------------------------------------------------------------------------------------------------------- wrong files

TEST_F(CliRefusals, WrongInstancesAreRefusedWithLineAndKey) {
    const std::string law = "kind = \"bernoulli\"\nvalues = {A = \"1/2\", B = \"1/2\"}";
    const auto rate = [](const std::string& value) {
        return std::pair<std::string, std::string>("A = \"1/2\"", "A = " + value);
    };
    const std::string value = "bad.toml:16: arrivals.values.A: ";
    const std::vector<std::pair<std::pair<std::string, std::string>, std::string>> table{
        {rate("\"-1/2\""), value + "expected a probability"},
        {rate("\"3/2\""), value + "expected a probability"},
        {rate("0.5"), value + "expected an exact number: 0.5 is a float"},
        {rate("nan"), value},
        {rate("inf"), value},
        {rate("\"nan\""), value},
        {rate("\"1/0\""), value},
        {rate("\"1e999999999\""), value + "the exponent"},
        {rate("\"0." + std::string(100'000, '7') + "\""), value + "a number of 100002 characters"},
        {rate("9223372036854775808"), "bad.toml:16"},
        {{"rate = \"1/5\"", "rate = \"4/5\""}, "bad.toml:7: levels[1].rate: expected a rate below"},
        {{"rate = \"1/5\"", "rate = \"9/10\""}, "bad.toml:7: levels[1].rate: expected a rate below"},
        {{"rate = \"1/5\"", "rate = 0"}, "bad.toml:7: levels[1].rate: "},
        {{"rate = \"4/5\"", "rate = \"6/5\""}, "bad.toml:7: levels[0].rate: "},
        {{"[\"s0\"]", "[]"}, "bad.toml:10: types[0].replicas: expected at least one server"},
        {{"[\"s0\"]", "[\"s7\"]"}, "bad.toml:10: types[0].replicas[0]: expected a known server, not 's7'"},
        {{"[\"s0\"]", "[\"s0\", \"s0\"]"}, "bad.toml:10: types[0].replicas"},
        {{"name = \"A\"", "name = \"B\""}, "bad.toml:11: types[1]: expected different names"},
        {{law, "kind = \"joint\"\noutcomes = [{probability = \"1/4\", tasks = {A = 1}}]"},
         "bad.toml:16: arrivals.outcomes: expected probabilities that sum to 1"},
        {{", B = \"1/2\"", ""}, "bad.toml:16: arrivals.values"},
        {{"family = \"queueing\"\n", ""}, "bad.toml"},
    };
    for (const auto& [change, words] : table) {
        write("bad.toml", replaced(read(half), change.first, change.second));
        expect_refused("show bad.toml", words);
    }
}

TEST_F(CliRefusals, WrongFilesAreRefusedByEveryCommand) {
    const std::string json = good("show " + half + " --as json");
    const std::string binary(
        "\x7f"
        "ELF\x02\x01\x00\x00\xff\xfe",
        10);
    write("negative.toml", replaced(read(half), "A = \"1/2\"", "A = \"-1/2\""));
    write("cut.toml", read(half).substr(0, 400));
    write("cut.json", json.substr(0, json.size() / 2));
    write("float.json", replaced(json, "\"4/5\"", "0.8"));
    write("nan.json", replaced(json, "\"4/5\"", "NaN"));
    write("deep.json", std::string(100'000, '['));
    for (const std::string name : {"binary.toml", "binary.json", "binary"}) write(name, binary);
    for (const std::string name : {"empty.toml", "empty.json", "empty"}) write(name, "");
    std::filesystem::create_directory(at("directory"));
    const std::set<std::string> names = files();
    for (const std::string& name : names) {
        if (name == "experiments") continue;
        for (const std::string arguments :
             {"show NAME", "capacity NAME --certificate new.json --picture new.svg", "kernel NAME -p fifo",
              "chain NAME -p fifo --cap-total 1", "graph NAME -p fifo --cap-total 1 -o new.svg"})
            expect_refused(replaced(arguments, "NAME", name), name);
    }
    expect_refused("show missing.toml", "missing.toml: expected an existing file");
}

TEST_F(CliRefusals, WrongListingsAndCertificatesAreRefused) {
    write("empty", "");
    write("binary", std::string("\x7f"
                                "ELF\0\0\n\xff",
                                8));
    write("cut.json", "{\"schema\": \"capacity-certificate\", ");
    write("deep.json", std::string(100'000, '['));
    std::filesystem::create_directory(at("directory"));
    for (const std::string name : {"empty", "binary", "cut.json", "deep.json", "directory", "missing"}) {
        expect_refused("import hdfs-fsck " + name + " -o new.toml", name + ": expected ");
        expect_refused("capacity " + half + " --verify " + name + " -o new.txt", name + ":");
    }
}

TEST_F(CliRefusals, WhereNothingCanBeWrittenNothingIs) {
    write("file", "");
    std::filesystem::create_directory(at("directory"));
    for (const std::string place : {"missing/a.svg", "file/a.svg", "/proc/a.svg"}) {
        expect_refused("list policies -o " + place, place);
        expect_refused("show " + half + " -o " + place, place);
        expect_refused("kernel " + half + " -p fifo -o " + place, place);
        expect_refused("chain " + half + " -p fifo --cap-total 1 -o " + place, place);
        expect_refused("graph " + half + " -p fifo --cap-total 1 -o " + place, place);
        expect_refused("graph " + half + " -p fifo --cap-total 1 -o a.svg --prism " + place, place);
        expect_refused("graph " + half + " -p fifo --cap-total 1 -o a.svg --umb " + place + ".umb", place + ".umb");
        expect_refused("capacity " + half + " -o " + place, place);
        expect_refused("capacity " + half + " --certificate " + place, place);
        expect_refused("capacity " + half + " --picture " + place, place);
    }
    expect_refused("show " + half + " -o directory", "directory");
    expect_refused("show " + half + " > /dev/full", "standard output: cannot write");
    expect_refused("show " + half + " -o /dev/full", "/dev/full");
}

TEST_F(CliRefusals, EveryAllowedNumberOfNodesIsDrawn) {
    for (int n = 3; n <= 9; ++n)
        EXPECT_EQ(run("graph " + half + " -p fifo --cap-total 2 -o a.dot --max-nodes " + std::to_string(n)).exit,
                  n < 8 ? 2 : 0);
}

TEST_F(CliRefusals, NoCountIsNegative) {
    for (const std::string arguments :
         {"chain experiments/instances/m2-half.toml -p fifo --cap-total 2 --max-states -1",
          "graph experiments/instances/m2-half.toml -p fifo --path 2 --seed -1",
          "capacity experiments/instances/m2-half.toml --rows -1"})
        EXPECT_EQ(run(arguments).exit, 2) << arguments;
}

TEST_F(CliRefusals, AMistypedCommandIsAnsweredWithTheNearestAndNothingElse) {
    const Answer answer = run("capcity " + half);
    EXPECT_EQ(answer.exit, 2);
    EXPECT_EQ(answer.err,
              "schedproof: expected a command, not 'capcity' (did you mean 'capacity'?)\n"
              "Try `schedproof --help`.\n");
    expect_refused("prove drif " + half, "expected a command, not 'drif' (did you mean 'drift'?)");
}

TEST_F(CliRefusals, NumbersOutsideTheirRangeAreNamed) {
    expect_refused("simulate " + half + " -p fifo --horizon -5", "--horizon: expected a number above 0, not -5");
    expect_refused("simulate " + half + " -p fifo --batches 0", "expected a whole number from 1 to 100000, not 0");
    expect_refused("chain " + half + " -p fifo --max-states -1",
                   "--max-states: expected a number of at least 0, not -1");
    expect_refused("chain " + half + " -p fifo --cap-total 4294967296", "expected a number of at most 4294967295");
    expect_refused("chain " + half + " -p fifo --cap-total two", "expected a number of at least 0, not two");
    expect_refused("chain " + half + " -p fifo --cap-total ''", "expected a value, not ''");
}

TEST_F(CliRefusals, ALateErrorTakesEarlierFilesBack) {
    expect_refused("capacity " + half + " --certificate c.json --picture missing/a.svg", "missing/a.svg");
    expect_refused("capacity " + half + " --certificate c.json -o missing/a.txt", "missing/a.txt");
    expect_refused("capacity " + half + " --picture a.svg -o missing/a.txt", "missing/a.txt");
    expect_refused("graph " + half + " -p fifo --cap-total 1 --prism model -o missing/a.svg", "missing/a.svg");
    expect_refused("graph " + half + " -p fifo --cap-total 1 -o a.svg --prism model --umb missing/a.umb",
                   "missing/a.umb");
}

TEST_F(CliRefusals, TwoAnswersNeedTwoFiles) {
    EXPECT_EQ(run("capacity " + half + " --certificate a.json -o a.json").exit, 2);
    EXPECT_EQ(run("capacity " + half + " --certificate a.svg --picture a.svg").exit, 2);
    for (const std::string name : {"model", "a.svg", "-", ".umb/"})
        expect_refused("graph " + half + " -p fifo --cap-total 1 -o b.svg --umb " + name,
                       "--umb: expected a file name that ends with .umb, not '" + name + "'");
}

TEST_F(CliRefusals, EveryMisspeltChoiceIsAnsweredWithTheNearest) {
    const std::vector<std::pair<std::string, std::string>> table{
        {"list polices", "'policies'"},
        {"show " + half + " --as jsn", "'json'"},
        {"list policies --format tetx", "'text'"},
        {"kernel " + half + " -p fifo --lyapunov totl", "'total'"},
        {"kernel " + half + " -p pandass", "'pandas'"},
        {"import hdfs-fsck x --by hots", "'host'"}};
    for (const auto& [arguments, nearest] : table) {
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.exit, 2) << arguments;
        EXPECT_TRUE(contains(answer.err, "did you mean " + nearest + "?")) << arguments << "\n" << answer.err;
    }
}

TEST_F(CliRefusals, ExplorationHasTheStatedLimit) {
    expect_refused("graph " + half + " -p fifo --around 12 --max-states 10 -o a.dot", "more than 10", 3);
    EXPECT_NE(shell("timeout 100 '" + command + "' kernel " + instances + "example-cluster.toml -p fifo").exit, 124);
    EXPECT_NE(shell("timeout 100 '" + command + "' graph " + half + " -p fifo --path 100000 -o a.dot").exit, 124);
}

TEST_F(CliRefusals, AReportNeedsAPlaceBesideThePicture) {
    EXPECT_EQ(run("graph " + half + " -p fifo --cap-total 1 --format json").exit, 2);
}

TEST_F(CliRefusals, AWrongImportOptionIsOneLine) {
    const std::string listing = "import hdfs-fsck " + instances + "example-fsck.txt -o a.toml ";
    expect_refused(listing + "--total-rate -1", "--total-rate");
    expect_refused(listing + "--path /nope", "--path");
    expect_refused(listing + "--rates 1/2,3/4", "--rates");
}

TEST_F(CliRefusals, AnEmptyNameIsNotAnAbsentOption) {
    // As a script gives it whose variable is unset: it must not pass for a check of a certificate.
    for (const std::string option : {"--verify ''", "--certificate ''", "--picture ''", "-p ''"})
        EXPECT_EQ(run("capacity " + half + " " + option).exit, 2) << option;
    EXPECT_EQ(run("kernel " + half + " -p fifo --lyapunov ''").exit, 2);
    EXPECT_EQ(run("graph " + half + " -p fifo --cap-total 1 --prism ''").exit, 2);
    EXPECT_EQ(run("graph " + half + " -p fifo --cap-total 1 --umb ''").exit, 2);
}

TEST_F(CliRefusals, ANameIsText) {
    EXPECT_EQ(run("import hdfs-fsck " + instances + "example-fsck.txt --name \"$(printf '\\377')\"").exit, 2);
}

TEST_F(CliRefusals, AStateIsOneTheSystemCanBeIn) {
    // No server but s0 holds data, so s1 executes no local task; and under this policy servers serve their own queues.
    expect_refused("kernel " + instances + "m2-one-type.toml -p fifo --serving idle,queue@local",
                   "--serving (entry 2)");
    expect_refused("kernel " + half + " -p balanced-pandas --queues 1,0,0,0 --serving idle,s0.local",
                   "--serving (entry 2)");
    expect_refused("kernel " + half + " -p jsq-maxweight --queues 5,1 --cap-total 2", "--queues");
}

}  // namespace
}  // namespace schedproof
