/// Exact probabilities along an enumeration: fractions of machine words as long as they fit.
///
/// Enumerating a slot multiplies a few small probabilities per path and adds up millions of paths. In GMP rationals
/// two thirds of that time is memory allocation and gcds of numbers that fit a register. A Fraction keeps numerator
/// and denominator in 64 bits, reduces only when they would overflow, and becomes a Rational when even that does not
/// help. It is exact either way, and is turned into a Rational once, at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof {

/// A non-negative rational number. Exact.
class Fraction {
  public:
    Fraction() = default;
    /// numerator / denominator. Requires: denominator > 0.
    Fraction(std::uint64_t numerator, std::uint64_t denominator) : numerator_(numerator), denominator_(denominator) {}
    /// Throws ContractViolation when `value` is negative.
    explicit Fraction(const Rational& value);

    [[nodiscard]] Rational rational() const;

    friend Fraction operator*(const Fraction& a, const Fraction& b) {
        Fraction product;
        if (!a.big_ && !b.big_ && !__builtin_mul_overflow(a.numerator_, b.numerator_, &product.numerator_) &&
            !__builtin_mul_overflow(a.denominator_, b.denominator_, &product.denominator_))
            return product;
        return multiply_slowly(a, b);
    }
    Fraction& operator+=(const Fraction& other) {
        std::uint64_t sum = 0;
        if (!big_ && !other.big_ && denominator_ == other.denominator_ &&
            !__builtin_add_overflow(numerator_, other.numerator_, &sum)) {
            numerator_ = sum;
            return *this;
        }
        return add_slowly(other);
    }

    /// Numbers w_i and their common denominator d with w_i / d = fractions[i] and no common factor; d is returned.
    /// Throws LimitExceeded where they pass 63 bits.
    static std::uint64_t to_common_denominator(std::span<const Fraction> fractions,
                                               std::vector<std::uint64_t>& weights);

  private:
    static std::optional<std::uint64_t> common_denominator_in_words(std::span<const Fraction> fractions,
                                                                    std::vector<std::uint64_t>& weights);
    static Fraction multiply_slowly(const Fraction& a, const Fraction& b);
    Fraction& add_slowly(const Fraction& other);

    std::uint64_t numerator_ = 0;
    std::uint64_t denominator_ = 1;
    std::shared_ptr<const Rational> big_;  // the value, when it does not fit into machine words
};

}  // namespace schedproof
