/// Two policies on a family of loads: the slack up to which one has more tasks, and bounds that only look apart.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/queueing/codec/codec.hpp"
#include "proofs/queueing/heavy_traffic/lower_search.hpp"
#include "proofs/queueing/heavy_traffic/policy_comparison.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::heavy_traffic {
namespace {

using queueing::HeavyRayTheorem;
using queueing::HeavyUpperTheorem;
using queueing::Instance;
using testing_support::q;

/// Bounds on the family of Counterexample N3, whose numbers need not be true of any policy: the comparison is about
/// numbers alone.
struct Bounds {
    Instance family = queueing::read_instance(SCHEDPROOF_SOURCE_DIR "/experiments/instances/slack-two-levels.toml");
    HeavyRayTheorem more;
    HeavyUpperTheorem fewer;

    Bounds() {
        more.lower = best_lower(family);
        more.collapse.base = fewer.collapse.base = q("2");
        more.collapse.rate = fewer.collapse.rate = q("1/10");
        more.collapse.bound = fewer.collapse.bound = q("10");
        more.collapse.forms.resize(1), fewer.collapse.forms.resize(1);
        more.factor = q("20/17");
        fewer.prices = more.lower.prices;
        fewer.constant = more.lower.constant;
        fewer.largest_loss = q("1");
        fewer.tasks = HeavyUpperTheorem::Tasks{};
    }
};

/// The bounds themselves, at many slacks below: where they are said to be apart they are.
RC_GTEST_PROP(HeavyTrafficComparison, BoundsAreApartAtEverySmallerSlack, ()) {
    Bounds b;
    const auto draw = [](int most) { return Rational(Integer(*rc::gen::inRange(0, most)), Integer(8)); };
    b.more.spread = draw(40), b.more.constant = draw(80) - q("5");
    b.fewer.spread = draw(400), b.fewer.with_loss = draw(400) - q("25");
    b.fewer.collapse.base = q("3/2") + draw(8);
    const std::optional<Rational> from = largest_exceeded(b.family, b.more, b.fewer);
    RC_ASSERT(from.has_value());  // the factor is above 1, so it is found somewhere
    Rational eps = *from;
    for (int i = 0; i < 12; ++i, eps = eps * q("1/2"))
        RC_ASSERT(b.more.tasks_at_least(b.family, eps) > b.fewer.tasks_at_most(b.family, eps));
    RC_TAG(*from == b.family.slack().up_to ? "at all slacks" : "at small slacks");
}

/// At the largest slack the bounds are apart, and at smaller ones the logarithm overtakes: not a statement for all.
TEST(HeavyTrafficComparison, BoundsThatMeetAtASmallerSlackAreNotApart) {
    Bounds b;
    const Rational& up_to = b.family.slack().up_to;
    b.fewer.spread = q("10");
    b.fewer.with_loss = b.more.tasks_at_least(b.family, up_to) - b.fewer.tasks_at_most(b.family, up_to) - q("1/10");
    EXPECT_GT(b.more.tasks_at_least(b.family, up_to), b.fewer.tasks_at_most(b.family, up_to));
    EXPECT_LT(b.more.tasks_at_least(b.family, up_to / 4), b.fewer.tasks_at_most(b.family, up_to / 4));
    EXPECT_FALSE(exceeds_up_to(b.family, b.more, b.fewer, up_to));
    EXPECT_LT(*largest_exceeded(b.family, b.more, b.fewer), up_to / 4);
}

TEST(HeavyTrafficComparison, BoundsOfOneLimitAreNeverApart) {
    Bounds b;
    b.more.factor = q("1");
    b.fewer.with_loss = q("-1000");
    EXPECT_FALSE(largest_exceeded(b.family, b.more, b.fewer));
}

}  // namespace
}  // namespace schedproof::heavy_traffic
