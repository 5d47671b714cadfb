/// What each sharing policy does in the situations that the papers describe, on the reference view, exactly.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/core/errors.hpp"
#include "model/sharing/trajectory.hpp"
#include "policies/sharing/delay.hpp"
#include "policies/sharing/delay_rack.hpp"
#include "policies/sharing/delay_time.hpp"
#include "policies/sharing/dyndlon_offers.hpp"
#include "policies/sharing/fair_kill.hpp"
#include "policies/sharing/hadoop_fifo.hpp"
#include "policies/sharing/jsq_maxweight_subqueues.hpp"
#include "policies/sharing/quincy.hpp"
#include "policies/sharing/registry.hpp"
#include "policies/sharing/sparrow.hpp"

namespace schedproof::sharing {
namespace {

Replicas on(std::initializer_list<std::size_t> nodes) {
    Replicas data;
    for (const std::size_t n : nodes) data.emplace_back(n);
    return data;
}

/// A cluster with its jobs submitted at 0, and offers one after another.
template <class P>
class Scene {
  public:
    Scene(Setting setting, P policy) : setting_(std::move(setting)), policy_(policy), state_(initial_state(setting_)) {
        setting_.validate();
    }
    Scene& submit(std::size_t job) {
        state_ = sharing::submit(setting_, std::move(state_), policy_, JobId(job), randomness_);
        return *this;
    }
    Scene& submit_all() {
        for (std::size_t j = 0; j < setting_.jobs.size(); ++j) submit(j);
        return *this;
    }
    std::optional<Started> offer(std::size_t slot) {
        Offered after = sharing::offer(setting_, std::move(state_), policy_, SlotId(slot));
        state_ = std::move(after.next);
        return after.started;
    }
    void complete(std::size_t slot) { state_ = sharing::complete(std::move(state_), SlotId(slot)); }
    void wait(Ticks ticks) { state_.now += ticks; }
    std::vector<Started> reclaim() {
        auto [next, started] = sharing::reclaim(setting_, std::move(state_), policy_);
        state_ = std::move(next);
        return started;
    }
    [[nodiscard]] std::int64_t skips(std::size_t job) const { return state_.jobs[job].skips; }
    [[nodiscard]] const State& state() const { return state_; }

  private:
    Setting setting_;
    P policy_;
    State state_;
    Sampler randomness_{StreamKey{}};
};

std::optional<Started> started(std::size_t slot, std::size_t job, std::uint32_t task, Locality level) {
    return Started{SlotId(slot), JobId(job), task, level};
}

/// Four nodes of a slot each, in racks {0, 1} and {2, 3}.
Cluster two_racks() {
    Cluster cluster = Cluster::one_rack(4, 1);
    cluster.rack = {RackId(0), RackId(0), RackId(1), RackId(1)};
    return cluster;
}

TEST(Sparrow, UsesUpReservationsAtTheNodesThatItDrew) {
    // The second job is urgent and has reservations at node 3 alone.
    Scene scene({two_racks(),
                 {{0, 2, {on({3}), on({1}), on({0})}, {NodeId(0), NodeId(0), NodeId(1)}},
                  {0, 0, {on({3})}, {NodeId(3)}},
                  {0, 2, {on({0})}, {NodeId(0), NodeId(3)}}}},
                Sparrow{});
    scene.submit_all();
    EXPECT_EQ(scene.offer(0), started(0, 0, 2, Locality::local));
    scene.complete(0);
    EXPECT_EQ(scene.state().jobs[0].reserved, (std::vector<NodeId>{NodeId(0), NodeId(1)}));
    EXPECT_EQ(scene.offer(0), started(0, 0, 1, Locality::rack_local));
    scene.complete(0);
    EXPECT_EQ(scene.offer(0), started(0, 2, 0, Locality::local)) << "the first job has none left at the node";
    EXPECT_EQ(scene.offer(2), std::nullopt) << "nobody has a reservation there";
    EXPECT_EQ(scene.offer(3), started(3, 1, 0, Locality::local));
    scene.complete(3);
    EXPECT_EQ(scene.offer(3), std::nullopt) << "all tasks of those who have one run";
}

TEST(Quincy, LaunchesWhereTheWaitPaysForTheTransfer) {
    // Data at node 3, at node 1, and at node 0; the last job comes at 4.
    Scene scene({two_racks(), {{0, 2, {on({3})}}, {0, 2, {on({1})}}, {4, 2, {on({0})}}}}, Quincy{3});
    scene.submit(0).submit(1);
    EXPECT_EQ(scene.offer(0), std::nullopt);
    scene.wait(4);
    scene.submit(2);
    EXPECT_EQ(scene.offer(0), started(0, 1, 0, Locality::rack_local)) << "4 - 3 is above 0";
    scene.complete(0);
    EXPECT_EQ(scene.offer(0), started(0, 2, 0, Locality::local)) << "4 - 6 is not";
    scene.complete(0);
    EXPECT_EQ(scene.offer(0), std::nullopt);
    scene.wait(2);
    EXPECT_EQ(scene.offer(0), started(0, 0, 0, Locality::remote));
}

TEST(HadoopFifo, TakesJobsByPriorityThenSubmissionAndTheirNearestTask) {
    Scene scene({two_racks(), {{0, 2, {on({3}), on({1}), on({0})}}, {0, 0, {on({3})}}, {0, 2, {on({0})}}}},
                HadoopFifo{});
    scene.submit_all();
    EXPECT_EQ(scene.offer(0), started(0, 1, 0, Locality::remote));
    EXPECT_EQ(scene.offer(1), started(1, 0, 1, Locality::local));
    scene.complete(1);
    EXPECT_EQ(scene.offer(1), started(1, 0, 2, Locality::rack_local));
    EXPECT_EQ(scene.offer(2), started(2, 0, 0, Locality::rack_local));
}

TEST(NaiveFair, AsksTheJobWithTheFewestRunningTasksAndLaunchesOneTaskForASlot) {
    Scene scene({Cluster::one_rack(3, 1), {{0, 2, {on({0}), on({0})}}, {0, 2, {on({1}), on({1})}}}}, NaiveFair{});
    scene.submit_all();
    EXPECT_EQ(scene.offer(1), started(1, 0, 0, Locality::remote));
    EXPECT_EQ(scene.offer(0), started(0, 1, 0, Locality::remote));
    EXPECT_EQ(scene.offer(2), started(2, 0, 1, Locality::remote));
    scene.complete(1);
    EXPECT_EQ(scene.offer(1), started(1, 1, 1, Locality::local));
}

TEST(NaiveFair, IsFifoForJobsOfOneTask) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Sampler random({seed, 0, 0});
        Setting setting{Cluster::one_rack(3, 1 + random.uniform(2)), {}};
        for (int j = 0; j < 6; ++j) setting.jobs.push_back({0, normal_priority, {on({random.uniform(3)})}});
        Scene fair(setting, NaiveFair{});
        Scene fifo(setting, HadoopFifo{});
        for (std::size_t j = 0; j < 6; ++j) {
            fair.submit(j);
            fifo.submit(j);
            const std::size_t slot = random.uniform(setting.cluster.all_slots());
            if (fair.state().slots[slot].busy) {
                fair.complete(slot);
                fifo.complete(slot);
            }
            fair.offer(slot);
            fifo.offer(slot);
            ASSERT_EQ(fair.state(), fifo.state()) << seed;
        }
    }
}

TEST(Delay, PassesAJobOverUntilItsSkipsAreUsedUpAndForgetsThemAtALocalLaunch) {
    Scene scene({Cluster::one_rack(2, 1), {{0, 2, {on({0}), on({0}), on({0}), on({0}), on({0})}}}}, Delay{2});
    scene.submit_all();
    EXPECT_EQ(scene.offer(1), std::nullopt);
    EXPECT_EQ(scene.offer(1), std::nullopt);
    EXPECT_EQ(scene.skips(0), 2);
    EXPECT_EQ(scene.offer(1), started(1, 0, 0, Locality::remote)) << "the third opportunity is not passed over";
    EXPECT_EQ(scene.skips(0), 2) << "a launch elsewhere leaves the count";
    scene.complete(1);
    EXPECT_EQ(scene.offer(1), started(1, 0, 1, Locality::remote)) << "arbitrarily many without another wait";
    EXPECT_EQ(scene.offer(0), started(0, 0, 2, Locality::local));
    EXPECT_EQ(scene.skips(0), 0);
    scene.complete(1);
    EXPECT_EQ(scene.offer(1), std::nullopt);
}

TEST(Delay, CountsNothingForJobsBehindALaunchOrWithoutUnlaunchedTasks) {
    Scene scene({Cluster::one_rack(3, 1), {{0, 2, {on({2})}}, {0, 2, {on({0})}}, {0, 2, {on({2})}}}}, Delay{5});
    scene.submit_all();
    EXPECT_EQ(scene.offer(0), started(0, 1, 0, Locality::local));
    EXPECT_EQ(scene.skips(0), 1);
    EXPECT_EQ(scene.skips(2), 0) << "nobody asked it";
    EXPECT_EQ(scene.offer(1), std::nullopt);
    EXPECT_EQ(scene.skips(0), 2);
    EXPECT_EQ(scene.skips(1), 0) << "it has launched all";
    EXPECT_EQ(scene.skips(2), 1);
}

TEST(Delay, WithoutSkipsIsNaiveFair) {
    Setting setting{two_racks(), {{0, 2, {on({0}), on({2})}}, {0, 2, {on({3}), on({1})}}}};
    Scene delay(setting, Delay{0});
    Scene fair(setting, NaiveFair{});
    delay.submit_all();
    fair.submit_all();
    for (const std::size_t slot : {3U, 0U, 1U, 2U}) EXPECT_EQ(delay.offer(slot), fair.offer(slot));
}

TEST(Delay, FindsALocalNodeWithTheStatedProbability) {
    // One task with data on 1 of 10 nodes; every offer is on a uniform node. It is local unless the first D + 1 offers
    // all miss: the last of them is taken as it comes.
    const Setting setting{Cluster::one_rack(10, 1), {{0, 2, {on({4})}}}};
    const auto law = enumerate([&](auto& randomness) {
        State state = submit(setting, initial_state(setting), Delay{2}, JobId(0), randomness);
        while (true) {
            Offered after = offer(setting, std::move(state), Delay{2}, SlotId(randomness.uniform(10)));
            if (after.started) return after.started->level;
            state = std::move(after.next);
        }
    });
    EXPECT_EQ(law.probability(Locality::local), Rational(1) - Rational(Integer(9 * 9 * 9), Integer(1000)));
}

TEST(DelayRack, WaitsForALocalTaskThenForARackLocalOne) {
    const Setting setting{two_racks(), {{0, 2, {on({0}), on({0}), on({0}), on({0}), on({0}), on({0})}}}};
    Scene scene(setting, DelayRack{1, {2}, AfterRackLocal::second_wait});
    scene.submit_all();
    EXPECT_EQ(scene.offer(1), std::nullopt);
    EXPECT_EQ(scene.offer(1), started(1, 0, 0, Locality::rack_local));
    EXPECT_EQ(scene.skips(0), 1) << "the second wait starts again";
    EXPECT_EQ(scene.offer(2), std::nullopt);
    EXPECT_EQ(scene.offer(2), std::nullopt);
    EXPECT_EQ(scene.skips(0), 3);
    EXPECT_EQ(scene.offer(2), started(2, 0, 1, Locality::remote));
    EXPECT_EQ(scene.skips(0), 3) << "a remote launch leaves the count";
    EXPECT_EQ(scene.offer(0), started(0, 0, 2, Locality::local));
    EXPECT_EQ(scene.skips(0), 0);
}

TEST(DelayRack, KeepsItsCountOrStaysOnTheRackWhereAskedTo) {
    const Setting setting{two_racks(), {{0, 2, {on({0}), on({0}), on({0})}}}};
    Scene keep(setting, DelayRack{1, {1}, AfterRackLocal::keep});
    keep.submit_all();
    EXPECT_EQ(keep.offer(2), std::nullopt);
    EXPECT_EQ(keep.offer(3), std::nullopt);
    EXPECT_EQ(keep.offer(1), started(1, 0, 0, Locality::rack_local));
    EXPECT_EQ(keep.skips(0), 2);
    EXPECT_EQ(keep.offer(2), started(2, 0, 1, Locality::remote));

    Scene on_rack(setting, DelayRack{1, std::nullopt});
    on_rack.submit_all();
    for (int i = 0; i < 20; ++i) EXPECT_EQ(on_rack.offer(2), std::nullopt);
    EXPECT_EQ(on_rack.offer(1), started(1, 0, 0, Locality::rack_local));
}

TEST(FairKill, TakesTheLatestTaskOfTheLargestJobWhenFreeSlotsAreTooFew) {
    Scene scene(
        {Cluster::one_rack(4, 1), {{0, 2, {on({0}), on({1}), on({2}), on({3})}}, {0, 2, {on({0}), on({1}), on({2})}}}},
        FairKill{});
    scene.submit(0);
    for (std::size_t slot = 0; slot < 3; ++slot) {
        scene.offer(slot);
        scene.wait(1);
    }
    scene.submit(1);
    EXPECT_EQ(scene.reclaim(), std::vector<Started>({*started(2, 1, 2, Locality::local)}))
        << "it is due 2 slots, and one is free";
    EXPECT_EQ(scene.state().jobs[0].tasks[2], Stage::unlaunched) << "its work is lost";
    EXPECT_TRUE(scene.reclaim().empty()) << "it is due one more, which is free";
    EXPECT_EQ(scene.offer(3), started(3, 1, 0, Locality::remote));
    EXPECT_TRUE(scene.reclaim().empty()) << "both have their share of 2";
}

TEST(FairKill, KillsForNoMoreThanJobsBelowTheirShareCanLaunch) {
    const Replicas all = on({0, 1, 2, 3, 4, 5});
    const auto kills = [&](std::size_t free, const std::vector<std::size_t>& newcomers) {
        Setting setting{Cluster::one_rack(6, 1), {{0, 2, std::vector<Replicas>(6, all)}}};
        for (const std::size_t tasks : newcomers) setting.jobs.push_back({0, 2, std::vector<Replicas>(tasks, all)});
        Scene scene(setting, FairKill{});
        scene.submit(0);
        for (std::size_t slot = free; slot < 6; ++slot) scene.offer(slot);
        for (std::size_t j = 1; j < setting.jobs.size(); ++j) scene.submit(j);
        return scene.reclaim().size();
    };
    EXPECT_EQ(kills(0, {1}), 1U);
    EXPECT_EQ(kills(1, {1}), 0U) << "its only task has a slot";
    EXPECT_EQ(kills(1, {6}), 2U) << "a share of 3, one of it free";
    EXPECT_EQ(kills(1, {1, 6}), 2U) << "shares of 2, of which the first newcomer uses one: 3 due, one free";
    EXPECT_EQ(kills(3, {1, 6}), 0U);
}

TEST(JsqMaxWeightSubqueues, JoinsTheShortestServesByWeightAndWastesASlotOnAQueueThatRuns) {
    Cluster cluster = Cluster::one_rack(2, 2);
    cluster.rate = {4, 1, 1};
    Setting setting{cluster, {{0, 2, {on({0}), on({0}), on({0}), on({0})}}, {0, 2, {on({0})}}}};
    const auto law = enumerate([&](auto& randomness) {
        return submit(setting, initial_state(setting), JsqMaxWeightSubqueues{}, JobId(0), randomness).jobs[0].queue;
    });
    EXPECT_EQ(law.size(), 4U) << "own and common alternate, after a fair coin each";
    Scene scene(setting, JsqMaxWeightSubqueues{});
    scene.submit(0);
    const auto& queue = scene.state().jobs[0].queue;
    EXPECT_EQ(std::count(queue.begin(), queue.end(), QueueId(0)), 2);
    EXPECT_EQ(scene.offer(0)->level, Locality::local) << "4 x 2 against 1 x 2";
    EXPECT_EQ(scene.offer(1)->level, Locality::local);
    scene.submit(1);
    EXPECT_EQ(scene.offer(2)->level, Locality::remote) << "nothing in node 1's own queue";
    scene.complete(0);
    if (scene.state().jobs[1].queue[0] == QueueId(0))
        EXPECT_EQ(scene.offer(0)->job, JobId(1)) << "the only one that waits there";
    else
        EXPECT_EQ(scene.offer(0), std::nullopt) << "4 x 1 against 1 x 3: its own queue, in which nothing waits";
}

TEST(DynDlOn, TakesAnyLocalTaskAndWaitsAsLongAsRemoteTasksTake) {
    Cluster cluster = Cluster::one_rack(3, 2);
    cluster.remote_time = {10, 20};
    Scene scene({cluster, {{0, 2, {on({0}), on({0}), on({0}), on({0})}}, {0, 2, {on({1})}}}}, DynDlOn{3});
    scene.submit_all();
    EXPECT_EQ(scene.offer(2), started(2, 1, 0, Locality::local)) << "the later job has data there";
    EXPECT_EQ(scene.offer(4), std::nullopt);
    scene.wait(3);
    EXPECT_EQ(scene.offer(4), started(4, 0, 0, Locality::remote));
    EXPECT_EQ(scene.offer(5), std::nullopt) << "while one runs the node is dearer";
    scene.wait(6);
    EXPECT_EQ(scene.offer(5), std::nullopt);
    scene.wait(1);
    EXPECT_EQ(scene.offer(5), started(5, 0, 1, Locality::remote)) << "free for 10";
    EXPECT_EQ(scene.offer(3), started(3, 0, 2, Locality::remote)) << "another node runs none";
    scene.complete(3);
    EXPECT_EQ(scene.offer(3), std::nullopt) << "a slot that has just become free waits again";
}

TEST(DelayTime, OfTheEmulationNeverRunsTwoRemoteTasksOnANode) {
    Scene scene({Cluster::one_rack(2, 3), {{0, 2, {on({0}), on({0}), on({0}), on({1})}}}},
                DelayTime{3, Order::fifo, true});
    scene.submit_all();
    scene.wait(3);
    EXPECT_EQ(scene.offer(3), started(3, 0, 3, Locality::local));
    EXPECT_EQ(scene.offer(4), started(4, 0, 0, Locality::remote));
    scene.wait(1000);
    EXPECT_EQ(scene.offer(5), std::nullopt) << "however long it waits";
    scene.complete(4);
    EXPECT_EQ(scene.offer(5), started(5, 0, 1, Locality::remote));
}

TEST(DelayTime, WaitsAsLongHoweverManyRemoteTasksRun) {
    Cluster cluster = Cluster::one_rack(2, 3);
    cluster.remote_time = {10, 20};
    Scene scene({cluster, {{0, 2, {on({0}), on({0}), on({0})}}, {2, 2, {on({1})}}}}, DelayTime{3});
    scene.submit(0);
    EXPECT_EQ(scene.offer(3), std::nullopt);
    scene.wait(2);
    scene.submit(1);
    EXPECT_EQ(scene.offer(3), started(3, 1, 0, Locality::local)) << "the later job has data there";
    scene.wait(1);
    EXPECT_EQ(scene.offer(4), started(4, 0, 0, Locality::remote));
    EXPECT_EQ(scene.offer(5), started(5, 0, 1, Locality::remote)) << "no dearer for the first";
    Scene both({cluster, {{0, 2, {on({0})}}, {0, 2, {on({1})}}}}, DelayTime{3});
    both.submit_all();
    both.wait(3);
    EXPECT_EQ(both.offer(3), started(3, 0, 0, Locality::remote)) << "before the later job is asked for a local one";
}

TEST(SharingRegistry, KnowsEveryPolicyByNameAndRefusesWhatItMust) {
    EXPECT_EQ(std::count_if(policies().begin(), policies().end(), [](const auto& p) { return !is_added(p.id); }), 12);
    for (const PolicyInfo& info : policies()) {
        EXPECT_EQ(resolve_policy(info.id), info.id);
        EXPECT_NO_THROW(static_cast<void>(make_policy(info.id, {})));
    }
    EXPECT_EQ(resolve_policy("dealy"), "");
    EXPECT_THROW(static_cast<void>(make_policy("dealy", {})), InputError);
    Parameters negative;
    negative.d = -1;
    EXPECT_THROW(static_cast<void>(make_policy("delay", negative)), InputError);
    EXPECT_NO_THROW(static_cast<void>(make_policy("naive-fair", negative))) << "which has no D";
    negative.d2 = -1;
    EXPECT_THROW(static_cast<void>(make_policy("delay-rack:keep", negative)), InputError);
    negative.w = -1;
    for (const char* waiting : {"dyndlon", "delay-time", "delay-time:one-remote"})
        EXPECT_THROW(static_cast<void>(make_policy(waiting, negative)), InputError);
}

TEST(SharingSetting, IsChecked) {
    const Cluster cluster = Cluster::one_rack(2, 1);
    EXPECT_THROW((Setting{Cluster::one_rack(2, 0), {}}.validate()), ContractViolation);
    EXPECT_THROW((Setting{cluster, {{0, 2, {}}}}.validate()), ContractViolation);
    EXPECT_THROW((Setting{cluster, {{0, 2, {on({2})}}}}.validate()), ContractViolation);
    EXPECT_THROW((Setting{cluster, {{0, 2, {on({0})}, {NodeId(2)}}}}.validate()), ContractViolation);
    EXPECT_THROW((Setting{cluster, {{0, 2, {on({0})}, {NodeId(1), NodeId(0)}}}}.validate()), ContractViolation);
    EXPECT_THROW((Setting{cluster, {{0, 5, {on({0})}}}}.validate()), ContractViolation);
    EXPECT_THROW((Setting{cluster, {{1, 2, {on({0})}}, {0, 2, {on({0})}}}}.validate()), ContractViolation);
}

}  // namespace
}  // namespace schedproof::sharing
