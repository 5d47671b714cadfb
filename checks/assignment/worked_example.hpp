/// Example 1 of the paper, worked out: what the online policies do on Table 2, in exact numbers.
///
/// Figure 2 shows three schedules without saying W. The rows are computed by hand from the event semantics (cores free
/// in order, local tasks first, running remote tasks re-priced); the figure's story, two remote tasks for delay
/// scheduling and one for DynDLOn at the same makespan, needs W between 1/4 and 1/2. Source: [jin2018], Example 1,
/// Table 2 and Figure 2; docs/models/assignment.md, Online policies.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/assignment/policy.hpp"

namespace schedproof::checks {

struct WorkedRow {
    std::string_view policy;    ///< a registered name
    std::string_view wait;      ///< W; without meaning for hadoop
    std::string_view makespan;  ///< of the event loop
    std::size_t remote = 0;
    std::string_view starts;  ///< `1/4 p21 t1 L, ...` in the paper's names, L local, R remote; empty: not asked
};
[[nodiscard]] std::vector<WorkedRow> worked_example();

/// What a policy of that name makes of a problem with that W.
using OnlineRun = std::function<assignment::ScheduleResult<Rational>(std::string_view policy, const Rational& wait,
                                                                     const assignment::Problem<Rational>& problem)>;
/// The registered policies, lowest task first.
[[nodiscard]] assignment::ScheduleResult<Rational> run_registered(std::string_view policy, const Rational& wait,
                                                                  const assignment::Problem<Rational>& problem);

/// How these schedules differ from the rows; empty when they do not.
[[nodiscard]] std::string worked_example_violation(const OnlineRun& run = run_registered);

/// Starts in the words of a row.
[[nodiscard]] std::string starts_in_words(const assignment::Problem<Rational>& problem,
                                          const assignment::ScheduleResult<Rational>& outcome);

}  // namespace schedproof::checks
