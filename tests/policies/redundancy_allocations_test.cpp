/// What each policy grants, for all numbers of jobs and machines up to 64: against the lists of
/// docs/models/redundancy.md, Policies, and the invariants that every theorem rests on.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "checks/redundancy/reference_model.hpp"
#include "model/core/errors.hpp"

namespace schedproof::redundancy {
namespace {

using checks::ReferenceShare;

Rational q(std::int64_t p, std::int64_t d = 1) { return {Integer(p), Integer(d)}; }

std::vector<ReferenceShare> unfolded(const Allocation& allocation, std::size_t n) {
    std::vector<ReferenceShare> all(n);
    for (const Band& band : allocation)
        for (std::size_t i = band.first; i < band.last; ++i)
            all[i] = {band.grant.copies, Rational(1) / Rational(band.grant.ways)};
    return all;
}

Allocation allocate(const AnyPolicy& policy, std::size_t n, std::size_t machines) {
    return policy.allocate(n, machines);
}

const std::vector<Rational>& betas() {
    static const std::vector<Rational> all{q(1),    q(1, 2),   q(1, 3),    q(2, 3),      q(7, 25),
                                           q(4, 5), q(1, 100), q(99, 100), q(1, 1000003)};
    return all;
}

/// Every policy, with every beta where it has one, for all n, M <= 64.
template <class Visit>
void for_each_case(Visit visit) {
    for (const PolicyInfo& info : policies())
        for (const Rational& beta : betas()) {
            const AnyPolicy policy = make_policy(info.id, beta);
            for (std::size_t n = 1; n <= 64; ++n)
                for (std::size_t m = 1; m <= 64; ++m) visit(std::string(info.id), beta, policy, n, m);
            if (!has_beta(info.id)) break;
        }
}

TEST(RedundancyAllocations, AreThoseOfTheDocs) {
    for_each_case(
        [](const std::string& id, const Rational& beta, const AnyPolicy& policy, std::size_t n, std::size_t m) {
            ASSERT_EQ(unfolded(allocate(policy, n, m), n), checks::reference_policy(policy).rule(n, m))
                << id << " beta " << beta << " n " << n << " M " << m;
        });
}

TEST(RedundancyAllocations, FitTheMachines) {
    for_each_case(
        [](const std::string& id, const Rational& beta, const AnyPolicy& policy, std::size_t n, std::size_t m) {
            const Allocation allocation = allocate(policy, n, m);
            const auto where = [&] { return fmt::format("{} beta {} n {} M {}", id, beta.to_string(), n, m); };
            ASSERT_EQ(fault(allocation, n, m), "") << where();
            Rational machines;
            std::size_t whole = 0;
            bool shared = false;
            for (const ReferenceShare& share : unfolded(allocation, n)) {
                machines += Rational(share.copies) * share.share;
                shared = shared || (share.copies > 0 && share.share != q(1));
                whole += share.copies;
                ASSERT_LE(share.copies, m) << where();
            }
            ASSERT_LE(machines, Rational(m)) << where();
            ASSERT_EQ(uses_all(allocation, m), machines == Rational(m)) << where();
            ASSERT_TRUE(shared || whole <= m) << where();
            ASSERT_TRUE(!checks::copies_on_all_machines(policy) || machines == Rational(m)) << where();
            ASSERT_FALSE(allocation.empty()) << where();
            ASSERT_TRUE(!id.starts_with("srpt") || favours_first(allocation, n)) << where();
        });
}

/// FAIR+R's rates do not fall in the order of arrival, whatever the gains: copies and shares do not.
TEST(RedundancyAllocations, FairFavoursTheLatest) {
    for (std::size_t n = 1; n <= 64; ++n)
        for (std::size_t m = 1; m <= 64; ++m) {
            const auto all = unfolded(FairR{}.allocate(n, m), n);
            for (std::size_t i = 1; i < n; ++i) {
                ASSERT_LE(all[i - 1].copies, all[i].copies);
                ASSERT_TRUE(all[i - 1].copies == 0 || all[i - 1].share <= all[i].share);
            }
        }
}

TEST(RedundancyAllocations, FairIsLapsWithBeta1InRoundsOnly) {
    const AnyPolicy rounds = make_policy("laps+r", q(1)), all = make_policy("laps+r:all", q(1));
    bool differs = false;
    for (std::size_t n = 1; n <= 64; ++n)
        for (std::size_t m = 1; m <= 64; ++m) {
            ASSERT_EQ(unfolded(allocate(rounds, n, m), n), unfolded(FairR{}.allocate(n, m), n));
            ASSERT_EQ(unfolded(Laps{Beta(q(1))}.allocate(n, m), n), unfolded(Fair{}.allocate(n, m), n));
            differs = differs || unfolded(allocate(all, n, m), n) != unfolded(FairR{}.allocate(n, m), n);
        }
    EXPECT_TRUE(differs);
    // One job more than machines: every share is 1/2, and one job has all the copies that are left.
    EXPECT_EQ(unfolded(allocate(all, 3, 2), 3),
              (std::vector<ReferenceShare>{{1, q(1, 2)}, {1, q(1, 2)}, {2, q(1, 2)}}));
    EXPECT_EQ(unfolded(FairR{}.allocate(3, 2), 3), (std::vector<ReferenceShare>{{0, q(0)}, {1, q(1)}, {1, q(1)}}));
}

TEST(RedundancyAllocations, CopiesChangeNothingWithAsManyJobsAsMachines) {
    for (std::size_t m = 1; m <= 64; ++m) {
        EXPECT_EQ(unfolded(SrptR{}.allocate(m, m), m), unfolded(Srpt{}.allocate(m, m), m));
        EXPECT_EQ(unfolded(FairR{}.allocate(m, m), m), unfolded(Fair{}.allocate(m, m), m));
        EXPECT_EQ(unfolded(allocate(make_policy("laps+r", q(1)), m, m), m),
                  unfolded(allocate(make_policy("laps", q(1)), m, m), m));
    }
}

TEST(RedundancyAllocations, BetaIsRoundedUpExactly) {
    EXPECT_EQ(Beta(q(7, 25)).latest_of(25), 7u);  // 8 in doubles: 0.28 * 25 > 7
    EXPECT_EQ(Beta(q(1, 1000003)).latest_of(1), 1u);
    for (const Rational& beta : betas())
        for (std::size_t n = 1; n <= 200; ++n) ASSERT_EQ(Beta(beta).latest_of(n), checks::least_whole(beta, n));
    // With 7 machines and all of them served, 8 jobs instead of 7 would halve every share.
    const auto all = unfolded(allocate(make_policy("laps+r:all", q(7, 25)), 25, 7), 25);
    EXPECT_EQ(all[17], (ReferenceShare{0, q(0)}));
    EXPECT_EQ(all[18], (ReferenceShare{1, q(1)}));
}

TEST(RedundancyAllocations, LeftoverCopiesGoToTheNamedJob) {
    EXPECT_EQ(unfolded(SrptR{}.allocate(3, 8), 3), (std::vector<ReferenceShare>{{4, q(1)}, {2, q(1)}, {2, q(1)}}));
    EXPECT_EQ(unfolded(FairR{}.allocate(3, 8), 3), (std::vector<ReferenceShare>{{2, q(1)}, {2, q(1)}, {4, q(1)}}));
    EXPECT_EQ(unfolded(allocate(make_policy("laps+r", q(1, 2)), 5, 8), 5),
              (std::vector<ReferenceShare>{{0, q(0)}, {0, q(0)}, {2, q(1)}, {2, q(1)}, {4, q(1)}}));
    EXPECT_EQ(unfolded(allocate(make_policy("laps+r:oldest", q(1, 2)), 5, 8), 5),
              (std::vector<ReferenceShare>{{0, q(0)}, {0, q(0)}, {4, q(1)}, {2, q(1)}, {2, q(1)}}));
}

TEST(RedundancyAllocations, NamesAndBadBetas) {
    for (const PolicyInfo& info : policies()) {
        EXPECT_EQ(checks::policy_id(make_policy(info.id, q(1, 2))), info.id);
        EXPECT_EQ(resolve_policy(info.id), info.id);
    }
    EXPECT_TRUE(resolve_policy("srpt+").empty());
    EXPECT_THROW((void)make_policy("srpt-r", q(1, 2)), InputError);
    for (const Rational& beta : {q(0), q(-1, 2), q(3, 2), Rational(Integer(1), Integer(1) << 31)})
        EXPECT_THROW((void)make_policy("laps+r", beta), InputError) << beta;
    EXPECT_NO_THROW((void)make_policy("srpt+r", q(7)));  // has none
}

}  // namespace
}  // namespace schedproof::redundancy
