/// The simulator in continuous time against the kernel of events: each event of a run is one that the kernel allows,
/// and the state after six events (four of batches on three servers or more) has the kernel's law, for every policy,
/// with every option.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "experiments/simulators/events/event_loop.hpp"
#include "experiments/simulators/events/own_queue_loop.hpp"
#include "experiments/simulators/events/preemptive_loop.hpp"
#include "tests/experiments/event_runs.hpp"
#include "tests/experiments/queueing_laws.hpp"
#include "tests/model/event_oracle.hpp"
#include "tests/model/generated_rules.hpp"
#include "tests/support/test_name.hpp"

namespace schedproof::simulation {
namespace {

using namespace queueing;

/// A cluster in continuous time with its own law of arrivals, under a policy.
struct Run {
    std::shared_ptr<const Instance> instance;
    AnyPolicy policy;
    EventPlan plan = make_event_plan(settings());

    [[nodiscard]] EventSettings settings() const {
        EventSettings s{{instance}, policy};
        s.gap = workload::Exponential{1 / instance->total_batch_rate().approximate()};
        return s;
    }
    [[nodiscard]] ExactSystem exact() const { return {*instance, policy}; }
    [[nodiscard]] bool counts_tasks() const { return !policy.layout(*instance).lists_tasks(); }
};

/// The law of the next state that differs: the clock of a server may ring for nothing.
Law<ExactState> jumps(const ExactSystem& system, const ExactState& state) {
    const Law<ExactState> law = system.kernel(state);
    const Rational some = Rational(1) - law.probability(state);
    Law<ExactState> jumps;
    for (const auto& [next, p] : law)
        if (!(next == state)) jumps.add(next, p / some);
    return jumps;
}

template <class Loop>
void expect_events_of_the_kernel(const Run& run) {
    const ExactSystem exact = run.exact();
    Loop loop(run.plan, {*rc::gen::inRange<std::uint64_t>(0, 1000), 0});
    ExactState state = exact.initial();
    for (int event = 0; event < 40; ++event) {
        loop.step();
        ExactState next = loop.state();
        RC_ASSERT(jumps(exact, state).probability(next) > 0);
        state = std::move(next);
    }
}

template <class Loop>
void expect_law_of_the_kernel(const Run& run) {
    // Random routing of batches over many servers leads to so many states that four events take as long.
    const int events = run.instance->batches() && run.instance->servers().size() > 2 ? 4 : 6;
    constexpr std::uint64_t runs = 400;
    SeenLengths seen;
    for (std::uint64_t r = 0; r < runs; ++r) {
        Loop loop(run.plan, {17, r});
        for (int event = 0; event < events; ++event) loop.step();
        std::vector<std::int64_t> key;
        for (const CheckedInt& n : loop.state().length) key.push_back(n.value());
        ++seen[key];
    }
    const ExactSystem exact = run.exact();
    const ExactLengths lengths =
        exact_lengths_after(exact.initial(), events, [&](const ExactState& now) { return jumps(exact, now); });
    RC_ASSERT(fit(lengths, seen, static_cast<double>(runs)) > 1e-7);
}

void expect_kernel(const Run& run) {
    if (run.instance->preemptive()) {
        expect_events_of_the_kernel<PreemptiveLoop>(run);
        return expect_law_of_the_kernel<PreemptiveLoop>(run);
    }
    if (run.counts_tasks()) expect_events_of_the_kernel<EventLoop>(run);
    expect_law_of_the_kernel<EventLoop>(run);
    if (!OwnQueueLoop::suits(run.plan)) return;
    if (run.counts_tasks()) expect_events_of_the_kernel<OwnQueueLoop>(run);
    expect_law_of_the_kernel<OwnQueueLoop>(run);
}

std::shared_ptr<const Instance> any_cluster(const std::string& like, oracle::InstanceWish wish) {
    return std::make_shared<const Instance>(*oracle::small_cluster_in_time(like, wish));
}

class EventsOfPolicy : public testing::TestWithParam<std::string> {};

TEST_P(EventsOfPolicy, AreThoseOfTheKernel) {
    const std::string id = GetParam();
    EXPECT_TRUE(rc::check(id + ": events, and the state after six of them", [&] {
        const auto instance = any_cluster(id, oracle::with_own_rates());
        expect_kernel({instance, make_policy(id, *instance, no_planner)});
    }));
}

INSTANTIATE_TEST_SUITE_P(Policies, EventsOfPolicy, testing::ValuesIn(oracle::policies_in_continuous_time()),
                         testing_support::named_by_id);

TEST(EventsOfGeneratedPolicies, AreThoseOfTheKernel) {
    EXPECT_TRUE(rc::check("generated policies: events, and the state after six of them", [] {
        const Rules rules = *oracle::any_rules();
        oracle::InstanceWish wish;
        wish.own_rates = !rules.names_rates_of_levels();
        const auto instance = any_cluster(oracle::policy_of_layout(rules), wish);
        const AnyPolicy policy{{"generated", "test", "drawn at random"}, rules};
        const ExactSystem exact(*instance, policy);
        try {
            for (const TaskTypeId type : instance->types()) static_cast<void>(exact.route(exact.initial(), type));
            expect_kernel({instance, policy});
        } catch (const InputError&) {  // routes a task nowhere
        }
    }));
}

/// Two classes before one server, the faster first, which interrupts the slower: 1/3 + 7/3 tasks ([cobham1954]).
TEST(PreemptiveRuns, HaveTheKnownMeanOfTwoClasses) {
    InstanceData data;
    data.name = "two-classes";
    data.time = ContinuousTime{};
    data.servers = {{"s0", {}}};
    data.types = {{"fast", {}}, {"slow", {}}};
    data.types[0].at_servers = {Rational(2)};
    data.types[1].at_servers = {Rational(1)};
    data.rates.assign(2, Rational(Integer(1), Integer(2)));
    data.options.preemption = Preemption::resume;
    const auto instance = std::make_shared<const Instance>(std::move(data));
    using namespace language;
    static constexpr auto faster = argmax(nonempty(reachable), language::rate * tasks(1));
    static constexpr Rules rules{keep(Arrangement::per_type), route(own_type), serve(faster)};
    EventSettings s{{instance}, AnyPolicy{{"priority", "test", "the faster first"}, rules}};
    s.gap = workload::Exponential{1};
    s.duration = 200'000;
    s.batches = 20;
    const auto experiment = make_event_experiment(s);
    const Observation seen = experiment->run({5, 0}, {});
    EXPECT_NEAR(event_runs::total(seen, 2).sum / s.duration, 8.0 / 3, 0.1);  // tasks in the system
    EXPECT_NEAR(event_runs::total(seen, 4).sum / s.duration, 0.75, 0.02);    // busy
    EXPECT_NEAR(event_runs::total(seen, 0).sum / event_runs::total(seen, 0).weight, 8.0 / 3, 0.1);
    // What is not execution is wait: 1/2 and 1 units of time are executed, in equal parts.
    EXPECT_NEAR((event_runs::total(seen, 0).sum - event_runs::total(seen, 1).sum) / event_runs::total(seen, 0).weight,
                0.75, 0.02);
}

/// A task is routed while others are executed, which then do not count as waiting: two servers that work are alike.
TEST(InterruptedTasks, AreInExecutionWhereOthersAreRouted) {
    InstanceData data;
    data.name = "two-servers";
    data.time = ContinuousTime{};
    data.servers = {{"s0", {}}, {"s1", {}}};
    data.types = {{"A", {}}};
    data.types[0].at_servers = {Rational(1), Rational(1)};
    data.rates = {Rational(7)};
    data.options.preemption = Preemption::resume;
    data.options.counting = Counting::waiting;
    const auto instance = std::make_shared<const Instance>(std::move(data));
    expect_law_of_the_kernel<PreemptiveLoop>({instance, make_policy("join-shortest-queue", *instance, no_planner)});
}

/// A server that turns to either of its two queues with probability 1/2, one of which is always empty, works half of
/// the time: M/M/1 with half its rate, so that a load of 1/4 leaves one task on average. A server that chose at
/// arrivals and ends alone would keep an empty answer until the next task comes.
TEST(InterruptedTasks, AreChosenAnewAtEveryRingOfTheClock) {
    InstanceData data;
    data.name = "two-queues";
    data.time = ContinuousTime{};
    data.levels = {{"local", Rational(1)}, {"remote", Rational(Integer(1), Integer(2))}};
    data.servers = {{"s0", {}}};
    data.types = {{"A", {ServerId(0)}}};
    data.rates = {Rational(Integer(1), Integer(4))};
    data.options.preemption = Preemption::resume;
    const auto instance = std::make_shared<const Instance>(std::move(data));
    using namespace language;
    static constexpr Rules rules{keep(Arrangement::per_server_and_level), route(local), serve(own_levels)};
    EventSettings s{{instance}, AnyPolicy{{"either", "test", "one of the server's queues"}, rules}};
    s.gap = workload::Exponential{4};
    s.duration = 400'000;
    s.batches = 20;
    const Observation seen = make_event_experiment(s)->run({5, 0}, {});
    EXPECT_NEAR(event_runs::total(seen, 2).sum / s.duration, 1, 0.05);
}

}  // namespace
}  // namespace schedproof::simulation
