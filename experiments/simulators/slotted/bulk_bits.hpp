/// A named stream of random words, in bulk: Philox 4x32-10 on many counters side by side (lane_loops.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "experiments/simulators/slotted/lane_loops.hpp"
#include "experiments/statistics/stream.hpp"

namespace schedproof::simulation {

class BulkBits {
  public:
    /// `words` are made at a time. Requires words >= 1.
    BulkBits(const statistics::Replication& replication, std::string_view purpose, std::size_t words,
             SimdLevel simd = available_simd());

    /// The next `words` words, and up to 63 more behind them; valid until the next call.
    [[nodiscard]] std::span<const std::uint32_t> next();

  private:
    const LaneLoops* loops_;
    std::uint64_t key_, name_, block_ = 0;
    std::size_t words_;
    LaneWords buffer_;
};

}  // namespace schedproof::simulation
