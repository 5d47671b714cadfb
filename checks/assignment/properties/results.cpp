/// Properties of outcomes of DynDLOff: Theorem 4, the ratio to the optimum, and whether an outcome is what it says.
///
/// Makespans are summed again from the assignment and compared with exhaustive optima. Theorem 4 is examined in four
/// forms: of the A_n that have n remote tasks, of every A_n, of every assignment that satisfies Constraint 2, and of
/// the output. For the third, A_n is made by taking the latest task off n times; all that matters of the tasks that
/// come back is their least possible finish. A run in 64-bit ticks must agree with the one in rationals in every part.
/// Source: [jin2018], Theorem 4 and Section 5.3; docs/models/assignment.md, Which statements hold.
#include <algorithm>

#include "checks/assignment/properties/property_functions.hpp"

namespace schedproof::checks::assignment_properties {

using namespace assignment;

namespace {

/// How Theorem 4 fails for the policy under test's A_n. A moved task may land where it is local; `n_remote` asks
/// only after those A_n that do have n remote tasks.
std::string against_theorem_4(const AssignmentProblem& problem, const TwoPhasePolicy& under_test, bool n_remote) {
    if (has_no_tasks(problem)) return "";
    const Exhaustive all(problem);
    for (const std::size_t n : all.remote_of_optima()) {
        const Totals a = totals(problem, under_test.candidate(problem, n).assignment);
        if (n_remote && a.remote_tasks != n) continue;
        if (largest_is_local(a) && *a.makespan > all.optimum())
            return fmt::format(
                "A_{} has {} remote tasks and makespan {} on a core with local tasks only; an optimum "
                "with {} remote tasks has {}",
                n, a.remote_tasks, a.makespan->to_string(), n, all.optimum().to_string());
    }
    return "";
}

/// How Theorem 4 fails for the A_n made from this local assignment; empty when it does not.
std::string against_theorem_4(const AssignmentProblem& problem, const Exhaustive& all, const Assignment& b) {
    const Totals whole = totals(problem, b);
    std::vector<Rational> load = whole.load;
    std::vector<std::size_t> tasks = whole.local;
    // The latest task: of the active core of largest load.
    const auto latest = [&] {
        std::optional<std::size_t> best;
        for (std::size_t p = 0; p < load.size(); ++p)
            if (tasks[p] > 0 && (!best || load[p] > load[*best])) best = p;
        return best;
    };
    const std::vector<std::size_t> counts = all.remote_of_optima();
    for (std::size_t n = 0; n < b.size(); ++n) {
        const std::size_t p = *latest();
        if (std::find(counts.begin(), counts.end(), n) != counts.end()) {
            const auto remote = least_remote_finish(problem, load, n);
            if ((!remote || *remote <= load[p]) && load[p] > all.optimum())
                return fmt::format(
                    "A_{} has makespan {} on {}, which has local tasks only; an optimum with {} remote "
                    "tasks has {}",
                    n, load[p].to_string(), name(problem, CoreId(p)), n, all.optimum().to_string());
        }
        load[p] -= problem.local;
        --tasks[p];
    }
    return "";
}

}  // namespace

bool largest_is_local(const Totals& a) {
    for (std::size_t p = 0; p < a.load.size(); ++p)
        if (a.local[p] > 0 && a.remote[p] == 0 && a.load[p] == *a.makespan) return true;
    return false;
}

std::string theorem_4(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    return against_theorem_4(problem, under_test, true);
}

std::string theorem_4_if_moved_are_local(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    return against_theorem_4(problem, under_test, false);
}

std::string theorem_4_of_constraint_2(const AssignmentProblem& problem, const TwoPhasePolicy&) {
    if (has_no_tasks(problem)) return "";
    std::string found;
    const Exhaustive all(problem);
    for_each_local_map(problem, [&](const std::vector<ServerId>& server_of) {
        if (!found.empty()) return;
        const auto assignment = with_constraint_2(problem, server_of);
        if (!assignment) return;
        const std::string against = against_theorem_4(problem, all, *assignment);
        if (!against.empty())
            found = fmt::format("{} satisfies Constraints 1 and 2; {}", words(problem, *assignment), against);
    });
    return found;
}

std::string theorem_4_of_output(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    const Totals a = totals(problem, under_test.run(problem).taken.assignment);
    if (!largest_is_local(a)) return "";
    const Exhaustive all(problem);
    if (*a.makespan == all.optimum()) return "";
    return fmt::format("the output has makespan {} on a core with local tasks only; the optimum is {}",
                       a.makespan->to_string(), all.optimum().to_string());
}

std::string k_is_optimal(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    const Exhaustive all(problem);
    const std::size_t k = last_passing_index(problem, under_test.balance(problem)), n = all.remote_of_optima().front();
    if (n > k) return "";
    const Rational makespan = *totals(problem, under_test.candidate(problem, k).assignment).makespan;
    if (makespan == all.optimum()) return "";
    return fmt::format("k is {}, an optimum has {} remote tasks and makespan {}, and A_k has {}", k, n,
                       all.optimum().to_string(), makespan.to_string());
}

std::string twice_the_optimum(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    const Rational makespan = *totals(problem, under_test.run(problem).taken.assignment).makespan;
    const Exhaustive all(problem);
    if (makespan <= Rational(2) * all.optimum()) return "";
    return fmt::format("the output has makespan {}, more than twice the optimum {}", makespan.to_string(),
                       all.optimum().to_string());
}

std::string optimal(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    const Rational makespan = *totals(problem, under_test.run(problem).taken.assignment).makespan;
    const Exhaustive all(problem);
    if (makespan == all.optimum()) return "";
    return fmt::format("the output has makespan {}; the optimum is {}", makespan.to_string(),
                       all.optimum().to_string());
}

std::string not_above_balanced(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    const RunFacts run = under_test.run(problem);
    const Rational makespan = *totals(problem, run.taken.assignment).makespan;
    const Rational balanced = *totals(problem, run.balanced.assignment).makespan;
    if (makespan <= balanced) return "";
    return fmt::format("the output has makespan {}, the balanced assignment {}", makespan.to_string(),
                       balanced.to_string());
}

std::string actual_is_nominal(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    if (has_no_tasks(problem)) return "";
    const PlacedFacts taken = under_test.run(problem).taken;
    const Rational makespan = *totals(problem, taken.assignment).makespan;
    if (makespan == taken.nominal) return "";
    return fmt::format("the output has makespan {} and is said to have {}", makespan.to_string(),
                       taken.nominal.to_string());
}

std::string moved_are_remote(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const PlacedFacts taken = under_test.run(problem).taken;
    for (const TaskId t : taken.moved) {
        const CoreId p = taken.assignment[t.index()];
        if (problem.shape->is_local(t, problem.shape->server_of(p)))
            return fmt::format("task {} was moved to be remote, to {}, where it is local", name(t), name(problem, p));
    }
    return "";
}

std::string ticks_are_rationals(const AssignmentProblem& problem, const TwoPhasePolicy& under_test) {
    const RunFacts exact = under_test.run(problem), ticks = under_test.run_in_ticks(problem);
    const auto differ = [&](const char* what) {
        return fmt::format("{} differs between rationals and ticks of 1/{}", what,
                           assignment::least_ticks(problem).str());
    };
    if (exact.balanced.assignment != ticks.balanced.assignment) return differ("the balanced assignment");
    if (exact.balanced.finish != ticks.balanced.finish) return differ("a finish time");
    for (const auto candidate : {&RunFacts::low, &RunFacts::high, &RunFacts::taken}) {
        const PlacedFacts &a = exact.*candidate, &b = ticks.*candidate;
        if (a.assignment != b.assignment || a.moved != b.moved) return differ("an A_i");
        if (a.nominal != b.nominal) return differ("a makespan");
    }
    return "";
}

}  // namespace schedproof::checks::assignment_properties
