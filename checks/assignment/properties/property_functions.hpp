/// The properties' functions by topic, and what they share. Use them through dyndloff_properties().
#pragma once

#include <fmt/core.h>

#include <string>
#include <vector>

#include "checks/assignment/two_phase_policy.hpp"

namespace schedproof::checks::assignment_properties {

// Names in what a property says.
inline std::string name(TaskId t) { return fmt::format("t{}", t.index()); }
inline std::string name(ServerId s) { return fmt::format("s{}", s.index()); }
inline std::string name(const AssignmentProblem& problem, CoreId p) {
    const ServerId s = problem.shape->server_of(p);
    return fmt::format("p{}.{}", s.index(), p.index() - problem.shape->core(s, 0).index());
}
/// `t0 on p0.1, t1 on p1.0`.
[[nodiscard]] std::string words(const AssignmentProblem& problem, const assignment::Assignment& assignment);

/// D: the finish times of a balanced assignment, latest first.
[[nodiscard]] std::vector<Rational> deadlines(const BalancedFacts& b);
/// L_d: loads with the local tasks that finish by d.
[[nodiscard]] std::vector<Rational> loads_until(const AssignmentProblem& problem, const BalancedFacts& b,
                                                const Rational& d);
/// How many remote tasks all servers can finish by d beside the local ones that do.
[[nodiscard]] std::size_t capacity(const AssignmentProblem& problem, const BalancedFacts& b, const Rational& d);
/// k: the last index i whose deadline leaves room for i remote tasks. Requires a task.
[[nodiscard]] std::size_t last_passing_index(const AssignmentProblem& problem, const BalancedFacts& b);
/// Whether a core of largest load exists that has local tasks and no remote one.
[[nodiscard]] bool largest_is_local(const Totals& a);

[[nodiscard]] inline bool has_no_tasks(const AssignmentProblem& problem) { return problem.shape->tasks().size() == 0; }

using Function = std::string(const AssignmentProblem&, const TwoPhasePolicy&);

// Phase I: balanced.cpp.
Function finish_times, property_1_1, constraint_1, constraint_2, constraint_2_is_best_local, no_path_is_best_local,
    no_path_left, best_local, unique_finishes, same_finishes_as_other_searches, key_lemma, key_lemma_without_path,
    key_lemma_of_constraint_2, effort_of_phase_1;
// Deadlines and bounds: deadlines.cpp.
Function rmax, theorem_1, theorem_1_all_cores, theorem_1_tighter, effort_of_phase_2, effort_in_all;
// The A_i: candidates.cpp.
Function makespan_of_k, monotone, monotone_from_the_output, best_is_k_or_next, k_or_next_remote, level_or_next_remote,
    least_placement, same_makespan_by_index, same_makespan_as_dyndloff;
// Outcomes: results.cpp.
Function theorem_4, theorem_4_if_moved_are_local, theorem_4_of_constraint_2, theorem_4_of_output, k_is_optimal,
    twice_the_optimum, optimal, not_above_balanced, actual_is_nominal, moved_are_remote, ticks_are_rationals;

}  // namespace schedproof::checks::assignment_properties
