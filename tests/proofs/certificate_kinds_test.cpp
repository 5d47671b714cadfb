/// The registry of certificate kinds: every kind has a name of its own, and a certificate is of a registered kind.
#include "proofs/certifier/certificate_kinds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "proofs/assignment/theorems/theorem.hpp"
#include "proofs/assignment/theorems/worst_ratio.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/redundancy/theorems/dual_certificate.hpp"
#include "proofs/redundancy/theorems/theorem.hpp"
#include "proofs/sharing/theorems/theorem.hpp"

namespace schedproof::certify {
namespace {

TEST(CertificateKinds, HaveNamesOfTheirOwn) {
    std::set<std::string_view> names;
    for (const CertificateKind& kind : certificate_kinds()) {
        EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
        EXPECT_TRUE(kind.read) << kind.name;
    }
    EXPECT_EQ(names, (std::set<std::string_view>{
                         "drift", "transience", "maxweight-drift", "uniform-drift", "invariants", "mean", "any-policy",
                         "heavy-traffic-collapse", "heavy-traffic-lower", "heavy-traffic-upper", "heavy-traffic-ray",
                         "bounded-regret", "assignment", "worst-ratio", "redundancy", "dual", "sharing"}));
}

TEST(CertificateKinds, EveryCertificateIsOfARegisteredKind) {
    const AnyCertificate all[] = {
        queueing::Certificate{nullptr, "", queueing::DriftTheorem{}, {}},
        queueing::Certificate{nullptr, "", queueing::TransienceTheorem{}, {}},
        queueing::Certificate{nullptr, "", queueing::MaxWeightTheorem{}, {}},
        queueing::Certificate{nullptr, "", queueing::UniformTheorem{}, {}},
        queueing::Certificate{nullptr, "", queueing::InvariantTheorem{}, {}},
        queueing::Certificate{nullptr, "", queueing::MeanTheorem{}, {}},
        queueing::Certificate{nullptr, "", queueing::AnyPolicyTheorem{}, {}},
        queueing::Certificate{nullptr, "", queueing::CollapseTheorem{}, {}},
        queueing::Certificate{nullptr, "", queueing::HeavyLowerTheorem{}, {}},
        queueing::Certificate{nullptr, "", queueing::HeavyUpperTheorem{}, {}},
        queueing::Certificate{nullptr, "", queueing::HeavyRayTheorem{}, {}},
        queueing::Certificate{nullptr, "", queueing::RegretTheorem{}, {}},
        assignment::Certificate{},
        assignment::WorstCertificate{},
        redundancy::Certificate{},
        redundancy::DualCertificate{},
        sharing::Certificate{},
    };
    std::set<std::string_view> met;
    for (const AnyCertificate& certificate : all) {
        const auto is_own = [&](const CertificateKind& kind) { return kind.name == certificate->kind(); };
        EXPECT_TRUE(std::any_of(certificate_kinds().begin(), certificate_kinds().end(), is_own)) << certificate->kind();
        met.insert(certificate->kind());
    }
    EXPECT_EQ(met.size(), certificate_kinds().size());
}

TEST(CertificateKinds, ACertificateIsGivenBackToItsFamilyAlone) {
    redundancy::DualCertificate dual;
    dual.name = "three jobs";
    const AnyCertificate certificate = dual;
    ASSERT_NE(certificate.as<redundancy::DualCertificate>(), nullptr);
    EXPECT_EQ(certificate.as<redundancy::DualCertificate>()->name, "three jobs");
    EXPECT_EQ(certificate.as<redundancy::Certificate>(), nullptr);
    EXPECT_EQ(certificate.as<queueing::Certificate>(), nullptr);
}

}  // namespace
}  // namespace schedproof::certify
