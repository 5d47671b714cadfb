/// The sharing family as the checks see it: policies, claims, named domains and witnesses.
///
/// A domain is a grid of cases, a source of random ones, a simulated scenario or a single case. Grids are functions
/// that call a visitor, so that none is held in memory. A simulated test that fails answers Unknown, never Refuted: a
/// random trajectory is no counterexample. Witnesses are built here in code, each with what it shows; where a page of
/// the docs gives the numbers, it is named as the source.
#include "checks/sharing/family.hpp"

#include "checks/core/family_of.hpp"
#include "checks/families.hpp"
#include "checks/sharing/claim.hpp"
#include "checks/sharing/generate.hpp"
#include "model/core/errors.hpp"
#include "policies/sharing/registry.hpp"

namespace schedproof::checks {

using namespace sharing;

const Family& sharing_family() { return family_of<SharingFamily>(); }

std::vector<PolicyEntry> SharingFamily::policies() {
    std::vector<PolicyEntry> all;
    for (const PolicyInfo& info : sharing::policies()) all.push_back({info.id, info.summary, info.source});
    return all;
}

std::string SharingFamily::resolve_policy(std::string_view name) { return std::string(sharing::resolve_policy(name)); }

SharingFamily::System SharingFamily::system(const std::string& policy, const ProblemDomain<SharingFamily>&) {
    if (resolve_policy(policy).empty())
        throw InputError::at_key("policy", "expected a policy of the sharing family, not '" + policy + "'");
    return SharingFamily::policy(policy, {});
}

SharingFamily::Policy SharingFamily::policy(const std::string& name, const SharingCase&) {
    return [name](const SharingCase& c) { return policy_under_test(name, c.parameters); };
}

std::vector<Claim> SharingFamily::claims() {
    std::vector<Claim> all;
    add_sharing_offers(all);
    add_sharing_delay(all);
    add_sharing_trajectories(all);
    return all;
}

ProblemDomain<SharingFamily> SharingFamily::domain_of(const SharingCase& one) {
    return *single_case<SharingFamily>(checks::describe(one), one);
}

std::vector<SharingCase> SharingFamily::samples(const Shape& shape) {
    SharingCase one;
    one.setting.cluster = Cluster::one_rack(shape.nodes, shape.slots);
    one.setting.jobs.emplace_back();
    one.setting.jobs.back().tasks.assign(shape.tasks, {NodeId(0)});
    one.state = initial_state(one.setting);
    return {one};
}

SharingOracle simulated(SimulationTest test) {
    return {"simulation", [](const SharingDomain& domain) { return std::holds_alternative<Scenario>(domain.problems); },
            [test = std::move(test)](const SharingTrial& trial, const checks::Property<SharingFamily>&,
                                     const Settings& settings) -> Verdict {
                const auto& scenario = std::get<Scenario>(trial.domain->problems);
                std::string failed = test(trial.policy, scenario, settings.seed, sharing_replications);
                if (!failed.empty()) return Unknown{std::move(failed)};
                return Survived{sharing_replications, settings.seed};
            }};
}

namespace {

SharingDomain::Enumerated grid(void (*each)(const VisitCase&)) {
    return {[each](const auto& visit) { each(visit); }};
}

Rational quotient(int p, int q) { return Rational(p) / Rational(q); }

SharingCase analysed(std::uint64_t nodes, std::uint64_t replicas, std::uint64_t tasks, const Rational& goal,
                     std::int64_t d) {
    SharingCase c;
    c.of = {nodes, replicas, tasks};
    c.goal = goal;
    c.parameters.d = d;
    return c;
}

/// A job on both nodes of a slot each, and a second one when both are busy.
SharingCase kill_for_a_second_job() {
    SharingCase c;
    c.setting.cluster = Cluster::one_rack(2, 1);
    c.setting.jobs = {{0, normal_priority, {{NodeId(0)}, {NodeId(1)}}}, {1, normal_priority, {{NodeId(0)}}}};
    c.state = initial_state(c.setting);
    c.run = 2;
    return c;
}

/// A slot on the rack of a job's data, the job passed over more than D1 times.
SharingCase on_the_rack_late() {
    SharingCase c;
    c.setting.cluster = {{RackId(0), RackId(0), RackId(1)}, 1, {1, 1, 1}, {1}};
    c.setting.jobs = {{0, normal_priority, {{NodeId(1)}}}};
    c.state = initial_state(c.setting);
    c.state.jobs[0] = {{Stage::unlaunched}, {}, 2};
    return c;
}

/// Two nodes of a slot; both tasks that run are due at once.
SharingCase both_due_at_once() {
    SharingCase c;
    c.setting.cluster = Cluster::one_rack(2, 1);
    c.setting.jobs = {{0, normal_priority, {{NodeId(0)}}}};
    c.state = initial_state(c.setting);
    c.of = {2, 1, 1};
    return c;
}

/// A job of normal priority, submitted before one of high priority.
SharingCase urgent_second() {
    SharingCase c;
    c.setting.cluster = Cluster::one_rack(1, 1);
    c.setting.jobs = {{0, normal_priority, {{NodeId(0)}}}, {0, 1, {{NodeId(0)}}}};
    c.state = initial_state(c.setting);
    for (JobState& job : c.state.jobs) job.tasks = {Stage::unlaunched};
    return c;
}

/// As many nodes of a slot as jobs, each job with data on a node of its own.
SharingCase own_nodes(std::size_t jobs) {
    SharingCase c;
    c.setting.cluster = Cluster::one_rack(jobs, 1);
    for (std::size_t j = 0; j < jobs; ++j) c.setting.jobs.push_back({0, normal_priority, {{NodeId(j)}}});
    c.state = initial_state(c.setting);
    return c;
}

}  // namespace

std::vector<SharingWitness> sharing_witnesses() {
    constexpr std::string_view of_family = "[schedproof], docs/models/sharing.md", here = "[schedproof]";
    return {
        {"paper-example", of_family, "N = 20, R = 3, M = 100, goal 19/20: the rule says 24",
         analysed(100, 3, 20, quotient(19, 20), 24)},
        {"three-tasks", here, "N = 3, R = 1, M = 20, goal 5/6: the rule says 22",
         analysed(20, 1, 3, quotient(5, 6), 22)},
        {"kill-for-a-second-job", here, "two slots, a second job: one of the first job's tasks dies",
         kill_for_a_second_job()},
        {"on-the-rack-late", of_family, "a rack-local launch at skip count 2 with D1 = 1", on_the_rack_late()},
        {"both-due-at-once", of_family, "D = 1, S = 2: the wait is T, not T/2", both_due_at_once()},
        {"urgent-second", of_family, "priorities are hadoop-fifo's alone", urgent_second()},
        {"crossed-jobs", of_family, "each of two jobs runs where the other's data is", own_nodes(2)},
        {"three-jobs-apart", here, "two of three jobs may keep each other's slot, passed over D times both",
         own_nodes(3)},
    };
}

ProblemDomainPtr<SharingFamily> SharingFamily::instance(const std::string& name) {
    const auto made = [&](auto problems) { return std::make_shared<const SharingDomain>(name, std::move(problems)); };
    using Random = SharingDomain::Random;
    if (name == "states") return made(Random{random_sharing_state});
    if (name == "busy-states") return made(Random{random_busy_state});
    if (name == "courses") return made(Random{random_sharing_trajectory});
    if (name == "states-with-skips") return made(grid(for_each_state_with_skips));
    if (name == "states-with-queues") return made(grid(for_each_state_with_queues));
    if (name == "single-tasks") return made(grid(for_each_single_task_state));
    if (name == "killing-states") return made(grid(for_each_killing_state));
    if (name == "one-job") return made(grid(for_each_one_job));
    if (name == "head-of-line") return made(grid(for_each_head_of_line));
    if (name == "waits") return made(grid(for_each_wait));
    if (name == "analysis") return made(grid(for_each_analysis));
    if (name == "small-analysis") return made(grid(for_each_small_analysis));
    if (name == "own-nodes") return made(grid(for_each_sticky));
    if (name == "two-jobs-own-nodes")
        return made(SharingDomain::Enumerated{[](const auto& visit) {
            for_each_sticky([&](const SharingCase& c) { return c.setting.jobs.size() != 2 || visit(c); });
        }});
    if (name == "backlog") return made(Scenario{});
    for (const SharingWitness& witness : sharing_witnesses())
        if (witness.name == name) return single_case<SharingFamily>(name, witness.found);
    throw InputError::at_key(
        "instance",
        "expected a domain of the sharing family (`states`, `courses`, `one-job`, `analysis`, ...) or a "
        "named case, not '" +
            name + "'");
}

}  // namespace schedproof::checks
