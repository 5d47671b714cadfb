/// A policy with a seeded fault is refuted by what its file hopes for, with a bundle that replays: kinds of faults of
/// all families, each in a file as a user has it (seeded/).
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>

#include "tests/support/command.hpp"

namespace schedproof {
namespace {

using testing_support::contains;

struct SeededFault {
    std::string file, policy, claim;
    friend std::ostream& operator<<(std::ostream& out, const SeededFault& fault) { return out << fault.file; }
};

class SeededFaults : public testing_support::CommandTest, public ::testing::WithParamInterface<SeededFault> {
  protected:
    void SetUp() override {
        CommandTest::SetUp();
        ::setenv("XDG_CACHE_HOME", (here().parent_path() / "seeded-cache").c_str(), 1);
    }
};

TEST_P(SeededFaults, AreRefutedWithABundle) {
    const auto& [file, policy, claim] = GetParam();
    std::filesystem::copy_file(std::filesystem::path(SCHEDPROOF_SOURCE_DIR) / "tests/experiments/seeded" / file,
                               at(file));
    const auto answer = run("validate " + file + " --slots 0 --no-mutants --evidence evidence");
    EXPECT_EQ(answer.exit, 1) << answer.err;
    EXPECT_TRUE(contains(answer.out, "hope          " + claim)) << answer.out;
    std::string bundle;
    for (const auto& entry : std::filesystem::directory_iterator(at("evidence")))
        if (entry.path().filename().string().starts_with(claim + "--" + policy)) bundle = entry.path().string();
    ASSERT_NE(bundle, "") << answer.out;
    (void)good("check --replay '" + bundle + "' --policy-file " + file + " --emit-test fails.cpp");
    EXPECT_TRUE(contains(read("fails.cpp"), "\"" + policy + "\"")) << read("fails.cpp");
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, SeededFaults,
    ::testing::Values(SeededFault{"queueing_longest.policy", "longest", "queueing.squares-drift-negative"},
                      SeededFault{"queueing_least_weight.policy", "least-weight", "queueing.squares-drift-negative"},
                      SeededFault{"queueing_eager_help.hpp", "eager-help", "queueing.squares-drift-negative"},
                      SeededFault{"sharing_kills_too_soon.hpp", "kills-too-soon", "sharing.kills-by-rule"},
                      SeededFault{"sharing_waits_beside_data.hpp", "waits-beside-data", "sharing.local-within-d"},
                      SeededFault{"sharing_waits_once_more.hpp", "waits-once-more", "sharing.wait-at-most-rounds"},
                      SeededFault{"assignment_even_counts.hpp", "even-counts", "assignment.not-above-balanced"},
                      SeededFault{"assignment_forgetful_list.hpp", "forgetful-list", "assignment.twice-the-optimum"},
                      SeededFault{"assignment_stale_head.hpp", "stale-head", "assignment.local-first"},
                      SeededFault{"redundancy_oldest_first.hpp", "oldest-first", "redundancy.srpt-order"},
                      SeededFault{"redundancy_copies_for_last.hpp", "copies-for-last", "redundancy.srpt-order"},
                      SeededFault{"redundancy_idle_machine.hpp", "idle-machine", "redundancy.no-gain"}),
    [](const auto& fault) { return fault.param.file.substr(0, fault.param.file.find('.')); });

class SeededRefusal : public testing_support::CommandTest {};

/// One fault is none of the policy's decisions but of what it says they come to: nothing is said of such a policy.
TEST_F(SeededRefusal, OfWhatAPolicySaysOfItself) {
    const std::string file =
        std::string(SCHEDPROOF_SOURCE_DIR) + "/tests/experiments/seeded/assignment_frozen_price.hpp";
    const auto answer = run("validate '" + file + "'");
    EXPECT_EQ(answer.exit, 4);
    EXPECT_TRUE(contains(answer.err, "is refused: task 1 ends at 5/2, and by its start at 21/4")) << answer.err;
}

}  // namespace
}  // namespace schedproof
