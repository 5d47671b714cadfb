/// Whether numbers that are read one by one all fit 64-bit ticks.
///
/// Large clusters are scheduled in ticks, the fewest with which every load is whole. A load that is too large, or so
/// finely divided that another one no longer fits, is refused where it stands and not when the ticks are made.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "model/core/rational.hpp"

namespace schedproof::assignment {

class TickGauge {
  public:
    /// Takes a load in. What was expected instead, when it is negative or does not fit; empty when all is well.
    [[nodiscard]] std::string add(const Rational& load) {
        if (load.sign() < 0) return "expected a load of at least 0, not " + load.to_string();
        if (!load.is_integer()) ticks_ = lcm(ticks_, load.denominator());
        if (largest_ < load) largest_ = load;
        if (largest_ * Rational(ticks_) <= Rational(std::numeric_limits<std::int64_t>::max())) return {};
        return "expected loads that fit 64-bit ticks: " +
               (load.is_integer() ? load.to_string() + " does not"
                                  : "with " + load.to_string() + ", ticks of 1/" + ticks_.str() + " do not");
    }

  private:
    Integer ticks_ = 1;
    Rational largest_;
};

}  // namespace schedproof::assignment
