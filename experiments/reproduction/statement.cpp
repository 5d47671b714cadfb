/// Statements about curves, decided by simultaneous intervals.
///
/// Every statement is made of comparisons of one statistic with bounds: a difference or a ratio of two values, or a
/// value itself. Values are paired by replication, since policies meet the same random numbers; the statistic of a pair
/// is formed in each replication, and its interval is Student's t on these. A statement of m comparisons takes each
/// interval at confidence 1 - (1 - confidence)/m, so that by Bonferroni all of them cover at once with the confidence
/// asked for, and a true statement fails, or a false one holds, with probability 1 - confidence at most.
/// A single value that was drawn has no interval and decides nothing; one that was computed exactly is its own.
///
/// All kinds but `minimum` are conjunctions: they hold when all comparisons do, and fail when one does. A minimum
/// between two places holds when one place there is below every place outside, and fails when one place outside is
/// below every place there.
/// Intervals are those of a normal law: with values of infinite variance, such as sizes of a Pareto law of shape 2,
/// means of few replications vary more than these say.
#include "experiments/reproduction/statement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "model/base/nearest.hpp"
#include "model/core/errors.hpp"

namespace schedproof::reproduction {

namespace {

using statistics::Estimate;

struct Named {
    StatementKind kind;
    std::string_view name;
};
constexpr std::array<Named, 6> kinds{{{StatementKind::ordering, "ordering"},
                                      {StatementKind::ratio, "ratio"},
                                      {StatementKind::band, "band"},
                                      {StatementKind::monotone, "monotone"},
                                      {StatementKind::crossing, "crossing"},
                                      {StatementKind::minimum, "minimum"}}};

/// A comparison before its interval is known.
struct Open {
    std::string what;
    Sample sample;
    std::optional<double> above, below;
};

/// The statistic of two samples, replication by replication.
Sample paired(const Sample& a, const Sample& b, const std::function<double(double, double)>& of) {
    Sample result{{}, a.exact && b.exact};
    // What was computed once is the same in every replication.
    const std::size_t n = a.exact   ? b.values.size()
                          : b.exact ? a.values.size()
                                    : std::min(a.values.size(), b.values.size());
    for (std::size_t i = 0; i < n; ++i)
        result.values.push_back(of(a.values[a.exact ? 0 : i], b.values[b.exact ? 0 : i]));
    return result;
}

double difference(double a, double b) { return a - b; }

class Assessor {
  public:
    Assessor(const Statement& statement, const Measurements& measurements) : s_(statement), m_(measurements) {}

    [[nodiscard]] std::vector<Open> comparisons() const {
        switch (s_.kind) {
            case StatementKind::ordering:
                return ordering();
            case StatementKind::ratio:
                return ratio();
            case StatementKind::band:
                return band();
            case StatementKind::monotone:
                return monotone();
            case StatementKind::crossing:
                return crossing();
            case StatementKind::minimum:
                return minimum();
        }
        return {};
    }
    /// Places of a curve on both sides of `from` and `to`.
    [[nodiscard]] std::pair<std::vector<double>, std::vector<double>> sides() const {
        std::pair<std::vector<double>, std::vector<double>> result;
        for (const double x : places()) (s_.from <= x && x <= s_.to ? result.first : result.second).push_back(x);
        return result;
    }

  private:
    [[nodiscard]] const Sample& sample(const std::string& curve, double x) const {
        if (const Sample* found = m_.find({s_.measure, curve, x})) return *found;
        const std::vector<std::string> curves = m_.curves(s_.measure);
        if (std::find(curves.begin(), curves.end(), curve) != curves.end())
            throw InputError::at_key("at", fmt::format("expected a place where '{}' has a value, not {:g}", curve, x));
        std::string list;
        for (const std::string& name : curves) list += fmt::format("{}'{}'", list.empty() ? "" : ", ", name);
        throw InputError::at_key(
            "curves", fmt::format("expected a curve of the figure, {}, not '{}'{}",
                                  list.empty() ? "which has none" : list, curve, base::did_you_mean(curve, curves)));
    }
    [[nodiscard]] std::vector<double> places() const {
        if (!s_.at.empty()) return s_.at;
        for (const std::string& curve : s_.curves)
            if (m_.places(s_.measure, curve).empty()) static_cast<void>(sample(curve, 0));
        std::vector<double> common = m_.places(s_.measure, s_.curves.front());
        std::erase_if(common, [&](double x) {
            return std::any_of(s_.curves.begin(), s_.curves.end(), [&](const std::string& curve) {
                return m_.find({s_.measure, curve, x}) == nullptr;
            });
        });
        if (common.empty()) throw InputError::at_key("curves", "expected curves that have values at a common place");
        return common;
    }
    /// Of a figure with one place, such as that of a distribution, none is named.
    [[nodiscard]] std::string place(double x) const {
        return m_.places(s_.measure, s_.curves.front()).size() > 1 ? fmt::format(" at {:g}", x) : "";
    }
    [[nodiscard]] Open less(const std::string& a, const std::string& b, double x) const {
        return {fmt::format("{} minus {}{}", a, b, place(x)), paired(sample(a, x), sample(b, x), difference), {}, 0.0};
    }
    /// The curve at one place less itself at another.
    [[nodiscard]] Open less_at(double x, double y) const {
        const std::string& curve = s_.curves.front();
        return {fmt::format("{} at {:g} minus at {:g}", curve, x, y),
                paired(sample(curve, x), sample(curve, y), difference),
                {},
                0.0};
    }

    [[nodiscard]] std::vector<Open> ordering() const {
        std::vector<Open> all;
        for (const double x : places())
            for (std::size_t c = 0; c + 1 < s_.curves.size(); ++c)
                all.push_back(less(s_.curves[c], s_.curves[c + 1], x));
        return all;
    }
    [[nodiscard]] std::vector<Open> ratio() const {
        std::vector<Open> all;
        for (const double x : places()) {
            const double y = s_.over_at.value_or(x);
            const Sample quotient =
                paired(sample(s_.curves.front(), x), sample(s_.curves.back(), y),
                       [](double a, double b) { return b > 0 ? a / b : std::numeric_limits<double>::quiet_NaN(); });
            all.push_back({fmt::format("{}{} over {}{}", s_.curves.front(), s_.over_at ? place(x) : "",
                                       s_.curves.back(), place(y)),
                           quotient, s_.above, s_.below});
        }
        return all;
    }
    [[nodiscard]] std::vector<Open> band() const {
        std::vector<Open> all;
        for (const double x : places())
            for (const std::string& curve : s_.curves)
                all.push_back({curve + place(x), sample(curve, x), s_.above, s_.below});
        return all;
    }
    [[nodiscard]] std::vector<Open> monotone() const {
        const std::vector<double> at = places();
        if (at.size() < 2) throw InputError::at_key("at", "expected two places or more");
        std::vector<Open> all;
        for (std::size_t i = 0; i + 1 < at.size(); ++i)
            all.push_back(s_.rising ? less_at(at[i], at[i + 1]) : less_at(at[i + 1], at[i]));
        return all;
    }
    [[nodiscard]] std::vector<Open> crossing() const {
        std::vector<Open> all;
        std::size_t before = 0;
        for (const double x : places()) {
            if (x <= *s_.from) ++before, all.push_back(less(s_.curves[0], s_.curves[1], x));
            if (x >= *s_.to) all.push_back(less(s_.curves[1], s_.curves[0], x));
        }
        if (before == 0 || before == all.size())
            throw InputError::at_key("from", "expected values at a place up to `from` and at one from `to` on");
        return all;
    }
    [[nodiscard]] std::vector<Open> minimum() const {
        const auto [inside, outside] = sides();
        if (inside.empty() || outside.empty())
            throw InputError::at_key("from", "expected values at a place between `from` and `to` and at one outside");
        std::vector<Open> all;
        for (const double x : inside)
            for (const double y : outside) all.push_back(less_at(x, y));
        return all;
    }

    const Statement& s_;
    const Measurements& m_;
};

Comparison compared(Open&& open, double confidence) {
    std::vector<double> seen = std::move(open.sample.values);
    const bool undefined = std::any_of(seen.begin(), seen.end(), [](double v) { return !std::isfinite(v); });
    std::erase_if(seen, [](double v) { return !std::isfinite(v); });
    Comparison result{std::move(open.what), {}, open.above, open.below, Truth::open};
    if (seen.empty()) {
        result.estimate.mean = std::numeric_limits<double>::quiet_NaN();
        return result;
    }
    result.estimate = open.sample.exact ? Estimate{seen.front(), 0.0} : statistics::estimate(seen, confidence);
    // Replications that did not see the value may be the ones that matter.
    if (!undefined) result.truth = decide(result.estimate, result.above, result.below);
    return result;
}

Truth all_of(const std::vector<Comparison>& comparisons) {
    Truth truth = Truth::holds;
    for (const Comparison& c : comparisons) {
        if (c.truth == Truth::fails) return Truth::fails;
        if (c.truth == Truth::open) truth = Truth::open;
    }
    return truth;
}

/// Comparison i * outside + o says whether place i inside is below place o outside.
Truth least_inside(const std::vector<Comparison>& comparisons, std::size_t inside, std::size_t outside) {
    const auto every = [&](std::size_t from, std::size_t step, std::size_t count, Truth truth) {
        for (std::size_t i = 0; i < count; ++i)
            if (comparisons[from + i * step].truth != truth) return false;
        return true;
    };
    for (std::size_t i = 0; i < inside; ++i)
        if (every(i * outside, 1, outside, Truth::holds)) return Truth::holds;
    for (std::size_t o = 0; o < outside; ++o)
        if (every(o, outside, inside, Truth::fails)) return Truth::fails;
    return Truth::open;
}

}  // namespace

std::optional<StatementKind> kind_of(std::string_view name) {
    for (const Named& known : kinds)
        if (known.name == name) return known.kind;
    return std::nullopt;
}

std::string_view name_of(StatementKind kind) { return kinds[static_cast<std::size_t>(kind)].name; }

Truth decide(const Estimate& estimate, const std::optional<double>& above, const std::optional<double>& below) {
    if (!estimate.half_width) return Truth::open;
    const double low = estimate.mean - *estimate.half_width, high = estimate.mean + *estimate.half_width;
    if ((above && high <= *above) || (below && low >= *below)) return Truth::fails;
    return (!above || low > *above) && (!below || high < *below) ? Truth::holds : Truth::open;
}

Assessment assess(const Statement& statement, const Measurements& measurements, double confidence) {
    require(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1");
    require(!statement.curves.empty(), "a statement is about a curve");
    const Assessor assessor(statement, measurements);
    std::vector<Open> open = assessor.comparisons();
    const double each = 1 - (1 - confidence) / static_cast<double>(std::max<std::size_t>(1, open.size()));
    Assessment result;
    for (Open& one : open) result.comparisons.push_back(compared(std::move(one), each));
    if (statement.kind == StatementKind::minimum) {
        const auto [inside, outside] = assessor.sides();
        result.truth = least_inside(result.comparisons, inside.size(), outside.size());
    } else {
        result.truth = all_of(result.comparisons);
    }
    return result;
}

}  // namespace schedproof::reproduction
