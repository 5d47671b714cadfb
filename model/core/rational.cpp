/// Exact rationals on GMP: reading, printing, and the operations that need care.
///
/// A number is read as an integer, a fraction or a decimal with an exponent, and is exact in every form; binary
/// floating point is never involved. Exponents and lengths are limited before a number is built, so that a short text
/// cannot demand a number of gigabytes. Printing for people shortens a long fraction to its first digits, its length
/// and an approximation; files always carry the exact text.
#include "model/core/rational.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <ostream>

#include "model/core/errors.hpp"

namespace schedproof {

Rational::Rational() = default;
Rational::Rational(const Rational& other) = default;
Rational& Rational::operator=(const Rational& other) = default;
Rational::~Rational() = default;

Rational::Rational(SignedMagnitude value) {
    mpq_set_ui(value_.backend().data(), value.magnitude, 1);
    if (value.negative) mpq_neg(value_.backend().data(), gmp());
}

Rational::Rational(const Integer& value) : value_(value) {}

Rational& Rational::operator+=(const Rational& other) {
    mpq_add(value_.backend().data(), gmp(), other.gmp());
    return *this;
}
Rational& Rational::operator-=(const Rational& other) {
    mpq_sub(value_.backend().data(), gmp(), other.gmp());
    return *this;
}
Rational& Rational::operator*=(const Rational& other) {
    mpq_mul(value_.backend().data(), gmp(), other.gmp());
    return *this;
}

Rational::Rational(const Integer& p, const Integer& q) {
    require(q != 0, "a rational needs a denominator other than zero");
    value_ = Backend(p, q);
}

Rational Rational::from_gmp(mpq_srcptr value) {
    Rational result;
    mpq_set(result.value_.backend().data(), value);
    return result;
}

Rational& Rational::operator/=(const Rational& other) {
    require(other.sign() != 0, "division of a rational by zero");
    value_ /= other.value_;
    return *this;
}

std::ostream& operator<<(std::ostream& out, const Rational& q) { return out << q.to_string(); }

Integer floor(const Rational& q) {
    Integer quotient;
    mpz_fdiv_q(quotient.backend().data(), mpq_numref(q.gmp()), mpq_denref(q.gmp()));
    return quotient;
}

std::string display(const Rational& q) {
    if (q.is_integer() && q.to_string().size() <= 40) return q.to_string();
    // Beyond this many characters a person reads the approximation; JSON always carries the exact text.
    constexpr std::size_t readable = 60;
    const std::string exact = q.to_string();
    if (exact.size() <= readable) return fmt::format("{} (approx. {:.6g})", exact, q.approximate());
    const std::size_t slash = std::min(exact.find('/'), exact.size());
    return fmt::format("{}.../{}... ({} + {} digits, approx. {:.10g})", exact.substr(0, 12),
                       slash < exact.size() ? exact.substr(slash + 1, 12) : "1", slash,
                       slash < exact.size() ? exact.size() - slash - 1 : 1, q.approximate());
}

namespace {

using Parsed = tl::expected<Rational, std::string>;

constexpr const char* expected_number = "expected an exact number such as 3, 3/4, 0.75 or 1.5e-3";

Parsed wrong(std::string_view text) {
    std::string shown(text.substr(0, 40));
    for (char& c : shown)
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
    return tl::unexpected(fmt::format("{}, not '{}{}'", expected_number, shown, text.size() > 40 ? "..." : ""));
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Integer power_of_ten(std::size_t exponent) {
    Integer result;
    mpz_ui_pow_ui(result.backend().data(), 10, exponent);
    return result;
}

Integer digits_to_integer(std::string_view digits) {
    Integer result;
    mpz_set_str(result.backend().data(), std::string(digits).c_str(), 10);
    return result;
}

}  // namespace

Parsed Rational::parse(std::string_view text, std::size_t max_digits) {
    const std::string_view whole = text;
    if (whole.size() > max_digits + 8)
        return tl::unexpected(
            fmt::format("a number of {} characters exceeds the limit of {} digits", whole.size(), max_digits));
    bool negative = false;
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    const auto signed_value = [&](const Rational& magnitude) { return negative ? -magnitude : magnitude; };

    if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
        const std::string_view p = text.substr(0, slash), q = text.substr(slash + 1);
        if (!all_digits(p) || !all_digits(q)) return wrong(whole);
        const Integer denominator = digits_to_integer(q);
        if (denominator == 0) return tl::unexpected(fmt::format("'{}' has denominator zero", whole));
        return signed_value(Rational(digits_to_integer(p), denominator));
    }

    long exponent = 0;
    if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
        std::string_view power = text.substr(e + 1);
        if (power.starts_with("+-")) return wrong(whole);
        if (power.starts_with('+')) power.remove_prefix(1);
        const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
        if (power.empty() || end != power.data() + power.size() || error == std::errc::invalid_argument)
            return wrong(whole);
        const long limit = static_cast<long>(max_digits);
        if (error == std::errc::result_out_of_range || exponent > limit || exponent < -limit)
            return tl::unexpected(fmt::format("the exponent of '{}' exceeds the limit of {}", whole, max_digits));
        text = text.substr(0, e);
    }
    std::string digits(text);
    if (const std::size_t point = text.find('.'); point != std::string_view::npos) {
        digits.erase(point, 1);
        exponent -= static_cast<long>(text.size() - point - 1);
    }
    if (!all_digits(digits)) return wrong(whole);
    const Rational mantissa = digits_to_integer(digits);
    const Rational scale = power_of_ten(static_cast<std::size_t>(exponent < 0 ? -exponent : exponent));
    return signed_value(exponent < 0 ? mantissa / scale : mantissa * scale);
}

Rational to_the_power(const Rational& base, std::int64_t exponent) {
    require(exponent >= 0 || base.sign() != 0, "a negative power of another number than 0");
    Integer above, below;
    const auto size = static_cast<unsigned long>(exponent < 0 ? -exponent : exponent);
    mpz_pow_ui(above.backend().data(), base.numerator().backend().data(), size);
    mpz_pow_ui(below.backend().data(), base.denominator().backend().data(), size);
    return exponent < 0 ? Rational(below, above) : Rational(above, below);
}

}  // namespace schedproof
