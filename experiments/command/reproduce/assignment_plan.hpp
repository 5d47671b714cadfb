/// What a figure of the assignment family runs: its tables `assign` and `grid` as points and curves.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/command/reproduce/declaration.hpp"
#include "experiments/workload/assignment_generator.hpp"
#include "model/assignment/instance.hpp"
#include "policies/assignment/registry.hpp"

namespace schedproof::cli {

/// One choice of all parameters.
struct AssignmentPoint {
    workload::AssignmentWorkload workload;
    std::shared_ptr<const assignment::Instance> instance;  ///< in place of the workload
    assignment::PolicyOptions options;
    std::uint64_t replications = 20;
    double x = 0;        ///< on the x axis
    std::string suffix;  ///< of its curves' names: what else of the grid it is at
};

/// What makes an assignment: a policy, or DynDLOff up to one of its steps.
struct AssignmentCurve {
    enum class Step {
        whole,     ///< the policy of this name
        greedy,    ///< B_0: Phase I before any improvement
        balanced,  ///< B: Phase I
        remote     ///< A_i: Phase II with i remote tasks
    };
    std::string name;
    Step step = Step::whole;
    std::size_t remote = 0;             ///< i
    std::string policy = {};            ///< that runs in place of the one of this name; empty: that one
    std::vector<double> only_at = {};   ///< on the x axis; empty: everywhere
    std::optional<Rational> wait = {};  ///< its own W; none: that of the point
};

struct AssignmentPlan {
    std::vector<AssignmentCurve> curves;  ///< at least one
    std::vector<AssignmentPoint> points;  ///< at least one
    /// By measure: the quantity that is measured in place of the one that the figure names.
    std::map<std::string, std::string> quantities = {};
};

/// With the values taken, or one alternative. Throws InputError with file, line and key.
[[nodiscard]] AssignmentPlan assignment_plan(const FigureDeclaration& figure, bool quick,
                                             const Alternative* alternative);

}  // namespace schedproof::cli
