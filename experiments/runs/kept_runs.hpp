/// What is kept of the replications of one policy, once it is known which batches are cut off.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/runs/cut.hpp"
#include "experiments/simulators/core/observation.hpp"

namespace schedproof::runs {

/// Parts of the quantiles that are reported.
inline constexpr double quantile_parts[] = {0.5, 0.9, 0.95, 0.99, 0.999};

/// Sums over the runs, and a few numbers of each: about a kilobyte a run, however long it is, so that memory hardly
/// grows with the replications. What a run observed is added when the run has ended, and then let go.
class KeptRuns {
  public:
    /// Requires a quantity.
    KeptRuns(std::string time_unit, std::vector<simulation::Quantity> quantities, Cut cut);

    /// Adds the next replication: sums are added up in the order of the replications. Requires as many batches as in
    /// those before, more than are cut off, and in each a tally of every quantity.
    void add(const simulation::Observation& observation);

    /// Values of one quantity in one run after the cut.
    struct Distribution {
        std::uint64_t total = 0;               ///< values
        std::uint64_t largest = 0;             ///< Unit: tick of the quantity
        std::vector<std::uint64_t> quantiles;  ///< by quantile_parts; none without a value. Unit: as above
    };
    [[nodiscard]] const std::string& time_unit() const { return time_unit_; }
    [[nodiscard]] const std::vector<simulation::Quantity>& quantities() const { return quantities_; }
    [[nodiscard]] const Cut& cut() const { return cut_; }
    /// Replications.
    [[nodiscard]] std::size_t size() const { return runs_.size(); }
    [[nodiscard]] double batch_length() const { return batch_length_; }
    /// Of a run, the cut ones included.
    [[nodiscard]] std::size_t batches() const { return pooled_.size(); }
    /// Of all runs, warm-up included.
    [[nodiscard]] std::uint64_t work() const { return work_; }

    /// Sum and weight after the cut.
    [[nodiscard]] const simulation::Tally& tally(std::size_t run, std::size_t quantity) const {
        return runs_[run].tallies[quantity];
    }
    /// Requires a quantity that has a distribution.
    [[nodiscard]] const Distribution& distribution(std::size_t run, std::size_t quantity) const {
        return runs_[run].distributions[quantity];
    }
    /// Of all runs together, batch by batch.
    [[nodiscard]] const std::vector<std::vector<simulation::Tally>>& pooled() const { return pooled_; }
    /// Of all runs together after the cut.
    [[nodiscard]] const statistics::Histogram& histogram(std::size_t quantity) const { return histograms_[quantity]; }

  private:
    struct Run {
        std::vector<simulation::Tally> tallies;   // by quantity
        std::vector<Distribution> distributions;  // by quantity
    };
    [[nodiscard]] Distribution distribution_of(const simulation::Observation& observation, std::size_t quantity);

    std::string time_unit_;
    std::vector<simulation::Quantity> quantities_;
    Cut cut_;
    bool plain_;  // no quantity has a distribution
    double batch_length_ = 0;
    std::uint64_t work_ = 0;
    std::vector<Run> runs_;
    std::vector<std::vector<simulation::Tally>> pooled_;  // by batch and quantity
    std::vector<statistics::Histogram> histograms_;       // by quantity
};

}  // namespace schedproof::runs
