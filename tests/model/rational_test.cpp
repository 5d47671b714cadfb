#include "model/core/rational.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "model/core/errors.hpp"
#include "model/core/number.hpp"

namespace schedproof {
namespace {

Rational fraction(int p, int q) { return Rational(Integer(p), Integer(q)); }

RC_GTEST_PROP(RationalProperty, TextRoundTrip, (int p, int q)) {
    RC_PRE(q != 0);
    const Rational value = fraction(p, q);
    RC_ASSERT(Rational::parse(value.to_string()) == value);
}

RC_GTEST_PROP(RationalProperty, OrderIsThatOfCrossProducts, (int a, int b, int c, int d)) {
    RC_PRE(b != 0 && d != 0);
    const auto sign = [](std::int64_t x) { return (x > 0) - (x < 0); };
    // a/b < c/d iff a d < c b, when b d > 0.
    __extension__ using Wide = __int128;
    const Wide left = Wide{a} * d, right = Wide{c} * b;
    const bool less = sign(b) * sign(d) > 0 ? left < right : left > right;
    RC_ASSERT((fraction(a, b) < fraction(c, d)) == less);
    RC_ASSERT((fraction(a, b) == fraction(c, d)) == (left == right));
}

RC_GTEST_PROP(RationalProperty, FieldLaws, (int a, int c)) {
    const auto b = *rc::gen::inRange(1, 1000);
    const auto d = *rc::gen::inRange(1, 1000);
    const Rational x = fraction(a, b), y = fraction(c, d);
    RC_ASSERT(x + y - y == x);
    if (y.sign() != 0) RC_ASSERT(x * y / y == x);
    RC_ASSERT(x * (y + Rational(1)) == x * y + x);
}

TEST(Rational, ReadsFractionsAndDecimalsExactly) {
    EXPECT_EQ(*Rational::parse("0.1"), fraction(1, 10));
    EXPECT_EQ(*Rational::parse("-3/4"), fraction(-3, 4));
    EXPECT_EQ(*Rational::parse("+7"), Rational(7));
    EXPECT_EQ(*Rational::parse("1.5e-3"), fraction(3, 2000));
    EXPECT_EQ(*Rational::parse("2E+2"), Rational(200));
    EXPECT_EQ(*Rational::parse("6/8"), fraction(3, 4));
    EXPECT_EQ(*Rational::parse(".5"), fraction(1, 2));
}

TEST(Rational, RefusesWhatIsNoExactNumber) {
    for (const char* text :
         {"",      "-",    ".",           "1/0",     "nan", "inf", "1e",   "1/2/3", "0x10",
          "1 ",    " 1",   "1e999999999", "1e-2000", "--1", "1,5", "1/-2", "e5",    "1e99999999999999999999999",
          "1e+-5", "1e-+5"})
        EXPECT_FALSE(Rational::parse(text)) << text;
    EXPECT_FALSE(Rational::parse(std::string(5000, '9')));
    EXPECT_FALSE(Rational::parse("1/" + std::string(5000, '9')));
}

TEST(Rational, DisplaysFractionsWithTheirApproximation) {
    EXPECT_EQ(display(fraction(37, 38)), "37/38 (approx. 0.973684)");
    EXPECT_EQ(display(Rational(3)), "3");
}

TEST(Rational, IsMadeOfMachineIntegersOfEveryType) {
    EXPECT_EQ(Rational(std::numeric_limits<std::int64_t>::min()).to_string(), "-9223372036854775808");
    EXPECT_EQ(Rational(std::numeric_limits<std::uint64_t>::max()).to_string(), "18446744073709551615");
    EXPECT_EQ(Rational(static_cast<std::int8_t>(-128)).to_string(), "-128");
    EXPECT_EQ(Rational(true).to_string(), "1");
    EXPECT_EQ(Rational(true, false + 100).to_string(), "1/100");  // numerator and denominator, whatever their types
}

TEST(Rational, LastsAfterItWasMovedFromAndGivenAnotherValue) {
    Rational a(7), b = std::move(a);
    a = Rational(3);
    a += b;
    EXPECT_EQ(a.to_string(), "10");
    b = std::move(a);
    EXPECT_EQ(b.to_string(), "10");
}

TEST(Rational, DivisionByZeroIsAContractViolation) {
    EXPECT_THROW(Rational(1) / Rational(0), ContractViolation);
    EXPECT_THROW(Rational(Integer(1), Integer(0)), ContractViolation);
}

TEST(CheckedInt, OverflowIsAnErrorNotAWrap) {
    const CheckedInt largest(std::numeric_limits<std::int64_t>::max());
    EXPECT_THROW((void)(largest + CheckedInt(1)), LimitExceeded);
    EXPECT_THROW((void)(CheckedInt(-2) - largest), LimitExceeded);
    EXPECT_THROW((void)(largest * CheckedInt(2)), LimitExceeded);
    EXPECT_EQ((CheckedInt(3) * CheckedInt(4) - CheckedInt(2)).value(), 10);
    EXPECT_THROW((void)NumberTraits<CheckedInt>::coefficient(fraction(1, 2)), LimitExceeded);
    EXPECT_THROW((void)NumberTraits<CheckedInt>::coefficient(*Rational::parse("1e30")), LimitExceeded);
}

TEST(Power, OfARationalHasEitherSign) {
    EXPECT_EQ(to_the_power(fraction(-2, 3), 3), fraction(-8, 27));
    EXPECT_EQ(to_the_power(fraction(-2, 3), -3), fraction(-27, 8));
    EXPECT_EQ(to_the_power(Rational(0), 0), Rational(1));
    EXPECT_EQ(to_the_power(fraction(7, 5), -1), fraction(5, 7));
    EXPECT_THROW((void)to_the_power(Rational(0), -1), ContractViolation);
}

TEST(Power, NeedsProductsOnlyAboveOne) {
    EXPECT_EQ(power(Rational(3), 4), Rational(81));
    EXPECT_NO_THROW((void)power(NumberArchetype(3), 1));
    EXPECT_THROW((void)power(NumberArchetype(3), 2), LimitExceeded);
}

}  // namespace
}  // namespace schedproof
