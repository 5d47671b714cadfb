/// What the properties of the assignment family look at: the parts of a two-phase offline policy, as plain facts.
///
/// A property asks a policy under test for its balanced assignment, its A_i, its bounds and its outcome, and knows
/// nothing of how they come about. So one property serves DynDLOff, every other interpretation of the paper, and the
/// mutants, which are DynDLOff with one part replaced by a mutant.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checks/assignment/exhaustive.hpp"
#include "policies/assignment/dyndloff.hpp"

namespace schedproof::checks {

/// Phase I.
struct BalancedFacts {
    assignment::Assignment assignment;  ///< B
    std::vector<Rational> finish;       ///< F_B, by task
};

/// An A_i, or an outcome.
struct PlacedFacts {
    assignment::Assignment assignment;
    Rational nominal;           ///< the makespan that the policy under test states
    std::vector<TaskId> moved;  ///< tasks taken from their place in B, to be remote
};

/// Theorem 1 at a server and a deadline.
struct BoundFacts {
    std::size_t gamma = 0;
    std::size_t cores = 0;  ///< m
    std::size_t rmax = 0;
};

/// A run to its end.
struct RunFacts {
    BalancedFacts balanced;
    PlacedFacts low;   ///< the candidate with fewer moved tasks
    PlacedFacts high;  ///< the other
    PlacedFacts taken;
    assignment::Counters counters;
};

struct TwoPhasePolicy {
    std::string name;
    std::function<BalancedFacts(const AssignmentProblem&)> balance;
    /// A_i, for i up to the number of tasks.
    std::function<PlacedFacts(const AssignmentProblem&, std::size_t)> candidate;
    /// By deadline, which need not be one of the policy's own.
    std::function<BoundFacts(const AssignmentProblem&, ServerId, const Rational&)> bounds;
    std::function<RunFacts(const AssignmentProblem&)> run;
    /// The same run on 64-bit ticks, its times turned back into parts of a local task.
    std::function<RunFacts(const AssignmentProblem&)> run_in_ticks;
    /// A cost-reducing path of an assignment, which need not be one of the policy's own.
    std::function<std::optional<ShiftablePath>(const AssignmentProblem&, const assignment::Assignment&)> path =
        shiftable_path;
};

/// DynDLOff in one of its interpretations.
[[nodiscard]] TwoPhasePolicy two_phase_policy(const assignment::DynDlOff& interpretation, std::string name);
/// A policy of any kind, as its output: what its run takes. The run's balanced assignment is that of DynDLOff; the
/// other parts, and the other facts of the run, it has not.
[[nodiscard]] TwoPhasePolicy by_output(std::string name, assignment::Assignment output);
/// DynDLOff as it is.
[[nodiscard]] TwoPhasePolicy dyndloff();

}  // namespace schedproof::checks
