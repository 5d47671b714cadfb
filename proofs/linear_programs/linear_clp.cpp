/// Clp: the floating-point guess.
#include <ClpSimplex.hpp>
#include <ClpSolve.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>

#include "proofs/linear_programs/linear_backends.hpp"

namespace schedproof::capacity::backend {

namespace {

/// Clp with the program in it.
ClpSimplex loaded(const LinearProgram& program) {
    const int columns = static_cast<int>(program.cost.size()), rows = static_cast<int>(program.rows.size());
    std::vector<int> row_index, column_index;
    std::vector<double> value, lower, upper, cost;
    for (int i = 0; i < rows; ++i) {
        const LinearRow& row = program.rows[static_cast<std::size_t>(i)];
        for (const auto& [j, a] : row.entries) {
            row_index.push_back(i);
            column_index.push_back(static_cast<int>(j));
            value.push_back(a.approximate());
        }
        const double rhs = row.rhs.approximate();
        lower.push_back(row.relation == Relation::at_most ? -COIN_DBL_MAX : rhs);
        upper.push_back(row.relation == Relation::at_least ? COIN_DBL_MAX : rhs);
    }
    for (const Rational& c : program.cost) cost.push_back(c.approximate());
    CoinPackedMatrix matrix(true, row_index.data(), column_index.data(), value.data(), static_cast<int>(value.size()));
    matrix.setDimensions(rows, columns);

    ClpSimplex simplex;
    simplex.setLogLevel(0);
    simplex.loadProblem(matrix, nullptr, nullptr, cost.data(), lower.data(), upper.data());
    return simplex;
}

}  // namespace

std::optional<FloatResult> float_simplex(const LinearProgram& program, Tolerance tolerance) {
    const int columns = static_cast<int>(program.cost.size()), rows = static_cast<int>(program.rows.size());
    ClpSimplex simplex = loaded(program);
    if (tolerance == Tolerance::tight) {
        simplex.setPrimalTolerance(1e-10);
        simplex.setDualTolerance(1e-10);
        simplex.setPerturbation(100);  // none
        simplex.scaling(0);
    }
    simplex.dual();
    if (!simplex.isProvenOptimal()) simplex.primal();
    if (!simplex.isProvenOptimal()) return std::nullopt;

    FloatResult result;
    result.value = simplex.objectiveValue();
    for (int j = 0; j < columns; ++j)
        if (simplex.getColumnStatus(j) == ClpSimplex::basic) result.basis.push_back(static_cast<std::uint32_t>(j));
    for (int i = 0; i < rows; ++i)
        if (simplex.getRowStatus(i) == ClpSimplex::basic)
            result.basis.push_back(static_cast<std::uint32_t>(columns + i));
    if (result.basis.size() != program.rows.size()) return std::nullopt;
    return result;
}

std::optional<std::vector<double>> float_optimum(const LinearProgram& program, const std::vector<std::uint32_t>& free,
                                                 FloatBasis* start) {
    ClpSimplex simplex = loaded(program);
    for (const std::uint32_t column : free) simplex.setColumnLower(static_cast<int>(column), -COIN_DBL_MAX);
    simplex.scaling(0);  // scaled copies of the matrix made Clp 1.17 fail its own assertion, which ends the process
    const auto of_all = static_cast<std::size_t>(simplex.numberColumns() + simplex.numberRows());
    if (start != nullptr && start->status.size() == of_all) {
        std::copy(start->status.begin(), start->status.end(), simplex.statusArray());
        simplex.dual();
    } else {
        ClpSolve how;
        how.setSolveType(ClpSolve::useDual);
        how.setPresolveType(ClpSolve::presolveOn);
        simplex.initialSolve(how);
    }
    if (!simplex.isProvenOptimal()) return std::nullopt;
    if (start != nullptr) start->status.assign(simplex.statusArray(), simplex.statusArray() + of_all);
    return std::vector<double>(simplex.getColSolution(), simplex.getColSolution() + simplex.numberColumns());
}

}  // namespace schedproof::capacity::backend
