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

std::optional<std::uint64_t> Fraction::common_denominator_in_words(std::span<const Fraction> fractions,
                                                                   std::vector<std::uint64_t>& weights) {
    std::uint64_t common = 1;
    for (const Fraction& fraction : fractions) {
        if (fraction.big_) return {};
        if (common % fraction.denominator_ == 0) continue;
        const std::uint64_t more = fraction.denominator_ / std::gcd(common, fraction.denominator_);
        if (__builtin_mul_overflow(common, more, &common)) return {};
    }
    std::uint64_t factor = common;
    weights.clear();
    for (const Fraction& fraction : fractions) {
        std::uint64_t weight = 0;
        if (__builtin_mul_overflow(fraction.numerator_, common / fraction.denominator_, &weight)) return {};
        weights.push_back(weight);
        if (factor != 1) factor = std::gcd(factor, weight);
    }
    if (factor != 1)
        for (std::uint64_t& weight : weights) weight /= factor;
    return common / factor;
}

std::uint64_t Fraction::to_common_denominator(std::span<const Fraction> fractions,
                                              std::vector<std::uint64_t>& weights) {
    const auto narrow = [](const Integer& value) {
        if (value >= Integer(1) << 63U)
            throw LimitExceeded("63 bits", "the common denominator of a slot's probabilities");
        return static_cast<std::uint64_t>(value);
    };
    if (const auto common = common_denominator_in_words(fractions, weights)) return narrow(Integer(*common));
    std::vector<Rational> values;
    for (const Fraction& fraction : fractions) values.push_back(fraction.rational());
    const Integer common = common_denominator(values);
    weights.clear();
    for (const Rational& value : values) weights.push_back(narrow((value * Rational(common)).numerator()));
    return narrow(common);
}

}  // namespace schedproof
