/// The simulator's indices answer what the plain scan answers: every question of every view, after every event, and so
/// every decision of every policy.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "experiments/simulators/sharing/task_pool.hpp"
#include "experiments/simulators/sharing/task_queues.hpp"
#include "experiments/simulators/sharing/task_slots.hpp"
#include "model/sharing/trajectory.hpp"
#include "policies/sharing/registry.hpp"

namespace schedproof::simulation {
namespace {

using namespace sharing;

int drawn(int from, int to) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(from, to)); }

Setting random_setting() {
    Setting setting;
    Cluster& cluster = setting.cluster;
    const int nodes = drawn(1, 4), racks = drawn(1, 4);
    for (int n = 0; n < nodes; ++n) cluster.rack.emplace_back(static_cast<std::size_t>(drawn(0, racks)));
    cluster.slots = static_cast<std::size_t>(drawn(1, 3));
    cluster.rate = {drawn(2, 5), 1, 1};
    cluster.remote_time = {drawn(1, 4), drawn(4, 7)};
    Ticks submit = 0;
    for (int j = drawn(1, 6); j > 0; --j) {
        Job job{submit += drawn(0, 3), static_cast<Priority>(drawn(0, 5)), {}};
        for (int t = drawn(1, 9); t > 0; --t) {
            Replicas data;
            for (int n = 0; n < nodes; ++n)
                if (drawn(0, 3) == 0) data.emplace_back(static_cast<std::size_t>(n));
            if (data.empty()) data.emplace_back(static_cast<std::size_t>(drawn(0, nodes)));
            job.tasks.push_back(data);
        }
        setting.jobs.push_back(job);
    }
    setting.validate();
    return setting;
}

/// The same events on a plain state and on indices. Ids of the table are used again; numbers are not.
template <class P>
class Lockstep {
    using Store = std::conditional_t<RoutingPolicy<P>, TaskQueues, TaskPool>;

  public:
    Lockstep(const Setting& setting, const P& policy)
        : setting_(setting),
          policy_(policy),
          reference_(initial_state(setting)),
          store_(setting.cluster),
          slots_(setting.cluster) {}

    void random_event() {
        switch (drawn(0, 6)) {
            case 0:
            case 1:
                return submit_next();
            case 2:
                return complete(static_cast<std::size_t>(drawn(0, static_cast<int>(slots_.size()))));
            case 3:
                reference_.now += drawn(0, 3);
                return;
            default:
                return offer(SlotId(static_cast<std::size_t>(drawn(0, static_cast<int>(slots_.size())))));
        }
    }
    void compare() {
        auto indexed = store_.view(slots_, reference_.now);
        const ScanningView plain(setting_, reference_);
        if constexpr (RoutingPolicy<P>)
            compare_queues(indexed, plain);
        else
            compare_pool(indexed, plain);
        for (const SlotId s : IdRange<SlotId>(slots_.size())) {
            RC_ASSERT(slots_[s].busy == reference_.slots[s.index()].busy);
            RC_ASSERT(slots_[s].since == reference_.slots[s.index()].since);
        }
    }

  private:
    void submit_next() {
        if (submitted_ == setting_.jobs.size()) return;
        Job job = setting_.jobs[submitted_];
        reference_.now = std::max(reference_.now, job.submit);
        const JobId j(submitted_++);
        reference_ = submit(setting_, std::move(reference_), policy_, j, reference_randomness_);
        const Ticks time = 7;
        id_.push_back(
            store_.submit(job, std::span(&time, 1), policy_, [&](std::size_t n) { return randomness_.uniform(n); }));
        RC_ASSERT(reference_id(id_.back()) == j);
        reclaim();
    }
    void complete(std::size_t slot) {
        const SlotId s(slot);
        if (!slots_[s].busy) return;
        reference_ = sharing::complete(std::move(reference_), s);
        const Slot was = slots_[s];
        slots_.release(s, reference_.now, store_.jobs()[was.job].number);
        if (store_.finish(was.job, was.task, setting_.cluster.node_of(s))) store_.close(was.job);
        reclaim();
    }
    void offer(SlotId s) {
        if (slots_[s].busy) return;
        const NodeId n = setting_.cluster.node_of(s);
        Offered after = sharing::offer(setting_, std::move(reference_), policy_, s);
        reference_ = std::move(after.next);
        auto view = store_.view(slots_, reference_.now, s);
        const std::optional<Launch> launch = policy_.offer(view, n);
        RC_ASSERT(launch.has_value() == after.started.has_value());
        if (!launch) return;
        RC_ASSERT(reference_id(launch->job) == after.started->job);
        RC_ASSERT(launch->level == after.started->level);
        const auto launched = store_.launch(*launch, n);
        RC_ASSERT(launched.time == 7);
        if (!RoutingPolicy<P>) RC_ASSERT(launched.task == after.started->task);
        slots_.occupy(s, {true, launch->level, launched.task, launch->job, reference_.now, reference_.now + 1, 1, 0});
        reclaim();
    }
    void reclaim() {
        if constexpr (ReclaimingPolicy<P>) {
            while (true) {
                const auto poorer = policy_.reclaim(ScanningView(setting_, reference_));
                RC_ASSERT(reference_id(policy_.reclaim(store_.view(slots_, reference_.now))) == poorer);
                if (!poorer) return;
                const SlotId s = launched_last(reference_, *poorer);
                RC_ASSERT(slots_.launched_last(id_[poorer->index()]) == s);
                reference_ = sharing::complete(std::move(reference_), s, Stage::unlaunched);
                const Slot was = slots_[s];
                slots_.release(s, reference_.now, store_.jobs()[was.job].number);
                store_.put_back(was.job, was.task);
                compare();
                offer(s);
            }
        }
    }
    [[nodiscard]] JobId reference_id(JobId j) const { return JobId(store_.jobs()[j].number - 1); }
    [[nodiscard]] std::optional<JobId> reference_id(std::optional<JobId> j) const {
        return j ? std::optional(reference_id(*j)) : std::nullopt;
    }
    [[nodiscard]] std::vector<JobId> list(const auto& range) const {
        std::vector<JobId> all;
        for (const JobId j : range) all.push_back(reference_id(j));
        return all;
    }
    void compare_pool(const auto& indexed, const ScanningView& plain) {
        for (const Order order : {Order::fair, Order::fifo}) {
            RC_ASSERT(list(indexed.jobs(order)) == plain.jobs(order));
            for (const NodeId n : IdRange<NodeId>(setting_.cluster.nodes()))
                RC_ASSERT(reference_id(indexed.first_local(order, n)) == plain.first_local(order, n));
        }
        for (const JobId j : plain.jobs(Order::fair)) {
            const JobId id = id_[j.index()];
            RC_ASSERT(indexed.skips(id) == plain.skips(j));
            RC_ASSERT(indexed.running(id) == plain.running(j));
            RC_ASSERT(indexed.unlaunched(id) == plain.unlaunched(j));
            for (const NodeId n : IdRange<NodeId>(setting_.cluster.nodes()))
                RC_ASSERT(indexed.nearest(id, n) == plain.nearest(j, n));
        }
        RC_ASSERT(indexed.free_slots() == plain.free_slots());
        RC_ASSERT(reference_id(indexed.most_running()) == plain.most_running());
        if (store_.jobs().present() > 0) RC_ASSERT(indexed.fair_share() == plain.fair_share());
        for (const NodeId n : IdRange<NodeId>(setting_.cluster.nodes())) {
            RC_ASSERT(indexed.remote_tasks(n) == plain.remote_tasks(n));
            if (plain.remote_tasks(n) > 0) RC_ASSERT(indexed.remote_time(n) == plain.remote_time(n));
        }
    }
    void compare_queues(const auto& indexed, const ScanningView& plain) {
        for (const QueueId q : IdRange<QueueId>(setting_.cluster.nodes() + 1)) {
            RC_ASSERT(store_.length(q) == plain.length(q));
            RC_ASSERT(indexed.weight(q) == plain.weight(q));
            RC_ASSERT(indexed.level(q) == plain.level(q));
            RC_ASSERT(reference_id(indexed.fewest_running(q)) == plain.fewest_running(q));
        }
        for (const Job& job : setting_.jobs)
            for (const Replicas& data : job.tasks)
                RC_ASSERT(indexed.shortest(indexed.own_and_common(data)) == plain.shortest(plain.own_and_common(data)));
    }

    const Setting& setting_;
    P policy_;
    State reference_;
    Store store_;
    Slots slots_;
    std::size_t submitted_ = 0;
    std::vector<JobId> id_;  // in the table, by job
    Sampler reference_randomness_{StreamKey{}}, randomness_{StreamKey{}};
};

void same_under(const PolicyInfo& info) {
    const bool held = rc::check(std::string(info.id), [&] {
        const Setting setting = random_setting();
        Parameters parameters;
        parameters.d = parameters.d1 = drawn(0, 4);
        if (drawn(0, 3) == 0) parameters.d2.reset();
        parameters.w = drawn(0, 4);
        parameters.order = drawn(0, 2) == 0 ? Order::fair : Order::fifo;
        std::visit(
            [&](const auto& policy) {
                Lockstep lockstep(setting, policy);
                const int unasked = drawn(0, 20);  // some indices are built when they are asked first
                for (int event = 0, events = drawn(1, 80); event < events; ++event) {
                    lockstep.random_event();
                    if (event >= unasked) lockstep.compare();
                }
            },
            make_policy(info.id, parameters));
    });
    EXPECT_TRUE(held) << info.id;
}

TEST(SharingViews, IndicesAnswerWhatTheScanAnswers) {
    for (const PolicyInfo& info : policies()) same_under(info);
}

}  // namespace
}  // namespace schedproof::simulation
