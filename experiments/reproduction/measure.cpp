#include "experiments/reproduction/measure.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/runs/cut.hpp"
#include "model/base/nearest.hpp"
#include "model/core/errors.hpp"

namespace schedproof::reproduction {

namespace {

using simulation::Observation;
using simulation::Tally;

constexpr std::array<std::string_view, 5> statistic_names{"mean", "share", "quantile", "growth", "rate"};

std::size_t index_of(const Measure& measure, const std::vector<simulation::Quantity>& quantities) {
    std::vector<std::string_view> known;
    for (std::size_t q = 0; q < quantities.size(); ++q) {
        if (quantities[q].name == measure.quantity) return q;
        known.emplace_back(quantities[q].name);
    }
    throw InputError::at_key("quantity", fmt::format("expected a quantity of these runs, not '{}'{}", measure.quantity,
                                                     base::did_you_mean(measure.quantity, known)));
}

std::optional<double> mean_of(const Observation& seen, std::size_t quantity, std::size_t from, std::size_t to) {
    Tally all;
    for (std::size_t b = from; b < to; ++b)
        all.add(seen.batches[b].tallies[quantity].sum, seen.batches[b].tallies[quantity].weight);
    return all.weight > 0 ? std::optional(all.sum / all.weight) : std::nullopt;
}

std::optional<double> growth_of(const Observation& seen, std::size_t quantity, std::size_t from) {
    const std::size_t half = from + (seen.batches.size() - from) / 2;
    const auto before = mean_of(seen, quantity, from, half), after = mean_of(seen, quantity, half, seen.batches.size());
    if (!before || !after) return std::nullopt;
    // The middles of the two stretches lie half of both apart.
    return (*after - *before) / (static_cast<double>(seen.batches.size() - from) / 2 * seen.batch_length);
}

}  // namespace

std::optional<Statistic> statistic_of(std::string_view name) {
    const auto* const found = std::find(statistic_names.begin(), statistic_names.end(), name);
    if (found == statistic_names.end()) return std::nullopt;
    return static_cast<Statistic>(found - statistic_names.begin());
}

std::optional<double> value_of(const Measure& measure, const std::vector<simulation::Quantity>& quantities,
                               const Observation& observation, std::size_t cut) {
    const std::size_t q = index_of(measure, quantities);
    const std::size_t batches = observation.batches.size();
    if (measure.last)
        cut = std::min(batches - 1,
                       static_cast<std::size_t>(std::floor(static_cast<double>(batches) * (1 - *measure.last))));
    if (measure.statistic == Statistic::mean) return mean_of(observation, q, cut, batches);
    if (measure.statistic == Statistic::growth) return growth_of(observation, q, cut);
    if (!quantities[q].distributed)
        throw InputError::at_key("quantity",
                                 fmt::format("expected one with a distribution, not '{}'", measure.quantity));
    statistics::Histogram all;
    for (std::size_t b = cut; b < batches; ++b) all += observation.batches[b].histograms[q];
    if (measure.statistic == Statistic::rate)
        return static_cast<double>(all.total()) / (static_cast<double>(batches - cut) * observation.batch_length);
    if (all.total() == 0) return std::nullopt;
    const double tick = quantities[q].tick;
    if (measure.statistic == Statistic::quantile) return static_cast<double>(all.quantile(measure.at)) * tick;
    std::uint64_t within = 0;
    for (const auto& [largest, count] : all.bins())
        if (static_cast<double>(largest) * tick <= measure.at) within += count;
    return static_cast<double>(within) / static_cast<double>(all.total());
}

}  // namespace schedproof::reproduction
