/// AffineCount: a number of skips, tasks or ticks of which no more is known than that it is an integer.
///
/// The views answer it where a policy is run for all inputs at once: a constant plus integer multiples of symbols.
/// Sums, differences and multiples by integers are such numbers too. What a comparison comes to is asked of an oracle,
/// once for each way it can go. A product of two, a quotient or a conversion to a machine integer does not exist, and
/// since every policy is compiled on these numbers (archetype.hpp), one that needs any of them does not compile.
/// Without symbols it is a constant, which the compiler can compute with.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "model/core/errors.hpp"

namespace schedproof::sharing {

class AffineCount;

namespace detail {

inline constexpr const char* within_64_bits = "a policy counts within 64 bits";

/// Throws ContractViolation where the integer leaves 64 bits with a sign. Not a member: clang 14 finds no definition of
/// one while the compiler runs a policy.
template <std::integral I>
[[nodiscard]] constexpr std::int64_t signed_64(I value) {
    const auto converted = static_cast<std::int64_t>(value);
    if (std::is_unsigned_v<I> && converted < 0) throw ContractViolation(within_64_bits);
    return converted;
}

}  // namespace detail

/// Who knows on which side of a comparison the inputs are.
class CountOracle {
  public:
    /// Whether the number is above 0 (strict), or at least 0.
    [[nodiscard]] virtual bool exceeds_zero(const AffineCount& number, bool strict) const = 0;

  protected:
    ~CountOracle() = default;
};

class AffineCount {
  public:
    static constexpr std::size_t most_symbols = 40;

    constexpr AffineCount() = default;
    /// Throws ContractViolation where the integer leaves 64 bits with a sign.
    template <std::integral I>
    constexpr AffineCount(I value)  // NOLINT(google-explicit-constructor): integers are counts
        : constant_(detail::signed_64(value)) {}
    template <std::floating_point F>
    AffineCount(F) = delete;
    /// The symbol of this number, from 0. The oracle outlives it.
    AffineCount(std::size_t symbol, const CountOracle& oracle) : oracle_(&oracle) {
        require(symbol < most_symbols, "an affine count has few symbols");
        factors_[symbol] = 1;
    }

    [[nodiscard]] constexpr std::int64_t constant() const { return constant_; }
    /// What each symbol is multiplied by.
    [[nodiscard]] constexpr const std::array<std::int64_t, most_symbols>& factors() const { return factors_; }

    friend constexpr AffineCount operator+(const AffineCount& a, const AffineCount& b) { return a.plus(1, b); }
    friend constexpr AffineCount operator-(const AffineCount& a, const AffineCount& b) { return a.plus(-1, b); }
    friend constexpr AffineCount operator-(const AffineCount& a) { return AffineCount().plus(-1, a); }
    template <std::integral I>
    friend constexpr AffineCount operator*(I factor, const AffineCount& a) {
        return AffineCount().plus(detail::signed_64(factor), a);
    }
    template <std::integral I>
    friend constexpr AffineCount operator*(const AffineCount& a, I factor) {
        return factor * a;
    }
    friend AffineCount operator*(const AffineCount&, const AffineCount&) = delete;
    constexpr AffineCount& operator+=(const AffineCount& b) { return *this = plus(1, b); }
    constexpr AffineCount& operator-=(const AffineCount& b) { return *this = plus(-1, b); }
    constexpr AffineCount& operator++() { return *this += 1; }

    friend constexpr bool operator<(const AffineCount& a, const AffineCount& b) { return (b - a).exceeds_zero(true); }
    friend constexpr bool operator>(const AffineCount& a, const AffineCount& b) { return (a - b).exceeds_zero(true); }
    friend constexpr bool operator<=(const AffineCount& a, const AffineCount& b) { return (b - a).exceeds_zero(false); }
    friend constexpr bool operator>=(const AffineCount& a, const AffineCount& b) { return (a - b).exceeds_zero(false); }
    friend constexpr bool operator==(const AffineCount& a, const AffineCount& b) { return a >= b && a <= b; }

  private:
    [[nodiscard]] constexpr bool exceeds_zero(bool strict) const {
        if (oracle_ != nullptr) return oracle_->exceeds_zero(*this, strict);
        return strict ? constant_ > 0 : constant_ >= 0;
    }
    /// Throws ContractViolation where a number leaves 64 bits.
    [[nodiscard]] constexpr AffineCount plus(std::int64_t factor, const AffineCount& other) const {
        AffineCount sum = *this;
        if (sum.oracle_ == nullptr) sum.oracle_ = other.oracle_;
        bool overflowed = add(sum.constant_, factor, other.constant_);
        // Only what has an oracle has symbols.
        for (std::size_t s = 0; other.oracle_ != nullptr && s < most_symbols; ++s)
            overflowed = add(sum.factors_[s], factor, other.factors_[s]) || overflowed;
        if (overflowed) throw ContractViolation(detail::within_64_bits);
        return sum;
    }
    [[nodiscard]] static constexpr bool add(std::int64_t& sum, std::int64_t factor, std::int64_t value) {
        std::int64_t product = 0;
        const bool overflowed = __builtin_mul_overflow(factor, value, &product);
        return __builtin_add_overflow(sum, product, &sum) || overflowed;
    }

    std::int64_t constant_ = 0;
    std::array<std::int64_t, most_symbols> factors_{};
    const CountOracle* oracle_ = nullptr;
};

}  // namespace schedproof::sharing
