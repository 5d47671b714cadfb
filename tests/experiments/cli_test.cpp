/// The command as its users meet it: a process with arguments, two streams, an exit code and files.
///
/// Nothing here calls a function of the command. Each test runs the real program in a directory of its own, in which
/// `experiments` leads to the source tree, so that the commands below are those of the documentation, letter by letter.
/// JSON answers are checked against their published schemas, and these too (schema.hpp). What goes into files and comes
/// back from them is in cli_files_test.cpp, what is refused in cli_refusals_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/experiments/cli_fixture.hpp"

namespace schedproof {
namespace {

namespace fs = std::filesystem;
using namespace testing_support;

class Cli : public CliTest {};

// ---------------------------------------------------------------------------------------------- answers in JSON

TEST_F(Cli, ListsAreOfTheirSchema) {
    for (const std::string what : {"policies", "policies", "lyapunov", "options"})
        expect_schema("list", good("list " + what + " --format json"));
}

TEST_F(Cli, KernelsAreOfTheirSchema) {
    const std::string system =
        "kernel " + half + " -p wang-jsq-maxweight --queues 2,0,1 --serving idle,common --format json";
    expect_schema("kernel", good(system));
    expect_schema("kernel", good(system + " --lyapunov regret"), {"lyapunov"});
    const std::string fifo = "kernel " + half + " -p fifo --queues A+B --serving queue@local,idle --format json";
    expect_schema("kernel", good(fifo), {"waiting"});
}

/// States are lists in the order of the queues' names, which stand in the answer once.
TEST_F(Cli, StatesInJsonAreListsOfIntegers) {
    const auto answer = [&](const std::string& arguments) {
        return ordered_json::parse(good(arguments + " --format json"));
    };
    const ordered_json wang = answer("kernel " + half + " -p wang-jsq-maxweight --queues 2,0,1 --serving idle,common");
    EXPECT_EQ(wang["queue_names"], ordered_json({"s0", "s1", "common"}));
    EXPECT_EQ(wang["state"], ordered_json::parse(R"({"queues": [2, 0, 1], "serving": ["idle", "common"]})"));
    for (const ordered_json& next : wang["next"]) EXPECT_TRUE(next["state"]["queues"][0].is_number_integer());
    const ordered_json fifo = answer("kernel " + half + " -p fifo --queues A+B --serving queue@local,idle");
    EXPECT_EQ(fifo["state"],
              ordered_json::parse(R"({"queues": [3], "serving": ["queue@local", "idle"], "waiting": [["A", "B"]]})"));
    const ordered_json chain = answer("chain " + half + " -p fifo --cap-total 1 --law");
    EXPECT_EQ(chain["queue_names"], ordered_json({"queue"}));
    EXPECT_EQ(chain["stationary"][0]["state"],
              ordered_json::parse(R"({"queues": [0], "serving": ["idle", "idle"], "waiting": [[]]})"));
}

/// Whatever a command writes is named, under the names it was given, and files of earlier commands are not.
TEST_F(Cli, JsonAnswersNameTheFilesWritten) {
    const auto files = [&](const std::string& arguments) {
        return ordered_json::parse(good(arguments + " --format json"))["files"].get<std::vector<std::string>>();
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(files("kernel " + half + " -p fifo"), Names{});
    EXPECT_EQ(files("capacity " + half + " --certificate c.json --picture a.svg"), (Names{"a.svg", "c.json"}));
    EXPECT_EQ(files("certify c.json --instance " + half), Names{});
    EXPECT_EQ(files("graph " + half + " -p fifo --cap-total 2 -o chain.dot --prism model"),
              (Names{"chain.dot", "model.lab", "model.sta", "model.tra", "model1.srew", "model2.srew", "model3.srew"}));
    EXPECT_EQ(files("graph " + half + " -p fifo --cap-total 2 -o chain.dot --umb chain.umb"),
              (Names{"chain.dot", "chain.umb"}));
    const std::string blocks = instances + "assignment/dyndl-example.toml";
    EXPECT_EQ(files("assign " + blocks + " -p dyndlon --map map.csv"), Names{"map.csv"});
    EXPECT_EQ(files("optimum " + blocks + " --method servers --smtlib q.smt2"), Names{"q.smt2"});
    EXPECT_EQ(good("certify c.json --instance " + half + " --format json -o answer.json"), "");
    EXPECT_EQ(ordered_json::parse(read("answer.json"))["files"], ordered_json({"answer.json"}));
    EXPECT_EQ(good("capacity " + half + " --certificate ./d.json --format json -o answer.json"), "");
    EXPECT_EQ(ordered_json::parse(read("answer.json"))["files"], ordered_json({"./d.json", "answer.json"}));
}

TEST_F(Cli, ChainsAreOfTheirSchema) {
    const std::string system = "chain " + half + " -p fifo --cap-total 1 --format json";
    expect_schema("chain", good(system));
    expect_schema("chain", good(system + " --law"), {"stationary", "waiting"});
    write("idle.toml", replaced(overloaded(), "A = 1, B = 1", "A = 0, B = 0"));
    const std::string silent = good("chain idle.toml -p fifo --cap-total 1 --format json");
    EXPECT_TRUE(ordered_json::parse(silent)["means"]["delay"].is_null());
    expect_schema("chain", silent);
}

TEST_F(Cli, AssignmentAnswersAndMapsAreOfTheirSchema) {
    const std::string assign = "assign " + instances + "assignment/dyndl-example.toml -p dyndlon --map map.json ";
    expect_schema("assign", good(assign + "--format json"));
    expect_schema("assignment-map", read("map.json"));
}

TEST_F(Cli, CapacityAnswersAreOfTheirSchema) {
    const std::set<std::string> optional{"instability", "stability_program", "/instability/value_per_task"};
    expect_schema("capacity", good("capacity " + instances + "example-cluster.toml --format json"));
    expect_schema("capacity", good("capacity " + half + " -p jsq-maxweight --format json"), optional);
    write("over.toml", overloaded());
    expect_schema("capacity", good("capacity over.toml --format json"), optional);
}

TEST_F(Cli, CertificatesAndRejectionsAreOfTheirSchema) {
    good("capacity " + half + " --certificate c.json -o answer.txt");
    expect_schema("capacity-certificate", read("c.json"), {"/type_price", "/server_price"});
    // Another instance of the same name, servers and types: with another routing, of which nothing was said.
    write("other.toml",
          replaced(good("show " + half + " --as toml"), "routing = \"batch\"", "routing = \"sequential\""));
    EXPECT_TRUE(contains(run("capacity other.toml --verify c.json").err, "c.json:5: instance_digest: expected "));
    EXPECT_TRUE(contains(run("certify c.json --instance other.toml").err, "c.json:5: instance_digest: expected "));
    write("c.json", replaced(read("c.json"), "\"upper\": \"5/8\"", "\"upper\": \"1/8\""));
    const Answer answer = run("capacity " + half + " --verify c.json --format json");
    EXPECT_EQ(answer.exit, 1) << answer.err;
    expect_schema("capacity-rejected", answer.out, {"version"});
}

TEST_F(Cli, GraphReportsAreOfTheirSchema) {
    const std::string system = "graph " + half + " -p fifo --cap-total 2 --format json ";
    expect_schema("graph", good(system + "-o chain.dot"));
    expect_schema("graph", good(system + "-o chain.dot --max-nodes 8 --prism model"));
    const std::string written = good(system + "-o chain.dot --umb chain.umb");
    expect_schema("graph", written);
    EXPECT_EQ(ordered_json::parse(written)["umb"], "chain.umb");
}

TEST_F(Cli, EveryInstanceOfTheTreeAnswersWithinItsSchema) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(source + "/experiments/instances")) {
        if (entry.path().extension() != ".toml") continue;
        const std::string name = entry.path().stem().string();
        good("capacity " + instances + name + ".toml --format json -o a-" + name + " --certificate c-" + name);
        ++count;
    }
    EXPECT_GE(count, 20u);
    EXPECT_EQ(rejected("capacity", "a-*"), std::set<std::string>{});
    EXPECT_EQ(rejected("capacity-certificate", "c-*"), std::set<std::string>{});
}

/// Every schema forbids members that it does not know and says what each one means, and the command prints what the
/// build has written.
TEST_F(Cli, SchemasAreStrictAndSayWhatMembersMean) {
    good("schema --directory made");
    const std::function<void(const ordered_json&)> look = [&](const ordered_json& schema) {
        if (schema.is_object() && schema.contains("properties") && schema.contains("type")) {
            EXPECT_EQ(schema["additionalProperties"], false) << schema.dump();
            EXPECT_TRUE(schema.contains("required")) << schema.dump();
            for (const auto& [name, member] : schema["properties"].items())
                EXPECT_TRUE(member.contains("description") || member.contains("$ref") || member.contains("anyOf"))
                    << name << ": " << member.dump();
        }
        if (schema.is_structured())
            for (const ordered_json& inner : schema) look(inner);
    };
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(at("made"))) {
        const std::string file = entry.path().filename().string(), name = file.substr(0, file.find('.'));
        const std::string text = slurp(entry.path());
        look(ordered_json::parse(text));
        EXPECT_EQ(text, slurp(schema_file(name))) << name;
        EXPECT_TRUE(contains(good("schema"), name + " ")) << name;
        ++count;
    }
    EXPECT_GE(count, 15u);
    EXPECT_EQ(good("schema kernel"), read("made/kernel.schema.json"));
    expect_refused("schema kernl", "did you mean 'kernel'?");
}

TEST_F(Cli, AValidatorThatCannotReadSaysSo) {
    write("nan.json", "{\"schema\": NaN}");
    const std::string validate = "/usr/bin/python3 '" + source + "/tests/experiments/validate.py' ";
    EXPECT_EQ(shell(validate + "'" + schema_file("list") + "' nan.json").exit, 2);
    EXPECT_EQ(shell(validate + "nan.json nan.json").exit, 2);
    EXPECT_EQ(shell(validate).exit, 2);
}

TEST_F(Cli, NumbersBeyondDoublesStayWithinTheSchema) {
    write("tiny.toml", replaced(replaced(read(half), "\"4/5\"", "\"4e-400\""), "\"1/5\"", "\"1e-900\""));
    write("a.json", good("capacity tiny.toml --format json"));
    EXPECT_EQ(rejected("capacity", "a.json"), std::set<std::string>{});
}

// -------------------------------------------------------------------------------------------------- known answers

TEST_F(Cli, LoadsOfKnownClusters) {
    expect_lines("capacity " + instances + "example-cluster.toml",
                 {"instance      example-cluster: 8 servers, 12 task types, 111/20 (approx. 5.55) tasks a slot\n",
                  "load rho*     393/416 (approx. 0.944712)\n", "              inside the capacity region",
                  "placement     perfect balance would carry this at load 111/128",
                  "  4                            n0 n1 n2 n3 n4 n5\n", "  1                            n6 n7\n",
                  "verified      "});
    expect_lines("capacity " + instances + "n2-pandas.toml", {"load rho*     37/38 (approx. 0.973684)\n"});
    expect_lines("capacity " + instances + "wang-cluster.toml", {"load rho*     63/68 (approx. 0.926471)\n"});
    expect_lines("capacity " + half + " -p wang-jsq-maxweight",
                 {"policy        stability program 5/8 (approx. 0.625): equal to rho*"});
}

TEST_F(Cli, AnOverloadedClusterHasAWitness) {
    write("over.toml", overloaded());
    const std::string witness =
        "unstable      under every policy: sum of value times tasks grows by 1/4 (approx. 0.25) a slot on average, "
        "with values\n";
    expect_lines("capacity over.toml", {"load rho*     5/4 (approx. 1.25)\n",
                                        "              outside the capacity region: no policy is stable\n", witness,
                                        "  A: 5/8 (approx. 0.625)\n", "  B: 5/8 (approx. 0.625)\n"});
}

TEST_F(Cli, TheKernelOfTheExample) {
    EXPECT_EQ(good("kernel " + half + " -p wang-jsq-maxweight --queues 2,0,1 --serving idle,common --lyapunov regret"),
              R"(instance    m2-half
policy      wang-jsq-maxweight
truncation  none: the state space is the model's own
state       Q 2,0,1  f idle,common
route       type A joins common
route       type B joins s1
serve       idle s0 turns to s0
V           regret = sum of Q^2 + 2 sum over busy servers of (max_n mu_n Q_n - mu_f Q_f) / mu_f; with costs c: 2c Q for
            Q
  value     5
  drift     6/5 (approx. 1.2)
next        slot: 16 states, probabilities sum to 1
  1/25 (approx. 0.04)          Q 1,0,0  f idle,idle
  1/25 (approx. 0.04)          Q 1,0,1  f idle,idle
  4/25 (approx. 0.16)          Q 1,0,1  f idle,common
  4/25 (approx. 0.16)          Q 1,0,2  f idle,common
  1/25 (approx. 0.04)          Q 1,1,0  f idle,idle
  1/25 (approx. 0.04)          Q 1,1,1  f idle,idle
  4/25 (approx. 0.16)          Q 1,1,1  f idle,common
  4/25 (approx. 0.16)          Q 1,1,2  f idle,common
  1/100 (approx. 0.01)         Q 2,0,0  f s0,idle
  1/100 (approx. 0.01)         Q 2,0,1  f s0,idle
  1/25 (approx. 0.04)          Q 2,0,1  f s0,common
  1/25 (approx. 0.04)          Q 2,0,2  f s0,common
  1/100 (approx. 0.01)         Q 2,1,0  f s0,idle
  1/100 (approx. 0.01)         Q 2,1,1  f s0,idle
  1/25 (approx. 0.04)          Q 2,1,1  f s0,common
  1/25 (approx. 0.04)          Q 2,1,2  f s0,common
)");
}

TEST_F(Cli, EveryPolicyWithAFiniteChainIsSolvedExactly) {
    const ordered_json list = ordered_json::parse(good("list policies --format json"))["entries"];
    EXPECT_GE(list.size(), 11u);
    for (const ordered_json& entry : list) {
        if (entry["family"] != "queueing") continue;
        const std::string policy = entry["id"].get<std::string>();
        SCOPED_TRACE(policy);
        const std::string chain = "chain " + half + " --cap-total 2 --max-states 2000 -p " + policy;
        if (policy == "fluid-model-planning:deficit") {
            // It remembers how far each activity is behind plan, and that has no bound.
            expect_refused(chain, "limit reached: states", 3);
            continue;
        }
        const std::string out = good(chain);
        EXPECT_TRUE(contains(out, "identities hold with residual exactly zero:\n")) << out;
        EXPECT_TRUE(contains(out, "  accepted rate = throughput\n")) << out;
        EXPECT_TRUE(contains(out, "\npolicy      " + policy + "\n")) << out;
    }
}

TEST_F(Cli, TheSameCommandGivesTheSameBytes) {
    for (const std::string arguments :
         {"list policies", "show experiments/instances/wang-cluster.toml",
          "capacity experiments/instances/wang-cluster.toml",
          "capacity experiments/instances/example-cluster.toml --format json -p balanced-pandas",
          "chain experiments/instances/m2-half.toml -p balanced-pandas --cap-total 2 --law --format json",
          "kernel experiments/instances/m2-shared.toml -p random-any",
          "import hdfs-fsck experiments/instances/example-fsck.txt",
          "graph experiments/instances/m2-half.toml -p fifo --cap-total 2 --stationary -o -"})
        EXPECT_EQ(good(arguments), good(arguments)) << arguments;
}

TEST_F(Cli, APipeGetsNoTerminalCodes) {
    for (const std::string arguments :
         {"--help", "capacity --help", "capacity experiments/instances/wang-cluster.toml", "capcity",
          "chain experiments/instances/m2-half.toml -p jsq-maxweight --cap-total 12",
          "chain experiments/instances/m2-half.toml -p fifo --max-states 9000"}) {
        const std::string everything = run(arguments + " 2>&1").out;
        EXPECT_FALSE(everything.empty());
        EXPECT_EQ(everything.find_first_of("\x1b\r\b"), std::string::npos) << everything;
    }
}

TEST_F(Cli, AStateInWordsIsThatState) {
    // A server, hence a queue, whose name reads as something else in a state: refused, or written so that it reads
    // back.
    for (const std::string name : {"idle", "a,b", "phantom:s1", "x@remote"}) {
        SCOPED_TRACE(name);
        const std::string quoted = "\"" + name + "\"";
        const std::string servers = replaced(read(half), "servers = 2", "servers = [" + quoted + ", \"s1\"]");
        write("named.toml", replaced(servers, "\"s0\"", quoted));
        const std::string kernel = "kernel named.toml -p jsq-maxweight --format json --queues 1,1 --serving ";
        const Answer first = run(kernel + "own,idle");
        if (first.exit == 2) continue;
        const ordered_json law = ordered_json::parse(first.out);
        const ordered_json& serving = law["state"]["serving"];
        const Answer second =
            run(kernel + "'" + serving[0].get<std::string>() + "," + serving[1].get<std::string>() + "'");
        ASSERT_EQ(second.exit, 0) << second.err;
        EXPECT_EQ(ordered_json::parse(second.out)["next"], law["next"]) << law["state"].dump();
    }
}

// ------------------------------------------------------------------------------------------------------------- help

/// The words that stand first in the lines below a heading, up to an empty line.
std::vector<std::string> listed_below(const std::string& help, const std::string& heading) {
    std::istringstream lines(help.substr(std::min(help.find(heading), help.size())));
    std::string line, word;
    std::getline(lines, line);
    std::vector<std::string> words;
    while (std::getline(lines, line) && !line.empty())
        if (std::istringstream(line) >> word) words.push_back(word);
    return words;
}

/// Of the examples, those that need files which are made here; the others are run with the installed program
/// (tests/package/documents.py).
TEST_F(Cli, EveryHelpHasAnExample) {
    std::vector<std::string> commands{""};
    for (const std::string& name : listed_below(good("--help"), "Subcommands:")) commands.push_back(name);
    for (const std::string group : {"import", "prove"})
        for (const std::string& name : listed_below(good(group + " --help"), "Subcommands:"))
            commands.push_back(group + " " + name);
    EXPECT_GE(commands.size(), 12u);
    write("trace.tsv", slurp(source + "/tests/data/swim/small.tsv"));
    const std::string shared = "simulate experiments/instances/m2-half.toml -p fifo --horizon 300 --replications 4 ";
    for (const std::string part : {"1/2 --resume results-of-here", "2/2 --resume results-of-there"})
        good(shared + "--shard " + part);
    for (const std::string& name : commands) {
        SCOPED_TRACE(name);
        const std::string help = good(name + " --help");
        EXPECT_EQ(good(name + " -h"), help);
        std::istringstream lines(help.substr(std::min(help.find("Example:\n"), help.size())));
        std::string line;
        std::size_t examples = 0;
        for (std::getline(lines, line); std::getline(lines, line) && line.starts_with("  "); ++examples) {
            if (line.starts_with("  hdfs ")) continue;  // needs a cluster
            ASSERT_TRUE(line.starts_with("  schedproof ")) << line;
            if (name == "merge" || name.starts_with("import") || contains(line, " --trace ")) good(line.substr(13));
        }
        EXPECT_GE(examples, 1u) << help;
    }
}

TEST_F(Cli, HelpIsAskedForAsACommandToo) {
    EXPECT_EQ(out("help"), out("--help"));
    EXPECT_EQ(out("help capacity"), out("capacity --help"));
    EXPECT_EQ(out("help prove drift"), out("prove drift --help"));
    expect_refused("help capasity", "did you mean 'capacity'");
}

TEST_F(Cli, TheVersionIsThatOfTheAnswers) {
    const std::string version = ordered_json::parse(good("list options --format json"))["version"].get<std::string>();
    EXPECT_EQ(good("--version"), "schedproof " + version + "\n");
}

}  // namespace
}  // namespace schedproof
