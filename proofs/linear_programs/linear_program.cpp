/// Exact linear programs: the check of a solution, and the order in which methods are tried.
///
/// The check is weak duality written out. With y of the signs that the rows prescribe and cost - A^T y >= 0, every
/// feasible x' has cost . x' >= rhs . y; a feasible x whose cost equals rhs . y is therefore optimal. It multiplies,
/// adds and compares rationals only, in one pass over the entries, and shares no line with the solvers. So a solver
/// that is wrong, or stopped early, costs time and never exactness: its answer is discarded and the next method is
/// tried.
#include "proofs/linear_programs/linear_program.hpp"

#include <cmath>
#include <limits>

#include "proofs/linear_programs/linear_backends.hpp"

namespace schedproof::capacity {

using backend::Tolerance;

namespace {

// Whether the sign of `value` suits the relation `value relation 0`.
bool suits(Relation relation, int sign) {
    return relation == Relation::equal ? sign == 0 : relation == Relation::at_most ? sign <= 0 : sign >= 0;
}

}  // namespace

std::string rejection(const LinearProgram& program, const LinearSolution& solution) {
    const auto& [value, x, y] = solution;
    if (x.size() != program.cost.size()) return "there is not one value per variable";
    if (y.size() != program.rows.size()) return "there is not one multiplier per row";
    Rational primal, dual;
    std::vector<Rational> reduced = program.cost;
    for (std::size_t i = 0; i < program.rows.size(); ++i) {
        const LinearRow& row = program.rows[i];
        Rational excess = -row.rhs;
        for (const auto& [j, a] : row.entries) {
            if (x[j].sign() != 0) excess += a * x[j];
            if (y[i].sign() != 0) reduced[j] -= a * y[i];
        }
        if (!suits(row.relation, excess.sign())) return "a row is violated";
        if (row.relation != Relation::equal && !suits(row.relation, y[i].sign()))
            return "a multiplier has the wrong sign";
        if (y[i].sign() != 0) dual += row.rhs * y[i];
    }
    for (std::size_t j = 0; j < x.size(); ++j) {
        if (x[j].sign() < 0) return "a variable is negative";
        if (reduced[j].sign() < 0) return "a reduced cost is negative";
        if (x[j].sign() != 0) primal += program.cost[j] * x[j];
    }
    if (primal != value) return "the value is not that of the variables";
    return dual == value ? "" : "the value is not that of the multipliers";
}

std::optional<LinearSolution> solve(const LinearProgram& program, LinearMethod method) {
    if (method != LinearMethod::rational)
        for (const Tolerance tolerance : {Tolerance::usual, Tolerance::tight})
            if (const auto guess = backend::float_simplex(program, tolerance))
                if (auto solution = backend::exact_basis(program, guess->basis);
                    solution && rejection(program, *solution).empty())
                    return solution;
    if (method != LinearMethod::repaired_basis)
        if (auto solution = backend::rational_simplex(program); solution && rejection(program, *solution).empty())
            return solution;
    return std::nullopt;
}

std::optional<std::vector<Rational>> float_point(const LinearProgram& program, const std::vector<std::uint32_t>& free,
                                                 unsigned bits, FloatBasis* start) {
    const auto result = backend::float_optimum(program, free, start);
    if (!result) return std::nullopt;
    std::vector<Rational> point;
    for (const double x : *result) {
        const double scaled = std::nearbyint(std::ldexp(x, static_cast<int>(bits)));
        if (!(std::abs(scaled) < 0x1p62)) return std::nullopt;
        point.emplace_back(Integer(static_cast<std::int64_t>(scaled)), Integer(std::int64_t{1} << bits));
    }
    return point;
}

double float_value(const LinearProgram& program) {
    const auto result = backend::float_simplex(program, backend::Tolerance::usual);
    return result ? result->value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace schedproof::capacity
