#include "experiments/simulators/slotted/service_words.hpp"

namespace schedproof::simulation {

namespace {

Rational power_of_two(unsigned exponent) { return Rational(Integer(1) << exponent); }

}  // namespace

ServiceWords::ServiceWords(const queueing::Instance& instance, const statistics::Replication& replication,
                           SimdLevel simd)
    : instance_(instance),
      padded_(whole_lanes(instance.servers().size())),
      half_(whole_lanes(padded_ / 2)),
      words_(replication, "service bits", half_, simd),
      further_(replication, "further service bits") {
    for (const Level level : instance.levels()) {
        const Rational& p = instance.rate(level);
        // For p = 1 one less than 2^16: that value is decided further down, and always for completion.
        below_.push_back(floor(p * power_of_two(16) - Rational(p == Rational(1) ? 1 : 0)).convert_to<std::uint32_t>());
    }
}

/// With probability p, exactly: compares a uniform number with the rest of p, 32 bits at a time.
bool ServiceWords::ends(Level level) {
    Rational p = instance_.rate(level) * power_of_two(16) - Rational(static_cast<std::int64_t>(threshold(level)));
    while (p.sign() > 0 && p < Rational(1)) {
        p *= power_of_two(32);
        const Rational u(static_cast<std::int64_t>(further_.half()));
        if (u + Rational(1) <= p) return true;
        if (u >= p) return false;
        p -= u;
    }
    return p.sign() > 0;
}

}  // namespace schedproof::simulation
