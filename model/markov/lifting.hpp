/// The solution of an integer system, digit by digit in base p.
///
/// A x = b has a unique solution over the p-adic integers when A is nonsingular modulo p, and Dixon's iteration finds
/// its digits x = x_0 + x_1 p + x_2 p^2 + ... one vector at a time from one factorisation modulo p: x_k solves A x_k =
/// r_k modulo p, and r_{k+1} = (r_k - A x_k) / p exactly, with r_0 = b. The residuals r_k stay as small as the row sums
/// of A. A rational solution is determined by enough of its digits.
///
/// Source: J. Dixon, "Exact solution of linear equations using p-adic expansions" (1982).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/markov/balance.hpp"
#include "model/markov/sparse_lu.hpp"

namespace schedproof::markov {

/// The coefficients of `system` modulo the prime, in the order of its pattern.
[[nodiscard]] std::vector<std::uint64_t> residues(const BalanceSystem& system, const PrimeField& field);

class Lifting {
  public:
    /// Requires: `lu` factors the matrix of `system`; both outlive the lifting.
    Lifting(const BalanceSystem& system, const SparseLu& lu);

    /// The next vector of digits, each in [0, p); valid until the next call.
    std::span<const std::uint64_t> next();

  private:
    void update_narrow();
    void update_wide();

    const BalanceSystem* system_;
    const SparseLu* lu_;
    std::uint64_t inverse_prime_ = 0;  // of p modulo 2^64
    // Narrow: one machine word per number, possible when all row sums of absolute values are below 2^62.
    std::vector<std::int64_t> narrow_, narrow_residual_;
    std::vector<Integer> wide_residual_;
    std::vector<std::uint64_t> digit_;
};

}  // namespace schedproof::markov
