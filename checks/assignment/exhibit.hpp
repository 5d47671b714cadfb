/// What to draw of a refuted claim: its assignments side by side, and the path that should have been flipped.
#pragma once

#include <string>
#include <vector>

#include "checks/assignment/properties/properties.hpp"
#include "checks/pictures/assignment_picture.hpp"

namespace schedproof::checks {

struct Exhibit {
    std::vector<graph::LoadPanel> panels;  ///< before and after, at most four
    graph::AlternatingPath path;           ///< cost-reducing, in the first panel's assignment; may be empty

    [[nodiscard]] std::string graph_dot(const AssignmentProblem& problem, const std::vector<std::string>& title) const {
        return schedproof::graph::assignment_graph(problem, panels.front().assignment, title, path);
    }
    [[nodiscard]] std::string loads_dot(const AssignmentProblem& problem, const std::vector<std::string>& title) const {
        return schedproof::graph::load_bars(problem, panels, title);
    }
};

/// Of a claim about all assignments with Constraint 2: the one that fails, and the best local one. Of a claim about a
/// policy under test: its balanced assignment and output, DynDLOff's output where that is another interpretation, an
/// optimum. Requires a problem with a task that brute force can settle.
[[nodiscard]] Exhibit exhibit(const NamedProperty& property, const AssignmentProblem& problem,
                              const TwoPhasePolicy& under_test);

}  // namespace schedproof::checks
