#include "checks/assignment/properties/schedule_properties.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
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

std::string against_event_loop(const AssignmentProblem& problem, const ScheduleResult<Rational>& outcome) {
    const Shape& shape = *problem.shape;
    const std::size_t tasks = shape.tasks().size();
    if (outcome.executions.size() != tasks) return fmt::format("{} of {} tasks run", outcome.executions.size(), tasks);
    std::vector<bool> ran(tasks, false);
    std::vector<Rational> free = problem.initial;
    std::map<ServerId, std::size_t> remote;
    for (const auto& e : outcome.executions)
        if (!shape.is_local(e.task, shape.server_of(e.core))) ++remote[shape.server_of(e.core)];
    Rational last;
    for (const auto& e : outcome.executions) {
        const ServerId s = shape.server_of(e.core);
        const Rational cost = e.finish - e.start;
        if (ran[e.task.index()]) return fmt::format("task {} runs twice", e.task.index());
        ran[e.task.index()] = true;
        if (outcome.assignment[e.task.index()] != e.core) return "the executions and the map differ";
        if (e.start < free[e.core.index()])
            return fmt::format("core {} starts a task before it is free", e.core.index());
        free[e.core.index()] = e.finish;
        last = std::max(last, e.finish);
        if (e.local != shape.is_local(e.task, s)) return fmt::format("task {} is called local wrongly", e.task.index());
        if (e.local ? cost != problem.local : cost < problem.cost(s)(1) || cost > problem.cost(s)(remote[s]))
            return fmt::format("task {} costs {}", e.task.index(), cost.to_string());
    }
    if (tasks > 0 && outcome.event_makespan != last) return "the event makespan is not the last finish";
    return "";
}

}  // namespace

std::string against_consistency(const AssignmentProblem& problem, const ScheduleResult<Rational>& outcome,
                                bool online) {
    if (outcome.assignment.size() != problem.shape->tasks().size()) return "not every task has a core";
    for (const CoreId p : outcome.assignment)
        if (p.index() >= problem.shape->cores().size()) return "a task is on a core that is not there";
    return online ? against_event_loop(problem, outcome) : "";
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
