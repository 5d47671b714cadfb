/// Properties of any policy of the assignment family: what its outcome must be, whatever it aims at.
///
/// Like the properties of DynDLOff's claims (properties.hpp), each answers with what fails, or with nothing, and
/// restates its rule; the policies' code is asked for outcomes only. Source: docs/models/assignment.md, Model and
/// Online policies.
#pragma once

#include <string>
#include <vector>

#include "checks/assignment/exhaustive.hpp"
#include "policies/assignment/registry.hpp"

namespace schedproof::checks {

/// What the policy may make of the problem: an outcome per combination of its draws, one without draws.
/// Throws LimitExceeded when there are more than 10'000.
[[nodiscard]] std::vector<assignment::ScheduleResult<Rational>> outcomes_of(const assignment::AnyPolicy& policy,
                                                                            const AssignmentProblem& problem);
/// The first of them.
[[nodiscard]] assignment::ScheduleResult<Rational> outcome_of(const assignment::AnyPolicy& policy,
                                                              const AssignmentProblem& problem);

/// Every task has a core; of an online policy, the executions name every task once, in the order of their starts, a
/// core runs one at a time from its initial load on, local tasks last 1, remote ones the dearest price while they run,
/// and the event makespan is the last finish; of another, there are none.
[[nodiscard]] std::string against_consistency(const AssignmentProblem& problem,
                                              const assignment::ScheduleResult<Rational>& outcome, bool online);

/// No remote task starts on a server while an unscheduled task has its block there.
[[nodiscard]] std::string against_local_first(const AssignmentProblem& problem,
                                              const assignment::ScheduleResult<Rational>& outcome);

/// The makespan of the map is at most `bound` times the optimum. Requires a problem that brute force can settle.
[[nodiscard]] std::string against_ratio(const AssignmentProblem& problem,
                                        const assignment::ScheduleResult<Rational>& outcome, const Rational& bound);

}  // namespace schedproof::checks
