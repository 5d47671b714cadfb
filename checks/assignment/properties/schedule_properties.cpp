#include "checks/assignment/properties/schedule_properties.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "model/core/errors.hpp"

namespace schedproof::checks {

using namespace assignment;

std::vector<ScheduleResult<Rational>> outcomes_of(const AnyPolicy& policy, const AssignmentProblem& problem) {
    constexpr std::size_t most = 10'000;
    std::vector<ScheduleResult<Rational>> all;
    enumerate_each([&](Enumerator& randomness) { return run(policy, problem, randomness); },
                   [&](ScheduleResult<Rational> outcome, const Fraction&) {
                       if (all.size() == most)
                           throw LimitExceeded("outcomes", "the policy's draws have more than 10'000 outcomes");
                       all.push_back(std::move(outcome));
                   });
    return all;
}

ScheduleResult<Rational> outcome_of(const AnyPolicy& policy, const AssignmentProblem& problem) {
    Enumerator first;
    return run(policy, problem, first);
}

namespace {

/// When tasks end that start so, in this order: a remote one lasts as long as the dearest price while it runs.
std::vector<Rational> ends_by_model(const AssignmentProblem& problem,
                                    const std::vector<Execution<Rational>>& executions) {
    const Shape& shape = *problem.shape;
    std::vector<Rational> ends;
    for (std::size_t i = 0; i < executions.size(); ++i) {
        const ServerId s = shape.server_of(executions[i].core);
        ends.push_back(executions[i].start + problem.local);
        if (executions[i].local) continue;
        std::vector<std::size_t> running{i};
        for (std::size_t j = 0; j < i; ++j)
            if (!executions[j].local && shape.server_of(executions[j].core) == s && executions[i].start < ends[j])
                running.push_back(j);
        for (const std::size_t j : running)
            ends[j] = std::max(ends[j], executions[j].start + problem.cost(s)(running.size()));
    }
    return ends;
}

std::string against_event_loop(const AssignmentProblem& problem, const ScheduleResult<Rational>& outcome) {
    const Shape& shape = *problem.shape;
    const auto& executions = outcome.executions;
    const std::size_t tasks = shape.tasks().size();
    if (executions.size() != tasks) return fmt::format("{} of {} tasks run", executions.size(), tasks);
    std::vector<bool> ran(tasks, false);
    std::vector<Rational> free = problem.initial;
    std::optional<Rational> last;
    for (std::size_t i = 0; i < tasks; ++i) {
        const Execution<Rational>& e = executions[i];
        const std::size_t t = e.task.index();
        if (t >= tasks) return "a task runs that there is not";
        if (ran[t]) return fmt::format("task {} runs twice", t);
        ran[t] = true;
        if (outcome.assignment[t] != e.core) return fmt::format("task {} runs elsewhere than it is assigned to", t);
        if (e.local != shape.is_local(e.task, shape.server_of(e.core)))
            return fmt::format("task {} is called local wrongly", t);
        if (e.start < free[e.core.index()])
            return fmt::format("core {} starts a task before it is free", e.core.index());
        if (i > 0 && e.start < executions[i - 1].start) return "the executions are not in the order of their starts";
        free[e.core.index()] = e.finish;
        if (!last || *last < e.finish) last = e.finish;
    }
    const std::vector<Rational> ends = ends_by_model(problem, executions);
    for (std::size_t i = 0; i < tasks; ++i)
        if (executions[i].finish != ends[i])
            return fmt::format("task {} ends at {}, and by its start at {}", executions[i].task.index(),
                               executions[i].finish.to_string(), ends[i].to_string());
    return outcome.event_makespan == last ? "" : "the event makespan is not the last finish";
}

}  // namespace

std::string against_consistency(const AssignmentProblem& problem, const ScheduleResult<Rational>& outcome,
                                bool online) {
    if (outcome.assignment.size() != problem.shape->tasks().size()) return "not every task has a core";
    for (const CoreId p : outcome.assignment)
        if (p.index() >= problem.shape->cores().size()) return "a task is on a core that is not there";
    if (online) return against_event_loop(problem, outcome);
    return outcome.executions.empty() && !outcome.event_makespan
               ? ""
               : "it has executions and does not state that it is online";
}

std::string against_local_first(const AssignmentProblem& problem, const ScheduleResult<Rational>& outcome) {
    for (std::size_t i = 0; i < outcome.executions.size(); ++i) {
        const ServerId s = problem.shape->server_of(outcome.executions[i].core);
        if (problem.shape->is_local(outcome.executions[i].task, s)) continue;
        for (std::size_t later = i + 1; later < outcome.executions.size(); ++later)
            if (problem.shape->is_local(outcome.executions[later].task, s))
                return fmt::format("server {} starts task {} remotely while task {}, local to it, waits", s.index(),
                                   outcome.executions[i].task.index(), outcome.executions[later].task.index());
    }
    return "";
}

std::string against_ratio(const AssignmentProblem& problem, const ScheduleResult<Rational>& outcome,
                          const Rational& bound) {
    if (problem.shape->tasks().size() == 0) return "";
    const Rational makespan = *totals(problem, outcome.assignment).makespan;
    const Rational optimum = Exhaustive(problem).optimum();
    if (makespan <= bound * optimum) return "";
    return fmt::format("the makespan is {}, the optimum {}: more than {} times as much", makespan.to_string(),
                       optimum.to_string(), bound.to_string());
}

}  // namespace schedproof::checks
