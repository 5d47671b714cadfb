/// The balance equations solved by FLINT's dense solver: the short way for small chains, and the independent one.
#pragma once

#include <vector>

#include "model/markov/balance.hpp"

namespace schedproof::markov {

/// Integers y_0, ..., y_n with x_i = y_i / y_n for the solution x of `system`, y_n > 0, found by FLINT's Dixon lifting
/// on the dense matrix. Cost: n^3 word operations and n^2 memory; nothing of the sparsity is used.
/// Throws: ContractViolation when the system is singular.
[[nodiscard]] std::vector<Integer> dense_solution(const BalanceSystem& system);

}  // namespace schedproof::markov
