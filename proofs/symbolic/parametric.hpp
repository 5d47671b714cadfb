/// Parametric: numbers whose coefficients are symbols too, for statements about all rates at once.
///
/// A policy compares sums of products rate * length; with symbolic rates these are polynomials. Each monomial that can
/// occur, such as alpha Q_0 or gamma Q_1, becomes one variable of a linear space, tied to the others by what follows
/// from the order of the rates (alpha Q >= gamma Q >= 0). Every real choice of rates and lengths is a point of this
/// space, so what is proved of all its points holds for all rates; what fails at one of them may be no real choice, so
/// a failure is reported as such and never as a refutation.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/core/number.hpp"
#include "proofs/certificate/polynomial.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::explore {

/// Which monomial is which variable. Unknown monomials are LimitExceeded: their products were not foreseen.
class Linearization {
  public:
    /// Adds the monomial as a symbol >= 0 of the space, unless it is one already.
    void add(proof::Space& space, const proof::Monomial& monomial, const std::string& name);
    /// The polynomial as a linear form in the variables of its monomials.
    [[nodiscard]] proof::LinearForm linear(const proof::Polynomial& polynomial) const;
    [[nodiscard]] const std::map<proof::Monomial, proof::Variable>& variables() const { return variables_; }

  private:
    std::map<proof::Monomial, proof::Variable> variables_;
};

class Parametric {
  public:
    /// A multiplier: a symbolic rate, its reciprocal, or a number.
    struct Multiplier {
        Rational factor = Rational(1);
        proof::Monomial monomial;
        friend Parametric operator*(const Multiplier& multiplier, const Parametric& number) {
            return number.times(proof::Polynomial().add(multiplier.factor, multiplier.monomial));
        }
        /// View multiplies a rate by an integer one, and cost by rate.
        friend Multiplier operator*(const Multiplier& a, const Multiplier& b) {
            return {a.factor * b.factor, a.monomial * b.monomial};
        }
    };

    Parametric() = default;
    Parametric(std::int64_t value) : value_(Rational(value)) {}  // NOLINT(google-explicit-constructor)
    template <std::floating_point F>
    Parametric(F) = delete;
    Parametric(proof::Polynomial value, const Linearization* linearization, Decider* decider)
        : value_(std::move(value)), linearization_(linearization), decider_(decider) {}

    [[nodiscard]] const proof::Polynomial& value() const { return value_; }
    /// Multiplied by a polynomial in the rates.
    [[nodiscard]] Parametric times(const proof::Polynomial& factor) const {
        return {factor * value_, linearization_, decider_};
    }

    friend Parametric operator+(Parametric a, const Parametric& b) { return a.combine(Rational(1), b); }
    friend Parametric operator-(Parametric a, const Parametric& b) { return a.combine(Rational(-1), b); }
    friend bool operator<(const Parametric& a, const Parametric& b) { return b.exceeds(a, true); }
    friend bool operator>(const Parametric& a, const Parametric& b) { return a.exceeds(b, true); }
    friend bool operator<=(const Parametric& a, const Parametric& b) { return b.exceeds(a, false); }
    friend bool operator>=(const Parametric& a, const Parametric& b) { return a.exceeds(b, false); }
    friend bool operator==(const Parametric& a, const Parametric& b) {
        return a.exceeds(b, false) && b.exceeds(a, false);
    }

  private:
    [[nodiscard]] bool exceeds(const Parametric& other, bool strict) const;
    Parametric& combine(const Rational& factor, const Parametric& other);

    proof::Polynomial value_;
    const Linearization* linearization_ = nullptr;
    Decider* decider_ = nullptr;
};

}  // namespace schedproof::explore

template <>
struct schedproof::NumberTraits<schedproof::explore::Parametric> {
    using Coefficient = schedproof::explore::Parametric::Multiplier;
    static Coefficient coefficient(const schedproof::Rational& value) { return {value, {}}; }
};

static_assert(schedproof::Number<schedproof::explore::Parametric>);
