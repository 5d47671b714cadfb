/// The mean work h(r, D) of the best of r machines in an interval of length D, in closed form for every service
/// process.
///
/// h(r, D) = E max(S_1, ..., S_r) = integral of 1 - F(x)^r, with F the distribution function of one machine's work:
///   * deterministic: D;
///   * two-point: the best is slow only if all are, so h = (fast - (fast - slow) P(slow)^r) D, linear in D;
///   * slotted: the number of slots in which a machine works is binomial, so h = d times the sum over k of 1 -
///     F(k)^r;
///   * periodic with uniform phase: whole periods give exactly 2 each; in the rest D' the time at rate 2 has an
///     atom at each end of its range and is uniform between, which integrates to (1 - F^(r+1)) terms;
///   * gains: any concave table, which is h(r, 1) by definition.
/// The linear ones keep schedules rational. All values are exact rationals; powers are by repeated squaring.
/// Source: [xu2017], Sections 2 and 3.
#include "model/redundancy/service.hpp"

#include <fmt/format.h>

#include "model/base/split.hpp"
#include "model/core/errors.hpp"

namespace schedproof::redundancy {

namespace {

[[noreturn]] void expected(const std::string& what) { throw InputError::at_key("service", "expected " + what); }

void validate(const Deterministic&) {}
void validate(const TwoPoint& p) {
    if (p.slow.sign() < 0 || p.slow >= Rational(1) || p.fast <= Rational(1))
        expected("two-point:FAST,SLOW with 0 <= SLOW < 1 < FAST");
}
void validate(const Slotted& p) {
    if (p.rate < 1) expected("slotted:RATE with a rate of at least 1");
}
void validate(const Periodic&) {}
void validate(const Gains& p) {
    if (p.gain.empty() || p.gain.front() != Rational(1)) expected("gains that begin with g(1) = 1");
    Rational step = p.gain.front();
    for (std::size_t r = 1; r < p.gain.size(); ++r) {
        const Rational next = p.gain[r] - p.gain[r - 1];
        if (next.sign() < 0) expected(fmt::format("gains that do not fall, but g({}) < g({})", r + 1, r));
        if (next > step)
            expected(fmt::format("a concave table, but g({}) - g({}) is more than the gain before", r + 1, r));
        step = next;
    }
    if (p.gain.back() > p.peak) expected("gains of at most the peak rate " + p.peak.to_string());
}

/// P(Bin(n, p) <= k), k < n.
Rational binomial_cdf(std::uint32_t n, const Rational& p, std::uint32_t k) {
    Rational sum, ways(1);
    for (std::uint32_t i = 0; i <= k; ++i) {
        sum += ways * to_the_power(p, i) * to_the_power(Rational(1) - p, n - i);
        ways = ways * Rational(n - i) / Rational(i + 1);
    }
    return sum;
}

Rational best_of(const Deterministic&, std::uint32_t, const Rational& length) { return length; }

/// The best is slow only when all are.
Rational gain(const TwoPoint& p, std::uint32_t copies) {
    const Rational slow = (p.fast - Rational(1)) / (p.fast - p.slow);
    return p.fast - (p.fast - p.slow) * to_the_power(slow, copies);
}
Rational best_of(const TwoPoint& p, std::uint32_t copies, const Rational& length) { return gain(p, copies) * length; }

/// E max = sum over k of P(max > k), with the number of on-slots binomial.
Rational best_of(const Slotted& p, std::uint32_t copies, const Rational& length) {
    require(length.is_integer(), "intervals of a slotted process are whole slots");
    const auto slots = length.numerator().convert_to<std::uint32_t>();
    Rational sum;
    for (std::uint32_t k = 0; k < slots; ++k)
        sum += Rational(1) - to_the_power(binomial_cdf(slots, Rational(Integer(1), Integer(p.rate)), k), copies);
    return Rational(p.rate) * sum;
}

/// Whole periods give 2 each. The rest D' gives twice the time on, which has an atom of weight A at `low` and at `high`
/// and is uniform between.
Rational best_of(const Periodic&, std::uint32_t copies, const Rational& length) {
    const Integer periods = floor(length / Rational(2));
    const Rational rest = length - Rational(2) * Rational(periods);
    const Rational one(1), two(2);
    const bool short_rest = rest <= one;
    const Rational low = short_rest ? Rational(0) : rest - one, high = short_rest ? rest : one;
    const Rational atom = short_rest ? (one - rest) / two : (rest - one) / two;
    const Rational spread = to_the_power(atom + high - low, copies + 1) - to_the_power(atom, copies + 1);
    return two * Rational(periods) + two * (high - spread / Rational(copies + 1));
}

Rational gain(const Gains& p, std::uint32_t copies) { return p.gain[std::min<std::size_t>(copies, p.gain.size()) - 1]; }
Rational best_of(const Gains& p, std::uint32_t copies, const Rational& length) { return gain(p, copies) * length; }

std::vector<Rational> numbers(std::string_view text, const std::string& form) {
    std::vector<Rational> values;
    for (const std::string_view part : base::split(text, ',')) {
        const auto value = Rational::parse(part);
        if (!value) expected(form + ": " + value.error());
        values.push_back(*value);
    }
    return values;
}

std::string joined(const std::vector<Rational>& values) {
    std::string text;
    for (const Rational& value : values) text += (text.empty() ? "" : ",") + value.to_string();
    return text;
}

}  // namespace

Service::Service(Process process) : process_(std::move(process)) {
    std::visit([](const auto& p) { validate(p); }, process_);
}

Service Service::parse(std::string_view text) {
    const std::string_view kind = text.substr(0, text.find(':'));
    const std::string_view rest = kind.size() == text.size() ? std::string_view() : text.substr(kind.size() + 1);
    if (text == "det") return Service(Deterministic{});
    if (text == "periodic") return Service(Periodic{});
    if (kind == "two-point") {
        const auto values = numbers(rest, "two-point:FAST,SLOW");
        if (values.size() != 2) expected("two-point:FAST,SLOW");
        return Service(TwoPoint{values[0], values[1]});
    }
    if (kind == "slotted") {
        const auto values = numbers(rest, "slotted:RATE");
        if (values.size() != 1 || !values[0].is_integer() || values[0].sign() <= 0 || values[0] > Rational(1'000'000))
            expected("slotted:RATE with a whole rate from 1 to 1000000");
        return Service(Slotted{values[0].numerator().convert_to<std::uint32_t>()});
    }
    if (kind == "gains") {
        const std::string form = "gains:G1,G2,...@PEAK";
        const std::size_t mark = rest.find('@');
        Gains gains{numbers(rest.substr(0, mark), form), Rational()};
        gains.peak = gains.gain.back();
        if (mark != std::string_view::npos) {
            const auto peak = numbers(rest.substr(mark + 1), form);
            if (peak.size() != 1) expected(form);
            gains.peak = peak.front();
        }
        return Service(std::move(gains));
    }
    expected("det, two-point:FAST,SLOW, slotted:RATE, periodic or gains:G1,G2,...@PEAK, not '" + std::string(text) +
             "'");
}

std::string Service::to_string() const {
    struct Text {
        std::string operator()(const Deterministic&) const { return "det"; }
        std::string operator()(const Periodic&) const { return "periodic"; }
        std::string operator()(const Slotted& p) const { return fmt::format("slotted:{}", p.rate); }
        std::string operator()(const TwoPoint& p) const {
            return "two-point:" + p.fast.to_string() + "," + p.slow.to_string();
        }
        std::string operator()(const Gains& p) const { return "gains:" + joined(p.gain) + "@" + p.peak.to_string(); }
    };
    return std::visit(Text{}, process_);
}

Rational Service::peak() const {
    struct Peak {
        Rational operator()(const Deterministic&) const { return 1; }
        Rational operator()(const Periodic&) const { return 2; }
        Rational operator()(const Slotted& p) const { return p.rate; }
        Rational operator()(const TwoPoint& p) const { return p.fast; }
        Rational operator()(const Gains& p) const { return p.peak; }
    };
    return std::visit(Peak{}, process_);
}

Rational Service::best_of(std::uint32_t copies, const Rational& length) const {
    require(length.sign() >= 0, "an interval of negative length");
    if (copies == 0) return 0;
    return std::visit([&](const auto& p) { return redundancy::best_of(p, copies, length); }, process_);
}

bool Service::linear() const {
    return !std::holds_alternative<Slotted>(process_) && !std::holds_alternative<Periodic>(process_);
}

Rational Service::gain(std::uint32_t copies) const {
    require(linear(), "the service process is not linear in time");
    return best_of(copies, Rational(1));
}

}  // namespace schedproof::redundancy
