/// Merging states until a graph can be looked at.
///
/// A ladder of coarser and coarser rules: equal queue lengths; equal numbers of tasks and of working servers; equal
/// number of tasks; ranges of that number, each twice as wide as the last. The first that leaves at most as many nodes
/// as the options allow, and half as many edges, is taken; the last rungs do, since one range in the end holds every
/// state.
///
/// What merging keeps, exactly: the number of states, the number of moves, and with a stationary law the probability
/// of every node and the flow along every edge. What it loses: the probability of a move from a group, which is not a
/// constant of the group (the merged chain is not Markov), and ties. The legend says so.
#pragma once

#include "checks/pictures/explored.hpp"

namespace schedproof::graph {

/// Replaces the nodes and edges of `graph` by groups of the explored states, and says how in `graph.collapse`.
/// Requires: options within their ranges.
void collapse(StateGraph& graph, const queueing::ExactSystem& system, const Explored& explored,
              const GraphOptions& options);

}  // namespace schedproof::graph
