/// How far jobs are from max-min fair shares of the slots.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "experiments/simulators/sharing/job_table.hpp"

namespace schedproof::simulation {

/// The max-min fair share of a job that has d tasks, running and unlaunched, is min(d, l) slots: l is the largest whole
/// number with which the shares of all jobs fit into the slots, so the slots that do not divide evenly are nobody's
/// due. Source: [zaharia2010], Naive Fair Sharing ("the resulting allocation will satisfy max-min fairness").
class FairShares {
  public:
    /// The slots by which jobs run fewer tasks than their shares, summed over jobs; 0 where shares are fair.
    /// Cost: n log n for n ids of the table.
    [[nodiscard]] std::uint64_t missing(const JobTable& jobs, std::size_t slots) {
        demands_.clear();
        for (const JobId j : IdRange<JobId>(jobs.ids()))
            if (jobs[j].number != 0) demands_.push_back(demand(jobs[j]));
        std::sort(demands_.begin(), demands_.end());
        std::uint64_t left = slots, level = slots;
        for (std::size_t i = 0; i < demands_.size(); ++i) {
            level = left / (demands_.size() - i);
            if (demands_[i] > level) break;
            left -= demands_[i];
            level = slots;  // all demands so far are met
        }
        std::uint64_t missing = 0;
        for (const JobId j : IdRange<JobId>(jobs.ids())) {
            const std::uint64_t share = jobs[j].number == 0 ? 0 : std::min(demand(jobs[j]), level);
            missing += share > jobs[j].running ? share - jobs[j].running : 0;
        }
        return missing;
    }

  private:
    [[nodiscard]] static std::uint64_t demand(const JobRecord& job) {
        return std::uint64_t{job.running} + job.unlaunched;
    }
    std::vector<std::uint64_t> demands_;
};

}  // namespace schedproof::simulation
