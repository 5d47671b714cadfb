/// Which of its own tasks a server takes: in runs followed slot by slot, and against queues per server that list their
/// tasks in order, for which fcfs is no option but what a queue is.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "experiments/simulators/events/event_loop.hpp"
#include "experiments/simulators/slotted/slotted.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/balanced_pandas.hpp"
#include "policies/queueing/jsq_maxweight.hpp"
#include "tests/experiments/queueing_laws.hpp"
#include "tests/experiments/simulated_systems.hpp"
#include "tests/model/queueing_generators.hpp"

namespace schedproof::simulation {
namespace {

using namespace queueing::language;
using queueing::ExactState;
using queueing::Instance;
using queueing::InstanceData;

/// Join the server of fewest tasks, whatever the level; a queue per level, or one that lists its tasks.
struct QueuesPerLevel {
    static constexpr PolicyInfo info{"queues-per-level", "test", "join the shortest server; most local first"};
    static constexpr queueing::Rules rules{keep(queueing::Arrangement::per_server_and_level),
                                           route(argmin(servers, server_length)),
                                           serve(most_local(nonempty(own_levels)))};
};
struct QueuePerServer {
    static constexpr PolicyInfo info{"queue-per-server", "test", "join the shortest server; in order of arrival"};
    static constexpr queueing::Rules rules{keep(queueing::Arrangement::per_server),
                                           route(argmin(servers, server_length)), serve(nonempty(own))};
};

/// Type A has its data on server 0, B on server 1, and a task of each comes in every slot.
InstanceData two_servers() {
    InstanceData data;
    data.name = "two";
    data.levels = {{"local", Rational(1)}, {"remote", over(1, 2)}};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {ServerId(0)}}, {"B", {ServerId(1)}}};
    data.rates = {Rational(1), Rational(1)};
    data.arrivals = queueing::ArrivalLaw::bernoulli(data.rates);
    return data;
}

SimulatedSystem with(InstanceData data, Discipline discipline) {
    SimulatedSystem system{std::make_shared<const Instance>(std::move(data))};
    system.discipline = discipline;
    return system;
}

/// Lengths, of servers that are idle.
StartState at(const std::vector<std::int64_t>& lengths) {
    ExactState start;
    for (const std::int64_t length : lengths) start.length.emplace_back(length);
    start.serving.resize(2);
    return std::make_shared<const ExactState>(start);
}

SeenLengths seen_after(const SimulatedSystem& system, const queueing::AnyPolicy& policy, const StartState& start,
                       int slots, std::uint64_t runs) {
    SeenLengths seen;
    for (std::uint64_t r = 0; r < runs; ++r) {
        SlottedRun<> run(system, policy, {100, 1, r % 2 == 0, {}, start}, {41, r});
        for (int t = 0; t < slots; ++t) run.step();
        ++seen[lengths_of(run)];
    }
    return seen;
}

/// Server 1 has so many tasks that all join server 0: of local and of remote tasks one in every slot. In slot 0 it is
/// idle. In slot 1 it takes either of the two of slot 0: the local one leaves (1, 2); the remote one leaves (2, 1), or
/// (2, 2) when it goes on. In slot 2, from (1, 2) it takes the remote task of slot 0, which leaves (2, 2) or (2, 3);
/// from (2, 1) the local one of slot 0, which leaves (2, 2); and going on leaves (3, 2) or (3, 3). The most local
/// first, it never takes a remote task.
TEST(Discipline, IsFollowedAsByHand) {
    const StartState start = at({0, 0, 1000, 0});
    const ExactLengths fcfs{
        {{2, 2, 997, 0}, 0.5}, {{2, 3, 997, 0}, 0.25}, {{3, 2, 997, 0}, 0.125}, {{3, 3, 997, 0}, 0.125}};
    const ExactLengths local_first{{{1, 3, 997, 0}, 1}};
    constexpr std::uint64_t runs = 4000;
    const queueing::AnyPolicy policy = queueing::BalancedPandasIdle{};
    const auto in_order = seen_after(with(two_servers(), Discipline::fcfs), policy, start, 3, runs);
    const auto by_level = seen_after(with(two_servers(), Discipline::local_first), policy, start, 3, runs);
    EXPECT_GT(fit(fcfs, in_order, runs), 1e-7);
    EXPECT_EQ(by_level, (SeenLengths{{{1, 3, 997, 0}, runs}}));
    EXPECT_LT(fit(fcfs, by_level, runs), 1e-7) << "another discipline must be noticed";
    EXPECT_LT(fit(local_first, in_order, runs), 1e-7) << "another discipline must be noticed";
}

/// A server without work turns to its queue of local tasks. So in slot 0 the local task starts and ends. In slot 1 the
/// remote one of slot 0 starts, which leaves (1, 1) or (1, 2). In slot 2, from (1, 1) either task of slot 1 starts: the
/// local one leaves (1, 2), the remote one (2, 1) or (2, 2); and going on leaves (2, 2) or (2, 3).
TEST(Discipline, ALocalTaskMayStartWhereItArrives) {
    const ExactLengths after{
        {{1, 2, 997, 0}, 0.25}, {{2, 1, 997, 0}, 0.125}, {{2, 2, 997, 0}, 0.375}, {{2, 3, 997, 0}, 0.25}};
    const auto seen =
        seen_after(with(two_servers(), Discipline::fcfs), queueing::BalancedPandas{}, at({0, 0, 1000, 0}), 3, 4000);
    EXPECT_GT(fit(after, seen, 4000), 1e-7);
}

/// A local and two remote tasks of the start stand in any order: with probability 1/3 the local one is first.
TEST(Discipline, TasksOfTheStartStandInAnyOrder) {
    const ExactLengths after{{{1, 3, 999, 0}, 1 / 3.}, {{2, 2, 999, 0}, 1 / 3.}, {{2, 3, 999, 0}, 1 / 3.}};
    const auto seen =
        seen_after(with(two_servers(), Discipline::fcfs), queueing::BalancedPandas{}, at({1, 2, 1000, 0}), 1, 3000);
    EXPECT_GT(fit(after, seen, 3000), 1e-7);
}

SeenLengths by_server(const SeenLengths& by_queue, std::size_t levels) {
    SeenLengths sums;
    for (const auto& [lengths, runs] : by_queue) {
        std::vector<std::int64_t> of(lengths.size() / levels, 0);
        for (std::size_t q = 0; q < lengths.size(); ++q) of[q / levels] += lengths[q];
        sums[of] += runs;
    }
    return sums;
}

/// The exact law knows the order of a server's tasks where one queue lists them.
TEST(Discipline, FcfsHasTheLawOfOneListPerServer) {
    EXPECT_TRUE(rc::check("tasks of each server after some slots follow the exact law of lists", [] {
        InstanceData data = (*oracle::small_instance("random-any")).data();
        data.options.unmatched = queueing::Unmatched::idle;
        const std::size_t levels = data.levels.size();
        const SimulatedSystem system = with(data, Discipline::fcfs);
        const queueing::ExactSystem lists(*system.instance, QueuePerServer{});
        const int slots = *rc::gen::inRange(1, 4);
        const auto seen = by_server(seen_after(system, QueuesPerLevel{}, nullptr, slots, 400), levels);
        RC_ASSERT(fit(exact_lengths(lists, slots), seen, 400) > 1e-7);
    }));
}

Observation in_time(const queueing::AnyPolicy& policy, Discipline discipline, bool recorded) {
    InstanceData data = two_servers();
    data.rates = {over(3, 5), over(1, 5)};
    data.arrivals = queueing::ArrivalLaw::bernoulli(data.rates);
    EventSettings settings{with(std::move(data), discipline), policy};
    settings.gap = workload::Exponential{0.9};
    settings.batches = 10;
    settings.duration = 500;
    if (recorded)  // several tasks at a time
        settings.trace = std::make_shared<const input::JobTrace>(
            input::JobTrace{{{0, 5, 1}, {1, 4, 3}, {2, 7, 2}, {90, 6, 1}, {91, 9, 2}}, 0, 0, {}});
    return make_event_experiment(settings)->run({11, 2}, {});
}

/// On the same random numbers, to the last bit.
TEST(Discipline, FcfsIsOneListPerServerInContinuousTime) {
    for (const bool recorded : {false, true}) {
        const Observation lists = in_time(QueuePerServer{}, Discipline::local_first, recorded);
        EXPECT_EQ(in_time(QueuesPerLevel{}, Discipline::fcfs, recorded), lists);
        EXPECT_NE(in_time(QueuesPerLevel{}, Discipline::local_first, recorded), lists);
    }
}

TEST(Discipline, IsRefusedWhereARuleSaysWhichQueueAServerTurnsTo) {
    for (const queueing::AnyPolicy& policy :
         {queueing::AnyPolicy(queueing::JsqMaxWeight{}), queueing::AnyPolicy(QueuePerServer{})}) {
        const SimulatedSystem system = with(two_servers(), Discipline::fcfs);
        EXPECT_THROW(static_cast<void>(slotted_experiment(system, policy, {})), InputError);
        EXPECT_THROW(static_cast<void>(make_event_experiment({system, policy})), InputError);
        EXPECT_FALSE(takes_own_by_level(policy));
    }
    EXPECT_TRUE(takes_own_by_level(QueuesPerLevel{}));
    EXPECT_TRUE(takes_own_by_level(queueing::BalancedPandas{}));
    EXPECT_TRUE(takes_own_by_level(queueing::BalancedPandasIdle{}));
}

}  // namespace
}  // namespace schedproof::simulation
