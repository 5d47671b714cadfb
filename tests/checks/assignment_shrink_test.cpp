#include <gtest/gtest.h>

#include "checks/assignment/family.hpp"
#include "checks/assignment/generate.hpp"
#include "checks/assignment/properties/properties.hpp"
#include "checks/assignment/witnesses.hpp"

namespace schedproof::checks {
namespace {

std::size_t size(const AssignmentProblem& problem) {
    return problem.shape->tasks().size() + problem.shape->cores().size();
}

/// The first random problems that violate a claim.
std::vector<AssignmentProblem> violating(const NamedProperty& property, std::size_t count) {
    std::vector<AssignmentProblem> found;
    for (std::uint64_t i = 0; i < 8'000 && found.size() < count; ++i) {
        Sampler randomness({1, i, 0});
        AssignmentProblem problem = random_assignment_problem(randomness);
        if (!property.violation(problem).empty()) found.push_back(std::move(problem));
    }
    return found;
}

TEST(AssignmentShrink, ReachesTheSizeOfTheKnownWitness) {
    for (const NamedProperty& property : dyndloff_properties()) {
        if (property.holds) continue;
        const auto complaint = [&](const AssignmentProblem& problem) { return property.violation(problem); };
        const std::vector<AssignmentProblem> problems = violating(property, 2);
        EXPECT_FALSE(problems.empty()) << property.id;
        for (const AssignmentProblem& problem : problems) {
            const AssignmentProblem small = shrink<AssignmentFamily>(problem, "dyndloff", complaint).problem;
            EXPECT_NE(complaint(small), "") << property.id;
            EXPECT_LE(size(small), size(assignment_witness(property.witness).problem)) << property.id;
            EXPECT_LE(size(small), size(problem)) << property.id;
            EXPECT_NO_THROW(assignment::validate(small));
        }
    }
}

TEST(AssignmentShrink, IsDeterministicAndBounded) {
    const NamedProperty property = dyndloff_property("optimal");
    const auto complaint = [&](const AssignmentProblem& problem) { return property.violation(problem); };
    const AssignmentProblem problem = violating(property, 1).front();
    const auto once = shrink<AssignmentFamily>(problem, "dyndloff", complaint),
               twice = shrink<AssignmentFamily>(problem, "dyndloff", complaint);
    EXPECT_EQ(*once.problem.shape, *twice.problem.shape);
    EXPECT_EQ(once.problem.initial, twice.problem.initial);
    EXPECT_EQ(once.problem.costs, twice.problem.costs);
    EXPECT_EQ(once.tried, twice.tried);
    EXPECT_EQ(shrink<AssignmentFamily>(problem, "dyndloff", complaint, 3).tried, 3u);
    EXPECT_THROW((void)shrink<AssignmentFamily>(assignment_witness("table-2").problem, "dyndloff",
                                                [](const auto&) { return std::string(); }),
                 ContractViolation);
}

}  // namespace
}  // namespace schedproof::checks
