/// The number concept: all that a policy may do with a quantity it compares.
///
/// A policy is run on three kinds of number: `CheckedInt` when simulating, `Rational` when enumerating, and a symbolic
/// affine form when a statement about all inputs is proved. What all three offer is an ordered vector space:
/// sums, differences, multiples by constants of the instance, comparisons. A product of two quantities is not
/// affine, a conversion to a machine number would leave the exact world; neither compiles.
/// `NumberArchetype` has exactly these operations and nothing else, and every registered policy is instantiated on it.
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstdint>
#include <functional>

#include "model/core/errors.hpp"
#include "model/core/rational.hpp"

namespace schedproof {

/// A 64-bit integer whose overflow is an error. Throws LimitExceeded where the machine would wrap around.
class CheckedInt {
  public:
    constexpr CheckedInt() = default;
    constexpr CheckedInt(std::int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor)
    template <std::floating_point F>
    CheckedInt(F) = delete;

    [[nodiscard]] constexpr std::int64_t value() const { return value_; }

    friend CheckedInt operator+(CheckedInt a, CheckedInt b) {
        return checked(__builtin_add_overflow(a.value_, b.value_, &a.value_), a);
    }
    friend CheckedInt operator-(CheckedInt a, CheckedInt b) {
        return checked(__builtin_sub_overflow(a.value_, b.value_, &a.value_), a);
    }
    friend CheckedInt operator*(CheckedInt a, CheckedInt b) {
        return checked(__builtin_mul_overflow(a.value_, b.value_, &a.value_), a);
    }
    CheckedInt& operator+=(CheckedInt other) { return *this = *this + other; }
    CheckedInt& operator-=(CheckedInt other) { return *this = *this - other; }
    friend constexpr auto operator<=>(CheckedInt, CheckedInt) = default;

  private:
    static CheckedInt checked(bool overflowed, CheckedInt result) {
        if (overflowed) throw_overflow();
        return result;
    }
    [[noreturn]] static void throw_overflow();
    std::int64_t value_ = 0;
};

/// How constants of the instance become multipliers of a number. Specialise for each number type.
template <class N>
struct NumberTraits;

template <>
struct NumberTraits<CheckedInt> {
    using Coefficient = CheckedInt;
    static constexpr const char* limit = "64-bit integers";  ///< name of the LimitExceeded of this number
    /// Throws LimitExceeded when `value` is no 64-bit integer.
    static Coefficient coefficient(const Rational& value);
};

template <>
struct NumberTraits<Rational> {
    using Coefficient = Rational;
    static Coefficient coefficient(const Rational& value) { return value; }
};

template <class N>
using Coefficient = typename NumberTraits<N>::Coefficient;

template <class N>
concept Number = std::copyable<N> && std::default_initializable<N> && std::convertible_to<std::int64_t, N> &&
    requires(const N& a, const N& b, const Coefficient<N>& c, const Rational& q) {
    { NumberTraits<N>::coefficient(q) } -> std::convertible_to<Coefficient<N>>;
    { a + b } -> std::convertible_to<N>;
    { a - b } -> std::convertible_to<N>;
    { c* a } -> std::convertible_to<N>;
    { a < b } -> std::convertible_to<bool>;
    { a <= b } -> std::convertible_to<bool>;
    { a > b } -> std::convertible_to<bool>;
    { a >= b } -> std::convertible_to<bool>;
    { a == b } -> std::convertible_to<bool>;
};

/// What a policy is compiled against: the operations of `Number`, and no other.
class NumberArchetype {
  public:
    /// A multiplier; it multiplies a number and does nothing else.
    class Multiplier {
        friend NumberArchetype operator*(const Multiplier&, const NumberArchetype& n) { return n; }
    };

    NumberArchetype() = default;
    NumberArchetype(std::int64_t) {}  // NOLINT(google-explicit-constructor): as in all execution modes
    template <std::floating_point F>
    NumberArchetype(F) = delete;
    friend NumberArchetype operator+(const NumberArchetype& a, const NumberArchetype&) { return a; }
    friend NumberArchetype operator-(const NumberArchetype& a, const NumberArchetype&) { return a; }
    friend bool operator<(const NumberArchetype&, const NumberArchetype&) { return false; }
    friend bool operator<=(const NumberArchetype&, const NumberArchetype&) { return true; }
    friend bool operator>(const NumberArchetype&, const NumberArchetype&) { return false; }
    friend bool operator>=(const NumberArchetype&, const NumberArchetype&) { return true; }
    friend bool operator==(const NumberArchetype&, const NumberArchetype&) { return true; }
};

template <>
struct NumberTraits<NumberArchetype> {
    using Coefficient = NumberArchetype::Multiplier;
    static Coefficient coefficient(const Rational&) { return {}; }
};

static_assert(Number<CheckedInt> && Number<Rational> && Number<NumberArchetype>);

/// k n, for an integer k.
template <Number N>
[[nodiscard]] N times(std::int64_t k, const N& n) {
    if constexpr (requires { N(N(k) * n); })
        return N(k) * n;
    else
        return NumberTraits<N>::coefficient(Rational(k)) * n;
}

/// The largest k in 0..limit with k step <= room; 0 when room is negative. Requires step > 0 and limit >= 0.
/// Cost: a division, where N has one; otherwise a comparison per unit of the answer, which a symbolic number forks on.
template <Number N>
[[nodiscard]] std::int64_t whole_parts(const N& room, const N& step, std::int64_t limit) {
    if constexpr (std::same_as<N, CheckedInt>) {
        return room.value() < 0 ? 0 : std::min(limit, room.value() / step.value());
    } else if constexpr (std::same_as<N, Rational>) {
        const Integer parts = room.sign() < 0 ? Integer(0) : floor(room / step);
        return parts >= limit ? limit : parts.convert_to<std::int64_t>();
    } else {
        std::int64_t k = 0;
        while (k < limit && times(k + 1, step) <= room) ++k;
        return k;
    }
}

/// base^exponent, for the polynomial holding costs of the generalised c-mu rule.
/// Requires exponent >= 1. Throws LimitExceeded for exponent > 1 on a number without products (the symbolic one):
/// the question then ends as Unknown, naming this limit.
template <Number N>
[[nodiscard]] N power(const N& base, unsigned exponent) {
    require(exponent >= 1, "power needs an exponent of at least one");
    N result = base;
    for (unsigned i = 1; i < exponent; ++i) {
        if constexpr (requires { N(base * base); }) {
            result = N(result * base);
        } else {
            throw LimitExceeded("affine numbers", "a cost of degree above two has a marginal cost that is not affine");
        }
    }
    return result;
}

}  // namespace schedproof

template <>
struct std::hash<schedproof::CheckedInt> {
    std::size_t operator()(const schedproof::CheckedInt& n) const noexcept {
        return static_cast<std::size_t>(n.value());
    }
};
