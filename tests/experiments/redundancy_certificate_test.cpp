/// Certificates of the redundancy family: written, read back, and altered in every place one at a time.
#include <gtest/gtest.h>

#include <string>

#include "proofs/redundancy/theorem_proof.hpp"
#include "proofs/redundancy/theorems/dual_certificate.hpp"
#include "tests/experiments/alterations.hpp"
#include "tests/support/command.hpp"
#include "tests/support/redundancy_problems.hpp"

namespace schedproof::certify {
namespace {

using testing_support::ratio;
using testing_support::redundancy_problem;

redundancy::Certificate proved(const std::string& policy, const std::string& statement, const std::string& shape,
                               const Rational& bound = Rational(0)) {
    const redundancy::Theorem theorem{statement, redundancy::parse_shape(shape), bound};
    return std::get<redundancy::Certificate>(redundancy::prove(policy, theorem).result);
}

redundancy::DualCertificate fitted(redundancy::DualRule rule) {
    redundancy::Instance instance;
    instance.name = "three-jobs";
    instance.problem = redundancy_problem(2, "two-point:2,0", {{0, 3}, {1, 1}, {1, 1}});
    instance.speed = ratio(5, 2);
    return redundancy::fit(rule, instance);
}

TEST(RedundancyCertificates, AreAcceptedAsTheyAreRead) {
    const AnyCertificate all[] = {proved("srpt+r", "srpt-dual-feasible", "n2-m2-det", ratio(1, 2)),
                                  proved("laps+r:all", "laps-drift", "n2-m2-b1/2-det", ratio(1)),
                                  proved("srpt+r", "gains-concave", "n1-m1-det"), fitted(redundancy::DualRule::srpt),
                                  fitted(redundancy::DualRule::cap)};
    for (const AnyCertificate& certificate : all) {
        const std::string text = write_certificate(certificate);
        const Finding finding = check_text(text, "t", nullptr);
        EXPECT_TRUE(finding.accepted()) << finding.rejection;
        EXPECT_EQ(finding.kind, certificate->kind());
        EXPECT_EQ(finding.instance, certificate->instance_name());
        EXPECT_GT(finding.contents.multipliers, 0U);
        EXPECT_TRUE(testing_support::contains(to_text(finding), finding.sentence));
        EXPECT_EQ(write_certificate(read_certificate(read_document(text, "t"), "t").certificate), text);
    }
}

TEST(RedundancyCertificates, EveryAlterationOfAStatementIsRejected) {
    expect_every_alteration_rejected(proved("srpt+r", "srpt-dual-feasible", "n2-m2-det", ratio(1, 2)), 1, 800);
    expect_every_alteration_rejected(proved("fair+r", "fair-dual-value-cap", "n2-m1-two-point:2,0", ratio(1, 2)), 1,
                                     400);
    expect_every_alteration_rejected(proved("srpt", "dominance-arrival", "n2-m1-det"), 3, 400);
    expect_every_alteration_rejected(proved("laps+r", "laps-drift", "n2-m1-b1/2-det", ratio(1)), 3, 400);
    expect_every_alteration_rejected(proved("srpt+r", "srpt-static", "n2-m2-det", ratio(1, 2)), 1, 400);
    expect_every_alteration_rejected(proved("fair+r", "fair-alpha-bounded", "n2-m1-det"), 1, 400);
    expect_every_alteration_rejected(proved("late", "busy-periods", "n2-m1-det"), 1, 100);
    expect_every_alteration_rejected(proved("laps", "as-fair", "n2-m1-b1-det"), 1, 100);
    expect_every_alteration_rejected(proved("fair+r", "latest-favoured", "n3-m2-det"), 1, 50);
}

TEST(RedundancyCertificates, EveryAlterationOfIdentitiesIsRejected) {
    expect_every_alteration_rejected(proved("srpt+r", "gains-concave", "n1-m1-det"), 1, 150);
    expect_every_alteration_rejected(proved("laps+r", "core-inequality", "n1-m1-det"), 1, 50);
    expect_every_alteration_rejected(proved("fair+r", "price-sums", "n1-m1-det"), 1, 50);
    expect_every_alteration_rejected(proved("srpt+r", "improves-on-srpt", "n1-m1-det"), 1, 30);
    expect_every_alteration_rejected(proved("srpt+r", "relaxed-cost", "n1-m1-det"), 7, 50);
    expect_every_alteration_rejected(proved("srpt+r", "dual-below-cost", "n1-m1-det"), 7, 50);
}

TEST(RedundancyCertificates, EveryAlterationOfDualVariablesIsRejected) {
    expect_every_alteration_rejected(fitted(redundancy::DualRule::srpt), 1, 150);
    expect_every_alteration_rejected(fitted(redundancy::DualRule::cap), 1, 150);
}

TEST(RedundancyCertificates, AreRefusedWithThePlace) {
    const std::string statement = write_certificate(proved("srpt+r", "srpt-dual-feasible", "n1-m2-det", ratio(1, 2)));
    const std::string dual = write_certificate(fitted(redundancy::DualRule::srpt));
    const auto refused = [&](std::string text, const std::string& from, const std::string& to,
                             const std::string& words) {
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        const std::string said = refusal(text.replace(at, from.size(), to));
        EXPECT_NE(said.find(words), std::string::npos) << said;
    };
    refused(statement, "n1-m2-det", "n1-m2-dat", "expected det, two-point");
    refused(statement, "n1-m2-det", "n01-m2-det", "expected the problems as they are written: n1-m2-det");
    refused(statement, "n1-m2-det", "n1-m2-periodic", "linear in time");
    refused(statement, "\"srpt-dual-feasible\"", "\"srpt-dual-feasable\"", "expected a statement about redundancy");
    refused(statement, "\"policy\": \"srpt+r\"", "\"policy\": \"fair+r\"", "expected srpt+r");
    refused(dual, "\"two-point:2,0\"", "\"two-point:1,2\"", "service: expected two-point");
    refused(dual, "\"machines\": 2", "\"machines\": 0", "expected at least one machine");
    refused(dual, "\"machines\": 2", "\"machines\": 2000000", "instance.machines");
    refused(dual, "\"three-jobs\"", "\"all problems\"", "instance.name: expected a name of letters");
    refused(dual, "[\"1\", \"1\"]", "[\"1\"]", "expected a list of 2, not one of 1");
    refused(dual, "[\"1\", \"1\"]", "[\"1\", \"0\"]", "expected a size above 0");
    refused(dual, "\"family\": \"redundancy\"", "\"family\": \"queueing\"", "expected redundancy, not 'queueing'");
    refused(dual, "\"policy\": \"srpt+r\"", "\"policy\": \"srpt\"", "expected srpt+r or fair+r");
    refused(dual, "\"policy\": \"srpt+r\"", "\"policy\": \"laps+r\"", "it is about another policy");
}

}  // namespace
}  // namespace schedproof::certify
