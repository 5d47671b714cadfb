/// What is measured of jobs that share a cluster.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "experiments/simulators/core/observation.hpp"
#include "model/sharing/cluster.hpp"

namespace schedproof::simulation {

/// Jobs by number of tasks: small up to `small`, large above `medium`.
struct SizeClasses {
    std::uint32_t small = 10, medium = 150;
    [[nodiscard]] std::size_t of(std::uint32_t tasks) const { return tasks <= small ? 0 : tasks <= medium ? 1 : 2; }
};

/// Collects the observation of one run. Values are counted in the batch in which they become known: a job's delay when
/// its last task ends.
class SharingRecorder {
  public:
    /// The quantities, in the order of the tallies.
    enum : std::size_t {
        job_delay,
        small_job_delay,
        medium_job_delay,
        large_job_delay,
        task_wait,
        task_delay,
        local,
        rack_local,
        remote,
        small_local,
        busy,
        killed,
        declined,
        sticky,
        jobs,
        waiting,
        unfair,
        count
    };
    [[nodiscard]] static std::vector<Quantity> quantities(const std::string& unit, double tick);

    /// The run's batches: `batches` of `length` ticks each, both at least 1; the last one also covers all later time.
    struct Cut {
        sharing::Ticks length = 1000;
        std::size_t batches = 1;
    };
    /// `tick`: units of time per tick.
    SharingRecorder(double tick, Cut cut, std::size_t slots, SizeClasses classes);

    /// Records that until `to` so many slots are busy, jobs present and tasks waiting.
    void advance(sharing::Ticks to, std::size_t busy_slots, std::size_t present, std::uint64_t unlaunched) {
        while (batch_end_ <= to) {
            pass(batch_end_, busy_slots, present, unlaunched);
            open_batch();
        }
        pass(to, busy_slots, present, unlaunched);
    }
    /// A task of a job of `tasks` tasks, submitted `wait` ticks ago; `stuck`: on the slot that its job's task left.
    void launched(sharing::Locality level, std::uint32_t tasks, sharing::Ticks wait, bool stuck) {
        ++work_;
        distributed(task_wait, wait);
        tally(local).weight += 1;  // that of the other levels and of sticky launches too
        tally(local + index(level)).sum += 1;
        tally(sticky).sum += stuck ? 1 : 0;
        if (classes_.of(tasks) == 0) tally(small_local).add(level == sharing::Locality::local ? 1 : 0);
    }
    void task_done(sharing::Ticks delay) { distributed(task_delay, delay); }
    void job_done(std::uint32_t tasks, sharing::Ticks delay) {
        distributed(job_delay, delay);
        distributed(small_job_delay + classes_.of(tasks), delay);
    }
    /// Records a killed task and how long it had run.
    void task_killed(sharing::Ticks run) { tally(killed).sum += static_cast<double>(run); }
    void offered(bool taken) { tally(declined).add(taken ? 0 : 1); }
    /// When jobs are next to be held against their fair shares: about four times in a batch, after the last one never.
    [[nodiscard]] sharing::Ticks next_look() const { return next_look_; }
    /// At that time, up to which was recorded, jobs ran so many tasks fewer than their fair shares.
    void looked(std::uint64_t missing) {
        tally(unfair).add(static_cast<double>(missing) / slots_);
        next_look_ = next_look_ > last_look_ - look_every_ ? std::numeric_limits<sharing::Ticks>::max()
                                                           : next_look_ + look_every_;
    }
    [[nodiscard]] std::uint64_t work() const { return work_; }

    /// Ends the run at the time reached.
    [[nodiscard]] Observation finish();

  private:
    [[nodiscard]] Tally& tally(std::size_t quantity) { return batch_->tallies[quantity]; }
    void distributed(std::size_t quantity, sharing::Ticks value) {
        tally(quantity).add(static_cast<double>(value));
        batch_->histograms[quantity].add(static_cast<std::uint64_t>(value));
    }
    void pass(sharing::Ticks to, std::size_t busy_slots, std::size_t present, std::uint64_t unlaunched);
    void open_batch();

    double tick_;
    Cut cut_;
    sharing::Ticks batch_end_ = 0, now_ = 0, look_every_, last_look_, next_look_;
    double slots_;
    SizeClasses classes_;
    Observation seen_;        // in ticks until it is finished: sums of whole numbers, exact
    Batch* batch_ = nullptr;  // the last of seen_
    std::uint64_t work_ = 0;
};

}  // namespace schedproof::simulation
