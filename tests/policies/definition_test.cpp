/// What results say that a policy is: its rules, or the values of its parameters.
#include "policies/core/definition.hpp"

#include <gtest/gtest.h>

#include <map>
#include <span>
#include <string>

#include "policies/assignment/registry.hpp"
#include "policies/queueing/registry.hpp"
#include "policies/redundancy/registry.hpp"
#include "policies/sharing/registry.hpp"

namespace schedproof {
namespace {

TEST(Definition, NamesEveryParameterWithItsValue) {
    EXPECT_EQ(definition(sharing::make_policy("delay", {.d = 7})), "D = 7");
    EXPECT_EQ(definition(sharing::make_policy("delay-rack:keep", {.d1 = 2, .d2 = {}})),
              "D1 = 2, D2 = none, after a rack-local launch = keep");
    EXPECT_EQ(definition(sharing::make_policy("hadoop-fifo", {})), "no parameters");
    EXPECT_EQ(definition(redundancy::make_policy("laps+r:oldest", Rational(1) / Rational(3))),
              "beta = 1/3, crowded = rounds, leftover = first");
    assignment::PolicyOptions options;
    options.wait = Rational(5) / Rational(2);
    options.pick = assignment::Pick::random;
    EXPECT_EQ(definition(assignment::make_policy("delay", options)), "W = 5/2, pick = random, jobs = fifo");
    EXPECT_EQ(definition(assignment::make_policy("dyndloff")),
              "search = split, A5 = false, A11 = false, A12 = false, A13 = false, A14 = false");
    EXPECT_TRUE(definition(assignment::make_policy("hta")).ends_with(" ms"));
    EXPECT_EQ(queueing::definition("balanced-pandas:idle"),
              "keep(Arrangement::per_server_and_level), route(argmin(servers, server_workload / rate)), "
              "serve(most_local(nonempty(own_levels)))");
}

/// Variants of one policy differ in their definitions, so that no id could stand for another unseen.
template <class Define>
void tells_variants_apart(std::span<const PolicyInfo> policies, const Define& define) {
    std::map<std::string, std::string> known;
    for (const PolicyInfo& info : policies) {
        const std::string name(info.id.substr(0, info.id.find(':')));
        const auto [at, added] = known.emplace(name + ": " + define(info.id), info.id);
        EXPECT_TRUE(added) << info.id << " is defined as " << at->second;
    }
}

TEST(Definition, TellsVariantsApart) {
    tells_variants_apart(queueing::policies(), [](std::string_view id) { return queueing::definition(id); });
    tells_variants_apart(assignment::policies(),
                         [](std::string_view id) { return definition(assignment::make_policy(id)); });
    tells_variants_apart(redundancy::policies(),
                         [](std::string_view id) { return definition(redundancy::make_policy(id, Rational(1))); });
    tells_variants_apart(sharing::policies(),
                         [](std::string_view id) { return definition(sharing::make_policy(id, {})); });
}

}  // namespace
}  // namespace schedproof
