/// Real: the machine's double as a number, for simulation in continuous time alone.
///
/// A class of its own, so that no double slips into exact enumeration: nothing converts between Real and Rational but
/// `NumberTraits<Real>::coefficient`, which rounds constants of an instance once. No proof, no check and no verdict is
/// read on it.
#pragma once

#include <compare>
#include <concepts>

#include "model/core/number.hpp"

namespace schedproof {

class Real {
  public:
    constexpr Real() = default;
    template <std::integral I>
    constexpr Real(I value) : value_(static_cast<double>(value)) {}  // NOLINT(google-explicit-constructor)
    template <std::floating_point F>
    constexpr explicit Real(F value) : value_(value) {}

    [[nodiscard]] constexpr double value() const { return value_; }

    friend constexpr Real operator+(Real a, Real b) { return Real(a.value_ + b.value_); }
    friend constexpr Real operator-(Real a, Real b) { return Real(a.value_ - b.value_); }
    friend constexpr Real operator*(Real a, Real b) { return Real(a.value_ * b.value_); }
    constexpr Real& operator+=(Real other) { return *this = *this + other; }
    constexpr Real& operator-=(Real other) { return *this = *this - other; }
    friend constexpr auto operator<=>(Real, Real) = default;

  private:
    double value_ = 0;
};

template <>
struct NumberTraits<Real> {
    using Coefficient = Real;
    static Coefficient coefficient(const Rational& value) { return Real(value.approximate()); }
};

static_assert(Number<Real>);

}  // namespace schedproof
