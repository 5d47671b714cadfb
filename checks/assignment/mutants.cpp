/// Mutants of DynDLOff for the properties of its claims.
///
/// A mutant replaces one function of the policy under test: it asks the original and spoils the answer. What it does
/// not replace stays right, so a mutant that is caught is caught for its own fault. Each is tried on the named problems
/// and on the same 300 random ones.
#include "checks/assignment/mutants.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "checks/assignment/generate.hpp"
#include "checks/assignment/witnesses.hpp"

namespace schedproof::checks {

using namespace assignment;

namespace {

/// DynDLOff whose balanced assignment went through `spoil`, in Phase I's answer alone.
TwoPhasePolicy balanced_by(void (*spoil)(const AssignmentProblem&, BalancedFacts&)) {
    TwoPhasePolicy under_test = dyndloff();
    under_test.balance = [own = under_test.balance, spoil](const AssignmentProblem& problem) {
        BalancedFacts b = own(problem);
        spoil(problem, b);
        return b;
    };
    return under_test;
}
TwoPhasePolicy candidates_by(void (*spoil)(const AssignmentProblem&, std::size_t, PlacedFacts&)) {
    TwoPhasePolicy under_test = dyndloff();
    under_test.candidate = [own = under_test.candidate, spoil](const AssignmentProblem& problem, std::size_t i) {
        PlacedFacts a = own(problem, i);
        spoil(problem, i, a);
        return a;
    };
    return under_test;
}
TwoPhasePolicy runs_by(void (*spoil)(const AssignmentProblem&, RunFacts&), const DynDlOff& interpretation = {}) {
    TwoPhasePolicy under_test = two_phase_policy(interpretation, "dyndloff");
    under_test.run = [own = under_test.run, spoil](const AssignmentProblem& problem) {
        RunFacts run = own(problem);
        spoil(problem, run);
        return run;
    };
    return under_test;
}

/// Finish times that go with an assignment: tasks of a core one after another, lower ids first.
void finish_in_order(const AssignmentProblem& problem, BalancedFacts& b) {
    std::vector<Rational> load = problem.initial;
    for (std::size_t t = 0; t < b.finish.size(); ++t) b.finish[t] = load[b.assignment[t].index()] += problem.local;
}

/// The last task goes to the last core of its last replica's server, wherever that leaves the loads.
void last_task_elsewhere(const AssignmentProblem& problem, BalancedFacts& b) {
    const TaskId t(b.assignment.size() - 1);
    const ServerId s = problem.shape->replicas(t).back();
    b.assignment.back() = problem.shape->core(s, problem.shape->cores_of(s) - 1);
    finish_in_order(problem, b);
}
void greedy_only(const AssignmentProblem& problem, BalancedFacts& b) {
    // Every task on the first server that holds it.
    for (std::size_t t = 0; t < b.assignment.size(); ++t)
        b.assignment[t] = problem.shape->core(problem.shape->replicas(TaskId(t)).front(), 0);
    finish_in_order(problem, b);
}
void first_task_remote(const AssignmentProblem& problem, BalancedFacts& b) {
    for (const ServerId s : problem.shape->servers())
        if (!problem.shape->is_local(TaskId(0), s)) b.assignment[0] = problem.shape->core(s, 0);
}
void finish_half_late(const AssignmentProblem& problem, BalancedFacts& b) {
    b.finish.back() += problem.local / Rational(2);
}
void all_finish_late(const AssignmentProblem& problem, BalancedFacts& b) {
    for (Rational& finish : b.finish) finish += problem.local;
}

TwoPhasePolicy task_moved() { return balanced_by(last_task_elsewhere); }
TwoPhasePolicy all_on_first_core() { return balanced_by(greedy_only); }
TwoPhasePolicy task_made_remote() { return balanced_by(first_task_remote); }
TwoPhasePolicy finish_misstated() { return balanced_by(finish_half_late); }
TwoPhasePolicy finishes_shifted() { return balanced_by(all_finish_late); }

/// No cost-reducing path is seen anywhere.
TwoPhasePolicy paths_unseen() {
    TwoPhasePolicy under_test = dyndloff();
    under_test.path = [](const AssignmentProblem&, const Assignment&) { return std::optional<ShiftablePath>(); };
    return under_test;
}

TwoPhasePolicy bounds_by(void (*spoil)(BoundFacts&)) {
    TwoPhasePolicy under_test = dyndloff();
    under_test.bounds = [own = under_test.bounds, spoil](const AssignmentProblem& problem, ServerId s,
                                                         const Rational& d) {
        BoundFacts bounds = own(problem, s, d);
        spoil(bounds);
        return bounds;
    };
    return under_test;
}
TwoPhasePolicy rmax_one_more() {
    return bounds_by([](BoundFacts& bounds) { ++bounds.rmax; });
}
TwoPhasePolicy gamma_one_less() {
    return bounds_by([](BoundFacts& bounds) { bounds.gamma -= bounds.gamma > 0 ? 1 : 0; });
}
TwoPhasePolicy one_core_less() {
    return bounds_by([](BoundFacts& bounds) { bounds.cores -= bounds.cores > 0 ? 1 : 0; });
}

/// The first task joins the last core of the cluster instead of its own place.
void wrong_task(const AssignmentProblem& problem, std::size_t i, PlacedFacts& a) {
    if (i > 0 && i < a.assignment.size()) a.assignment[0] = CoreId(problem.shape->cores().size() - 1);
}
/// What is moved is not the latest task but the earliest.
void moves_the_earliest(const AssignmentProblem& problem, std::size_t i, PlacedFacts& a) {
    if (i == 0) return;
    const BalancedFacts b = dyndloff().balance(problem);
    const auto earliest = std::min_element(b.finish.begin(), b.finish.end()) - b.finish.begin();
    a.moved.back() = TaskId(static_cast<std::size_t>(earliest));
}
/// States the makespan of the remote tasks alone where there are many.
void dearer_once(const AssignmentProblem& problem, std::size_t i, PlacedFacts& a) {
    if (i == 1) a.nominal += Rational(20) * problem.local;
}
void cheaper_at_last(const AssignmentProblem& problem, std::size_t i, PlacedFacts& a) {
    if (i == problem.shape->tasks().size() && i > 2) a.nominal = Rational(0);
}
/// All tasks on the first core that one of them prefers.
void everything_on_one_core(const AssignmentProblem& problem, std::size_t, PlacedFacts& a) {
    for (std::size_t t = 0; t < a.assignment.size(); ++t)
        a.assignment[t] = problem.shape->core(problem.shape->replicas(TaskId(t)).front(), 0);
}

TwoPhasePolicy wrong_task_moved() { return candidates_by(wrong_task); }
TwoPhasePolicy earliest_moved() { return candidates_by(moves_the_earliest); }
TwoPhasePolicy candidate_dearer() { return candidates_by(dearer_once); }
TwoPhasePolicy candidate_cheaper() { return candidates_by(cheaper_at_last); }
TwoPhasePolicy candidates_unbalanced() { return candidates_by(everything_on_one_core); }

void unbalanced_output(const AssignmentProblem& problem, RunFacts& run) {
    everything_on_one_core(problem, 0, run.taken);
    run.taken.moved.clear();
}
/// Half of the tasks, and one, go to the last core that does not hold their block.
void all_remote_output(const AssignmentProblem& problem, RunFacts& run) {
    for (std::size_t t = 0; t < run.taken.assignment.size(); ++t)
        for (const ServerId s : problem.shape->servers())
            if (!problem.shape->is_local(TaskId(t), s)) run.taken.assignment[t] = problem.shape->core(s, 0);
}
void nominal_misstated(const AssignmentProblem& problem, RunFacts& run) {
    run.taken.nominal += problem.local / Rational(4);
}
void moved_lands_at_home(const AssignmentProblem& problem, RunFacts& run) {
    for (const TaskId t : run.taken.moved)
        run.taken.assignment[t.index()] = problem.shape->core(problem.shape->replicas(t).front(), 0);
}
void flips_inflated(const AssignmentProblem& problem, RunFacts& run) {
    run.counters.flips += problem.shape->tasks().size() + 1;
}
void scans_inflated(const AssignmentProblem&, RunFacts& run) { run.counters.edge_scans += 1'000; }
void tests_inflated(const AssignmentProblem&, RunFacts& run) { run.counters.tests += 20; }
void over_bound(const AssignmentProblem&, RunFacts& run) { run.counters.over_bound = 1; }

TwoPhasePolicy output_unbalanced() { return runs_by(unbalanced_output); }
TwoPhasePolicy output_all_remote() { return runs_by(all_remote_output, {.index_levels = true}); }
TwoPhasePolicy output_misstated() { return runs_by(nominal_misstated); }
TwoPhasePolicy output_at_home() { return runs_by(moved_lands_at_home); }
TwoPhasePolicy too_many_flips() { return runs_by(flips_inflated, {.search = DynDlOff::Search::loop}); }
TwoPhasePolicy too_many_scans() { return runs_by(scans_inflated, {.search = DynDlOff::Search::loop}); }
TwoPhasePolicy too_many_tests() { return runs_by(tests_inflated); }
TwoPhasePolicy too_many_trials() { return runs_by(over_bound); }

/// Ticks that lose what is below half a local task.
TwoPhasePolicy rounded_ticks() {
    TwoPhasePolicy under_test = dyndloff();
    under_test.run_in_ticks = [](const AssignmentProblem& problem) {
        AssignmentProblem rounded = problem;
        for (Rational& load : rounded.initial) load = Rational(floor(load + load)) / Rational(2);
        return dyndloff().run_in_ticks(rounded);
    };
    return under_test;
}
/// Search by levels that stops at the balanced assignment.
TwoPhasePolicy never_moves() {
    return runs_by([](const AssignmentProblem& problem, RunFacts& run) {
        run.taken.assignment = run.balanced.assignment;
        run.taken.nominal = *totals(problem, run.balanced.assignment).makespan;
        run.taken.moved.clear();
    });
}

}  // namespace

void for_each_mutant_problem(const std::function<bool(const AssignmentProblem&)>& visit) {
    for (const AssignmentWitness& witness : assignment_witnesses())
        if (!visit(witness.problem)) return;
    for (std::uint64_t i = 0; i < 300; ++i) {
        Sampler randomness({1, i, 0x6d7574616e74});
        if (!visit(random_assignment_problem(randomness))) return;
    }
}

std::string PropertyMutant::caught() const {
    const NamedProperty own = dyndloff_property(property);
    const TwoPhasePolicy under_test = make();
    std::string found;
    for_each_mutant_problem([&](const AssignmentProblem& problem) {
        found = own.fails(problem, under_test);
        return found.empty();
    });
    return found;
}

std::vector<PropertyMutant> property_mutants() {
    constexpr std::string_view moved = "B: the last task moved to its last replica";
    constexpr std::string_view first_core = "B: every task on the first core of its first replica";
    constexpr std::string_view unbalanced = "output: every task on the first core of its first replica";
    return {
        {"paths-unseen", "paths: none is seen", "property-1.2:no-path", paths_unseen},
        {"paths-unseen", "paths: none is seen", "key-lemma:no-path", paths_unseen},
        {"finish-misstated", "F_B: the last task half a task late", "finish-times", finish_misstated},
        {"task-made-remote", "B: the first task on a server without its block", "constraint-1", task_made_remote},
        {"task-moved", moved, "constraint-2", task_moved},
        {"task-moved", moved, "property-1.1", task_moved},
        {"task-moved", moved, "no-path", task_moved},
        {"all-on-first-core", first_core, "best-local", all_on_first_core},
        {"all-on-first-core", first_core, "unique-finishes", all_on_first_core},
        {"task-moved", moved, "searches-agree", task_moved},
        {"all-on-first-core", first_core, "key-lemma", all_on_first_core},
        {"finishes-shifted", "F_B: all tasks one task late", "key-lemma", finishes_shifted},
        {"flips-inflated", "counters: more flips than tasks", "theorem-2", too_many_flips},
        {"scans-inflated", "counters: a thousand replicas more", "theorem-2", too_many_scans},
        {"scans-inflated", "counters: a thousand replicas more", "effort-in-all", too_many_scans},
        {"rmax-one-more", "rmax: one more", "rmax", rmax_one_more},
        {"gamma-one-less", "gamma: one less", "theorem-1", gamma_one_less},
        {"one-core-less", "m: one less", "theorem-1:tighter", one_core_less},
        {"tests-inflated", "counters: twenty tests more", "theorem-3", too_many_tests},
        {"over-bound", "counters: one server test over its bound", "theorem-3", too_many_trials},
        {"wrong-task-moved", "A_i: the first task on the last core", "makespan-of-k", wrong_task_moved},
        {"earliest-moved", "A_i: the earliest task moved for the last of the latest", "least-placement",
         earliest_moved},
        {"candidate-dearer", "A_1: makespan 20 more", "monotone", candidate_dearer},
        {"candidate-dearer", "A_1: makespan 20 more", "monotone:from-the-output", candidate_dearer},
        {"candidate-cheaper", "A_T: makespan 0", "best-is-k-or-next", candidate_cheaper},
        {"never-moves", "output: the balanced assignment", "levels-same-makespan", never_moves},
        {"output-all-remote", "output: every task on a server without its block", "k-or-next-remote",
         output_all_remote},
        {"output-at-home", "output: moved tasks on the first core of their first replica", "moved-are-remote",
         output_at_home},
        {"output-misstated", "output: stated makespan a quarter more", "actual-is-nominal", output_misstated},
        {"output-unbalanced", unbalanced, "not-above-balanced", output_unbalanced},
        {"candidates-unbalanced", "A_i: every task on the first core of its first replica", "theorem-4",
         candidates_unbalanced},
        {"candidates-unbalanced", "A_i: every task on the first core of its first replica", "k-is-optimal",
         candidates_unbalanced},
        {"output-unbalanced", unbalanced, "twice-the-optimum", output_unbalanced},
        {"rounded-ticks", "ticks: initial loads rounded down to halves", "ticks-are-rationals", rounded_ticks},
    };
}

}  // namespace schedproof::checks
