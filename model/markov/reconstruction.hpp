/// From p-adic digits back to integers over a common denominator.
///
/// Every entry of the solution is x_i = y_i / d with one d for all. Modulo m = p^k, the vectors (d, r_1, ..., r_s) with
/// r_j = d x_j modulo m for s sampled entries form a lattice of determinant m^s in dimension s + 1. A random such
/// lattice has no vector much shorter than m^(s/(s+1)), so once m passes the (1 + 1/s)-th power of the answer, the true
/// (d, y_1, ..., y_s) stands out as the shortest and lattice reduction finds it. One entry at a time (s = 1, Euclid's
/// algorithm) would need the square of the answer; five at a time need 40 per cent fewer digits, which are what costs.
///
/// The lattice is kept reduced while digits arrive. Going from m to m q keeps those combinations of the basis whose
/// defects (d x_j - r_j) / m vanish modulo q, so each look costs what the new digits cost, not the old ones again.
///
/// With d known, all other entries are the small symmetric residues of d x_i, one multiplication each. Nothing here is
/// proved: a vector far shorter than expected by chance is only very likely to be the right one. The caller checks
/// the whole solution against the equations, which needs no probability.
///
/// Source: C. Bright and A. Storjohann, "Vector rational number reconstruction" (2011); the reduction is FLINT's LLL.
#pragma once

#include <optional>
#include <vector>

#include "model/core/rational.hpp"
#include "model/markov/expansion.hpp"

namespace schedproof::markov {

class Reconstruction {
  public:
    /// Follows `expansion`, which outlives it and has at least one entry.
    explicit Reconstruction(Expansion& expansion);

    /// Integers y_0, ..., y_n with x_i = y_i / y_n for all n entries of the expansion and y_n > 0, if its digits show
    /// any that are short beyond coincidence. Exact: no; see above.
    [[nodiscard]] std::optional<std::vector<Integer>> attempt();

  private:
    using Basis = std::vector<std::vector<Integer>>;
    enum class Precision { machine, adaptive };

    void restart();
    bool refine();
    bool reduce(Precision precision, std::size_t factor_bits);
    [[nodiscard]] std::optional<Integer> sampled_denominator() const;
    [[nodiscard]] std::optional<std::vector<Integer>> all_entries(Integer denominator);

    Expansion* expansion_;
    std::vector<std::size_t> sample_;
    Basis basis_;             // rows (d, r_1, ..., r_s)
    std::size_t digits_ = 0;  // how many the basis has taken in
};

}  // namespace schedproof::markov
