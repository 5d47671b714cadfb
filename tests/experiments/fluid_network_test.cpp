/// Links shared as fluids, by SimGrid: against cost functions where the two agree, against ends that were worked out by
/// hand, and against max-min fairness computed a second time. Without SimGrid at the build there is nothing to run.
#include "experiments/simulators/sharing/links/fluid_network.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiments/simulators/sharing/sharing_world.hpp"
#include "model/core/errors.hpp"

namespace schedproof::simulation {
namespace {

using sharing::NodeId;
using sharing::SlotId;
using sharing::Ticks;
using Recorder = SharingRecorder;

const std::string links_file = (std::filesystem::path(SCHEDPROOF_COMMAND).parent_path() / "schedproof-links").string();

class FluidNetworkTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(links_file)) GTEST_SKIP() << "SimGrid was not there at the build";
    }
};

/// Until every transfer has ended: the slots that end at each tick.
std::map<Ticks, std::vector<std::size_t>> ends(FluidLinks& links) {
    std::map<Ticks, std::vector<std::size_t>> all;
    while (links.next() != std::numeric_limits<Ticks>::max()) {
        const Ticks now = links.next();
        for (const SlotId s : links.take(now)) all[now].push_back(s.index());
    }
    return all;
}

TEST_F(FluidNetworkTest, TransfersShareTheLinksOfBothEnds) {
    const FluidNetwork network(links_file, 4, 10'000);
    const auto links = network.open();
    links->start(0, SlotId(0), NodeId(1), NodeId(0));
    EXPECT_EQ(links->next(), 10'000);
    links->start(3000, SlotId(1), NodeId(2), NodeId(0));  // both at half the rate
    EXPECT_EQ(links->next(), 17'000);
    links->start(4000, SlotId(2), NodeId(2), NodeId(3));  // shares what 2 sends
    EXPECT_EQ(links->take(17'000), std::vector{SlotId(0)});
    // Then 1 and 2 have 3000 and 3500 left and share still; from 23000 on the last one is alone.
    EXPECT_EQ(ends(*links), (std::map<Ticks, std::vector<std::size_t>>{{23'000, {1}}, {23'500, {2}}}));
}

TEST_F(FluidNetworkTest, TransfersThatEndTogetherAreAllTaken) {
    const FluidNetwork network(links_file, 4, 10'000);
    const auto links = network.open();
    links->start(0, SlotId(0), NodeId(1), NodeId(0));
    links->start(0, SlotId(1), NodeId(1), NodeId(0));
    links->start(15'000, SlotId(2), NodeId(2), NodeId(3));
    EXPECT_EQ(ends(*links), (std::map<Ticks, std::vector<std::size_t>>{{20'000, {0, 1}}, {25'000, {2}}}));
}

TEST_F(FluidNetworkTest, WhatIsCancelledLeavesItsLinks) {
    const FluidNetwork network(links_file, 3, 1000);
    const auto links = network.open();
    links->start(0, SlotId(7), NodeId(1), NodeId(0));
    links->start(0, SlotId(8), NodeId(2), NodeId(0));
    links->cancel(500, SlotId(7));
    EXPECT_EQ(ends(*links), (std::map<Ticks, std::vector<std::size_t>>{{1250, {8}}}));
    links->start(2000, SlotId(7), NodeId(1), NodeId(0));
    EXPECT_EQ(ends(*links), (std::map<Ticks, std::vector<std::size_t>>{{3000, {7}}}));
}

TEST_F(FluidNetworkTest, RunsKnowNothingOfEachOther) {
    const FluidNetwork network(links_file, 2, 100);
    const auto first = network.open(), second = network.open();
    first->start(40, SlotId(0), NodeId(0), NodeId(1));
    second->start(10, SlotId(0), NodeId(0), NodeId(1));
    EXPECT_EQ(first->next(), 140);
    EXPECT_EQ(second->next(), 110);
    network.open()->start(0, SlotId(3), NodeId(1), NodeId(0));  // ends while it reads
    const auto after = network.open();
    after->start(5, SlotId(0), NodeId(1), NodeId(0));
    EXPECT_EQ(after->next(), 105);
}

TEST_F(FluidNetworkTest, AProgramThatEndsIsAnError) {
    const FluidNetwork network("/bin/true", 2, 100);
    EXPECT_THROW(network.open()->start(0, SlotId(0), NodeId(0), NodeId(1)), Error);
    EXPECT_THROW((void)FluidNetwork("/nowhere", 2, 100).open(), Error);
}

/// Two jobs of two tasks each whose data is on node 0, and two slots on each of two nodes, as under cost functions in
/// SharingSimulator.RemoteTasksOfANodeShareItsLink.
SharingWorld two_remote_tasks(bool fluid) {
    SharingSettings s;
    s.at_once = 2;
    s.sizes = "2";
    s.nodes = 2;
    s.slots = 2;
    s.replicas = 1;
    s.data_nodes = 1;
    s.run_time = "constant:10";
    s.transfer = "3";
    s.heartbeat = "8";
    SharingWorld world = detail::world_of(s, nullptr);
    if (fluid) world.network = std::make_shared<const FluidNetwork>(links_file, world.cluster.nodes(), Ticks{3000});
    return world;
}

TEST_F(FluidNetworkTest, TwoTransfersThatShareALinkTakeTwiceAsLongInBothModels) {
    const auto fifo = sharing::make_policy("hadoop-fifo", sharing::usual_parameters("hadoop-fifo"));
    for (const bool fluid : {false, true}) {
        const Observation seen = run_sharing(two_remote_tasks(fluid), fifo, {1, 0}, {});
        double delays = 0, remote = 0;
        for (const Batch& b : seen.batches) {
            delays += b.tallies[Recorder::job_delay].sum;
            remote += b.tallies[Recorder::remote].sum;
        }
        EXPECT_DOUBLE_EQ(remote, 2);
        EXPECT_DOUBLE_EQ(delays, 10 + (4 + 2 * 3 + 10)) << (fluid ? "fluid" : "cost functions");
    }
}

TEST_F(FluidNetworkTest, TasksThatAreKilledWhileTheyReadAreDoneLater) {
    SharingSettings s;
    s.load = "3";
    s.sizes = "1..12";
    s.horizon = "400";
    s.nodes = 4;
    s.slots = 2;
    s.replicas = 1;
    s.run_time = "exponential:2";
    s.transfer = "4";
    s.heartbeat = "1";
    SharingWorld world = detail::world_of(s, nullptr);
    world.network = std::make_shared<const FluidNetwork>(links_file, world.cluster.nodes(), Ticks{4000});
    const auto kill = sharing::make_policy("fair-kill", sharing::usual_parameters("fair-kill"));
    double killed = 0, done = 0;
    for (const Batch& b : run_sharing(world, kill, {1, 0}, {}).batches) {
        killed += b.tallies[Recorder::killed].sum;
        done += b.tallies[Recorder::task_delay].weight;
    }
    EXPECT_GT(killed, 0);
    EXPECT_GT(done, 100);
}

struct Transfer {
    Ticks start;
    std::size_t from, to;
};

/// When each transfer ends under max-min fairness: rates rise together, and those of a link that is full stop.
std::vector<double> max_min_ends(const std::vector<Transfer>& transfers, std::size_t nodes, double size) {
    std::vector<double> left(transfers.size(), size), end(transfers.size(), -1);
    double now = 0;
    while (std::any_of(end.begin(), end.end(), [](double e) { return e < 0; })) {
        std::vector<double> room(2 * nodes, 1), rate(transfers.size(), 0);
        std::vector<std::size_t> rising;
        double step = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < transfers.size(); ++i) {
            if (end[i] >= 0) continue;
            if (static_cast<double>(transfers[i].start) <= now + 1e-9)
                rising.push_back(i);
            else
                step = std::min(step, static_cast<double>(transfers[i].start) - now);
        }
        const std::vector<std::size_t> running = rising;
        const auto links = [&](std::size_t i) { return std::array{transfers[i].from, nodes + transfers[i].to}; };
        while (!rising.empty()) {
            std::vector<double> users(2 * nodes, 0);
            for (const std::size_t i : rising)
                for (const std::size_t l : links(i)) ++users[l];
            double more = 1;
            for (std::size_t l = 0; l < users.size(); ++l)
                if (users[l] > 0) more = std::min(more, room[l] / users[l]);
            for (const std::size_t i : rising) {
                rate[i] += more;
                for (const std::size_t l : links(i)) room[l] -= more;
            }
            std::erase_if(rising, [&](std::size_t i) {
                const std::array ends = links(i);
                return std::any_of(ends.begin(), ends.end(), [&](std::size_t l) { return room[l] < 1e-9; });
            });
        }
        for (const std::size_t i : running) step = std::min(step, left[i] / rate[i]);
        now += step;
        for (const std::size_t i : running)
            if ((left[i] -= rate[i] * step) < 1e-7) end[i] = now;
    }
    return end;
}

TEST_F(FluidNetworkTest, RatesAreMaxMinFair) {
    constexpr std::size_t nodes = 4;
    constexpr Ticks size = 5040;
    const FluidNetwork network(links_file, nodes, size);
    EXPECT_TRUE(rc::check("ends are those of max-min fairness, computed again", [&] {
        std::vector<Transfer> transfers;
        Ticks at = 0;
        for (int left = *rc::gen::inRange(1, 12); left > 0; --left) {
            at += *rc::gen::inRange<Ticks>(0, 3000);
            const auto from = *rc::gen::inRange<std::size_t>(0, nodes);
            transfers.push_back({at, from, (from + *rc::gen::inRange<std::size_t>(1, nodes)) % nodes});
        }
        const std::vector<double> expected = max_min_ends(transfers, nodes, static_cast<double>(size));
        const auto links = network.open();
        std::vector<Ticks> end(transfers.size());
        const auto take_until = [&](Ticks until) {
            while (links->next() <= until && links->next() != std::numeric_limits<Ticks>::max()) {
                const Ticks now = links->next();
                for (const SlotId s : links->take(now)) end[s.index()] = now;
            }
        };
        for (std::size_t i = 0; i < transfers.size(); ++i) {
            take_until(transfers[i].start);
            links->start(transfers[i].start, SlotId(i), NodeId(transfers[i].from), NodeId(transfers[i].to));
        }
        take_until(std::numeric_limits<Ticks>::max());
        for (std::size_t i = 0; i < transfers.size(); ++i) {
            RC_ASSERT(static_cast<double>(end[i]) >= expected[i] - 0.01);
            RC_ASSERT(static_cast<double>(end[i]) < expected[i] + 1.01);
        }
    }));
}

}  // namespace
}  // namespace schedproof::simulation
