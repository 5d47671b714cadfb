/// The jobs that are present. A job has an id while it is present; ids are used again.
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/errors.hpp"
#include "model/sharing/sharing_state.hpp"

namespace schedproof::simulation {

/// A job is identified by its number, which counts submissions from 1.
struct JobRecord {
    std::uint64_t number = 0;  ///< 0: the id is free
    sharing::Ticks submit = 0;
    std::int64_t skips = 0;
    std::uint32_t tasks = 0, unlaunched = 0, running = 0;
    sharing::Priority priority = sharing::normal_priority;
};

class JobTable {
  public:
    [[nodiscard]] const JobRecord& operator[](JobId j) const { return record_[j.index()]; }
    [[nodiscard]] JobRecord& operator[](JobId j) { return record_[j.index()]; }
    /// Jobs that are present.
    [[nodiscard]] std::size_t present() const { return record_.size() - free_.size(); }
    /// Ids in use are below this.
    [[nodiscard]] std::size_t ids() const { return record_.size(); }
    /// Unlaunched tasks of all jobs.
    [[nodiscard]] std::uint64_t unlaunched() const { return unlaunched_; }

    /// Throws LimitExceeded when too many tasks wait.
    [[nodiscard]] JobId open(const sharing::Job& job) {
        if (free_.empty()) {
            free_.push_back(JobId(record_.size()));
            record_.emplace_back();
        }
        const JobId j = free_.back();
        free_.pop_back();
        const auto tasks = static_cast<std::uint32_t>(job.tasks.size());
        record_[j.index()] = {++submitted_, job.submit, 0, tasks, tasks, 0, job.priority};
        unlaunched_ += tasks;
        if (unlaunched_ > most_waiting)
            throw LimitExceeded("waiting tasks", "more than 100 million tasks wait: the load is too high");
        return j;
    }
    void launched(JobId j) {
        ++record_[j.index()].running;
        --record_[j.index()].unlaunched;
        --unlaunched_;
    }
    void killed(JobId j) {
        --record_[j.index()].running;
        ++record_[j.index()].unlaunched;
        ++unlaunched_;
    }
    /// True when that was the job's last task; its record stands until `close`.
    [[nodiscard]] bool finished(JobId j) {
        JobRecord& job = record_[j.index()];
        return --job.running == 0 && job.unlaunched == 0;
    }
    void close(JobId j) {
        record_[j.index()].number = 0;
        free_.push_back(j);
    }

  private:
    static constexpr std::uint64_t most_waiting = 100'000'000;

    std::vector<JobRecord> record_;
    std::vector<JobId> free_;
    std::uint64_t submitted_ = 0, unlaunched_ = 0;
};

}  // namespace schedproof::simulation
