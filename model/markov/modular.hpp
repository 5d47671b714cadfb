/// Arithmetic modulo a prime just below 2^61.
///
/// A prime p = 2^61 - c with small c reduces a double word by shifts and one small product, since 2^61 = c modulo p.
/// Sixty-one bits leave room to add many products of residues into one double word before reducing, so the inner loops
/// of elimination and substitution are a load, a 64-bit multiplication and an addition with carry each. The first prime
/// is the Mersenne prime 2^61 - 1; the later ones serve only when a matrix is singular modulo an earlier one.
///
/// Why not short primes in vector registers: measured on sums over sparse rows (95 entries each, cached), one entry
/// costs 0.9 ns here for 61 bits, 0.35 ns with 31-bit primes and AVX2 gathers, that is 0.7 ns for as many bits, and 0.6
/// ns with the 52-bit products of AVX-512. The elimination order leaves few rows alike enough to share their indices,
/// which is what vectors would need for more. A tenth or two of the whole is not worth a second code path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace schedproof::markov {

__extension__ using Word2 = unsigned __int128;
__extension__ using SignedWord2 = __int128;

/// The field of integers modulo p. Residues are canonical: in [0, p).
class PrimeField {
  public:
    static constexpr unsigned bits = 61;
    /// How many products of residues a Word2 holds, on top of one folded value, without overflow.
    static constexpr std::size_t products_per_fold = 32;

    /// The field of the largest prime, the next smaller one, and so on.
    [[nodiscard]] static PrimeField largest() { return PrimeField(1); }
    [[nodiscard]] PrimeField next_smaller() const;

    [[nodiscard]] std::uint64_t prime() const { return prime_; }

    /// A smaller number of the same residue, below 2^84.
    [[nodiscard]] Word2 fold(Word2 x) const { return (x & mask) + (x >> bits) * offset_; }

    [[nodiscard]] std::uint64_t reduce(Word2 x) const {
        const auto y = static_cast<std::uint64_t>(fold(fold(x)));  // below 2^61 + 2^40
        return y >= prime_ ? y - prime_ : y;
    }
    [[nodiscard]] std::uint64_t multiply(std::uint64_t a, std::uint64_t b) const { return reduce(Word2{a} * b); }
    [[nodiscard]] std::uint64_t negate(std::uint64_t a) const { return a == 0 ? 0 : prime_ - a; }
    [[nodiscard]] std::uint64_t residue(std::int64_t a) const {
        return a >= 0 ? reduce(static_cast<std::uint64_t>(a))
                      : negate(reduce(std::uint64_t{0} - static_cast<std::uint64_t>(a)));
    }
    /// Requires a != 0.
    [[nodiscard]] std::uint64_t inverse(std::uint64_t a) const;

    /// first + the sum of coefficient[t] * x[index[t]], reduced.
    [[nodiscard]] std::uint64_t dot(std::uint64_t first, std::span<const std::uint64_t> coefficient,
                                    const std::uint32_t* index, const std::uint64_t* x) const {
        Word2 sum = first;
        std::size_t t = 0;
        for (; t + products_per_fold <= coefficient.size(); sum = fold(sum))
            for (const std::size_t end = t + products_per_fold; t < end; ++t)
                sum += Word2{coefficient[t]} * x[index[t]];
        for (; t < coefficient.size(); ++t) sum += Word2{coefficient[t]} * x[index[t]];
        return reduce(sum);
    }

  private:
    static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;

    explicit PrimeField(std::uint64_t offset) : offset_(offset), prime_(mask + 1 - offset) {}

    std::uint64_t offset_;  // c, below 2^16
    std::uint64_t prime_;
};

}  // namespace schedproof::markov
