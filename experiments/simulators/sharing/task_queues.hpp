/// Tasks in queues of nodes and a common one, each with a subqueue for every job that waits there.
///
/// The tasks of a job in one queue are alike, so a subqueue is a number. Subqueues stand in order of submission: a job
/// is routed at once, so its subqueue of a queue is the last one or new.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "experiments/simulators/sharing/job_table.hpp"
#include "experiments/simulators/sharing/task_slots.hpp"
#include "model/sharing/policy.hpp"

namespace schedproof::simulation {

/// Cost: routing a task, linear in its replicas; the job with the fewest running tasks, linear in the jobs that wait in
/// that queue, which joining the shortest keeps few.
class TaskQueues {
  public:
    explicit TaskQueues(const sharing::Cluster& cluster) : cluster_(cluster), queue_(cluster.nodes() + 1) {}

    [[nodiscard]] const JobTable& jobs() const { return jobs_; }

    /// What a policy may ask; see QueueOfferView and RouteView.
    class View {
      public:
        View(const TaskQueues& queues, sharing::Ticks now) : queues_(queues), now_(now) {}
        [[nodiscard]] QueueId own(sharing::NodeId n) const { return QueueId(n.index()); }
        [[nodiscard]] QueueId common() const { return QueueId(queues_.queue_.size() - 1); }
        /// A task's choice of queues: those of the nodes that hold its data, and perhaps the common one.
        struct Choice {
            const sharing::Replicas& data;
            bool with_common;
        };
        [[nodiscard]] Choice own(const sharing::Replicas& data) const { return {data, false}; }
        [[nodiscard]] Choice own_and_common(const sharing::Replicas& data) const { return {data, true}; }
        [[nodiscard]] sharing::Queues shortest(const Choice& queues) const {
            std::int64_t least = seen_length(queues.with_common ? common() : own(queues.data.front()));
            for (const sharing::NodeId n : queues.data) least = std::min(least, seen_length(own(n)));
            sharing::Queues tied;
            for (const sharing::NodeId n : queues.data)
                if (seen_length(own(n)) == least) tied.push_back(own(n));
            if (tied.size() > 1) std::sort(tied.begin(), tied.end());
            if (queues.with_common && seen_length(common()) == least) tied.push_back(common());
            return tied;
        }
        [[nodiscard]] std::int64_t weight(QueueId q) const {
            return queues_.cluster_.rate[index(level(q))] * queues_.length(q);
        }
        [[nodiscard]] sharing::Locality level(QueueId q) const {
            return q == common() ? sharing::Locality::remote : sharing::Locality::local;
        }
        [[nodiscard]] std::optional<JobId> fewest_running(QueueId q) const {
            std::optional<JobId> fewest;
            std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
            for (const Subqueue& s : queues_.queue_[q.index()].waiting) {
                const std::uint32_t running = queues_.running_[s.job.index()];
                if (running >= least) continue;
                least = running;
                fewest = s.job;
            }
            return fewest;
        }

      private:
        /// What a task sees that is routed now: no task is launched before the last of its batch is routed.
        [[nodiscard]] std::int64_t seen_length(QueueId q) const {
            const Queue& queue = queues_.queue_[q.index()];
            const bool unseen = queues_.cluster_.routing == sharing::Routing::batch && queue.last_joined == now_;
            return unseen ? queue.length - queue.joined : queue.length;
        }

        const TaskQueues& queues_;
        sharing::Ticks now_;
    };
    [[nodiscard]] View view(const Slots&, sharing::Ticks now, std::optional<sharing::SlotId> = {}) const {
        return View(*this, now);
    }

    /// Adds a job; `pick(n)` chooses among n tied queues. `times` holds each task's time beside its data, or one time
    /// for all; tasks of a queue are alike, so only a common time is kept.
    template <class Policy, class Choice>
    JobId submit(const sharing::Job& job, std::span<const sharing::Ticks> times, const Policy& policy, Choice&& pick) {
        const JobId j = jobs_.open(job);
        if (j.index() >= time_.size()) {
            time_.resize(j.index() + 1);
            running_.resize(j.index() + 1);
        }
        running_[j.index()] = 0;
        time_[j.index()] = times.size() == 1 ? times.front() : 0;
        const View now(*this, job.submit);
        for (const sharing::Replicas& data : job.tasks) {
            const sharing::Queues tied = sharing::ask_route(policy, now, data);
            Queue& joined = queue_[tied[tied.size() == 1 ? 0 : pick(tied.size())].index()];
            ++joined.length;
            if (std::exchange(joined.last_joined, job.submit) != job.submit) joined.joined = 0;
            ++joined.joined;
            if (joined.waiting.empty() || joined.waiting.back().job != j) joined.waiting.push_back({j, 0});
            ++joined.waiting.back().tasks;
        }
        return j;
    }

    struct Launched {
        std::uint32_t task;
        sharing::Ticks time;
    };
    /// The number of the task stands for its queue: 1 for the common one. Time 0: not known, to be drawn.
    Launched launch(const sharing::JobLaunch& launch, sharing::NodeId n) {
        const bool common = launch.level == sharing::Locality::remote;
        require(launch.level != sharing::Locality::rack_local, "a policy launches a task that there is");
        Queue& queue = queue_[common ? queue_.size() - 1 : n.index()];
        auto& here = queue.waiting;
        const auto at = std::find_if(here.begin(), here.end(), [&](const Subqueue& s) { return s.job == launch.job; });
        require(at != here.end(), "a policy launches a task that there is");
        if (--at->tasks == 0) here.erase(at);
        if (cluster_.counting == sharing::Counting::waiting) --queue.length;
        jobs_.launched(launch.job);
        ++running_[launch.job.index()];
        return {common, time_[launch.job.index()]};
    }
    /// True when the job is done; its record stands until `close`.
    [[nodiscard]] bool finish(JobId j, std::uint32_t task, sharing::NodeId n) {
        if (cluster_.counting == sharing::Counting::in_system)
            --queue_[task == 1 ? queue_.size() - 1 : n.index()].length;
        --running_[j.index()];
        return jobs_.finished(j);
    }
    void close(JobId j) { jobs_.close(j); }
    [[nodiscard]] std::int64_t length(QueueId q) const { return queue_[q.index()].length; }

  private:
    struct Subqueue {
        JobId job;
        std::uint32_t tasks;
    };
    struct Queue {
        std::int64_t length = 0;          // of the tasks that count
        sharing::Ticks last_joined = -1;  // when a task joined last
        std::int64_t joined = 0;          // how many did then
        std::vector<Subqueue> waiting;
    };

    const sharing::Cluster& cluster_;
    JobTable jobs_;
    std::vector<std::uint32_t> running_;  // by job id: what is compared, close together
    std::vector<sharing::Ticks> time_;    // by job id
    std::vector<Queue> queue_;
};

static_assert(sharing::QueueSource<TaskQueues::View> && sharing::RouteSource<TaskQueues::View>);

}  // namespace schedproof::simulation
