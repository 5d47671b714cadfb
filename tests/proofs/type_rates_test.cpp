/// Task types with rates of their own, in what proves and bounds: right, or refused with the reason.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <string>

#include "model/core/errors.hpp"
#include "policies/queueing/exact.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/duality/policy_data.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"
#include "proofs/queueing/heavy_traffic/bound.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/max_weight.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
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
    for (const char* id : {"wang-jsq-maxweight", "jsq-maxweight"})
        EXPECT_THROW(static_cast<void>(duality::max_weight_data(instance, id)), InputError) << id;
    for (const char* id : {"generalized-cmu", "balanced-pandas", "balanced-pandas:idle"})
        EXPECT_EQ(duality::solve(*duality::max_weight_data(instance, id)).value, frac(11, 12)) << id;
}

TEST(TypeRatesProofs, WorkloadsAreSumsOverTheQueuesAtTheirRates) {
    const Instance instance = one_home();
    const ExactSystem system(instance, make_policy("balanced-pandas", instance, {}));
    const LyapunovForm squares = named_lyapunov("workload-squares", instance, system.layout());
    ExactState state = system.initial();
    EXPECT_EQ(value(squares, state), Rational(0));
    const auto add = [&](std::size_t server, std::size_t level, std::size_t type) {
        const std::size_t row = instance.row(TaskTypeId(type));
        CheckedInt& length = state.length[system.layout().queue(ServerId(server), Level(level), row).index()];
        length = length + CheckedInt(1);
    };
    add(1, 1, 0);
    EXPECT_EQ(value(squares, state), Rational(40 * 40));
    add(1, 1, 1);
    EXPECT_EQ(value(squares, state), Rational(45 * 45));
    add(0, 0, 0);
    add(0, 0, 1);
    EXPECT_EQ(value(squares, state), Rational(45 * 45 + 5 * 5));
}

/// With W_m > 0 server m is busy and works off one unit in the mean, and a task of L adds 1/mu(L,m) to W_m. So the
/// drift of sum W^2 is at most -2 (1 - 11/12) sum W + C, where C bounds the mean squares of what joins, 3/10 40^2 + 1/4
/// 5^2 at most, and of what is worked off, 40 at most at either server. As W_m >= 5/2 Q, it is below -1 where sum Q >=
/// 1400.
TEST(TypeRatesProofs, BalancedPandasIsStableByTheSquaresOfWorkloads) {
    const auto instance = std::make_shared<const Instance>(one_home().data());
    for (const std::string id : {"balanced-pandas", "balanced-pandas:idle"}) {
        const AnyPolicy policy = make_policy(id, *instance, {});
        const SymbolicSystem symbolic(*instance, policy);
        const ExactSystem exact(*instance, policy);
        DriftGoal goal;
        goal.v = named_lyapunov("workload-squares", *instance, symbolic.layout());
        goal.threshold = Rational(1400);
        DriftOutcome outcome = prove_drift(symbolic, exact, goal);
        auto* proof = std::get_if<DriftProof>(&outcome);
        ASSERT_NE(proof, nullptr) << id;
        EXPECT_EQ(stability_gap(symbolic, proof->theorem), "") << id;
        const Certificate certificate{instance, id, std::move(proof->theorem), std::move(proof->proofs)};
        EXPECT_EQ(rejection(certificate), "") << id;
        // It is about these rates, and about no others.
        InstanceData slower = instance->data();
        slower.types[1].rates = {frac(1, 5), frac(1, 10)};
        Certificate elsewhere = certificate;
        elsewhere.instance = std::make_shared<const Instance>(std::move(slower));
        EXPECT_NE(rejection(elsewhere), "") << id;
    }
}

/// One task of A too many at the second server is forty units of work, which its squares feel.
TEST(TypeRatesProofs, ARouteThatForgetsTheTypesRatesIsRefuted) {
    const Instance instance = one_home();
    using namespace language;
    const Rules shortest = find_rules("balanced-pandas")->with(language::route(argmin(servers, server_length)));
    const AnyPolicy policy({"shortest-server", "test", "join the server of fewest tasks"}, shortest);
    const SymbolicSystem symbolic(instance, policy);
    const ExactSystem exact(instance, policy);
    DriftGoal goal;
    goal.v = named_lyapunov("workload-squares", instance, symbolic.layout());
    const DriftOutcome outcome = prove_drift(symbolic, exact, goal);
    const auto* refutation = std::get_if<DriftRefutation>(&outcome);
    ASSERT_NE(refutation, nullptr);
    EXPECT_GT(drift(exact, refutation->state, goal.v), Rational(-1));
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
