/// The phase `route` of the simulators in slots: the tasks of a slot join their queues.
///
/// Each task sees the queues at the start of the slot (batch), or also the tasks before it (sequential). Its queue's
/// live length grows at once; the length at the start of the slot, which idle servers decide on, is updated at the end.
/// Where a view has an age, tasks see the start of an earlier slot, and none of the tasks since.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "experiments/simulators/core/fetch_ahead.hpp"
#include "experiments/simulators/slotted/delayed_queues.hpp"
#include "experiments/simulators/slotted/indexed_rules.hpp"
#include "experiments/simulators/slotted/replica_source.hpp"
#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "model/queueing/kernel.hpp"

namespace schedproof::simulation {

class TaskRouter {
  public:
    struct Joined {
        std::uint32_t queue;
        /// Of the task; with random replicas in a queue that lists tasks a number for `take_replicas`, under fcfs the
        /// task's place among those of its slot.
        std::uint32_t type;
    };

    /// Borrows everything. `now` shows the start of the slot, `live` what has joined since as well, `delayed` the start
    /// of an earlier one; null where tasks see no such.
    TaskRouter(const SimulatedSystem& system, const queueing::Layout& layout, const queueing::Truncation& truncation,
               const statistics::Replication& replication, IndexedView& now, IndexedView& live, DelayedQueues* delayed,
               FetchingWalk walk, SimdLevel simd = available_simd())
        : instance_(*system.instance),
          layout_(layout),
          truncation_(truncation),
          sequential_(system.instance->options().routing == queueing::Routing::sequential),
          fcfs_(system.discipline == Discipline::fcfs),
          in_order_(layout.lists_tasks() || fcfs_),
          replicas_per_task_(system.random ? system.random->replicas : 0),
          keeps_replicas_(system.random.has_value() && layout.lists_tasks()),
          replicas_(replication, system.random.value_or(RandomReplicas{}), simd),
          walk_(walk),
          now_(now),
          live_(live),
          delayed_(delayed),
          kept_(replicas_per_task_) {}
    TaskRouter(const TaskRouter&) = delete;
    TaskRouter& operator=(const TaskRouter&) = delete;

    /// Routes the tasks, of these types, of one slot; how many joined. `in_system`: tasks before them.
    template <class Rules>
    [[gnu::flatten]] std::size_t route(const Rules& rules, const std::vector<std::uint32_t>& types,
                                       std::vector<QueueCounts>& counts, std::uint64_t in_system,
                                       statistics::Stream& ties, SlottedRecorder& recorder) {
        recorder.arrived(types.size());
        IndexedView& seen = delayed_ != nullptr ? earlier(counts) : sequential_ ? live_ : now_;
        if (truncation_.rule == queueing::Truncation::Rule::total && !types.empty() &&
            in_system + types.size() > truncation_.cap) {
            recorder.blocked(types.size());
            // Draws their replicas all the same, so that later tasks have theirs whatever the limit.
            if (replicas_per_task_ > 0)
                for (std::size_t i = 0; i < types.size(); ++i) static_cast<void>(replicas_.next());
            return 0;
        }
        if (in_system + types.size() > std::numeric_limits<std::uint32_t>::max())
            throw LimitExceeded("tasks in system", "more than 2^32 - 1 would be there at once");
        joined_.resize(types.size());
        std::size_t joined = 0;
        for (const std::uint32_t type : types) {
            if (replicas_per_task_ > 0) {
                seen.set_replicas(replicas_.next());
                if (walk_.pays()) fetch_counts(counts);
            }
            const TiedSet tied = rules.route(seen, TaskTypeId(type), ties);
            if (tied.empty()) refuse(rules.policy(), TaskTypeId(type));
            const std::uint32_t q = static_cast<std::uint32_t>(seen.draw(tied, ties).queue.index());
            QueueCounts& queue = counts[q];
            if (truncation_.rule == queueing::Truncation::Rule::queue && queue.live() >= truncation_.cap) {
                recorder.blocked(1);
                continue;
            }
            ++queue.live();
            if (sequential_) live_.changed(QueueId(q));
            joined_[joined++] = {q, keeps_replicas_ ? kept_.keep(seen.random_replicas()) : type};
        }
        joined_.resize(joined);
        if (in_order_) put_in_order(ties);
        return joined;
    }
    [[nodiscard]] std::span<const Joined> joined() const { return joined_; }

    /// Tells the views that a queue has changed.
    void changed(std::uint32_t q) {
        now_.changed(QueueId(q));
        if (sequential_) live_.changed(QueueId(q));
        if (delayed_ != nullptr) news_.push_back(q);
    }
    /// The tasks that joined count as there from the next slot on.
    void settle(std::vector<QueueCounts>& counts) {
        for (const Joined& task : joined_) {
            ++counts[task.queue].settled();
            if (delayed_ != nullptr) news_.push_back(task.queue);
        }
        settled();
    }
    /// Tells the view that queues have changed, once all of their tasks are counted: before that a queue would seem to
    /// hold fewer tasks than are in execution.
    void settled() {
        if (now_.keeps_index())
            for (const Joined& task : joined_) now_.changed(QueueId(task.queue));
        joined_.clear();
    }
    /// Level of server m to a listed task with random replicas; its replicas are forgotten.
    [[nodiscard]] Level take_replicas(std::uint32_t kept, ServerId m) {
        now_.set_replicas(kept_.take(kept));
        return now_.level(TaskTypeId(0), m);
    }

  private:
    /// The view of the slot, once the queues that changed in the one before are told to it.
    [[nodiscard]] IndexedView& earlier(const std::vector<QueueCounts>& counts) {
        const auto slot = static_cast<double>(slots_++);
        for (const std::uint32_t q : news_) delayed_->changed(slot, QueueId(q), counts[q]);
        news_.clear();
        return delayed_->at(slot);
    }
    /// Tasks of one slot stand in an order each equally likely.
    [[gnu::noinline]] void put_in_order(statistics::Stream& ties) {
        for (std::size_t i = joined_.size(); i > 1; --i) std::swap(joined_[i - 1], joined_[ties.below(i)]);
        if (!fcfs_) return;
        for (std::size_t i = 0; i < joined_.size(); ++i) joined_[i].type = static_cast<std::uint32_t>(i);
    }
    [[noreturn, gnu::cold]] void refuse(const queueing::AnyPolicy& policy, TaskTypeId type) const {
        queueing::throw_routes_nowhere(instance_, policy.info(), type, "");
    }
    /// The queues of the servers of a task further on.
    void fetch_counts(const std::vector<QueueCounts>& counts) const {
        replicas_.ahead(8, [&](ServerId m) { fetch(&counts[layout_.queue(m, Level(0), 0).index()]); });
    }

    const queueing::Instance& instance_;
    const queueing::Layout& layout_;
    const queueing::Truncation truncation_;
    const bool sequential_;
    const bool fcfs_;
    const bool in_order_;                  // whether the order of a server's tasks decides what it serves
    const std::size_t replicas_per_task_;  // 0 when types are listed
    const bool keeps_replicas_;
    ReplicaSource replicas_;
    const FetchingWalk walk_;
    IndexedView &now_, &live_;
    DelayedQueues* const delayed_;
    std::vector<std::uint32_t> news_;  // where it is there: queues that changed since the slot before
    std::uint64_t slots_ = 0;          // that have begun
    KeptReplicas kept_;                // of listed tasks
    std::vector<Joined> joined_;       // in this slot
};

}  // namespace schedproof::simulation
