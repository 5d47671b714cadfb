/// The cells behind a proof of transience, grouped so that a person can look at them.
/// The method stands at the head of pattern_graph.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "proofs/queueing/theorems/transience.hpp"
#include "proofs/queueing/transience/linear_cells.hpp"

namespace schedproof::queueing {

struct PatternGraph {
    struct Range {
        Rational low, high;
        /// The smallest range that holds both.
        void hold(const Rational& value);
    };
    struct Node {
        std::vector<std::string> name;  ///< lines
        std::size_t cells = 0;          ///< that meet the pattern, over all statuses
        Range drift;                    ///< of W
        std::vector<Range> queues;      ///< mean change in a slot or an event, by `queue`
    };
    struct Edge {
        std::size_t from = 0, to = 0;
        Range probability;  ///< where it is possible at all
        Range tasks;        ///< change of the number of tasks with this move
    };
    std::vector<std::string> queue;  ///< names of what is ordered: queues, or N[m] with `by_server`
    std::size_t longest = 0;         ///< of these, the one that is long
    bool by_server = false;          ///< all queues of a server are taken together
    bool by_status = false;          ///< nodes are combinations of statuses
    bool in_events = false;          ///< moves are those of an event of continuous time, not of a slot
    std::vector<Node> nodes;
    std::vector<Edge> edges;  ///< by (from, to); those from a pattern to itself only where nodes are statuses
};

/// Throws LimitExceeded when there are more than `max_nodes` patterns, or the exploration ends at its budget.
/// Requires a theorem about this system. Cost: explores the cells, and one linear program per cell and pattern.
[[nodiscard]] PatternGraph pattern_graph(const SymbolicSystem& system, const TransienceTheorem& theorem,
                                         const explore::Budget& budget = {}, std::size_t max_nodes = 40);

}  // namespace schedproof::queueing
