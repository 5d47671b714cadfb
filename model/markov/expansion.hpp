/// A vector of p-adic integers, known by its leading digits, and its entries as ordinary integers on demand.
///
/// Digits come one vector at a time and are wanted one entry at a time, as a long number in GMP's radix. Halving the
/// digits, with the powers of the base kept, makes that conversion as fast as GMP's multiplication.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::markov {

/// Vectors of digits in base p, the least significant first: a vector known modulo p^digits().
class Expansion {
  public:
    Expansion(std::uint64_t base, std::size_t entries) : base_(base), entries_(entries) {}

    /// Requires: one digit per entry, each in [0, base).
    void append(std::span<const std::uint64_t> digits);

    [[nodiscard]] std::uint64_t base() const { return base_; }
    [[nodiscard]] std::size_t entries() const { return entries_; }
    [[nodiscard]] std::size_t digits() const { return digits_; }

    /// p^digits.
    [[nodiscard]] Integer modulus(std::size_t digits) const;
    /// Entry i modulo p^digits, in [0, p^digits). Requires: digits <= digits().
    [[nodiscard]] Integer residue(std::size_t i, std::size_t digits);

  private:
    void evaluate(Integer& result, std::size_t i, std::size_t first, std::size_t count, std::size_t level);

    std::uint64_t base_;
    std::size_t entries_, digits_ = 0;
    std::vector<std::uint64_t> digit_;  // digit k of entry i at k * entries + i
    std::vector<Integer> power_;        // power_[t] = base^(leaf 2^t)
};

}  // namespace schedproof::markov
