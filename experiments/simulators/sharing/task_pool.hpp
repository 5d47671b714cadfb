/// Unlaunched tasks of all jobs, as policies without queues see them: the indexed side of the view.
///
/// Ready jobs stand in two ordered sets, by running tasks and by priority; each job keeps its tasks by node and rack;
/// each node lists the jobs with data on it, once a policy has asked for a local one.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "experiments/simulators/sharing/job_source.hpp"
#include "experiments/simulators/sharing/job_table.hpp"
#include "experiments/simulators/sharing/task_shelves.hpp"
#include "experiments/simulators/sharing/task_slots.hpp"
#include "model/sharing/policy.hpp"

namespace schedproof::simulation {

/// Cost of an offer: constant, or logarithmic in a job's replicas where they are few, for each job that the policy
/// asks; `reserved` is logarithmic in the job's tasks; `first_local` is constant for jobs in order of submission,
/// amortized over the launches, and linear in the jobs with local tasks on the node in fair order. A launch or
/// completion is logarithmic in the jobs.
class TaskPool {
  public:
    using ProbesOf = std::function<Probes(const JobRecord&)>;

    /// `probes` is asked once for each job about whose reservations a policy asks. Whether launches are kept from the
    /// start or, at a miss of the cache less for each, from the first such question on.
    TaskPool(const sharing::Cluster& cluster, ProbesOf probes, bool keeps_launches)
        : cluster_(cluster), probes_(std::move(probes)), keeps_launches_(keeps_launches) {}
    /// Whether a policy has asked for reservations after a launch that was not kept: the answer was wrong.
    [[nodiscard]] bool lacks_launches() const { return lacks_launches_; }

    [[nodiscard]] const JobTable& jobs() const { return jobs_; }

  private:
    /// The position of a ready job: by rank, then by submission.
    struct Place {
        std::uint32_t rank;
        std::uint64_t number;
        JobId job;
        friend auto operator<=>(const Place&, const Place&) = default;
    };
    using Line = std::set<Place>;

  public:
    /// Ready jobs in an order.
    class Ready {
      public:
        class Iterator {
          public:
            explicit Iterator(Line::const_iterator at) : at_(at) {}
            JobId operator*() const { return at_->job; }
            Iterator& operator++() {
                ++at_;
                return *this;
            }
            friend bool operator==(const Iterator&, const Iterator&) = default;

          private:
            Line::const_iterator at_;
        };
        explicit Ready(const Line& line) : line_(line) {}
        [[nodiscard]] Iterator begin() const { return Iterator(line_.begin()); }
        [[nodiscard]] Iterator end() const { return Iterator(line_.end()); }

      private:
        const Line& line_;
    };

    /// What a policy may ask and change; see OfferView and ReclaimView.
    class View {
      public:
        View(TaskPool& pool, const Slots& slots, sharing::Ticks now, std::optional<sharing::SlotId> offered)
            : pool_(pool), slots_(slots), now_(now), offered_(offered) {}
        [[nodiscard]] Ready jobs(sharing::Order order) const { return Ready(pool_.line(order)); }
        [[nodiscard]] std::optional<JobId> first_local(sharing::Order order, sharing::NodeId n) const {
            return pool_.first_local(order, n);
        }
        [[nodiscard]] sharing::Locality nearest(JobId j, sharing::NodeId n) const {
            return pool_.lists_[j.index()].nearest(pool_.cluster_, n).level;
        }
        [[nodiscard]] std::int64_t skips(JobId j) const { return pool_.jobs_[j].skips; }
        void skip(JobId j) { ++pool_.jobs_[j].skips; }
        void set_skips(JobId j, std::int64_t skips) { pool_.jobs_[j].skips = skips; }
        [[nodiscard]] sharing::Ticks waited(JobId j) const {
            require(offered_.has_value(), "waited is about an offered slot");
            return now_ - std::max(slots_[*offered_].waits_from, pool_.jobs_[j].submit);
        }
        [[nodiscard]] sharing::Ticks since_submitted(JobId j) const { return now_ - pool_.jobs_[j].submit; }
        [[nodiscard]] std::int64_t reserved(JobId j, sharing::NodeId n) const { return pool_.reserved(j, n); }
        [[nodiscard]] std::int64_t remote_tasks(sharing::NodeId n) const {
            return static_cast<std::int64_t>(slots_.remote_tasks(n));
        }
        [[nodiscard]] sharing::Ticks remote_time(sharing::NodeId n) const {
            return pool_.cluster_.remote_time_among(slots_.remote_tasks(n));
        }
        [[nodiscard]] std::int64_t running(JobId j) const { return pool_.jobs_[j].running; }
        [[nodiscard]] std::int64_t unlaunched(JobId j) const { return pool_.jobs_[j].unlaunched; }
        [[nodiscard]] std::int64_t free_slots() const { return static_cast<std::int64_t>(slots_.free()); }
        /// Cost: linear in the jobs.
        [[nodiscard]] std::optional<JobId> most_running() const { return pool_.most_running(); }
        [[nodiscard]] std::int64_t fair_share() const {
            require(pool_.jobs_.present() > 0, "a fair share needs a job");
            return static_cast<std::int64_t>(slots_.size() / pool_.jobs_.present());
        }

      private:
        TaskPool& pool_;
        const Slots& slots_;
        sharing::Ticks now_;
        std::optional<sharing::SlotId> offered_;
    };
    [[nodiscard]] View view(const Slots& slots, sharing::Ticks now, std::optional<sharing::SlotId> offered = {}) {
        return {*this, slots, now, offered};
    }

    /// Adds a job; `times` holds each task's time beside its data, or one time for all. Nothing is routed.
    template <class Policy, class Choice>
    JobId submit(const sharing::Job& job, std::span<const sharing::Ticks> times, const Policy&, Choice&&) {
        return submit(job, times);
    }
    JobId submit(const sharing::Job& job, std::span<const sharing::Ticks> times);

    struct Launched {
        std::uint32_t task;
        sharing::Ticks time;
    };
    /// Throws ContractViolation unless the job's nearest unlaunched task is at that level.
    Launched launch(const sharing::JobLaunch& launch, sharing::NodeId n);
    /// The nodes that hold a task's data, ascending.
    [[nodiscard]] std::vector<sharing::NodeId> holders(JobId j, std::uint32_t task) const;
    /// Makes a running task unlaunched again.
    void put_back(JobId j, std::uint32_t task);
    /// True when the job is done; its record stands until `close`.
    [[nodiscard]] bool finish(JobId j, std::uint32_t task, sharing::NodeId n);
    void close(JobId j) {
        lists_[j.index()].clear();
        if (keeps_launches_) reservations_[j.index()].clear();
        jobs_.close(j);
    }

  private:
    struct Present {
        JobId job;
        std::uint64_t number;
    };
    /// Jobs of one priority with data on one node, by number; those before the head, and some behind it, have no
    /// unlaunched task that is local there.
    struct LocalJobs {
        std::vector<Present> jobs;
        std::size_t head = 0;
    };
    /// Of a job: where it was launched, and its probes, drawn when a policy asks; from then on launches are in order.
    struct Reservations {
        std::optional<Probes> probes;
        std::vector<sharing::NodeId> launched;
        void clear();
    };
    [[nodiscard]] std::int64_t reserved(JobId j, sharing::NodeId n);
    /// The ready jobs in an order, which is kept from now on.
    [[nodiscard]] const Line& line(sharing::Order order);
    [[nodiscard]] Place fair_place(JobId j) const { return {jobs_[j].running, jobs_[j].number, j}; }
    [[nodiscard]] Place fifo_place(JobId j) const { return {jobs_[j].priority, jobs_[j].number, j}; }
    void insert_fair(Line::node_type place, JobId j);
    [[nodiscard]] std::optional<JobId> first_local(sharing::Order order, sharing::NodeId n);
    [[nodiscard]] std::optional<JobId> first_come_local(sharing::NodeId n);
    [[nodiscard]] std::optional<JobId> poorest_local(sharing::NodeId n);
    [[nodiscard]] std::optional<JobId> most_running() const;
    [[nodiscard]] bool is_ready(JobId j) const { return jobs_[j].number != 0 && jobs_[j].unlaunched > 0; }
    [[nodiscard]] bool is_ready(const Present& p) const { return jobs_[p.job].number == p.number && is_ready(p.job); }
    [[nodiscard]] bool has_local(const Present& p, sharing::NodeId n) {
        return is_ready(p) && lists_[p.job.index()].has_local(n);
    }
    [[nodiscard]] LocalJobs& local_jobs(sharing::NodeId n, sharing::Priority p) {
        return local_[n.index() * sharing::priorities + p];
    }
    void list_all();
    void list_at_its_nodes(JobId j);
    /// The job of a task that was put back, at the nodes that hold the task's data.
    void list_again(JobId j, std::uint32_t task);

    const sharing::Cluster& cluster_;
    ProbesOf probes_;
    bool keeps_launches_, lacks_launches_ = false, has_launched_ = false;
    const std::size_t racks_ = cluster_.racks();
    JobTable jobs_;
    std::vector<TaskShelves> lists_;  // by job id, as the next
    std::vector<Reservations> reservations_;
    std::optional<Line> fair_, fifo_;  // none before a policy asked
    bool listed_ = false;              // whether local_ is kept
    std::vector<LocalJobs> local_;     // by node and priority
};

static_assert(sharing::OfferSource<TaskPool::View> && sharing::ReclaimSource<TaskPool::View>);

}  // namespace schedproof::simulation
