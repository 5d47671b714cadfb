/// Exhaustive and independent answers about small redundancy problems: the least flowtime, other schedules to compete
/// with, and dual variables from their definitions.
///
/// Nothing here calls a policy, a Schedule, the search of proofs/redundancy or the formulas of redundancy_duals.hpp:
/// SRPT+R's alpha_j is found by finishing all work that is there with and without job j, on lists; Fair+R's by summing
/// over the intervals of a schedule. Source: [xu2017], Sections 4 and 5; docs/models/redundancy.md, Optimum and duals.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checks/redundancy/reference_model.hpp"
#include "proofs/redundancy/optimum.hpp"
#include "proofs/redundancy/theorems/duals.hpp"

namespace schedproof::checks {

/// The least total flowtime at speed 1 without multitasking: every whole number of copies of every job at every arrival
/// and departure, idling included; only what already costs too much is cut short.
/// Cost: for three jobs on three machines some 10,000 schedules. Throws LimitExceeded beyond five million decisions.
[[nodiscard]] Rational least_flowtime(const RedundancyProblem& problem);

/// The work rates of all jobs over time: what a schedule comes to.
struct WorkPath {
    struct Step {
        Rational start, length;
        std::vector<Rational> rate;  ///< by job
    };
    std::vector<Step> steps;
    std::vector<Rational> completion;

    /// Work of a job done by `time`.
    [[nodiscard]] Rational work(std::size_t job, const Rational& time) const;
    /// Rate just after `time`.
    [[nodiscard]] Rational rate(std::size_t job, const Rational& time) const;
};
[[nodiscard]] WorkPath work_path(const ReferenceSchedule& schedule, const RedundancyProblem& problem,
                                 const Rational& speed);
[[nodiscard]] WorkPath work_path(const redundancy::Optimum& optimum, const RedundancyProblem& problem);

/// Feasible schedules at speed 1 without multitasking, drawn choice by choice; always the same ones.
[[nodiscard]] std::vector<WorkPath> competitors(const RedundancyProblem& problem, std::size_t count);

/// sum_j int ((t - a_j)/p_j + C) h_j(t) dt: the objective of P1.
[[nodiscard]] Rational relaxed_cost(const WorkPath& path, const RedundancyProblem& problem, const Rational& constant);

/// alpha of a rule at speed s, by job. Requires a rule that is no mutant.
[[nodiscard]] std::vector<Rational> reference_alpha(redundancy::DualRule rule, const RedundancyProblem& problem,
                                                    const Rational& speed);
/// The run whose active jobs n(t) make beta(t) = n(t)/(s M): SRPT's, or FAIR+R's.
[[nodiscard]] ReferenceSchedule reference_counted(redundancy::DualRule rule, const RedundancyProblem& problem,
                                                  const Rational& speed);
/// The least C >= 0 with alpha_j / p_j - n(t)/(s M) <= (t - a_j)/p_j + C for all j and t >= a_j, and where it is
/// needed. n(t) is looked at from just after every arrival and departure.
struct LeastConstant {
    Rational constant;
    std::size_t job = 0;
    Rational time;
};
[[nodiscard]] LeastConstant reference_least_constant(const std::vector<Rational>& alpha,
                                                     const ReferenceSchedule& counted, const RedundancyProblem& problem,
                                                     const Rational& speed);

}  // namespace schedproof::checks
