#include "experiments/simulators/slotted/exact_cuts.hpp"

#include <utility>

namespace schedproof::simulation {

namespace {

Rational two_to(unsigned exponent) { return Rational(Integer(1) << exponent); }

}  // namespace

ExactCuts::ExactCuts(std::vector<Rational> cuts) : cuts_(std::move(cuts)) {
    for (const Rational& c : cuts_)
        thresholds_.push_back(floor(c * two_to(16) - Rational(c == Rational(1) ? 1 : 0)).convert_to<std::uint32_t>());
}

std::uint32_t ExactCuts::reached(std::uint32_t bits, statistics::Stream& further) const {
    std::uint32_t k = 0;
    while (k < thresholds_.size() && bits > thresholds_[k]) ++k;
    return k == thresholds_.size() || bits < thresholds_[k] ? k : decide(bits, k, further);
}

std::uint32_t ExactCuts::decide(std::uint32_t bits, std::uint32_t k, statistics::Stream& further) const {
    Integer drawn = bits;  // U lies in [drawn, drawn + 1) / 2^count
    unsigned count = 16;
    for (; k < cuts_.size() && bits == thresholds_[k]; ++k) {
        while (Rational(drawn) < cuts_[k] * two_to(count) && Rational(drawn + 1) > cuts_[k] * two_to(count)) {
            drawn = (drawn << 32) + Integer(further.half());
            count += 32;
        }
        if (Rational(drawn) < cuts_[k] * two_to(count)) break;
    }
    return k;
}

}  // namespace schedproof::simulation
