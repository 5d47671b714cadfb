/// `new-policy`: what it writes is a policy, and what it turns from one form into the other stays the same policy.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using testing_support::contains;
using testing_support::replaced;

const std::string kernel_of_two = "kernel experiments/instances/m2-half.toml --queues 2,1 ";

class NewPolicyCli : public testing_support::CommandTest {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        ::setenv("XDG_CACHE_HOME", (here().parent_path() / "cache").c_str(), 1);
    }
};

TEST_F(NewPolicyCli, WritesAQueueingPolicyInBothForms) {
    EXPECT_EQ(run("new-policy my-rule").err, "wrote my-rule.hpp\n");
    EXPECT_EQ(run("new-policy my-rule --text").err, "wrote my-rule.policy\n");
    EXPECT_TRUE(contains(read("my-rule.hpp"), "struct MyRule {"));
    EXPECT_TRUE(contains(read("my-rule.policy"), "--policy-file my-rule.policy"));
    const std::string answer = good(kernel_of_two + "--policy-file my-rule.policy");
    EXPECT_EQ(good(kernel_of_two + "--policy-file my-rule.hpp"), answer);
    // The file names a Lyapunov function.
    for (const char* file : {"my-rule.policy", "my-rule.hpp"})
        expect_lines(std::string("prove drift experiments/instances/m2-half.toml --policy-file ") + file,
                     {"stability     Proved, by Foster's criterion"});
    EXPECT_EQ(replaced(answer, "my-rule", "jsq-maxweight"), good(kernel_of_two + "-p jsq-maxweight"));
    // What is there is not written over.
    expect_refused("new-policy my-rule --text",
                   "my-rule.policy: expected the name of a new file: existing files are not overwritten");
    EXPECT_TRUE(contains(good("new-policy my-rule --text -o -"), "\npolicy: my-rule\n"));
}

TEST_F(NewPolicyCli, WhatItWritesForTheOtherFamiliesCompiles) {
    for (const std::string family : {"sharing", "assignment", "redundancy"}) {
        SCOPED_TRACE(family);
        (void)good("new-policy my-rule --family " + family + " -o " + family + ".hpp");
        const auto compiled =
            shell("c++ -std=c++20 -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -Werror -I'" SCHEDPROOF_SOURCE_DIR
                  "' -x c++ -include " +
                  family + ".hpp /dev/null 2>&1");
        EXPECT_EQ(compiled.exit, 0) << compiled.out;
    }
}

TEST_F(NewPolicyCli, TurnsATextIntoCppAndBack) {
    write("gate.policy",
          "policy: gate\nsource: \"a \\ b\"\nsummary: \"divert far tasks\"\nkeep: per_server_and_level\n"
          "let: longest = greatest(servers, server_length)\nlet: shortest = least(servers, server_length)\n"
          "route: when(longest - shortest > tasks(64) && longest > 3/2 * shortest,\n"
          "            argmin(servers, server_length), argmin(local, server_length))\n"
          "serve: first_of(most_local(nonempty(own_levels)), own)\nlyapunov: 2 * workload-squares + total\n"
          "hopes: queueing.squares-drift-negative, queueing.tasks-balance\n");
    (void)good("new-policy two-gates --from gate.policy");
    EXPECT_TRUE(contains(read("two-gates.hpp"), "struct TwoGates {")) << read("two-gates.hpp");
    (void)good("new-policy gate --text --from two-gates.hpp -o again.policy");
    (void)good("new-policy gate --text --from gate.policy -o printed.policy");
    EXPECT_EQ(read("again.policy"), read("printed.policy"));
    EXPECT_TRUE(contains(read("again.policy"), "source: \"a \\ b\"\n")) << read("again.policy");
    EXPECT_TRUE(contains(read("again.policy"), "hopes: queueing.squares-drift-negative, queueing.tasks-balance\n"))
        << read("again.policy");
    EXPECT_TRUE(contains(read("again.policy"), "lyapunov: 2 * workload-squares + total\n")) << read("again.policy");
    const std::string state = "kernel experiments/instances/m2-half.toml --queues 2,0,1,0 --policy-file ";
    EXPECT_EQ(replaced(good(state + "two-gates.hpp"), "two-gates", "gate"), good(state + "gate.policy"));
}

TEST_F(NewPolicyCli, RefusesWhatCannotBe) {
    expect_refused("new-policy pandas",
                   "NAME: expected a new name, not 'pandas', which is a policy of the "
                   "queueing family");
    expect_refused("new-policy delay --family queueing", "NAME: expected a new name, not 'delay'");
    expect_refused("new-policy 'a b'", "NAME: expected a name of letters, digits");
    expect_refused("new-policy mine --family sharing --text", "--family: expected queueing");
    expect_refused("new-policy mine --from nowhere.policy", "nowhere.policy: expected an existing file");
    expect_refused("new-policy mine -o nowhere/mine.hpp", "expected an existing directory");
    expect_refused("new-policy mine --family shearing", "sharing");
}

}  // namespace
}  // namespace schedproof
