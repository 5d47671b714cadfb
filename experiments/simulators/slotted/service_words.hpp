/// Which services end with a slot: a busy server of rate p compares 16 random bits u with floor(2^16 p).
///
/// Bits below it end the service, bits above do not, and where they are equal further bits decide (exact_cuts.hpp). A
/// word of 32 bits serves two servers: its low half the m-th, its high half the
/// m-th after the first half of the servers.
#pragma once

#include <span>
#include <vector>

#include "experiments/simulators/slotted/bulk_bits.hpp"
#include "experiments/simulators/slotted/exact_cuts.hpp"
#include "model/queueing/instance.hpp"

namespace schedproof::simulation {

class ServiceWords {
  public:
    ServiceWords(const queueing::Instance& instance, const statistics::Replication& replication, SimdLevel simd);

    /// Draws the bits of the next slot.
    void next() { current_ = words_.next(); }
    /// Calls `body(first, count, words, shift)` for both halves of the servers, in whole groups of lanes: the bits of
    /// server first + i are (words[i] >> shift) mod 2^16.
    template <class Body>
    void each_half(Body&& body) const {
        body(std::size_t{0}, half_, current_.data(), 0U);
        if (padded_ > half_) body(half_, padded_ - half_, current_.data(), 16U);
    }
    [[nodiscard]] std::uint32_t bits(std::size_t m) const {
        return m < half_ ? current_[m] & 0xFFFF : current_[m - half_] >> 16;
    }
    [[nodiscard]] std::uint32_t threshold(Level level) const { return rates_[level.index()].thresholds()[0]; }
    /// Whether a service at this level ends whose bits are its threshold: a draw.
    [[nodiscard]] bool ends(Level level);

  private:
    const std::size_t padded_, half_;
    BulkBits words_;
    std::span<const std::uint32_t> current_;
    statistics::Stream further_;
    std::vector<ExactCuts> rates_;  // by level
};

}  // namespace schedproof::simulation
