/// The simulator in continuous time against recursions and known runs; what must not depend on how it is run. What
/// policies do in it is in event_policies_test.cpp.
#include "experiments/simulators/events/event_loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "model/core/errors.hpp"
#include "model/queueing/chain.hpp"
#include "policies/queueing/fifo.hpp"
#include "policies/queueing/fluid_model_planning.hpp"
#include "policies/queueing/generalized_cmu.hpp"
#include "policies/queueing/join_shortest_queue.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "policies/queueing/pandas.hpp"
#include "tests/experiments/event_runs.hpp"

namespace schedproof::simulation {
namespace {

using namespace queueing;
using namespace event_runs;

/// Tasks in order of arrival on servers that are alike: each starts when it is there and a server is free.
struct InOrder {
    double delay = 0, wait = 0, busy = 0, area = 0;
    std::uint64_t tasks = 0;
    InOrder(const EventSettings& s, std::size_t servers, const statistics::Replication& replication) {
        workload::Draws gap(s.gap, statistics::Stream(replication, "arrivals")),
            size(s.size, statistics::Stream(replication, "sizes"));
        std::vector<double> free(servers, 0);
        for (double now = gap(); now < s.duration; now += gap()) {
            double& server = *std::min_element(free.begin(), free.end());
            const double start = std::max(now, server);
            server = start + size();
            busy += std::max(0.0, std::min(server, s.duration) - std::min(start, s.duration));
            area += std::min(server, s.duration) - now;
            if (server >= s.duration) continue;
            ++tasks;
            delay += server - now;
            wait += start - now;
        }
    }
};

TEST(EventLoop, AgreesWithTheRecursionOfQueuesInOrderOfArrival) {
    for (const std::size_t servers : {1U, 2U, 7U})
        for (std::uint64_t r = 0; r < 3; ++r) {
            const EventSettings s = settings(alike(servers), Fifo{}, 1.2 / static_cast<double>(servers), 2000);
            const Observation seen = make_event_experiment(s)->run({5, r}, {});
            const InOrder oracle(s, servers, {5, r});
            EXPECT_EQ(seen.work, oracle.tasks);
            EXPECT_EQ(total(seen, 0).weight, static_cast<double>(oracle.tasks));
            EXPECT_NEAR(total(seen, 0).sum, oracle.delay, 1e-6);
            EXPECT_NEAR(total(seen, 1).sum, oracle.wait, 1e-6);
            EXPECT_NEAR(total(seen, 2).sum, oracle.area, 1e-6);
            EXPECT_NEAR(total(seen, 4).sum, oracle.busy, 1e-6);
            std::uint64_t counted = 0;
            for (const Batch& batch : seen.batches) counted += batch.histograms[0].total();
            EXPECT_EQ(counted, oracle.tasks);
        }
}

/// Lengths and services of the start for a policy with a queue per server.
StartState tasks_at(const std::vector<std::int64_t>& tasks, const std::vector<bool>& busy) {
    ExactState start;
    for (const std::int64_t n : tasks) start.length.emplace_back(n);
    for (std::size_t m = 0; m < busy.size(); ++m)
        start.serving.push_back(busy[m] ? Service{Service::Status::busy, Level(0), QueueId(m)} : Service{});
    return std::make_shared<const ExactState>(start);
}

/// A task comes at 1, 2, ... and takes a unit of time: seven of the start leave at 1, ..., 7, and the i-th that comes
/// starts at i + 6. Only tasks that come have a delay.
TEST(EventLoop, TasksOfTheStartCountInTheSystemAndNotInDelays) {
    for (const bool busy : {false, true}) {
        EventSettings s = settings(alike(1), JoinShortestQueue{}, 1, 20.5);
        s.gap = s.size = workload::Constant{1};
        s.batches = 1;
        s.start = tasks_at({7}, {busy});
        const Observation seen = make_event_experiment(s)->run({1, 0}, {});
        EXPECT_EQ(seen.work, 20U);
        EXPECT_EQ(total(seen, 0), (Tally{7 * 13, 13}));
        EXPECT_EQ(total(seen, 1), (Tally{6 * 13, 13}));
        EXPECT_EQ(total(seen, 2), (Tally{7 * 20.5, 20.5}));
        EXPECT_EQ(total(seen, 3), (Tally{0, 20.5}));
        EXPECT_EQ(total(seen, 4), (Tally{20.5, 20.5}));
    }
}

/// All tasks at one server of two: the other helps at once where the policy lets it, and never where it does not.
TEST(EventLoop, IdleServersAreAskedAtTheStart) {
    for (const bool helps : {false, true}) {
        const AnyPolicy policy = helps ? AnyPolicy(JsqMaxWeight{}) : AnyPolicy(JoinShortestQueue{});
        EventSettings s = settings(alike(2), policy, 1, 12);
        s.gap = workload::Constant{100};
        s.size = workload::Constant{1};
        s.batches = 1;
        s.start = tasks_at({6, 0}, {false, false});
        const Observation seen = make_event_experiment(s)->run({1, 0}, {});
        // With help, at half the rate, four tasks end at 1, 2, 3, 4 and two at 2, 4.
        EXPECT_EQ(seen.work, 6U);
        EXPECT_EQ(total(seen, 4), (helps ? Tally{8, 24} : Tally{6, 24}));
        EXPECT_EQ(total(seen, 0).weight, 0);
    }
    EventSettings s = settings(alike(2), JoinShortestQueue{}, 1, 12);
    ExactState phantom = *tasks_at({1, 0}, {true, false});
    phantom.serving[1] = {Service::Status::phantom, Level(0), QueueId(1)};
    s.start = std::make_shared<const ExactState>(phantom);
    EXPECT_THROW(static_cast<void>(make_event_experiment(s)), InputError);
    s.start = tasks_at({1, 0}, {true, false});
    s.trace = std::make_shared<const input::JobTrace>(input::JobTrace{{{0, 3, 2}}, 0, 0, {}});
    EXPECT_THROW(static_cast<void>(make_event_experiment(s)), InputError);
}

TEST(EventLoop, PlaysATraceByHand) {
    EventSettings s = settings(alike(2), Fifo{}, 1, 20);
    // At 0 three tasks of 2 s: on two servers they end at 2, 2, 4. At 3 one of 5 s on the free server: 8.
    s.trace = std::make_shared<const input::JobTrace>(input::JobTrace{{{0, 3, 2}, {3, 1, 5}}, 0, 0, {}});
    s.batches = 2;
    const auto experiment = make_event_experiment(s);
    const Observation seen = experiment->run({1, 0}, {});
    EXPECT_EQ(seen.work, 4U);
    EXPECT_EQ(seen.batches[0].tallies[0], (Tally{2 + 2 + 4 + 5, 4}));
    EXPECT_EQ(seen.batches[0].tallies[1], (Tally{2, 4}));
    EXPECT_EQ(seen.batches[0].tallies[2], (Tally{3 * 2 + 1 * 2 + 1 + 4, 10}));
    EXPECT_EQ(seen.batches[0].tallies[4], (Tally{4 + 2 + 5, 20}));
    EXPECT_EQ(seen.batches[1].tallies[0], (Tally{0, 0}));
    EXPECT_EQ(experiment->quantities()[0].tick, 11.0 / 4 / 1000);
}

TEST(EventLoop, ATraceEndsWithItsLastTask) {
    EventSettings s = settings(alike(1), Fifo{}, 1, 4);
    // On one server: 0-1; 2-4, 4-6, 6-8; 8-9. The last job comes after the duration, so not at all.
    s.trace = std::make_shared<const input::JobTrace>(
        input::JobTrace{{{0, 1, 1}, {2, 3, 2}, {4, 1, 1}, {4.5, 1, 1}}, 0, 0, {}});
    s.batches = 2;
    const Observation seen = make_event_experiment(s)->run({1, 0}, {});
    EXPECT_EQ(seen.work, 5U);
    ASSERT_EQ(seen.batches.size(), 2U);
    const auto tallies = [&](std::size_t batch) {
        const auto& all = seen.batches[batch].tallies;
        return std::vector<Tally>(all.begin(), all.begin() + 5);
    };
    EXPECT_EQ(tallies(0), (std::vector<Tally>{{1, 1}, {0, 1}, {1, 2}, {0, 2}, {1, 2}}));
    EXPECT_EQ(tallies(1),
              (std::vector<Tally>{{2 + 4 + 6 + 5, 4}, {2 + 4 + 4, 4}, {3 * 4 + 2 * 2 + 1, 7}, {0, 7}, {7, 7}}));
}

TEST(EventLoop, TellsHowFastTheNumberOfTasksGrows) {
    EventSettings s = settings(alike(1), Fifo{}, 1, 100);
    s.gap = workload::Constant{0.5};
    s.size = workload::Constant{1};
    const auto experiment = make_event_experiment(s);
    EXPECT_EQ(experiment->quantities()[3].name, "growth of tasks in system");
    // Tasks come at 1/2, 1, ..., 99 1/2 and complete at 3/2, 5/2, ..., 99 1/2.
    EXPECT_EQ(total(experiment->run({1, 0}, {}), 3), (Tally{199 - 99, 100}));
}

/// Data on servers 23..39 of two racks of twenty: too many to ask each, and the nearest are found all the same.
TEST(EventLoop, AsksTheNearestOfManyReplicas) {
    InstanceData data;
    data.name = "many";
    data.levels = {{"local", Rational(1)},
                   {"rack", Rational(Integer(1), Integer(2))},
                   {"remote", Rational(Integer(1), Integer(4))}};
    data.types = {{"any", {}}};
    for (std::size_t m = 0; m < 40; ++m) {
        data.servers.push_back({"s" + std::to_string(m), {"r" + std::to_string(m / 20)}});
        if (m >= 23) data.types[0].replicas.emplace_back(m);
    }
    data.rates = {Rational(1)};
    const SimulatedSystem system{std::make_shared<const Instance>(std::move(data))};
    for (const AnyPolicy& policy : {AnyPolicy(Fifo{}), AnyPolicy(GeneralizedCmu{})}) {
        EventSettings s = settings(system, policy, 1, 10);
        s.trace = std::make_shared<const input::JobTrace>(input::JobTrace{{{0, 22, 1}}, 0, 0, {}});
        const Observation seen = make_event_experiment(s)->run({1, 0}, {});
        const std::size_t first = seen.batches[0].tallies.size() - 3;
        EXPECT_EQ(total(seen, first).sum, 17);
        EXPECT_EQ(total(seen, first + 1).sum, 3);
        EXPECT_EQ(total(seen, first + 2).sum, 2);
    }
}

TEST(EventLoop, EveryIdleServerHelpsAQueueThatIsWorthIt) {
    InstanceData data;
    data.name = "helpers";
    data.levels = {{"local", Rational(1)}, {"remote", Rational(Integer(1), Integer(4))}};
    for (std::size_t m = 0; m < 4; ++m) data.servers.push_back({"s" + std::to_string(m), {}});
    data.types = {{"A", {ServerId(0)}}};
    data.rates = {Rational(1)};
    EventSettings s = settings({std::make_shared<const Instance>(std::move(data))}, PandasPlain{}, 1, 10);
    // Help pays from four tasks on: then the three other servers start one each.
    s.trace = std::make_shared<const input::JobTrace>(input::JobTrace{{{0, 4, 1}}, 0, 0, {}});
    const Observation seen = make_event_experiment(s)->run({1, 0}, {});
    EXPECT_EQ(total(seen, 0), (Tally{1 + 3 * 4, 4}));
    EXPECT_EQ(total(seen, 1), (Tally{0, 4}));
}

TEST(EventLoop, CompletionsComeBeforeTheArrivalOfTheSameInstant) {
    EventSettings s = settings(alike(1), Fifo{}, 1, 10);
    s.gap = workload::Constant{1};
    s.size = workload::Constant{1};
    const Observation seen = make_event_experiment(s)->run({1, 0}, {});
    EXPECT_EQ(total(seen, 1).sum, 0);
    EXPECT_EQ(mean(seen, 2), 0.9);
}

TEST(EventLoop, GivesTheSameOnAnyThreadWhateverRanBefore) {
    const auto experiment = make_event_experiment(settings(racks(8), JsqMaxWeight{}, 0.4, 2000));
    const Observation first = experiment->run({2, 0}, {}), other = experiment->run({2, 1}, {});
    EXPECT_FALSE(first == other);
    Observation on_thread;
    std::vector<double> parts;
    std::thread thread([&] { on_thread = experiment->run({2, 0}, [&](double part) { parts.push_back(part); }); });
    EXPECT_EQ(experiment->run({2, 1}, {}), other);
    thread.join();
    EXPECT_EQ(on_thread, first);
    EXPECT_EQ(parts.size(), 10U);
    EXPECT_EQ(parts.back(), 1);
}

TEST(EventLoop, RefusesWhatItCannotRun) {
    const auto complaint = [](const EventSettings& s) -> std::string {
        try {
            static_cast<void>(make_event_experiment(s));
        } catch (const InputError& error) {
            return error.place().key;
        }
        return "none";
    };
    const EventSettings sound = settings(racks(4), Fifo{}, 1, 100);
    EXPECT_EQ(complaint(sound), "none");
    const auto with = [&](auto change) {
        EventSettings s = sound;
        change(s);
        return complaint(s);
    };
    EXPECT_EQ(with([](auto& s) { s.duration = 0; }), "duration");
    EXPECT_EQ(with([](auto& s) { s.batches = 0; }), "batches");
    EXPECT_EQ(with([](auto& s) { s.tick = -1; }), "tick");
    EXPECT_EQ(with([](auto& s) { s.trace = std::make_shared<const input::JobTrace>(); }), "trace");
    EXPECT_EQ(with([](auto& s) { s.system.instance = nullptr; }), "system");
    EXPECT_EQ(with([](auto& s) {
                  s.system = alike(2);
                  s.system.random = RandomReplicas{2, 1};
                  s.policy = GeneralizedCmu{};
              }),
              "policy");
    const SimulatedSystem two = alike(2);
    const FluidPlan plan{Rational(Integer(1), Integer(2)),
                         {{TaskTypeId(0), ServerId(0), Rational(Integer(1), Integer(2))},
                          {TaskTypeId(0), ServerId(1), Rational(Integer(1), Integer(2))}}};
    EXPECT_EQ(complaint(settings(two, FluidModelPlanningDeficit(*two.instance, plan), 1, 100)), "policy");
    EXPECT_EQ(complaint(settings(two, FluidModelPlanningStatic(*two.instance, plan), 1, 100)), "none");
    EXPECT_EQ(with([](auto& t) {
                  t.system = alike(2);
                  t.system.random = RandomReplicas{2, 1};
                  const FluidPlan whole{Rational(1), {{TaskTypeId(0), ServerId(0), Rational(1)}}};
                  t.policy = FluidModelPlanningStatic(*t.system.instance, whole);
              }),
              "policy");
    const auto halves = make_event_experiment(settings(two, FluidModelPlanningStatic(*two.instance, plan), 1, 4000));
    EXPECT_NEAR(mean(halves->run({1, 0}, {}), 4), 0.5, 0.05);
}

}  // namespace
}  // namespace schedproof::simulation
