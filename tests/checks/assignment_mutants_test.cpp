#include <gtest/gtest.h>

#include <set>

#include "checks/assignment/mutants.hpp"

namespace schedproof::checks {
namespace {

TEST(AssignmentMutants, AreCaughtByTheirProperties) {
    for (const PropertyMutant& mutant : property_mutants())
        EXPECT_NE(mutant.caught(), "") << mutant.name << " by " << mutant.property;
}

TEST(AssignmentMutants, ExistForEveryTrueClaimAboutAPolicy) {
    // These speak of all local maps, and of the deadlines of any of them, whatever the policy does.
    std::set<std::string_view> covered{"property-1.2:no-path", "key-lemma:no-path"};
    for (const PropertyMutant& mutant : property_mutants()) covered.insert(mutant.property);
    for (const NamedProperty& property : dyndloff_properties())
        EXPECT_EQ(covered.count(property.id), property.holds ? 1u : 0u) << property.id;
}

}  // namespace
}  // namespace schedproof::checks
