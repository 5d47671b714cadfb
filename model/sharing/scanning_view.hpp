/// The reference source of answers: every one is found by scanning all jobs, slots and tasks of a state.
///
/// It defines what a policy's questions mean, and the simulator's indexes are checked against it.
#pragma once

#include <algorithm>

#include "model/sharing/policy.hpp"
#include "model/sharing/scan.hpp"
#include "model/sharing/sharing_state.hpp"

namespace schedproof::sharing {

template <class Count>
class ScanningViewOf : public Scan<ScanningViewOf<Count>> {
    using Setting = SettingOf<Count>;
    using State = StateOf<Count>;
    using Job = JobOf<Count>;
    using JobState = JobStateOf<Count>;
    using SlotState = SlotStateOf<Count>;

  public:
    /// Keeps references to both. `offered` is the slot in question; a view made for `route` or `reclaim` has none.
    ScanningViewOf(const Setting& setting, State& state, std::optional<SlotId> offered = {})
        : setting_(setting), state_(state), offered_(offered) {}

    [[nodiscard]] Locality nearest(JobId j, NodeId n) const {
        Locality best = Locality::remote;
        for (std::size_t t = 0; t < job(j).tasks.size(); ++t)
            if (of(j).tasks[t] == Stage::unlaunched)
                best = std::min(best, setting_.cluster.locality(n, job(j).tasks[t]));
        return best;
    }
    [[nodiscard]] Count skips(JobId j) const { return of(j).skips; }
    void skip(JobId j) { state_.jobs[j.index()].skips += 1; }
    void set_skips(JobId j, const Count& skips) { state_.jobs[j.index()].skips = skips; }
    [[nodiscard]] Count waited(JobId j) const {
        require(offered_.has_value(), "waited is about an offered slot");
        return state_.now - std::max(state_.slots[offered_->index()].since, job(j).submit);
    }
    [[nodiscard]] Count since_submitted(JobId j) const { return state_.now - job(j).submit; }
    [[nodiscard]] Count reserved(JobId j, NodeId n) const {
        return std::count(of(j).reserved.begin(), of(j).reserved.end(), n);
    }
    [[nodiscard]] Count remote_tasks(NodeId n) const { return static_cast<std::int64_t>(remote_among(n)); }
    [[nodiscard]] Count remote_time(NodeId n) const { return setting_.cluster.remote_time_among(remote_among(n)); }
    [[nodiscard]] IdRange<JobId> all_jobs() const { return IdRange<JobId>(state_.jobs.size()); }
    [[nodiscard]] bool is_ready(JobId j) const { return unlaunched(j) > 0; }
    [[nodiscard]] Priority priority(JobId j) const { return job(j).priority; }
    [[nodiscard]] Count running(JobId j) const {
        return std::count(of(j).tasks.begin(), of(j).tasks.end(), Stage::running);
    }
    [[nodiscard]] Count unlaunched(JobId j) const {
        return std::count(of(j).tasks.begin(), of(j).tasks.end(), Stage::unlaunched);
    }

    [[nodiscard]] Count free_slots() const {
        return std::count_if(state_.slots.begin(), state_.slots.end(), [](const SlotState& s) { return !s.busy; });
    }
    /// Requires a job that is not done.
    [[nodiscard]] Count fair_share() const {
        std::int64_t present = 0;
        for (const JobId j : all_jobs()) present += is_ready(j) || running(j) > 0;
        require(present > 0, "a fair share needs a job");
        return static_cast<std::int64_t>(state_.slots.size()) / present;
    }

    using Scan<ScanningViewOf>::own;
    [[nodiscard]] QueueId own(NodeId n) const { return QueueId(n.index()); }
    [[nodiscard]] QueueId common() const { return QueueId(setting_.cluster.nodes()); }
    [[nodiscard]] Count weight(QueueId q) const { return setting_.cluster.rate[index(level(q))] * length(q); }
    [[nodiscard]] Locality level(QueueId q) const { return q == common() ? Locality::remote : Locality::local; }
    /// Tasks of a queue that count.
    [[nodiscard]] Count length(QueueId q) const {
        std::int64_t tasks = 0;
        for (const JobId j : all_jobs()) tasks += in_queue(j, q);
        return tasks;
    }
    /// Those that a task sees which is routed now.
    [[nodiscard]] Count seen_length(QueueId q) const {
        std::int64_t tasks = 0;
        for (const JobId j : all_jobs())
            if (setting_.cluster.routing == Routing::sequential || job(j).submit != state_.now) tasks += in_queue(j, q);
        return tasks;
    }

    [[nodiscard]] bool waits_in(JobId j, QueueId q) const {
        for (std::size_t t = 0; t < of(j).queue.size(); ++t)
            if (of(j).queue[t] == q && of(j).tasks[t] == Stage::unlaunched) return true;
        return false;
    }

  private:
    [[nodiscard]] std::int64_t in_queue(JobId j, QueueId q) const {
        const bool running = setting_.cluster.counting == Counting::in_system;
        std::int64_t tasks = 0;
        for (std::size_t t = 0; t < of(j).queue.size(); ++t)
            tasks += of(j).queue[t] == q &&
                     (of(j).tasks[t] == Stage::unlaunched || (running && of(j).tasks[t] == Stage::running));
        return tasks;
    }
    [[nodiscard]] std::size_t remote_among(NodeId n) const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < setting_.cluster.slots; ++i) {
            const SlotState& s = state_.slots[setting_.cluster.slot(n, i).index()];
            count += s.busy && s.level == Locality::remote ? 1U : 0U;
        }
        return count;
    }
    [[nodiscard]] const Job& job(JobId j) const { return setting_.jobs[j.index()]; }
    [[nodiscard]] const JobState& of(JobId j) const { return state_.jobs[j.index()]; }

    const Setting& setting_;
    State& state_;
    std::optional<SlotId> offered_;
};

using ScanningView = ScanningViewOf<std::int64_t>;

static_assert(OfferSource<ScanningView> && ReclaimSource<ScanningView> && QueueSource<ScanningView> &&
              RouteSource<ScanningView>);

}  // namespace schedproof::sharing
