/// The properties of assignments: what they say of the witnesses of true and of false statements, and of random
/// problems.
#include <gtest/gtest.h>

#include <set>

#include "checks/assignment/generate.hpp"
#include "checks/assignment/properties/properties.hpp"
#include "checks/assignment/witnesses.hpp"

namespace schedproof::checks {
namespace {

TEST(AssignmentProperties, SpeakOnTheWitnessesOfWhatIsFalse) {
    for (const NamedProperty& property : dyndloff_properties()) {
        if (property.holds) continue;
        EXPECT_NE(property.violation(assignment_witness(property.witness).problem), "") << property.id;
    }
}

TEST(AssignmentProperties, AreSilentOnAllWitnessesAboutWhatIsTrue) {
    for (const AssignmentWitness& witness : assignment_witnesses())
        for (const NamedProperty& property : dyndloff_properties())
            EXPECT_EQ(property.holds ? property.violation(witness.problem) : "", "")
                << property.id << " on " << witness.name;
}

TEST(AssignmentProperties, TrueClaimsSurviveRandomProblems) {
    const std::vector<NamedProperty> properties = dyndloff_properties();
    for (std::uint64_t i = 0; i < 300; ++i) {
        Sampler randomness({20261121, i, 0});
        const AssignmentProblem problem = random_assignment_problem(randomness);
        for (const NamedProperty& property : properties)
            EXPECT_EQ(property.holds ? property.violation(problem) : "", "") << property.id << " on problem " << i;
    }
}

}  // namespace
}  // namespace schedproof::checks
