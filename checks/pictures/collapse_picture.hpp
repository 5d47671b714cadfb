/// Merging states until a graph can be looked at.
///
/// States with equal number of tasks share a node, or where that is too much, those in ranges of it, each twice as wide
/// as the last: the narrowest that leave at most as many nodes as the options allow, and half as many edges. The start
/// stands alone. What is merged is looked into by opening levels: their states stand alone, or where that is too much
/// those of equal queue lengths, or of equally many working servers, share a node.
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
