/// A policy's map of tasks to cores, for a framework to carry out: who runs what, where, and when.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/command/core/answer_fields.hpp"
#include "experiments/input/placement/task_placement.hpp"
#include "model/assignment/policy.hpp"
#include "model/core/rational.hpp"

namespace schedproof::cli {

/// One task of a map; times are in parts of a local task's cost, from when the initial loads were taken.
struct MapRow {
    TaskId task;
    CoreId core;
    bool local = true;
    Rational start;
    Rational finish;
};

/// A time in parts of a local task's cost.
[[nodiscard]] inline Rational in_local_tasks(const Rational& time, const Rational&) { return time; }
[[nodiscard]] inline Rational in_local_tasks(CheckedInt time, CheckedInt local) {
    return Rational(time.value()) / Rational(local.value());
}

/// Tasks core by core, local ones first; in the event loop they start as they did.
template <Number N>
[[nodiscard]] std::vector<MapRow> map_rows(const assignment::Problem<N>& problem,
                                           const assignment::ScheduleResult<N>& outcome) {
    const assignment::Shape& shape = *problem.shape;
    std::vector<MapRow> rows(outcome.assignment.size());
    if (!outcome.executions.empty()) {
        for (const assignment::Execution<N>& e : outcome.executions)
            rows[e.task.index()] = {e.task, e.core, e.local, in_local_tasks(e.start, problem.local),
                                    in_local_tasks(e.finish, problem.local)};
        return rows;
    }
    const assignment::Evaluation<N> evaluation = assignment::evaluate(problem, outcome.assignment);
    std::vector<N> free = problem.initial;
    for (const bool local : {true, false})
        for (const TaskId t : shape.tasks()) {
            const CoreId p = outcome.assignment[t.index()];
            const ServerId s = shape.server_of(p);
            if (shape.is_local(t, s) != local) continue;
            const N start = free[p.index()];
            free[p.index()] = start + (local ? problem.local : problem.cost(s)(evaluation.remote[s.index()]));
            rows[t.index()] = {t, p, local, in_local_tasks(start, problem.local),
                               in_local_tasks(free[p.index()], problem.local)};
        }
    return rows;
}

/// Throws InputError unless the name ends in .csv or .json.
void require_map_name(const std::string& path);

/// Writes the map in the form that the name ends with. Memory: one row.
/// Throws InputError when the file cannot be written.
void write_map(const std::string& path, const input::PlacedTasks& tasks, std::string_view policy,
               const std::vector<MapRow>& rows);
/// Its form in JSON.
[[nodiscard]] base::Form map_form();

}  // namespace schedproof::cli
