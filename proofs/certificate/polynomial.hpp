/// Polynomial inequalities with certificates that are checked by multiplication.
///
/// That hypotheses h_1 >= 0, ..., h_k >= 0 imply g >= 0 is shown by an identity
///     g = sum_j c_j * (product of some hypotheses),   c_j >= 0,
/// since sums and products of what is not negative are not negative (Krivine). The lemmas of the uniform theorems,
/// whose rates are symbols, have short identities of this kind; checking one is multiplying out.
/// Depends on model/core alone, for the checker of certificates is built on this file.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::proof {

/// A product of powers of symbols, ascending by symbol, without exponents of zero. Exponents may be negative: the
/// symbols that are divided by, rates, are positive.
class Monomial {
  public:
    Monomial() = default;
    [[nodiscard]] static Monomial symbol(std::uint32_t s, int exponent = 1);
    [[nodiscard]] bool is_one() const { return powers_.empty(); }
    [[nodiscard]] const auto& powers() const { return powers_; }
    friend Monomial operator*(const Monomial& a, const Monomial& b);
    friend bool operator==(const Monomial&, const Monomial&) = default;
    friend bool operator<(const Monomial& a, const Monomial& b) { return a.powers_ < b.powers_; }

  private:
    boost::container::small_vector<std::pair<std::uint32_t, int>, 4> powers_;
};

/// A sum of rational multiples of monomials, without zeros: equal polynomials are equal values.
class Polynomial {
  public:
    Polynomial() = default;
    Polynomial(const Rational& constant) { add(constant, Monomial()); }  // NOLINT(google-explicit-constructor)
    [[nodiscard]] static Polynomial symbol(std::uint32_t s) { return Polynomial(Monomial::symbol(s)); }
    explicit Polynomial(const Monomial& monomial) { add(Rational(1), monomial); }

    [[nodiscard]] const std::map<Monomial, Rational>& terms() const { return terms_; }
    Polynomial& add(const Rational& coefficient, const Monomial& monomial);
    /// Adds factor * other.
    Polynomial& add(const Rational& factor, const Polynomial& other);
    friend Polynomial operator+(Polynomial a, const Polynomial& b) { return a.add(Rational(1), b); }
    friend Polynomial operator-(Polynomial a, const Polynomial& b) { return a.add(Rational(-1), b); }
    friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
    friend bool operator==(const Polynomial&, const Polynomial&) = default;

  private:
    std::map<Monomial, Rational> terms_;
};

/// Hypotheses (each >= 0) imply the conclusion (>= 0), for all real values of the symbols.
struct PolynomialLemma {
    std::string name;
    std::string statement;  ///< in words
    std::vector<std::string> symbols;
    std::vector<Polynomial> hypotheses;
    Polynomial conclusion;
};

/// The identity that proves a lemma: coefficient > 0 times the product of the hypotheses at these positions.
struct PolynomialProof {
    struct Term {
        Rational coefficient;
        std::vector<std::uint32_t> factors;  ///< ascending; repeated for powers; empty: the constant 1
        friend bool operator==(const Term&, const Term&) = default;
    };
    std::vector<Term> terms;
    friend bool operator==(const PolynomialProof&, const PolynomialProof&) = default;
};

/// Empty when the proof's sum of products is the lemma's conclusion and its products ascend by their factors, none
/// twice, so that it has one spelling; otherwise what is wrong.
[[nodiscard]] std::string rejection(const PolynomialLemma& lemma, const PolynomialProof& proof);

/// `2 mu w - 1/3 Q^2`, with the names of the symbols.
[[nodiscard]] std::string to_string(const Polynomial& polynomial, const std::vector<std::string>& symbols);

}  // namespace schedproof::proof
