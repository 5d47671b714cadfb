/// Run times: the law beside the data, scaled by the distance of the data, in whole ticks.
///
/// A time is drawn for a task when its job arrives, for a node that holds its data, and is multiplied by the factor of
/// the level at which the task is launched, rounded up. Where remote tasks contend, the factor depends on how many of
/// them the node runs, or they share its link and each takes as many times longer to read its block. Geometric times
/// have a law per level instead and are drawn at the launch. Their distribution function is kept as 64-bit fixed-point
/// numbers, so a draw is one random word and a search, the same on every machine.
#include "experiments/simulators/sharing/run_times.hpp"

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

#include "experiments/input/traces/swim_reader.hpp"
#include "model/core/errors.hpp"

namespace schedproof::simulation {

using sharing::Locality;
using sharing::Ticks;
using statistics::Stream;

namespace {

/// Longest time that is taken. Unit: tick.
constexpr double most_ticks = 0x1p50;

Ticks whole(double time) {
    if (!(time <= most_ticks)) throw LimitExceeded("run times", "a task takes more than 2^50 ticks");
    return std::max(Ticks{1}, static_cast<Ticks>(std::ceil(time)));
}

template <class... Cases>
struct Overload : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overload(Cases...) -> Overload<Cases...>;

}  // namespace

Ticks Factor::of(Ticks time) const {
    __extension__ using Wide = __int128;
    const Wide result = (Wide{time} * p + (q - 1)) / q;
    if (result > Wide{static_cast<Ticks>(most_ticks)} * 2)
        throw LimitExceeded("run times", "a task takes more than 2^51 ticks");
    return static_cast<Ticks>(result);
}

GeometricTimes::GeometricTimes(const Rational& rate) {
    if (rate < Rational(Integer(1), Integer(10'000)) || rate > Rational(1) || rate.denominator() > Integer(1) << 31)
        throw InputError::at_key(
            "--rates", "expected rates from 1/10000 to 1, of denominators up to 2^31, not " + rate.to_string());
    __extension__ using Wide = unsigned __int128;
    const auto q = rate.denominator().convert_to<std::uint64_t>(), p = rate.numerator().convert_to<std::uint64_t>();
    Wide longer = Wide{1} << 64;  // Pr(time > k) 2^64
    while (true) {
        longer = longer * (q - p) / q;
        if (longer == 0) break;
        within_.push_back(static_cast<std::uint64_t>((Wide{1} << 64) - longer));
    }
}

double GeometricTimes::mean() const {
    double sum = 1;
    for (const std::uint64_t w : within_) sum += 1 - static_cast<double>(w) * 0x1p-64;
    return sum;
}

Ticks GeometricTimes::draw(Stream& random) const {
    const std::uint64_t u = random();
    std::size_t k = 0;
    for (; k < 8 && k < within_.size(); ++k)
        if (u < within_[k]) return static_cast<Ticks>(k + 1);
    const auto at = std::upper_bound(within_.begin() + static_cast<std::ptrdiff_t>(k), within_.end(), u);
    return static_cast<Ticks>(at - within_.begin() + 1);
}

bool RunTimes::alike() const {
    return !std::holds_alternative<ExponentialTime>(law_) && !std::holds_alternative<UniformTime>(law_);
}

Ticks RunTimes::alone(double bytes, Stream& random) const {
    return std::visit(
        Overload{[](const ConstantTime& law) { return whole(law.time); },
                 [&](const ExponentialTime& law) {
                     return whole(boost::random::exponential_distribution<double>(1 / law.mean)(random));
                 },
                 [&](const UniformTime& law) {
                     return whole(boost::random::uniform_real_distribution<double>(law.from, law.to)(random));
                 },
                 [&](const BlockTime& law) { return whole(law.whole * bytes / input::TraceSizes::block); },
                 [](const GeometricByLevel&) { return Ticks{1}; }},
        law_);
}

Ticks RunTimes::at(Locality level, Ticks alone, std::size_t remote, Stream& services) const {
    if (const auto* law = std::get_if<GeometricByLevel>(&law_)) return law->at[index(level)].draw(services);
    if (level != Locality::remote) return factor_[index(level)].of(alone);
    const Factor& factor =
        contended_.empty() ? factor_[index(level)] : contended_[std::min(remote, contended_.size()) - 1];
    __extension__ using Wide = __int128;
    const Wide time = factor.of(alone) + Wide{transfer_} * static_cast<Wide>(remote);
    if (time > static_cast<Wide>(2 * most_ticks)) throw LimitExceeded("run times", "a task takes more than 2^51 ticks");
    return static_cast<Ticks>(time);
}

double RunTimes::mean() const {
    return std::visit(
        Overload{[](const ConstantTime& law) { return law.time; }, [](const ExponentialTime& law) { return law.mean; },
                 [](const UniformTime& law) { return (law.from + law.to) / 2; },
                 [](const BlockTime& law) { return law.whole; },
                 [](const GeometricByLevel& law) { return law.at[0].mean(); }},
        law_);
}

}  // namespace schedproof::simulation
