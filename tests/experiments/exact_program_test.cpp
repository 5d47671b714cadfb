/// The program of the exact subcommands alone answers as the whole one.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "experiments/command/core/subcommand.hpp"
#include "tests/support/command.hpp"

namespace schedproof {
namespace {

class ExactProgram : public testing_support::CommandTest {
  protected:
    /// Exit code, both streams, and the file `out` that the arguments may name; returns the exit code.
    int expect_same(const std::string& arguments) const {
        SCOPED_TRACE(arguments);
        std::vector<testing_support::Answer> answers;
        std::vector<std::string> files;
        for (const char* program : {SCHEDPROOF_COMMAND, SCHEDPROOF_EXACT}) {
            answers.push_back(shell("rm -f out; '" + std::string(program) + "' " + arguments));
            static const std::regex seconds(", [0-9.]+ s\n");
            answers.back().out = std::regex_replace(answers.back().out, seconds, "\n");
            files.push_back(read("out"));
        }
        EXPECT_EQ(answers[0].exit, answers[1].exit);
        EXPECT_EQ(answers[0].out, answers[1].out);
        EXPECT_EQ(answers[0].err, answers[1].err);
        EXPECT_EQ(files[0], files[1]);
        return answers[1].exit;
    }
};

const std::string some_cluster = "experiments/instances/m2-half.toml";

TEST_F(ExactProgram, AnswersAsTheWholeOne) {
    EXPECT_EQ(expect_same("capacity " + some_cluster + " --format json -o out"), 0);
    EXPECT_EQ(expect_same("kernel " + some_cluster + " --queues 2,1 -p pandas"), 0);
    EXPECT_EQ(expect_same("chain " + some_cluster + " --cap-total 3 -p jsq-maxweight"), 0);
    EXPECT_EQ(expect_same("graph " + some_cluster + " --cap-total 2 -p jsq-maxweight -o out.svg && mv out.svg out"), 0);
    EXPECT_EQ(expect_same("prove drift " + some_cluster + " -p pandas --lyapunov squares"), 1);
    EXPECT_EQ(expect_same("prove throughput-optimal --for-all -p balanced-pandas --certificate out"), 0);
    EXPECT_EQ(expect_same("mean " + some_cluster + " -p jsq-maxweight --certificate out"), 0);
}

TEST_F(ExactProgram, RefusesAsTheWholeOne) {
    EXPECT_EQ(expect_same("capacity no-such-file.toml"), 2);
    EXPECT_EQ(expect_same("kernel " + some_cluster + " --queues 2,1 -p pandsa"), 2);
    EXPECT_EQ(expect_same("kernel " + some_cluster + " --qeues 2,1 -p pandas"), 2);
    EXPECT_EQ(expect_same("kernel " + some_cluster + " --queues 2,1 -p fair-kill"), 2);
}

TEST_F(ExactProgram, TakesTheSamePolicyFiles) {
    write("rule.policy", testing_support::slurp(SCHEDPROOF_SOURCE_DIR "/docs/policies/patient.policy"));
    EXPECT_EQ(expect_same("kernel " + some_cluster + " --queues 2,1 --policy-file rule.policy"), 0);
    (void)good("new-policy mine");
    EXPECT_EQ(expect_same("kernel " + some_cluster + " --queues 2,1 --policy-file mine.hpp"), 0);
    (void)good("new-policy shares --family sharing");
    const std::string refused = "kernel " + some_cluster + " --queues 2,1 --policy-file shares.hpp";
    EXPECT_EQ(expect_same(refused), 2);
    expect_refused(refused, "expected a queueing policy, not one of the sharing family, which is code");
}

TEST_F(ExactProgram, SpeaksOfItsOptionsInTheSameWords) {
    std::set<std::string> exact;
#define SUBCOMMAND(name, part) \
    if (std::string(#part) == "exact") exact.insert(std::regex_replace(#name, std::regex("_"), "-"));
#include "experiments/command/core/subcommands.def"
    for (const cli::Subcommand& command : cli::subcommands()) {
        if (exact.erase(command.name) == 0) continue;
        EXPECT_EQ(expect_same(command.name + " --help"), 0);
        for (const cli::Subcommand& part : command.parts)
            EXPECT_EQ(expect_same(command.name + " " + part.name + " --help"), 0);
    }
    EXPECT_TRUE(exact.empty()) << *exact.begin();
}

}  // namespace
}  // namespace schedproof
