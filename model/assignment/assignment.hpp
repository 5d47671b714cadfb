/// Assignments of tasks to cores and what they cost.
///
/// Every remote task of a server pays the price for the server's total number of remote tasks, also when they run one
/// after another on one core. The makespan is the largest load of an *active* core, one that got a task: a core with a
/// large initial load and no task does not count.
/// Source: [jin2018], Section 3; docs/models/assignment.md, Interpretation A1.
#pragma once

#include <optional>
#include <vector>

#include "model/assignment/problem.hpp"

namespace schedproof::assignment {

/// A: T -> P, by task.
using Assignment = std::vector<CoreId>;

/// Loads and counts of an assignment, computed without a comparison.
template <Number N>
struct Totals {
    std::vector<N> load;                ///< by core, initial load included
    std::vector<std::uint32_t> tasks;   ///< by core: how many it got
    std::vector<std::uint32_t> remote;  ///< by server: r_s
    std::size_t local_tasks = 0;
    std::size_t remote_tasks = 0;
};

/// Requires a core of the shape for every task. Cost: two passes over the tasks with their replicas.
template <Number N>
[[nodiscard]] Totals<N> totals(const Problem<N>& problem, const Assignment& assignment) {
    const Shape& shape = *problem.shape;
    require(assignment.size() == shape.tasks().size(), "an assignment gives every task a core");
    Totals<N> a;
    a.load = problem.initial;
    a.tasks.assign(shape.cores().size(), 0);
    a.remote.assign(shape.servers().size(), 0);
    for (const TaskId t : shape.tasks()) {
        const CoreId p = assignment[t.index()];
        require(p.index() < a.tasks.size(), "an assignment uses cores of the shape");
        ++a.tasks[p.index()];
        if (!shape.is_local(t, shape.server_of(p))) ++a.remote[shape.server_of(p).index()];
    }
    for (const TaskId t : shape.tasks()) {
        const CoreId p = assignment[t.index()];
        const ServerId s = shape.server_of(p);
        const bool local = shape.is_local(t, s);
        a.load[p.index()] = a.load[p.index()] + (local ? problem.local : problem.cost(s)(a.remote[s.index()]));
        ++(local ? a.local_tasks : a.remote_tasks);
    }
    return a;
}

/// Loads and counts of an assignment, and its makespan.
template <Number N>
struct Evaluation : Totals<N> {
    std::optional<N> makespan;  ///< over active cores; none when there is no task
    CoreId critical{};          ///< the first core that attains the makespan
};

/// Requires a core of the shape for every task. Cost: `account`, and one pass over the cores.
template <Number N>
[[nodiscard]] Evaluation<N> evaluate(const Problem<N>& problem, const Assignment& assignment) {
    Evaluation<N> e{totals(problem, assignment), std::nullopt, {}};
    for (const CoreId p : problem.shape->cores()) {
        if (e.tasks[p.index()] == 0 || (e.makespan && !(*e.makespan < e.load[p.index()]))) continue;
        e.makespan = e.load[p.index()];
        e.critical = p;
    }
    return e;
}

}  // namespace schedproof::assignment
