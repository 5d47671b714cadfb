/// The symbolic number: arithmetic as at every point, comparisons asked once, floors.
#include "proofs/symbolic/affine.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "model/core/errors.hpp"
#include "proofs/explore/explorer.hpp"

namespace schedproof::explore {
namespace {

using proof::LinearForm;

Rational small(int low, int high) { return {Integer(*rc::gen::inRange(low, high)), Integer(*rc::gen::inRange(1, 5))}; }

proof::Space mixed_space() {
    proof::Space space;
    space.add("n", true, Rational(0));
    space.add("m", true, std::nullopt);
    space.add("x", false, std::nullopt);
    return space;
}

std::vector<Rational> mixed_point() {
    return {Rational(*rc::gen::inRange(0, 20)), Rational(*rc::gen::inRange(-20, 20)), small(-40, 40)};
}

Affine random_affine(const std::vector<Affine>& symbols) {
    Affine sum(small(-9, 9));
    for (const Affine& x : symbols) sum += small(-3, 4) * x;
    return sum;
}

/// A point's answers, with every atom that was put to it.
class Recorder final : public Decider {
  public:
    Recorder(const proof::Space& space, std::vector<Rational> point) : Decider(space), point_(std::move(point)) {}
    std::vector<proof::Atom> asked;

  private:
    [[nodiscard]] bool choose(const proof::Atom& atom) override {
        asked.push_back(atom);
        return atom.side(true).holds(point_);
    }
    std::vector<Rational> point_;
};

RC_GTEST_PROP(Affine, ArithmeticAndComparisonsAreThoseOfThePoint, ()) {
    const proof::Space space = mixed_space();
    const std::vector<Rational> point = mixed_point();
    PointDecider decider(space, point);
    const std::vector<Affine> symbol = symbols(decider);
    const auto at = [&](const Affine& a) { return a.form().at(point); };
    std::vector<Affine> values;
    for (int i = 0; i < 6; ++i) values.push_back(random_affine(symbol));
    const Rational factor = small(-5, 6);
    for (const Affine& a : values)
        for (const Affine& b : values) {
            RC_ASSERT(at(a + b) == at(a) + at(b));
            RC_ASSERT(at(a - b) == at(a) - at(b));
            RC_ASSERT(at(factor * a) == factor * at(a));
            RC_ASSERT((a < b) == (at(a) < at(b)));
            RC_ASSERT((a <= b) == (at(a) <= at(b)));
            RC_ASSERT((a > b) == (at(a) > at(b)));
            RC_ASSERT((a >= b) == (at(a) >= at(b)));
            RC_ASSERT((a == b) == (at(a) == at(b)));
        }
    RC_ASSERT(at(floor(values[0])) == Rational(schedproof::floor(at(values[0]))));
    RC_ASSERT(at(ceil(values[0])) == -Rational(schedproof::floor(-at(values[0]))));
}

RC_GTEST_PROP(Affine, WhatWasAnsweredIsNotAskedAgain, ()) {
    const proof::Space space = mixed_space();
    Recorder decider(space, mixed_point());
    const std::vector<Affine> symbol = symbols(decider);
    const Affine a = random_affine(symbol), b = random_affine(symbol);
    const bool greater = a > b;
    const std::size_t once = decider.asked.size();
    // The same question turned round, scaled, and those that follow from it.
    RC_ASSERT((Rational(3) * a > Rational(3) * b) == greater);
    RC_ASSERT((b < a) == greater);
    RC_ASSERT((a <= b) == !greater);
    if (greater) RC_ASSERT(a >= b && a + Affine(1) > b);
    if (!greater) RC_ASSERT(b >= a && !(a - Affine(1) > b));
    RC_ASSERT(decider.asked.size() == once);
    decider.begin_path();
    RC_ASSERT((a > b) == greater);
    RC_ASSERT(decider.asked.size() == 2 * once);
}

RC_GTEST_PROP(Affine, SumsOfFormsAreThoseOfTheirCoefficients, ()) {
    const auto random_form = [] {
        LinearForm form(small(-3, 4));
        for (proof::Variable x = 0; x < 5; ++x)
            if (*rc::gen::arbitrary<bool>()) form.add(small(-2, 3), LinearForm::variable(x));
        return form;
    };
    const LinearForm a = random_form(), b = random_form();
    for (const Rational& factor : {Rational(1), Rational(-1), Rational(0), small(-4, 5)}) {
        LinearForm sum = a;
        sum.add(factor, b);
        RC_ASSERT(sum.constant() == a.constant() + factor * b.constant());
        for (proof::Variable x = 0; x < 5; ++x)
            RC_ASSERT(sum.coefficient(x) == a.coefficient(x) + factor * b.coefficient(x));
        // The normal form: ascending, without zeros.
        for (std::size_t i = 0; i < sum.terms().size(); ++i) {
            RC_ASSERT(sum.terms()[i].second.sign() != 0);
            if (i > 0) RC_ASSERT(sum.terms()[i - 1].first < sum.terms()[i].first);
        }
        LinearForm itself = a;
        itself.add(factor, itself);
        RC_ASSERT(itself == (factor + Rational(1)) * a);
    }
}

TEST(Affine, BoundsOfTheSpaceAnswerForThemselves) {
    proof::Space space;
    space.add("n", true, Rational(2));
    space.add("m", true, Rational(1));
    Recorder decider(space, {Rational(7), Rational(7)});
    const std::vector<Affine> x = symbols(decider);
    EXPECT_TRUE(x[0] + x[1] >= Affine(3));
    EXPECT_TRUE(x[0] > Affine(1));
    EXPECT_FALSE(x[0] + Rational(2) * x[1] < Affine(4));
    EXPECT_EQ(decider.asked.size(), 0U);
    EXPECT_TRUE(x[0] > Affine(2));
    EXPECT_EQ(decider.asked.size(), 1U);
}

TEST(Affine, AtomsOfIntegersAreTightened) {
    const proof::Space space = mixed_space();
    const LinearForm n = LinearForm::variable(0), m = LinearForm::variable(1), x = LinearForm::variable(2);
    // 6 n - 4 m > 5  iff  3 n - 2 m >= 3.
    const proof::Question tight =
        proof::normalise(space, Rational(6) * n - Rational(4) * m - LinearForm(Rational(5)), true);
    EXPECT_TRUE(tight.positive);
    EXPECT_TRUE(tight.atom.integer);
    EXPECT_FALSE(tight.atom.strict);
    EXPECT_EQ(tight.atom.bound, Rational(3));
    EXPECT_EQ(tight.atom.form, Rational(3) * n - Rational(2) * m);
    // With a real symbol the bound stays what it was.
    const proof::Question real = proof::normalise(space, Rational(2) * x - n - LinearForm(Rational(5)), true);
    EXPECT_FALSE(real.atom.integer);
    EXPECT_FALSE(real.positive);
    EXPECT_EQ(real.atom.bound, Rational(-5));
}

RC_GTEST_PROP(Affine, AnAtomAndItsPolarityMeanTheComparison, ()) {
    const proof::Space space = mixed_space();
    const std::vector<Rational> point = mixed_point();
    LinearForm d(small(-9, 9));
    for (proof::Variable x = 0; x < 3; ++x) d.add(small(-3, 4), LinearForm::variable(x));
    RC_PRE(!d.is_constant());
    const bool strict = *rc::gen::arbitrary<bool>();
    const auto [atom, positive] = proof::normalise(space, d, strict);
    RC_ASSERT(proof::rejection(space, atom) == std::string());
    const int sign = d.at(point).sign();
    RC_ASSERT((atom.side(true).holds(point) == positive) == (strict ? sign > 0 : sign >= 0));
    RC_ASSERT(atom.side(true).holds(point) != atom.side(false).holds(point));
}

TEST(Affine, FloorsForkOnEveryValueThatThePathAllows) {
    proof::Space space;
    space.add("x", false, Rational(-2));
    space.premises.push_back({LinearForm(Rational(3)) - LinearForm::variable(0), false});
    const auto cells = explore(space, [](const std::vector<Affine>& x) { return floor(x[0]).constant(); });
    ASSERT_FALSE(cells.ended);
    EXPECT_EQ(cells.leaves.size(), 6U);  // -2, -1, 0, 1, 2 and 3 itself
    proof::for_each_leaf(space, cells.tree, [&](std::uint32_t leaf, const std::vector<proof::Constraint>& path) {
        const std::vector<Rational> at{cells.leaves[leaf]};
        for (const proof::Constraint& c : path) EXPECT_TRUE(c.holds(at));
    });
}

TEST(Affine, ASymbolWithoutDeciderCannotBeCompared) {
    const Affine loose(LinearForm::variable(0), nullptr);
    EXPECT_THROW((void)(loose > Affine(0)), ContractViolation);
    EXPECT_THROW((void)loose.constant(), ContractViolation);
    EXPECT_FALSE(loose > loose);
}

}  // namespace
}  // namespace schedproof::explore
