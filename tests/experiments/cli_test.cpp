/// The command as its users meet it: a process with arguments, two streams, an exit code and files.
///
/// Nothing here calls a function of the command. Each test runs the real program in a directory of its own, in which
/// `experiments` leads to the source tree, so that the commands below are those of the documentation, letter by letter.
/// JSON answers are checked against their published schemas, and these too (schema.hpp). Certificates are spoiled in
/// the same way and must never be accepted.
///
/// Longer than 400 lines because it is mostly tables: wrong inputs and what must be said about each.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/schema.hpp"

namespace schedproof {
namespace {

namespace fs = std::filesystem;
using namespace testing_support;
using nlohmann::ordered_json;

const std::string command = SCHEDPROOF_COMMAND;
const std::string source = SCHEDPROOF_SOURCE_DIR;
const std::string instances = "experiments/instances/";
const std::string half = instances + "m2-half.toml";

class Cli : public SchemaTest {};

/// An instance beyond its capacity: both servers get a task in every slot.
std::string overloaded() { return replaced(slurp(source + "/" + half), "A = \"1/2\", B = \"1/2\"", "A = 1, B = 1"); }

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
    write("c.json", replaced(read("c.json"), "\"upper\": \"5/8\"", "\"upper\": \"1/8\""));
    const Answer answer = run("capacity " + half + " --verify c.json --format json");
    EXPECT_EQ(answer.exit, 1) << answer.err;
    expect_schema("capacity-rejected", answer.out, {"version"});
}

TEST_F(Cli, GraphReportsAreOfTheirSchema) {
    const std::string system = "graph " + half + " -p fifo --cap-total 2 --format json ";
    expect_schema("graph", good(system + "-o chain.dot"));
    expect_schema("graph", good(system + "-o chain.dot --max-nodes 8 --prism model"));
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

TEST_F(Cli, AValidatorThatCannotReadSaysSo) {
    write("nan.json", "{\"schema\": NaN}");
    const std::string validate = "/usr/bin/python3 '" + source + "/tests/experiments/validate.py' ";
    EXPECT_EQ(shell(validate + "experiments/command/schema/list.schema.json nan.json").exit, 2);
    EXPECT_EQ(shell(validate + "nan.json nan.json").exit, 2);
    EXPECT_EQ(shell(validate).exit, 2);
}

// ------------------------------------------------------------------------------------------- files out and in again

TEST_F(Cli, ShownInstancesReadBack) {
    for (const std::string name : {"example-cluster", "m2-shared", "wang-cluster"}) {
        SCOPED_TRACE(name);
        const std::string file = instances + name + ".toml";
        good("show " + file + " --as toml -o a.toml");
        good("show " + file + " --as json -o a.json");
        EXPECT_EQ(good("show a.json --as toml"), read("a.toml"));
        EXPECT_EQ(good("show a.toml --as json"), read("a.json"));
        EXPECT_EQ(good("show a.toml --format json"), read("a.json"));
        EXPECT_EQ(good("show a.json"), good("show " + file));
        EXPECT_EQ(good("show - < a.json"), good("show " + file));
    }
}

TEST_F(Cli, AListingBecomesAnInstance) {
    const std::string listing = "import hdfs-fsck " + instances + "example-fsck.txt ";
    good(listing + "-o data.toml");
    expect_lines("capacity data.toml", {"instance      fsck: 8 servers, 11 task types, 16/5 (approx. 3.2) tasks a slot",
                                        "load rho*     1/2 (approx. 0.5)"});
    EXPECT_EQ(good(listing), read("data.toml"));
    EXPECT_EQ(good("import hdfs-fsck - < " + instances + "example-fsck.txt --format json -o data.json"), "");
    EXPECT_EQ(ordered_json::parse(read("data.json"))["levels"].size(), 3u);
    const std::string renamed = good(listing + "--name mine --rates 1/2,1/8 --total-rate 5/3 --by port --weight bytes");
    for (const std::string words : {"name = \"mine\"", "\"1/8\""}) EXPECT_TRUE(contains(renamed, words)) << words;
    write("mine.toml", renamed);
    expect_lines("show mine.toml", {"arrivals  5/3 (approx. 1.66667) in a slot on average"});
}

TEST_F(Cli, AListingTakesALawOfArrivals) {
    const std::string listing = "import hdfs-fsck " + instances + "example-fsck.txt ";
    EXPECT_TRUE(contains(good(listing), "kind = \"rates\""));
    good(listing + "--arrivals bernoulli -o data.toml");
    EXPECT_TRUE(contains(read("data.toml"), "kind = \"bernoulli\""));
    EXPECT_EQ(good("capacity data.toml"), good(listing + "-o rates.toml && '" + command + "' capacity rates.toml"));
    good(listing + "--arrivals single --total-rate 9/10 -o data.toml");
    EXPECT_TRUE(contains(read("data.toml"), "kind = \"single\""));
    const ordered_json law = ordered_json::parse(good("kernel data.toml -p jsq-maxweight --format json"));
    EXPECT_GT(law["next"].size(), 1U);
    expect_refused(listing + "--arrivals single",
                   "example-fsck.txt: --arrivals: expected at most one task in a slot on average, not 16/5");
    expect_refused(
        listing + "--arrivals bernoulli --total-rate 20",
        "example-fsck.txt: --arrivals: expected at most one task of a type in a slot on average, but the rate "
        "of t");
    expect_refused(listing + "--arrivals poisson",
                   "--arrivals: expected one of rates, bernoulli, single, not 'poisson'");
    EXPECT_TRUE(contains(good("import hdfs-fsck --help"), "--total-rate 1 --arrivals bernoulli"));
}

TEST_F(Cli, PicturesAreOfTheirKind) {
    const std::string system = "graph " + half + " -p wang-jsq-maxweight --cap-total 2 ";
    good(system + "-o a.dot");
    good(system + "--stationary -o a.svg");
    good(system + "--around 1 --queues 1,0,1 -o a.png");
    EXPECT_TRUE(read("a.dot").starts_with("digraph"));
    EXPECT_TRUE(contains(read("a.svg"), "<svg") && contains(read("a.svg"), "</svg>"));
    EXPECT_TRUE(read("a.png").starts_with("\x89PNG\r\n"));
    EXPECT_EQ(good(system), read("a.dot"));
    good("capacity " + instances + "example-cluster.toml --picture cluster.svg");
    EXPECT_TRUE(contains(read("cluster.svg"), "</svg>"));
}

TEST_F(Cli, ASeedFixesThePath) {
    const std::string path = "graph " + half + " -p jsq-maxweight --path 6 ";
    EXPECT_EQ(good(path + "--seed 7"), good(path + "--seed 7"));
    EXPECT_NE(good(path + "--seed 7"), good(path + "--seed 8"));
    EXPECT_EQ(good(path), good(path + "--seed 1"));
}

/// Thirty independent types have 2^30 arrival vectors: no law can be enumerated, and a path is sampled all the same.
TEST_F(Cli, APathNeedsNoLawOfItsSlots) {
    write("many.toml",
          "family = \"queueing\"\nname = \"many\"\nservers = 30\n"
          "levels = [{name = \"local\", rate = \"4/5\"}, {name = \"remote\", rate = \"1/5\"}]\n"
          "types = [{cyclic = {servers = 30, replicas = 3}}]\n"
          "arrivals = {kind = \"bernoulli\", each = \"1/2\"}\n");
    expect_refused("kernel many.toml -p jsq-maxweight", "more than 200000 combinations of outcomes", 3);
    const std::string path = "graph many.toml -p jsq-maxweight --path 40 ";
    const std::string drawn = good(path);
    EXPECT_TRUE(contains(drawn, "from slot 1 on without probabilities")) << drawn;
    EXPECT_TRUE(contains(drawn, "slot 40")) << drawn;
    EXPECT_EQ(good(path), drawn);
    EXPECT_NE(good(path + "--seed 2"), drawn);
    // A node per slot and none for what else could have happened.
    EXPECT_TRUE(contains(good(path + "-o a.dot --format json"), "\"nodes\": 41"));
}

TEST_F(Cli, PrismFilesHoldTheChain) {
    good("graph " + half + " -p fifo --cap-total 2 -o a.dot --prism model");
    const std::string states = std::to_string(
        ordered_json::parse(good("chain " + half + " -p fifo --cap-total 2 --format json"))["states"].get<int>());
    EXPECT_EQ(read("model.tra").substr(0, states.size() + 1), states + " ");
    for (const std::string ending : {".sta", ".lab", "1.srew"}) EXPECT_FALSE(read("model" + ending).empty()) << ending;
}

// ----------------------------------------------------------------------------------------------------- certificates

TEST_F(Cli, ACertificateIsAccepted) {
    for (const std::string name : {"example-cluster", "m2-half", "n2-pandas", "wang-cluster"}) {
        const std::string capacity = "capacity " + instances + name + ".toml ";
        const std::string solved = good(capacity + "--certificate c.json");
        EXPECT_EQ(good(capacity + "--verify c.json"), solved) << name;
    }
}

std::string nudged(const std::string& number) {
    const std::size_t slash = number.find('/');
    const long p = std::stol(number), q = slash == std::string::npos ? 1 : std::stol(number.substr(slash + 1));
    return std::to_string(p * 1000 + q) + "/" + std::to_string(q * 1000);
}

/// The certificate changed in one place, with a word on the change.
std::vector<std::pair<std::string, ordered_json>> tampered(const ordered_json& certificate) {
    std::vector<std::pair<std::string, ordered_json>> all;
    const auto change = [&](const Pointer& at, const ordered_json& value) {
        all.emplace_back(at.to_string() + " = " + value.dump(), certificate);
        all.back().second[at] = value;
    };
    const auto drop = [&](const Pointer& at) {
        ordered_json less = certificate;
        if (less[at.parent_pointer()].is_array())
            less[at.parent_pointer()].erase(std::stoul(at.back()));
        else
            less[at.parent_pointer()].erase(at.back());
        all.emplace_back("without " + at.to_string(), less);
    };
    const ordered_json flat = certificate.flatten();
    for (const auto& [place, value] : flat.items()) {
        const Pointer at(place);
        // The version says who wrote the file; the proof stands or falls without it.
        if (at.back() == "version") continue;
        const std::string text = value.get<std::string>();
        const bool number = text.find_first_not_of("-0123456789/") == std::string::npos;
        change(at, number ? nudged(text) : text + "x");
        change(at, nullptr);
        if (number) change(at, 1.5);
        if (number) change(at, text == "0" ? "1" : "-" + text);
        drop(at);
    }
    for (const auto& [key, value] : certificate.items())
        if (value.is_structured()) drop(Pointer("/" + key));
    const Pointer list("/decomposition");
    for (std::size_t i = 0; i < certificate[list].size(); ++i) drop(list / i);
    ordered_json twice = certificate[list], backwards = ordered_json::array();
    for (const auto& entry : certificate[list]) backwards.insert(backwards.begin(), entry);
    twice.push_back(twice.back());
    change(list, twice);
    change(list, backwards);
    return all;
}

TEST_F(Cli, NoFieldOfACertificateCanBeAltered) {
    for (const std::string name : {"example-cluster", "m2-uneven"}) {
        const std::string capacity = "capacity " + instances + name + ".toml ";
        good(capacity + "--certificate c.json");
        const auto changes = tampered(ordered_json::parse(read("c.json")));
        EXPECT_GT(changes.size(), 40u);
        for (const auto& [what, certificate] : changes) {
            write("d.json", certificate.dump());
            const Answer answer = run(capacity + "--verify d.json");
            EXPECT_TRUE(answer.exit == 1 || answer.exit == 2) << what << "\n" << answer.out << answer.err;
            EXPECT_EQ(answer.exit == 1, answer.out.starts_with("rejected      ")) << what << "\n" << answer.out;
            EXPECT_EQ(answer.exit == 2, contains(answer.err, "d.json:")) << what << "\n" << answer.err;
        }
    }
}

TEST_F(Cli, ACertificateIsOfOneInstance) {
    good("capacity " + half + " --certificate c.json");
    expect_refused("capacity " + instances + "m2-uneven.toml --verify c.json", "instance: expected 'm2-uneven'");
    // An instance that shares the name is told apart by its numbers, its servers or its types.
    write("other.toml", replaced(read(half), "A = \"1/2\"", "A = \"2/5\""));
    EXPECT_EQ(run("capacity other.toml --verify c.json").exit, 1);
    write("other.toml", replaced(read(half), "rate = \"4/5\"", "rate = \"3/5\""));
    EXPECT_EQ(run("capacity other.toml --verify c.json").exit, 1);
    write("other.toml", replaced(read(half), "servers = 2", "servers = 3"));
    expect_refused("capacity other.toml --verify c.json", "server_price");
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
    expect_lines("capacity over.toml", {"load rho*     5/4 (approx. 1.25)\n",
                                        "              outside the capacity region: no policy is stable\n",
                                        "unstable      under every policy: sum of value times tasks grows by 1/4 "
                                        "(approx. 0.25) a slot on average, with values\n",
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
V           regret = sum of Q^2 + 2 sum over busy servers of (max_n mu_n Q_n - mu_f Q_f) / mu_f; with costs c: 2c Q for Q
  value     5
  drift     6/5 (approx. 1.2)
next slot   16 states, probabilities sum to 1
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

TEST_F(Cli, EveryHelpHasAnExampleThatRuns) {
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
            if (line.starts_with("  hdfs ") || line.find("--slurm") != std::string::npos) continue;  // need a cluster
            if (line.find("--collect") != std::string::npos) continue;  // of what --slurm did
            ASSERT_TRUE(line.starts_with("  schedproof ")) << line;
            // The results of a sweep would stand beside its specification, in the source tree.
            good(line.substr(13) + (name == "sweep" ? " --resume sweep.results" : ""));
        }
        EXPECT_GE(examples, 1u) << help;
    }
    for (const std::string name : {"cluster.svg", "chain.svg"}) EXPECT_TRUE(contains(read(name), "</svg>")) << name;
}

TEST_F(Cli, TheVersionIsThatOfTheAnswers) {
    const std::string version = ordered_json::parse(good("list options --format json"))["version"].get<std::string>();
    EXPECT_EQ(good("--version"), "schedproof " + version + "\n");
}

// ---------------------------------------------------------------------------------------------------- wrong commands

TEST_F(Cli, AMisspeltWordIsAnsweredWithTheNearest) {
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

TEST_F(Cli, WrongCommandLinesAreRefused) {
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

TEST_F(Cli, WrongStatesAreRefused) {
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

TEST_F(Cli, ALimitIsAnUnknown) {
    expect_refused("chain " + half + " -p fifo --cap-total 2 --max-states 3 -o a.json", "more than 3 reachable states",
                   3);
    expect_refused("chain " + half + " -p fifo --max-states 100", "give --cap-total or --cap-queue", 3);
    expect_refused("graph " + half + " -p fifo --cap-total 2 --max-states 3 -o a.svg --prism model",
                   "more than 3 reachable states", 3);
}

// -------------------------------------------------------------------------------------------------------- wrong files

TEST_F(Cli, WrongInstancesAreRefusedWithLineAndKey) {
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

TEST_F(Cli, WrongFilesAreRefusedByEveryCommand) {
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
    fs::create_directory(at("directory"));
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

TEST_F(Cli, WrongListingsAndCertificatesAreRefused) {
    write("empty", "");
    write("binary", std::string("\x7f"
                                "ELF\0\0\n\xff",
                                8));
    write("cut.json", "{\"schema\": \"capacity-certificate\", ");
    write("deep.json", std::string(100'000, '['));
    fs::create_directory(at("directory"));
    for (const std::string name : {"empty", "binary", "cut.json", "deep.json", "directory", "missing"}) {
        expect_refused("import hdfs-fsck " + name + " -o new.toml", name + ": expected ");
        expect_refused("capacity " + half + " --verify " + name + " -o new.txt", name + ":");
    }
}

TEST_F(Cli, WhereNothingCanBeWrittenNothingIs) {
    write("file", "");
    fs::create_directory(at("directory"));
    for (const std::string place : {"missing/a.svg", "file/a.svg", "/proc/a.svg"}) {
        expect_refused("list policies -o " + place, place);
        expect_refused("show " + half + " -o " + place, place);
        expect_refused("kernel " + half + " -p fifo -o " + place, place);
        expect_refused("chain " + half + " -p fifo --cap-total 1 -o " + place, place);
        expect_refused("graph " + half + " -p fifo --cap-total 1 -o " + place, place);
        expect_refused("graph " + half + " -p fifo --cap-total 1 -o a.svg --prism " + place, place);
        expect_refused("capacity " + half + " -o " + place, place);
        expect_refused("capacity " + half + " --certificate " + place, place);
        expect_refused("capacity " + half + " --picture " + place, place);
    }
    expect_refused("show " + half + " -o directory", "directory");
    expect_refused("show " + half + " > /dev/full", "standard output: cannot write");
    expect_refused("show " + half + " -o /dev/full", "/dev/full");
}

TEST_F(Cli, AnErrorLeavesTheOldFile) {
    write("a.json", "old");
    expect_refused("chain " + half + " -p fifo --cap-total 2 --max-states 3 -o a.json", "limit", 3);
    EXPECT_EQ(read("a.json"), "old");
    good("chain " + half + " -p fifo --cap-total 2 --format json -o a.json");
    EXPECT_EQ(rejected("chain", "a.json"), std::set<std::string>{});
}

TEST_F(Cli, EveryAllowedNumberOfNodesIsDrawn) {
    for (int n = 3; n <= 9; ++n)
        EXPECT_EQ(run("graph " + half + " -p fifo --cap-total 2 -o a.dot --max-nodes " + std::to_string(n)).exit,
                  n < 8 ? 2 : 0);
}

TEST_F(Cli, NoCountIsNegative) {
    for (const std::string arguments :
         {"chain experiments/instances/m2-half.toml -p fifo --cap-total 2 --max-states -1",
          "graph experiments/instances/m2-half.toml -p fifo --path 2 --seed -1",
          "capacity experiments/instances/m2-half.toml --rows -1"})
        EXPECT_EQ(run(arguments).exit, 2) << arguments;
}

TEST_F(Cli, AMistypedCommandIsAnsweredWithTheNearestAndNothingElse) {
    const Answer answer = run("capcity " + half);
    EXPECT_EQ(answer.exit, 2);
    EXPECT_EQ(answer.err,
              "schedproof: expected a command, not 'capcity' (did you mean 'capacity'?)\n"
              "Try `schedproof --help` or `schedproof COMMAND --help`.\n");
    expect_refused("prove drif " + half, "expected a command, not 'drif' (did you mean 'drift'?)");
}

TEST_F(Cli, NumbersOutsideTheirRangeAreNamed) {
    expect_refused("simulate " + half + " -p fifo --horizon -5", "--horizon: expected a number above 0, not -5");
    expect_refused("simulate " + half + " -p fifo --batches 0", "expected a whole number from 1 to 100000, not 0");
    expect_refused("chain " + half + " -p fifo --max-states -1",
                   "--max-states: expected a number of at least 0, not -1");
    expect_refused("chain " + half + " -p fifo --cap-total 4294967296", "expected a number of at most 4294967295");
    expect_refused("chain " + half + " -p fifo --cap-total two", "expected a number of at least 0, not two");
    expect_refused("chain " + half + " -p fifo --cap-total ''", "expected a value, not ''");
}

TEST_F(Cli, ALateErrorTakesEarlierFilesBack) {
    expect_refused("capacity " + half + " --certificate c.json --picture missing/a.svg", "missing/a.svg");
    expect_refused("capacity " + half + " --certificate c.json -o missing/a.txt", "missing/a.txt");
    expect_refused("capacity " + half + " --picture a.svg -o missing/a.txt", "missing/a.txt");
    expect_refused("graph " + half + " -p fifo --cap-total 1 --prism model -o missing/a.svg", "missing/a.svg");
}

TEST_F(Cli, TwoAnswersNeedTwoFiles) {
    EXPECT_EQ(run("capacity " + half + " --certificate a.json -o a.json").exit, 2);
    EXPECT_EQ(run("capacity " + half + " --certificate a.svg --picture a.svg").exit, 2);
}

TEST_F(Cli, EveryMisspeltChoiceIsAnsweredWithTheNearest) {
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

TEST_F(Cli, ACertificateHasNoSpareRoom) {
    write("idle-type.toml", replaced(read(half), "A = \"1/2\"", "A = 0"));
    good("capacity idle-type.toml --certificate c.json");
    const std::string certificate = read("c.json");
    const std::vector<std::string> changed{replaced(certificate, "\"lower\":", "\"unknown\": 1,\n\"lower\":"),
                                           replaced(certificate, "\"lower\":", "\"lower\": \"9/10\",\n\"lower\":"),
                                           // A type that never arrives: its price changes no bound.
                                           replaced(certificate, "\"A\": \"1/4\"", "\"A\": \"-7\"")};
    for (const std::string& text : changed) {
        write("d.json", text);
        EXPECT_NE(run("capacity idle-type.toml --verify d.json").exit, 0) << text;
    }
}

TEST_F(Cli, NumbersBeyondDoublesStayWithinTheSchema) {
    write("tiny.toml", replaced(replaced(read(half), "\"4/5\"", "\"4e-400\""), "\"1/5\"", "\"1e-900\""));
    write("a.json", good("capacity tiny.toml --format json"));
    EXPECT_EQ(rejected("capacity", "a.json"), std::set<std::string>{});
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

TEST_F(Cli, ExplorationHasTheStatedLimit) {
    expect_refused("graph " + half + " -p fifo --around 12 --max-states 10 -o a.dot", "more than 10", 3);
    EXPECT_NE(shell("timeout 100 '" + command + "' kernel " + instances + "example-cluster.toml -p fifo").exit, 124);
    EXPECT_NE(shell("timeout 100 '" + command + "' graph " + half + " -p fifo --path 100000 -o a.dot").exit, 124);
}

TEST_F(Cli, AReportNeedsAPlaceBesideThePicture) {
    EXPECT_EQ(run("graph " + half + " -p fifo --cap-total 1 --format json").exit, 2);
}

TEST_F(Cli, AWrongImportOptionIsOneLine) {
    const std::string listing = "import hdfs-fsck " + instances + "example-fsck.txt -o a.toml ";
    expect_refused(listing + "--total-rate -1", "--total-rate");
    expect_refused(listing + "--path /nope", "--path");
    expect_refused(listing + "--rates 1/2,3/4", "--rates");
}

TEST_F(Cli, AnEmptyNameIsNotAnAbsentOption) {
    // As a script gives it whose variable is unset: it must not pass for a check of a certificate.
    for (const std::string option : {"--verify ''", "--certificate ''", "--picture ''", "-p ''"})
        EXPECT_EQ(run("capacity " + half + " " + option).exit, 2) << option;
    EXPECT_EQ(run("kernel " + half + " -p fifo --lyapunov ''").exit, 2);
    EXPECT_EQ(run("graph " + half + " -p fifo --cap-total 1 --prism ''").exit, 2);
}

TEST_F(Cli, ANameIsText) {
    EXPECT_EQ(run("import hdfs-fsck " + instances + "example-fsck.txt --name \"$(printf '\\377')\"").exit, 2);
}

TEST_F(Cli, AStateIsOneTheSystemCanBeIn) {
    // No server but s0 holds data, so s1 executes no local task; and under this policy servers serve their own queues.
    expect_refused("kernel " + instances + "m2-one-type.toml -p fifo --serving idle,queue@local",
                   "--serving (entry 2)");
    expect_refused("kernel " + half + " -p balanced-pandas --queues 1,0,0,0 --serving idle,s0.local",
                   "--serving (entry 2)");
    expect_refused("kernel " + half + " -p jsq-maxweight --queues 5,1 --cap-total 2", "--queues");
}

}  // namespace
}  // namespace schedproof
