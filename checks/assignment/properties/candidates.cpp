/// Properties of the A_i, the assignments with the i latest tasks made remote.
#include <algorithm>

#include "checks/assignment/properties/property_functions.hpp"

namespace schedproof::checks::assignment_properties {

using namespace assignment;

namespace {

/// The makespans that the policy under test states for A_0 to A_T.
std::vector<Rational> nominals(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    std::vector<Rational> all;
    for (std::size_t i = 0; i <= problem.shape->tasks().size(); ++i)
        all.push_back(under_test.candidate(problem, i).nominal);
    return all;
}

std::string against_counts(const AssignmentProblem& problem, const TwoPhasePolicy& under_test, std::size_t k) {
    const std::size_t remote = totals(problem, under_test.run(problem).taken.assignment).remote_tasks;
    if (remote == k || remote == k + 1) return "";
    return fmt::format("k is {}, and the output has {} remote tasks", k, remote);
}

}  // namespace

std::string makespan_of_k(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    const BalancedFacts b = under_test.balance(problem);
    const std::size_t k = last_passing_index(problem, b);
    const PlacedFacts a = under_test.candidate(problem, k);
    const Rational d = deadlines(b)[k], actual = *totals(problem, a.assignment).makespan;
    if (a.nominal == d && actual == d) return "";
    return fmt::format("k is {} and D[k] is {}; A_k has makespan {} and is said to have {}", k, d.to_string(),
                       actual.to_string(), a.nominal.to_string());
}

std::string monotone(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    const std::size_t k = last_passing_index(problem, under_test.balance(problem));
    const std::vector<Rational> a = nominals(problem, under_test);
    for (std::size_t i = 0; i + 1 < a.size(); ++i) {
        const bool rises = i < k && a[i]<a[i + 1], falls = i> k && a[i] > a[i + 1];
        if (rises || falls)
            return fmt::format("makespans {} from {} to {} between A_{} and A_{}, with k = {}", rises ? "rise" : "fall",
                               a[i].to_string(), a[i + 1].to_string(), i, i + 1, k);
    }
    return "";
}

std::string monotone_from_the_output(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    const std::vector<Rational> a = nominals(problem, under_test);
    const PlacedFacts taken = under_test.run(problem).taken;
    const std::size_t output = taken.moved.size();
    if (taken.nominal != a[output])
        return fmt::format("the output moves {} tasks and has makespan {}; A_{} has {}", output,
                           taken.nominal.to_string(), output, a[output].to_string());
    for (std::size_t i = 0; i + 1 < a.size(); ++i)
        if (i < output ? a[i] < a[i + 1] : a[i] > a[i + 1])
            return fmt::format("makespans {} from {} to {} between A_{} and A_{}; the output is A_{}",
                               i < output ? "rise" : "fall", a[i].to_string(), a[i + 1].to_string(), i, i + 1, output);
    return "";
}

std::string best_is_k_or_next(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    const std::size_t k = last_passing_index(problem, under_test.balance(problem));
    const std::vector<Rational> a = nominals(problem, under_test);
    const auto least = std::min_element(a.begin(), a.end());
    if (*least == a[k] || *least == a[k + 1]) return "";
    return fmt::format("A_{} has makespan {}, less than A_{} with {} and A_{} with {}", least - a.begin(),
                       least->to_string(), k, a[k].to_string(), k + 1, a[k + 1].to_string());
}

std::string k_or_next_remote(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    return against_counts(problem, under_test, last_passing_index(problem, under_test.balance(problem)));
}

std::string level_or_next_remote(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    const BalancedFacts b = under_test.balance(problem);
    const std::vector<Rational> d = deadlines(b);
    std::size_t later = 0;
    for (std::size_t i = 0; i < d.size(); ++i)
        if ((i == 0 || d[i] != d[i - 1]) && capacity(problem, b, d[i]) >= i) later = i;
    return against_counts(problem, under_test, later);
}

std::string least_placement(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const BalancedFacts b = under_test.balance(problem);
    const std::vector<Rational> d = deadlines(b);
    for (std::size_t i = 0; i <= d.size(); ++i) {
        const PlacedFacts a = under_test.candidate(problem, i);
        std::vector<Rational> base = totals(problem, b.assignment).load, moved;
        for (const TaskId t : a.moved) {
            base[b.assignment[t.index()].index()] -= problem.local;
            moved.push_back(b.finish[t.index()]);
        }
        std::sort(moved.begin(), moved.end(), std::greater<>());
        if (!std::equal(moved.begin(), moved.end(), d.begin(), d.begin() + static_cast<std::ptrdiff_t>(i)))
            return fmt::format("A_{} does not move the {} latest tasks", i, i);
        const auto remote = least_remote_finish(problem, base, i);
        Rational least = i < d.size() ? d[i] : Rational(0);
        if (remote) least = std::max(least, *remote);
        if (a.nominal != least)
            return fmt::format("A_{} is given makespan {}; its tasks can be placed with {}", i, a.nominal.to_string(),
                               least.to_string());
    }
    return "";
}

std::string same_makespan_by_index(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    DynDlOff by_index;
    by_index.index_levels = true;
    const Rational own = under_test.run(problem).taken.nominal;
    const Rational other = two_phase_policy(by_index, "").run(problem).taken.nominal;
    if (own == other) return "";
    return fmt::format("makespan {} by levels, {} by indices", own.to_string(), other.to_string());
}

std::string same_makespan_as_dyndloff(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    const Rational own = *totals(problem, under_test.run(problem).taken.assignment).makespan;
    const Rational other = *totals(problem, dyndloff().run(problem).taken.assignment).makespan;
    if (own == other) return "";
    return fmt::format("the output has makespan {}, and {} in the interpretation that holds", own.to_string(),
                       other.to_string());
}

}  // namespace schedproof::checks::assignment_properties
