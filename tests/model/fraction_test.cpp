#include "model/core/fraction.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof {
namespace {

/// Small and huge words alike, so that products and sums stay in words, are reduced, or leave them.
std::uint64_t word() {
    const auto bits = *rc::gen::inRange(1, 65);
    const auto any = *rc::gen::arbitrary<std::uint64_t>();
    return bits == 64 ? any : any & ((std::uint64_t{1} << bits) - 1);
}

RC_GTEST_PROP(FractionProperty, AgreesWithRationals, ()) {
    Fraction fraction(1, 1);
    Rational rational = 1;
    for (int i = 0; i < 8; ++i) {
        const std::uint64_t p = word(), q = word() | 1;
        const Rational other = Rational(Integer(p), Integer(q));
        if (*rc::gen::arbitrary<bool>()) {
            fraction = fraction * Fraction(p, q);
            rational *= other;
        } else {
            fraction += Fraction(p, q);
            rational += other;
        }
        RC_ASSERT(fraction.rational() == rational);
        RC_ASSERT(Fraction(rational).rational() == rational);
    }
}

TEST(Fraction, LeavesTheWordsWithoutWrapping) {
    constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
    Fraction sum(largest, 3);
    sum += Fraction(largest, 3);
    EXPECT_EQ(sum.rational(), Rational(Integer(largest), Integer(3)) * Rational(2));
    EXPECT_EQ((Fraction(1, largest) * Fraction(1, largest)).rational(),
              Rational(1) / Rational(Integer(largest)) / Rational(Integer(largest)));
    EXPECT_THROW(Fraction(Rational(-1)), ContractViolation);
}

}  // namespace
}  // namespace schedproof
