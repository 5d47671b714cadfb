/// Statements about whole runs at speed 1, as pairs a <= b.
///
/// A statement is a template on the number: on symbols it leaves what must not be on a path, and a problem where
/// exploration fails is tried again in rationals by the same code. Dividing sizes by the speed makes one proof speak of
/// every speed (statement_shape.hpp).
/// Source: [xu2017], Sections 4 and 5; docs/models/redundancy.md, Theorems.
#include "proofs/redundancy/theorems/runs.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "model/core/errors.hpp"
#include "proofs/redundancy/theorems/steps.hpp"

namespace schedproof::redundancy {

using explore::Affine;
using explore::Forbidden;

namespace {

/// F of the run whose jobs the rule counts, at speed 1.
template <Number N>
N flowtime(DualRule rule, const Problem<N>& problem) {
    const auto run = policy_of(rule) == SrptR::info.id ? history(Srpt{}, problem, Rational(1))
                                                       : history(FairR{}, problem, Rational(1));
    return run.total_flowtime(problem.jobs);
}

template <Number N>
using Pairs = std::vector<std::pair<N, N>>;  ///< a, b of which a statement says a <= b

/// sum alpha and M int beta dt, beside F.
template <Number N>
Pairs<N> dual_values(DualRule rule, const Problem<N>& problem, const Rational& bound) {
    const auto scaled = [](const Rational& factor, const N& n) { return NumberTraits<N>::coefficient(factor) * n; };
    const Duals<N> made = duals(rule, problem, Rational(1));
    const bool equal = policy_of(rule) == SrptR::info.id;
    const N f = flowtime(rule, problem), sum = made.sum_of_alpha();
    const N price = scaled(made.per_job * Rational(problem.machines), made.job_time());
    Pairs<N> pairs{{scaled(equal ? Rational(1) : bound, f), sum}, {price, f}, {f, price}};
    if (equal) pairs.emplace_back(sum, f);
    return pairs;
}

/// The steps at which a bound on alpha_j that falls with n(t) is worth a test. With numbers steps of length 0 are left
/// out; on symbols such a step is a limit of steps that last.
std::vector<std::size_t> steps_of(const Duals<Affine>& duals, std::size_t job) { return tested_steps(duals, job); }
std::vector<std::size_t> steps_of(const Duals<Rational>& duals, std::size_t job) {
    std::vector<std::size_t> lasting;
    for (std::size_t i = 0; i < duals.steps.size(); ++i)
        if (duals.steps[i].arrived > job &&
            (i + 1 == duals.steps.size() || duals.steps[i].start != duals.steps[i + 1].start))
            lasting.push_back(i);
    return lasting;
}

/// Lemma 6 times P_j: alpha_j <= (t - a_j) + max(1, n/M) P_j.
template <Number N>
Pairs<N> bounds_on_alpha(std::initializer_list<DualRule> rules, const Problem<N>& problem) {
    Pairs<N> pairs;
    for (const DualRule rule : rules) {
        const Duals<N> made = duals(rule, problem, Rational(1));
        for (std::size_t j = 0; j < problem.jobs.size(); ++j)
            for (const std::size_t i : steps_of(made, j)) {
                const Rational crowd =
                    std::max(Rational(1), Rational(made.steps[i].active) / Rational(problem.machines));
                pairs.emplace_back(made.alpha[j], (made.steps[i].start - problem.jobs[j].arrival) +
                                                      NumberTraits<N>::coefficient(crowd) * problem.jobs[j].size);
            }
    }
    return pairs;
}

/// The same policy with a copy of each job.
AnyPolicy with_one_copy(const AnyPolicy& policy) {
    if (policy.as<FairR>()) return Fair{};
    if (policy.as<RedundancyD>()) return RedundancyD{1};
    return Srpt{};
}

/// When all jobs are done, under the policy and one after another.
template <Number N>
Pairs<N> ends(const AnyPolicy& policy, const Problem<N>& problem) {
    N last = problem.jobs.front().arrival, free = last;
    for (const N& completion : history(policy, problem, Rational(1)).completion)
        if (last < completion) last = completion;
    for (const Job<N>& job : problem.jobs) {
        if (free < job.arrival) free = job.arrival;
        free += job.size;
    }
    return {{last, free}, {free, last}};
}

/// When each job is done, under LAPS and under FAIR.
template <Number N>
Pairs<N> as_fair(const AnyPolicy& policy, const Problem<N>& problem) {
    const AnyPolicy fair = policy.as<Laps>() ? AnyPolicy(Fair{}) : AnyPolicy(FairR{});
    const auto own = history(policy, problem, Rational(1)).completion,
               other = history(fair, problem, Rational(1)).completion;
    Pairs<N> pairs;
    for (std::size_t j = 0; j < own.size(); ++j) {
        pairs.emplace_back(own[j], other[j]);
        pairs.emplace_back(other[j], own[j]);
    }
    return pairs;
}

/// The statement at speed 1. Throws Deadlock.
template <Number N>
Pairs<N> values(std::string_view statement, const AnyPolicy& policy, const Problem<N>& problem, const Rational& bound) {
    if (statement == "redundancy-helps" || statement == "copies-help")
        return {{history(policy, problem, Rational(1)).total_flowtime(problem.jobs),
                 NumberTraits<N>::coefficient(bound) *
                     history(with_one_copy(policy), problem, Rational(1)).total_flowtime(problem.jobs)}};
    if (statement == "busy-periods") return ends(policy, problem);
    if (statement == "as-fair") return as_fair(policy, problem);
    if (statement == "fair-alpha-bounded-naive") return bounds_on_alpha({DualRule::naive}, problem);
    if (statement == "fair-alpha-bounded")
        return bounds_on_alpha({DualRule::cap, DualRule::rank, DualRule::shifted}, problem);
    return dual_values(rule_of(statement), problem, bound);
}

bool is_feasibility(std::string_view statement) { return statement.find("feasible") != std::string_view::npos; }

/// Eq. 8 times P_j, at speed 1: alpha_j - (n/M) P_j <= (t - a_j) + C P_j. A step of length 0 is tested like any other:
/// its point is a limit of points of the same path where it lasts.
std::vector<Forbidden> feasible(DualRule rule, const Problem<Affine>& problem, const Rational& constant) {
    const Duals<Affine> made = duals(rule, problem, Rational(1));
    std::vector<Forbidden> obligations;
    for (std::size_t j = 0; j < problem.jobs.size(); ++j)
        for (const std::size_t i : tested_steps(made, j)) {
            const auto& [start, active, arrived] = made.steps[i];
            obligations.push_back(
                at_most(made.alpha[j], (start - problem.jobs[j].arrival) +
                                           (made.per_job * Rational(active) + constant) * problem.jobs[j].size));
        }
    return obligations;
}

}  // namespace

DualRule rule_of(std::string_view statement) {
    const std::string_view last = statement.substr(statement.rfind('-') + 1);
    for (const DualRule rule : dual_rules)
        if (name(rule) == last || name(rule) == "srpt:" + std::string(last)) return rule;
    return last == "count" ? DualRule::srpt_own_count : DualRule::srpt;
}

/// A path on which jobs wait for ever fails as soon as it is possible.
std::vector<Forbidden> left_of_run(std::string_view statement, const AnyPolicy& policy, const Problem<Affine>& problem,
                                   const Rational& bound) {
    if (is_feasibility(statement)) return feasible(rule_of(statement), problem, bound);
    std::vector<Forbidden> obligations;
    try {
        for (const auto& [a, b] : values(statement, policy, problem, bound)) obligations.push_back(at_most(a, b));
    } catch (const Deadlock&) {
        return {Forbidden{}};
    }
    return obligations;
}

bool fails(const StatementInfo& statement, const AnyPolicy& policy, const Problem<Rational>& problem,
           const Rational& bound) {
    require(statement.inputs == Inputs::jobs, "only a statement about whole runs is tried on a problem");
    if (is_feasibility(statement.name))
        return least_constant(duals(rule_of(statement.name), problem, Rational(1)), problem) > bound;
    try {
        const auto pairs = values(statement.name, policy, problem, bound);
        return std::any_of(pairs.begin(), pairs.end(), [](const auto& p) { return p.first > p.second; });
    } catch (const Deadlock&) {
        return true;
    }
}

}  // namespace schedproof::redundancy
