/// Assignments as pictures: the graph of tasks and servers, and the loads of the cores.
///
/// The graph is the paper's bipartite graph G. An arc runs from a server to each task assigned there, and from a task
/// to every other server that holds its block; so a walk along arcs is an alternating path, and to flip one moves each
/// task on it by one server. Servers are drawn with their cores, since an assignment names a core.
///
/// Loads are bars over time, one panel per assignment on one scale: initial load, local tasks, remote tasks, and the
/// makespan as a line. An idle core whose initial load lies far beyond all makespans is cut off, with its number. The
/// bars are nodes at fixed places, so Graphviz' renderer draws them as SVG and PNG like every other picture.
///
/// Colours are those of Okabe and Ito; labels and line styles say the same. Numbers are exact.
/// Source: [jin2018], Section 5.1 and Figures 3 and 4.
#pragma once

#include <string>
#include <vector>

#include "model/assignment/assignment.hpp"

namespace schedproof::graph {

/// What to call things. An empty list means `t0`, `s0`, and for the second core of that server `p0.1`.
struct AssignmentNames {
    std::vector<std::string> tasks;    ///< by task
    std::vector<std::string> servers;  ///< by server
    std::vector<std::string> cores;    ///< by core
};

/// server[0], task[0], server[1], ...: task[i] is assigned to server[i] and may run locally on server[i + 1].
struct AlternatingPath {
    std::vector<ServerId> servers;
    std::vector<TaskId> tasks;
};

/// Larger problems are not drawn.
inline constexpr std::size_t max_drawn_tasks = 60;
inline constexpr std::size_t max_drawn_cores = 80;
inline constexpr std::size_t max_drawn_panels = 4;

/// The graph in the DOT language. `title`: lines above the picture; an empty path highlights nothing.
/// Requires an assignment of the problem; of the path, one more server than tasks and arcs of this assignment's graph.
/// Throws LimitExceeded past the limits above.
[[nodiscard]] std::string assignment_graph(const assignment::Problem<Rational>& problem,
                                           const assignment::Assignment& assignment,
                                           const std::vector<std::string>& title, const AlternatingPath& path = {},
                                           const AssignmentNames& names = {});

/// One assignment of a picture of loads.
struct LoadPanel {
    std::string caption;  ///< `before`, `after`, `optimum`, ...
    assignment::Assignment assignment;
};

/// The loads in the DOT language, panels side by side. Requires at least one panel.
/// Throws LimitExceeded past the limits above.
[[nodiscard]] std::string load_bars(const assignment::Problem<Rational>& problem, const std::vector<LoadPanel>& panels,
                                    const std::vector<std::string>& title, const AssignmentNames& names = {});

}  // namespace schedproof::graph
