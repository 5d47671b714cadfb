/// A FLINT integer matrix with automatic storage and entries of type Integer. Included by the few sources that call
/// FLINT.
#pragma once

#include <flint/fmpz_mat.h>

#include "model/core/flint_pool.hpp"
#include "model/core/rational.hpp"

namespace schedproof::markov {

class FlintMatrix {
  public:
    FlintMatrix(std::size_t rows, std::size_t columns) {
        give_back_flint_pool();
        fmpz_mat_init(value_, static_cast<slong>(rows), static_cast<slong>(columns));
    }
    FlintMatrix(const FlintMatrix&) = delete;
    FlintMatrix& operator=(const FlintMatrix&) = delete;
    ~FlintMatrix() { fmpz_mat_clear(value_); }

    [[nodiscard]] fmpz_mat_struct* flint() { return value_; }
    [[nodiscard]] fmpz* at(std::size_t i, std::size_t j) {
        return fmpz_mat_entry(value_, static_cast<slong>(i), static_cast<slong>(j));
    }
    void set(std::size_t i, std::size_t j, const Integer& entry) { fmpz_set_mpz(at(i, j), entry.backend().data()); }
    [[nodiscard]] Integer entry(std::size_t i, std::size_t j) {
        Integer result;
        fmpz_get_mpz(result.backend().data(), at(i, j));
        return result;
    }

  private:
    fmpz_mat_t value_;
};

}  // namespace schedproof::markov
