#include "model/markov/dense_solution.hpp"

#include "model/core/errors.hpp"
#include "model/markov/flint_matrix.hpp"

namespace schedproof::markov {

std::vector<Integer> dense_solution(const BalanceSystem& system) {
    const std::size_t n = system.unknowns();
    std::vector<Integer> y(n + 1);
    y[n] = 1;
    if (n == 0) return y;
    FlintMatrix matrix(n, n), right_side(n, 1), solution(n, 1);
    for (std::size_t j = 0; j < n; ++j) {
        right_side.set(j, 0, system.right_side[j]);
        for (std::size_t t = system.pattern.start[j]; t < system.pattern.start[j + 1]; ++t)
            matrix.set(j, system.pattern.index[t], system.coefficient[t]);
    }
    fmpz_t denominator;
    fmpz_init(denominator);
    const int solved = fmpz_mat_solve_dixon_den(solution.flint(), denominator, matrix.flint(), right_side.flint());
    fmpz_get_mpz(y[n].backend().data(), denominator);
    fmpz_clear(denominator);
    require(solved != 0, "the balance equations are singular");
    const int sign = y[n] < 0 ? -1 : 1;
    for (std::size_t j = 0; j < n; ++j) y[j] = solution.entry(j, 0) * sign;
    y[n] *= sign;
    return y;
}

}  // namespace schedproof::markov
