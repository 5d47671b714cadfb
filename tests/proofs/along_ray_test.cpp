/// The drift along a ray: one form for all its states far out, which those states confirm one by one.
#include "proofs/queueing/drift/along_ray.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "tests/support/instances.hpp"

namespace schedproof::queueing {
namespace {

using testing_support::q;
using testing_support::two_servers;

/// A policy on an instance in both exact modes.
struct Ray {
    explicit Ray(const char* id, Instance its_instance)
        : instance(std::move(its_instance)),
          policy(make_policy(id, instance, {})),
          symbolic(instance, policy),
          exact(instance, policy) {}
    Instance instance;
    AnyPolicy policy;
    SymbolicSystem symbolic;
    ExactSystem exact;

    [[nodiscard]] RayDrift drift(const ExactState& start, const Direction& direction, const char* v) const {
        return drift_along(symbolic, exact, start, direction, named_lyapunov(v, instance, symbolic.layout()));
    }
};

RC_GTEST_PROP(AlongARay, EveryStateFarOutHasTheDriftOfTheForm, ()) {
    const Ray ray(*rc::gen::element("wang-jsq-maxweight", "jsq-maxweight", "pandas:plain", "balanced-pandas"),
                  two_servers("4/5", "1/5", "9/10", "1/4"));
    ExactState start = ray.exact.initial();
    Direction direction;
    const auto growing = *rc::gen::inRange<std::size_t>(0, start.length.size());
    for (CheckedInt& n : start.length) {
        n = CheckedInt(*rc::gen::inRange<std::int64_t>(0, 20));
        direction.push_back(*rc::gen::inRange<std::int64_t>(direction.size() == growing ? 1 : 0, 5));
    }
    const LyapunovForm v = named_lyapunov("squares", ray.instance, ray.symbolic.layout());
    const RayDrift found = drift_along(ray.symbolic, ray.exact, start, direction, v);
    for (const std::int64_t further : {0, 3, 1000, 1'000'000}) {
        const std::int64_t k = found.from + further;
        RC_ASSERT(drift(ray.exact, along(start, direction, k), v) == found.constant + found.slope * Rational(k));
    }
}

/// A queue that gets 9/10 tasks a slot and serves 4/5 grows; ||Q||^2 rises along it for ever.
TEST(AlongARay, ASlopeThatIsNotNegativeStaysAboveAnyBound) {
    const Ray alone("random-local", two_servers("4/5", "1/5", "9/10", "1/4"));
    ExactState start = alone.exact.initial();
    const RayDrift up = alone.drift(start, {1, 0}, "squares");
    EXPECT_GT(up.slope, Rational(0));
    EXPECT_TRUE(up.stays_above(Rational(-1)));
    EXPECT_FALSE(alone.drift(start, {0, 1}, "squares").stays_above(Rational(-1)));
    // The sum of all queues falls by a constant: above -1, however far.
    const RayDrift level = alone.drift(start, {0, 1}, "total");
    EXPECT_EQ(level.slope, Rational(0));
    EXPECT_TRUE(level.stays_above(Rational(-1)));
    EXPECT_FALSE(level.stays_above(level.constant));
}

/// Just below capacity the drift is above -1 at all states that one would try, and falls for ever all the same.
TEST(AlongARay, ASlightSlopeIsASlope) {
    const Ray close("jsq-maxweight",
                    two_servers("4/5", "1/5", "799999999999999/1000000000000000", "799999999999999/1000000000000000"));
    const ExactState start = close.exact.initial();
    const LyapunovForm v = named_lyapunov("regret", close.instance, close.symbolic.layout());
    EXPECT_GT(drift(close.exact, along(start, {1, 1}, 1'000'000'000), v), Rational(-1));
    const RayDrift found = close.drift(start, {1, 1}, "regret");
    EXPECT_LT(found.slope, Rational(0));
    EXPECT_FALSE(found.stays_above(Rational(-1)));
}

TEST(AlongARay, ADirectionMustLeadOn) {
    const Ray ray("jsq-maxweight", two_servers("4/5", "1/5", "1/2", "1/2"));
    const ExactState start = ray.exact.initial();
    EXPECT_THROW((void)ray.drift(start, {0, 0}, "squares"), ContractViolation);
    EXPECT_THROW((void)ray.drift(start, {1, -1}, "squares"), ContractViolation);
    EXPECT_THROW((void)ray.drift(start, {1}, "squares"), ContractViolation);
}

}  // namespace
}  // namespace schedproof::queueing
