#include "experiments/runs/study_report.hpp"

#include <algorithm>
#include <limits>

namespace schedproof::runs {

namespace {

constexpr std::size_t distribution_points = 400;

std::vector<double> series_of(const KeptRuns& runs, std::size_t quantity) {
    std::vector<double> series;
    for (const std::vector<simulation::Tally>& batch : runs.pooled()) {
        const simulation::Tally& all = batch[quantity];
        series.push_back(all.weight > 0 ? all.sum / all.weight : std::numeric_limits<double>::quiet_NaN());
    }
    return series;
}

PolicyReport report(const StudyPolicy& policy, const KeptRuns& runs, Summary summary) {
    PolicyReport report{policy.label,
                        policy.parameter,
                        policy.parameter_name,
                        runs.time_unit(),
                        runs.quantities(),
                        std::move(summary),
                        {},
                        {}};
    for (std::size_t q = 0; q < runs.quantities().size(); ++q) {
        report.series.push_back(series_of(runs, q));
        report.distributions.emplace_back();
        if (runs.quantities()[q].distributed) report.distributions.back() = distribution(runs, q, distribution_points);
    }
    return report;
}

/// Differences of the replications in which both were seen; none when there is no such.
std::optional<statistics::PairedDifference> difference(const QuantitySummary& a, const QuantitySummary& b,
                                                       double confidence) {
    std::vector<double> of_a, of_b;
    for (std::size_t r = 0; r < std::min(a.means.size(), b.means.size()); ++r)
        if (a.means[r] && b.means[r]) of_a.push_back(*a.means[r]), of_b.push_back(*b.means[r]);
    if (of_a.empty()) return std::nullopt;
    return statistics::paired_difference(of_a, of_b, confidence);
}

}  // namespace

PointReport report(const StudyPoint& point, const std::vector<KeptRuns>& results) {
    PointReport result{point, {}, {}, true};
    std::vector<Summary> summaries = summarise(results, point.options);
    for (std::size_t c = 0; c < results.size(); ++c)
        result.policies.push_back(report(point.policies[c], results[c], std::move(summaries[c])));
    const PolicyReport& first = result.policies.front();
    for (std::size_t c = 1; c < result.policies.size(); ++c) {
        const PolicyReport& other = result.policies[c];
        for (std::size_t q = 0; q < other.quantities.size(); ++q) {
            const auto base = position_of(first.quantities, other.quantities[q].name);
            // Inputs with a known mean are the same under both.
            if (!base || other.quantities[q].expectation) continue;
            if (const auto d =
                    difference(other.summary.quantities[q], first.summary.quantities[*base], point.options.confidence))
                result.differences.push_back({c, q, *d});
        }
    }
    if (point.precision)
        for (std::size_t c = 0; c < results.size(); ++c) {
            const auto estimate = are_controlled(results[c].quantities())
                                      ? judged_estimate(results[c], point.options.confidence)
                                      : result.policies[c].summary.quantities.front().estimate;
            result.precise = result.precise && estimate && statistics::is_precise(*estimate, point.precision->relative);
        }
    return result;
}

PointReport report(const StudyPoint& point, const std::vector<PolicyResults>& results) {
    return report(point, keep(results, point.options));
}

}  // namespace schedproof::runs
