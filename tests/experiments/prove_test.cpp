/// `prove drift`, `certify` and the checker's own program, as a user runs them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/command.hpp"

namespace {

namespace fs = std::filesystem;
using namespace schedproof::testing_support;
using nlohmann::ordered_json;

const std::string source = SCHEDPROOF_SOURCE_DIR;
const std::string half = "experiments/instances/m2-half.toml";

class Prove : public CommandTest {
  protected:
    [[nodiscard]] bool is_of_schema(const std::string& schema, const std::string& file) const {
        const Answer answer = validated(schema, file);
        return answer.exit == 0;
    }
    /// The text is of the schema, and no longer without any of its members or with one more.
    void expect_schema(const std::string& schema, const std::string& text) const {
        const ordered_json document = ordered_json::parse(text, nullptr, false);
        ASSERT_TRUE(document.is_object()) << text;
        write("document.json", text);
        EXPECT_TRUE(is_of_schema(schema, "document.json")) << text;
        for (const auto& [key, value] : document.items()) {
            ordered_json other = document;
            other.erase(key);
            write("other.json", other.dump());
            EXPECT_FALSE(is_of_schema(schema, "other.json")) << "without " << key;
        }
        ordered_json other = document;
        other["unknown"] = 1;
        write("other.json", other.dump());
        EXPECT_FALSE(is_of_schema(schema, "other.json"));
    }
};

const std::string pandas = "prove drift " + half + " -p balanced-pandas --lyapunov workload-squares ";

TEST_F(Prove, StatesTheTheoremAndWritesACertificateThatIsAccepted) {
    const std::string text = out(pandas + "--certificate c.json --smtlib smt", 0);
    EXPECT_TRUE(contains(text,
                         "verdict       Proved\ntheorem       On 'm2-half' under balanced-pandas with the default "
                         "interpretations of the slot, the drift of V = 'workload-squares' is at most -1 at every "
                         "state with sum of Q >= 14, for all queue "
                         "lengths and all statuses of the servers. V is bounded below, so from every state the "
                         "finite set sum of Q < 14 is reached in finite mean time (Foster). Here V = (5/4 "
                         "Q[s0.local] + 5 Q[s0.remote])^2 + (5/4 Q[s1.local] + 5 Q[s1.remote])^2.\n"
                         "threshold     14\nstability     Proved, by Foster's criterion\n"))
        << text;
    EXPECT_TRUE(contains(text, "certificate   c.json\n"));
    EXPECT_TRUE(is_of_schema("certificate", "c.json"));
    for (const std::string& program :
         std::vector<std::string>{SCHEDPROOF_COMMAND "' certify", SCHEDPROOF_CERTIFY "'"}) {
        const Answer answer = shell("'" + program + " c.json");
        EXPECT_EQ(answer.exit, 0) << answer.err;
        EXPECT_TRUE(answer.out.starts_with("accepted      c.json\ntheorem       On 'm2-half'")) << answer.out;
        EXPECT_TRUE(contains(answer.out, "checked       11 questions of the code of balanced-pandas, "));
    }
    // The same command, the same certificate.
    (void)out(pandas + "--certificate again.json", 0);
    EXPECT_EQ(slurp(at("c.json")), slurp(at("again.json")));
    // An index line per SMT-LIB file.
    const std::string index = slurp(at("smt/index.txt"));
    EXPECT_TRUE(index.starts_with("000000.smt2\tdrift f=idle,idle\tclosed side 0\n")) << index.substr(0, 200);
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(at("smt")))
        if (entry.path().extension() == ".smt2") {
            ++files;
            EXPECT_TRUE(contains(index, entry.path().filename().string() + "\t"));
            EXPECT_TRUE(contains(slurp(entry.path()), "(set-info :status unsat)"));
        }
    EXPECT_EQ(files, static_cast<std::size_t>(std::count(index.begin(), index.end(), '\n')));
    EXPECT_GT(files, 100U);
}

TEST_F(Prove, RefutesWithAStateThatAnotherCommandReplays) {
    const auto json =
        ordered_json::parse(out("prove drift " + half + " -p wang-jsq-maxweight --lyapunov squares --format json", 1));
    EXPECT_EQ(json["verdict"], "refuted");
    for (const char* which : {"counterexample", "far"}) {
        const std::string replay = json[which]["replay"];
        ASSERT_TRUE(replay.starts_with("schedproof kernel ")) << replay;
        const auto shown = ordered_json::parse(out(replay.substr(11) + " --format json", 0));
        EXPECT_EQ(shown["lyapunov"]["drift"], json[which]["drift"]);
        EXPECT_EQ(shown["state"], json[which]["state"]);
    }
    ASSERT_EQ(json["queue_names"], ordered_json({"s0", "s1", "common"}));
    ASSERT_EQ(json["ray"]["queues"].size(), 3U);
    EXPECT_TRUE(json["ray"]["queues"][0]["exact"].is_string());
    const std::string text = out("prove drift " + half + " -p wang-jsq-maxweight --lyapunov squares", 1);
    EXPECT_TRUE(contains(text, "verdict       Refuted\n") && contains(text, "\n  replay      schedproof kernel ") &&
                contains(text, "\nfar state     Q ") &&
                contains(text, "\nray           the claim also fails arbitrarily far out, in the direction "))
        << text;
}

TEST_F(Prove, ThroughputAnswersAreOfTheirSchema) {
    const std::string all = "prove throughput-optimal --for-all --format json -p ";
    expect_schema("prove-throughput", out(all + "jsq-maxweight", 0));
    auto json = ordered_json::parse(out(all + "random-local --counterexample small.toml", 3));
    EXPECT_TRUE(json["replay"].is_string());
    expect_schema("prove-throughput", json.dump());
    EXPECT_EQ(json["files"], ordered_json({"small.toml"}));
    EXPECT_TRUE(json["failing_leaf"]["rates"][0]["exact"].is_string());
}

/// A phantom keeps its server from choosing: the correction of `regret` holds its terms, and the certificate says so.
TEST_F(Prove, DriftWithPhantoms) {
    write("phantom.toml", slurp(source + "/" + half) + "\n[options]\nunmatched = \"phantom\"\n");
    (void)out("prove drift phantom.toml -p wang-jsq-maxweight --lyapunov regret --certificate c.json", 0);
    const std::string certificate = read("c.json");
    EXPECT_TRUE(contains(certificate, "\"phantom\": true"));
    EXPECT_TRUE(is_of_schema("certificate", "c.json"));
    (void)out("certify c.json --instance phantom.toml", 0);
    write("busy.json", replaced(certificate, ", \"phantom\": true", ""));
    EXPECT_EQ(run("certify busy.json").exit, 1);
    write("twice.json", replaced(certificate, "\"phantom\": true", "\"phantom\": false"));
    EXPECT_TRUE(contains(run("certify twice.json").err, "phantom: expected true"));
}

TEST_F(Prove, RefutesOutsideTheCapacityRegionAndForTooSmallAThreshold) {
    write("over.toml", replaced(slurp(source + "/" + half), "A = \"1/2\", B = \"1/2\"", "A = 1, B = 1"));
    EXPECT_TRUE(contains(out("prove drift over.toml -p balanced-pandas --lyapunov workload-squares", 1), "Refuted"));
    EXPECT_TRUE(contains(out("prove drift over.toml -p wang-jsq-maxweight --lyapunov regret", 1), "Refuted"));
    const std::string text = out(pandas + "--threshold 13", 1);
    EXPECT_TRUE(contains(text, "at every state with sum of Q >= 13.") && !contains(text, "far state")) << text;
    EXPECT_TRUE(contains(out(pandas + "--threshold 14 --delta 1", 0), "threshold     14\n"));
    // A steeper bound holds further out.
    EXPECT_TRUE(contains(out(pandas + "--delta 10", 0), "is at most -10 at every state"));
    EXPECT_TRUE(contains(out(pandas + "--above", 1), "is at least 1 at every state"));
}

TEST_F(Prove, ProvesGrowthOutsideTheCapacityRegion) {
    write("over.toml", replaced(slurp(source + "/" + half), "A = \"1/2\", B = \"1/2\"", "A = 1, B = 1"));
    const std::string text = out(
        "prove drift over.toml -p wang-jsq-maxweight --lyapunov total --above --delta 1/5 --certificate up.json", 0);
    EXPECT_TRUE(contains(text, "is at least 1/5 at every state")) << text;
    EXPECT_FALSE(contains(text, "stability"));
    EXPECT_TRUE(contains(out("certify up.json", 0), "accepted"));
}

TEST_F(Prove, EndsAsUnknownWhenABudgetEnds) {
    for (const std::string budget : {"--rlimit 0", "--max-cells 0", "--rlimit 1", "--max-cells 1"}) {
        const std::string text = out(pandas + budget + " --certificate none.json", 3);
        EXPECT_TRUE(text.starts_with("verdict       Unknown\n") && contains(text, "\nreason        ")) << text;
        EXPECT_FALSE(fs::exists(at("none.json")));
    }
    EXPECT_TRUE(contains(out("prove drift " + half + " -p fifo --lyapunov total", 3), "infinitely many shapes"));
}

const std::string own = R"(
[[lyapunov]]
name = "own-squares"
products = [{coefficient = "25/16", first = {"s0.local" = 1, "s0.remote" = 4}, second = {"s0.local" = 1, "s0.remote" = 4}},
            {coefficient = "25/16", first = {"s1.local" = 1, "s1.remote" = 4}, second = {"s1.local" = 1, "s1.remote" = 4}}]
[[lyapunov]]
name = "falls"
pieces = [{coefficient = -1, largest-of = [{"s0.local" = 1, "s0.remote" = 1, "s1.local" = 1, "s1.remote" = 1}]}]
[[lyapunov]]
name = "typo"
pieces = [{largest-of = [{"s0.locla" = 1}]}]
[[lyapunov]]
name = "squares"
pieces = [{largest-of = [{"s0.local" = 1}]}]
)";

TEST_F(Prove, TakesFunctionsOfTheInstance) {
    write("own.toml", slurp(source + "/" + half) + own);
    const std::string prove = "prove drift own.toml -p balanced-pandas --lyapunov ";
    EXPECT_TRUE(contains(out(prove + "own-squares --certificate own.json", 0), "threshold     14\n"));
    EXPECT_TRUE(contains(out("certify own.json", 0), "Here V = 25/16 (Q[s0.local] + 4 Q[s0.remote])^2 + "));
    expect_refused(prove + "typo", "did you mean 's0.local'?");
    expect_refused(prove + "own-squars", "did you mean 'own-squares'?");
    expect_refused(prove + "squares", "this one is taken");
    EXPECT_TRUE(contains(out("kernel own.toml -p balanced-pandas --lyapunov own-squares", 0),
                         "V           own-squares = 25/16 (Q[s0.local] + 4 Q[s0.remote])^2"));
    EXPECT_TRUE(contains(out("show own.toml --as json", 0), "\"name\": \"own-squares\""));
}

TEST_F(Prove, WritesNoCertificateWithANameThatCouldSayMore) {
    write("named.toml", replaced(slurp(source + "/" + half), "name = \"m2-half\"", "name = \"two servers\""));
    const std::string prove = "prove drift named.toml -p balanced-pandas --lyapunov workload-squares ";
    EXPECT_TRUE(contains(out(prove, 0),
                         "\ntheorem       On 'two servers' under balanced-pandas with the default "
                         "interpretations of the slot, the drift of V"));
    expect_refused(prove + "--certificate c.json", "name: expected a name of letters, digits, '-', '_', '.' and ':'");
}

TEST_F(Prove, DrawsTheTermsOfAProofBySummandsAlone) {
    const std::string prove = "prove drift " + half + " -p balanced-pandas --picture terms.dot";
    expect_refused(prove + " --certificate c.json", "--picture: the proof is by cells of the joint state");
    EXPECT_TRUE(contains(out(prove + " --method summands", 0), "\npicture       terms.dot\n"));
    EXPECT_TRUE(contains(slurp(at("terms.dot")), "end at s1") || contains(slurp(at("terms.dot")), "server s1"));
}

/// Helps where the weight exceeds twice that of the own rack. The search ends with the summands that do not fall.
TEST_F(Prove, TriesNoCellsOfFiveServersUnasked) {
    write("help.policy",
          "policy: help\nkeep: per_server\nroute: argmin(local, length)\n"
          "serve: first_of(nonempty(own), where(argmax(nonempty(reachable), rate * length), rate * length > 2 * "
          "total(where(reachable, distance < remote_level), rate * length)), own)\n");
    const std::string racks =
        "family = \"queueing\"\nname = \"racks\"\n"
        "levels = [{name = \"local\", rate = \"4/5\"}, {name = \"rack\", rate = \"2/5\"}, {name = \"remote\", rate "
        "= \"1/5\"}]\n"
        "servers = {count = 5, group-sizes = [3]}\n"
        "types = [{name = \"A\", replicas = [\"s0\"]}, {name = \"B\", replicas = [\"s1\"]}, {name = \"C\", replicas = "
        "[\"s2\"]}, {name = \"D\", replicas = [\"s3\"]}, {name = \"E\", replicas = [\"s4\"]}]\n"
        "[arrivals]\n";
    write("slots.toml", racks + "kind = \"bernoulli\"\neach = \"1/2\"\n");
    EXPECT_TRUE(contains(out("prove drift slots.toml --policy-file help.policy", 0), "\nstability     Proved"));
    write("events.toml", "time = \"continuous\"\n" + racks +
                             "kind = \"poisson\"\nvalues = {A = \"9/10\", B = \"1/2\", C = \"1/2\", D = \"3/5\", E = "
                             "\"1/2\"}\n");
    const std::string unknown = out("prove drift events.toml --policy-file help.policy", 3);
    EXPECT_TRUE(contains(unknown, "most of all arrival") && contains(unknown, "--method joint tries")) << unknown;
}

TEST_F(Prove, NeverCallsStableWhatFallsForEver) {
    write("over.toml", replaced(slurp(source + "/" + half), "A = \"1/2\", B = \"1/2\"", "A = 1, B = 1") + own);
    // Outside the capacity region -sum Q falls by 2/5 a slot: a true drift statement that shows no stability at all.
    const std::string arguments = "prove drift over.toml -p balanced-pandas --lyapunov falls --delta 1/5 ";
    const std::string text = out(arguments + "--certificate falls.json", 3);
    EXPECT_TRUE(contains(text, "verdict       Proved\n") &&
                contains(text, "Stability does not follow: V is not shown to be bounded below: a linear term is") &&
                contains(text, "\nstability     Unknown: V is not shown to be bounded below"))
        << text;
    const auto json = ordered_json::parse(out(arguments + "--format json", 3));
    EXPECT_EQ(json["theorem"]["stability"]["verdict"], "unknown");
    const std::string accepted = out("certify falls.json", 0);
    EXPECT_TRUE(contains(accepted, "Stability does not follow")) << accepted;
    write("false.json", replaced(slurp(at("falls.json")), "Stability does not follow", "Stability follows"));
    EXPECT_TRUE(contains(out("certify false.json", 1), "the sentence is not the theorem's"));
}

TEST_F(Prove, AnswersAreOfTheirSchemas) {
    expect_schema("prove-drift", out(pandas + "--format json --certificate c.json", 0));
    expect_schema("prove-drift", out(pandas + "--above --format json", 1));
    expect_schema("prove-drift", out(pandas + "--rlimit 0 --format json", 3));
    expect_schema("certificate", slurp(at("c.json")));
    write("bad.json", replaced(slurp(at("c.json")), "\"threshold\": \"14\"", "\"threshold\": \"13\""));
    expect_schema("certify", out("certify c.json --format json", 0));
    expect_schema("certify", out("certify c.json bad.json --format json", 1));
}

TEST_F(Prove, RefusesWrongRequests) {
    const std::string start = "prove drift " + half + " -p balanced-pandas ";
    for (const std::string option : {"--threshold 5", "--delta 5", "--above", "--find-lyapunov --delta 5"})
        expect_refused(start + option, "--lyapunov: expected a function with --above, --threshold or --delta");
    expect_refused(start + "--lyapunov workload-square", "did you mean 'workload-squares'?");
    expect_refused(start + "--lyapunov regret", "expected a MaxWeight-type policy");
    expect_refused(start + "--lyapunov total --delta 0", "--delta: expected a number above 0");
    expect_refused(start + "--lyapunov total --delta 0.5x", "--delta: expected an exact number");
    expect_refused(start + "--lyapunov total --rlimit -1", "at least 0");
    expect_refused(start + "--lyapunov total --certificate no/such/c.json", "no/such");
    expect_refused(start + "--lyapunov total --certificate -", "the answer goes to standard output");
    expect_refused(start + "--lyapunov total --smtlib no/such/directory", "expected a directory");
    expect_refused(start + "--lyapunov total --certificat c", "did you mean '--certificate'?");
    expect_refused("prove drif " + half, "did you mean 'drift'?");
    expect_refused("prove drift " + half + " -p fluid-model-planning:static --lyapunov total", "without a plan");
    expect_refused("certify no-such.json", "expected an existing file");
    expect_refused("certify " + half, "expected");
    expect_refused("certify", "FILE is required");
    // What an option of any number of values takes along is no policy.
    expect_refused("validate --only gate.policy", "POLICY is required; --only takes all words that follow it");
}

TEST_F(Prove, CertificatesOfEveryKindAreAcceptedByTheProgram) {
    (void)out("prove throughput-optimal -p jsq-maxweight --for-all --certificate uniform.json", 0);
    (void)out("prove throughput-optimal " + half + " -p jsq-maxweight --certificate constants.json", 0);
    (void)out("prove transience experiments/instances/n1-fifo.toml -p fifo --certificate transience.json", 0);
    (void)out("prove drift " + half + " -p pandas --find-lyapunov --certificate found.json", 0);
    for (const std::string file : {"uniform.json", "constants.json", "transience.json", "found.json"}) {
        EXPECT_TRUE(is_of_schema("certificate", file)) << file;
        EXPECT_EQ(shell(std::string("'") + SCHEDPROOF_CERTIFY "' " + file).exit, 0) << file;
    }
    // What a name must not do to the answer.
    write("forged.json", replaced(slurp(at("found.json")), "\"name\": \"found\"", "\"name\": \"x\\naccepted\""));
    EXPECT_EQ(run("certify forged.json").exit, 2);
}

TEST_F(Prove, CertifyTakesCertificatesOfALoadToo) {
    (void)out("capacity " + half + " --certificate load.json -o answer.txt", 0);
    expect_refused("certify load.json", "expected --instance FILE");
    const std::string text = out("certify load.json --instance " + half, 0);
    EXPECT_TRUE(contains(text, "theorem       The load rho* of 'm2-half' is 5/8.")) << text;
    write("bad.json", replaced(slurp(at("load.json")), "\"upper\": \"5/8\"", "\"upper\": \"1/8\""));
    EXPECT_TRUE(contains(out("certify bad.json --instance " + half, 1), "rejected      bad.json\n"));
}

TEST_F(Prove, CertifyComparesTheInstanceWithTheOneGiven) {
    const std::string fifo = "experiments/instances/n1-fifo.toml";
    (void)out(pandas + "--certificate drift.json", 0);
    (void)out("prove throughput-optimal " + half + " -p jsq-maxweight --certificate constants.json", 0);
    (void)out("prove transience " + fifo + " -p fifo --certificate transience.json", 0);
    for (const std::string file : {"drift.json", "constants.json", "transience.json"}) {
        const bool of_half = file != "transience.json";
        const std::string digest = ordered_json::parse(slurp(at(file)))["instance-digest"];
        EXPECT_TRUE(contains(
            out("certify " + file + " --instance " + (of_half ? half : fifo), 0),
            std::string("\ninstance      ") + (of_half ? "m2-half" : "n1-fifo") + ", SHA-256 " + digest + "\n"));
        const std::string other = of_half ? fifo : half;
        const std::string text = out("certify " + file + " --instance " + other, 1);
        EXPECT_TRUE(text.starts_with("rejected      " + file + "\n  it is not about the instance of " + other +
                                     ": its instance has the digest " + digest + ", that one ") &&
                    contains(text, "; the first difference is at name: '"))
            << text;
        const auto json = ordered_json::parse(out("certify " + file + " --instance " + other + " --format json", 1));
        EXPECT_EQ(json["certificates"][0]["instance_digest"], digest);
    }
    // The same name, other rates.
    write("other.toml", replaced(slurp(source + "/" + half), "A = \"1/2\"", "A = \"1/3\""));
    const std::string text = out("certify drift.json --instance other.toml", 1);
    EXPECT_TRUE(contains(text, "; the first difference is at arrivals")) << text;
    EXPECT_EQ(shell("'" SCHEDPROOF_CERTIFY "' --instance other.toml drift.json").exit, 1);
    expect_refused("certify drift.json --instance no-such.toml", "expected an existing file");
    expect_refused("certify drift.json --instance experiments/instances/redundancy/one-job-two-machines.toml",
                   "expected the family \"queueing\"");
}

TEST_F(Prove, CertifyRefusesAnInstanceForATheoremThatHoldsNone) {
    (void)out("prove throughput-optimal -p jsq-maxweight --for-all --certificate uniform.json", 0);
    expect_refused("certify uniform.json --instance " + half,
                   "expected no --instance: a theorem of kind 'uniform-drift' holds no instance");
    const std::string answer = out("certify uniform.json --format json", 0);
    EXPECT_TRUE(ordered_json::parse(answer)["certificates"][0]["instance_digest"].is_null());
    expect_schema("certify", answer);
    EXPECT_FALSE(contains(out("certify uniform.json", 0), "\ninstance "));
}

TEST_F(Prove, TheCheckersProgramIsLinkedWithNoSolver) {
    const Answer linked = shell("ldd '" SCHEDPROOF_CERTIFY "'");
    ASSERT_EQ(linked.exit, 0) << linked.err;
    EXPECT_TRUE(contains(linked.out, "libgmp")) << linked.out;
    const Answer symbols = shell("nm -C '" SCHEDPROOF_CERTIFY "' || true");
    for (const std::string solver : {"z3", "Clp", "Coin", "qsopt", "QSexact", "flint", "cgraph"}) {
        EXPECT_FALSE(contains(linked.out, solver)) << linked.out;
        EXPECT_FALSE(contains(symbols.out, " Z3_") || contains(symbols.out, "U " + solver)) << solver;
    }
    // The check can fail: the command itself is linked with them.
    EXPECT_TRUE(contains(shell("ldd '" SCHEDPROOF_COMMAND "'").out, "libz3"));
}

TEST_F(Prove, TheCheckersProgramAnswersAsTheCommandDoes) {
    (void)out(pandas + "--certificate c.json", 0);
    write("bad.json", replaced(slurp(at("c.json")), "\"threshold\": \"14\"", "\"threshold\": \"13\""));
    const auto program = [&](const std::string& arguments) { return shell("'" SCHEDPROOF_CERTIFY "' " + arguments); };
    EXPECT_EQ(program("c.json bad.json").exit, 1);
    EXPECT_TRUE(contains(program("c.json bad.json").out, "rejected      bad.json\n  "));
    EXPECT_EQ(program("no-such.json").exit, 2);
    EXPECT_EQ(program("").exit, 2);
    EXPECT_EQ(program("--formt json c.json").exit, 2);
    EXPECT_TRUE(contains(program("--formt json c.json").err, "did you mean '--format'?"));
    EXPECT_EQ(program("--format xml c.json").exit, 2);
    EXPECT_EQ(program("--help").exit, 0);
    EXPECT_EQ(ordered_json::parse(program("--format json c.json").out)["accepted"], true);
}

}  // namespace
