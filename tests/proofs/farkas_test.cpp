/// Exact linear programs on cells, against brute force over the vertices of small random polyhedra.
#include "proofs/explore/farkas.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "model/core/errors.hpp"

namespace schedproof::explore {
namespace {

using proof::Constraint;
using proof::LinearForm;

using Point = std::vector<Rational>;

/// Solves form_i = 0 for all given forms by elimination; nothing unless the solution is unique.
std::optional<Point> meet(const std::vector<LinearForm>& forms, std::size_t variables) {
    std::vector<std::vector<Rational>> a;
    for (const LinearForm& form : forms) {
        auto& row = a.emplace_back();
        for (proof::Variable x = 0; x < variables; ++x) row.push_back(form.coefficient(x));
        row.push_back(-form.constant());
    }
    for (std::size_t k = 0; k < variables; ++k) {
        std::size_t pivot = k;
        while (pivot < a.size() && a[pivot][k].sign() == 0) ++pivot;
        if (pivot == a.size()) return std::nullopt;
        std::swap(a[k], a[pivot]);
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (i == k || a[i][k].sign() == 0) continue;
            const Rational factor = a[i][k] / a[k][k];
            for (std::size_t j = k; j <= variables; ++j) a[i][j] -= factor * a[k][j];
        }
    }
    Point point;
    for (std::size_t k = 0; k < variables; ++k) point.push_back(a[k][variables] / a[k][k]);
    return point;
}

/// All vertices of the closures of the constraints.
std::vector<Point> vertices(const std::vector<Constraint>& constraints, std::size_t variables) {
    std::vector<Point> found;
    std::vector<bool> chosen(constraints.size());
    std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(std::min(variables, chosen.size())), true);
    do {
        std::vector<LinearForm> forms;
        for (std::size_t i = 0; i < chosen.size(); ++i)
            if (chosen[i]) forms.push_back(constraints[i].form);
        const auto point = meet(forms, variables);
        if (point && std::all_of(constraints.begin(), constraints.end(),
                                 [&](const Constraint& c) { return c.form.at(*point).sign() >= 0; }))
            found.push_back(*point);
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    return found;
}

LinearForm random_form(std::size_t variables) {
    LinearForm form(Rational(*rc::gen::inRange(-8, 9)));
    for (proof::Variable x = 0; x < variables; ++x)
        form.add(Rational(*rc::gen::inRange(-3, 4)), LinearForm::variable(x));
    return form;
}

std::vector<Constraint> random_constraints(std::size_t variables, bool with_strict) {
    std::vector<Constraint> all;
    const auto count = *rc::gen::inRange<std::size_t>(1, 5);
    for (std::size_t i = 0; i < count; ++i)
        all.push_back({random_form(variables), with_strict && *rc::gen::arbitrary<bool>()});
    return all;
}

/// Adds low <= x <= high for each variable.
void add_box(std::vector<Constraint>& constraints, std::size_t variables, const Rational& low, const Rational& high) {
    for (proof::Variable x = 0; x < variables; ++x) {
        constraints.push_back({LinearForm::variable(x) - LinearForm(low), false});
        constraints.push_back({LinearForm(high) - LinearForm::variable(x), false});
    }
}

std::optional<Rational> largest(const std::vector<Point>& points, const LinearForm& objective) {
    std::optional<Rational> best;
    for (const Point& point : points) {
        const Rational value = objective.at(point);
        if (!best || value > *best) best = value;
    }
    return best;
}

RC_GTEST_PROP(Farkas, MaximaOfPolytopesAreAttainedAtVertices, ()) {
    const auto variables = *rc::gen::inRange<std::size_t>(1, 4);
    std::vector<Constraint> constraints = random_constraints(variables, true);
    add_box(constraints, variables, Rational(*rc::gen::inRange(-9, 1)), Rational(*rc::gen::inRange(1, 9)));
    const LinearForm objective = random_form(variables);
    const auto expected = largest(vertices(constraints, variables), objective);
    const Maximum found = maximise(constraints, objective, variables);
    RC_TAG(std::string(expected ? "a polytope" : "empty"));
    if (!expected) {
        RC_ASSERT(found.kind == Maximum::Kind::empty);
        return;
    }
    RC_ASSERT(found.kind == Maximum::Kind::attained);
    RC_ASSERT(found.value == *expected);
    RC_ASSERT(objective.at(found.point) == *expected);
    for (const Constraint& c : constraints) RC_ASSERT(c.form.at(found.point).sign() >= 0);
}

RC_GTEST_PROP(Farkas, WhatIsUnboundedHasARay, ()) {
    const auto variables = *rc::gen::inRange<std::size_t>(1, 4);
    std::vector<Constraint> constraints = random_constraints(variables, false);
    for (proof::Variable x = 0; x < variables; ++x) constraints.push_back({LinearForm::variable(x), false});
    const LinearForm objective = random_form(variables);
    // In a cone with a vertex a maximum stays where it is when a far wall moves out, or follows it.
    const auto within = [&](std::int64_t wall) {
        std::vector<Constraint> box = constraints;
        add_box(box, variables, Rational(0), Rational(wall));
        return largest(vertices(box, variables), objective);
    };
    const auto near = within(100'000), far = within(200'000);
    const Maximum found = maximise(constraints, objective, variables);
    if (!far) {
        RC_ASSERT(found.kind == Maximum::Kind::empty);
    } else if (*near == *far) {
        RC_ASSERT(found.kind == Maximum::Kind::attained);
        RC_ASSERT(found.value == *far);
    } else {
        RC_ASSERT(found.kind == Maximum::Kind::unbounded);
        const auto slope = [&](const LinearForm& form) { return form.at(found.ray) - form.constant(); };
        RC_ASSERT(slope(objective).sign() > 0);
        for (const Constraint& c : constraints) RC_ASSERT(slope(c.form).sign() >= 0);
    }
}

RC_GTEST_PROP(Farkas, ARefutationExistsExactlyWhenNoPointDoes, ()) {
    const auto variables = *rc::gen::inRange<std::size_t>(1, 4);
    std::vector<Constraint> constraints = random_constraints(variables, true);
    add_box(constraints, variables, Rational(-6), Rational(6));
    // A strict point exists iff some vertex keeps a positive distance from all strict constraints at once.
    const auto slack = static_cast<proof::Variable>(variables);
    std::vector<Constraint> away = constraints;
    for (Constraint& c : away)
        if (c.strict) c.form -= LinearForm::variable(slack);
    away.push_back({LinearForm::variable(slack), false});
    away.push_back({LinearForm(Rational(1)) - LinearForm::variable(slack), false});
    const auto distance = largest(vertices(away, variables + 1), LinearForm::variable(slack));
    const bool has_point = distance && distance->sign() > 0;
    const auto multipliers = refute(constraints);
    RC_TAG(std::string(has_point ? "a point" : "none"));
    RC_ASSERT(multipliers.has_value() == !has_point);
    if (multipliers) RC_ASSERT(proof::rejection(constraints, *multipliers) == std::string());
}

TEST(Farkas, AStrictConstraintIsRefutedWhereItsClosureIsNot) {
    const LinearForm x = LinearForm::variable(0);
    const std::vector<Constraint> touching{{x, false}, {-x, false}};
    EXPECT_FALSE(refute(touching));
    EXPECT_TRUE(refute(std::vector<Constraint>{{x, false}, {-x, true}}));
    EXPECT_TRUE(refute(std::vector<Constraint>{{x, true}, {-x, false}}));
    EXPECT_TRUE(refute(std::vector<Constraint>{{LinearForm(), true}}));
    EXPECT_TRUE(refute(std::vector<Constraint>{{LinearForm(Rational(-1)), false}}));
    EXPECT_FALSE(refute(std::vector<Constraint>{}));
}

TEST(Farkas, MultipliersAreJudgedOneByOne) {
    const LinearForm x = LinearForm::variable(0), y = LinearForm::variable(1);
    const std::vector<Constraint> constraints{
        {x - LinearForm(Rational(1)), false}, {y - x, false}, {LinearForm(Rational(1)) - y, true}, {y, false}};
    const auto good = refute(constraints);
    ASSERT_TRUE(good);
    ASSERT_EQ(proof::rejection(constraints, *good), "");
    for (std::size_t i = 0; i < good->size(); ++i) {
        for (const Rational& change : {Rational(1), Rational(-1), Rational(1, 1000), -(*good)[i].value}) {
            proof::Multipliers bad = *good;
            bad[i].value += change;
            EXPECT_NE(proof::rejection(constraints, bad), "") << i;
        }
        proof::Multipliers moved = *good;
        moved[i].constraint = 9;
        EXPECT_NE(proof::rejection(constraints, moved), "");
        proof::Multipliers fewer = *good;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_NE(proof::rejection(constraints, fewer), "");
    }
    std::vector<Constraint> weaker = constraints;
    weaker[2].strict = false;
    EXPECT_NE(proof::rejection(weaker, *good), "");
    EXPECT_NE(proof::rejection(constraints, {}), "");
}

TEST(Farkas, ASideWithAPointIsAConflict) {
    proof::Space space;
    space.add("x", true, Rational(0));
    proof::Tree tree;
    const proof::Atom atom = proof::normalise(space, LinearForm::variable(0) - LinearForm(Rational(3)), true).atom;
    tree.nodes.push_back({atom, proof::Closed{}, proof::ToLeaf{0}});
    tree.root = proof::ToNode{0};
    tree.leaves = 1;
    EXPECT_THROW(close(space, tree), OracleConflict);
    EXPECT_NE(proof::rejection(space, tree), "");
}

}  // namespace
}  // namespace schedproof::explore
