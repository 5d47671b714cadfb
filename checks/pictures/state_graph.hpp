/// Pictures of exact chains as plain data: what is drawn, before anyone decides how.
///
/// A graph has one node per state, or per group of states when there are too many to be looked at; an edge carries the
/// exact probability of a move, or, between groups, the number of moves merged. Three views of a system are built here:
/// the whole reachable chain, the neighbourhood of a state, and a path. Every number is exact; writers may round what
/// they show, and then say so.
///
/// More nodes or edges than a reader can follow, or a layout program can place, are merged by their number of tasks:
/// see `Collapse`. A level can be opened, so that its states stand alone while the others stay merged. A graph within
/// the limits of its options is laid out in seconds, whatever the size of the chain.
///
/// Nothing here knows Graphviz: dot.hpp writes text, render.hpp pictures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/markov/stationary.hpp"
#include "policies/queueing/exact.hpp"

namespace schedproof::graph {

/// An exact number shown at a node, such as its stationary probability.
struct Annotation {
    std::string symbol;
    Rational value;
};

struct Node {
    enum class Kind {
        normal,
        start,        ///< the empty state of a chain, the centre of a neighbourhood, the first state of a path
        highlighted,  ///< a state that the caller pointed at
        collapsed,    ///< several states in one node
    };
    std::vector<std::string> lines;  ///< label, from top to bottom
    Kind kind = Kind::normal;
    bool frontier = false;   ///< at the rim of a neighbourhood: it has moves that are not drawn
    std::size_t states = 1;  ///< how many states it stands for
    std::vector<Annotation> annotations;
    std::int64_t level = 0;  ///< number of tasks; of a group the least of its range
    std::string link = {};   ///< file that shows what is in it, or empty
};

struct Edge {
    std::size_t source = 0;
    std::size_t target = 0;
    std::optional<Rational> probability;  ///< of this move from its source; absent for a group, or an unknown law
    std::size_t transitions = 1;          ///< how many moves between states it stands for
    std::optional<Rational> flow;  ///< between groups: stationary probability that a slot makes one of these moves
    bool tie = false;              ///< every combination of outcomes that leads along it broke a tie
    bool highlighted = false;
    std::vector<Rational> parts = {};  ///< of the probability: one for each combination of outcomes, where known
};

/// States were merged to keep the graph small: how, and what became of what.
struct Collapse {
    std::string rule;  ///< which states share a node, in words
    std::size_t states = 0;
    std::size_t transitions = 0;
    std::size_t nodes = 0;
    std::size_t edges = 0;

    /// One sentence for the legend and for the command to print.
    [[nodiscard]] std::string to_string() const;
};

struct StateGraph {
    std::string title;
    std::vector<std::string> caption;  ///< instance, policy, truncation and size, one statement a line
    std::vector<std::string> notes;    ///< how to read the labels
    std::vector<Node> nodes;
    std::vector<Edge> edges;  ///< by source, then target; at most one per pair
    std::optional<Collapse> collapse;
    std::string step = "a slot";   ///< what a move is: `a slot` or `an event`
    bool by_levels = false;        ///< nodes stand in rows by their level; else as the moves lead
    std::int64_t level_width = 1;  ///< how many numbers of tasks a level has
    std::vector<std::int64_t> open = {};
    std::string overview = {};  ///< file of the same graph without an open level, or empty
};

/// A further exact number to show at the states that have one.
struct StateNumber {
    std::string symbol;
    std::string meaning;
    std::function<std::optional<Rational>(const queueing::ExactState&)> value;
};

struct GraphOptions {
    /// More of either and states are merged. Range: from 8.
    std::size_t max_nodes = 120;
    std::size_t max_edges = 200;
    /// A neighbourhood of more states is LimitExceeded.
    std::size_t max_explored = 20'000;
    /// A path is drawn without probabilities from the first slot on that has more combinations of outcomes than these
    /// by its arrivals and services alone, or more than queueing::max_outcomes.
    std::size_t max_outcomes = 20'000;
    std::vector<queueing::ExactState> highlighted;
    /// Queues that no task joins: labels leave them out.
    std::vector<QueueId> unjoined = {};
    /// Exact law of the chain in equilibrium, of `chain_graph` only: nodes show it, merged edges show flows.
    const markov::Stationary* stationary = nullptr;
    std::optional<StateNumber> number;  ///< shown at states, not at groups of them
    /// Numbers of tasks. Where states are merged, those with just so many are not, or less than others.
    std::vector<std::int64_t> open;
};

/// Every state of `chain`, which must be the reachable chain of `system`; its empty state is the start.
/// Throws ContractViolation when the chain is not that of the system, or the stationary law is of another chain's size.
/// Cost: one enumeration per state for the ties if nothing is merged; otherwise linear in the chain.
[[nodiscard]] StateGraph chain_graph(const queueing::ExactSystem& system, const queueing::Chain& chain,
                                     const GraphOptions& options = {});

/// The states that `centre` reaches within `radius` slots, with all moves of those nearer than that; those at distance
/// `radius` are the frontier, whose moves are not drawn.
/// Throws ContractViolation when `centre` is not valid, LimitExceeded past `options.max_explored`.
[[nodiscard]] StateGraph neighbourhood_graph(const queueing::ExactSystem& system, const queueing::ExactState& centre,
                                             std::size_t radius, const GraphOptions& options = {});

/// The states of `path`, one node per slot even when a state recurs, each with one more node for the other states it
/// could have moved to and their total probability. Of a path too long for the options the middle is one node. From the
/// first slot of too many outcomes on (see `max_outcomes`) moves stand without probabilities, as a note says.
/// Throws ContractViolation when `path` is empty or a step whose law is known has probability zero.
[[nodiscard]] StateGraph path_graph(const queueing::ExactSystem& system, std::span<const queueing::ExactState> path,
                                    const GraphOptions& options = {});

}  // namespace schedproof::graph
