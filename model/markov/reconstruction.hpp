/// From p-adic digits back to integers over a common denominator.
///
/// Every entry of the solution is x_i = y_i / d with one d for all. A few entries, spread over the vector, are
/// reconstructed as fractions (the half-way point of Euclid's algorithm on the modulus and the residue) and give d; all
/// others then follow as the small symmetric residue of d x_i, by one multiplication each. Nothing here is proved: a
/// fraction far shorter than the modulus is only very likely to be the right one. The caller checks the whole vector
/// against the equations, which needs no probability.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::markov {

/// Vectors of digits in base p, the least significant first: a vector of p-adic integers known modulo p^digits().
class Expansion {
  public:
    Expansion(std::uint64_t base, std::size_t entries) : base_(base), entries_(entries) {}

    void append(std::span<const std::uint64_t> digits) { digit_.insert(digit_.end(), digits.begin(), digits.end()); ++digits_; }

    [[nodiscard]] std::size_t entries() const { return entries_; }
    [[nodiscard]] std::size_t digits() const { return digits_; }

    /// p^digits.
    [[nodiscard]] Integer modulus(std::size_t digits) const;
    /// Entry i modulo p^digits, in [0, p^digits). Requires digits <= digits().
    [[nodiscard]] Integer residue(std::size_t i, std::size_t digits);

  private:
    void evaluate(Integer& result, std::size_t i, std::size_t first, std::size_t count, std::size_t level);

    std::uint64_t base_;
    std::size_t entries_, digits_ = 0;
    std::vector<std::uint64_t> digit_;
    std::vector<Integer> power_;  // power_[t] = base^(leaf 2^t)
};

/// Integers y_0, ..., y_n with x_i = y_i / y_n for all n entries of the expansion, y_n > 0, if the digits determine any
/// that are short beyond coincidence (by 64 bits against the modulus). Exact: no; see above.
[[nodiscard]] std::optional<std::vector<Integer>> reconstruct_over_common_denominator(Expansion& expansion);

}  // namespace schedproof::markov
