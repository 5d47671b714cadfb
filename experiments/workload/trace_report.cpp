/// What a trace says about the assumptions of the theorems: load, stationarity, bounded slots, tails.
///
/// Stationarity is judged on the counts of jobs in windows of equal length. If arrivals are Poisson of constant rate,
/// the index of dispersion times (windows - 1) is chi-squared with windows - 1 degrees of freedom; Mann and Kendall's
/// S, the number of increasing minus decreasing pairs, has mean 0 and variance (n(n-1)(2n+5) - sum over ties
/// t(t-1)(2t+5)) / 18, and with the continuity correction of one is nearly normal. Boundedness looks at the largest
/// number of jobs and of work in a slot. The tail index is Hill's: the inverse mean of log(X_i / X_(k+1)) over the k
/// largest values, with relative error 1/sqrt(k); k is a tenth of the jobs, and at least ten.
///
/// A sentence says what was found and what it does not prove; the p-values are printed beside it.
/// Sources: [cox1966]; [mann1945]; [kendall1975]; [hill1975].
#include "experiments/workload/trace_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "model/core/errors.hpp"

namespace schedproof::workload {

namespace {

struct Moments {
    double mean = 0, variance = 0;
    /// Squared coefficient of variation; 0 for a mean of 0.
    [[nodiscard]] double variation() const { return mean > 0 ? variance / (mean * mean) : 0; }
};

template <class Values>
Moments moments(const Values& values) {
    Moments m;
    if (values.empty()) return m;
    const auto n = static_cast<double>(values.size());
    for (const auto value : values) m.mean += static_cast<double>(value) / n;
    for (const auto value : values) m.variance += std::pow(static_cast<double>(value) - m.mean, 2);
    m.variance = values.size() > 1 ? m.variance / (n - 1) : 0;
    return m;
}

/// Mann and Kendall's test; equal counts are neither later-greater nor later-less, and lower the variance of S.
void set_trend(Stationarity& s) {
    const auto n = static_cast<double>(s.counts.size());
    double score = 0;
    std::map<std::uint64_t, double> ties;
    for (std::size_t i = 0; i < s.counts.size(); ++i) {
        ++ties[s.counts[i]];
        for (std::size_t j = 0; j < i; ++j) score += s.counts[i] > s.counts[j] ? 1 : s.counts[i] < s.counts[j] ? -1 : 0;
    }
    double variance = n * (n - 1) * (2 * n + 5);
    for (const auto& [count, t] : ties) variance -= t * (t - 1) * (2 * t + 5);
    variance /= 18;
    s.trend = score / (n * (n - 1) / 2);
    if (variance <= 0 || score == 0) return;
    const double z = (std::abs(score) - 1) / std::sqrt(variance);
    s.trend_p = 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), z));
}

void set_slots(TraceReport& report, std::span<const Submission> jobs, double slot) {
    const double start = jobs.front().submit;
    double current = -1, work = 0;
    std::uint64_t count = 0;
    for (const Submission& job : jobs) {
        if (const double number = std::floor((job.submit - start) / slot); number != current) {
            current = number;
            work = 0;
            count = 0;
        }
        work += job.work;
        ++count;
        report.most_jobs = std::max(report.most_jobs, count);
        report.most_work = std::max(report.most_work, work);
    }
}

std::string load_sentence(const TraceReport& r) {
    if (r.load >= 1)
        return fmt::format(
            "Load: {:.3g} of capacity. No policy is stable under it; theorems of stability do not apply.", r.load);
    return fmt::format("Load: {:.3g} of capacity, below 1 on average over the trace.", r.load);
}

std::string stationarity_sentence(const TraceReport& r, double significance) {
    if (!r.stationary)
        return "Stationarity: not judged, there are too few jobs for the windows, or they come all at once.";
    const Stationarity& s = *r.stationary;
    const std::string figures = fmt::format(
        "jobs per window vary {:.3g} times as much as Poisson counts (p = {:.2g}), trend {:.2g} (p = {:.2g})",
        s.dispersion, s.dispersion_p, s.trend, s.trend_p);
    if (s.plausible(significance))
        return "Stationarity: nothing speaks against Poisson arrivals of constant rate, which does not prove them: " +
               figures + ".";
    return "Stationarity: the trace is not one of Poisson arrivals of constant rate: " + figures +
           ". Theorems about arrivals of the same law in every slot do not cover it.";
}

std::string bounded_sentence(const TraceReport& r, double slot) {
    return fmt::format(
        "Bounded arrivals: at most {} jobs and {:.6g} of work in a slot of {:.6g} s, {:.3g} times the mean work of a "
        "slot. "
        "A trace always has a largest slot; whether the source has a bound it cannot say.",
        r.most_jobs, r.most_work, slot, r.offered > 0 ? r.most_work / (r.offered * slot) : 0);
}

std::string tail_sentence(const TraceReport& r) {
    const std::string variation =
        fmt::format("squared coefficient of variation of a job's work {:.4g}", r.work_variation);
    if (!r.tail_index) return "Tails: " + variation + "; too few different jobs to estimate a tail.";
    const double index = *r.tail_index, reach = 2 * r.tail_error;
    const std::string figures = fmt::format("{}, tail index {:.3g} +- {:.2g}", variation, index, reach);
    if (index + reach < 2)
        return "Tails: heavy, the variance of a job's work appears to be infinite, and means over the trace converge "
               "slowly: " +
               figures + ".";
    if (index - reach > 2) return "Tails: the variance of a job's work appears to be finite: " + figures + ".";
    return "Tails: whether the variance of a job's work is finite is not settled: " + figures + ".";
}

void require_sound(const ReportSettings& settings) {
    const auto expected = [](const char* key, const char* what) { throw InputError::at_key(key, what); };
    if (settings.capacity.sign() <= 0) expected("capacity", "expected a capacity above 0");
    if (!(settings.slot > 0)) expected("slot", "expected a slot above 0");
    if (settings.windows < 3) expected("windows", "expected at least 3 windows");
    if (!(settings.significance > 0 && settings.significance < 1))
        expected("significance", "expected a significance above 0 and below 1");
}

}  // namespace

Stationarity stationarity(std::span<const Submission> jobs, double from, double to, std::size_t windows) {
    require(to > from && windows >= 3, "stationarity needs a length of time and three windows");
    Stationarity s;
    s.counts.assign(windows, 0);
    for (const Submission& job : jobs) {
        const double part = (job.submit - from) / (to - from) * static_cast<double>(windows);
        if (part < 0 || job.submit > to) continue;
        ++s.counts[std::min(windows - 1, static_cast<std::size_t>(part))];
    }
    const Moments m = moments(s.counts);
    if (m.mean > 0) {
        s.dispersion = m.variance / m.mean;
        const auto freedom = static_cast<double>(windows - 1);
        s.dispersion_p =
            boost::math::cdf(boost::math::complement(boost::math::chi_squared(freedom), freedom * s.dispersion));
    }
    set_trend(s);
    return s;
}

std::optional<double> hill_estimate(std::vector<double> values, std::size_t largest) {
    if (largest == 0 || values.size() <= largest) return std::nullopt;
    const auto border = values.begin() + static_cast<std::ptrdiff_t>(largest);
    std::nth_element(values.begin(), border, values.end(), std::greater<>());
    const double threshold = *border;
    if (!(threshold > 0)) return std::nullopt;
    double sum = 0;
    std::for_each(values.begin(), border, [&](double value) { sum += std::log(value / threshold); });
    if (!(sum > 0)) return std::nullopt;
    return static_cast<double>(largest) / sum;
}

TraceReport report_on(std::span<const Submission> jobs, const ReportSettings& settings) {
    require_sound(settings);
    TraceReport report;
    report.jobs = jobs.size();
    if (jobs.empty()) return report;
    std::vector<double> gaps, works;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        require(i == 0 || jobs[i - 1].submit <= jobs[i].submit, "jobs of a trace ascend by submit time");
        if (i > 0) gaps.push_back(jobs[i].submit - jobs[i - 1].submit);
        works.push_back(jobs[i].work);
        report.work += jobs[i].work;
    }
    const double from = jobs.front().submit, to = jobs.back().submit;
    report.span = to - from;
    report.offered = report.span > 0 ? report.work / report.span : std::numeric_limits<double>::infinity();
    report.load = report.offered / settings.capacity.approximate();
    if (report.span > 0 && jobs.size() >= 5 * settings.windows)
        report.stationary = stationarity(jobs, from, to, settings.windows);
    report.gap_variation = moments(gaps).variation();
    report.work_variation = moments(works).variation();
    const std::size_t largest = works.size() / 10;
    if (largest >= 10) report.tail_index = hill_estimate(std::move(works), largest);
    if (report.tail_index) report.tail_error = *report.tail_index / std::sqrt(static_cast<double>(largest));
    set_slots(report, jobs, settings.slot);
    report.findings = {load_sentence(report), stationarity_sentence(report, settings.significance),
                       bounded_sentence(report, settings.slot), tail_sentence(report)};
    return report;
}

}  // namespace schedproof::workload
