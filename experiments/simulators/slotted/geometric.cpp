#include "experiments/simulators/slotted/geometric.hpp"

#include "model/core/errors.hpp"

namespace schedproof::simulation {

namespace {

constexpr std::size_t longest_table = 4096;

Rational power_of_two(unsigned exponent) { return Rational(Integer(1) << exponent); }

}  // namespace

Geometric::Geometric(const Rational& p) : q_(Rational(1) - p) {
    require(p.sign() > 0 && q_.sign() >= 0, "a completion probability lies above 0 and is at most 1");
    Rational power = q_;
    do {
        table_.push_back(floor(power * power_of_two(32)).convert_to<std::uint32_t>());
        power *= q_;
    } while (table_.back() >= (1U << 16) && table_.size() < longest_table);
    std::copy_n(table_.begin(), std::min(few, table_.size()), first_.begin());
}

std::uint64_t Geometric::decide(std::uint32_t u, std::size_t k, statistics::Stream& stream) const {
    Integer drawn = u;
    unsigned bits = 32;
    Rational power(1);
    for (std::size_t i = 0; i <= k; ++i) power *= q_;
    for (; k < table_.size(); ++k, power *= q_) {
        // U lies in [drawn, drawn + 1) / 2^bits.
        while (Rational(drawn) < power * power_of_two(bits) && Rational(drawn + 1) > power * power_of_two(bits)) {
            drawn = (drawn << 32) + Integer(stream.half());
            bits += 32;
        }
        if (Rational(drawn) >= power * power_of_two(bits)) return k + 1;
    }
    return table_.size() + (*this)(stream);
}

}  // namespace schedproof::simulation
