/// The event loop of a schedule under a policy, for rationals, symbolic numbers and machine numbers alike.
///
/// The events: `arrive` (a job becomes active), `complete` (a job that is done leaves); after each the policy
/// allocates. Between events, `advance` lets the active jobs work.
///
/// Decisions are made exactly when a job arrives or departs (Assumption 1 of the paper): then all copies of a job jump
/// to the most advanced one, and the policy allocates anew. Between, a job's work grows as its speedup says. Of jobs
/// with equal grants the one with the least remaining work is done first, so one comparison per job finds the
/// next completion, and none where the policy serves by remaining work and favours the first (SRPT and SRPT+R).
/// A job that is done at an instant leaves before a job that arrives then is inserted. Jobs that are done at once leave
/// one after another, also where the first to leave costs another its machines (FAIR, when a round becomes too small).
/// Shared by the exact model, the proofs and the simulator on mean service (experiments/simulators/redundancy): this
/// class itself. The simulator in slots shares the policies only, and is checked equal where both models coincide.
/// Source: [xu2017], Section 3; docs/models/redundancy.md, Model and Interpretation R3.
/// Long: the events of a schedule share one state.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "model/core/real.hpp"
#include "model/redundancy/allocation.hpp"
#include "model/redundancy/job.hpp"

namespace schedproof::redundancy {

/// An active job with its remaining work at the last decision.
template <Number N>
struct Active {
    JobId job;
    N remaining;
};

template <Number N, Policy P, class Speedup>
class Schedule {
  public:
    /// Requires machines >= 1. Throws ContractViolation, as all that follows, when the policy breaks a rule.
    Schedule(P policy, std::size_t machines, Speedup speedup)
        : policy_(std::move(policy)), machines_(machines), speedup_(std::move(speedup)) {}

    [[nodiscard]] std::size_t machines() const { return machines_; }
    [[nodiscard]] Speedup& speedup() { return speedup_; }
    /// By rank in the policy's order.
    [[nodiscard]] const std::vector<Active<N>>& active() const { return active_; }
    /// Of the active jobs; empty when there are none.
    [[nodiscard]] const Allocation& allocation() const { return allocation_; }

    /// Inserts a job behind those that precede it in the policy's order.
    void arrive(JobId job, N size) {
        auto at = active_.end();
        if (by_remaining())
            at = std::upper_bound(active_.begin(), active_.end(), size,
                                  [](const N& work, const Active<N>& other) { return work < other.remaining; });
        active_.insert(at, {job, std::move(size)});
        allocate();
    }

    struct Completion {
        std::size_t rank = 0;
        N after;  ///< from now
    };
    /// The job that completes first if no job arrives; none when every active job waits.
    [[nodiscard]] std::optional<Completion> next_completion() {
        std::optional<Completion> first;
        for (const std::size_t rank : losers_)
            if (active_[rank].remaining <= N(0)) return Completion{rank, N(0)};
        for (const Band& band : allocation_) {
            const std::size_t rank = least_remaining(band);
            N after = speedup_.time(band.grant, active_[rank].remaining);
            if (!first || after < first->after) first = {rank, std::move(after)};
            if (ranks_last_) break;  // rank 0 has the least work and the best grant
        }
        return first;
    }

    /// All active jobs work for `length`, at most the time of the next completion.
    void advance(const N& length) {
        for (const Band& band : allocation_) {
            const N work = speedup_.work(band.grant, length);
            for (std::size_t rank = band.first; rank < band.last; ++rank) subtract(active_[rank].remaining, work);
        }
        if (by_remaining() && !ranks_last_)
            std::stable_sort(active_.begin(), active_.end(), [](const Active<N>& a, const Active<N>& b) {
                return a.remaining < b.remaining || (a.remaining == b.remaining && a.job < b.job);
            });
    }

    /// Removes the job that `next_completion` named, after `advance` by its time. Ranks may have changed since; then
    /// the job, which has no work left, is the first.
    JobId complete(std::size_t rank) {
        const bool reordered = by_remaining() && !ranks_last_;
        if (reordered) rank = 0;
        const JobId job = active_[rank].job;
        const Allocation before = allocation_;
        std::vector<std::size_t> waited = std::move(losers_);
        active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(rank));
        allocate();
        if (!reordered)
            note_losers(rank, before, waited);
        else if (!active_.empty())
            note_unserved(0, 1);
        return job;
    }

  private:
    [[nodiscard]] bool by_remaining() const { return policy_.order == Order::remaining; }
    void allocate() {
        allocation_ = active_.empty() ? Allocation() : ask_allocate(policy_, active_.size(), machines_);
        losers_.clear();
        ranks_last_ = by_remaining() && favours_first(allocation_, active_.size());
    }
    /// Once the job of rank `completed` has left: of the jobs that may be done too, those that are served no more.
    /// These are the ones that were served before, and those that had lost their service before and were not looked at,
    /// behind the one that completed. Where ranks have changed since the decision, the first job alone may be done.
    void note_losers(std::size_t completed, const Allocation& before, const std::vector<std::size_t>& waited) {
        const auto behind = [&](std::size_t rank) { return rank - (rank > completed ? 1 : 0); };
        for (const Band& band : before) note_unserved(behind(band.first), behind(band.last));
        for (auto lost = std::find(waited.begin(), waited.end(), completed); lost != waited.end(); ++lost)
            if (*lost != completed) note_unserved(behind(*lost), behind(*lost) + 1);
        if (losers_.size() > 1) std::sort(losers_.begin(), losers_.end());
    }
    /// Adds the ranks from first to last - 1 that no band serves to the losers. Cost: bands and the ranks added.
    void note_unserved(std::size_t first, std::size_t last) {
        while (first < last) {
            const auto serving = std::find_if(allocation_.begin(), allocation_.end(), [&](const Band& band) {
                return band.first <= first && first < band.last;
            });
            if (serving == allocation_.end())
                losers_.push_back(first++);
            else
                first = serving->last;
        }
    }
    [[nodiscard]] std::size_t least_remaining(const Band& band) const {
        std::size_t least = band.first;
        if (!by_remaining())
            for (std::size_t rank = band.first + 1; rank < band.last; ++rank)
                if (active_[rank].remaining < active_[least].remaining) least = rank;
        return least;
    }
    static void subtract(N& remaining, const N& work) {
        if constexpr (std::same_as<N, Real>) {
            // A remainder that is rounding only counts as zero: otherwise a job that ends now would lose its machines.
            constexpr double rounding = 1e-9;
            const Real left = remaining - work;
            remaining = left.value() <= rounding * remaining.value() ? Real(0) : left;
        } else {
            remaining -= work;
        }
    }

    P policy_;
    std::size_t machines_;
    Speedup speedup_;
    std::vector<Active<N>> active_;
    Allocation allocation_;
    bool ranks_last_ = false;          // the order by remaining work outlasts an interval
    std::vector<std::size_t> losers_;  // ranks, ascending, that completions took service from, at this instant
};

/// Thrown when active jobs wait, none is served, and no arrival will change that.
struct Deadlock : Error {
    using Error::Error;
};

/// What `run` tells, at `now`; every member does nothing.
template <Number N>
struct Observer {
    /// `job` has just been inserted.
    void arrived(const N&, JobId, const auto&) {}
    /// The next `length` passes without an event; `length` may be 0, and no job may be active.
    void passes(const N&, const N&, const auto&) {}
    /// `job` is done and removed.
    void completed(const N&, JobId, const auto&) {}
};

/// Runs all jobs to their completion, from the first arrival on. Throws Deadlock.
/// Cost: an event is linear in the number of active jobs, but a served job alone is touched.
template <Number N, Policy P, class Speedup, class Watch>
void run(Schedule<N, P, Speedup>& schedule, const Jobs<N>& jobs, Watch& watch) {
    if (jobs.empty()) return;
    N now = jobs.front().arrival;
    const auto pass = [&](const N& length) {
        watch.passes(now, length, std::as_const(schedule));
        schedule.advance(length);
        now += length;
    };
    for (std::size_t next = 0; next < jobs.size() || !schedule.active().empty();) {
        auto completion = schedule.next_completion();
        if (next < jobs.size()) {
            const N until = jobs[next].arrival - now;
            if (!completion || until < completion->after) {
                if (next > 0) pass(until);
                now = jobs[next].arrival;
                schedule.arrive(JobId(next), jobs[next].size);
                watch.arrived(now, JobId(next), std::as_const(schedule));
                ++next;
                continue;
            }
        }
        if (!completion) throw Deadlock("every active job waits, and no other arrives");
        pass(completion->after);
        const JobId job = schedule.complete(completion->rank);
        watch.completed(now, job, std::as_const(schedule));
    }
}

}  // namespace schedproof::redundancy
