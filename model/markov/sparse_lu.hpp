/// Triangular factors of a sparse matrix modulo a word-size prime, pivots in a given order.
///
/// The factors are stored by rows, and negated, so that substitution is nothing but sums of products: L y = b and
/// U x = y with unit diagonal in U, both read once from front to back and back to front. Reading the factors is what
/// bounds a solve once they outgrow the cache (8 bytes of residue and 4 of index per entry for 61 bits of answer).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/markov/elimination.hpp"
#include "model/markov/modular.hpp"

namespace schedproof::markov {

class SparseLu {
  public:
    /// Factors the leading square block of `rows` rows and columns of a matrix whose rows are given, in pivot order,
    /// by `pattern` and `residue` (one residue per pattern entry, at most one entry per place, columns beyond the block
    /// ignored). Returns nothing when a pivot is zero modulo the prime.
    /// Requires: `plan` covers the pattern and outlives the factors.
    [[nodiscard]] static std::optional<SparseLu> factor(const PrimeField& field, const EliminationPlan& plan,
                                                        std::size_t rows, const SparsePattern& pattern,
                                                        std::span<const std::uint64_t> residue);

    /// Replaces the right-hand side x, residues, by the solution.
    void solve(std::span<std::uint64_t> x) const;

    [[nodiscard]] const PrimeField& field() const { return field_; }

  private:
    SparseLu(const PrimeField& field, const EliminationPlan& plan, std::size_t rows)
        : field_(field), rows_(rows), lower_pattern_(&plan.lower), inverse_pivot_(rows) {}
    void fill_row(std::size_t i, std::vector<Word2>& row, std::span<const std::uint32_t> upper);

    PrimeField field_;
    std::size_t rows_;
    const SparsePattern* lower_pattern_;  // its leading rows have no columns beyond the block
    SparsePattern upper_pattern_;         // without the columns beyond the block
    std::vector<std::uint64_t> lower_, upper_, inverse_pivot_;
};

}  // namespace schedproof::markov
