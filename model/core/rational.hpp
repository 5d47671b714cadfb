/// Exact rational numbers.
///
/// A thin value around Boost.Multiprecision's GMP rational. It exists for what it refuses: no floating-point number
/// converts into it, explicitly or not, so `Rational q = 0.1` does not compile anywhere. Inputs are integers,
/// fractions or decimal strings; doubles come out of it for display only, through `approximate`.
#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <compare>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>

namespace schedproof {

/// Unbounded integer.
using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;

/// A number p/q in lowest terms, q > 0. Exact, unbounded.
class Rational {
  public:
    using Backend = boost::multiprecision::number<boost::multiprecision::gmp_rational, boost::multiprecision::et_off>;

    // A call costs little beside what GMP does, and what would be inlined makes callers several times as long: so
    // copies and arithmetic are calls.
    Rational();
    Rational(const Rational& other);
    Rational(Rational&& other) noexcept : value_(std::move(other.value_)) {}
    Rational& operator=(const Rational& other);
    Rational& operator=(Rational&& other) noexcept {
        value_ = std::move(other.value_);
        return *this;
    }
    ~Rational();
    template <std::integral I>
    // NOLINTNEXTLINE(google-explicit-constructor): an integer is one
    Rational(I value) : Rational(SignedMagnitude::of(value)) {}
    Rational(const Integer& value);  // NOLINT(google-explicit-constructor)
    template <std::floating_point F>
    Rational(F) = delete;

    /// p/q. Throws ContractViolation when q is zero.
    Rational(const Integer& p, const Integer& q);

    /// Wraps a canonical GMP rational.
    [[nodiscard]] static Rational from_gmp(mpq_srcptr value);

    /// Reads `7`, `-3/4`, `0.125` or `1.5e-3`, exactly. The error says what was expected.
    /// Range: at most `max_digits` digits in all and a decimal exponent of at most `max_digits`.
    /// Files that this program writes itself may hold longer results than a person would give: they are read with
    /// `max_result_digits`.
    [[nodiscard]] static tl::expected<Rational, std::string> parse(std::string_view text,
                                                                   std::size_t max_digits = max_input_digits);
    static constexpr std::size_t max_input_digits = 1000;
    static constexpr std::size_t max_result_digits = 1'000'000;

    [[nodiscard]] Integer numerator() const { return boost::multiprecision::numerator(value_); }
    [[nodiscard]] Integer denominator() const { return boost::multiprecision::denominator(value_); }
    [[nodiscard]] mpq_srcptr gmp() const { return value_.backend().data(); }
    [[nodiscard]] int sign() const { return mpq_sgn(gmp()); }
    [[nodiscard]] bool is_integer() const { return mpz_cmp_ui(mpq_denref(gmp()), 1) == 0; }

    /// `p/q`, or `p` for an integer.
    [[nodiscard]] std::string to_string() const { return value_.str(); }
    /// The nearest double, for display only.
    [[nodiscard]] double approximate() const { return mpq_get_d(gmp()); }

    Rational& operator+=(const Rational& other);
    Rational& operator-=(const Rational& other);
    Rational& operator*=(const Rational& other);
    /// Throws ContractViolation on division by zero.
    Rational& operator/=(const Rational& other);

    friend Rational operator+(Rational a, const Rational& b) { return a += b; }
    friend Rational operator-(Rational a, const Rational& b) { return a -= b; }
    friend Rational operator*(Rational a, const Rational& b) { return a *= b; }
    friend Rational operator/(Rational a, const Rational& b) { return a /= b; }
    friend Rational operator-(Rational a) {
        mpq_neg(a.value_.backend().data(), a.gmp());
        return a;
    }

    friend bool operator==(const Rational& a, const Rational& b) { return mpq_equal(a.gmp(), b.gmp()) != 0; }
    friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
        return mpq_cmp(a.gmp(), b.gmp()) <=> 0;
    }
    friend std::ostream& operator<<(std::ostream& out, const Rational& q);

  private:
    /// A machine integer of any type, as GMP takes it.
    struct SignedMagnitude {
        bool negative;
        unsigned long magnitude;
        template <std::integral I>
        [[nodiscard]] static constexpr SignedMagnitude of(I value) {
            static_assert(sizeof(I) <= sizeof(unsigned long));
            using Widest = std::conditional_t<std::signed_integral<I>, long, unsigned long>;
            const auto bits = static_cast<unsigned long>(static_cast<Widest>(value));
            bool negative = false;
            if constexpr (std::signed_integral<I>) negative = value < 0;
            return {negative, negative ? 0 - bits : bits};
        }
    };
    explicit Rational(SignedMagnitude value);

    Backend value_;
};

/// `p/q (approx. d)`, or `p` for an integer: how the command prints a number.
[[nodiscard]] std::string display(const Rational& q);

/// base^exponent, of either sign; 0^0 = 1. Requires another base than 0 for a negative exponent.
[[nodiscard]] Rational to_the_power(const Rational& base, std::int64_t exponent);

/// The largest integer at most q, and the integer nearest to q (the larger of two).
[[nodiscard]] Integer floor(const Rational& q);
[[nodiscard]] inline Integer nearest_integer(const Rational& q) { return floor(q + Rational(Integer(1), Integer(2))); }

/// Smallest positive integer that makes every given value integral when multiplied by it; 1 for an empty range.
template <class Range>
[[nodiscard]] Integer common_denominator(const Range& values) {
    Integer common = 1;
    for (const Rational& value : values) common = lcm(common, value.denominator());
    return common;
}

}  // namespace schedproof
