/// Assignment problems in other numbers, and what policies make of them, compared.
#pragma once

#include <rapidcheck.h>

#include <utility>
#include <vector>

#include "model/assignment/policy.hpp"

namespace schedproof::testing_support {

/// The problem with other numbers.
template <Number N, class Convert>
assignment::Problem<N> mapped(const assignment::Problem<Rational>& problem, Convert&& convert) {
    assignment::Problem<N> result;
    result.shape = problem.shape;
    for (const Rational& load : problem.initial) result.initial.push_back(convert(load));
    for (const auto& g : problem.costs) {
        std::vector<N> values;
        for (const Rational& value : g.values()) values.push_back(convert(value));
        result.costs.emplace_back(std::move(values), convert(g.slope()));
    }
    result.cost_of = problem.cost_of;
    result.local = convert(problem.local);
    return result;
}

/// Whether two outcomes are the same when `as_rational` reads the numbers of the second.
template <Number N, class AsRational>
void assert_same(const assignment::ScheduleResult<Rational>& a, const assignment::ScheduleResult<N>& b,
                 AsRational&& as_rational) {
    RC_ASSERT(a.assignment == b.assignment);
    RC_ASSERT(a.executions.size() == b.executions.size());
    for (std::size_t i = 0; i < a.executions.size(); ++i) {
        RC_ASSERT(a.executions[i].task == b.executions[i].task);
        RC_ASSERT(a.executions[i].core == b.executions[i].core);
        RC_ASSERT(a.executions[i].local == b.executions[i].local);
        RC_ASSERT(a.executions[i].start == as_rational(b.executions[i].start));
        RC_ASSERT(a.executions[i].finish == as_rational(b.executions[i].finish));
    }
    RC_ASSERT(a.event_makespan.has_value() == b.event_makespan.has_value());
    if (a.event_makespan) RC_ASSERT(*a.event_makespan == as_rational(*b.event_makespan));
}

}  // namespace schedproof::testing_support
