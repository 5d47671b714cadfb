#include <gtest/gtest.h>

#include <set>

#include "checks/assignment/mutants.hpp"

namespace schedproof::checks {
namespace {

TEST(AssignmentMutants, AreCaughtByTheirProperties) {
    for (const PropertyMutant& mutant : property_mutants())
        EXPECT_NE(mutant.caught(), "") << mutant.name << " by " << mutant.property;
}

TEST(AssignmentMutants, ExistForEveryTrueClaim) {
    std::set<std::string_view> covered;
    for (const PropertyMutant& mutant : property_mutants()) covered.insert(mutant.property);
    for (const NamedProperty& property : dyndloff_properties())
        EXPECT_EQ(covered.count(property.id), property.holds ? 1u : 0u) << property.id;
}

}  // namespace
}  // namespace schedproof::checks
