#include <gtest/gtest.h>

#include <set>

#include "checks/assignment/mutants.hpp"

namespace schedproof::checks {
namespace {

TEST(AssignmentMutants, AreCaughtByTheirJudges) {
    for (const JudgeMutant& mutant : judge_mutants())
        EXPECT_NE(mutant.caught(), "") << mutant.name << " by " << mutant.judge;
}

TEST(AssignmentMutants, ExistForEveryTrueClaimAboutAScheduler) {
    // These speak of all local maps, and of the deadlines of any of them, whatever the scheduler does.
    std::set<std::string_view> covered{"property-1.2:no-path", "key-lemma:no-path"};
    for (const JudgeMutant& mutant : judge_mutants()) covered.insert(mutant.judge);
    for (const Judge& judge : assignment_judges())
        EXPECT_EQ(covered.count(judge.id), judge.holds ? 1u : 0u) << judge.id;
}

}  // namespace
}  // namespace schedproof::checks
