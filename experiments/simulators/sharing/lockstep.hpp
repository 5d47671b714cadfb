/// The simulator's indexes beside a scan: the same events on both, and whether a policy decides the same.
///
/// Every question of every view has one meaning, that of model/sharing/scanning_view.hpp. Here random events happen to
/// a state that is scanned and to the simulator's indexes, and the policy is asked on both. With `compare` every answer
/// of every source is compared as well, asked or not.
/// Long: events and comparisons share both states.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/simulators/sharing/task_pool.hpp"
#include "experiments/simulators/sharing/task_queues.hpp"
#include "experiments/simulators/sharing/task_slots.hpp"
#include "model/sharing/trajectory.hpp"
#include "policies/sharing/registry.hpp"

namespace schedproof::simulation {

/// A number from the first to before the second: who draws it is the caller's business.
using Choose = std::function<int(int, int)>;

/// Up to 4 nodes of up to 3 slots, up to 5 jobs of up to 8 tasks.
[[nodiscard]] sharing::Setting lockstep_setting(const Choose& choose);

/// Keeps references to the setting and the choice.
template <sharing::SharingPolicy P>
class Lockstep {
    using Store = std::conditional_t<sharing::RoutingPolicy<P>, TaskQueues, TaskPool>;
    using NodeId = sharing::NodeId;
    using SlotId = sharing::SlotId;

  public:
    Lockstep(const sharing::Setting& setting, const P& policy, const Choose& choose)
        : setting_(setting),
          policy_(policy),
          choose_(choose),
          scanned_(initial_state(setting)),
          store_(make_store(setting)),
          slots_(setting.cluster) {}

    /// The first difference so far; empty when there is none.
    [[nodiscard]] const std::string& difference() const { return difference_; }

    /// A submission, a completion, a moment of waiting or an offer.
    void random_event() {
        const auto slot = [&] { return SlotId(static_cast<std::size_t>(choose_(0, static_cast<int>(slots_.size())))); };
        switch (choose_(0, 6)) {
            case 0:
            case 1:
                return submit_next();
            case 2:
                return complete(slot());
            case 3:
                scanned_.now += choose_(0, 3);
                return;
            default:
                return offer(slot());
        }
    }
    /// Asks both sources everything.
    void compare() {
        auto indexed = store_.view(slots_, scanned_.now);
        const sharing::ScanningView scan(setting_, scanned_);
        if constexpr (sharing::RoutingPolicy<P>)
            compare_queues(indexed, scan);
        else
            compare_pool(indexed, scan);
        for (const SlotId s : IdRange<SlotId>(slots_.size())) {
            expect(slots_[s].busy == scanned_.slots[s.index()].busy, "which slots are busy");
            expect(slots_[s].since == scanned_.slots[s.index()].since, "since when slots are what they are");
        }
    }

  private:
    static constexpr sharing::Ticks time = 7;  // of every task

    [[nodiscard]] static Store make_store(const sharing::Setting& setting) {
        if constexpr (sharing::RoutingPolicy<P>)
            return Store(setting.cluster);
        else
            return Store(
                setting.cluster,
                [&](const JobRecord& job) {
                    return Probes{0, setting.jobs[job.number - 1].probes};
                },
                true);
    }

    void expect(bool same, const char* what) {
        if (!same && difference_.empty()) difference_ = what;
    }
    void submit_next() {
        if (id_.size() == setting_.jobs.size()) return;
        const sharing::Job& job = setting_.jobs[id_.size()];
        scanned_.now = std::max(scanned_.now, job.submit);
        const JobId j(id_.size());
        scanned_ = submit(setting_, std::move(scanned_), policy_, j, of_scanned_);
        id_.push_back(
            store_.submit(job, std::span(&time, 1), policy_, [&](std::size_t n) { return of_indexed_.uniform(n); }));
        expect(number(id_.back()) == j, "the number of a job");
        reclaim();
    }
    void complete(SlotId s) {
        if (!slots_[s].busy) return;
        scanned_ = sharing::complete(std::move(scanned_), s);
        const Slot was = slots_[s];
        slots_.release(s, scanned_.now, store_.jobs()[was.job].number);
        if (store_.finish(was.job, was.task, setting_.cluster.node_of(s))) store_.close(was.job);
        reclaim();
    }
    void offer(SlotId s) {
        if (slots_[s].busy) return;
        static_cast<void>(take(s));
        reclaim();
    }
    /// Whether the policy takes the slot.
    [[nodiscard]] bool take(SlotId s) {
        const NodeId n = setting_.cluster.node_of(s);
        sharing::Offered after = sharing::offer(setting_, std::move(scanned_), policy_, s);
        scanned_ = std::move(after.next);
        auto view = store_.view(slots_, scanned_.now, s);
        const std::optional<sharing::JobLaunch> launch = sharing::ask_offer(policy_, view, n);
        expect(launch.has_value() == after.started.has_value(), "whether the policy takes a slot");
        if (!launch || !difference_.empty()) return false;
        expect(number(launch->job) == after.started->job, "the job that the policy launches");
        expect(launch->level == after.started->level, "the level at which the policy launches");
        const auto launched = store_.launch(*launch, n);
        expect(launched.time == time, "how long the task takes");
        expect(sharing::RoutingPolicy<P> || launched.task == after.started->task, "the task that is launched");
        slots_.occupy(s, {true, launch->level, launched.task, launch->job, scanned_.now, scanned_.now + 1, 1, 0});
        return true;
    }
    void reclaim() {
        if constexpr (sharing::ReclaimingPolicy<P>) {
            for (std::size_t kills = 0; difference_.empty(); ++kills) {
                const auto poorer = sharing::ask_reclaim(policy_, sharing::ScanningView(setting_, scanned_));
                expect(number(sharing::ask_reclaim(policy_, store_.view(slots_, scanned_.now))) == poorer,
                       "whom it kills");
                if (!poorer || !difference_.empty()) return;
                require(kills < slots_.size(), sharing::kills_without_end);
                const SlotId s = launched_last(scanned_, *poorer);
                expect(slots_.launched_last(id_[poorer->index()]) == s, "the slot of the killed task");
                scanned_ = sharing::complete(std::move(scanned_), s, sharing::Stage::unlaunched);
                const Slot was = slots_[s];
                slots_.release(s, scanned_.now, store_.jobs()[was.job].number);
                store_.put_back(was.job, was.task);
                compare();
                require(take(s) || !difference_.empty(), "a slot that was taken back is used");
            }
        }
    }
    [[nodiscard]] JobId number(JobId j) const { return JobId(store_.jobs()[j].number - 1); }
    [[nodiscard]] std::optional<JobId> number(std::optional<JobId> j) const {
        return j ? std::optional(number(*j)) : std::nullopt;
    }
    [[nodiscard]] std::vector<JobId> list(const auto& range) const {
        std::vector<JobId> all;
        for (const JobId j : range) all.push_back(number(j));
        return all;
    }
    void compare_pool(const auto& indexed, const sharing::ScanningView& scan) {
        const IdRange<NodeId> nodes(setting_.cluster.nodes());
        for (const sharing::Order order : {sharing::Order::fair, sharing::Order::fifo}) {
            expect(list(indexed.jobs(order)) == scan.jobs(order), "the ready jobs in their order");
            for (const NodeId n : nodes)
                expect(number(indexed.first_local(order, n)) == scan.first_local(order, n), "the first local job");
        }
        for (const JobId j : scan.jobs(sharing::Order::fair)) {
            const JobId id = id_[j.index()];
            expect(indexed.skips(id) == scan.skips(j), "a skip count");
            expect(indexed.running(id) == scan.running(j), "a job's running tasks");
            expect(indexed.unlaunched(id) == scan.unlaunched(j), "a job's unlaunched tasks");
            expect(indexed.since_submitted(id) == scan.since_submitted(j), "how long a job is there");
            for (const NodeId n : nodes) {
                expect(indexed.nearest(id, n) == scan.nearest(j, n), "the nearest task");
                expect(indexed.reserved(id, n) == scan.reserved(j, n), "the reservations that are left");
            }
        }
        expect(indexed.free_slots() == scan.free_slots(), "the free slots");
        expect(number(indexed.most_running()) == scan.most_running(), "the job with the most running tasks");
        expect(store_.jobs().present() == 0 || indexed.fair_share() == scan.fair_share(), "the fair share");
        for (const NodeId n : nodes) {
            expect(indexed.remote_tasks(n) == scan.remote_tasks(n), "a node's remote tasks");
            expect(scan.remote_tasks(n) == 0 || indexed.remote_time(n) == scan.remote_time(n), "a remote task's time");
        }
    }
    void compare_queues(const auto& indexed, const sharing::ScanningView& scan) {
        for (const QueueId q : IdRange<QueueId>(setting_.cluster.nodes() + 1)) {
            expect(store_.length(q) == scan.length(q), "a queue's length");
            expect(indexed.weight(q) == scan.weight(q), "a queue's weight");
            expect(indexed.level(q) == scan.level(q), "a queue's level");
            expect(number(indexed.fewest_running(q)) == scan.fewest_running(q), "the job to serve in a queue");
        }
        for (const sharing::Job& job : setting_.jobs)
            for (const sharing::Replicas& data : job.tasks) {
                expect(indexed.shortest(indexed.own_and_common(data)) == scan.shortest(scan.own_and_common(data)),
                       "the shortest of own and common queues");
                expect(indexed.shortest(indexed.own(data)) == scan.shortest(scan.own(data)), "the shortest own queue");
            }
    }

    const sharing::Setting& setting_;
    P policy_;
    const Choose& choose_;
    sharing::State scanned_;
    Store store_;
    Slots slots_;
    std::vector<JobId> id_;  // in the table, by job
    Sampler of_scanned_{StreamKey{}}, of_indexed_{StreamKey{}};
    std::string difference_;
};

/// Why the simulator refuses the policy: what its indexes and a scan differ in on random trajectories, or a contract
/// that the policy breaks there; empty when it does not.
[[nodiscard]] std::string lockstep_refusal(const sharing::AnyPolicy& policy);

}  // namespace schedproof::simulation
