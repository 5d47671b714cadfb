/// Claims about every scheduler of the family: outcomes are whole, online ones prefer local tasks, and how far from the
/// optimum each can be on small shapes, exactly.
#include <algorithm>
#include <map>

#include "checks/assignment/claim.hpp"
#include "checks/assignment/properties/scheduler_properties.hpp"
#include "checks/assignment/witnesses.hpp"
#include "checks/assignment/worked_example.hpp"
#include "checks/core/registry.hpp"

namespace schedproof::checks {

using namespace assignment;

namespace {

std::string tasks_to_assign(const Scheduling& scheduling) { return witness_of(*scheduling.domain, has_tasks); }

/// The outcome, and an optimum beside it.
Exhibit with_optimum(const AnyScheduler& scheduler, const AssignmentProblem& problem) {
    return {{{"outcome", outcome_of(scheduler, problem).assignment}, {"optimum", Exhaustive(problem).optimal()}}, {}};
}

/// An outcome on the paper's example, spoiled; how the judge complains.
Mutant spoiled(std::string name, std::string fault, std::function<void(Outcome<Rational>&)> spoil,
               std::function<std::string(const AssignmentProblem&, const Outcome<Rational>&)> judge) {
    return {std::move(name), std::move(fault), "sampled", [=](const Settings&) {
                const AssignmentProblem problem = assignment_witness("table-2").problem;
                Outcome<Rational> outcome = outcome_of(make_scheduler("hadoop"), problem);
                spoil(outcome);
                return judge(problem, outcome);
            }};
}

AssignmentClaim consistent() {
    AssignmentClaim claim;
    claim.id = "assignment.outcome-consistent";
    claim.statement =
        "Every task gets a core; online, no core runs two tasks at once or before it is free, a local task costs 1, a "
        "remote one between g(1) and g of all remote tasks of its server, and the event makespan is the last finish.";
    claim.source = "[schedproof], docs/models/assignment.md, Model and Online schedulers";
    claim.family = "at most 4 servers of 3 cores and 7 tasks";
    claim.violation = [](const AnyScheduler& scheduler, const AssignmentProblem& problem) {
        return against_consistency(problem, outcome_of(scheduler, problem), is_online(scheduler));
    };
    claim.oracles = {exhaustive_oracle(claim.violation), sampled_oracle(claim.violation)};
    claim.witness = tasks_to_assign;
    claim.exhibit = with_optimum;
    for (const PolicyInfo& info : schedulers())
        claim.lines.push_back({std::string(info.id), {"grid", "random"}, Expectation::holds, {}, {}});
    const auto online = [](const AssignmentProblem& problem, const Outcome<Rational>& outcome) {
        return against_consistency(problem, outcome, true);
    };
    claim.mutants = {
        spoiled(
            "course-task-cheaper", "course: a task that ends before its cost has passed",
            [](Outcome<Rational>& o) { o.course.front().finish -= Rational(1) / Rational(8); }, online),
        spoiled(
            "course-core-shared", "course: a task on a core that is not free yet",
            [](Outcome<Rational>& o) {
                o.course.back().start -= Rational(3);
                o.course.back().finish -= Rational(3);
            },
            online),
        spoiled(
            "course-makespan", "course: an event makespan that is not the last finish",
            [](Outcome<Rational>& o) { *o.event_makespan += Rational(1); }, online),
    };
    return claim;
}

AssignmentClaim local_first() {
    AssignmentClaim claim;
    claim.id = "assignment.local-first";
    claim.statement = "No remote task starts on a server while an unscheduled task has its block there.";
    claim.source = "[jin2018], Algorithm 1; [zaharia2010], Delay Scheduling";
    claim.family = "at most 4 servers of 3 cores and 7 tasks; all loads and costs of small shapes";
    claim.violation = [](const AnyScheduler& scheduler, const AssignmentProblem& problem) {
        return against_local_first(problem, outcome_of(scheduler, problem));
    };
    claim.oracles = {exhaustive_oracle(claim.violation), sampled_oracle(claim.violation),
                     explore_oracle("local-first")};
    claim.witness = tasks_to_assign;
    claim.exhibit = with_optimum;
    const std::string routed = "LTFPA routes tasks to queues first: one that is local to a core may wait for another";
    for (const PolicyInfo& info : schedulers()) {
        if (!is_online(make_scheduler(info.id))) continue;
        const std::string id(info.id);
        claim.lines.push_back({id, {"1,1:0/01", "1,1:0/0", "2,1:0/01"}, Expectation::holds, {}, {}});
        if (id == Ltfpa::info.id)
            claim.lines.push_back({id, {"random"}, Expectation::fails, {}, routed});
        else
            claim.lines.push_back({id, {"grid", "random"}, Expectation::holds, {}, {}});
    }
    claim.mutants = {spoiled(
        "course-remote-first", "course: the first tasks of the course in the opposite order",
        [](Outcome<Rational>& o) { std::reverse(o.course.begin(), o.course.end()); }, against_local_first)};
    return claim;
}

/// The exact suprema of makespan over optimum on two servers with a core and a task each, g(n) = 1 + n/2, found by the
/// adversary (proofs/assignment/worst.hpp). LTFPA has none: it waits for its own core however long.
std::map<std::string, Rational> suprema() {
    const auto fraction = [](int p, int q) { return Rational(Integer(p), Integer(q)); };
    std::map<std::string, Rational> bounds{{"hadoop", fraction(5, 4)},
                                           {"delay", Rational(2)},
                                           {"dyndlon", Rational(2)},
                                           {"dyndlon:one-remote", Rational(2)},
                                           {"dyndlon:wait-since-assignment", fraction(8, 5)},
                                           {"list", fraction(4, 3)},
                                           {"list:server-max", fraction(4, 3)}};
    for (const PolicyInfo& info : schedulers())
        if (info.id != Ltfpa::info.id) bounds.emplace(info.id, Rational(1));
    return bounds;
}

constexpr const char* two_tasks = "1,1:0/1@3/2+1/2";

/// A bound of 1/100 less than the supremum of Hadoop: some loads exceed it.
Mutant smaller_bound() {
    return {"ratio-smaller-bound", "bound: 1/100 less than the supremum", "explore", [](const Settings& settings) {
                const Rational less = suprema().at("hadoop") - Rational(Integer(1), Integer(100));
                const Scheduling hadoop{named_domain(two_tasks), "hadoop", make_scheduler("hadoop")};
                const Verdict verdict = explore_oracle("ratio", less).run(hadoop, settings);
                const auto* refuted = std::get_if<Refuted>(&verdict);
                if (!refuted) return std::string();
                const auto& found = std::get<AssignmentCounterexample>(refuted->counterexample);
                return against_ratio(*found.problem, outcome_of(hadoop.judged, *found.problem), less);
            }};
}

AssignmentClaim exact_ratio() {
    AssignmentClaim claim;
    claim.id = "assignment.exact-ratio";
    claim.statement =
        "For all loads of two servers with a core and a task each, g(n) = 1 + n/2, the makespan of the scheduler's map "
        "is at most its exact supremum times the optimum: 1 for DynDLOff, HTA and BAR, 5/4 for Hadoop, 4/3 for LIST, 2 "
        "for DELAY and DynDLOn with W = 3.";
    claim.source = "[schedproof], `schedproof worst`";
    claim.family = "two servers with a core and a task each";
    claim.violation = [](const AnyScheduler& scheduler, const AssignmentProblem& problem) {
        const std::string id = std::visit([]<class S>(const S&) { return std::string(S::info.id); }, scheduler);
        return against_ratio(problem, outcome_of(scheduler, problem), suprema().at(id));
    };
    claim.oracles = {explore_oracle("ratio", suprema())};
    claim.witness = tasks_to_assign;
    claim.exhibit = with_optimum;
    for (const auto& [id, bound] : suprema()) claim.lines.push_back({id, {two_tasks}, Expectation::holds, {}, {}});
    claim.mutants = {smaller_bound()};
    return claim;
}

AssignmentClaim worked() {
    AssignmentClaim claim;
    claim.id = "assignment.worked-example";
    claim.statement =
        "On the paper's Table 2 the online schedulers have the makespans, remote tasks and starts of Example 1 for "
        "every "
        "wait tried, and DynDLOff ends at 3 with one remote task.";
    claim.source = "[jin2018], Table 2, Example 1, Figure 3; docs/models/assignment.md, Interpretation A2";
    claim.family = "Table 2";
    claim.violation = [](const AnyScheduler& scheduler, const AssignmentProblem& problem) -> std::string {
        if (is_online(scheduler)) return worked_example_violation();
        const Account account = checks::account(problem, outcome_of(scheduler, problem).assignment);
        return account.makespan == Rational(3) && account.remote_tasks == 1 ? "" : "not 3 with one remote task";
    };
    claim.oracles = {exhaustive_oracle(claim.violation)};
    claim.witness = tasks_to_assign;
    claim.exhibit = with_optimum;
    for (const char* id : {"hadoop", "delay", "dyndlon", "dyndloff"})
        claim.lines.push_back({id, {"table-2"}, Expectation::holds, {}, {}});
    claim.mutants = {
        {"example-with-another-wait", "W: one eighth more than the row says", "exhaustive", [](const Settings&) {
             return worked_example_violation(
                 [](std::string_view scheduler, const Rational& wait, const AssignmentProblem& problem) {
                     return run_registered(scheduler, wait + Rational(1) / Rational(8), problem);
                 });
         }}};
    return claim;
}

}  // namespace

void add_assignment_schedulers(std::vector<Claim>& claims) {
    claims.emplace_back(consistent());
    claims.emplace_back(local_first());
    claims.emplace_back(exact_ratio());
    claims.emplace_back(worked());
}

}  // namespace schedproof::checks
