/// Where a uniform random number lies among cuts of the unit interval, from 16 bits of it, exactly.
///
/// The first 16 bits u of a number U are compared with floor(2^16 c) of each cut c: above it U >= c, below it U < c.
/// Where they are equal, further bits decide against the rational, so that no probability is rounded. One cut p tells
/// an event of probability p: U < p.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/statistics/stream.hpp"
#include "model/core/rational.hpp"

namespace schedproof::simulation {

class ExactCuts {
  public:
    /// Requires: cuts ascend within 0..1.
    explicit ExactCuts(std::vector<Rational> cuts);

    /// What 16 bits are compared with, by cut. Of the cut 1 it is 2^16 - 1, and bits equal to it never reach it.
    [[nodiscard]] std::span<const std::uint32_t> thresholds() const { return thresholds_; }
    /// How many cuts U is not below, given its first 16 bits: a draw where these are a threshold.
    [[nodiscard]] std::uint32_t reached(std::uint32_t bits, statistics::Stream& further) const;

  private:
    /// U begins with the threshold of cut k: compares more bits with it, and with those of the same threshold.
    [[nodiscard]] std::uint32_t decide(std::uint32_t bits, std::uint32_t k, statistics::Stream& further) const;

    std::vector<Rational> cuts_;
    std::vector<std::uint32_t> thresholds_;
};

}  // namespace schedproof::simulation
