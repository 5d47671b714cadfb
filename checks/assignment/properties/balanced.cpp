/// Properties of Phase I of DynDLOff, and of the effort of both phases.
///
/// What is said of the balanced assignment is tested on the policy under test; what is said of every assignment that
/// satisfies Constraint 2, or has no cost-reducing path, is tested on all ways to make every task local. The key lemma
/// compares, for each n, the least makespan with n remote tasks with the number of tasks of the balanced assignment
/// that finish later. Effort is read off the policy's counters and compared with the bounds of Theorems 2 and 3.
/// Source: [jin2018], Section 5; docs/models/assignment.md, DynDLOff, Which statements hold. Cost: optima and local
/// assignments are enumerated, so problems must be small.
#include <algorithm>
#include <map>

#include "checks/assignment/properties/property_functions.hpp"

namespace schedproof::checks::assignment_properties {

using namespace assignment;

namespace {

/// Finish times of the balanced spread of these servers' tasks, latest first.
std::vector<Rational> finishes_of(const AssignmentProblem& problem, const std::vector<ServerId>& server_of) {
    std::vector<Rational> all;
    for (const ServerId s : problem.shape->servers()) {
        const auto n = static_cast<std::size_t>(std::count(server_of.begin(), server_of.end(), s));
        for (const Rational& finish : even_finishes(problem, s, n)) all.push_back(finish);
    }
    std::sort(all.begin(), all.end(), std::greater<>());
    return all;
}

/// How an assignment with few remote tasks beats the lemma; empty when none does.
std::string against_key_lemma(const Exhaustive& all, const std::vector<Rational>& latest_first) {
    for (std::size_t n = 0; n <= latest_first.size(); ++n) {
        const auto& makespan = all.with_remote(n);
        if (!makespan) continue;
        const auto later = static_cast<std::size_t>(
            std::count_if(latest_first.begin(), latest_first.end(), [&](const Rational& f) { return f > *makespan; }));
        if (later > n)
            return fmt::format(
                "an assignment with {} remote tasks has makespan {}, but {} tasks of the balanced one "
                "finish later than that",
                n, makespan->to_string(), later);
    }
    return "";
}

std::string list(const std::vector<Rational>& values) {
    std::string text;
    for (const Rational& value : values) text += (text.empty() ? "" : ", ") + value.to_string();
    return text;
}

unsigned log2_up(std::size_t n) {
    unsigned bits = 0;
    while ((std::size_t{1} << bits) < n) ++bits;
    return bits;
}

std::size_t most_replicas(const Shape& shape) {
    std::size_t most = 0;
    for (const TaskId t : shape.tasks()) most = std::max(most, shape.replicas(t).size());
    return most;
}

std::size_t most_cores(const Shape& shape) {
    std::size_t most = 1;
    for (const ServerId s : shape.servers()) most = std::max(most, shape.cores_of(s));
    return most;
}

}  // namespace

std::string words(const AssignmentProblem& problem, const Assignment& assignment) {
    std::string text;
    for (std::size_t t = 0; t < assignment.size(); ++t)
        text += fmt::format("{}{} on {}", t == 0 ? "" : ", ", name(TaskId(t)), name(problem, assignment[t]));
    return text;
}

std::string finish_times(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const BalancedFacts b = under_test.balance(problem);
    for (const CoreId p : problem.shape->cores()) {
        std::vector<Rational> finishes;
        for (const TaskId t : problem.shape->tasks())
            if (b.assignment[t.index()] == p) finishes.push_back(b.finish[t.index()]);
        std::sort(finishes.begin(), finishes.end());
        for (std::size_t k = 0; k < finishes.size(); ++k) {
            const Rational expected = problem.load(p) + Rational(k + 1) * problem.local;
            if (finishes[k] != expected)
                return fmt::format("task number {} of core {} finishes at {}, and F is {}", k + 1, name(problem, p),
                                   expected.to_string(), finishes[k].to_string());
        }
    }
    return "";
}

std::string property_1_1(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const BalancedFacts b = under_test.balance(problem);
    const Totals a = totals(problem, b.assignment);
    for (const CoreId i : problem.shape->cores())
        for (const CoreId j : problem.shape->cores()) {
            if (!(a.load[i.index()] - problem.local > a.load[j.index()])) continue;
            for (const TaskId t : problem.shape->tasks())
                if (b.assignment[t.index()] == i && problem.shape->is_local(t, problem.shape->server_of(j)))
                    return fmt::format("L({}) - 1 = {} is more than L({}) = {}, but task {} on {} prefers {}",
                                       name(problem, i), (a.load[i.index()] - problem.local).to_string(),
                                       name(problem, j), a.load[j.index()].to_string(), name(t), name(problem, i),
                                       name(problem, j));
        }
    return "";
}

std::string constraint_1(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const BalancedFacts b = under_test.balance(problem);
    for (const TaskId t : problem.shape->tasks())
        if (!problem.shape->is_local(t, problem.shape->server_of(b.assignment[t.index()])))
            return fmt::format("task {} is assigned to {}, which it does not prefer", name(t),
                               name(problem, b.assignment[t.index()]));
    return "";
}

std::string constraint_2(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const BalancedFacts b = under_test.balance(problem);
    const Totals a = totals(problem, b.assignment);
    for (const TaskId t : problem.shape->tasks()) {
        const CoreId own = b.assignment[t.index()];
        for (const ServerId s : problem.shape->replicas(t))
            for (std::size_t i = 0; i < problem.shape->cores_of(s); ++i) {
                const CoreId other = problem.shape->core(s, i);
                if (other == own || a.load[own.index()] - problem.local <= a.load[other.index()]) continue;
                return fmt::format("task {} is on {} with load {}, and would finish at {} on {}, which it prefers too",
                                   name(t), name(problem, own), a.load[own.index()].to_string(),
                                   (a.load[other.index()] + problem.local).to_string(), name(problem, other));
            }
    }
    return "";
}

std::string constraint_2_is_best_local(const AssignmentProblem& problem, const TwoPhasePolicy&) {
    std::string found;
    const Exhaustive all(problem);
    for_each_local_map(problem, [&](const std::vector<ServerId>& server_of) {
        if (!found.empty() || server_of.empty()) return;
        const auto assignment = with_constraint_2(problem, server_of);
        if (!assignment) return;
        const Rational makespan = *totals(problem, *assignment).makespan;
        if (makespan > all.local_optimum())
            found = fmt::format("{} satisfies Constraints 1 and 2 with makespan {}; the best local makespan is {}",
                                words(problem, *assignment), makespan.to_string(), all.local_optimum().to_string());
    });
    return found;
}

std::string no_path_is_best_local(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    std::string found;
    const Exhaustive all(problem);
    for_each_local_map(problem, [&](const std::vector<ServerId>& server_of) {
        if (!found.empty() || server_of.empty()) return;
        const Assignment assignment = spread(problem, server_of);
        const Rational makespan = *totals(problem, assignment).makespan;
        if (makespan > all.local_optimum() && !under_test.path(problem, assignment))
            found = fmt::format("{} has no cost-reducing path and makespan {}; the best local makespan is {}",
                                words(problem, assignment), makespan.to_string(), all.local_optimum().to_string());
    });
    return found;
}

std::string no_path_left(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const auto path = under_test.path(problem, under_test.balance(problem).assignment);
    if (!path) return "";
    return fmt::format("a cost-reducing path leads from {}, whose largest load is {}, to {}, whose least is {}",
                       name(path->servers.front()), path->from.to_string(), name(path->servers.back()),
                       path->to.to_string());
}

std::string best_local(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (problem.shape->tasks().size() == 0) return "";
    const Rational makespan = *totals(problem, under_test.balance(problem).assignment).makespan;
    const Exhaustive all(problem);
    if (makespan == all.local_optimum()) return "";
    return fmt::format("the balanced assignment has makespan {}; the best local makespan is {}", makespan.to_string(),
                       all.local_optimum().to_string());
}

std::string unique_finishes(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const std::vector<Rational> own = deadlines(under_test.balance(problem));
    std::string found;
    for_each_local_map(problem, [&](const std::vector<ServerId>& server_of) {
        if (!found.empty()) return;
        const Assignment assignment = spread(problem, server_of);
        const std::vector<Rational> finishes = finishes_of(problem, server_of);
        if (finishes != own && !under_test.path(problem, assignment))
            found = fmt::format("{} has no cost-reducing path and finish times {}, the balanced assignment has {}",
                                words(problem, assignment), list(finishes), list(own));
    });
    return found;
}

std::string same_finishes_as_other_searches(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const std::vector<Rational> own = deadlines(under_test.balance(problem));
    for (const auto search : {DynDlOff::Search::split, DynDlOff::Search::loop, DynDlOff::Search::paper}) {
        DynDlOff interpretation;
        interpretation.search = search;
        const std::vector<Rational> other = deadlines(two_phase_policy(interpretation, "").balance(problem));
        if (other != own) return fmt::format("finish times {} by this search, {} by another", list(own), list(other));
    }
    return "";
}

std::string key_lemma(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    return against_key_lemma(Exhaustive(problem), deadlines(under_test.balance(problem)));
}

std::string key_lemma_without_path(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    std::string found;
    const Exhaustive all(problem);
    for_each_local_map(problem, [&](const std::vector<ServerId>& server_of) {
        if (!found.empty()) return;
        const Assignment assignment = spread(problem, server_of);
        std::string against = against_key_lemma(all, finishes_of(problem, server_of));
        if (!against.empty() && !under_test.path(problem, assignment))
            found = fmt::format("{} has no cost-reducing path; {}", words(problem, assignment), against);
    });
    return found;
}

std::string key_lemma_of_constraint_2(const AssignmentProblem& problem, const TwoPhasePolicy&) {
    std::string found;
    const Exhaustive all(problem);
    for_each_local_map(problem, [&](const std::vector<ServerId>& server_of) {
        if (!found.empty()) return;
        const auto assignment = with_constraint_2(problem, server_of);
        if (!assignment) return;
        const std::string against = against_key_lemma(all, finishes_of(problem, server_of));
        if (!against.empty())
            found = fmt::format("{} satisfies Constraints 1 and 2; {}", words(problem, *assignment), against);
    });
    return found;
}

std::string effort_of_phase_1(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const Counters c = under_test.run(problem).counters;
    const std::size_t tasks = problem.shape->tasks().size(), replicas = most_replicas(*problem.shape);
    if (c.flips > tasks) return fmt::format("{} paths flipped for {} tasks", c.flips, tasks);
    if (c.edge_scans > replicas * tasks * (c.flips + 1))
        return fmt::format("{} replicas looked at, more than {} x {} x ({} + 1)", c.edge_scans, replicas, tasks,
                           c.flips);
    return "";
}

std::string effort_of_phase_2(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const Counters c = under_test.run(problem).counters;
    const Shape& shape = *problem.shape;
    const std::size_t tasks = shape.tasks().size(), cores = most_cores(shape);
    if (c.tests > log2_up(tasks) + 1) return fmt::format("{} deadlines tested for {} tasks", c.tests, tasks);
    if (c.server_tests != c.tests * shape.servers().size())
        return fmt::format("{} tests of servers for {} deadlines and {} servers", c.server_tests, c.tests,
                           shape.servers().size());
    if (c.over_bound > 0 || c.r_evaluations > c.server_tests * (log2_up(cores) + 1))
        return fmt::format("{} numbers of remote tasks tried in {} tests of servers with at most {} cores",
                           c.r_evaluations, c.server_tests, cores);
    if (c.gamma_steps > c.server_tests * (log2_up(tasks + 1) + 1))
        return fmt::format("{} values of n g(n) compared in {} tests of servers and {} tasks", c.gamma_steps,
                           c.server_tests, tasks);
    return "";
}

/// The sum that Section 5.3 makes of both phases, with constants. Theorem 2 bounds the replicas that are looked at, by
/// at most T flips; Theorem 3 the deadlines, each of which asks every server once. What the final assignment costs, a
/// heap operation for each of at most T moved tasks, is no counter.
std::string effort_in_all(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const Counters c = under_test.run(problem).counters;
    const Shape& shape = *problem.shape;
    const std::size_t tasks = shape.tasks().size();
    const std::uint64_t spent = c.edge_scans + c.server_tests + c.gamma_steps + c.r_evaluations,
                        balancing = most_replicas(shape) * tasks * (tasks + 1),
                        testing = shape.servers().size() * (log2_up(tasks) + 1) *
                                  (log2_up(tasks + 1) + log2_up(most_cores(shape)) + 3);
    if (spent <= balancing + testing) return "";
    return fmt::format("{} steps in all, more than {} + {}", spent, balancing, testing);
}

}  // namespace schedproof::checks::assignment_properties
