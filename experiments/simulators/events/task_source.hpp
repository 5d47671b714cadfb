/// The tasks of a run in continuous time, one after another: drawn, or as a trace has them.
///
/// Gaps, sizes, types and replicas have streams of their own, so policies that are compared are given the same tasks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "experiments/simulators/events/event_experiment.hpp"
#include "experiments/simulators/slotted/replica_source.hpp"
#include "experiments/statistics/stream.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::simulation {

class TaskSource {
  public:
    /// `types` are those with arrivals and `shares` the law of the type of a task, in the same order. The settings must
    /// outlive the source.
    TaskSource(const EventSettings& settings, std::span<const TaskTypeId> types, const DiscreteDistribution& shares,
               const statistics::Replication& replication)
        : trace_(settings.trace.get()),
          until_(settings.duration),
          types_(types),
          cumulative_(shares.cumulative()),
          gap_(settings.gap, statistics::Stream(replication, "arrivals")),
          size_(settings.size, statistics::Stream(replication, "sizes")),
          type_stream_(replication, "types"),
          replicas_(replication, settings.system.random.value_or(RandomReplicas{})) {
        advance();
    }

    /// When the next task arrives; infinity when none does.
    [[nodiscard]] double time() const { return time_; }
    /// Size of the task that arrives next. Each is asked once, before `advance`.
    [[nodiscard]] double size() { return trace_ == nullptr ? size_() : trace_->jobs[job_ - 1].seconds; }
    [[nodiscard]] TaskTypeId type() {
        if (types_.size() == 1) return types_.front();
        const std::uint64_t ticket = type_stream_.below(cumulative_.back());
        return types_[static_cast<std::size_t>(std::upper_bound(cumulative_.begin(), cumulative_.end(), ticket) -
                                               cumulative_.begin())];
    }
    /// With random replicas: the servers of the next task. Valid until asked again.
    [[nodiscard]] std::span<const ServerId> replicas() { return replicas_.next(); }
    /// On to the task after the next.
    void advance() {
        if (trace_ == nullptr)
            time_ += gap_();
        else
            advance_trace();
    }

  private:
    void advance_trace() {
        while (left_ == 0) {
            if (job_ == trace_->jobs.size() || trace_->jobs[job_].submit > until_) {
                time_ = std::numeric_limits<double>::infinity();
                return;
            }
            time_ = trace_->jobs[job_].submit;
            left_ = static_cast<std::uint64_t>(trace_->jobs[job_++].tasks);
        }
        --left_;
    }

    const input::JobTrace* trace_;
    double until_;  // no job of a trace is later
    std::span<const TaskTypeId> types_;
    std::span<const std::uint64_t> cumulative_;
    workload::Draws gap_, size_;
    statistics::Stream type_stream_;
    ReplicaSource replicas_;
    double time_ = 0;
    std::size_t job_ = 0;     // of the trace: jobs begun
    std::uint64_t left_ = 0;  // tasks of the last job begun
};

}  // namespace schedproof::simulation
