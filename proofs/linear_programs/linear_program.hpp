/// Exact linear programs of moderate size, with optimality that anyone can check.
///
///     min cost . x   subject to   row_i . x {<=, =, >=} rhs_i,   x >= 0,
/// with multipliers y (y_i <= 0 on a <= row, >= 0 on a >= row, free on an = row): when cost - A^T y >= 0 then every
/// feasible x has cost . x >= rhs . y, so a feasible pair (x, y) with cost . x = rhs . y is optimal, and that is all
/// `rejection` looks at.
///
/// Solving: Clp's floating-point simplex proposes a basis; the two systems of that basis are solved exactly (singleton
/// rows and columns by substitution, the rest with FLINT's p-adic solver); the pair is checked. When it fails, because
/// rounding stopped at a basis that is slightly infeasible or not optimal, Clp is asked once more with the least
/// tolerances; when that fails too, QSopt_ex solves the program in rationals, in a process of its own.
/// Floating point decides nothing: a wrong guess costs time. Rows that depend on each other are allowed.
///
/// Not here: warm starts, bounds other than x >= 0, sparse exact factorisations. The remainder after substitution is
/// dense, good for some hundred rows; the large instances never come here (price_ascent.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::capacity {

enum class Relation { at_most, equal, at_least };

struct LinearRow {
    std::vector<std::pair<std::uint32_t, Rational>> entries;  ///< (variable, coefficient), each variable at most once
    Relation relation = Relation::equal;
    Rational rhs;
};

struct LinearProgram {
    std::vector<Rational> cost;  ///< one per variable; minimised
    std::vector<LinearRow> rows;

    [[nodiscard]] std::uint32_t add_variable(Rational price = Rational(0)) {
        cost.push_back(std::move(price));
        return static_cast<std::uint32_t>(cost.size() - 1);
    }
};

struct LinearSolution {
    Rational value;
    std::vector<Rational> x;            ///< one per variable
    std::vector<Rational> multipliers;  ///< one per row
};

/// Empty when the solution is feasible and optimal by its multipliers, otherwise what is wrong with it.
/// Exact: multiplication, addition and comparison only. Cost: number of entries.
[[nodiscard]] std::string rejection(const LinearProgram& program, const LinearSolution& solution);

/// How to look for the optimum.
enum class LinearMethod {
    repaired_basis,  ///< Clp's basis made exact; nothing when that basis is not optimal
    rational,        ///< QSopt_ex alone
    automatic,       ///< the first, and the second when it fails
};

/// A verified vertex optimum, or nothing: infeasible, unbounded, or the method gave up.
[[nodiscard]] std::optional<LinearSolution> solve(const LinearProgram& program,
                                                  LinearMethod method = LinearMethod::automatic);

/// The basis in which Clp ended: where another program of the same shape may start.
struct FloatBasis {
    std::vector<unsigned char> status;  ///< per variable and row, as Clp has it; empty: none yet
};

/// A point as Clp's floating-point simplex sees the optimum where the `free` variables may be below 0, rounded to
/// multiples of 2^-`bits`; nothing where it sees none. A proposal: it may violate rows by roundings. Starts in the
/// basis if there is one, and leaves its own there.
[[nodiscard]] std::optional<std::vector<Rational>> float_point(const LinearProgram& program,
                                                               const std::vector<std::uint32_t>& free, unsigned bits,
                                                               FloatBasis* start = nullptr);

/// The optimal value as Clp's floating-point simplex sees it: a guess, for comparisons and benchmarks.
[[nodiscard]] double float_value(const LinearProgram& program);

}  // namespace schedproof::capacity
