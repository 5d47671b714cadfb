/// The reference source of answers: every one is found by scanning all jobs, slots and tasks of a state.
///
/// It defines what a policy's questions mean, and the simulator's indexes are checked against it.
#pragma once

#include <algorithm>

#include "model/sharing/policy.hpp"
#include "model/sharing/scan.hpp"
#include "model/sharing/sharing_state.hpp"

namespace schedproof::sharing {

class ScanningView : public Scan<ScanningView> {
  public:
    /// Keeps references to both. `offered` is the slot in question; a view made for `route` or `reclaim` has none.
    ScanningView(const Setting& setting, State& state, std::optional<SlotId> offered = {})
        : setting_(setting), state_(state), offered_(offered) {}

    [[nodiscard]] Locality nearest(JobId j, NodeId n) const {
        Locality best = Locality::remote;
        for (std::size_t t = 0; t < job(j).tasks.size(); ++t)
            if (of(j).tasks[t] == Stage::unlaunched)
                best = std::min(best, setting_.cluster.locality(n, job(j).tasks[t]));
        return best;
    }
    [[nodiscard]] std::int64_t skips(JobId j) const { return of(j).skips; }
    void skip(JobId j) { ++state_.jobs[j.index()].skips; }
    void set_skips(JobId j, std::int64_t skips) { state_.jobs[j.index()].skips = skips; }
    [[nodiscard]] Ticks waited(JobId j) const {
        require(offered_.has_value(), "waited is about an offered slot");
        return state_.now - std::max(state_.slots[offered_->index()].since, job(j).submit);
    }
    [[nodiscard]] std::int64_t remote_tasks(NodeId n) const {
        std::int64_t count = 0;
        for (std::size_t i = 0; i < setting_.cluster.slots; ++i) {
            const SlotState& s = state_.slots[setting_.cluster.slot(n, i).index()];
            count += s.busy && s.level == Locality::remote;
        }
        return count;
    }
    [[nodiscard]] Ticks remote_time(NodeId n) const {
        return setting_.cluster.remote_time_among(static_cast<std::size_t>(remote_tasks(n)));
    }
    [[nodiscard]] IdRange<JobId> all_jobs() const { return IdRange<JobId>(state_.jobs.size()); }
    [[nodiscard]] bool is_ready(JobId j) const { return unlaunched(j) > 0; }
    [[nodiscard]] Priority priority(JobId j) const { return job(j).priority; }
    [[nodiscard]] std::int64_t running(JobId j) const {
        return std::count(of(j).tasks.begin(), of(j).tasks.end(), Stage::running);
    }
    [[nodiscard]] std::int64_t unlaunched(JobId j) const {
        return std::count(of(j).tasks.begin(), of(j).tasks.end(), Stage::unlaunched);
    }

    [[nodiscard]] std::int64_t free_slots() const {
        return std::count_if(state_.slots.begin(), state_.slots.end(), [](const SlotState& s) { return !s.busy; });
    }
    /// Requires a job that is not done.
    [[nodiscard]] std::int64_t fair_share() const {
        std::int64_t present = 0;
        for (const JobId j : all_jobs()) present += is_ready(j) || running(j) > 0;
        require(present > 0, "a fair share needs a job");
        return static_cast<std::int64_t>(state_.slots.size()) / present;
    }

    using Scan::own;
    [[nodiscard]] QueueId own(NodeId n) const { return QueueId(n.index()); }
    [[nodiscard]] QueueId common() const { return QueueId(setting_.cluster.nodes()); }
    [[nodiscard]] std::int64_t weight(QueueId q) const { return setting_.cluster.rate[index(level(q))] * length(q); }
    [[nodiscard]] Locality level(QueueId q) const { return q == common() ? Locality::remote : Locality::local; }
    /// Tasks of a queue, running ones included.
    [[nodiscard]] std::int64_t length(QueueId q) const {
        std::int64_t tasks = 0;
        for (const JobState& j : state_.jobs)
            for (std::size_t t = 0; t < j.queue.size(); ++t) tasks += j.queue[t] == q && j.tasks[t] != Stage::done;
        return tasks;
    }

    [[nodiscard]] bool waits_in(JobId j, QueueId q) const {
        for (std::size_t t = 0; t < of(j).queue.size(); ++t)
            if (of(j).queue[t] == q && of(j).tasks[t] == Stage::unlaunched) return true;
        return false;
    }

  private:
    [[nodiscard]] const Job& job(JobId j) const { return setting_.jobs[j.index()]; }
    [[nodiscard]] const JobState& of(JobId j) const { return state_.jobs[j.index()]; }

    const Setting& setting_;
    State& state_;
    std::optional<SlotId> offered_;
};

static_assert(OfferSource<ScanningView> && ReclaimSource<ScanningView> && QueueSource<ScanningView> &&
              RouteSource<ScanningView>);

}  // namespace schedproof::sharing
