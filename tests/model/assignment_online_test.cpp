/// The event loop of online policies against the naive oracle, on random small clusters; every number of Table 2; and
/// the mutants that the comparison must refute.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

#include "model/assignment/online.hpp"
#include "model/assignment/unscheduled.hpp"
#include "policies/assignment/delay_scheduling.hpp"
#include "policies/assignment/dyndlon.hpp"
#include "policies/assignment/hadoop.hpp"
#include "tests/model/assignment_online_oracle.hpp"
#include "tests/proofs/assignment_generators.hpp"
#include "tests/support/assignment_instances.hpp"

namespace schedproof::assignment {
namespace {

using oracle::Faults;
using oracle::Rule;
using ::schedproof::testing_support::table_two;
using testing_support::q;

/// Takes the first of everything; the oracle and the engine ask it alike.
struct First {
    static std::size_t draw(const DiscreteDistribution&) { return 0; }
    static std::size_t uniform(std::size_t) { return 0; }
    static std::size_t proportional(std::span<const std::uint64_t>) { return 0; }
};

template <Randomness R>
ScheduleResult<Rational> engine(const Problem<Rational>& problem, Rule rule, const Rational& w, Pick pick,
                                JobOrder jobs, WaitFrom from, R& randomness) {
    if (rule == Rule::hadoop) return Hadoop{pick, jobs}.schedule(problem, randomness);
    if (rule == Rule::delay) return DelayScheduling{w, pick, jobs}.schedule(problem, randomness);
    return DynDlOn{w, from, rule == Rule::one_remote, pick, jobs}.schedule(problem, randomness);
}

std::string text(const ScheduleResult<Rational>& outcome) {
    std::string words;
    for (const Execution<Rational>& e : outcome.executions)
        words += std::to_string(e.core.index()) + " " + std::to_string(e.task.index()) + " " + e.start.to_string() +
                 " " + e.finish.to_string() + (e.local ? " L; " : " R; ");
    return words;
}

/// One random case: a problem whose tasks belong to jobs, a rule and its wait.
struct Case {
    Problem<Rational> problem;
    Rule rule;
    Rational wait;
    JobOrder jobs;
};

/// The problem with a new job beginning at some of its tasks, and of each replica set the first `replicas`, or
/// all data on server 0.
Problem<Rational> with_jobs(Problem<Rational> problem, const std::vector<bool>& next_job, std::size_t replicas = 3) {
    std::vector<JobId> jobs;
    Replicas sets;
    std::size_t job = 0;
    for (const TaskId t : problem.shape->tasks()) {
        if (t.index() > 0 && next_job[t.index() % next_job.size()]) ++job;
        jobs.emplace_back(job);
        const auto holders = problem.shape->replicas(t);
        if (replicas == 0)
            sets.add(std::vector{ServerId(0)});
        else
            sets.add(holders.first(std::min(replicas, holders.size())));
    }
    std::vector<std::uint32_t> cores;
    for (const ServerId s : problem.shape->servers())
        cores.push_back(static_cast<std::uint32_t>(problem.shape->cores_of(s)));
    problem.shape = std::make_shared<const Shape>(cores, std::move(sets), std::move(jobs));
    return problem;
}

/// More tasks than cores, so that cores come back, and waits about as long as tasks.
rc::Gen<Case> any_case(testing_support::Sizes most = {3, 3, 14}) {
    return rc::gen::exec([most] {
        Problem<Rational> problem = *testing_support::small_problem(most);
        // With few replicas, some servers run out of local tasks early.
        problem = with_jobs(std::move(problem), *rc::gen::container<std::vector<bool>>(5, rc::gen::arbitrary<bool>()),
                            *rc::gen::element<std::size_t>(0, 0, 1, 2));
        return Case{std::move(problem), *rc::gen::element(Rule::hadoop, Rule::delay, Rule::dyndlon, Rule::one_remote),
                    testing_support::quarters(*rc::gen::inRange(0, 12)),
                    *rc::gen::element(JobOrder::fifo, JobOrder::fair)};
    });
}

std::string expected(const Case& c, const Faults& faults = {}) {
    const auto first = [](std::size_t) { return std::size_t{0}; };
    return oracle::text(oracle::EventLoop(c.problem, c.rule, c.wait, c.jobs == JobOrder::fair, faults, first).run());
}
std::string actual(const Case& c, WaitFrom from = WaitFrom::idle) {
    First randomness;
    return text(engine(c.problem, c.rule, c.wait, Pick::lowest, c.jobs, from, randomness));
}

RC_GTEST_PROP(OnlineRun, IsTheNaiveOne, ()) {
    const Case c = *any_case();
    RC_LOG() << testing_support::text(c.problem) << " W " << c.wait << "\n";
    RC_ASSERT(actual(c) == expected(c));
}

RC_GTEST_PROP(OnlineRun, IsTheNaiveOneWhenRunningCountsAsWaiting, ()) {
    Case c = *any_case();
    if (c.rule == Rule::hadoop || c.rule == Rule::delay) c.rule = Rule::dyndlon;
    Faults printed;
    printed.wait_from_last_start = true;
    RC_LOG() << testing_support::text(c.problem) << " W " << c.wait << "\n";
    RC_ASSERT(actual(c, WaitFrom::last_start) == expected(c, printed));
}

RC_GTEST_PROP(OnlineRun, RandomPicksHaveTheNaiveLaw, ()) {
    const Case c = *any_case({3, 2, 4});
    const auto law = enumerate([&](auto& randomness) {
        return text(engine(c.problem, c.rule, c.wait, Pick::random, c.jobs, WaitFrom::idle, randomness));
    });
    const auto naive = enumerate([&](auto& randomness) {
        const auto choose = [&](std::size_t n) { return randomness.uniform(n); };
        return oracle::text(oracle::EventLoop(c.problem, c.rule, c.wait, c.jobs == JobOrder::fair, {}, choose).run());
    });
    const auto as_map = [](const auto& l) {
        std::map<std::string, Rational> m;
        for (const auto& [outcome, p] : l) m.emplace(outcome, p);
        return m;
    };
    RC_LOG() << testing_support::text(c.problem) << " W " << c.wait << "\n";
    RC_ASSERT(as_map(law) == as_map(naive));
}

RC_GTEST_PROP(OnlineRun, KeepsTheBooks, ()) {
    const Case c = *any_case();
    First randomness;
    const auto outcome = engine(c.problem, c.rule, c.wait, Pick::lowest, c.jobs, WaitFrom::idle, randomness);
    const std::size_t tasks = c.problem.shape->tasks().size();
    RC_ASSERT(outcome.executions.size() == tasks);
    RC_ASSERT(outcome.assignment.size() == tasks);
    RC_ASSERT(outcome.event_makespan.has_value() == (tasks > 0));
    std::vector<Rational> free = c.problem.initial;  // by core
    std::vector<int> times_run(tasks, 0);
    Rational last(0);
    for (const auto& e : outcome.executions) {
        RC_ASSERT(outcome.assignment[e.task.index()] == e.core);
        RC_ASSERT(e.local == c.problem.shape->is_local(e.task, c.problem.shape->server_of(e.core)));
        RC_ASSERT(++times_run[e.task.index()] == 1);
        RC_ASSERT(e.start >= free[e.core.index()]);
        RC_ASSERT(e.finish - e.start >= c.problem.local);
        RC_ASSERT(e.start >= last);
        RC_ASSERT(e.finish <= *outcome.event_makespan);
        last = e.start;
        free[e.core.index()] = e.finish;
    }
}

/// A rule that never allows a remote task leaves no task behind: each has a home.
RC_GTEST_PROP(OnlineRun, EndsWithoutAnyRemoteTask, ()) {
    const Case c = *any_case();
    First randomness;
    const auto never = [](std::size_t, const CostFunction<Rational>&) { return std::optional<Rational>(); };
    const auto outcome = run_online(c.problem, never, Unscheduled(*c.problem.shape, Pick::lowest, c.jobs, randomness));
    RC_ASSERT(outcome.executions.size() == c.problem.shape->tasks().size());
    for (const auto& e : outcome.executions) RC_ASSERT(e.local);
}

RC_GTEST_PROP(OnlineRun, OneRemoteMeansOneAtATime, ()) {
    Case c = *any_case();
    First randomness;
    const auto outcome = engine(c.problem, Rule::one_remote, c.wait, Pick::lowest, c.jobs, WaitFrom::idle, randomness);
    for (const auto& a : outcome.executions)
        for (const auto& b : outcome.executions) {
            const bool same = c.problem.shape->server_of(a.core) == c.problem.shape->server_of(b.core);
            if (a.local || b.local || a.task == b.task || !same) continue;
            RC_ASSERT(a.finish <= b.start || b.finish <= a.start);
        }
}

/// Every fault shows on one of a few hundred cases, or the comparison would be blind to it.
TEST(OnlineRun, MutantsAreRefuted) {
    const std::map<std::string, bool Faults::*> faults{{"remote round before local round", &Faults::remote_round_first},
                                                       {"no re-pricing", &Faults::no_repricing},
                                                       {"prices fall again", &Faults::shorter_again},
                                                       {"strict > in the wait", &Faults::strict_wait},
                                                       {"A3 as printed", &Faults::wait_from_last_start},
                                                       {"delay frozen when idle", &Faults::frozen_delay},
                                                       {"r_s counts ended tasks", &Faults::all_remote_count}};
    for (const auto& [name, member] : faults) {
        Faults fault;
        fault.*member = true;
        int refuted = 0;
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            const Case c = any_case()(rc::Random(seed), rc::kNominalSize).value();
            if (actual(c) != expected(c, fault)) ++refuted;
        }
        EXPECT_GT(refuted, 0) << name;
        RecordProperty(name, refuted);
    }
}

/// A row of the worked example's table: policy, wait, makespan, number of remote tasks.
struct Row {
    Rule rule;
    const char* wait;
    const char* makespan;
    std::size_t remote;
};

TEST(OnlineRun, TableTwoRowByRow) {
    const Row rows[] = {
        {Rule::hadoop, "0", "7/2", 3},      {Rule::delay, "1/8", "29/8", 3},   {Rule::delay, "1/4", "13/4", 2},
        {Rule::delay, "3/10", "13/4", 2},   {Rule::delay, "3/8", "13/4", 2},   {Rule::delay, "2/5", "13/4", 2},
        {Rule::delay, "1/2", "13/4", 2},    {Rule::delay, "3/4", "7/2", 2},    {Rule::delay, "1", "15/4", 2},
        {Rule::delay, "3", "13/4", 0},      {Rule::dyndlon, "1/8", "29/8", 2}, {Rule::dyndlon, "1/4", "13/4", 1},
        {Rule::dyndlon, "3/10", "13/4", 1}, {Rule::dyndlon, "3/8", "13/4", 1}, {Rule::dyndlon, "2/5", "13/4", 1},
        {Rule::dyndlon, "1/2", "13/4", 1},  {Rule::dyndlon, "3/4", "13/4", 1}, {Rule::dyndlon, "1", "13/4", 1},
        {Rule::dyndlon, "3", "13/4", 0}};
    const Problem<Rational> problem = table_two();
    for (const Row& row : rows) {
        First randomness;
        const auto outcome =
            engine(problem, row.rule, q(row.wait), Pick::lowest, JobOrder::fifo, WaitFrom::idle, randomness);
        EXPECT_EQ(*outcome.event_makespan, q(row.makespan)) << row.wait;
        EXPECT_EQ(evaluate(problem, outcome.assignment).remote_tasks, row.remote) << row.wait;
    }
}

/// Example 1 and Figure 2, start by start: core, task, start, end. Cores 0..7 are p11, p12, ..., p42.
TEST(OnlineRun, ExampleOne) {
    const Problem<Rational> problem = table_two();
    const auto executions = [&](Rule rule, const char* wait) {
        First randomness;
        return text(engine(problem, rule, q(wait), Pick::lowest, JobOrder::fifo, WaitFrom::idle, randomness));
    };
    EXPECT_EQ(executions(Rule::hadoop, "0"),
              "2 0 1/4 5/4 L; 1 1 1/2 5/2 R; 0 2 3/4 11/4 R; 2 3 5/4 9/4 L; 3 4 2 7/2 R; ");
    EXPECT_EQ(executions(Rule::delay, "3/10"),
              "2 0 1/4 5/4 L; 1 1 4/5 14/5 R; 0 2 21/20 61/20 R; 2 3 5/4 9/4 L; 4 4 9/4 13/4 L; ");
    EXPECT_EQ(executions(Rule::dyndlon, "3/10"),
              "2 0 1/4 5/4 L; 1 1 4/5 23/10 R; 2 2 5/4 9/4 L; 3 3 2 3 L; 4 4 9/4 13/4 L; ");
    // p31 becomes free at 9/4, exactly when p11 has waited its 3/2: the local round comes first.
    EXPECT_EQ(executions(Rule::dyndlon, "3/4"),
              "2 0 1/4 5/4 L; 2 1 5/4 9/4 L; 1 2 5/4 11/4 R; 3 3 2 3 L; 4 4 9/4 13/4 L; ");
}

TEST(OnlineRun, WithoutTasksNothingHappens) {
    const auto problem = ::schedproof::testing_support::assignment_problem(
        {{"1"}, {"2", "0"}}, {}, {::schedproof::testing_support::table({"2"})});
    First randomness;
    const auto outcome = Hadoop{}.schedule(problem, randomness);
    EXPECT_TRUE(outcome.assignment.empty() && outcome.executions.empty());
    EXPECT_FALSE(outcome.event_makespan.has_value());
}

TEST(OnlineRun, AWaitMustBeWholeTicks) {
    const Problem<CheckedInt> problem = in_ticks(table_two(), Integer(4));
    First randomness;
    EXPECT_THROW((void)DelayScheduling{q("3/10")}.schedule(problem, randomness), LimitExceeded);
    EXPECT_EQ(DelayScheduling{q("3/4")}.schedule(problem, randomness).event_makespan, CheckedInt(14));
}

/// Two jobs, one core that is local to both: first come first served, or whoever runs less.
TEST(OnlineRun, JobsInTheirOrder) {
    Problem<Rational> problem = ::schedproof::testing_support::assignment_problem(
        {{"0", "0"}}, {{0}, {0}, {0}, {0}}, {::schedproof::testing_support::table({"2"})});
    problem = with_jobs(problem, {false, false, true, false, false});
    First randomness;
    const auto executions = [&](JobOrder order) {
        return text(Hadoop{Pick::lowest, order}.schedule(problem, randomness));
    };
    EXPECT_EQ(executions(JobOrder::fifo), "0 0 0 1 L; 1 1 0 1 L; 0 2 1 2 L; 1 3 1 2 L; ");
    EXPECT_EQ(executions(JobOrder::fair), "0 0 0 1 L; 1 2 0 1 L; 0 1 1 2 L; 1 3 1 2 L; ");
}

}  // namespace
}  // namespace schedproof::assignment
