/// Measures of a run: which number of an observation a figure shows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/simulators/core/observation.hpp"

namespace schedproof::reproduction {

enum class Statistic {
    mean,
    share,     ///< of the values that are at most `at`
    quantile,  ///< the value that a part `at` of all does not exceed
    growth,    ///< of the mean, from the first to the second half of what is looked at. Unit: the quantity's per time
    rate       ///< how many values there are in a unit of time, such as task delays: completed tasks
};

/// The statistic of this name; none for another word.
[[nodiscard]] std::optional<Statistic> statistic_of(std::string_view name);

struct Measure {
    std::string name;      ///< what claims and panels call it
    std::string quantity;  ///< of the experiment, such as `flowtime`
    Statistic statistic = Statistic::mean;
    double at = 0;
    /// Only this last part of a run is looked at; none: what follows the warm-up. Range: above 0, at most 1.
    std::optional<double> last = {};
};

/// Of one replication; none where it was never seen. `cut`: batches of warm-up. Throws InputError at `quantity` for one
/// that the experiment does not have, with the nearest, and for a distribution of one that has none.
[[nodiscard]] std::optional<double> value_of(const Measure& measure,
                                             const std::vector<simulation::Quantity>& quantities,
                                             const simulation::Observation& observation, std::size_t cut);

}  // namespace schedproof::reproduction
