#include "experiments/runs/stopping.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::runs {

using simulation::Observation;
using simulation::Tally;

Stopping::Stopping(const SummaryOptions& options, const Precision& precision)
    : options_(options), precision_(precision) {
    require(precision.least >= 2, "one replication has no precision");
}

namespace {

std::vector<simulation::Quantity> without_distributions(std::vector<simulation::Quantity> quantities) {
    for (simulation::Quantity& quantity : quantities) quantity.distributed = false;
    return quantities;
}

}  // namespace

bool Stopping::precise() {
    std::vector<Cut> cuts;
    std::vector<Batches> runs;
    for (const Policy& policy : policies_) {
        cuts.push_back(policy.pooled.warm_up(options_));
        runs.push_back(policy.pooled.batches());
    }
    make_common(cuts, runs);
    bool all = true;
    for (std::size_t c = 0; c < policies_.size(); ++c) {
        Policy& policy = policies_[c];
        if (!policy.controls.empty()) {
            KeptRuns kept({}, policy.controls, std::move(cuts[c]));
            for (const Observation& observation : policy.observations) kept.add(observation);
            const auto estimate = judged_estimate(kept, options_.confidence);
            all = all && estimate && statistics::is_precise(*estimate, precision_.relative);
            continue;
        }
        if (policy.cut != cuts[c].batches) {
            policy.cut = cuts[c].batches;
            policy.counted = 0;
            policy.means.clear();
        }
        for (; policy.counted < added_; ++policy.counted) {
            Tally tally;
            for (const Tally& batch : std::span(policy.first[policy.counted]).subspan(policy.cut))
                tally.add(batch.sum, batch.weight);
            if (tally.weight > 0) policy.means.push_back(tally.sum / tally.weight);
        }
        all = all && !policy.means.empty() && !is_unseen(policy.judged, policy.means) &&
              statistics::is_precise(statistics::estimate(policy.means, options_.confidence), precision_.relative);
    }
    return all;
}

void Stopping::add(std::span<const PolicyResults> policies, std::size_t at) {
    if (policies_.empty())
        for (const PolicyResults& policy : policies) {
            policies_.push_back({Pooled(policy.quantities), policy.quantities.front(), {}, {}, {}, 0, {}, 0});
            if (are_controlled(policy.quantities)) policies_.back().controls = without_distributions(policy.quantities);
        }
    require(!policies.empty() && policies_.size() == policies.size(), "the policies stay the same");
    for (std::size_t c = 0; c < policies.size(); ++c) {
        Policy& policy = policies_[c];
        const Observation& observation = policies[c].observations[at];
        policy.pooled.add(observation);
        if (!policy.controls.empty()) {
            policy.observations.push_back({observation.batch_length, {}, observation.work});
            for (const simulation::Batch& batch : observation.batches)
                policy.observations.back().batches.push_back({batch.tallies, {}});
            continue;
        }
        std::vector<Tally>& first = policy.first.emplace_back();
        for (const simulation::Batch& batch : observation.batches) first.push_back(batch.tallies.front());
    }
    ++added_;
    if (!answer_ && added_ >= precision_.least && precise()) answer_ = added_;
}

std::optional<std::size_t> Stopping::look(std::span<const PolicyResults> policies) {
    require(!policies.empty(), "the policies stay the same");
    std::size_t there = policies.front().observations.size();
    for (const PolicyResults& policy : policies) there = std::min(there, policy.observations.size());
    while (!answer_ && added_ < there) add(policies, added_);
    return answer_;
}

}  // namespace schedproof::runs
