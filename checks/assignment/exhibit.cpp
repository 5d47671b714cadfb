#include "checks/assignment/exhibit.hpp"

#include <optional>

namespace schedproof::checks {

using namespace assignment;

namespace {

/// The first assignment with Constraints 1 and 2 that is not the best local one.
std::optional<Assignment> not_best_with_constraint_2(const AssignmentProblem& problem, const Rational& best) {
    std::optional<Assignment> found;
    for_each_local_map(problem, [&](const std::vector<ServerId>& server_of) {
        if (found) return;
        const auto assignment = with_constraint_2(problem, server_of);
        if (assignment && *totals(problem, *assignment).makespan > best) found = assignment;
    });
    return found;
}

}  // namespace

Exhibit exhibit(const NamedProperty& property, const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    Exhibit result;
    const Exhaustive all(problem);
    const auto weak = property.id.ends_with(":constraint-2") ? not_best_with_constraint_2(problem, all.local_optimum())
                                                             : std::nullopt;
    if (weak) {
        result.panels = {{"Constraints 1 and 2", *weak}, {"best local", all.optimal_with(0)}};
    } else {
        result.panels = {{under_test.name + ": balanced", under_test.balance(problem).assignment},
                         {under_test.name + ": output", under_test.run(problem).taken.assignment}};
        if (under_test.name != "dyndloff")
            result.panels.push_back({"dyndloff: output", dyndloff().run(problem).taken.assignment});
        result.panels.push_back({"optimum", all.optimal()});
    }
    if (totals(problem, result.panels.front().assignment).remote_tasks > 0) return result;
    if (const auto path = shiftable_path(problem, result.panels.front().assignment))
        result.path = {path->servers, path->tasks};
    return result;
}

}  // namespace schedproof::checks
