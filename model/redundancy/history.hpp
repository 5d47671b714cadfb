/// A whole schedule as data: its intervals, with the active jobs and the grant of each.
#pragma once

#include <utility>
#include <vector>

#include "model/redundancy/schedule.hpp"
#include "model/redundancy/speedup.hpp"

namespace schedproof::redundancy {

/// A cluster and its jobs.
template <Number N>
struct Problem {
    std::size_t machines = 1;
    Service service;  ///< linear, for schedules
    Jobs<N> jobs;
    friend bool operator==(const Problem&, const Problem&) = default;
};

/// Between two decisions; `length` may be 0 when several things happen at one instant.
template <Number N>
struct Interval {
    N start;
    N length;
    std::vector<Active<N>> active;  ///< by rank; remaining work at the start
    Allocation allocation;
    std::size_t arrived = 0;  ///< jobs 0..arrived-1 had arrived
};

template <Number N>
struct History {
    std::vector<Interval<N>>
        intervals;              ///< in order of time, without gaps, from the first arrival to the last completion
    std::vector<N> completion;  ///< c_j, by job

    /// F = sum_j (c_j - a_j).
    [[nodiscard]] N total_flowtime(const Jobs<N>& jobs) const {
        N total(0);
        for (std::size_t j = 0; j < jobs.size(); ++j) total += completion[j] - jobs[j].arrival;
        return total;
    }
};

/// Collects a History.
template <Number N>
class Recorder : public Observer<N> {
  public:
    explicit Recorder(std::size_t jobs) { history_.completion.resize(jobs, N(0)); }

    void arrived(const N&, JobId, const auto&) { ++arrived_; }
    void passes(const N& now, const N& length, const auto& schedule) {
        history_.intervals.push_back({now, length, schedule.active(), schedule.allocation(), arrived_});
    }
    void completed(const N& now, JobId job, const auto&) { history_.completion[job.index()] = now; }

    [[nodiscard]] History<N> take() { return std::move(history_); }

  private:
    History<N> history_;
    std::size_t arrived_ = 0;
};

}  // namespace schedproof::redundancy
