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

bool Stopping::precise(std::span<const PolicyResults> policies, std::size_t n) {
    std::vector<Cut> cuts;
    std::vector<const Observation*> first;
    for (std::size_t c = 0; c < policies.size(); ++c) {
        cuts.push_back(policies_[c].pooled.warm_up(options_));
        first.push_back(&policies[c].observations.front());
    }
    make_common(cuts, first);
    bool all = true;
    for (std::size_t c = 0; c < policies.size(); ++c) {
        Policy& policy = policies_[c];
        if (are_controlled(policies[c].quantities)) {
            const auto estimate = judged_estimate(policies[c].quantities, std::span(policies[c].observations).first(n),
                                                  cuts[c].batches, options_);
            all = all && estimate && statistics::is_precise(*estimate, precision_.relative);
            continue;
        }
        if (policy.cut != cuts[c].batches) {
            policy.cut = cuts[c].batches;
            policy.counted = 0;
            policy.means.clear();
        }
        for (; policy.counted < n; ++policy.counted)
            if (const Tally tally = kept(policies[c].observations[policy.counted], 0, policy.cut); tally.weight > 0)
                policy.means.push_back(tally.sum / tally.weight);
        all = all && !policy.means.empty() &&
              statistics::is_precise(statistics::estimate(policy.means, options_.confidence), precision_.relative);
    }
    return all;
}

std::optional<std::size_t> Stopping::look(std::span<const PolicyResults> policies) {
    if (policies_.empty())
        for (const PolicyResults& policy : policies) policies_.push_back({Pooled(policy.quantities), 0, 0, {}});
    require(!policies.empty() && policies_.size() == policies.size(), "the policies stay the same");
    std::size_t there = policies.front().observations.size();
    for (const PolicyResults& policy : policies) there = std::min(there, policy.observations.size());
    while (!answer_ && looked_ < there) {
        for (std::size_t c = 0; c < policies.size(); ++c) policies_[c].pooled.add(policies[c].observations[looked_]);
        ++looked_;
        if (looked_ >= precision_.least && precise(policies, looked_)) answer_ = looked_;
    }
    return answer_;
}

}  // namespace schedproof::runs
