#include "least_work.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/suite/generators.hpp"
#include "checks/suite/googletest.hpp"
#include "checks/suite/policy_proofs.hpp"
#include "experiments/simulate_policy.hpp"
#include "model/queueing/codec/codec.hpp"

using namespace schedproof;
using mine::LeastWork;

namespace {

queueing::Instance two_servers() { return queueing::read_instance(INSTANCE); }

TEST(LeastWork, Holds) { EXPECT_TRUE(suite::passes<LeastWork>()); }

TEST(LeastWork, IsStable) {
    const suite::StabilityVerdict found = suite::prove<LeastWork>(two_servers());
    EXPECT_EQ(found.standing, suite::Standing::stable);
    EXPECT_NE(suite::certificate(found.verdict).find("least-work"), std::string::npos);
}

TEST(LeastWork, IsThroughputOptimalOnEveryCluster) {
    EXPECT_EQ(checks::kind_of(suite::prove_every_cluster<LeastWork>(2)), checks::VerdictKind::proved);
}

TEST(LeastWork, BalancesTasks) {
    EXPECT_EQ(checks::kind_of(suite::prove<LeastWork>("queueing.tasks-balance", "m2-half")),
              checks::VerdictKind::proved);
}

TEST(LeastWork, IsFasterThanAChoiceAtRandom) {
    const auto report = simulate<LeastWork>(two_servers(), {.slots = 20'000}, {"random-any"});
    EXPECT_LT(runs::summary_of(report, "task delay", 0).estimate->mean,
              runs::summary_of(report, "task delay", 1).estimate->mean);
}

RC_GTEST_PROP(LeastWork, MovesWithProbabilityOne, ()) {
    const auto at = *suite::states<LeastWork>();
    Rational total;
    for (const queueing::Move& move : suite::system(at).moves(at.state)) total += move.probability;
    RC_ASSERT(total == 1);
}

}  // namespace
