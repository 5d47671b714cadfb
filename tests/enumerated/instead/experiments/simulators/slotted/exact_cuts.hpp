/// Where a uniform number lies among cuts of the unit interval, given its first 16 bits: every outcome in turn, with
/// its exact probability.
///
/// In place of experiments/simulators/slotted/exact_cuts.hpp, whose comparison of further bits with the cuts is tested
/// by itself (tests/experiments/queueing_parts_test.cpp).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "model/core/rational.hpp"
#include "tests/enumerated/instead/experiments/statistics/stream.hpp"

namespace schedproof::simulation {

class ExactCuts {
  public:
    explicit ExactCuts(std::vector<Rational> cuts) : cuts_(std::move(cuts)) {
        for (const Rational& c : cuts_)
            thresholds_.push_back(c == Rational(1) ? 0xFFFF : floor(c * Rational(0x10000)).convert_to<std::uint32_t>());
    }
    [[nodiscard]] std::span<const std::uint32_t> thresholds() const { return thresholds_; }
    [[nodiscard]] std::uint32_t reached(std::uint32_t bits, statistics::Stream& further) const {
        std::uint32_t k = 0;
        while (k < thresholds_.size() && bits > thresholds_[k]) ++k;
        if (k == thresholds_.size() || bits < thresholds_[k]) return k;
        // The number, times 2^16, is uniform from `bits` to the next whole number, and the cuts lie between.
        std::vector<std::uint32_t> reached;
        std::vector<Rational> widths;
        Rational from(bits);
        for (bool cut = true; cut; ++k) {
            cut = k < thresholds_.size() && thresholds_[k] == bits;
            const Rational to = cut ? cuts_[k] * Rational(0x10000) : Rational(bits) + Rational(1);
            if (to == from) continue;
            reached.push_back(k);
            widths.push_back(to - from);
            from = to;
        }
        return reached[further.draw(DiscreteDistribution(std::move(widths)))];
    }

  private:
    std::vector<Rational> cuts_;
    std::vector<std::uint32_t> thresholds_;
};

}  // namespace schedproof::simulation
