/// What the builders of graphs share: states and moves as they were found, and the pieces every graph is made of.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "checks/pictures/state_graph.hpp"

namespace schedproof::graph {

/// Called with the source, target and probability of a move.
using MoveVisitor = std::function<void(std::size_t, std::size_t, const Rational&)>;

/// States and moves as a builder found them, before anything is merged.
struct Explored {
    std::span<const queueing::ExactState> states;  ///< the first is the start
    std::size_t transitions = 0;
    std::function<void(const MoveVisitor&)> for_each_move;  ///< in order of source; at most one per pair
    std::size_t expanded = 0;  ///< the moves of the states from here on are not known; they are the frontier
};

namespace detail {

/// Probability of one next state, and whether every combination of outcomes that leads there broke a tie.
struct Step {
    Rational probability;
    bool tie = true;
    std::vector<Rational> parts = {};  ///< one for each combination of outcomes
};

/// Every next state of a valid state.
[[nodiscard]] std::map<queueing::ExactState, Step> steps(const queueing::ExactSystem& system,
                                                         const queueing::ExactState& state);

/// A graph without nodes whose caption and notes describe the system. Throws ContractViolation when `options` are out
/// of range.
[[nodiscard]] StateGraph untitled(const queueing::ExactSystem& system, const GraphOptions& options);

[[nodiscard]] bool is_highlighted(const queueing::ExactState& state, const GraphOptions& options);

/// The node of a single state.
[[nodiscard]] Node state_node(const queueing::ExactSystem& system, const Explored& explored, std::size_t state,
                              const GraphOptions& options);

}  // namespace detail

}  // namespace schedproof::graph
