/// The libraries behind linear_program.hpp, one translation unit each. Internal to it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "proofs/linear_programs/linear_program.hpp"

namespace schedproof::capacity::backend {

/// Columns of a basis: variables 0 .. n-1, then n+i for the slack of row i. Shape: as many as there are rows.
using Basis = std::vector<std::uint32_t>;

struct FloatResult {
    Basis basis;
    double value = 0;
};
/// Clp's own tolerances, perturbation and scaling, or the least tolerances that it takes without the two.
enum class Tolerance { usual, tight };
/// The point of Clp's dual simplex, where the `free` variables may be below 0; of programs whose basis is not asked
/// for.
[[nodiscard]] std::optional<std::vector<double>> float_optimum(const LinearProgram& program,
                                                               const std::vector<std::uint32_t>& free,
                                                               FloatBasis* start);
/// Clp. Nothing when it reports no optimum.
[[nodiscard]] std::optional<FloatResult> float_simplex(const LinearProgram& program, Tolerance tolerance);

/// FLINT. The basic solution and its multipliers; nothing when the basis is singular.
/// Of an = row, the slack is a variable that has to be zero.
[[nodiscard]] std::optional<LinearSolution> exact_basis(const LinearProgram& program, const Basis& basis);

/// QSopt_ex, in a forked process. Nothing when it reports no optimum.
[[nodiscard]] std::optional<LinearSolution> rational_simplex(const LinearProgram& program);

}  // namespace schedproof::capacity::backend
