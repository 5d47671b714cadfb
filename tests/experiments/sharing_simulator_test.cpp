/// The simulator of jobs that share a cluster: what must hold in every run, runs that were worked out by hand, a queue
/// whose mean is known, and the stability that the papers report.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "experiments/simulators/sharing/sharing_world.hpp"
#include "model/core/errors.hpp"
#include "policies/sharing/registry.hpp"
#include "tests/support/temporary_directory.hpp"

namespace schedproof::simulation {
namespace {

using sharing::Ticks;
using R = SharingRecorder;

/// A file that lives as long as this does.
class File {
  public:
    explicit File(const std::string& text) { std::ofstream(path()) << text; }
    [[nodiscard]] std::string path() const { return (directory_.path() / "trace.tsv").string(); }

  private:
    testing_support::TemporaryDirectory directory_;
};

double sum(const Observation& seen, std::size_t quantity) {
    double all = 0;
    for (const Batch& b : seen.batches) all += b.tallies[quantity].sum;
    return all;
}
double weight(const Observation& seen, std::size_t quantity) {
    double all = 0;
    for (const Batch& b : seen.batches) all += b.tallies[quantity].weight;
    return all;
}
double mean(const Observation& seen, std::size_t quantity) { return sum(seen, quantity) / weight(seen, quantity); }
/// Over the second half of the batches.
double later(const Observation& seen, std::size_t quantity) {
    Observation half = seen;
    half.batches.erase(half.batches.begin(),
                       half.batches.begin() + static_cast<std::ptrdiff_t>(half.batches.size() / 2));
    return mean(half, quantity);
}

Observation run(const SharingSettings& settings, std::uint64_t replication = 0) {
    return make_sharing_experiment(settings)->run({1, replication}, {});
}

/// Jobs that come together, of 1 to 40 tasks.
std::string busy_trace() {
    std::string text;
    for (int j = 0; j < 60; ++j)
        text += "job" + std::to_string(j) + "\t" + std::to_string(j / 4) + "\t0\t" +
                std::to_string(134217728LL * (1 + j * 7 % 40)) + "\t0\t0\n";
    return text;
}

SharingSettings contended(const std::string& policy, const std::string& trace) {
    SharingSettings s;
    s.policy = policy;
    s.trace = trace;
    s.nodes = 12;
    s.slots = 3;
    s.racks = 3;
    s.skips = "4";
    s.wait = "2";
    s.run_time = "exponential:5";
    s.contention = "1/2";
    return s;
}

/// Keeps account of every task.
class Accountant final : public SharingWatcher {
  public:
    void submitted(Ticks now, std::uint64_t job, const sharing::Job& what) override {
        EXPECT_GE(now, latest_);
        latest_ = now;
        EXPECT_EQ(job, left_.size() + 1);
        left_.push_back(what.tasks.size());
    }
    void launched(Ticks now, sharing::SlotId slot, std::uint64_t job, std::uint32_t task, sharing::Locality) override {
        EXPECT_GE(now, latest_);
        latest_ = now;
        EXPECT_TRUE(running_.emplace(slot.index(), std::pair(job, task)).second) << "a slot runs two tasks";
        ++launches;
    }
    void completed(Ticks now, sharing::SlotId slot, std::uint64_t job) override {
        EXPECT_GE(now, latest_);
        latest_ = now;
        ASSERT_TRUE(running_.contains(slot.index()));
        const auto [owner, task] = running_.at(slot.index());
        EXPECT_EQ(owner, job);
        EXPECT_TRUE(routed || done_.emplace(job, task).second) << "a task is done twice";
        running_.erase(slot.index());
        ASSERT_GE(left_[job - 1], 1U);
        --left_[job - 1];
    }
    void killed(Ticks, sharing::SlotId slot, std::uint64_t job, std::uint32_t task) override {
        EXPECT_EQ(running_.at(slot.index()), std::pair(job, task));
        running_.erase(slot.index());
        ++kills;
    }
    void expect_all_done(std::size_t tasks) const {
        EXPECT_TRUE(running_.empty());
        EXPECT_EQ(std::count(left_.begin(), left_.end(), 0U), static_cast<std::ptrdiff_t>(left_.size()));
        EXPECT_EQ(launches, tasks + kills);
    }
    std::size_t launches = 0, kills = 0;
    bool routed = false;

  private:
    Ticks latest_ = 0;
    std::vector<std::size_t> left_;  // tasks, by job
    std::map<std::size_t, std::pair<std::uint64_t, std::uint32_t>> running_;
    std::set<std::pair<std::uint64_t, std::uint32_t>> done_;
};

TEST(SharingSimulator, RunsEveryTaskOnceOnASlotOfItsOwn) {
    const File trace(busy_trace());
    for (const sharing::PolicyInfo& info : sharing::policies())
        for (const char* heartbeat : {"3", "0"}) {
            SCOPED_TRACE(std::string(info.id) + " heartbeat " + heartbeat);
            SharingSettings s = contended(std::string(info.id), trace.path());
            s.heartbeat = heartbeat;
            const SharingWorld world = detail::world_of(s);
            std::size_t tasks = 0;
            for (const TracedJob& job : std::get<std::vector<TracedJob>>(world.jobs)) tasks += job.tasks;
            Accountant accountant;
            accountant.routed = info.id == "jsq-maxweight:subqueues";
            const Observation seen = run_sharing(world, detail::policy_of(s), {1, 0}, {}, &accountant);
            accountant.expect_all_done(tasks);
            if (heartbeat == std::string("0")) {
                EXPECT_EQ(accountant.kills > 0, info.id == "fair-kill");
            }
            EXPECT_EQ(sum(seen, R::killed) > 0, accountant.kills > 0);
            EXPECT_EQ(seen.work, accountant.launches);
            EXPECT_EQ(seen.batches.size(), world.cut.batches);
            EXPECT_EQ(weight(seen, R::job_delay), 60);
            EXPECT_EQ(weight(seen, R::task_delay), static_cast<double>(tasks));
            EXPECT_EQ(sum(seen, R::local) + sum(seen, R::rack_local) + sum(seen, R::remote), accountant.launches);
            EXPECT_NEAR(sum(seen, R::jobs), sum(seen, R::job_delay), 1e-6 * sum(seen, R::jobs)) << "Little";
        }
}

/// With heartbeats and tasks that end at all times some of 600 slots is always free, waiting for its node's beat; still
/// tasks are killed for jobs below their share.
TEST(SharingSimulator, KillsForNewcomersWhileSomeSlotsAreFree) {
    SharingSettings s;
    s.nodes = 100;
    s.slots = 6;
    s.run_time = "exponential:30";
    s.remote_factor = "1";
    s.sizes = "9:1..20,1:2000";
    s.load = "15";
    s.horizon = "10000";
    s.policy = "fair-kill";
    const Observation kill = run(s);
    s.policy = "naive-fair";
    const Observation wait = run(s);
    EXPECT_GT(sum(kill, R::killed), 0);
    EXPECT_EQ(sum(wait, R::killed), 0);
    EXPECT_LT(mean(kill, R::busy), 0.97);
}

TEST(SharingSimulator, IsTheSameForTheSameReplicationAndAnotherForAnother) {
    const File trace(busy_trace());
    for (const sharing::PolicyInfo& info : sharing::policies()) {
        SharingSettings s = contended(std::string(info.id), trace.path());
        const auto experiment = make_sharing_experiment(s);
        const Observation once = experiment->run({1, 0}, {});
        EXPECT_NE(once, experiment->run({1, 1}, {}));
        EXPECT_EQ(once, experiment->run({1, 0}, {})) << info.id;
    }
}

/// Reservations are at different nodes, as evenly as can be, and each node is as likely as any other.
TEST(SharingSimulator, ProbesAreOfDifferentNodes) {
    constexpr std::size_t nodes = 7, draws = 7000;
    std::vector<std::size_t> times(nodes);
    for (std::size_t i = 0; i < draws; ++i) {
        const std::size_t count = i % (3 * nodes);
        statistics::Stream random({1, 0}, "probes", i);
        const Probes drawn = draw_probes(count, nodes, random);
        EXPECT_EQ(drawn.everywhere * nodes + drawn.more.size(), count);
        EXPECT_LT(drawn.more.size(), nodes);
        EXPECT_TRUE(std::is_sorted(drawn.more.begin(), drawn.more.end()));
        EXPECT_EQ(std::set<sharing::NodeId>(drawn.more.begin(), drawn.more.end()).size(), drawn.more.size());
        for (const sharing::NodeId n : drawn.more) ++times.at(n.index());
    }
    // 3 of 7 nodes on average, with a standard deviation of about 41.
    for (const std::size_t t : times) EXPECT_NEAR(static_cast<double>(t), 3.0 * draws / nodes, 200);
}

/// With a reservation of every task at every node, Sparrow is first come, first served.
TEST(SharingSimulator, SparrowWithProbesEverywhereIsHadoopFifo) {
    SharingSettings s;
    s.nodes = 20;
    s.slots = 2;
    s.sizes = "3:1..10,1:20..60";
    s.run_time = "exponential:30";
    s.load = "1";
    s.horizon = "3000";
    s.priorities = "1,0,2,0,1";
    s.policy = "hadoop-fifo";
    const Observation fifo = run(s);
    s.policy = "sparrow";
    s.probes = 20;
    EXPECT_EQ(run(s), fifo);
    s.probes = 2;
    const Observation two = run(s);
    EXPECT_NE(two, fifo);
    s.probes = 1;
    EXPECT_GT(mean(run(s), R::job_delay), mean(two, R::job_delay)) << "late binding pays";
}

/// Without a cost of transfers Quincy runs who has waited longest: first come, first served where all are of one
/// priority.
TEST(SharingSimulator, QuincyWithoutCostsIsHadoopFifo) {
    SharingSettings s;
    s.nodes = 20;
    s.slots = 2;
    s.sizes = "3:1..10,1:20..60";
    s.load = "1";
    s.horizon = "3000";
    s.policy = "hadoop-fifo";
    const Observation fifo = run(s);
    s.policy = "quincy";
    EXPECT_EQ(run(s), fifo);
    s.wait = "30";
    EXPECT_GT(sum(run(s), R::local), sum(fifo, R::local));
}

TEST(SharingSimulator, PoliciesMeetTheSameJobs) {
    struct Jobs final : SharingWatcher {
        std::vector<std::tuple<std::uint64_t, Ticks, std::vector<sharing::Replicas>>> all;
        void submitted(Ticks, std::uint64_t job, const sharing::Job& what) override {
            all.emplace_back(job, what.submit, what.tasks);
        }
        void launched(Ticks, sharing::SlotId, std::uint64_t, std::uint32_t, sharing::Locality) override {}
        void completed(Ticks, sharing::SlotId, std::uint64_t) override {}
        void killed(Ticks, sharing::SlotId, std::uint64_t, std::uint32_t) override {}
    };
    SharingSettings s;
    s.heartbeat = "0";
    s.rates = "4/5,1/5";
    s.load = "20";
    s.sizes = "3:1..10,1:20..60";
    s.horizon = "300";
    std::optional<Jobs> first;
    for (const sharing::PolicyInfo& info : sharing::policies()) {
        s.policy = info.id;
        const SharingWorld world = detail::world_of(s);
        Jobs jobs;
        static_cast<void>(run_sharing(world, detail::policy_of(s), {7, 3}, {}, &jobs));
        if (!first) first.emplace(jobs);
        EXPECT_GT(jobs.all.size(), 100U);
        EXPECT_EQ(jobs.all, first->all) << info.id;
    }
}

TEST(SharingSimulator, LaunchesAtHeartbeats) {
    const File trace("a\t10\t0\t1\t0\t0\nb\t11\t1\t268435456\t0\t0\n");
    SharingSettings s;
    s.policy = "naive-fair";
    s.trace = trace.path();
    s.nodes = 2;
    s.replicas = 2;
    s.run_time = "constant:10";
    s.heartbeat = "4";
    // The first job comes at 0: node 0 beats at 0, 4, 8, ... and node 1 at 2, 6, ... Job a runs on node 0 during 0-10.
    // Job b comes at 1: a task on node 1 during 2-12, the other on node 0, free at 10, from its beat at 12 until 22.
    const Observation seen = run(s);
    EXPECT_DOUBLE_EQ(sum(seen, R::task_wait), 0 + 1 + 11);
    EXPECT_DOUBLE_EQ(sum(seen, R::job_delay), 10 + 21);
    EXPECT_NEAR(sum(seen, R::busy), 30, 1e-9);
    EXPECT_NEAR(weight(seen, R::busy), 2 * 22, 1e-9);
    EXPECT_NEAR(sum(seen, R::waiting), 1 + 11, 1e-9);
    EXPECT_DOUBLE_EQ(sum(seen, R::sticky), 0);
    EXPECT_DOUBLE_EQ(mean(seen, R::local), 1);
}

TEST(SharingSimulator, RemoteTasksOfANodeMakeEachOtherLongerFromTheirOwnStart) {
    const File trace("a\t0\t0\t536870912\t0\t0\n");
    SharingSettings s;
    s.policy = "hadoop-fifo";
    s.trace = trace.path();
    s.nodes = 2;
    s.slots = 2;
    s.replicas = 1;
    s.data_nodes = 1;
    s.run_time = "constant:10";
    s.contention = "1/2";
    s.heartbeat = "8";
    // Node 0 beats at 0 and runs two of the four tasks during 0-10; node 1 beats at 4 and runs two remote ones: the
    // first for 15, then both for 20, until 24.
    const Observation seen = run(s);
    EXPECT_DOUBLE_EQ(sum(seen, R::task_delay), 10 + 10 + 24 + 24);
    EXPECT_NEAR(sum(seen, R::busy), 60, 1e-9);
    EXPECT_DOUBLE_EQ(sum(seen, R::remote), 2);
}

TEST(SharingSimulator, RemoteTasksOfANodeShareItsLink) {
    SharingSettings s;
    s.policy = "hadoop-fifo";
    s.at_once = 2;
    s.sizes = "2";
    s.nodes = 2;
    s.slots = 2;
    s.replicas = 1;
    s.data_nodes = 1;
    s.run_time = "constant:10";
    s.transfer = "3";
    s.heartbeat = "8";
    // Both jobs are there at 0. Node 0 runs the first during 0-10; node 1 beats at 4 and runs the second remotely: one
    // task alone would take 10 + 3, of two each takes 10 + 2 * 3, until 20. Then the run ends by itself.
    const Observation seen = run(s);
    EXPECT_DOUBLE_EQ(sum(seen, R::job_delay), 10 + 20);
    EXPECT_DOUBLE_EQ(sum(seen, R::remote), 2);
    EXPECT_NEAR(sum(seen, R::jobs), 10 + 20, 1e-9);
}

TEST(SharingSimulator, InitialLoadsKeepSlotsBusyAtFirst) {
    SharingSettings s;
    s.policy = "fair-kill";
    s.at_once = 3;
    s.sizes = "4";
    s.nodes = 2;
    s.slots = 2;
    s.replicas = 2;
    s.run_time = "constant:10";
    s.initial_load = "constant:7";
    s.heartbeat = "1";
    // Twelve local tasks on four slots that become free at 7; node 1 beats half a second later.
    const Observation seen = run(s);
    EXPECT_NEAR(sum(seen, R::busy), 4 * 7 + 12 * 10, 1e-9);
    EXPECT_DOUBLE_EQ(sum(seen, R::killed), 0) << "a load belongs to no job";
    // Until 7 each of the three jobs is due one of four slots and has none.
    const auto looks = [&](const Observation& of, bool early) {
        Tally all;
        for (std::size_t b = 0; b < of.batches.size(); ++b)
            if (early == (static_cast<double>(b + 1) * of.batch_length <= 7))
                all.add(of.batches[b].tallies[R::unfair].sum, of.batches[b].tallies[R::unfair].weight);
        return all;
    };
    EXPECT_GT(looks(seen, true).weight, 0);
    EXPECT_DOUBLE_EQ(looks(seen, true).sum, 0.75 * looks(seen, true).weight);
    EXPECT_LT(looks(seen, false).sum, 0.1 * looks(seen, false).weight);
    s.at_once = 1;
    s.sizes = "12";
    EXPECT_DOUBLE_EQ(sum(run(s), R::sticky), 8) << "none of the first four";
    s.initial_load = "uniform:2,12";
    EXPECT_NE(sum(run(s, 0), R::busy), sum(run(s, 1), R::busy));
}

TEST(SharingSimulator, AWaitMayCountTheTimeOfTheLastTask) {
    SharingSettings s;
    s.policy = "delay-time";
    s.wait = "6";
    s.at_once = 1;
    s.sizes = "4";
    s.nodes = 2;
    s.replicas = 1;
    s.data_nodes = 1;
    s.run_time = "constant:5";
    s.initial_load = "constant:4";
    s.heartbeat = "2";
    // Node 0 runs local tasks from 4 on. Node 1, free at 4, beats at 5, 7, ...: it has waited 6 since it is free at its
    // beat at 11, and since its last launch, that of its initial load at 0, at its beat at 7.
    EXPECT_DOUBLE_EQ(sum(run(s), R::task_wait), 4 + 10 + 11 + 16) << "node 0 is free at 9, and beats at 10";
    s.wait_from = "launch";
    EXPECT_DOUBLE_EQ(sum(run(s), R::task_wait), 4 + 7 + 10 + 16);
}

TEST(SharingSimulator, DelaySchedulingDeclinesUntilItsSkipsAreUsedUp) {
    const File trace("a\t0\t0\t402653184\t0\t0\n");
    SharingSettings s;
    s.trace = trace.path();
    s.nodes = 2;
    s.replicas = 1;
    s.data_nodes = 1;
    s.run_time = "constant:10";
    s.heartbeat = "2";
    // Three tasks with data on node 0, which beats at 0, 2, ...; node 1 beats at 1, 3, ... and declines D times first.
    for (const auto& [skips, delay, declined] :
         {std::tuple("0", 21.0, 0.0), std::tuple("2", 25.0, 2.0), std::tuple("1000", 30.0, 10.0)}) {
        s.skips = skips;
        const Observation seen = run(s);
        EXPECT_DOUBLE_EQ(sum(seen, R::job_delay), delay) << skips;
        EXPECT_DOUBLE_EQ(sum(seen, R::declined), declined) << skips;
    }
}

/// Launches nothing.
struct Never {
    static constexpr PolicyInfo info{"simulator-never", "test", "no job gets a slot"};
    template <sharing::SharingView V>
    [[nodiscard]] constexpr std::optional<sharing::Launch> offer(V&, sharing::NodeRef) const {
        return {};
    }
};

TEST(SharingSimulator, EndsARunInWhichNothingIsEverLaunched) {
    sharing::add_policy(sharing::added<Never>());
    const File trace("a\t0\t0\t402653184\t0\t0\n");
    SharingSettings s;
    s.policy = "simulator-never";
    s.trace = trace.path();
    s.nodes = 4;
    for (const char* heartbeat : {"3", "0"}) {
        s.heartbeat = heartbeat;
        EXPECT_THROW((void)run(s), LimitExceeded) << heartbeat;
    }
}

TEST(SharingSimulator, NonLocalityFallsWithSkips) {
    const File trace(busy_trace());
    SharingSettings s = contended("delay", trace.path());
    double before = 1;
    for (const char* skips : {"0", "3", "10", "100"}) {
        s.skips = skips;
        const double remote = 1 - mean(run(s), R::local);
        EXPECT_LT(remote, before) << skips;
        before = remote;
    }
    EXPECT_LT(before, 0.1);
}

TEST(SharingSimulator, ASingleServerHasTheMeanOfItsQueue) {
    // Poisson tasks, each a job, in slots; served with probability alpha from the slot of arrival on. With X tasks in a
    // slot after arrivals, E X = lambda + lambda (2 + lambda - 2 alpha) / (2 (alpha - lambda)); delays by Little's law.
    SharingSettings s;
    s.policy = "hadoop-fifo";
    s.nodes = 1;
    s.replicas = 1;
    s.heartbeat = "0";
    s.rates = "4/5,4/5";  // jsq-maxweight puts tasks into either of its two queues
    s.sizes = "1";
    s.load = "1/2";
    s.horizon = "1000000";
    const double lambda = 0.5, alpha = 0.8;
    const double inside = lambda + lambda * (2 + lambda - 2 * alpha) / (2 * (alpha - lambda));
    for (const char* policy : {"hadoop-fifo", "jsq-maxweight:subqueues", "delay"}) {
        s.policy = policy;
        const Observation seen = run(s);
        EXPECT_NEAR(mean(seen, R::busy), lambda / alpha, 0.003) << policy;
        EXPECT_NEAR(mean(seen, R::jobs), inside, 0.02) << policy;
        EXPECT_NEAR(mean(seen, R::job_delay), inside / lambda, 0.04) << policy;
    }
}

/// Wang's cluster: 1,000 servers, data on 800 of them; job sizes as in docs/models/sharing.md, Interpretation S14.
SharingSettings wang(const std::string& policy, const std::string& load) {
    SharingSettings s;
    s.policy = policy;
    s.nodes = 1000;
    s.data_nodes = 800;
    s.rates = "4/5,1/5";
    s.heartbeat = "0";
    s.load = load;
    s.sizes = "85:1..10,4:11..50,8:51..150,2:151..500,1:501..4000";
    s.horizon = "2000";
    return s;
}

TEST(SharingSimulator, NaiveFairIsStableAt250AndNotAt390TasksASlot) {
    const Observation low = run(wang("naive-fair", "250")), high = run(wang("naive-fair", "390"));
    EXPECT_LT(later(low, R::busy), 0.95);
    EXPECT_LT(later(low, R::jobs), 150);
    EXPECT_GT(later(high, R::busy), 0.999);
    EXPECT_GT(later(high, R::waiting), 1.5 * mean(high, R::waiting)) << "it grows";
}

TEST(SharingSimulator, SubqueuesAreStableAt600TasksASlotAndSmallJobsFindTheirData) {
    const Observation seen = run(wang("jsq-maxweight:subqueues", "600"));
    EXPECT_LT(later(seen, R::busy), 0.85);
    EXPECT_LT(later(seen, R::jobs), 150);
    EXPECT_GT(later(seen, R::small_local), 0.8);
    EXPECT_GT(later(seen, R::local), 0.97);
}

}  // namespace
}  // namespace schedproof::simulation
