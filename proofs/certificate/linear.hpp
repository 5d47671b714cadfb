/// Linear forms, linear constraints and their refutation: the whole logic that a certificate rests on.
///
/// A set of constraints a_i x + b_i >= 0 (or > 0) has no solution when non-negative multipliers l_i exist with
/// sum l_i a_i = 0 and sum l_i b_i < 0, or = 0 with a strict constraint among those used (Farkas, Motzkin). Checking
/// that is multiplication, addition and comparison. A conclusion g >= 0 follows from constraints exactly when they and
/// -g > 0 are refuted so.
/// Depends on model/core alone, for the checker of certificates is built on this file.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::proof {

using Variable = std::uint32_t;

/// constant + sum of coefficient * variable. Terms ascend by variable, without zeros, so equal forms are equal values.
class LinearForm {
  public:
    using Terms = boost::container::small_vector<std::pair<Variable, Rational>, 4>;

    LinearForm() = default;
    LinearForm(Rational constant) : constant_(std::move(constant)) {}  // NOLINT(google-explicit-constructor)
    [[nodiscard]] static LinearForm variable(Variable x);

    [[nodiscard]] const Rational& constant() const { return constant_; }
    [[nodiscard]] const Terms& terms() const { return terms_; }
    [[nodiscard]] bool is_constant() const { return terms_.empty(); }
    [[nodiscard]] Rational coefficient(Variable x) const;
    /// Requires a value for every variable of the form.
    [[nodiscard]] Rational at(std::span<const Rational> point) const;

    /// Adds the term c x. Requires: x beyond every variable of the form, c other than 0. Cost: one term.
    void append(Variable x, Rational c) { terms_.emplace_back(x, std::move(c)); }

    LinearForm& operator+=(const LinearForm& other) { return add(Rational(1), other); }
    LinearForm& operator-=(const LinearForm& other) { return add(Rational(-1), other); }
    LinearForm& operator*=(const Rational& factor);
    /// Adds factor * other.
    LinearForm& add(const Rational& factor, const LinearForm& other);
    friend LinearForm operator+(LinearForm a, const LinearForm& b) { return a += b; }
    friend LinearForm operator-(LinearForm a, const LinearForm& b) { return a -= b; }
    friend LinearForm operator*(const Rational& factor, LinearForm a) { return a *= factor; }
    friend LinearForm operator-(LinearForm a) { return a *= Rational(-1); }
    friend bool operator==(const LinearForm&, const LinearForm&) = default;

  private:
    Rational constant_;
    Terms terms_;
};

/// form >= 0, or form > 0 when strict.
struct Constraint {
    LinearForm form;
    bool strict = false;
    friend bool operator==(const Constraint&, const Constraint&) = default;
    [[nodiscard]] bool holds(std::span<const Rational> point) const;
};

/// The constraint that holds exactly where `c` does not.
[[nodiscard]] Constraint negation(const Constraint& c);

/// What is known of the symbolic inputs before any question.
struct Space {
    struct Symbol {
        std::string name;
        bool integer = true;            ///< ranges over the integers, so strict bounds may be tightened
        std::optional<Rational> lower;  ///< least value, if any
        /// Ascending: the symbol is the product of these two, which are no products themselves.
        std::optional<std::pair<Variable, Variable>> product;
        friend bool operator==(const Symbol&, const Symbol&) = default;
    };
    std::vector<Symbol> symbols;       ///< by Variable
    std::vector<Constraint> premises;  ///< further assumptions

    Variable add(std::string name, bool integer, std::optional<Rational> lower);
    /// Adds a symbol for the product of every two of those present, each with itself too. Requires: none is a product.
    void add_products();
    [[nodiscard]] bool has_products() const { return !symbols.empty() && symbols.back().product; }
    /// Whether the symbols that are products are those that `add_products` adds to the others.
    [[nodiscard]] bool products_are_sound() const;
    /// a b, a form in the products' symbols. Requires forms in symbols that are no products, after `add_products`.
    [[nodiscard]] LinearForm product(const LinearForm& a, const LinearForm& b) const;
    /// Lower bounds in the order of the symbols, then the premises: what every path begins with.
    [[nodiscard]] std::vector<Constraint> constraints() const;
};

/// In a space with products, the constraints and, after them, a constraint a b >= 0 (or > 0 of two strict ones) for
/// every two of them, each with itself too, whose forms a and b mention no product: the second one later in the list
/// the later, then the first. Elsewhere the constraints alone. Throws LimitExceeded past 500 constraints.
[[nodiscard]] std::vector<Constraint> with_products(const Space& space, std::vector<Constraint> constraints);

/// One multiplier of a refutation: the position of the constraint in its list, and l > 0.
struct Multiplier {
    std::uint32_t constraint = 0;
    Rational value;
    friend bool operator==(const Multiplier&, const Multiplier&) = default;
};
using Multipliers = std::vector<Multiplier>;

/// Empty when the multipliers refute the constraints, otherwise what is wrong with them.
/// Cost: number of entries. Exact: multiplication, addition, comparison.
[[nodiscard]] std::string rejection(std::span<const Constraint> constraints, const Multipliers& multipliers);

/// One way to write a refutation among those that differ by a factor or by parts without use: multipliers ascend,
/// stand for the first of equal constraints, combine to -1 (or, combining to 0, the strict ones among them sum to 1),
/// and none is spent on a constraint without content, 0 >= 0; 0 > 0 stands alone.
/// So no single number of a refutation can be altered without breaking it.
/// Requires multipliers that are accepted.
[[nodiscard]] Multipliers canonical(std::span<const Constraint> constraints, Multipliers multipliers);

/// `2 Q_s0 - Q_s1 + 3`, with the names of a space.
[[nodiscard]] std::string to_string(const LinearForm& form, const Space& space);

}  // namespace schedproof::proof
