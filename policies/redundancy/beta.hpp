/// The parameter of LAPS: which part of the active jobs is served.
#pragma once

#include <cstdint>

#include "model/core/rational.hpp"

namespace schedproof::redundancy {

/// beta, with 0 < beta <= 1, in integers: rounding beta n up in floating point gives 8 where 0.28 * 25 is 7.
class Beta {
  public:
    Beta() = default;
    /// Throws InputError unless 0 < beta <= 1 with numerator and denominator below 2^31.
    explicit Beta(const Rational& beta);

    [[nodiscard]] Rational value() const { return {Integer(numerator_), Integer(denominator_)}; }
    /// ceil(beta n), at least 1 for n >= 1. (The paper lost its rounding; down, one job would wait for ever.)
    /// Requires n < 2^32.
    [[nodiscard]] constexpr std::size_t latest_of(std::size_t n) const {
        return (numerator_ * n + denominator_ - 1) / denominator_;
    }
    friend bool operator==(const Beta&, const Beta&) = default;

  private:
    std::uint64_t numerator_ = 1, denominator_ = 2;
};

}  // namespace schedproof::redundancy
