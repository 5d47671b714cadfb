/// What is wrong with an assignment that claims to be balanced, found from the problem and the assignment alone.
///
/// Nothing here uses positions, searches or finish times of the algorithm under question: loads are added up again, and
/// cost-reducing paths are sought backwards, from the server of the earliest free position on, so that each server is
/// entered once. Absence of such a path is what makes a local assignment optimal among local ones; the paper's
/// Constraint 2, the absence of paths of one step, is not enough.
/// Source: [jin2018], Section 5.1; docs/models/assignment.md, Which statements hold.
#pragma once

#include <optional>

#include "policies/assignment/balanced_assignment.hpp"

namespace schedproof::assignment {

/// Work that could be shifted: tasks[0] from core `source` to the next server, and so on, the last one to core `sink`.
/// Without tasks, source and sink are cores of one server.
struct CostReducingPath {
    CoreId source, sink;
    std::vector<TaskId> tasks;
    friend bool operator==(const CostReducingPath&, const CostReducingPath&) = default;
};

/// The first task that has no replica where it runs; none when the assignment is local (Constraint 1).
[[nodiscard]] inline std::optional<TaskId> remote_task(const Shape& shape, const Assignment& assignment) {
    for (const TaskId t : shape.tasks())
        if (!shape.is_local(t, shape.server_of(assignment[t.index()]))) return t;
    return std::nullopt;
}

/// A task with a preferred core that its own core's load exceeds by more than the task (against Constraint 2).
struct Constraint2Fault {
    TaskId task;
    CoreId better;
};

/// Requires a local assignment.
template <Number N>
[[nodiscard]] std::optional<Constraint2Fault> constraint2_fault(const Problem<N>& problem,
                                                                const Assignment& assignment) {
    const std::vector<N> load = evaluate(problem, assignment).load;
    for (const TaskId t : problem.shape->tasks())
        for (const ServerId s : problem.shape->replicas(t))
            for (std::size_t i = 0; i < problem.shape->cores_of(s); ++i) {
                const CoreId p = problem.shape->core(s, i);
                if (load[p.index()] < load[assignment[t.index()].index()] - problem.local)
                    return Constraint2Fault{t, p};
            }
    return std::nullopt;
}

/// A cost-reducing path, if there is one. Requires a local assignment. Cost: O(replicas + servers log servers).
template <Number N>
[[nodiscard]] std::optional<CostReducingPath> cost_reducing_path(const Problem<N>& problem,
                                                                 const Assignment& assignment) {
    const Shape& shape = *problem.shape;
    const Evaluation<N> e = evaluate(problem, assignment);
    require(e.remote_tasks == 0, "paths are sought in local assignments");
    std::vector<CoreId> least, most;  // by server: of all its cores, and of the active ones if there are any
    for (const ServerId s : shape.servers()) {
        CoreId low = shape.core(s, 0), high = low;
        for (std::size_t i = 1; i < shape.cores_of(s); ++i) {
            const CoreId p = shape.core(s, i);
            if (e.load[p.index()] < e.load[low.index()]) low = p;
            if (e.tasks[p.index()] > 0 && (e.tasks[high.index()] == 0 || e.load[high.index()] < e.load[p.index()]))
                high = p;
        }
        least.push_back(low);
        most.push_back(high);
    }
    std::vector<std::vector<TaskId>> wanted(shape.servers().size());  // by server: the tasks that it could take over
    std::vector<ServerId> sinks;
    for (const ServerId s : shape.servers()) sinks.push_back(s);
    for (const TaskId t : shape.tasks())
        for (const ServerId s : shape.replicas(t)) wanted[s.index()].push_back(t);
    std::stable_sort(sinks.begin(), sinks.end(), [&](ServerId a, ServerId b) {
        return e.load[least[a.index()].index()] < e.load[least[b.index()].index()];
    });
    std::vector<bool> entered(sinks.size(), false);
    std::vector<std::optional<TaskId>> forward(sinks.size());  // by server: its task on the way to the sink
    std::vector<ServerId> to(sinks.size());                    // by server: where that goes
    for (const ServerId sink : sinks) {
        std::vector<ServerId> open;
        if (!entered[sink.index()]) open.push_back(sink);
        entered[sink.index()] = true;
        while (!open.empty()) {
            const ServerId s = open.back();
            open.pop_back();
            const CoreId high = most[s.index()], low = least[sink.index()];
            if (e.tasks[high.index()] > 0 && e.load[low.index()] + problem.local < e.load[high.index()]) {
                CostReducingPath path{high, low, {}};
                for (ServerId at = s; forward[at.index()]; at = to[at.index()])
                    path.tasks.push_back(*forward[at.index()]);
                return path;
            }
            for (const TaskId t : wanted[s.index()]) {
                const ServerId from = shape.server_of(assignment[t.index()]);
                if (entered[from.index()]) continue;
                entered[from.index()] = true;
                forward[from.index()] = t;
                to[from.index()] = s;
                open.push_back(from);
            }
        }
    }
    return std::nullopt;
}

/// Why the tasks of server s are not its first positions, in order; empty when they are.
template <Number N>
[[nodiscard]] std::string position_fault(const Problem<N>& problem, const BalancedAssignment<N>& b, ServerId s) {
    const Shape& shape = *problem.shape;
    std::vector<Position<N>> next;
    for (std::size_t i = 0; i < shape.cores_of(s); ++i)
        next.push_back({problem.load(shape.core(s, i)) + problem.local, shape.core(s, i)});
    for (std::size_t n = b.first[s.index()]; n < b.first[s.index() + 1]; ++n) {
        const auto earliest = std::min_element(next.begin(), next.end(), before<N>);
        if (b.core[n] != earliest->core || !(b.finish[n] == earliest->finish)) return "a task is not in its slot";
        if (n > b.first[s.index()] && !(b.tasks[n - 1] < b.tasks[n])) return "tasks of a server do not ascend";
        if (!shape.is_local(b.tasks[n], s)) return "a task is not local";
        earliest->finish = earliest->finish + problem.local;
    }
    return "";
}

/// Why `b` is no balanced assignment without cost-reducing paths; empty when it is one.
template <Number N>
[[nodiscard]] std::string balanced_fault(const Problem<N>& problem, const BalancedAssignment<N>& b) {
    const std::size_t tasks = problem.shape->tasks().size(), servers = problem.shape->servers().size();
    if (b.tasks.size() != tasks || b.core.size() != tasks || b.finish.size() != tasks) return "tasks are missing";
    if (b.first.size() != servers + 1 || b.first.front() != 0 || b.first.back() != tasks ||
        !std::is_sorted(b.first.begin(), b.first.end()))
        return "the ranges of servers do not partition the tasks";
    std::vector<bool> seen(tasks, false);
    for (const TaskId t : b.tasks) {
        if (t.index() >= tasks || seen[t.index()]) return "a task is there twice";
        seen[t.index()] = true;
    }
    for (const ServerId s : problem.shape->servers())
        if (std::string wrong = position_fault(problem, b, s); !wrong.empty()) return wrong;
    if (const auto path = cost_reducing_path(problem, b.assignment()))
        return "a path of " + std::to_string(path->tasks.size()) + " tasks reduces cost";
    return "";
}

}  // namespace schedproof::assignment
