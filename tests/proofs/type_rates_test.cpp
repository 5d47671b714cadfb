/// Task types with rates of their own, in what proves and bounds: right, or refused with the reason.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/duality/policy_data.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"
#include "proofs/queueing/heavy_traffic/bound.hpp"
#include "proofs/queueing/theorems/max_weight.hpp"
#include "tests/proofs/capacity_instances.hpp"

namespace schedproof::queueing {
namespace {

using capacity::testing::frac;

Instance one_home() {
    InstanceData data = capacity::testing::two_types_with_one_home();
    data.arrivals = ArrivalLaw::single(data.rates);
    return Instance(std::move(data));
}

TEST(TypeRatesProofs, TheDriftBoundOfEveryClusterIsRefused) {
    const Instance instance = one_home();
    const SymbolicSystem system(instance, make_policy("generalized-cmu", instance, {}));
    EXPECT_TRUE(std::holds_alternative<UniformUnknown>(prove_max_weight(system)));
    const Layout layout = find_rules("generalized-cmu")->layout(instance);
    EXPECT_THROW(static_cast<void>(drift_bound(instance, layout, frac(11, 12), {})), InputError);
}

TEST(TypeRatesProofs, StabilityProgramsAreThoseOfPoliciesThatRun) {
    const Instance instance = one_home();
    for (const char* id : {"wang-jsq-maxweight", "jsq-maxweight", "balanced-pandas"})
        EXPECT_THROW(static_cast<void>(duality::max_weight_data(instance, id)), InputError) << id;
    EXPECT_EQ(duality::solve(*duality::max_weight_data(instance, "generalized-cmu")).value, frac(11, 12));
}

TEST(TypeRatesProofs, TheHeavyTrafficBoundTakesEachServerAtItsBest) {
    const Instance instance = one_home();
    const heavy_traffic::Slack slack = heavy_traffic::slack(instance);
    EXPECT_EQ(slack.best_rate, (std::vector<Rational>{frac(2, 5), frac(1, 5)}));
    EXPECT_FALSE(heavy_traffic::conditions(instance, slack));
}

/// Rates of the levels are a special case: a type whose own rates are those of the levels of another instance.
RC_GTEST_PROP(TypeRatesProofs, ALoadDependsOnTheRatesAndNotOnWhereTheyStand, ()) {
    const InstanceData data = capacity::testing::arbitrary_instance(4, false);
    InstanceData moved = data;
    for (LevelInfo& level : moved.levels) level.rate *= frac(1, 2);
    for (TaskType& type : moved.types)
        for (const LevelInfo& level : data.levels) type.rates.push_back(level.rate);
    const Instance by_level(data), by_type(moved);
    const capacity::CapacityCertificate certificate = capacity::solve(by_level);
    RC_ASSERT(capacity::rejection(by_type, certificate) == "");
    RC_ASSERT(capacity::solve(by_type).load() == certificate.load());
    RC_ASSERT(capacity::server_loads(by_type, certificate.decomposition) ==
              capacity::server_loads(by_level, certificate.decomposition));
    RC_ASSERT(capacity::placement_loss(by_type, certificate).balanced ==
              capacity::placement_loss(by_level, certificate).balanced);
}

}  // namespace
}  // namespace schedproof::queueing
