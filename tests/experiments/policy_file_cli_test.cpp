/// A policy of the user's own, brought to the command in a file: every subcommand that asks for a policy takes it.
#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

const std::string two_servers = "experiments/instances/m2-half.toml";

std::string without_blanks(const std::string& text) { return std::regex_replace(text, std::regex("\\s"), ""); }

class PolicyFileCli : public testing_support::CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        // The rules of balanced-pandas under a name of its own.
        write("least-work.policy",
              "# Whoever would be done with the task soonest.\n"
              "policy: least-work\n"
              "summary: \"join the server of least work over rate\"\n"
              "keep: per_server_and_level\n"
              "route: argmin(servers, server_workload / rate)\n"
              "serve: first_of(most_local(nonempty(own_levels)), own)\n");
        write("gate.policy", testing_support::slurp(SCHEDPROOF_SOURCE_DIR "/experiments/zoo/gate.policy"));
    }
};

TEST_F(PolicyFileCli, ThePolicyOfTheFileIsRun) {
    const std::string kernel = "kernel " + two_servers + " --queues 1,0,1,0 --serving own,idle";
    EXPECT_EQ(
        testing_support::replaced(good(kernel + " --policy-file least-work.policy"), "least-work", "balanced-pandas"),
        good(kernel + " -p balanced-pandas"));
}

TEST_F(PolicyFileCli, EveryEngineTakesIt) {
    const std::string own = " --policy-file least-work.policy";
    expect_lines("prove drift " + two_servers + " --lyapunov workload-squares" + own, {"verdict       Proved"});
    (void)good("chain " + two_servers + " --cap-total 3" + own);
    (void)good("capacity " + two_servers + own + " -p least-work");
    (void)good("graph " + two_servers + " --cap-total 2 -o g.dot" + own);
    (void)good("simulate " + two_servers + " --horizon 2000 --replications 2" + own);
    (void)good("simulate " + two_servers + " --horizon 2000 --replications 2 --time continuous" + own);
    (void)good("simulate " + two_servers + " --horizon 2000 --replications 2 -p least-work -p balanced-pandas" + own);
    (void)good("check queueing.tasks-balance" + own);
    (void)good("prove throughput-optimal --for-all" + own);
}

TEST_F(PolicyFileCli, ACounterexampleIsReplayedWithTheFile) {
    write("pandas.policy",
          "policy: my-pandas\nkeep: per_server\nroute: argmin(local, length)\n"
          "serve: first_of(nonempty(own), argmax(nonempty(reachable), length), own)\n");
    const std::string refuted =
                          good("prove drift " + two_servers + " --lyapunov squares --policy-file pandas.policy", 1),
                      label = "replay      schedproof ";
    const std::size_t at = refuted.find(label);
    ASSERT_NE(at, std::string::npos) << refuted;
    const std::string replay = refuted.substr(at + label.size(), refuted.find('\n', at) - at - label.size());
    EXPECT_TRUE(testing_support::contains(good(replay), "  drift ")) << replay;
}

/// Two files with one name would print the same theorem: what is printed is the sentence of the certificate, which says
/// what the policy is.
TEST_F(PolicyFileCli, ThePrintedTheoremIsTheCertificates) {
    const auto sentence_in = [&](const std::string& text, const std::string& label) {
        const std::string whole = testing_support::unbroken(text);
        const std::size_t at = whole.find(label);
        EXPECT_NE(at, std::string::npos) << text;
        return at == std::string::npos ? "" : whole.substr(at + label.size(), whole.find('\n', at) - at - label.size());
    };
    for (const std::string& call :
         {"prove drift " + two_servers + " --lyapunov workload-squares", "mean " + two_servers + " --digits 2",
          std::string("prove transience experiments/instances/router-h3.toml")}) {
        const std::string policy = call.starts_with("prove transience") ? SCHEDPROOF_SOURCE_DIR
                                       "/experiments/zoo/gate.policy"
                                                                        : "least-work.policy";
        const std::string printed =
            sentence_in(good(call + " --certificate printed.json --policy-file " + policy), "theorem       ");
        EXPECT_TRUE(testing_support::contains(printed, " Here ")) << printed;
        EXPECT_EQ(sentence_in(good("certify printed.json"), "theorem       "), printed) << call;
    }
}

TEST_F(PolicyFileCli, ACertificateBringsThePolicyItself) {
    (void)good("prove drift " + two_servers +
               " --lyapunov workload-squares --certificate c.json --policy-file least-work.policy");
    const std::string answer = good("certify c.json");
    EXPECT_TRUE(testing_support::contains(answer, "Here least-work is keep(Arrangement::per_server_and_level), route("))
        << answer;
    const std::string certificate = read("c.json");
    const std::size_t definition = certificate.find("\"definition\"");
    const auto altered = [&](const std::string& from, const std::string& to) {
        return certificate.substr(0, definition) + testing_support::replaced(certificate.substr(definition), from, to);
    };
    // Another policy of this name, rules that are not as they are printed, and no rules.
    write("other.json", altered("server_workload / rate", "server_workload"));
    EXPECT_TRUE(testing_support::contains(good("certify other.json", 1), "rejected"));
    write("spelled.json", altered("argmin(servers, ", "argmin(servers,  "));
    expect_refused("certify spelled.json", "expected the rules as they are printed");
    write("word.json", altered("argmin(servers, ", "argmin(serves, "));
    expect_refused("certify word.json", "did you mean 'servers'?");
}

/// Each certificate means its own policy by a name.
TEST_F(PolicyFileCli, CertificatesDefineTheirPoliciesApart) {
    const std::string proved = "prove drift " + two_servers + " --lyapunov workload-squares --policy-file ";
    (void)good(proved + "least-work.policy --certificate a.json");
    write("other.policy",
          testing_support::replaced(read("least-work.policy"), "first_of(most_local(nonempty(own_levels)), own)",
                                    "most_local(nonempty(own_levels))"));
    (void)good(proved + "other.policy --certificate b.json");
    for (const char* both : {"certify a.json b.json", "certify b.json a.json a.json"})
        EXPECT_FALSE(testing_support::contains(good(both), "rejected")) << both;
    // Of a policy that is registered there is one.
    EXPECT_TRUE(testing_support::contains(good("certify a.json b.json --policy-file least-work.policy", 1),
                                          "rejected      b.json"));
}

/// "On m2-half, every-policy is stable" would read as a theorem about every policy.
TEST_F(PolicyFileCli, ANameThatIsReadAsMoreIsRefused) {
    for (const std::string name : {"every-policy", "any", "every-cluster", "no-policy"}) {
        write("named.policy", "policy: " + name + "\nkeep: per_server\nroute: local\nserve: own\n");
        expect_refused("kernel " + two_servers + " --policy-file named.policy",
                       "policy: expected a name that is not read as a part of a sentence, not '" + name + "'");
    }
}

/// However far a ring goes, it is one turn, and costs no more: in the kernel, in proofs and in both kinds of
/// simulation.
TEST_F(PolicyFileCli, ARingIsOneTurnAtMost) {
    const auto said = [&](const std::string& ring) {
        write("ring.policy",
              "policy: ring\nkeep: per_server\nroute: argmin(local, length)\nserve: argmax(" + ring + ", length)\n");
        std::string all = good("kernel " + two_servers + " --policy-file ring.policy --queues 3,1");
        for (const char* replications : {"1", "16"})
            all += good("simulate " + two_servers + " --policy-file ring.policy --horizon 500 --replications " +
                        replications);
        return std::regex_replace(all, std::regex("ring.policy, SHA-256 [0-9a-f]+"), "ring.policy");
    };
    const std::string turn = said("ring(1, 2)");
    EXPECT_EQ(said("ring(1, 1000000000000)"), turn);
    EXPECT_EQ(said("ring(9223372036854775801, 9223372036854775807)"), turn);
    EXPECT_NE(said("ring(0, 0)"), turn);
}

/// A line `let: NAME = NUMBER` is a parameter; the command gives it another value.
TEST_F(PolicyFileCli, ParametersAreGivenValues) {
    write("gate.policy",
          "policy: gate\nkeep: per_server_and_level\nlet: abs = 64\nlet: rel = 3/2\n"
          "let: longest = greatest(servers, server_length)\nlet: shortest = least(servers, server_length)\n"
          "route: when(longest - shortest > tasks(abs) && longest > rel * shortest,\n"
          "            argmin(servers, server_length), argmin(local, server_length))\n"
          "serve: most_local(nonempty(own_levels))\n");
    write("by-hand.policy",
          testing_support::replaced(
              testing_support::replaced(testing_support::replaced(read("gate.policy"), "abs = 64", "abs = 2"), "3/2",
                                        "11/10"),
              "policy: gate", "policy: by-hand"));
    const std::string kernel = "kernel " + two_servers + " --queues 3,0,0,0 --policy-file ";
    const std::string at_two = good(kernel + "by-hand.policy"), id = "gate:abs=2,rel=11/10";
    EXPECT_NE(testing_support::replaced(good(kernel + "gate.policy"), "gate", "by-hand"), at_two);
    // The values stand behind the file, or behind the name.
    EXPECT_EQ(testing_support::replaced(good(kernel + "gate.policy:abs=2,rel=1.1"), id, "by-hand"), at_two);
    EXPECT_EQ(testing_support::replaced(good(kernel + "gate.policy -p " + id), id, "by-hand"), at_two);
    // One policy has one name, however its values are written.
    for (const char* same : {"gate:rel=1.1,abs=2", "gate:abs=2.0,rel=1.10", "gate:rel=22/20,abs=2e0"})
        EXPECT_EQ(good(kernel + "gate.policy -p " + same), good(kernel + "gate.policy -p " + id)) << same;
    // Several at once, each run with the words that repeat it; a certificate and a C++ file have the values.
    const std::string runs = good("simulate " + two_servers + " --horizon 1000 --replications 1 --dry-run -p gate -p " +
                                  id + " --policy-file gate.policy");
    EXPECT_TRUE(
        testing_support::contains(runs, " --policy-file gate.policy:abs=2,rel=11/10 --policy " + id + " --first 0"))
        << runs;
    (void)good("prove drift " + two_servers +
                   " --lyapunov workload-squares --certificate c.json --policy-file gate.policy:abs=2,rel=11/10",
               1);
    (void)good("new-policy tight --from gate.policy:abs=2,rel=11/10");
    EXPECT_TRUE(testing_support::contains(read("tight.hpp"), "Ratio(11, 10)") &&
                testing_support::contains(read("tight.hpp"), "tasks(2)"))
        << read("tight.hpp");
    write("idle.policy", testing_support::replaced(read("gate.policy"), "let: abs", "let: unused = 1\nlet: abs"));
    write("minus.policy", testing_support::replaced(read("gate.policy"), "keep:", "lyapunov: squares - total\nkeep:"));
    const std::string state = "kernel " + two_servers + " --queues 3,0,0,0 ";
    for (const auto& [arguments, words] :
         {std::pair<std::string, std::string>{"--policy-file gate.policy:ab=2",
                                              "not 'ab' (did you mean 'abs'?); it has abs, rel"},
          {"--policy-file gate.policy:longest=2", "expected a parameter"},
          {"--policy-file gate.policy:abs=two", "expected values NAME=NUMBER"},
          {"--policy-file gate.policy:abs=1,abs=2", "expected one value for 'abs'"},
          {"--policy-file gate.policy:abs=1/2", "gate.policy:7:"},
          {"--policy-file gate.policy -p gate:ab=2", "not 'ab'"},
          {"--policy-file idle.policy:unused=2", "expected a value for a parameter that a rule uses, not 'unused'"},
          {"--policy-file minus.policy",
           "minus.policy:2:18: expected a sum of functions with multiples of at least 0, no difference"},
          {"--policy-file tight.hpp:abs=2", "a policy in C++ sets its parameters in its file"}})
        expect_refused(state + arguments, words);
}

TEST_F(PolicyFileCli, ABundleBringsThePolicyItself) {
    (void)good("check queueing.squares-drift-negative --evidence e --policy-file gate.policy");
    const std::string bundle = "e/queueing.squares-drift-negative--gate--m2-half";
    expect_lines("check --replay " + bundle, {"policy     gate", "violation"});
    expect_lines("check --replay " + bundle + " --policy-file gate.policy", {"policy     gate", "violation"});
    // Another policy of this name, and no rules.
    write("gate.policy", testing_support::replaced(read("gate.policy"), "let: abs = 64", "let: abs = 9"));
    expect_refused("check --replay " + bundle + " --policy-file gate.policy", "definition");
    const std::string text = read(bundle + "/counterexample.json");
    write(bundle + "/counterexample.json", testing_support::replaced(text, "argmin(servers, ", "argmin(serves, "));
    expect_refused("check --replay " + bundle, "did you mean 'servers'?");
}

TEST_F(PolicyFileCli, SeveralFilesAreCompared) {
    const std::string both = " --policy-file least-work.policy --policy-file gate.policy";
    const std::string answer = good("simulate " + two_servers + " --horizon 2000 --replications 2" + both);
    EXPECT_TRUE(testing_support::contains(answer, "least-work") && testing_support::contains(answer, "gate")) << answer;
    expect_refused("kernel " + two_servers + both,
                   "--policy: expected the name of one policy, where several files are given");
    (void)good("kernel " + two_servers + both + " -p gate");
}

TEST_F(PolicyFileCli, AStudyKnowsItsPolicyAndItsRules) {
    const std::string study = "simulate " + two_servers + " --horizon 1000 --replications 2 --resume d --policy-file ";
    (void)good(study + "least-work.policy");
    // Whoever repeats what is recorded, of the study or of one run, gets the same.
    const std::string whole = "\"--policy-file\",\"least-work.policy\",\"--policy\",\"least-work\"";
    EXPECT_TRUE(testing_support::contains(without_blanks(read("d/study.json")), whole)) << read("d/study.json");
    EXPECT_TRUE(testing_support::contains(without_blanks(read("d/p0000-c00-r000001.json")), whole));
    const std::string again = good(study + "least-work.policy --dry-run");
    const std::size_t command = again.rfind("simulate ");
    const std::string one = again.substr(command, again.find('\n', command) - command);
    EXPECT_TRUE(testing_support::contains(one, "--policy-file least-work.policy --policy least-work --first 1")) << one;
    (void)good(one);
    // Other rules under the same name, and a file of another name.
    const std::string rules = read("least-work.policy");
    write("least-work.policy", testing_support::replaced(rules, " / rate", ""));
    expect_refused(study + "least-work.policy", "expected the inputs of the results that are there");
    write("other.policy", rules);
    expect_refused(study + "other.policy", "not of `schedproof simulate --policy-file least-work.policy --horizon");
}

/// The rules in a certificate are read as those of a file are, and an index is a number without a sign.
TEST_F(PolicyFileCli, GarbledCertificatesAreRefusedInOurWords) {
    (void)good("prove drift " + two_servers +
               " --lyapunov workload-squares --policy-file least-work.policy --certificate c.json");
    const std::string whole = read("c.json");
    const auto refused = [&](const std::string& from, const std::string& to, const std::string& words) {
        ASSERT_NE(whole.find(from), std::string::npos) << from;
        write("garbled.json", testing_support::replaced(whole, from, to));
        expect_refused("certify garbled.json", words);
    };
    refused("\"definition\": \"keep(", "\"definition\": \"kep(",
            "rules as they are printed: keep(Arrangement::NAME), route(SET)");
    refused("\"definition\": \"keep(Arrangement::per_server_and_level), route(",
            "\"definition\": \"keep(Arrangement::per_server_and_level), route((((", "garbled.json:1:");
    refused("\"level\": 0", "\"level\": -0", "expected an integer of at least 0, not the float -0");
}

/// Of several files, each run names the one that brought its policy.
TEST_F(PolicyFileCli, ARunNamesItsOwnFile) {
    const std::string runs = good("simulate " + two_servers +
                                  " --horizon 1000 --replications 1 --dry-run -p gate -p fifo"
                                  " --policy-file least-work.policy --policy-file gate.policy");
    EXPECT_TRUE(testing_support::contains(runs, " --policy-file gate.policy --policy gate --first 0")) << runs;
    EXPECT_TRUE(testing_support::contains(runs, two_servers + " --policy fifo --first 0")) << runs;
    EXPECT_FALSE(testing_support::contains(runs, "least-work")) << runs;
}

TEST_F(PolicyFileCli, WrongFilesAreRefusedAtTheirPlace) {
    expect_refused("kernel " + two_servers, "--policy: expected a policy, or --policy-file");
    expect_refused("kernel " + two_servers + " --policy-file none.policy", "none.policy");
    write("wrong.policy", "policy: mine\nkeep: per_server\nroute: argmin(locl, length)\nserve: own\n");
    expect_refused("kernel " + two_servers + " --policy-file wrong.policy",
                   "wrong.policy:3:15: expected a word of the language, not 'locl' (did you mean 'local'?)");
    // Whatever is cut, the words are ours and not those of the parser.
    const std::string whole = read("gate.policy");
    for (std::size_t length = 0; length + 1 < whole.size(); length += 7) {
        write("cut.policy", whole.substr(0, length));
        const testing_support::Answer answer = run("kernel " + two_servers + " --policy-file cut.policy");
        EXPECT_EQ(answer.exit, 2) << length;
        EXPECT_TRUE(testing_support::contains(answer.err, "expected ")) << answer.err;
        EXPECT_FALSE(testing_support::contains(answer.err, "parse error")) << answer.err;
    }
    write("taken.policy", "policy: pandas\nkeep: per_server\nroute: local\nserve: own\n");
    expect_refused("kernel " + two_servers + " --policy-file taken.policy",
                   "taken.policy:1: policy: expected a name that no policy has, not 'pandas'");
    expect_refused("kernel " + two_servers + " --policy-file gate.policy --policy-file gate.policy",
                   "expected a name that no policy has, not 'gate'");
}

TEST_F(PolicyFileCli, StandsForThePolicyThatAnOptionNeeds) {
    expect_refused("report --instance experiments/instances/m2-half.toml",
                   "--instance: requires --policy or --policy-file");
    expect_refused("report --beside", "--beside: requires --policy or --policy-file");
}

}  // namespace
}  // namespace schedproof
