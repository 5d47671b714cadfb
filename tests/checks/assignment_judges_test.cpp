#include <gtest/gtest.h>

#include <set>

#include "checks/assignment/generate.hpp"
#include "checks/assignment/properties/properties.hpp"
#include "checks/assignment/witnesses.hpp"

namespace schedproof::checks {
namespace {

TEST(AssignmentJudges, SpeakOnTheWitnessesOfWhatIsFalse) {
    for (const Judge& judge : assignment_judges()) {
        if (judge.holds) continue;
        EXPECT_NE(judge.violation(assignment_witness(judge.witness).problem), "") << judge.id;
    }
}

TEST(AssignmentJudges, AreSilentOnAllWitnessesAboutWhatIsTrue) {
    for (const AssignmentWitness& witness : assignment_witnesses())
        for (const Judge& judge : assignment_judges())
            EXPECT_EQ(judge.holds ? judge.violation(witness.problem) : "", "") << judge.id << " on " << witness.name;
}

TEST(AssignmentJudges, TrueClaimsSurviveRandomProblems) {
    const std::vector<Judge> judges = assignment_judges();
    for (std::uint64_t i = 0; i < 300; ++i) {
        Sampler chance({20261121, i, 0});
        const AssignmentProblem problem = random_assignment_problem(chance);
        for (const Judge& judge : judges)
            EXPECT_EQ(judge.holds ? judge.violation(problem) : "", "") << judge.id << " on problem " << i;
    }
}

}  // namespace
}  // namespace schedproof::checks
