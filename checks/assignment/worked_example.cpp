#include "checks/assignment/worked_example.hpp"

#include <fmt/core.h>

#include "checks/assignment/witnesses.hpp"
#include "policies/assignment/registry.hpp"

namespace schedproof::checks {

using namespace assignment;

std::vector<WorkedRow> worked_example() {
    return {
        {"hadoop", "0", "7/2", 3, "1/4 p21 t1 L, 1/2 p12 t2 R, 3/4 p11 t3 R, 5/4 p21 t4 L, 2 p22 t5 R"},
        {"delay", "1/8", "29/8", 3, ""},
        {"delay", "1/4", "13/4", 2, ""},
        {"delay", "3/10", "13/4", 2, "1/4 p21 t1 L, 4/5 p12 t2 R, 21/20 p11 t3 R, 5/4 p21 t4 L, 9/4 p31 t5 L"},
        {"delay", "3/8", "13/4", 2, ""},
        {"delay", "2/5", "13/4", 2, ""},
        {"delay", "1/2", "13/4", 2, ""},
        {"delay", "3/4", "7/2", 2, ""},
        {"delay", "1", "15/4", 2, ""},
        {"delay", "3", "13/4", 0, ""},
        {"dyndlon", "1/8", "29/8", 2, ""},
        {"dyndlon", "1/4", "13/4", 1, ""},
        {"dyndlon", "3/10", "13/4", 1, "1/4 p21 t1 L, 4/5 p12 t2 R, 5/4 p21 t3 L, 2 p22 t4 L, 9/4 p31 t5 L"},
        {"dyndlon", "3/8", "13/4", 1, ""},
        {"dyndlon", "2/5", "13/4", 1, ""},
        {"dyndlon", "1/2", "13/4", 1, ""},
        {"dyndlon", "3/4", "13/4", 1, ""},
        {"dyndlon", "1", "13/4", 1, ""},
        {"dyndlon", "3", "13/4", 0, ""},
    };
}

ScheduleResult<Rational> run_registered(std::string_view policy, const Rational& wait,
                                        const Problem<Rational>& problem) {
    PolicyOptions options;
    options.wait = wait;
    Sampler randomness({});
    return run(make_policy(policy, options), problem, randomness);
}

std::string starts_in_words(const Problem<Rational>& problem, const ScheduleResult<Rational>& outcome) {
    std::string text;
    for (const Execution<Rational>& e : outcome.executions) {
        const ServerId s = problem.shape->server_of(e.core);
        text += fmt::format("{}{} p{}{} t{} {}", text.empty() ? "" : ", ", e.start.to_string(), s.index() + 1,
                            e.core.index() - problem.shape->core(s, 0).index() + 1, e.task.index() + 1,
                            e.local ? "L" : "R");
    }
    return text;
}

std::string worked_example_violation(const OnlineRun& run) {
    const Problem<Rational> problem = assignment_witness("table-2").problem;
    for (const WorkedRow& row : worked_example()) {
        const ScheduleResult<Rational> outcome = run(row.policy, *Rational::parse(row.wait), problem);
        std::size_t remote = 0;
        for (const Execution<Rational>& e : outcome.executions) remote += e.local ? 0 : 1;
        const std::string makespan = outcome.event_makespan ? outcome.event_makespan->to_string() : "none";
        const std::string starts = starts_in_words(problem, outcome);
        if (makespan == row.makespan && remote == row.remote && (row.starts.empty() || starts == row.starts)) continue;
        return fmt::format("{} with W = {} has makespan {} and {} remote tasks, not {} and {}: {}", row.policy,
                           row.wait, makespan, remote, row.makespan, row.remote, starts);
    }
    return "";
}

}  // namespace schedproof::checks
