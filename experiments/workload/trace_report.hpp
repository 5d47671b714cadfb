/// What a trace says about the assumptions under which theorems are proved: load below capacity, arrivals of the same
/// law in every slot and bounded, services of finite variance.
///
/// A trace is one path; nothing here proves an assumption. Tests of stationarity ask whether the path is plausible if
/// arrivals were a Poisson process of constant rate, which is what independent slots of many sources come down to: the
/// number of jobs per window of equal length is then Poisson, so
///   - the index of dispersion, their variance over their mean, is near 1: (windows - 1) times it is chi-squared;
///   - they have no trend: Mann and Kendall's S, later minus earlier over all pairs, is normal around 0.
/// A tail is judged by Hill's estimate of the index a in Pr(X > x) ~ x^-a: the variance is finite above 2, the mean
/// above 1.
/// Sources: [cox1966]; [mann1945]; [kendall1975]; [hill1975].
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/core/rational.hpp"

namespace schedproof::workload {

/// A job of a trace.
struct Submission {
    double submit = 0;  ///< Unit: second
    double work = 1;    ///< Unit: task
};

struct ReportSettings {
    Rational capacity;           ///< most that the system can serve in the long run. Unit: task per second
    double slot = 1;             ///< Unit: second
    std::size_t windows = 24;    ///< of equal length, for stationarity
    double significance = 0.01;  ///< a p-value below it is evidence against an assumption
};

struct Stationarity {
    std::vector<std::uint64_t> counts;  ///< jobs per window
    double dispersion = 0;              ///< index of dispersion of the counts
    double dispersion_p = 1;            ///< probability of at least this index if arrivals are stationary Poisson
    double trend = 0;                   ///< Kendall's tau of counts and time: -1 always falling, 1 always rising
    double trend_p = 1;                 ///< probability of a trend as strong, of either sign, without one
    [[nodiscard]] bool plausible(double significance) const {
        return dispersion_p >= significance && trend_p >= significance;
    }
};

struct TraceReport {
    std::uint64_t jobs = 0;
    double span = 0;                         ///< from the first to the last submit time. Unit: second
    double work = 0;                         ///< Unit: task
    double offered = 0;                      ///< work per second of the span; infinite for a span of 0
    double load = 0;                         ///< offered over capacity
    std::optional<Stationarity> stationary;  ///< none with too few jobs: below 5 a window
    double gap_variation = 0;                ///< squared coefficient of variation of the gaps: 1 if Poisson
    double work_variation = 0;               ///< the same of the work of a job
    std::optional<double> tail_index;        ///< Hill's estimate for the work, from the largest tenth of the jobs
    double tail_error = 0;                   ///< its standard error
    std::uint64_t most_jobs = 0;             ///< in a slot
    double most_work = 0;                    ///< in a slot. Unit: task
    std::vector<std::string> findings;       ///< a sentence per assumption: what speaks for or against it
};

/// Throws InputError unless capacity, slot and significance are above 0, significance below 1 and windows at least 3.
/// Requires jobs that ascend by submit time. Cost: O(jobs log jobs + windows^2).
[[nodiscard]] TraceReport report_on(std::span<const Submission> jobs, const ReportSettings& settings);

/// Of jobs between `from` and `to`, in windows of equal length. Requires to > from and 3 windows.
[[nodiscard]] Stationarity stationarity(std::span<const Submission> jobs, double from, double to, std::size_t windows);

/// Hill's estimate from the `largest` largest values; none unless there are more values than that and these are above
/// 0 and not all equal.
[[nodiscard]] std::optional<double> hill_estimate(std::vector<double> values, std::size_t largest);

}  // namespace schedproof::workload
