/// The warm-up of a study: which series it is judged on, and how its cut is applied.
///
/// MSER takes a series of means without gaps. A quantity that is not observed in every batch gets one by pooling
/// replications and then doubling the stretch until each stretch has an observation; what stands before the first
/// observation is warm-up in any case. Series of at least 100 values are averaged in fives first (MSER-5). The first
/// quantity that is not rare decides whether a level was found; if not, half the run is cut as a makeshift, and the
/// summary says so. Its quarters are compared run by run, since runs are independent and batches of one are not.
/// Policies that are compared are cut at the latest of their times, so that a difference is not one of periods.
#include "experiments/runs/cut.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/statistics/warm_up.hpp"
#include "model/core/errors.hpp"

namespace schedproof::runs {

namespace {

using simulation::Observation;
using simulation::Quantity;
using simulation::Tally;

/// Fewer values than this make too few groups of five: they are long enough averages themselves.
constexpr std::size_t few = 100;

/// Means of stretches of `group` batches each, from batch `first` on; empty when nothing was ever seen.
struct Series {
    std::size_t first = 0, group = 1;
    std::vector<double> means;
};

/// False when a stretch saw nothing.
bool add_means(Series& series, std::span<const Tally> batches) {
    series.means.clear();
    for (std::size_t at = series.first; at + series.group <= batches.size(); at += series.group) {
        Tally all;
        for (const Tally& tally : batches.subspan(at, series.group)) all.add(tally.sum, tally.weight);
        if (all.weight <= 0) return false;
        series.means.push_back(all.sum / all.weight);
    }
    return true;
}

Series series_of(std::span<const Tally> batches) {
    Series series;
    while (series.first < batches.size() && batches[series.first].weight <= 0) ++series.first;
    if (series.first == batches.size()) return {};
    while (!add_means(series, batches)) series.group *= 2;
    return series;
}

/// A multiple of the batch that was computed in floating point is not rounded up past itself.
double batches_of(double time, double length) { return std::ceil(time / length * (1 - 1e-12)); }

}  // namespace

Pooled::Pooled(std::span<const Quantity> quantities) {
    while (judged_ + 1 < quantities.size() && quantities[judged_].rare) ++judged_;
    for (std::size_t q = 0; q < quantities.size(); ++q)
        if (q == judged_ || quantities[q].distributed || !quantities[q].stationary_if.empty())
            monitored_.push_back({q, quantities[q].name, {}, {}});
}

void Pooled::add(const Observation& observation) {
    if (batches_ == 0) {
        batches_ = observation.batches.size();
        batch_length_ = observation.batch_length;
        for (Monitored& monitored : monitored_) monitored.batches.resize(batches_);
    }
    require(batches_ >= 1 && observation.batches.size() == batches_,
            "the runs of one experiment have as many batches, at least one");
    for (Monitored& monitored : monitored_)
        for (std::size_t b = 0; b < batches_; ++b) {
            const Tally& tally = observation.batches[b].tallies.at(monitored.quantity);
            monitored.batches[b].add(tally.sum, tally.weight);
        }
    for (Monitored& monitored : monitored_) {
        const auto quarter = [&](std::size_t which) {
            Tally all;
            for (std::size_t b = which * batches_ / 4; b < (which + 1) * batches_ / 4; ++b) {
                const Tally& tally = observation.batches[b].tallies[monitored.quantity];
                all.add(tally.sum, tally.weight);
            }
            return all;
        };
        const Tally second = quarter(1), fourth = quarter(3);
        if (second.weight > 0 && fourth.weight > 0)
            monitored.moved.push_back(second.sum / second.weight - fourth.sum / fourth.weight);
    }
}

bool Pooled::still_moves(const Monitored& monitored) const {
    return statistics::still_moves(monitored.moved).value_or(true);
}

Cut Pooled::warm_up(const SummaryOptions& options) const {
    require(batches_ >= 1, "a warm-up is judged on a run");
    if (options.warm_up) {
        const double batches = batches_of(*options.warm_up, batch_length_);
        if (!(batches >= 0 && batches < static_cast<double>(batches_)))
            throw InputError::at_key("--warm-up", "expected a warm-up of at least 0 and shorter than the run");
        return {static_cast<std::size_t>(batches), false, true, {}};
    }
    if (options.terminating) return {0, false, true, {}};
    Cut cut{0, true, true, {}};
    for (const Monitored& monitored : monitored_) {
        const Series series = series_of(monitored.batches);
        const bool in_fives = series.means.size() >= few;
        const statistics::WarmUp found = statistics::mser(series.means, in_fives ? 5 : 1);
        if (monitored.quantity == judged_) cut.in_fives = in_fives;
        cut.batches = std::max(cut.batches, series.first);
        if (!series.means.empty() && (found.found || !still_moves(monitored)))
            cut.batches = std::max(cut.batches, series.first + found.cut * series.group);
        else if (monitored.quantity == judged_)
            cut.found = false;
        else if (!series.means.empty())
            cut.unsettled.push_back(monitored.name);
    }
    if (!cut.found) cut.batches = std::max(cut.batches, batches_ / 2);
    return cut;
}

Cut warm_up(std::span<const Quantity> quantities, std::span<const Observation> observations,
            const SummaryOptions& options) {
    Pooled pooled(quantities);
    for (const Observation& o : observations) pooled.add(o);
    return pooled.warm_up(options);
}

void make_common(std::span<Cut> cuts, std::span<const Batches> runs) {
    require(cuts.size() == runs.size(), "each policy has a cut");
    double latest = 0;
    for (std::size_t c = 0; c < cuts.size(); ++c)
        if (cuts[c].automatic) latest = std::max(latest, static_cast<double>(cuts[c].batches) * runs[c].length);
    for (std::size_t c = 0; c < cuts.size(); ++c) {
        if (!cuts[c].automatic) continue;
        const double most = static_cast<double>(runs[c].count - 1);
        cuts[c].batches = static_cast<std::size_t>(std::min(most, batches_of(latest, runs[c].length)));
    }
}

Tally kept(const Observation& observation, std::size_t quantity, std::size_t cut) {
    Tally all;
    for (std::size_t b = cut; b < observation.batches.size(); ++b) {
        const Tally& tally = observation.batches[b].tallies[quantity];
        all.add(tally.sum, tally.weight);
    }
    return all;
}

}  // namespace schedproof::runs
