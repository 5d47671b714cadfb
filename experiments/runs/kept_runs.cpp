#include "experiments/runs/kept_runs.hpp"

#include <algorithm>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::runs {

using simulation::Batch;
using simulation::Observation;
using simulation::Quantity;
using statistics::Histogram;

KeptRuns::KeptRuns(std::string time_unit, std::vector<Quantity> quantities, Cut cut)
    : time_unit_(std::move(time_unit)),
      quantities_(std::move(quantities)),
      cut_(std::move(cut)),
      plain_(std::none_of(quantities_.begin(), quantities_.end(), [](const Quantity& q) { return q.distributed; })),
      histograms_(quantities_.size()) {
    require(!quantities_.empty(), "runs measure a quantity");
}

void KeptRuns::add(const Observation& observation) {
    if (runs_.empty()) {
        batch_length_ = observation.batch_length;
        pooled_.assign(observation.batches.size(), std::vector<simulation::Tally>(quantities_.size()));
    }
    require(cut_.batches < observation.batches.size(), "an observation has a batch after the cut");
    require(observation.batches.size() == pooled_.size(), "the runs of one experiment have as many batches");
    for (std::size_t b = 0; b < pooled_.size(); ++b) {
        const Batch& batch = observation.batches[b];
        require(batch.tallies.size() == quantities_.size() &&
                    (batch.histograms.size() == quantities_.size() || (plain_ && batch.histograms.empty())),
                "a batch has a tally and a histogram for each quantity");
        for (std::size_t q = 0; q < quantities_.size(); ++q)
            pooled_[b][q].add(batch.tallies[q].sum, batch.tallies[q].weight);
    }
    work_ += observation.work;
    Run run;
    run.distributions.resize(quantities_.size());
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
        run.tallies.push_back(kept(observation, q, cut_.batches));
        if (quantities_[q].distributed) run.distributions[q] = distribution_of(observation, q);
    }
    runs_.push_back(std::move(run));
}

KeptRuns::Distribution KeptRuns::distribution_of(const Observation& observation, std::size_t quantity) {
    Histogram all;
    for (std::size_t b = cut_.batches; b < observation.batches.size(); ++b)
        all += observation.batches[b].histograms[quantity];
    if (all.total() == 0) return {};
    histograms_[quantity] += all;
    Distribution distribution{all.total(), all.quantile(1), {}};
    for (const double part : quantile_parts) distribution.quantiles.push_back(all.quantile(part));
    return distribution;
}

}  // namespace schedproof::runs
