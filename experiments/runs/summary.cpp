#include "experiments/runs/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/statistics/warm_up.hpp"
#include "model/core/errors.hpp"

namespace schedproof::runs {

namespace {

using simulation::Observation;
using simulation::Quantity;
using simulation::Tally;
using statistics::Histogram;

/// Stretches into which a single run is cut for its error bar; more of them would be too short to be independent.
constexpr std::size_t stretches = 20;

/// Fewer batches than this make too few groups of five: their own means are long enough averages.
constexpr std::size_t few_batches = 100;

/// Means of batches, all replications together; empty when a batch saw nothing of the quantity.
std::vector<double> pooled_series(std::span<const Observation> observations, std::size_t quantity) {
    std::vector<double> series(observations.front().batches.size());
    for (std::size_t b = 0; b < series.size(); ++b) {
        Tally all;
        for (const Observation& o : observations) {
            all.sum += o.batches[b].tallies[quantity].sum;
            all.weight += o.batches[b].tallies[quantity].weight;
        }
        if (all.weight <= 0) return {};
        series[b] = all.sum / all.weight;
    }
    return series;
}

Tally kept(const Observation& o, std::size_t quantity, std::size_t cut) {
    Tally all;
    for (std::size_t b = cut; b < o.batches.size(); ++b) {
        all.sum += o.batches[b].tallies[quantity].sum;
        all.weight += o.batches[b].tallies[quantity].weight;
    }
    return all;
}

Histogram kept_histogram(const Observation& o, std::size_t quantity, std::size_t cut) {
    Histogram all;
    for (std::size_t b = cut; b < o.batches.size(); ++b) all += o.batches[b].histograms[quantity];
    return all;
}

void estimate_single(QuantitySummary& into, const Observation& o, std::size_t quantity, std::size_t cut,
                     double confidence) {
    std::vector<statistics::Part> parts;
    for (std::size_t b = cut; b < o.batches.size(); ++b)
        parts.push_back({o.batches[b].tallies[quantity].sum, o.batches[b].tallies[quantity].weight});
    const statistics::BatchMeans means = statistics::batch_means(parts, stretches, confidence);
    // The point estimate is that of everything kept, leftover parts of the first stretch included.
    into.estimate = statistics::Estimate{*into.means.front(), means.estimate.half_width};
    into.batch_correlation = means.correlation;
}

void estimate_mean(QuantitySummary& into, std::span<const Observation> observations, std::size_t quantity,
                   std::size_t cut, double confidence) {
    std::vector<double> seen;
    for (const Observation& o : observations) {
        const Tally tally = kept(o, quantity, cut);
        into.weight += tally.weight;
        into.means.push_back(tally.weight > 0 ? std::optional(tally.sum / tally.weight) : std::nullopt);
        if (tally.weight > 0) seen.push_back(*into.means.back());
    }
    if (seen.empty()) return;
    if (observations.size() == 1)
        estimate_single(into, observations.front(), quantity, cut, confidence);
    else
        into.estimate = statistics::estimate(seen, confidence);
}

void estimate_quantiles(QuantitySummary& into, const Quantity& quantity, std::span<const Observation> observations,
                        std::size_t index, std::size_t cut, double confidence) {
    std::vector<std::vector<double>> values(std::size(quantile_parts));
    for (const Observation& o : observations) {
        const Histogram all = kept_histogram(o, index, cut);
        if (all.total() == 0) continue;
        for (std::size_t p = 0; p < values.size(); ++p)
            values[p].push_back(static_cast<double>(all.quantile(quantile_parts[p])) * quantity.tick);
        into.largest = std::max(into.largest, static_cast<double>(all.quantile(1)) * quantity.tick);
    }
    if (values.front().empty()) return;
    for (const std::vector<double>& of_part : values)
        into.quantiles.push_back(statistics::estimate(of_part, confidence));
}

std::optional<std::vector<double>> complete(const std::vector<std::optional<double>>& means) {
    std::vector<double> values;
    for (const auto& mean : means) {
        if (!mean) return std::nullopt;
        values.push_back(*mean);
    }
    return values;
}

void add_controlled(std::span<const Quantity> quantities, Summary& summary, double confidence) {
    std::vector<statistics::Control> controls;
    for (std::size_t q = 0; q < quantities.size(); ++q)
        if (quantities[q].expectation)
            if (auto values = complete(summary.quantities[q].means))
                controls.push_back({*std::move(values), *quantities[q].expectation});
    // Each control costs a degree of freedom; with few replications that costs more than it explains.
    if (controls.empty() || summary.replications < 2 * controls.size() + 6) return;
    for (std::size_t q = 0; q < quantities.size(); ++q) {
        if (quantities[q].expectation) continue;
        const auto values = complete(summary.quantities[q].means);
        if (!values) continue;
        auto controlled = statistics::controlled(*values, controls, confidence);
        if (!controlled.used.empty()) summary.quantities[q].controlled = std::move(controlled);
    }
}

void require_alike(std::span<const Quantity> quantities, std::span<const Observation> observations) {
    require(!quantities.empty() && !observations.empty(), "a summary is of a quantity and an observation");
    const bool plain =
        std::none_of(quantities.begin(), quantities.end(), [](const Quantity& q) { return q.distributed; });
    const std::size_t batches = observations.front().batches.size();
    require(batches >= 1, "an observation has a batch");
    for (const Observation& o : observations) {
        require(o.batches.size() == batches, "the runs of one experiment have as many batches");
        for (const simulation::Batch& batch : o.batches)
            require(batch.tallies.size() == quantities.size() &&
                        (batch.histograms.size() == quantities.size() || (plain && batch.histograms.empty())),
                    "a batch has a tally and a histogram for each quantity");
    }
}

}  // namespace

Cut warm_up(std::span<const Quantity> quantities, std::span<const Observation> observations,
            const SummaryOptions& options) {
    if (options.warm_up) {
        const double length = observations.front().batch_length;
        // A multiple of the batch that was computed in floating point is not rounded up past itself.
        const double batches = std::ceil(*options.warm_up / length * (1 - 1e-12));
        if (!(batches >= 0 && batches < static_cast<double>(observations.front().batches.size())))
            throw InputError({"", 0, "--warm-up"}, "expected a warm-up of at least 0 and shorter than the run");
        return {static_cast<std::size_t>(batches), false, true, {}};
    }
    if (options.terminating) return {0, false, true, {}};
    Cut cut{0, true, true, {}};
    for (std::size_t q = 0; q < quantities.size(); ++q) {
        if (q > 0 && !quantities[q].distributed) continue;
        const std::vector<double> series = pooled_series(observations, q);
        if (series.empty()) continue;
        const statistics::WarmUp found = statistics::mser(series, series.size() < few_batches ? 1 : 5);
        if (found.found)
            cut.batches = std::max(cut.batches, found.cut);
        else if (q == 0)
            cut.found = false;
        else
            cut.unsettled.push_back(quantities[q].name);
    }
    if (!cut.found) cut.batches = std::max(cut.batches, observations.front().batches.size() / 2);
    return cut;
}

Summary summarise(std::span<const Quantity> quantities, std::span<const Observation> observations,
                  const SummaryOptions& options) {
    require_alike(quantities, observations);
    Summary summary;
    summary.cut = warm_up(quantities, observations, options);
    summary.batch_length = observations.front().batch_length;
    summary.batches = observations.front().batches.size();
    summary.replications = observations.size();
    for (const Observation& o : observations) summary.work += o.work;
    summary.quantities.resize(quantities.size());
    for (std::size_t q = 0; q < quantities.size(); ++q) {
        QuantitySummary& into = summary.quantities[q];
        estimate_mean(into, observations, q, summary.cut.batches, options.confidence);
        if (quantities[q].distributed)
            estimate_quantiles(into, quantities[q], observations, q, summary.cut.batches, options.confidence);
    }
    add_controlled(quantities, summary, options.confidence);
    return summary;
}

std::vector<std::pair<double, double>> distribution(const Quantity& quantity, std::size_t index,
                                                    std::span<const Observation> observations, const Cut& cut,
                                                    std::size_t most) {
    Histogram all;
    for (const Observation& o : observations) all += kept_histogram(o, index, cut.batches);
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
        points.emplace_back(static_cast<double>(bins[b].first) * quantity.tick, shown);
    }
    return points;
}

std::optional<std::size_t> enough(std::span<const Quantity> quantities, std::span<const Observation> observations,
                                  const SummaryOptions& options, const Precision& precision) {
    require_alike(quantities, observations);
    require(precision.least >= 2, "one replication has no precision");
    for (std::size_t n = precision.least; n <= observations.size(); ++n) {
        const auto prefix = observations.first(n);
        QuantitySummary first;
        estimate_mean(first, prefix, 0, warm_up(quantities, prefix, options).batches, options.confidence);
        if (first.estimate && statistics::is_precise(*first.estimate, precision.relative)) return n;
    }
    return std::nullopt;
}

}  // namespace schedproof::runs
