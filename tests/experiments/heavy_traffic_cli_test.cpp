/// `schedproof heavy-traffic` and `schedproof prove steps` as their users meet them: the real program, run in the
/// source tree; its text line by line, its JSON judged by the published schemas, its complaints.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using nlohmann::ordered_json;
using namespace testing_support;

const std::string source = SCHEDPROOF_SOURCE_DIR;

/// A line of shell in the source tree; both streams of the command together.
Answer shell(const std::string& line) { return run_script("cd '" + source + "' && { " + line + "\n} 2>&1 </dev/null"); }

Answer run(const std::string& arguments) { return shell(std::string("'") + SCHEDPROOF_COMMAND + "' " + arguments); }

void expect_lines(const std::string& arguments, const std::vector<std::string>& lines, int exit = 0) {
    const Answer answer = run(arguments);
    EXPECT_EQ(answer.exit, exit) << arguments;
    for (const std::string& line : lines)
        EXPECT_NE(("\n" + answer.out).find("\n" + line), std::string::npos) << line << "\n---\n" << answer.out;
}

/// The answer is of its schema; with a member taken away, at any depth, or one added, it is not.
ordered_json expect_schema(const std::string& schema, const std::string& arguments, int exit = 0) {
    const Answer answer = run(arguments + " --format json");
    EXPECT_EQ(answer.exit, exit) << answer.out;
    const ordered_json document = ordered_json::parse(answer.out, nullptr, false);
    EXPECT_EQ(document["schema"], schema);
    std::string pattern = (std::filesystem::temp_directory_path() / "schedproof-heavy-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) return document;
    std::vector<ordered_json> documents{document};
    for (const auto& [key, value] : document.items()) {
        documents.push_back(document);
        documents.back().erase(key);
        documents.push_back(document);
        documents.back()[key] = value.is_number() ? ordered_json("one") : ordered_json(-1);
        if (!value.is_object()) continue;
        documents.push_back(document);
        documents.back()[key]["unknown"] = -1;
    }
    for (std::size_t i = 0; i < documents.size(); ++i)
        std::ofstream(pattern + "/" + std::to_string(i)) << documents[i].dump();
    const Answer verdict = shell("/usr/bin/python3 tests/experiments/validate.py experiments/cli/schema/" + schema +
                                 ".schema.json " + pattern + "/*");
    for (std::size_t i = 0; i < documents.size(); ++i) {
        const bool rejected =
            ("\n" + verdict.out).find("\n" + pattern + "/" + std::to_string(i) + ":") != std::string::npos;
        EXPECT_EQ(rejected, i > 0) << documents[i].dump();
    }
    std::filesystem::remove_all(pattern);
    return document;
}

const std::string instances = "experiments/instances/";

TEST(HeavyTrafficCommand, SaysWhatIsKnownOfAnInstance) {
    expect_lines("heavy-traffic " + instances + "heavy-traffic-eps01.toml",
                 {"eps               1/10 (approx. 0.1)", "sigma^2           9/100 (approx. 0.09)   of the arrivals",
                  "nu^2              8/25 (approx. 0.32)   of the offered service",
                  "bound (14)        11/10 (approx. 1.1)   tasks",
                  "line queue        307386337537/200000000000 (approx. "
                  "1.53693) <= E Phi <= ",
                  "  (12) holds ", "  Mr > 0 holds ", "  (20) holds      eps < min{1, 2/5, 4/5, 3/10}"});
    expect_lines("heavy-traffic " + instances + "n3-two-levels-eps001.toml -p jsq-maxweight",
                 {"  (12) FAILS      servers {s1}: local tasks 1/2 (approx. 0.5) < 4/5 (approx. 0.8)",
                  "  Z = 1 * type A + 1/4 * type B", "  collapse ray    of MaxWeight: Q[s0] = 1 Q[s1] = 1/4",
                  "  limit factor    20/17 (approx. 1.17647)"});
    expect_lines("heavy-traffic " + instances + "n3-three-levels-eps0004.toml -p jsq-maxweight",
                 {"conditions (12), (20): stated for two levels only", "  limit factor    35/29 (approx. 1.2069)"});
    // A thousand servers: (12) is decided by a flow, not by 2^800 sets.
    expect_lines(
        "heavy-traffic " + instances + "wang-cluster.toml",
        {"eps               50", "  (12) FAILS ", "  Mr > 0 holds    200 of 1000 servers are local to no type"});
    expect_lines("heavy-traffic " + instances + "heavy-traffic-eps01.toml -p wang-jsq-maxweight --cap-total 4",
                 {"of the TRUNCATED chain only (total 4: ",
                  "  Lemma 1         2 eps E sum Q = spread + turned away + "
                  "unused, residual exactly zero",
                  "    spread        21/50 (approx. 0.42)", "    E |Q_perp|^2  "});
}

TEST(HeavyTrafficCommand, AnswersInJson) {
    const ordered_json whole =
        expect_schema("heavy-traffic",
                      "heavy-traffic " + instances + "heavy-traffic-eps002.toml -p wang-jsq-maxweight --cap-queue 2");
    EXPECT_EQ(whole["lower_bound"]["exact"], "15/2");
    EXPECT_EQ(whole["conditions"]["all_hold"], true);
    EXPECT_EQ(whole["collapse"]["factor"]["exact"], "1");
    EXPECT_EQ(whole["chain"]["lemma_1"]["residual"], "0");
    const ordered_json failing =
        expect_schema("heavy-traffic", "heavy-traffic " + instances + "n3-two-levels-eps001.toml");
    EXPECT_EQ(failing["conditions"]["heavy_local_traffic"]["violating"]["servers"], ordered_json({"s1"}));
    EXPECT_EQ(failing["chain"], nullptr);
    expect_schema("heavy-traffic", "heavy-traffic " + instances + "n2-pandas.toml");
}

TEST(HeavyTrafficCommand, RefusesWhatMakesNoSense) {
    const auto refused = [](const std::string& arguments, const std::string& words, int exit = 2) {
        const Answer answer = run(arguments);
        EXPECT_EQ(answer.exit, exit) << answer.out;
        EXPECT_NE(answer.out.find(words), std::string::npos) << answer.out;
    };
    const std::string half = instances + "m2-half.toml";
    refused("heavy-traffic " + half + " --cap-total 3", "expected a policy");
    refused("heavy-traffic " + half + " -p wang --cap-total 3", "expected a registered policy, not 'wang'");
    refused("heavy-traffic " + half + " -p fifo --cap-total 3 --cap-queue 2", "not both");
    refused("heavy-traffic " + half + " -p wang-jsq-maxweight --cap-total 9 --max-states 20", "20 reachable states", 3);
    refused("heavy-traffic missing.toml", "missing.toml");
    refused("prove steps " + half + " -p fifo", "expected a MaxWeight-type policy");
    refused("prove steps " + half + " -p wang-jsq-maxweight --max-steps 0", "max-steps");
    refused("prove", "subcommand");
}

TEST(ProveStepsCommand, KnownNumbersOfSlots) {
    const auto steps = [](const std::string& instance, const std::string& policy, const std::string& more = "",
                          int exit = 0) {
        return expect_schema("prove-steps", "prove steps " + instances + instance + ".toml -p " + policy + more, exit);
    };
    EXPECT_EQ(steps("m2-half", "wang-jsq-maxweight")["steps"], 9);
    EXPECT_EQ(steps("m2-shared", "wang-jsq-maxweight")["steps"], 17);
    EXPECT_EQ(steps("m2-one-type", "wang-jsq-maxweight")["steps"], 30);
    EXPECT_EQ(steps("m2-fast-remote", "wang-jsq-maxweight")["steps"], 4);
    EXPECT_EQ(steps("m2-uneven", "wang-jsq-maxweight", " --max-steps 60", 1)["steps"], nullptr);
    EXPECT_EQ(steps("m2-uneven", "wang-jsq-maxweight")["steps"], 80);
    EXPECT_EQ(steps("m2-uneven", "balanced-pandas")["fewer"], nullptr);
    // Blind to racks, Wang's policy has no number of slots on N2.
    EXPECT_EQ(steps("n2-pandas", "wang-jsq-maxweight", " --max-steps 500", 1)["fewer"]["steps"], 500);
    expect_lines("prove steps " + instances + "m2-half.toml -p wang-jsq-maxweight",
                 {"verdict       Exhausted (4 combinations of statuses)", "steps         9, the least",
                  "worst status  common,common: leading drift at most "
                  "-267326/1953125",
                  "8 slots       status common,common, direction Q[s0] = 1/3 Q[s1] = 1/3 Q[common] = 1/3: "
                  "leading drift 50356/390625"});
}

}  // namespace
}  // namespace schedproof
