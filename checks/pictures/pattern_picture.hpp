/// The cells of a transience proof as a picture: orders of the short queues, or statuses, with the drift on each.
///
/// Colours are those of Okabe and Ito; the sign that a colour says stands in the label too.
#pragma once

#include <string>
#include <vector>

#include "proofs/queueing/transience/pattern_graph.hpp"

namespace schedproof::graph {

/// The graph in the DOT language. `title`: lines above the picture. `function`: what W is, below it.
[[nodiscard]] std::string pattern_picture(const queueing::PatternGraph& graph, const std::vector<std::string>& title,
                                          const std::string& function);

}  // namespace schedproof::graph
