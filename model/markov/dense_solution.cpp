#include "model/markov/dense_solution.hpp"

#include <flint/fmpz_mat.h>

#include "model/core/errors.hpp"

namespace schedproof::markov {

namespace {

class IntegerMatrix {
  public:
    IntegerMatrix(std::size_t rows, std::size_t columns) {
        fmpz_mat_init(value_, static_cast<slong>(rows), static_cast<slong>(columns));
    }
    IntegerMatrix(const IntegerMatrix&) = delete;
    IntegerMatrix& operator=(const IntegerMatrix&) = delete;
    ~IntegerMatrix() { fmpz_mat_clear(value_); }

    [[nodiscard]] fmpz_mat_struct* flint() { return value_; }
    void set(std::size_t i, std::size_t j, const Integer& entry) { fmpz_set_mpz(at(i, j), entry.backend().data()); }
    [[nodiscard]] Integer entry(std::size_t i, std::size_t j) {
        Integer result;
        fmpz_get_mpz(result.backend().data(), at(i, j));
        return result;
    }

  private:
    fmpz* at(std::size_t i, std::size_t j) {
        return fmpz_mat_entry(value_, static_cast<slong>(i), static_cast<slong>(j));
    }
    fmpz_mat_t value_;
};

}  // namespace

std::vector<Integer> dense_solution(const BalanceSystem& system) {
    const std::size_t n = system.unknowns();
    std::vector<Integer> y(n + 1);
    y[n] = 1;
    if (n == 0) return y;
    IntegerMatrix matrix(n, n), right_side(n, 1), solution(n, 1);
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
