/// Balanced assignments: every task local, no server's last position later than a free position it could shift work to.
///
/// What Phase I of DynDLOff makes and Phase II starts from. A shift goes along a path s0 -t1- s1 -t2- s2 ... in which
/// task t_i runs on s_{i-1} and has a replica on s_i; it is *cost-reducing* when the last position that s0 occupies is
/// later than the first free position of the path's end. The faults below are found from the assignment alone: they
/// trust neither how it was made nor what it says of its finish times.
/// Source: [jin2018], Section 5.1; docs/models/assignment.md, DynDLOff.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "model/assignment/assignment.hpp"
#include "model/assignment/positions.hpp"

namespace schedproof::assignment {

/// Who runs what, by server: the tasks of server s, ascending, occupy its first positions, in order. The range of s in
/// the other three arrays begins at first[s] and ends at first[s + 1].
template <Number N>
struct BalancedAssignment {
    std::vector<std::uint32_t> first;
    std::vector<TaskId> tasks;
    std::vector<CoreId> core;
    std::vector<N> finish;  ///< F_B

    [[nodiscard]] std::size_t tasks_on(ServerId s) const { return first[s.index() + 1] - first[s.index()]; }
    /// The map from tasks to cores.
    [[nodiscard]] Assignment assignment() const {
        Assignment map(tasks.size());
        for (std::size_t i = 0; i < tasks.size(); ++i) map[tasks[i].index()] = core[i];
        return map;
    }
};

/// The balanced assignment in which `server_of[t]` runs task t. Cost: O(tasks log cores).
template <Number N>
[[nodiscard]] BalancedAssignment<N> expand(const Problem<N>& problem, Positions<N>& positions,
                                           const std::vector<ServerId>& server_of) {
    const std::size_t servers = problem.shape->servers().size();
    BalancedAssignment<N> b;
    b.first.assign(servers + 1, 0);
    for (const ServerId s : server_of) ++b.first[s.index() + 1];
    for (std::size_t s = 0; s < servers; ++s) b.first[s + 1] += b.first[s];
    b.tasks.resize(server_of.size());
    b.core.resize(server_of.size());
    b.finish.resize(server_of.size());
    std::vector<std::uint32_t> end(b.first.begin(), b.first.end() - 1);
    for (const TaskId t : problem.shape->tasks()) b.tasks[end[server_of[t.index()].index()]++] = t;
    for (const ServerId s : problem.shape->servers())
        for (std::size_t n = 1; n <= b.tasks_on(s); ++n) {
            const Position<N>& position = positions(s, n);
            b.core[b.first[s.index()] + n - 1] = position.core;
            b.finish[b.first[s.index()] + n - 1] = position.finish;
        }
    return b;
}

/// L_B, by core: what the cores' loads are with all tasks local.
template <Number N>
[[nodiscard]] std::vector<N> loads(const Problem<N>& problem, const BalancedAssignment<N>& b) {
    std::vector<N> load = problem.initial;
    for (const CoreId p : b.core) load[p.index()] = load[p.index()] + problem.local;
    return load;
}

/// Effort, for Theorems 2 and 3.
struct Counters {
    std::uint64_t searches = 0;       ///< Phase I: walks over the graph for a path
    std::uint64_t flips = 0;          ///< Phase I: paths shifted
    std::uint64_t moves = 0;          ///< Phase I: tasks moved from one server to another
    std::uint64_t edge_scans = 0;     ///< Phase I: replicas looked at
    std::uint64_t tests = 0;          ///< Phase II: deadlines tested
    std::uint64_t server_tests = 0;   ///< Phase II: servers asked how many remote tasks they can take
    std::uint64_t gamma_steps = 0;    ///< Phase II: values of n g(n) compared
    std::uint64_t r_evaluations = 0;  ///< Phase II: numbers of remote tasks tried after gamma, each O(cores)
    std::uint64_t over_bound = 0;     ///< Phase II: server tests with more than ceil(log2 m) + 1 of these
};

}  // namespace schedproof::assignment
