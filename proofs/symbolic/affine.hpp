/// Affine: the number of symbolic execution, an exact affine form over named symbolic inputs.
///
/// Sums, differences and multiples by constants stay affine. A comparison whose answer depends on the inputs is put to
/// a decider: an explorer that takes both sides in turn, a concrete point, or the decision tree of a certificate.
/// The product of two Affine does not exist; a policy that needs one cannot be executed symbolically.
/// An Affine made from an integer knows no decider and needs none; every symbol brings its own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/core/number.hpp"
#include "proofs/certificate/linear.hpp"
#include "proofs/certificate/tree.hpp"

namespace schedproof::explore {

/// Thrown by a decider out of the body when no integer input lies on the path any more. (A path may look possible to
/// linear arithmetic, as x = 2, 10 y = x does, until a question about y closes both sides.) Whoever runs the body over
/// paths catches it and goes on with the next.
struct EmptyPath {};

/// Answers comparisons of symbolic values, one path at a time.
///
/// What follows from the answers already given on a path, form by form, is not asked again: per form the path keeps
/// the bounds it knows. So an atom is put to `choose` once per path, and every decider is asked the same atoms in the
/// same order as long as it answers alike.
class Decider {
  public:
    explicit Decider(const proof::Space& space);
    Decider(const Decider&) = delete;
    Decider& operator=(const Decider&) = delete;
    virtual ~Decider() = default;

    [[nodiscard]] const proof::Space& space() const { return space_; }
    /// Whether d > 0 (strict) or d >= 0.
    [[nodiscard]] bool decide(const proof::LinearForm& d, bool strict);
    /// Forgets the answers given so far: a new path begins.
    void begin_path();

  protected:
    [[nodiscard]] virtual bool choose(const proof::Atom& atom) = 0;

  private:
    /// What a path knows of one form.
    struct Interval {
        struct End {
            Rational value;
            bool strict = false;
        };
        std::optional<End> lower, upper;
    };
    struct ByTerms {
        bool operator()(const proof::LinearForm& a, const proof::LinearForm& b) const;
    };
    [[nodiscard]] static std::optional<bool> implied(const Interval& known, const proof::Atom& atom);
    void learn(Interval& known, const proof::Atom& atom, bool holds);
    /// Bounds of a form that follow from single constraints of the space.
    [[nodiscard]] Interval initial(const proof::LinearForm& form) const;

    const proof::Space& space_;
    std::map<proof::LinearForm, Interval, ByTerms> known_;
};

/// A decider that answers as one concrete point does.
class PointDecider final : public Decider {
  public:
    PointDecider(const proof::Space& space, std::vector<Rational> point) : Decider(space), point_(std::move(point)) {}

  private:
    [[nodiscard]] bool choose(const proof::Atom& atom) override { return atom.side(true).holds(point_); }
    std::vector<Rational> point_;
};

class Affine {
  public:
    Affine() = default;
    Affine(std::int64_t value) : form_(Rational(value)) {}  // NOLINT(google-explicit-constructor): integers are numbers
    template <std::floating_point F>
    Affine(F) = delete;
    explicit Affine(const Rational& value) : form_(value) {}
    Affine(proof::LinearForm form, Decider* decider) : form_(std::move(form)), decider_(decider) {}

    [[nodiscard]] const proof::LinearForm& form() const { return form_; }
    /// Who answers its comparisons; none for a number without symbols.
    [[nodiscard]] Decider* decider() const { return decider_; }
    /// The value of a form without symbols. Throws ContractViolation for any other.
    [[nodiscard]] const Rational& constant() const;

    Affine& operator+=(const Affine& other) {
        form_ += other.form_;
        return meet(other);
    }
    Affine& operator-=(const Affine& other) {
        form_ -= other.form_;
        return meet(other);
    }
    friend Affine operator+(Affine a, const Affine& b) { return a += b; }
    friend Affine operator-(Affine a, const Affine& b) { return a -= b; }
    friend Affine operator*(const Rational& factor, Affine a) {
        a.form_ *= factor;
        return a;
    }
    friend Affine operator*(const Affine&, const Affine&) = delete;
    friend bool operator<(const Affine& a, const Affine& b) { return b.exceeds(a, true); }
    friend bool operator>(const Affine& a, const Affine& b) { return a.exceeds(b, true); }
    friend bool operator<=(const Affine& a, const Affine& b) { return b.exceeds(a, false); }
    friend bool operator>=(const Affine& a, const Affine& b) { return a.exceeds(b, false); }
    friend bool operator==(const Affine& a, const Affine& b) { return a.exceeds(b, false) && b.exceeds(a, false); }

  private:
    [[nodiscard]] bool exceeds(const Affine& other, bool strict) const;
    Affine& meet(const Affine& other) {
        if (!decider_) decider_ = other.decider_;
        return *this;
    }

    proof::LinearForm form_;
    Decider* decider_ = nullptr;
};

/// The largest integer that is at most `value`, found by asking: forks on its integer value, nearest to zero first.
/// Requires: the path bounds it, or the exploration does not end but at its budget.
[[nodiscard]] Affine floor(const Affine& value);
/// The least integer that is at least `value`.
[[nodiscard]] inline Affine ceil(const Affine& value) { return Affine(0) - floor(Affine(0) - value); }

/// The symbols of a decider's space as numbers, in the order of the space.
[[nodiscard]] std::vector<Affine> symbols(Decider& decider);

}  // namespace schedproof::explore

template <>
struct schedproof::NumberTraits<schedproof::explore::Affine> {
    using Coefficient = schedproof::Rational;
    static const Coefficient& coefficient(const schedproof::Rational& value) { return value; }
};

static_assert(schedproof::Number<schedproof::explore::Affine>);
