#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "capacity_instances.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/capacity/region.hpp"

namespace schedproof::capacity {
namespace {

using namespace testing;

LinearRow row(std::vector<std::pair<std::uint32_t, Rational>> entries, Relation relation, Rational rhs) {
    return {std::move(entries), relation, std::move(rhs)};
}

TEST(LinearProgram, SmallOne) {
    LinearProgram program;
    program.cost = {Rational(2), Rational(3)};
    program.rows = {row({{0, 1}, {1, 1}}, Relation::at_least, frac(7, 2)),
                    row({{0, 1}}, Relation::at_most, Rational(1)),
                    row({{0, 1}, {1, -2}}, Relation::equal, Rational(-4))};
    for (const LinearMethod method : {LinearMethod::repaired_basis, LinearMethod::rational, LinearMethod::automatic}) {
        const auto solution = solve(program, method);
        ASSERT_TRUE(solution);
        EXPECT_EQ(solution->value, Rational(2) + frac(15, 2));
        EXPECT_EQ(solution->x, (std::vector<Rational>{Rational(1), frac(5, 2)}));
    }
    EXPECT_DOUBLE_EQ(float_value(program), 9.5);
}

TEST(LinearProgram, NoOptimum) {
    LinearProgram infeasible, unbounded;
    infeasible.cost = {Rational(1)};
    infeasible.rows = {row({{0, 1}}, Relation::at_most, Rational(-1))};
    unbounded.cost = {Rational(-1)};
    unbounded.rows = {row({{0, 1}}, Relation::at_least, Rational(1))};
    for (const LinearMethod method : {LinearMethod::repaired_basis, LinearMethod::rational, LinearMethod::automatic}) {
        EXPECT_FALSE(solve(infeasible, method));
        EXPECT_FALSE(solve(unbounded, method));
    }
}

// Dependent rows, and an optimum that doubles cannot tell from its neighbour: the value has to be exact all the same.
TEST(LinearProgram, BelowDoublePrecision) {
    const Rational tiny = Rational(1) / Rational(Integer(1) << 80);
    LinearProgram program;
    program.cost = {Rational(1), Rational(1) + tiny};
    program.rows = {row({{0, 1}, {1, 1}}, Relation::equal, Rational(1)),
                    row({{0, 2}, {1, 2}}, Relation::equal, Rational(2)), row({{0, 1}}, Relation::at_most, tiny)};
    const auto solution = solve(program);
    ASSERT_TRUE(solution);
    EXPECT_EQ(solution->value, Rational(1) + tiny - tiny * tiny);
}

TEST(LinearProgram, FaultRejectsTampering) {
    const LinearProgram program = full_program(Instance(n2(frac(2, 5), frac(22, 25), frac(9, 20))));
    const auto sound = solve(program);
    ASSERT_TRUE(sound);
    EXPECT_EQ(rejection(program, *sound), "");
    const auto rejects = [&](const std::function<void(LinearSolution&)>& tamper) {
        LinearSolution altered = *sound;
        tamper(altered);
        EXPECT_NE(rejection(program, altered), "");
    };
    for (const Rational& change : {frac(1, 1000), frac(-1, 1000)}) {
        rejects([&](auto& s) { s.value += change; });
        for (std::size_t j = 0; j < sound->x.size(); ++j) rejects([&](auto& s) { s.x[j] += change; });
        for (std::size_t i = 0; i < sound->multipliers.size(); ++i)
            rejects([&](auto& s) { s.multipliers[i] += change; });
    }
    rejects([](auto& s) { s.x.pop_back(); });
    rejects([](auto& s) { s.multipliers.emplace_back(0); });
}

// max c.z, A z <= b with b >= 0 and the box z <= 10, against the tableau.
RC_GTEST_PROP(LinearProgram, AgreesWithTheTableau, ()) {
    const auto draw = [](int from, int to) { return *rc::gen::inRange(from, to + 1); };
    const std::size_t columns = static_cast<std::size_t>(draw(1, 5)), rows = static_cast<std::size_t>(draw(0, 5));
    std::vector<std::vector<Rational>> a;
    std::vector<Rational> b, c;
    for (std::size_t j = 0; j < columns; ++j) {
        c.push_back(frac(draw(-3, 6), draw(1, 3)));
        a.emplace_back(columns)[j] = 1;
        b.emplace_back(10);
    }
    for (std::size_t i = 0; i < rows; ++i) {
        a.emplace_back();
        for (std::size_t j = 0; j < columns; ++j) a.back().push_back(frac(draw(-4, 6), draw(1, 7)));
        b.push_back(frac(draw(0, 9), 4));
    }
    LinearProgram program;
    for (const Rational& price : c) program.cost.push_back(-price);
    for (std::size_t i = 0; i < a.size(); ++i) {
        LinearRow& line = program.rows.emplace_back(LinearRow{{}, Relation::at_most, b[i]});
        for (std::uint32_t j = 0; j < columns; ++j)
            if (a[i][j].sign() != 0) line.entries.emplace_back(j, a[i][j]);
    }
    const Rational expected = tableau_simplex(a, b, c);
    for (const LinearMethod method : {LinearMethod::rational, LinearMethod::automatic}) {
        const auto solution = solve(program, method);
        RC_ASSERT(solution);
        RC_ASSERT(-solution->value == expected);
    }
}

}  // namespace
}  // namespace schedproof::capacity
