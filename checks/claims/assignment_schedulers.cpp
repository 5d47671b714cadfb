/// Claims about every scheduler of the family: outcomes are whole, online ones prefer local tasks, and how far from the
/// optimum each can be on small shapes, exactly.
#include <algorithm>

#include "checks/assignment/scheduler_judges.hpp"
#include "checks/assignment/witnesses.hpp"
#include "checks/claims/assignment_claim.hpp"
#include "checks/claims/registry.hpp"

namespace schedproof::checks {

using namespace assignment;

namespace {

std::string tasks_to_assign(const Scheduling& scheduling) {
    return "problems of " + scheduling.domain->name + ", with tasks";
}

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
    claim.source = "specification 1 and 1.1";
    claim.family = "at most 4 servers of 3 cores and 7 tasks";
    claim.violation = [](const AnyScheduler& scheduler, const AssignmentProblem& problem) {
        return against_consistency(problem, outcome_of(scheduler, problem), is_online(scheduler));
    };
    claim.oracles = {exhaustive_oracle(claim.violation), sampled_oracle(claim.violation)};
    claim.witness = tasks_to_assign;
    claim.exhibit = with_optimum;
    for (const SchedulerInfo& info : schedulers())
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
    claim.source = "Jin et al. 2018, Algorithm 1; Zaharia et al. 2010";
    claim.family = "at most 4 servers of 3 cores and 7 tasks; all loads and costs of small shapes";
    claim.violation = [](const AnyScheduler& scheduler, const AssignmentProblem& problem) {
        return against_local_first(problem, outcome_of(scheduler, problem));
    };
    claim.oracles = {exhaustive_oracle(claim.violation), sampled_oracle(claim.violation),
                     explore_oracle("local-first")};
    claim.witness = tasks_to_assign;
    claim.exhibit = with_optimum;
    for (const SchedulerInfo& info : schedulers())
        if (info.online)
            claim.lines.push_back(
                {std::string(info.id), {"grid", "random", "1,1:0/01", "1,1:0/0"}, Expectation::holds, {}, {}});
    claim.mutants = {spoiled(
        "course-remote-first", "course: the first tasks of the course in the opposite order",
        [](Outcome<Rational>& o) { std::reverse(o.course.begin(), o.course.end()); }, against_local_first)};
    return claim;
}

}  // namespace

void add_assignment_schedulers(std::vector<Claim>& claims) {
    claims.emplace_back(consistent());
    claims.emplace_back(local_first());
}

}  // namespace schedproof::checks
