/// Means, quantiles and error bars of an experiment's replications.
///
/// Of several replications, the mean of their means with Student's t: they are independent, whatever happens within a
/// run. Of a rare event, with the interval of a skewed law (statistics/sample.hpp). Of a single one, twenty batches:
/// more of them would be too short to be independent. A quantile is estimated per replication and averaged like a mean;
/// it is reported only as far as every replication has a value beyond it, since otherwise it would be the largest
/// value, whatever the tail. Where theory knows the mean of some quantities, they serve as control variates
/// (statistics/comparison.hpp), if there are at least 2 q + 6 replications for q of them: each control costs a degree
/// of freedom. A mean that is exact in stationary runs only is taken where nothing says that these are not: where the
/// quantity whose mean is then 0 has one that differs from 0 at the level 1/1000, or the control itself is too far from
/// its mean to extrapolate, all controls of this kind are left out. They come first; where there are too few
/// replications for all, the last go. A mean that is known to lie between two numbers is taken to be either of them,
/// and the interval is the hull of both: the estimate is linear in it. Where runs miss both at the same level, it
/// controls nothing.
#include "experiments/runs/summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "model/core/errors.hpp"

namespace schedproof::runs {

namespace {

using simulation::Observation;
using simulation::Quantity;
using simulation::Tally;
using statistics::Histogram;

/// Stretches into which a single run is cut for its error bar; more of them would be too short to be independent.
constexpr std::size_t stretches = 20;

/// Of a single run, batch by batch.
std::vector<statistics::Part> parts_of(const KeptRuns& run, std::size_t quantity) {
    std::vector<statistics::Part> parts;
    for (std::size_t b = run.cut().batches; b < run.batches(); ++b)
        parts.push_back({run.pooled()[b][quantity].sum, run.pooled()[b][quantity].weight});
    return parts;
}

void estimate_single(QuantitySummary& into, const KeptRuns& run, std::size_t quantity, double confidence) {
    const std::vector<statistics::Part> parts = parts_of(run, quantity);
    const statistics::BatchMeans means = statistics::batch_means(parts, stretches, confidence);
    // The point estimate is that of everything kept, leftover parts of the first stretch included.
    into.estimate = statistics::Estimate{*into.means.front(), means.estimate.half_width};
}

void estimate_mean(QuantitySummary& into, const KeptRuns& runs, std::size_t quantity, const SummaryOptions& options) {
    std::vector<double> seen;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const Tally& tally = runs.tally(r, quantity);
        into.weight += tally.weight;
        into.means.push_back(tally.weight > 0 ? std::optional(tally.sum / tally.weight) : std::nullopt);
        if (tally.weight > 0) seen.push_back(*into.means.back());
    }
    if (seen.empty() || is_unseen(runs.quantities()[quantity], seen)) return;
    if (runs.size() == 1 && !options.terminating)
        estimate_single(into, runs, quantity, options.confidence);
    else if (runs.quantities()[quantity].rare)
        into.estimate = statistics::skewed_estimate(seen, options.confidence);
    else
        into.estimate = statistics::estimate(seen, options.confidence);
    if (!options.terminating)
        into.batch_correlation = statistics::batch_means(parts_of(runs, quantity), stretches, 0.95).correlation;
}

/// Whether a sample of n values has one beyond the part p: else its quantile is its largest value, whatever the tail.
/// The median of a single value is that value.
bool tells(std::uint64_t n, double part) { return part <= 0.5 || static_cast<double>(n) * (1 - part) >= 1 - 1e-9; }

void estimate_quantiles(QuantitySummary& into, const KeptRuns& runs, std::size_t quantity, double confidence) {
    const double tick = runs.quantities()[quantity].tick;
    std::vector<const KeptRuns::Distribution*> seen;
    std::uint64_t fewest = 0;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const KeptRuns::Distribution& of = runs.distribution(r, quantity);
        if (of.total == 0) continue;
        fewest = seen.empty() ? of.total : std::min(fewest, of.total);
        into.largest = std::max(into.largest, static_cast<double>(of.largest) * tick);
        seen.push_back(&of);
    }
    if (seen.empty()) return;
    for (std::size_t part = 0; part < std::size(quantile_parts) && tells(fewest, quantile_parts[part]); ++part) {
        std::vector<double> values;
        for (const KeptRuns::Distribution* of : seen) values.push_back(static_cast<double>(of->quantiles[part]) * tick);
        into.quantiles.push_back(statistics::estimate(values, confidence));
    }
}

std::optional<std::vector<double>> complete(const std::vector<std::optional<double>>& means) {
    std::vector<double> values;
    for (const auto& mean : means) {
        if (!mean) return std::nullopt;
        values.push_back(*mean);
    }
    return values;
}

/// A control from the runs of a policy, by replication, whose mean lies between two numbers.
struct Certified {
    std::vector<double> values;
    double lower, upper;
    std::optional<std::size_t> itself;  ///< which of the quantities it is, if it is one of them
};

statistics::Controlled controlled(std::span<const double> values, std::vector<statistics::Control> controls,
                                  const Certified* certified, double confidence) {
    if (certified == nullptr) return statistics::controlled(values, controls, confidence);
    controls.push_back({certified->values, certified->lower});
    statistics::Controlled result = statistics::controlled(values, controls, confidence);
    controls.back().expectation = certified->upper;
    const statistics::Estimate at_lower = result.estimate,
                               at_upper = statistics::controlled(values, controls, confidence).estimate;
    result.estimate.mean = (at_lower.mean + at_upper.mean) / 2;
    if (at_lower.half_width && at_upper.half_width)
        result.estimate.half_width =
            std::max(*at_lower.half_width, *at_upper.half_width) + std::abs(at_upper.mean - at_lower.mean) / 2;
    return result;
}

/// Values that are nearly independent: the means of replications, of a single run those of its stretches. None where a
/// replication, or a stretch, never saw the quantity.
std::optional<std::vector<double>> sample_of(const KeptRuns& runs, std::size_t quantity) {
    if (runs.size() == 1) {
        const auto parts = parts_of(runs, quantity);
        if (parts.size() < stretches) return std::nullopt;
        return statistics::stretch_values(parts, stretches);
    }
    std::vector<double> values;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const Tally& tally = runs.tally(r, quantity);
        if (tally.weight <= 0) return std::nullopt;
        values.push_back(tally.sum / tally.weight);
    }
    return values;
}

/// The quantities whose mean is known, those of stationary runs first.
struct KnownControls {
    std::vector<statistics::Control> controls;
    std::vector<std::size_t> index;  // by control: which quantity
    std::vector<LeftOut> left_out;
};

/// The estimate, if it is too far from an interval.
std::optional<statistics::Estimate> misses(std::span<const double> values, double lower, double upper) {
    constexpr double rounding = 1e-9;  // of what is the same in all runs
    const statistics::Estimate seen = statistics::estimate(values, stationarity_confidence);
    if (!seen.half_width) return {};
    const double reach = *seen.half_width + rounding;
    if (seen.mean - reach <= upper && seen.mean + reach >= lower) return {};
    return seen;
}

/// Whether the exact mean of a control is farther from all runs than these are from each other: too far to tell from
/// them what runs would have there.
bool is_far_off(std::span<const double> values, double expectation) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const double spread = *most - *least;
    return expectation < *least - spread || expectation > *most + spread;
}

/// Those whose condition fails in these runs, and those that are far off themselves. That a control's mean differs from
/// that of stationary runs says nothing against it otherwise: runs that start in one state have that of the start, and
/// it is what corrects theirs.
std::vector<LeftOut> not_stationary(const KeptRuns& runs) {
    const std::vector<Quantity>& quantities = runs.quantities();
    std::vector<LeftOut> list;
    for (std::size_t q = 0; q < quantities.size(); ++q) {
        if (quantities[q].stationary_if.empty() || !quantities[q].expectation) continue;
        const double exact = *quantities[q].expectation;
        const std::size_t shown = position_of(quantities, quantities[q].stationary_if).value();
        const auto condition = sample_of(runs, shown), itself = sample_of(runs, q);
        if (const auto seen = condition ? misses(*condition, 0, 0) : std::nullopt) {
            list.push_back({q, shown, *seen});
        } else if (itself && is_far_off(*itself, exact)) {
            if (const auto off = misses(*itself, exact, exact)) list.push_back({q, q, *off, exact, exact});
        }
    }
    return list;
}

KnownControls known_controls(const KeptRuns& runs, bool certified) {
    const std::vector<Quantity>& quantities = runs.quantities();
    KnownControls known;
    known.left_out = not_stationary(runs);
    for (const bool conditional : {true, false})
        for (std::size_t q = 0; q < quantities.size(); ++q) {
            if (!quantities[q].expectation || quantities[q].stationary_if.empty() == conditional) continue;
            if (conditional && !known.left_out.empty()) continue;
            if (auto values = sample_of(runs, q)) {
                known.controls.push_back({*std::move(values), *quantities[q].expectation});
                known.index.push_back(q);
            }
        }
    // Each control costs a degree of freedom; with few replications that costs more than it explains.
    const std::size_t n = runs.size() > 1 ? runs.size() : stretches;
    const auto too_many = [&] { return n < 2 * (known.controls.size() + (certified ? 1 : 0)) + 6; };
    while (are_controlled(quantities) && !known.controls.empty() && too_many()) {
        known.controls.pop_back();
        known.index.pop_back();
    }
    if (too_many()) return {{}, {}, std::move(known.left_out)};
    if (certified) known.index.push_back(quantities.size());
    return known;
}

void add_controlled(const KeptRuns& runs, Summary& summary, double confidence, const Certified* certified = nullptr) {
    const std::vector<Quantity>& quantities = runs.quantities();
    if (runs.size() == 1 && (certified != nullptr || !are_controlled(quantities))) return;
    KnownControls known = known_controls(runs, certified != nullptr);
    summary.left_out = std::move(known.left_out);
    if (known.index.empty()) return;
    for (std::size_t q = 0; q < quantities.size(); ++q) {
        if (quantities[q].expectation || (certified != nullptr && certified->itself == q)) continue;
        const auto values = sample_of(runs, q);
        if (!values) continue;
        auto result = controlled(*values, known.controls, certified, confidence);
        for (std::size_t& used : result.used) used = known.index[used];
        if (!result.used.empty()) summary.quantities[q].controlled = std::move(result);
    }
}

/// Controls of all policies by the mean that is known of one.
void add_known(std::span<const KeptRuns> policies, std::vector<Summary>& summaries, const KnownMean& known,
               double confidence) {
    const std::vector<Quantity>& quantities = policies[known.policy].quantities();
    const auto named = position_of(quantities, known.quantity);
    if (!named) throw InputError("expected runs that measure '" + known.quantity + "', whose mean is known");
    const std::size_t itself = *named;
    const auto values = complete(summaries[known.policy].quantities[itself].means);
    if (!values) return;
    if (const auto seen = misses(*values, known.lower, known.upper)) {
        summaries[known.policy].left_out.push_back({itself, itself, *seen, known.lower, known.upper});
        return;
    }
    for (std::size_t c = 0; c < policies.size(); ++c) {
        const Certified certified{*values, known.lower, known.upper,
                                  c == known.policy ? std::optional(itself) : std::nullopt};
        add_controlled(policies[c], summaries[c], confidence, &certified);
    }
}

Summary summarise(const KeptRuns& runs, const SummaryOptions& options) {
    require(runs.size() > 0, "a summary is of an observation");
    Summary summary;
    summary.cut = runs.cut();
    summary.batch_length = runs.batch_length();
    summary.batches = runs.batches();
    summary.replications = runs.size();
    summary.work = runs.work();
    summary.quantities.resize(runs.quantities().size());
    for (std::size_t q = 0; q < summary.quantities.size(); ++q) {
        QuantitySummary& into = summary.quantities[q];
        estimate_mean(into, runs, q, options);
        if (runs.quantities()[q].distributed) estimate_quantiles(into, runs, q, options.confidence);
    }
    add_controlled(runs, summary, options.confidence);
    return summary;
}

}  // namespace

std::optional<std::size_t> position_of(std::span<const Quantity> quantities, std::string_view name) {
    for (std::size_t q = 0; q < quantities.size(); ++q)
        if (quantities[q].name == name) return q;
    return std::nullopt;
}

bool is_unseen(const Quantity& quantity, std::span<const double> means) {
    return quantity.rare && std::all_of(means.begin(), means.end(), [](double mean) { return mean == 0; });
}

bool are_controlled(std::span<const Quantity> quantities) {
    return std::any_of(quantities.begin(), quantities.end(),
                       [](const Quantity& q) { return !q.stationary_if.empty(); });
}

std::optional<statistics::Estimate> judged_estimate(const KeptRuns& runs, double confidence) {
    const auto values = sample_of(runs, 0);
    if (!values) return std::nullopt;
    return statistics::controlled(*values, known_controls(runs, false).controls, confidence).estimate;
}

Summary summarise(std::span<const Quantity> quantities, std::span<const Observation> observations,
                  const SummaryOptions& options) {
    KeptRuns runs({}, {quantities.begin(), quantities.end()}, warm_up(quantities, observations, options));
    for (const Observation& o : observations) runs.add(o);
    return summarise(runs, options);
}

std::vector<Summary> summarise(std::span<const KeptRuns> policies, const SummaryOptions& options) {
    std::vector<Summary> summaries;
    for (const KeptRuns& policy : policies) summaries.push_back(summarise(policy, options));
    if (options.known) {
        require(options.known->policy < policies.size(), "a known mean is that of a policy that is compared");
        add_known(policies, summaries, *options.known, options.confidence);
    }
    return summaries;
}

std::vector<Summary> summarise(std::span<const PolicyResults> policies, const SummaryOptions& options) {
    return summarise(keep(policies, options), options);
}

std::vector<KeptRuns> keep(std::span<const PolicyResults> policies, const SummaryOptions& options) {
    std::vector<Cut> cuts;
    std::vector<Batches> runs;
    for (const PolicyResults& policy : policies) {
        require(!policy.observations.empty(), "a summary is of an observation");
        cuts.push_back(warm_up(policy.quantities, policy.observations, options));
        runs.push_back({policy.observations.front().batch_length, policy.observations.front().batches.size()});
    }
    make_common(cuts, runs);
    std::vector<KeptRuns> kept;
    for (std::size_t c = 0; c < policies.size(); ++c) {
        kept.emplace_back(policies[c].time_unit, policies[c].quantities, std::move(cuts[c]));
        for (const Observation& o : policies[c].observations) kept.back().add(o);
    }
    return kept;
}

std::vector<std::pair<double, double>> distribution(const KeptRuns& runs, std::size_t quantity, std::size_t most) {
    const Histogram& all = runs.histogram(quantity);
    std::vector<std::pair<double, double>> points;
    const auto bins = all.bins();
    const auto total = static_cast<double>(all.total());
    const double step = 1 / static_cast<double>(std::max<std::size_t>(1, most));
    double seen = 0, shown = -1;
    for (std::size_t b = 0; b < bins.size(); ++b) {
        seen += static_cast<double>(bins[b].second);
        // The tail is where curves differ: there every bin counts.
        const bool tail = bins.size() - b <= most / 4;
        if (b > 0 && !tail && seen / total - shown < step) continue;
        shown = seen / total;
        points.emplace_back(static_cast<double>(bins[b].first) * runs.quantities()[quantity].tick, shown);
    }
    return points;
}

}  // namespace schedproof::runs
