#include "model/core/fraction.hpp"

#include <numeric>

#include "model/core/errors.hpp"

namespace schedproof {

Fraction::Fraction(const Rational& value) {
    require(value.sign() >= 0, "a fraction of a probability is not negative");
    if (mpz_fits_ulong_p(mpq_numref(value.gmp())) != 0 && mpz_fits_ulong_p(mpq_denref(value.gmp())) != 0) {
        numerator_ = mpz_get_ui(mpq_numref(value.gmp()));
        denominator_ = mpz_get_ui(mpq_denref(value.gmp()));
    } else {
        big_ = std::make_shared<const Rational>(value);
    }
}

Rational Fraction::rational() const { return big_ ? *big_ : Rational(Integer(numerator_), Integer(denominator_)); }

Fraction Fraction::multiply_slowly(const Fraction& a, const Fraction& b) {
    return Fraction(a.rational() * b.rational());
}

Fraction& Fraction::add_slowly(const Fraction& other) {
    if (!big_ && !other.big_) {
        const std::uint64_t common = std::gcd(denominator_, other.denominator_);
        const std::uint64_t mine = other.denominator_ / common, others = denominator_ / common;
        std::uint64_t left = 0, right = 0, sum = 0, denominator = 0;
        if (!__builtin_mul_overflow(numerator_, mine, &left) &&
            !__builtin_mul_overflow(other.numerator_, others, &right) && !__builtin_add_overflow(left, right, &sum) &&
            !__builtin_mul_overflow(denominator_, mine, &denominator)) {
            numerator_ = sum;
            denominator_ = denominator;
            return *this;
        }
    }
    return *this = Fraction(rational() + other.rational());
}

}  // namespace schedproof
