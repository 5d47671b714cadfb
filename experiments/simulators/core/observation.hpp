/// The observation that a run of any simulator makes, and the interface of an experiment.
///
/// A run is cut into batches of equal length in time. Each quantity has, per batch, the sum of what was seen and its
/// weight (number of tasks, of slots, seconds): means over any batches are sums over sums. So the warm-up can be judged
/// after the run and cut off at any batch, batch means come for free, and a figure does not depend on the order in
/// which parts were added. Quantities that have a distribution keep a histogram per batch as well.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiments/statistics/histogram.hpp"
#include "experiments/statistics/stream.hpp"

namespace schedproof::simulation {

/// Something that is measured. The quantities of an experiment are the same in every run of it.
struct Quantity {
    std::string name;                        ///< for people and column headers, such as `task delay`
    std::string unit;                        ///< such as `slot`, `task`, `1` for a fraction
    bool distributed = false;                ///< whether a histogram is kept
    double tick = 1;                         ///< of the histogram: units per whole number
    std::optional<double> expectation = {};  ///< its exact mean, where theory knows it: a control variate
    /// Name of another quantity where the exact mean is that of a stationary run only: then that one has mean 0.
    std::string stationary_if = {};
    bool rare = false;  ///< seen so seldom that no warm-up shows in it
};

/// Sum and weight of one quantity in one batch; the mean is sum / weight, and there is none when the weight is 0.
struct Tally {
    double sum = 0, weight = 0;
    void add(double value, double by = 1) {
        sum += value;
        weight += by;
    }
    friend bool operator==(const Tally&, const Tally&) = default;
};

struct Batch {
    std::vector<Tally> tallies;                     ///< by quantity
    std::vector<statistics::Histogram> histograms;  ///< by quantity; empty for one without distribution
    friend bool operator==(const Batch&, const Batch&) = default;
};

struct Observation {
    double batch_length = 0;     ///< Unit: the experiment's time unit
    std::vector<Batch> batches;  ///< in order of time; at least one
    std::uint64_t work = 0;      ///< tasks, jobs or events simulated: what speed is measured in
    friend bool operator==(const Observation&, const Observation&) = default;
};

/// Called now and then with the part of the run that is done, 0..1; what it throws ends the run.
using Done = std::function<void(double)>;

/// A system under a policy with everything fixed but the random numbers.
class Experiment {
  public:
    Experiment() = default;
    Experiment(const Experiment&) = delete;
    Experiment& operator=(const Experiment&) = delete;
    virtual ~Experiment() = default;

    [[nodiscard]] virtual const std::vector<Quantity>& quantities() const = 0;
    /// `slot` or `second`.
    [[nodiscard]] virtual std::string time_unit() const = 0;
    /// Which simulator runs, and what answers the questions of the policy there: a function of system, policy and
    /// settings.
    [[nodiscard]] virtual std::string engine() const { return "the experiment's own"; }
    /// By question of the policy, in its words, what answers it; empty where none is asked.
    [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> questions() const { return {}; }
    /// The same bytes for the same replication, on any thread, whatever ran before. May run concurrently with itself.
    [[nodiscard]] virtual Observation run(const statistics::Replication& replication, const Done& done) const = 0;

    /// How many replications run_together runs at about the cost of one.
    [[nodiscard]] virtual std::size_t side_by_side() const { return 1; }
    /// Several replications, each the same bytes as alone. `done` hears of all of them at once.
    /// Requires 1 <= replications.size() <= side_by_side().
    [[nodiscard]] virtual std::vector<Observation> run_together(std::span<const statistics::Replication> replications,
                                                                const Done& done) const {
        return {run(replications.front(), done)};
    }
};

}  // namespace schedproof::simulation
