/// DOT texts as Graphviz reads them.
#pragma once

#include <graphviz/cgraph.h>

#include <memory>
#include <string>

namespace schedproof::graph {

struct CloseGraph {
    void operator()(Agraph_t* graph) const { agclose(graph); }
};
using Parsed = std::unique_ptr<Agraph_t, CloseGraph>;

/// Null when Graphviz cannot read it.
inline Parsed parse(const std::string& dot) { return Parsed(agmemread(dot.c_str())); }

}  // namespace schedproof::graph
