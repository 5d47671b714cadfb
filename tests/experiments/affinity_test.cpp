/// Hits and misses of tasks in continuous time: recorded tasks under a rule whose runs a recursion computes, and
/// what must hold under every policy.
#include "experiments/simulators/events/affinity.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "model/core/errors.hpp"
#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/fifo.hpp"
#include "policies/queueing/join_shortest_queue.hpp"
#include "policies/queueing/random_baselines.hpp"
#include "tests/experiments/event_runs.hpp"

namespace schedproof::simulation {
namespace affinity_runs {

using namespace queueing;
using namespace event_runs;

/// Where the quantity of this name stands.
std::size_t place(const Experiment& experiment, const std::string& name) {
    const auto& all = experiment.quantities();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Quantity& quantity) { return quantity.name == name; });
    if (found == all.end()) throw ContractViolation("no quantity " + name);
    return static_cast<std::size_t>(found - all.begin());
}

/// Servers of which each keeps the data of one type; rates 1 and 1/2.
SimulatedSystem homes(std::size_t servers) {
    InstanceData data;
    data.name = "homes";
    data.levels = {{"local", Rational(1)}, {"remote", Rational(Integer(1), Integer(2))}};
    for (std::size_t m = 0; m < servers; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {}});
        data.types.push_back({"t" + std::to_string(m), {ServerId(m)}});
        data.rates.emplace_back(Integer(1), Integer(10));
    }
    return {std::make_shared<const Instance>(std::move(data))};
}

/// A recorded run of one batch that goes on until all tasks are done.
EventSettings recorded(const SimulatedSystem& system, AnyPolicy policy, std::vector<input::TracedJob> jobs,
                       std::vector<TaskLabel> labels) {
    EventSettings s = settings(system, std::move(policy), 1, std::max(1.0, jobs.back().submit));
    s.trace = std::make_shared<const input::JobTrace>(input::JobTrace{std::move(jobs), 0, 0, {}});
    s.labels = std::make_shared<const std::vector<TaskLabel>>(std::move(labels));
    s.affinity = true;
    s.batches = 1;
    return s;
}

/// Every task goes home, where tasks are served one after another: all are hits.
RC_GTEST_PROP(Affinity, OfTasksThatGoHomeIsThatOfARecursion, ()) {
    const auto servers = *rc::gen::inRange<std::size_t>(2, 5);
    const auto tasks = *rc::gen::inRange<std::size_t>(1, 350);
    std::vector<input::TracedJob> jobs;
    std::vector<TaskLabel> labels;
    std::vector<double> free(servers), busy(servers);
    double now = 0, delay = 0, wait = 0, tokens = 0, saved = 0, herding = 0;
    std::vector<std::size_t> window;
    for (std::size_t i = 0; i < tasks; ++i) {
        now += *rc::gen::inRange(0, 4) / 2.0;
        const auto m = *rc::gen::inRange<std::size_t>(0, servers);
        const double size = *rc::gen::inRange(1, 9) / 4.0;
        jobs.push_back({now, 1, size});
        labels.push_back({TaskTypeId(m), 10.0 * static_cast<double>(m + 1), 3.0 * static_cast<double>(m)});
        tokens += labels.back().tokens;
        saved += labels.back().saved;
        const double start = std::max(now, free[m]);
        free[m] = start + size;
        busy[m] += size;
        wait += start - now;
        delay += free[m] - now;
        window.push_back(m);
        if (window.size() < AffinityRecorder::window) continue;
        std::size_t most = 0;
        for (std::size_t server = 0; server < servers; ++server)
            most = std::max(most, static_cast<std::size_t>(std::count(window.begin(), window.end(), server)));
        herding += static_cast<double>(most) / AffinityRecorder::window;
        window.clear();
    }
    const auto experiment = make_event_experiment(recorded(homes(servers), RandomLocal{}, jobs, labels));
    const Observation seen = experiment->run({7, 0}, {});
    const auto sum = [&](const char* name) { return total(seen, place(*experiment, name)); };
    RC_ASSERT(sum("hit share") == (Tally{static_cast<double>(tasks), static_cast<double>(tasks)}));
    RC_ASSERT(sum("share of tokens saved") == (Tally{saved, tokens}));
    RC_ASSERT(std::abs(sum("delay of hits").sum - delay) < 1e-9 * (1 + delay));
    RC_ASSERT(std::abs(sum("wait of hits").sum - wait) < 1e-9 * (1 + wait));
    RC_ASSERT(sum("delay of misses") == Tally{});
    RC_ASSERT(sum("herding").weight == static_cast<double>(tasks / AffinityRecorder::window));
    RC_ASSERT(std::abs(sum("herding").sum - herding) < 1e-9);
    const double all = std::accumulate(busy.begin(), busy.end(), 0.0);
    double squares = 0;
    for (const double x : busy) squares += x * x;
    const Tally jain = sum("Jain's index of busy times");
    RC_ASSERT(std::abs(jain.sum / jain.weight - all * all / (static_cast<double>(servers) * squares)) < 1e-9);
}

/// Where each task has a home, every task is a hit or a miss, and it is a hit exactly where it is local.
TEST(Affinity, DividesAllTasksIntoHitsAndMisses) {
    for (const AnyPolicy& policy :
         {AnyPolicy(RandomAny{}), AnyPolicy(JoinShortestQueue{}), AnyPolicy(BalancedPandas{})})
        for (const SimulatedSystem& system : {homes(3), racks(6)}) {
            EventSettings s = settings(system, policy, 2, 3000);
            s.affinity = true;
            const auto experiment = make_event_experiment(s);
            const Observation seen = experiment->run({3, 1}, {});
            const auto sum = [&](const char* name) { return total(seen, place(*experiment, name)); };
            EXPECT_EQ(sum("delay of hits").weight + sum("delay of misses").weight, sum("task delay").weight);
            EXPECT_NEAR(sum("delay of hits").sum + sum("delay of misses").sum, sum("task delay").sum, 1e-6);
            EXPECT_NEAR(sum("wait of hits").sum + sum("wait of misses").sum, sum("task wait").sum, 1e-6);
            EXPECT_EQ(sum("delay of hits").weight, sum("share completed local").sum) << policy.info().id;
            EXPECT_EQ(sum("delay of misses").weight > 0, policy.info().id != "join-shortest-queue");
            EXPECT_GE(sum("hit share").weight, sum("task delay").weight);
            std::uint64_t counted = 0;
            for (const Batch& batch : seen.batches)
                counted += batch.histograms[place(*experiment, "delay of misses")].total();
            EXPECT_EQ(static_cast<double>(counted), sum("delay of misses").weight);
        }
}

TEST(Affinity, RandomReplicasHaveHitsAndDataEverywhereHasNone) {
    RandomCluster random;
    random.servers = 12;
    random.data_servers = 12;
    random.rates = {Rational(1), Rational(Integer(1), Integer(2))};
    for (const AnyPolicy& policy : {AnyPolicy(RandomLocal{}), AnyPolicy(RandomAny{})}) {
        EventSettings s = settings(random_cluster(random, PoissonArrivals{Rational(1)}), policy, 1, 4000);
        s.affinity = true;
        const auto experiment = make_event_experiment(s);
        const double share = mean(experiment->run({3, 1}, {}), place(*experiment, "hit share"));
        EXPECT_NEAR(share, policy.info().id == std::string_view("random-local") ? 1 : 0.25, 0.03);
    }
    EventSettings s = settings(alike(3), RandomAny{}, 1, 1000);
    s.affinity = true;
    const auto experiment = make_event_experiment(s);
    EXPECT_EQ(total(experiment->run({3, 1}, {}), place(*experiment, "hit share")).weight, 0);
}

TEST(Affinity, WhatCannotBeRecordedIsRefused) {
    EventSettings s = settings(homes(2), Fifo{}, 2, 100);
    s.affinity = true;
    EXPECT_THROW(static_cast<void>(make_event_experiment(s)), InputError);
    EventSettings labelled = recorded(homes(2), RandomAny{}, {{0, 1, 1}}, {});
    EXPECT_THROW(static_cast<void>(make_event_experiment(labelled)), InputError);
}

}  // namespace affinity_runs
}  // namespace schedproof::simulation
