/// A moment of jobs that share a cluster as a picture: nodes with their slots, jobs with their tasks.
///
/// An arc runs from each task that waits to the nodes that hold its data, and from each task that runs to its node: a
/// local one as a whole line, a rack-local one dotted, a remote one dashed. What a slot runs, and since when, stands in
/// the slot as well. Tasks that are done are counted and have no arcs.
/// The model is that of docs/models/sharing.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/sharing/sharing_state.hpp"

namespace schedproof::graph {

/// Larger clusters and more tasks that wait or run are not drawn.
inline constexpr std::size_t max_drawn_slots = 60;
inline constexpr std::size_t max_drawn_jobs = 20;

[[nodiscard]] bool is_drawable(const sharing::Setting& setting, const sharing::State& state);

/// The state in the DOT language, UTF-8. `title`: lines above the picture; `offered`: the slot that stands out, if any.
/// Requires a state that is drawable.
[[nodiscard]] std::string sharing_state_picture(const sharing::Setting& setting, const sharing::State& state,
                                                std::optional<sharing::SlotId> offered,
                                                const std::vector<std::string>& title);

}  // namespace schedproof::graph
