/// Tasks in queues of nodes and a common one, each with a subqueue for every job that waits there.
///
/// The tasks of a job in one queue are alike, so a subqueue is a number. Subqueues stand in order of submission: a job
/// is routed at once, so its subqueue of a queue is the last one or new.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "experiments/sharing/job_table.hpp"
#include "experiments/sharing/slots.hpp"
#include "model/sharing/policy.hpp"

namespace schedproof::simulation {

/// Cost: routing a task, linear in its replicas; the job with the fewest running tasks, linear in the jobs that wait in
/// that queue, which joining the shortest keeps few.
class TaskQueues {
  public:
    explicit TaskQueues(const sharing::Cluster& cluster)
        : cluster_(cluster), length_(cluster.nodes() + 1), waiting_(cluster.nodes() + 1) {}

    [[nodiscard]] const JobTable& jobs() const { return jobs_; }

    /// What a policy may ask; see QueueView.
    class View {
      public:
        explicit View(const TaskQueues& queues) : queues_(queues) {}
        [[nodiscard]] QueueId own(sharing::NodeId n) const { return QueueId(n.index()); }
        [[nodiscard]] QueueId common() const { return QueueId(queues_.length_.size() - 1); }
        [[nodiscard]] sharing::Queues own_and_common(const sharing::Replicas& data) const {
            sharing::Queues queues;
            for (const sharing::NodeId n : data) queues.push_back(own(n));
            std::sort(queues.begin(), queues.end());
            queues.push_back(common());
            return queues;
        }
        [[nodiscard]] sharing::Queues shortest(const sharing::Queues& queues) const {
            sharing::Queues tied;
            std::int64_t least = std::numeric_limits<std::int64_t>::max();
            for (const QueueId q : queues) {
                const std::int64_t length = queues_.length_[q.index()];
                if (length > least) continue;
                if (length < least) tied.clear();
                least = length;
                tied.push_back(q);
            }
            return tied;
        }
        [[nodiscard]] std::int64_t weight(QueueId q) const {
            return queues_.cluster_.rate[index(level(q))] * queues_.length_[q.index()];
        }
        [[nodiscard]] sharing::Locality level(QueueId q) const {
            return q == common() ? sharing::Locality::remote : sharing::Locality::local;
        }
        [[nodiscard]] std::optional<JobId> fewest_running(QueueId q) const {
            const auto& here = queues_.waiting_[q.index()];
            if (here.empty()) return {};
            return std::min_element(here.begin(), here.end(),
                                    [&](const Subqueue& a, const Subqueue& b) {
                                        return queues_.jobs_[a.job].running < queues_.jobs_[b.job].running;
                                    })
                ->job;
        }

      private:
        const TaskQueues& queues_;
    };
    [[nodiscard]] View view(const Slots&, sharing::Ticks, std::optional<sharing::SlotId> = {}) const {
        return View(*this);
    }

    /// Takes in a job; `pick(n)` settles ties of n. `times` holds what each task takes
    /// beside its data, or one for all; the tasks of a queue being alike, only the latter is kept.
    template <class Policy, class Choice>
    JobId submit(const sharing::Job& job, std::span<const sharing::Ticks> times, const Policy& policy, Choice&& pick) {
        const JobId j = jobs_.open(job);
        if (j.index() >= time_.size()) time_.resize(j.index() + 1);
        time_[j.index()] = times.size() == 1 ? times.front() : 0;
        const View now(*this);
        for (const sharing::Replicas& data : job.tasks) {
            const sharing::Queues tied = policy.route(now, data);
            const std::size_t q = tied[tied.size() == 1 ? 0 : pick(tied.size())].index();
            ++length_[q];
            auto& here = waiting_[q];
            if (here.empty() || here.back().job != j) here.push_back({j, 0});
            ++here.back().tasks;
        }
        return j;
    }

    struct Launched {
        std::uint32_t task;
        sharing::Ticks time;
    };
    /// The number of the task stands for its queue: 1 for the common one. Time 0: not known, to be drawn.
    Launched launch(const sharing::Launch& launch, sharing::NodeId n) {
        const bool common = launch.level == sharing::Locality::remote;
        auto& here = waiting_[common ? waiting_.size() - 1 : n.index()];
        const auto at = std::find_if(here.begin(), here.end(), [&](const Subqueue& s) { return s.job == launch.job; });
        require(at != here.end(), "a policy launches a task that there is");
        if (--at->tasks == 0) here.erase(at);
        jobs_.launched(launch.job);
        return {common, time_[launch.job.index()]};
    }
    /// True when the job is done; its record stands until `close`.
    [[nodiscard]] bool finish(JobId j, std::uint32_t task, sharing::NodeId n) {
        --length_[task == 1 ? length_.size() - 1 : n.index()];
        return jobs_.finished(j);
    }
    void close(JobId j) { jobs_.close(j); }
    [[nodiscard]] std::int64_t length(QueueId q) const { return length_[q.index()]; }

  private:
    struct Subqueue {
        JobId job;
        std::uint32_t tasks;
    };
    const sharing::Cluster& cluster_;
    JobTable jobs_;
    std::vector<sharing::Ticks> time_;  // by job id
    std::vector<std::int64_t> length_;  // running tasks included
    std::vector<std::vector<Subqueue>> waiting_;
};

static_assert(sharing::QueueView<TaskQueues::View>);

}  // namespace schedproof::simulation
