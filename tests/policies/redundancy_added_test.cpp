/// Policies that are added at run time: the code of a registered one behind the interface decides as it does by itself.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "checks/redundancy/family.hpp"
#include "checks/redundancy/reference_model.hpp"
#include "model/base/process.hpp"
#include "model/core/errors.hpp"
#include "policies/redundancy/any_policy.hpp"

namespace schedproof::redundancy {
namespace {

Allocation allocated(const AnyPolicy& policy, std::size_t n, std::size_t machines) {
    return ask_allocate(policy, n, machines);
}

template <class P>
class AddedRedundancyPolicy : public ::testing::Test {};
using Registered = ::testing::Types<Srpt, SrptR, Fair, FairR, Laps, LapsR, Late, RedundancyD>;
TYPED_TEST_SUITE(AddedRedundancyPolicy, Registered);

TYPED_TEST(AddedRedundancyPolicy, DecidesAsItsCode) {
    const AnyPolicy added = redundancy::added<TypeParam>();
    EXPECT_EQ(checks::policy_id(added), TypeParam::info.id);
    EXPECT_EQ(schedproof::definition(added), schedproof::definition(TypeParam()));
    EXPECT_EQ(added.order, TypeParam::order);
    EXPECT_TRUE(rc::check("the grants are the same", [&] {
        const auto n = *rc::gen::inRange<std::size_t>(1, 200), machines = *rc::gen::inRange<std::size_t>(1, 200);
        RC_ASSERT(allocated(added, n, machines) == allocated(TypeParam(), n, machines));
    }));
}

/// One copy for each of the oldest jobs; the name is nearly that of a policy with a beta.
struct Oldest {
    static constexpr PolicyInfo info{"laps-like", "me", "one copy for each of the M oldest jobs"};
    static constexpr Order order = Order::arrival;
    [[nodiscard]] constexpr Allocation allocate(std::size_t n, std::size_t machines) const {
        Allocation allocation;
        grant(allocation, 0, std::min(n, machines), {1, 1});
        return allocation;
    }
};
static_assert(admitted<Oldest>());

/// What the body returns in a process of its own, so that the registry of this one stays as it is.
std::string apart(const std::function<std::string()>& body) {
    const base::IsolatedEnd end = base::run_isolated(body, {});
    return end.answer ? *end.answer : "threw " + end.exception.value_or("nothing");
}

TEST(AddedRedundancyPolicies, AreKnownByTheirIds) {
    EXPECT_EQ(apart([] {
                  add_policy(redundancy::added<Oldest>());
                  const bool last = policies().back().id == "laps-like";
                  return std::string(resolve_policy("laps-like")) + (is_added("laps-like") ? " added" : "") +
                         (has_beta("laps-like") ? " with beta" : "") + (last ? " last" : "") +
                         checks::RedundancyFamily::refusal("laps-like");
              }),
              "laps-like added last");
    EXPECT_FALSE(is_added("srpt"));
    EXPECT_EQ(apart([] {
                  add_policy(redundancy::added<Srpt>());
                  return std::string();
              }),
              "threw policy: expected a name that no policy has, not 'srpt'");
    EXPECT_EQ(apart([] {
                  AnyPolicy unnamed = redundancy::added<Oldest>();
                  unnamed.info.id = "a b";
                  add_policy(unnamed);
                  return std::string();
              }).substr(0, 22),
              "threw policy: expected");
}

TEST(AddedRedundancyPolicies, HaveNoSpecification) {
    const AnyPolicy added = redundancy::added<Oldest>();
    EXPECT_THROW((void)checks::reference_policy(added), InputError);
    EXPECT_FALSE(checks::copies_on_all_machines(added));
}

/// Grants that depend on more than the two counts.
struct Counting {
    static constexpr PolicyInfo info{"counting", "", "every other time another grant"};
    [[nodiscard]] Allocation allocate(std::size_t n, std::size_t machines) const {
        static std::size_t calls = 0;
        Allocation allocation;
        grant(allocation, 0, ++calls % 2 == 0 ? 1 : std::min(n, machines), {1, 1});
        return allocation;
    }
};

/// The interface of a policy that the compiler would have refused: only a test can make one.
class CountingCode final : public PolicyCode {
  public:
    [[nodiscard]] Allocation allocate(std::size_t n, std::size_t machines) const override {
        return Counting().allocate(n, machines);
    }
    [[nodiscard]] std::string definition() const override { return "no parameters"; }
};

TEST(AddedRedundancyPolicies, AreRefusedWhenTheyDisagreeWithThemselves) {
    EXPECT_EQ(apart([] {
                  add_policy({Counting::info, Order::arrival, std::make_shared<const CountingCode>()});
                  return checks::RedundancyFamily::refusal("counting");
              }),
              "asked twice, it grants differently (random case 1)");
}

}  // namespace
}  // namespace schedproof::redundancy
