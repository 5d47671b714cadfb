/// The simulator of jobs with copies, in slots: the loop that slotted.hpp states, at one addition per copy and slot.
///
/// Between two checkpoints nothing changes but the progress of copies, so everything else is laid out at the
/// checkpoint: the copies of served jobs stand side by side in the order of their jobs, each with its machine and its
/// progress since the checkpoint. A slot adds the machines' work to them and compares each job's best copy with what is
/// enough. Jobs that are done are marked and leave at the start of the next slot, where the policy decides anew.
///
/// The order by remaining work is repaired, not sorted from scratch: waiting jobs keep their order, those that were
/// served and those that are new are sorted among themselves, and the three runs are merged. The events that the model
/// of schedules names alike (model/redundancy/schedule.hpp) are `decide` (arrivals, departures, checkpoint), `serve`
/// (allocation and placement) and `work`; the policy's `allocate` is shared, and on whole numbers both give the same
/// schedule exactly (tests/experiments/slotted_test.cpp).
///
/// Rounding: a job counts as done within 1e-12 of its size, since work that sums to the size in the reals may miss it
/// in doubles, which would cost the job a slot and others their machines.
#include "experiments/simulators/redundancy/copies_in_slots.hpp"

#include <algorithm>
#include <cmath>

#include "model/core/errors.hpp"

namespace schedproof::simulation {

namespace {

using redundancy::Allocation;
using redundancy::AnyPolicy;
using redundancy::Band;
using redundancy::Order;

struct Ranked {
    double remaining;  // at the last checkpoint
    std::uint32_t job;
    std::uint32_t record;
};

bool by_remaining(const Ranked& a, const Ranked& b) {
    return a.remaining < b.remaining || (a.remaining == b.remaining && a.job < b.job);
}

/// What an active job keeps beyond a checkpoint.
struct Record {
    Machines on;
    bool done = false;
};

/// Remaining work below this part of a job's size counts as rounding: jobs that end together must leave together.
constexpr double rounding = 1e-12;

/// A job that is served until the next decision.
struct Served {
    double remaining;
    double enough;              // work that makes it done, but for rounding
    double best;                // of its copies, since the checkpoint
    std::uint32_t first, last;  // copies
    std::uint32_t rank;
};

class CopiesInSlots {
  public:
    CopiesInSlots(const AnyPolicy& policy, MachineWork& machines, const SlottedSetting& setting)
        : policy_(policy),
          order_(policy.order),
          machines_(machines),
          setting_(setting),
          placement_(machines.machines(), statistics::Stream(setting.replication, "placement")),
          work_(machines.machines()) {
        run_.flowtime.resize(setting.jobs.size());
    }

    Run run() {
        std::uint64_t slot = 0;
        const auto& jobs = setting_.jobs;
        while (next_ < jobs.size() || !active_.empty()) {
            if (active_.size() == departed_ && next_ < jobs.size())
                slot = std::max(slot, slot_of(jobs[next_].arrival.value()));
            const std::size_t first = next_;
            while (next_ < jobs.size() && jobs[next_].arrival.value() <= static_cast<double>(slot)) ++next_;
            if (departed_ > 0 || next_ > first) decide(slot, first);
            if (active_.empty()) continue;
            if (slot >= setting_.max_slots) fail();
            machines_.in_slot(slot, work_);
            if (setting_.watcher != nullptr) setting_.watcher->worked(slot, work_);
            work(slot);
            ++slot;
        }
        finish();
        return std::move(run_);
    }

  private:
    [[noreturn]] void fail() const {
        throw LimitExceeded("slots",
                            "jobs arrive or are not done after " + std::to_string(setting_.max_slots) + " slots");
    }
    [[nodiscard]] std::uint64_t slot_of(double time) const {
        if (!(time < static_cast<double>(setting_.max_slots))) fail();
        return static_cast<std::uint64_t>(std::ceil(time));
    }

    /// Step 1. Jobs `first` up to next_ arrive.
    void decide(std::uint64_t slot, std::size_t first) {
        for (const Served& served : served_) active_[served.rank].remaining = served.remaining - served.best;
        const std::size_t sorted_from = remove_done();
        const std::size_t old = active_.size();
        for (std::size_t job = first; job < next_; ++job) {
            active_.push_back({setting_.jobs[job].size.value(), static_cast<std::uint32_t>(job), new_record()});
            ++run_.events;
        }
        if (order_ == Order::remaining) rank_by_remaining(sorted_from, old);
        serve();
        if (setting_.watcher != nullptr) show(slot);
    }

    /// Removes jobs that are done; number of those left among the ranks that were served.
    std::size_t remove_done() {
        std::size_t kept = 0, changed = 0;
        for (std::size_t rank = 0; rank < active_.size(); ++rank) {
            const Ranked job = active_[rank];
            if (records_[job.record].done) {
                free_records_.push_back(job.record);
                continue;
            }
            active_[kept++] = job;
            if (rank < served_until_) changed = kept;
        }
        active_.resize(kept);
        departed_ = 0;
        return changed;
    }

    std::uint32_t new_record() {
        if (free_records_.empty()) {
            records_.emplace_back();
            return static_cast<std::uint32_t>(records_.size() - 1);
        }
        const std::uint32_t record = free_records_.back();
        free_records_.pop_back();
        records_[record].on.clear();
        records_[record].done = false;
        return record;
    }

    /// Ranks up to `changed` were served, those up to `old` waited and are in order, the rest are new.
    void rank_by_remaining(std::size_t changed, std::size_t old) {
        const auto at = [this](std::size_t rank) { return active_.begin() + static_cast<std::ptrdiff_t>(rank); };
        std::sort(active_.begin(), at(changed), by_remaining);
        std::sort(at(old), active_.end(), by_remaining);
        std::inplace_merge(active_.begin(), at(changed), at(old), by_remaining);
        std::inplace_merge(active_.begin(), at(old), active_.end(), by_remaining);
    }

    void serve() {
        served_.clear();
        claims_.clear();
        served_until_ = 0;
        if (active_.empty()) return;
        const std::size_t n = active_.size(), machines = machines_.machines();
        const Allocation allocation = ask_allocate(policy_, n, machines);
        ways_ = allocation.empty() ? 1 : allocation.front().grant.ways;
        std::size_t rank = 0;
        for (const Band& band : allocation) {
            require(band.grant.ways == ways_, "machines are divided into as many ways for all jobs");
            for (; rank < band.first; ++rank) records_[active_[rank].record].on.clear();
            for (; rank < band.last; ++rank) claims_.push_back({&records_[active_[rank].record].on, band.grant.copies});
        }
        served_until_ = rank;
        for (; rank < n; ++rank) records_[active_[rank].record].on.clear();
        placement_.place(claims_, ways_);
        lay_out(allocation);
    }

    /// Copies side by side, in the order in which slots go through them.
    void lay_out(const Allocation& allocation) {
        copies_.clear();
        for (const Band& band : allocation)
            for (std::size_t rank = band.first; rank < band.last; ++rank) {
                const auto first = static_cast<std::uint32_t>(copies_.size());
                for (const std::uint32_t machine : records_[active_[rank].record].on) copies_.push_back({machine, 0});
                const double remaining = active_[rank].remaining;
                served_.push_back({remaining, remaining - rounding * setting_.jobs[active_[rank].job].size.value(), 0,
                                   first, static_cast<std::uint32_t>(copies_.size()),
                                   static_cast<std::uint32_t>(rank)});
            }
    }

    /// Steps 2 and 3.
    void work(std::uint64_t slot) {
        const double pace = setting_.speed / static_cast<double>(ways_);
        for (Served& served : served_) {
            double best = 0;
            for (std::uint32_t c = served.first; c < served.last; ++c)
                best = std::max(best, copies_[c].progress += work_[copies_[c].machine]);
            served.best = pace * best;
            if (served.best >= served.enough) complete(served, slot + 1);
        }
        integral_ += static_cast<double>(active_.size());
    }

    void complete(const Served& served, std::uint64_t at) {
        const Ranked& job = active_[served.rank];
        records_[job.record].done = true;
        run_.flowtime[job.job] = static_cast<double>(at) - setting_.jobs[job.job].arrival.value();
        last_ = static_cast<double>(at);
        ++departed_;
        ++run_.events;
        if (++done_ % 1024 == 0 && setting_.progress) setting_.progress(done_);
    }

    void show(std::uint64_t slot) {
        std::vector<Placed> shown;
        for (const Ranked& job : active_) {
            const Machines& on = records_[job.record].on;
            shown.push_back({job.job, job.remaining, ways_, {on.data(), on.size()}});
        }
        setting_.watcher->decided(slot, shown);
    }

    void finish() {
        if (setting_.jobs.empty()) return;
        const double first = std::ceil(setting_.jobs.front().arrival.value());
        run_.active = integral_ / (last_ - first);
    }

    struct Copy {
        std::uint32_t machine;
        double progress;  // since the last checkpoint
    };

    const AnyPolicy& policy_;
    Order order_;
    MachineWork& machines_;
    const SlottedSetting& setting_;
    Placement placement_;
    std::vector<double> work_;
    std::vector<Ranked> active_;  // by rank
    std::vector<Record> records_;
    std::vector<std::uint32_t> free_records_;
    std::vector<Placement::Claim> claims_;
    std::vector<Served> served_;
    std::vector<Copy> copies_;
    std::size_t ways_ = 1;
    std::size_t served_until_ = 0;  // no later rank is served
    std::size_t next_ = 0;          // job to arrive
    std::size_t departed_ = 0;      // done, and still active
    std::size_t done_ = 0;
    double integral_ = 0, last_ = 0;
    Run run_;
};

}  // namespace

Run run_in_slots(const AnyPolicy& policy, MachineWork& machines, const SlottedSetting& setting) {
    require(machines.machines() > 0, "a cluster without machines");
    return CopiesInSlots(policy, machines, setting).run();
}

}  // namespace schedproof::simulation
