/// The sharing family as the checks see it: policies, claims, named domains and witnesses.
///
/// A domain is a grid of cases, a source of random ones, a simulated scenario or a single case. Grids are functions
/// that call a visitor, so that none is held in memory. A simulated test that fails answers Unknown, never Refuted: a
/// random trajectory is no counterexample. Witnesses are built here in code, each with what it shows; where a page of
/// the docs gives the numbers, it is named as the source.
#include "checks/sharing/family.hpp"

#include <optional>

#include "checks/core/family_of.hpp"
#include "checks/families.hpp"
#include "checks/sharing/agreement.hpp"
#include "checks/sharing/claim.hpp"
#include "checks/sharing/generate.hpp"
#include "model/core/errors.hpp"
#include "policies/sharing/registry.hpp"
#include "proofs/sharing/moment_proof.hpp"

namespace schedproof::checks {

using namespace sharing;

const Family& sharing_family() { return family_of<SharingFamily>(); }

std::vector<PolicyEntry> SharingFamily::policies() {
    std::vector<PolicyEntry> all;
    for (const PolicyInfo& info : sharing::policies()) all.push_back({info.id, info.summary, info.source});
    return all;
}

std::string SharingFamily::resolve_policy(std::string_view name) { return std::string(sharing::resolve_policy(name)); }

std::string SharingFamily::refusal(const std::string& policy) {
    return sharing_disagreement([&](const Parameters& parameters) { return policy_under_test(policy, parameters); });
}

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
    add_sharing_kills(all);
    add_sharing_delay(all);
    add_sharing_trajectories(all);
    return all;
}

ProblemDomain<SharingFamily> SharingFamily::domain_of(const SharingCase& one) {
    return *single_case<SharingFamily>(checks::describe(one), one);
}

std::vector<SharingCase> SharingFamily::samples(const Shape& shape) {
    const auto* scenario = std::get_if<Scenario>(&shape);
    if (scenario == nullptr) {
        std::vector<SharingCase> states;
        for (std::uint64_t i = 0; i < 100; ++i) {
            Sampler source(StreamKey{1, i});
            states.push_back(i % 2 == 0 ? random_sharing_state(source) : random_busy_state(source));
        }
        return states;
    }
    SharingCase one;
    one.setting.cluster = Cluster::one_rack(scenario->nodes, scenario->slots);
    one.setting.jobs.emplace_back();
    one.setting.jobs.back().tasks.assign(scenario->tasks, {NodeId(0)});
    one.state = initial_state(one.setting);
    return {one};
}

SharingOracle explored_theorem(const std::string& statement) {
    SharingOracle oracle = explored<SharingFamily>(
        [statement](const SharingTrial& trial, const SharingFamily::Shape& shape,
                    const explore::Budget& budget) -> std::variant<sharing::Certificate, SharingCase, std::string> {
            // The system may be a mutant under the id of a registered policy; an added one is asked by its own code.
            const AffineCode code =
                is_added(trial.policy) ? code_of(trial.policy) : AffineCode(trial.system({}).on_affine_counts);
            TheoremProof found = prove(trial.policy, {statement, std::get<Moments>(shape).most}, code, budget);
            if (auto* certificate = std::get_if<sharing::Certificate>(&found.result)) return std::move(*certificate);
            if (auto* ended = std::get_if<explore::Ended>(&found.result)) return std::move(ended->reason);
            auto& refuted = std::get<sharing::Refuted>(found.result);
            if (!refuted.situation) return "fails, though at no state of which the claim speaks: " + refuted.question;
            SharingCase there;
            there.setting = std::move(refuted.situation->setting);
            there.parameters = refuted.situation->parameters;
            there.state = std::move(refuted.situation->state);
            there.slot = refuted.situation->slot;
            return there;
        });
    oracle.suits = [](const SharingDomain& domain) {
        const auto* shape = std::get_if<SharingFamily::Shape>(&domain.problems);
        return shape != nullptr && std::holds_alternative<Moments>(*shape);
    };
    return oracle;
}

SharingOracle simulated(SimulationTest test) {
    return {"simulation",
            [](const SharingDomain& domain) {
                const auto* shape = std::get_if<SharingFamily::Shape>(&domain.problems);
                return shape != nullptr && std::holds_alternative<Scenario>(*shape);
            },
            [test = std::move(test)](const SharingTrial& trial, const checks::Property<SharingFamily>&,
                                     const Settings& settings) -> Verdict {
                const auto& scenario = std::get<Scenario>(std::get<SharingFamily::Shape>(trial.domain->problems));
                try {
                    std::string failed = test(trial.policy, scenario, settings.seed, sharing_replications);
                    if (!failed.empty()) return Unknown{std::move(failed)};
                } catch (const ContractViolation& broken) {
                    if (!is_added(trial.policy)) throw;
                    return Unknown{std::string("it breaks a contract: ") + broken.what()};
                }
                return Survived{sharing_replications, settings.seed};
            }};
}

namespace {

/// All cases of a domain, and what they are: the contracts of generate.hpp in a verdict's words.
SharingDomain::Enumerated grid(void (*each)(const VisitCase&), const char* bounds) {
    return {[each](const auto& visit) { each(visit); }, bounds};
}

/// The enumerated domain of this name, if there is one.
std::optional<SharingDomain::Enumerated> enumerated(const std::string& name) {
    if (name == "states-with-skips")
        return grid(
            for_each_state_with_skips,
            "every state of one or two jobs of at most two tasks on three nodes of a slot, two on one rack, skip "
            "counts 0..2 against D = D1 = D2 = 1, the first slot offered");
    if (name == "states-with-queues")
        return grid(
            for_each_state_with_queues,
            "every state of one or two jobs of at most two tasks on three nodes of a slot, two on one rack, in "
            "own queues or the common one, priorities equal or not, the slot free before the jobs came or after, "
            "W = 2, the first slot offered");
    if (name == "single-tasks")
        return grid(for_each_single_task_state,
                    "every stage of two jobs of a task each and of one priority on two nodes of one or two slots");
    if (name == "killing-states")
        return grid(
            for_each_killing_state,
            "every state of three jobs on three nodes of a slot or two on two nodes of two slots, launches at one "
            "of two times, 0..2 further tasks of each job waiting");
    if (name == "one-job")
        return grid(for_each_one_job,
                    "a job of one task with data on 0..M of M = 1..4 nodes of a slot each, all free, D = 0..4");
    if (name == "head-of-line")
        return grid(for_each_head_of_line,
                    "a job of one task with data on 0..M of M <= 4 nodes before one with data everywhere and more "
                    "running tasks, D = 0..3");
    if (name == "waits")
        return grid(
            for_each_wait,
            "1..3 nodes of 1..2 slots, D = 0..4, tasks of exactly 1..3 ticks, the small job's data on the first "
            "node or on one whose slots never become free");
    if (name == "analysis")
        return grid(for_each_analysis,
                    "settings of the grid with M in 1..200, R in 1..5, N in 1..100 up to M, goals from "
                    "0 to 999/1000");
    if (name == "small-analysis")
        return grid(for_each_small_analysis,
                    "settings of the grid with M <= 12, R <= 3, N <= 8 up to M, D in 0, 1, 2, 5, "
                    "12");
    if (name == "own-nodes")
        return grid(
            for_each_sticky,
            "endless jobs with data on nodes of their own: two jobs on two nodes and on four, three on three, D = "
            "1..2");
    if (name == "two-jobs-own-nodes")
        return SharingDomain::Enumerated{
            [](const auto& visit) {
                for_each_sticky([&](const SharingCase& c) { return c.setting.jobs.size() != 2 || visit(c); });
            },
            "two endless jobs with data on nodes of their own, two nodes or four, D = 1..2"};
    return std::nullopt;
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
    if (auto all = enumerated(name)) return made(std::move(*all));
    if (name == "backlog") return made(SharingFamily::Shape(Scenario{}));
    for (std::size_t most = 1; most <= most_moment; ++most)
        if (name == shape_name(most)) return made(SharingFamily::Shape(Moments{most}));
    for (const SharingWitness& witness : sharing_witnesses())
        if (witness.name == name) return single_case<SharingFamily>(name, witness.found);
    throw InputError::at_key(
        "instance",
        "expected a domain of the sharing family (`n3`: all moments with up to three jobs, `states`, `courses`, "
        "`one-job`, `analysis`, ...) or a named case, not '" +
            name + "'");
}

}  // namespace schedproof::checks
