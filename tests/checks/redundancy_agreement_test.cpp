/// Every registered redundancy policy agrees with itself in all modes, generated ones do, break a contract or let jobs
/// wait for ever, and policies that depend on what they must not are refused with the reason.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/redundancy/agreement.hpp"
#include "checks/redundancy/family.hpp"
#include "checks/redundancy/generate.hpp"
#include "tests/support/trees/redundancy.hpp"

namespace schedproof::checks::redundancy_agreement {
namespace {

using namespace redundancy;

template <class P>
std::string refusal(const P& policy, std::uint64_t cases = agreement_cases) {
    return redundancy_disagreement([&](const Rational&) { return redundancy_policy_in_modes(policy); }, cases);
}

TEST(RedundancyAgreement, HoldsForEveryRegisteredPolicy) {
    for (const PolicyInfo& info : policies()) EXPECT_EQ(RedundancyFamily::refusal(std::string(info.id)), "") << info.id;
}

/// Its parameter is of a type that the compiler cannot run: types alone do not stop it.
struct CountsCalls {
    static constexpr PolicyInfo info{"counts-calls", "test", "serves the last job in every other call"};
    static constexpr Order order = Order::arrival;
    std::shared_ptr<int> calls = std::make_shared<int>(0);
    static constexpr std::tuple parameters{Parameter("calls", &CountsCalls::calls)};
    [[nodiscard]] Allocation allocate(std::size_t n, std::size_t) const {
        Allocation one;
        const std::size_t rank = ++*calls % 2 == 0 ? n - 1 : 0;
        grant(one, rank, rank + 1, {1, 1});
        return one;
    }
};
/// Right on the numbers that the compiler tries, and on no more.
struct BeyondTheLast {
    static constexpr PolicyInfo info{"beyond-the-last", "test", "grants to a job that there is not, if there are nine"};
    static constexpr Order order = Order::arrival;
    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t) const {
        Allocation one;
        grant(one, 0, n > 8 ? n + 1 : 1, {1, n > 8 ? n + 1 : 1});
        return one;
    }
};
struct ServesNobody {
    static constexpr PolicyInfo info{"serves-nobody", "test", "grants nothing to one job"};
    static constexpr Order order = Order::arrival;
    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t) const {
        Allocation allocation;
        grant(allocation, 1, n, {1, n});
        return allocation;
    }
};

TEST(RedundancyAgreement, RefusesWhatPoliciesMustNotDependOn) {
    EXPECT_NE(refusal(CountsCalls{}).find(", it grants differently"), std::string::npos) << refusal(CountsCalls{});
    EXPECT_EQ(refusal(BeyondTheLast{}).find("it breaks a contract: a policy grants bands that do not"), 0U);
    EXPECT_EQ(refusal(ServesNobody{}).find("its jobs wait for ever"), 0U) << refusal(ServesNobody{});
    EXPECT_THROW((void)history(BeyondTheLast{}, Problem<Rational>{1, {}, Jobs<Rational>(9, {0, 1})}, 1),
                 ContractViolation);
}

/// Whether a generated policy agrees; otherwise it is refused for what it does, never for a difference between modes.
template <Order order>
bool agrees() {
    const auto tree = *trees::grant_trees<order>();
    const std::string why = refusal(trees::GrantTreePolicy<order>{tree}, 10);
    if (!tree.unchecked && tree.rest) RC_ASSERT(why == std::string());
    RC_ASSERT(why.empty() || why.find("it breaks a contract") == 0 || why.find("its jobs wait for ever") == 0);
    return why.empty();
}

TEST(RedundancyAgreement, OfGeneratedPolicies) {
    std::size_t sound = 0;
    EXPECT_TRUE(rc::check("by arrival", [&] { sound += agrees<Order::arrival>() ? 1 : 0; }));
    EXPECT_TRUE(rc::check("by remaining work", [&] { sound += agrees<Order::remaining>() ? 1 : 0; }));
    EXPECT_GT(sound, 100U);
}

}  // namespace
}  // namespace schedproof::checks::redundancy_agreement
