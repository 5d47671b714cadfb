/// How often each value of a quantity was seen, in bounded memory and constant time a value.
///
/// Values are whole numbers of a unit that the owner chooses (slots, microseconds). Below 512 each has a bin of its
/// own; above, bins are 1/256 to 1/512 of the value wide, so that a quantile is exact for small values and off by less
/// than 0.4 % for large ones. Two histograms add up to that of both samples, whatever the order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace schedproof::statistics {

class Histogram {
  public:
    void add(std::uint64_t value, std::uint64_t times = 1) {
        const std::size_t b = bin(value);
        if (b >= counts_.size()) counts_.resize(b + 1);
        counts_[b] += times;
        total_ += times;
    }
    Histogram& operator+=(const Histogram& other);

    [[nodiscard]] std::uint64_t total() const { return total_; }
    /// The least bin's largest value that at least a part p of all values does not exceed. Range: 0 <= p <= 1.
    /// Requires a value.
    [[nodiscard]] std::uint64_t quantile(double p) const;
    /// Bins that hold something, ascending: largest value of the bin, count.
    [[nodiscard]] std::vector<std::pair<std::uint64_t, std::uint64_t>> bins() const;

    friend bool operator==(const Histogram&, const Histogram&) = default;

    /// Number of the bin of a value, and the largest value of a bin.
    [[nodiscard]] static std::size_t bin(std::uint64_t value) {
        // Below 512 the shift is 0; written without a branch, for values fall on both sides of it.
        const auto shift = static_cast<unsigned>(std::bit_width(value | (2 * half - 1))) - 9;
        return half * shift + static_cast<std::size_t>(value >> shift);
    }
    [[nodiscard]] static std::uint64_t largest_in(std::size_t bin);

  private:
    static constexpr std::uint64_t half = 256;
    std::vector<std::uint64_t> counts_;  // by bin; the last one is not zero
    std::uint64_t total_ = 0;
};

}  // namespace schedproof::statistics
