/// The tasks of a run in continuous time, one after another: drawn, or as a trace has them.
///
/// Gaps, sizes, types, batches and replicas have streams of their own, so policies that are compared are given the same
/// tasks. The tasks of a batch come one after another at one time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "experiments/simulators/events/event_plan.hpp"
#include "experiments/simulators/slotted/replica_source.hpp"
#include "experiments/statistics/stream.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::simulation {

class TaskSource {
  public:
    /// The plan must outlive the source.
    TaskSource(const EventPlan& plan, const statistics::Replication& replication)
        : trace_(plan.settings.trace.get()),
          labels_(plan.settings.labels.get()),
          until_(plan.settings.duration),
          types_(plan.types),
          cumulative_(plan.shares.front().cumulative()),
          batches_(plan.batches),
          gap_(plan.settings.gap, statistics::Stream(replication, "arrivals")),
          size_(plan.settings.size, statistics::Stream(replication, "sizes")),
          type_stream_(replication, "types"),
          batch_stream_(replication, "batches"),
          replicas_(replication, plan.settings.system.random.value_or(RandomReplicas{})) {
        advance();
    }

    /// When the next task arrives; infinity when none does.
    [[nodiscard]] double time() const { return time_; }
    /// Size of the task that arrives next. Each is asked once, before `advance`.
    [[nodiscard]] double size() { return trace_ == nullptr ? size_() : trace_->jobs[job_ - 1].seconds; }
    /// Of the task that arrives next. Each is asked once, before `advance`.
    [[nodiscard]] TaskTypeId type() {
        if (labels_ != nullptr) return (*labels_)[job_ - 1].type;
        if (in_batch_ > 0) return types_[at_];
        at_ = types_.size() == 1 ? 0 : drawn(cumulative_, type_stream_);
        if (!batches_.empty()) {
            const BatchLaw& of = batches_[at_];
            in_batch_ = of.tasks[of.tasks.size() == 1 ? 0 : drawn(of.law.cumulative(), batch_stream_)];
        }
        return types_[at_];
    }
    /// Of the task that arrives next; zeros where nothing is known. Before `advance`.
    [[nodiscard]] TaskLabel label() const { return labels_ == nullptr ? TaskLabel{} : (*labels_)[job_ - 1]; }
    /// Whether the task whose type was asked last has none of its batch after it.
    [[nodiscard]] bool ends_batch() const { return in_batch_ <= 1; }
    /// Whether the next task comes with the one before.
    [[nodiscard]] bool in_batch() const { return in_batch_ > 0; }
    /// With random replicas: the servers of the next task. Valid until asked again.
    [[nodiscard]] std::span<const ServerId> replicas() { return replicas_.next(); }
    /// On to the task after the next.
    void advance() {
        if (in_batch_ > 0 && --in_batch_ > 0) return;
        if (trace_ == nullptr)
            time_ += gap_();
        else
            advance_trace();
    }

  private:
    [[nodiscard]] static std::size_t drawn(std::span<const std::uint64_t> cumulative, statistics::Stream& stream) {
        const std::uint64_t ticket = stream.below(cumulative.back());
        return static_cast<std::size_t>(std::upper_bound(cumulative.begin(), cumulative.end(), ticket) -
                                        cumulative.begin());
    }
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
    const std::vector<TaskLabel>* labels_;
    double until_;  // no job of a trace is later
    std::span<const TaskTypeId> types_;
    std::span<const std::uint64_t> cumulative_;
    std::span<const BatchLaw> batches_;
    workload::Draws gap_, size_;
    statistics::Stream type_stream_, batch_stream_;
    ReplicaSource replicas_;
    double time_ = 0;
    std::size_t at_ = 0;          // type of the task asked last
    std::uint32_t in_batch_ = 0;  // tasks of the batch that are left, the next among them
    std::size_t job_ = 0;         // of the trace: jobs begun
    std::uint64_t left_ = 0;      // tasks of the last job begun
};

}  // namespace schedproof::simulation
