/// Exact numbers of the analysis of delay scheduling: powers of rationals, and a logarithm decided by its series.
///
/// A probability (1-K/M)^(R D) is kept as the integer (M-K)^(R D) over M^(R D), one denominator for all K, so the mean
/// over a job's tasks is a sum of integers and a single division. `require_affordable` estimates the bits to be
/// multiplied and throws before a computation would take minutes.
///
/// Under the algorithm as printed, the skip count is a two-state chain along the tasks: it is 0 when a task's turn
/// comes, with probability w_K, or it stands at D. The recursion w' = (1-w) a + w b, with a and b the probabilities
/// that a task is local at once or within D+1 offers, is exact while its numbers are short. Beyond `exact_bits` both a
/// and b are rounded outwards to 256 bits; since a <= b, each step is monotone in all three values, so lower bounds map
/// to lower bounds and upper to upper, and the result is an enclosure, never an approximation without a bound.
///
/// The rule D >= (M/R) ln y needs no logarithm: the least n with e^(n R/M) >= y is found by bisection, and e^q against
/// y is decided by partial sums of the series with the geometric bound of its rest. That ends because e^q is irrational
/// for rational q other than 0. Source: [zaharia2010], Analysis of Delay Scheduling.
#include "model/sharing/delay_analysis.hpp"

#include <algorithm>
#include <bit>

#include "model/core/errors.hpp"

namespace schedproof::sharing {

namespace {

constexpr std::uint64_t most_tasks = 50'000;
/// Bits to multiply before it is said that this takes too long.
constexpr double most_bits = 5e8;
/// Bits of a mean under the printed algorithm beyond which it is enclosed.
constexpr double exact_bits = 2e4;

double bits(std::uint64_t base) { return static_cast<double>(std::bit_width(base)); }

Integer whole_power(const Integer& base, std::uint64_t exponent) {
    Integer result;
    mpz_pow_ui(result.backend().data(), base.backend().data(), exponent);
    return result;
}

void require_affordable(const DelaySetting& setting, std::uint64_t skips) {
    validate(setting);
    if (setting.tasks > most_tasks)
        throw LimitExceeded("delay analysis", "more than " + std::to_string(most_tasks) + " tasks");
    const double cost = static_cast<double>(std::min(setting.tasks, setting.nodes)) *
                        static_cast<double>(setting.replicas) * static_cast<double>(skips) * bits(setting.nodes);
    if (cost > most_bits)
        throw LimitExceeded("delay analysis", "powers of " + std::to_string(setting.tasks) + " numbers with " +
                                                  std::to_string(skips) + " skips are too long to be multiplied");
}

/// (M - K)^(R offers), the numerator of (1-K/M)^(R offers) over M^(R offers).
Integer missed(const DelaySetting& setting, std::uint64_t left, std::uint64_t offers) {
    return left >= setting.nodes ? Integer(offers == 0 ? 1 : 0)
                                 : whole_power(Integer(setting.nodes - left), setting.replicas * offers);
}

/// Partial sums of e^q from below, and what is left of it from above: q^(n+1)/(n+1)! / (1 - q/(n+2)).
class Series {
  public:
    explicit Series(Rational q) : q_(std::move(q)) {}
    void add_term() {
        ++n_;
        term_ = term_ * q_ / Rational(n_);
        sum_ += term_;
    }
    [[nodiscard]] const Rational& least() const { return sum_; }
    /// Nothing while the rest is not yet below a geometric sum.
    [[nodiscard]] std::optional<Rational> most() const {
        const Rational ratio = q_ / Rational(n_ + 2);
        if (ratio >= Rational(1)) return std::nullopt;
        return sum_ + term_ * q_ / Rational(n_ + 1) / (Rational(1) - ratio);
    }

  private:
    Rational q_, sum_ = 1, term_ = 1;
    std::uint64_t n_ = 0;
};

Rational over_power_of_two(const Integer& numerator, unsigned exponent) { return {numerator, Integer(1) << exponent}; }
Enclosure widened(const Enclosure& value, unsigned exponent) {
    const Rational scale(Integer(1) << exponent);
    return {over_power_of_two(floor(value.least * scale), exponent),
            over_power_of_two(-floor(-value.most * scale), exponent)};
}

Rational goal_ratio(const DelaySetting& setting, const Rational& goal) {
    validate(setting);
    require(goal.sign() >= 0 && goal < Rational(1), "a goal of locality is at least 0 and below 1");
    const Rational missing = (Rational(1) - goal) * Rational(setting.tasks);
    return (Rational(1) + missing) / missing;
}

/// The least value from 0 to `enough` with the property, which holds from some value on and at `enough`.
template <class Property>
std::uint64_t least(std::uint64_t enough, Property&& property) {
    std::uint64_t low = 0, high = enough;
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (property(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

}  // namespace

void validate(const DelaySetting& setting) {
    for (const std::uint64_t n : {setting.nodes, setting.replicas, setting.tasks}) {
        require(n >= 1, "nodes, replicas and tasks are at least 1");
        if (n >> 32U) throw LimitExceeded("delay analysis", "more than 2^32 nodes, replicas or tasks");
    }
}

bool exponential_below(const Rational& exponent, const Rational& bound) {
    require(exponent.sign() >= 0, "an exponent of at least 0");
    if (exponent.sign() == 0) return Rational(1) < bound;
    for (Series series(exponent);; series.add_term()) {
        if (series.least() >= bound) return false;
        if (const auto most = series.most(); most && *most < bound) return true;
    }
}

std::uint64_t least_multiple_of_logarithm(const Rational& step, const Rational& bound) {
    require(step.sign() > 0, "a step above 0");
    const auto enough = [&](std::uint64_t n) { return !exponential_below(Rational(n) * step, bound); };
    std::uint64_t high = 1;
    for (; !enough(high); high *= 2)
        if (Rational(high) * step > Rational(10'000)) throw LimitExceeded("delay analysis", "a logarithm above 10,000");
    return least(high, enough);
}

Rational local_within(const Rational& p, std::uint64_t offers) {
    require(p.sign() >= 0 && p <= Rational(1), "a probability");
    return Rational(1) - to_the_power(Rational(1) - p, static_cast<std::int64_t>(offers));
}

Rational mean_skips(const Rational& p, std::uint64_t skips) {
    if (p.sign() == 0) return Rational(skips);
    return (Rational(1) - p) * local_within(p, skips) / p;
}

Rational local_offer(const DelaySetting& setting, std::uint64_t left) {
    validate(setting);
    return Rational(1) - Rational(missed(setting, left, 1), whole_power(Integer(setting.nodes), setting.replicas));
}

Rational mean_locality(const DelaySetting& setting, std::uint64_t skips) {
    require_affordable(setting, skips);
    Integer sum = 0;
    for (std::uint64_t left = 1; left <= std::min(setting.tasks, setting.nodes); ++left)
        sum += missed(setting, left, skips);
    if (skips == 0 && setting.tasks > setting.nodes) sum += setting.tasks - setting.nodes;
    const Integer whole = whole_power(Integer(setting.nodes), setting.replicas * skips);
    return Rational(1) - Rational(sum, Integer(setting.tasks) * whole);
}

Enclosure mean_locality_as_printed(const DelaySetting& setting, std::uint64_t skips) {
    require_affordable(setting, skips + 1);
    const double length = static_cast<double>(std::min(setting.tasks, setting.nodes)) *
                          static_cast<double>(setting.replicas) * static_cast<double>(skips + 1) * bits(setting.nodes);
    const bool exact = length <= exact_bits;
    constexpr unsigned precision = 256;
    const Integer whole = whole_power(Integer(setting.nodes), setting.replicas * (skips + 1));
    Enclosure waits{1, 1}, sum{0, 0};  // the probability that the skip count is 0 when a task's turn comes
    for (std::uint64_t left = setting.tasks; left > 0; --left) {
        const Rational at_once = local_offer(setting, left);
        const Rational in_time = Rational(1) - Rational(missed(setting, left, skips + 1), whole);
        Enclosure now{at_once, at_once}, later{in_time, in_time};
        if (!exact) {
            now = widened(now, precision);
            later = widened(later, precision);
        }
        // now + part (later - now) falls in none of the three, for 0 <= part <= 1 and now <= later.
        waits = {now.least * (Rational(1) - waits.least) + waits.least * later.least,
                 now.most * (Rational(1) - waits.most) + waits.most * later.most};
        if (!exact) waits = widened(waits, precision);
        sum.least += waits.least;
        sum.most += waits.most;
    }
    return {sum.least / Rational(setting.tasks), sum.most / Rational(setting.tasks)};
}

Enclosure locality_bound(const DelaySetting& setting, std::uint64_t skips) {
    validate(setting);
    require(skips >= 1, "a skip");
    // With E = e^(R skips/M), the bound is 1 - 1/(N(E-1)), which rises with E.
    Series series(Rational(setting.replicas) * Rational(skips) / Rational(setting.nodes));
    const Rational fine(Integer(1), Integer(1) << 100U);
    const auto at = [&](const Rational& e) {
        return Rational(1) - Rational(1) / (Rational(setting.tasks) * (e - Rational(1)));
    };
    for (;; series.add_term()) {
        const auto most = series.most();
        if (!most || series.least() == Rational(1)) continue;
        if (Enclosure value{at(series.least()), at(*most)}; value.most - value.least <= fine)
            return widened(value, 110);
    }
}

std::uint64_t rule_for_skips(const DelaySetting& setting, const Rational& goal) {
    const Rational ratio = goal_ratio(setting, goal);
    return least_multiple_of_logarithm(Rational(setting.replicas) / Rational(setting.nodes), ratio);
}

Enclosure rule_value(const DelaySetting& setting, const Rational& goal) {
    const Rational ratio = goal_ratio(setting, goal), fine = Rational(Integer(1), Integer(1000));
    const Rational step = fine * Rational(setting.replicas) / Rational(setting.nodes);
    const Rational most = Rational(least_multiple_of_logarithm(step, ratio)) * fine;
    return {most - fine, most};
}

std::uint64_t least_skips(const DelaySetting& setting, const Rational& goal) {
    return least(rule_for_skips(setting, goal),
                 [&](std::uint64_t skips) { return mean_locality(setting, skips) >= goal; });
}

std::optional<std::uint64_t> least_skips_as_printed(const DelaySetting& setting, const Rational& goal) {
    bool told = true;
    const auto reached = [&](std::uint64_t skips) {
        const Enclosure locality = mean_locality_as_printed(setting, skips);
        if (locality.least < goal && goal <= locality.most) told = false;
        return locality.least >= goal;
    };
    std::uint64_t enough = rule_for_skips(setting, goal);
    while (told && !reached(enough)) enough *= 2;
    const std::uint64_t found = least(enough, reached);
    return told ? std::optional(found) : std::nullopt;
}

Rational mean_wait(std::uint64_t skips, std::uint64_t slots, const Rational& task_time) {
    require(slots >= 1, "a slot");
    return Rational(skips) / Rational(slots) * task_time;
}

Rational sure_wait(std::uint64_t skips, std::uint64_t slots, const Rational& longest) {
    require(slots >= 1, "a slot");
    return Rational(skips / slots + (skips % slots != 0 ? 1 : 0)) * longest;
}

}  // namespace schedproof::sharing
