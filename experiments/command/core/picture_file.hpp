/// Pictures by the ending of their file: .dot as text, .svg and .png drawn.
#pragma once

#include <string>

#include "checks/pictures/state_graph.hpp"

namespace schedproof::cli {

/// Throws InputError unless the path is `-` or ends with .dot, .svg or .png.
void check_picture_path(const std::string& path);

/// Throws InputError for another ending or an unwritable file, LimitExceeded for a graph too large to draw.
void write_state_graph(const graph::StateGraph& graph, const std::string& path);

/// The same for DOT text.
void write_dot_picture(const std::string& dot, const std::string& path);

}  // namespace schedproof::cli
