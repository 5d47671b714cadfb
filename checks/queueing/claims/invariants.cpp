/// Claims about single decisions and single slots, at all states.
///
/// `explore` proves an invariant for all queue lengths at every combination of server statuses. It refutes only at an
/// integer state, since queue lengths are integers, and answers Unknown where a cell shows none. `sampled` and
/// `exhaustive` look at states one by one, by exact enumeration. A claim about decisions has mutants that break one
/// rule of a policy; a slot's kernel is common to all policies, so there one outcome of the slot is altered, and a
/// certificate of one policy is offered for another. What is claimed of every policy is asked of every registered one.
/// Source: [wang2013], Section II; docs/models/queueing.md, A slot, Interpretation Q5.
#include "proofs/queueing/theorems/invariants.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "checks/queueing/mutants.hpp"
#include "checks/queueing/slot_mutants.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/invariants/violation.hpp"

namespace schedproof::checks {

using namespace queueing;
using namespace queueing_claims;

namespace {

constexpr const char* family = "the named instances, and any instance on the default interpretations of counting";
using Names = std::vector<std::string>;

const Names of_two_servers{"m2-half", "m2-uneven", "m2-shared", "m2-one-type", "m2-fast-remote"};
const Names with_racks{"m2-half", "m2-uneven", "m2-shared", "m2-one-type", "m2-fast-remote", "m3-racks"};
const Names few{"m2-uneven", "m2-shared"};
const Names listed{"m2-half", "n1-fifo-listed"};
const Names sampled_only{"sampled"};

/// Proves the invariant at every shape, or finds a state where it fails.
Verdict explore_invariant(const System& system, const Settings& settings, const std::string& name) {
    InvariantTheorem theorem{{name}, find_statuses(system.symbolic, settings.budget), {}};
    if (system.symbolic.policy().plan() != nullptr) theorem.plan = capacity::fluid_plan(*system.instance);
    std::vector<proof::ExploredProof> proofs;
    const std::vector<Shape> shapes = shapes_of(theorem.statuses);
    for (const explore::Question& question : questions(system.symbolic, theorem)) {
        explore::Reply reply = explore::ask(question, settings.budget);
        if (auto* found = std::get_if<proof::ExploredProof>(&reply.result)) {
            proofs.push_back(std::move(*found));
            continue;
        }
        if (const auto* ended = std::get_if<explore::Ended>(&reply.result)) return Unknown{ended->reason};
        const auto& point = std::get<explore::Counterpoint>(reply.result);
        // The question's shape is the one whose name it ends with.
        const auto shape = std::find_if(shapes.begin(), shapes.end(), [&](const Shape& s) {
            return question.name.ends_with(" " + shape_name(system.symbolic, s));
        });
        if (!point.integral || shape == shapes.end())
            return Unknown{question.name + ": fails at real points of a cell, at no integer state found"};
        return refuted_at(system, system.symbolic.at(*shape, point.point));
    }
    return proved(system, std::move(theorem), std::move(proofs));
}

Property<QueueingFamily> violation_of(const std::string& name) {
    return at_state([name](const System& system, const ExactState& state) -> Violation {
        std::optional<FluidPlan> plan;
        if (system.exact.plan() != nullptr) plan = capacity::fluid_plan(*system.instance);
        InvariantViolation found =
            invariant_violation(system.exact, state, of_slot(name) ? system.moves(state) : std::vector<Move>(), name,
                                plan ? &*plan : nullptr);
        return {std::move(found.kind), std::move(found.text)};
    });
}

QueueingOracle explore_oracle(const std::string& name) {
    return asks("explore", [name](const System& system, const Settings& settings) {
        return explore_invariant(system, settings, name);
    });
}
/// A state with an idle server and every counted queue at five tasks.
std::string idle_with_work(const System& system) {
    ExactState state = system.exact.initial();
    for (const QueueId q : IdRange<QueueId>(state.length.size())) {
        if (system.exact.layout().tracking(q) == Tracking::listed) {
            state.waiting[q.index()].assign(5, TaskTypeId(0));
        }
        state.length[q.index()] = CheckedInt(5);
    }
    if (system.exact.moves(state).empty()) return "";
    return describe(system.exact, state);
}

/// A claim that an invariant holds, without its words.
QueueingClaim invariant(const std::string& name) {
    return QueueingClaim(name)
        .instances(family)
        .oracle(explore_oracle(name))
        .oracle(sampled_states(100))
        .property(violation_of(name))
        .witness(idle_with_work);
}

/// The claim, asked of every registered policy: on `instances` where a shape has counts of tasks alone; on `lists`
/// where queues list their tasks, of slots at random states alone, as where counters grow without end. A policy of
/// which it is not stated is left out with the reason.
void ask_everywhere(QueueingClaim& claim, const std::string& name, const Names& instances, const Names& lists) {
    for (const PolicyInfo& info : policies()) {
        const std::string id(info.id);
        const Rules& rules = *find_rules(info.id);
        const bool one_queue = serving_rule(rules) == ServingRule::common;
        const InstancePtr first = named_instance(one_queue ? "n1-fifo-listed" : instances.front());
        const ExactSystem system = registered_exact(*first, id);
        if (const std::string why = not_stated(*first, system.layout(), system.decisions(), name); !why.empty())
            claim.leaves_out(id, why);
        else if (system.layout().lists_tasks() || rules.keeps_counters())
            claim.holds({id}, lists, {.oracles = of_slot(name) ? sampled_only : Names{}});
        else
            claim.holds({id}, instances);
        if (one_queue) claim.holds({id}, {"n1-fifo"});
    }
}

/// A mutant of a policy, which `explore` must refute.
struct PolicyMutant {
    std::string name;
    std::string change;
    System (*policy)(const InstancePtr&);
    std::string instance;
};
MutantSystem<QueueingFamily> mutant(const PolicyMutant& m) {
    return mutant_on({m.name, m.change, "explore", m.policy, m.instance});
}

QueueingClaim routing() {
    using namespace mutants;
    QueueingClaim claim = invariant("route-minimises");
    ask_everywhere(claim, "route-minimises", with_racks, listed);
    return claim
        .statement(
            "At every state, each type may join exactly the admissible queues of smallest key, every tied one among "
            "them; where a plan splits the arrivals, those of the plan, each with the plan's probability.")
        .source("[wang2013], Section II-B; [kavousi], Sections IV-A, IV-B, V-A, V-B (7)")
        .mutant_system(mutant({.name = "jsq-routes-to-longest",
                               .change = "policy: argmax for argmin in routing",
                               .policy = jsq_routes_to_longest,
                               .instance = "m2-shared"}))
        .mutant_system(mutant({.name = "jsq-drops-routing-ties",
                               .change = "policy: the first of tied queues only",
                               .policy = jsq_drops_routing_ties,
                               .instance = "m2-shared"}))
        .mutant_system(mutant({.name = "wang-ignores-common",
                               .change = "policy: routing forgets the common queue",
                               .policy = wang_ignores_common_when_routing,
                               .instance = "m2-half"}))
        .mutant_system(mutant({.name = "static-plan-exchanged",
                               .change = "policy: the plan of one server is that of another",
                               .policy = static_plan_exchanged,
                               .instance = "m2-half"}))
        .mutant_system(mutant({.name = "static-split-even",
                               .change = "policy: each type is split evenly among the servers of its plan",
                               .policy = static_split_even,
                               .instance = "m2-uneven"}))
        .mutant_system(mutant({.name = "balanced-plain-workload",
                               .change = "policy: W for W / mu in routing",
                               .policy = balanced_routes_by_plain_workload,
                               .instance = "m2-half"}));
}

QueueingClaim serving() {
    using namespace mutants;
    QueueingClaim claim = invariant("serve-maximises");
    ask_everywhere(claim, "serve-maximises", with_racks, listed);
    return claim
        .statement(
            "At every state, each idle server may turn to exactly the queues that the policy's rule names: of largest "
            "weight, or its own first.")
        .source("[wang2013], Section II-B; [kavousi], Sections III-B (2), IV-A, IV-B, V-A (5), V-B (6)")
        .mutant_system(mutant({.name = "jsq-serves-smallest",
                               .change = "policy: argmin for argmax in serving",
                               .policy = jsq_serves_smallest_weight,
                               .instance = "m2-half"}))
        .mutant_system(mutant({.name = "jsq-ignores-rates",
                               .change = "policy: longest queue for largest weight",
                               .policy = jsq_ignores_rates,
                               .instance = "m2-half"}))
        .mutant_system(mutant({.name = "wang-never-helps",
                               .change = "policy: the common queue is never served",
                               .policy = wang_never_helps,
                               .instance = "m2-half"}))
        .mutant_system(mutant({.name = "wang-alpha-for-gamma",
                               .change = "policy: alpha weighs the common queue",
                               .policy = wang_weighs_common_as_local,
                               .instance = "m2-half"}))
        .mutant_system(mutant({.name = "wang-tie-to-common",
                               .change = "policy: > for >= when weights are compared",
                               .policy = wang_ties_go_to_common,
                               .instance = "m2-half"}))
        .mutant_system(mutant({.name = "balanced-remote-first",
                               .change = "policy: the most remote own task first",
                               .policy = balanced_serves_remote_first,
                               .instance = "m2-half"}))
        .mutant_system(mutant({.name = "pandas-threshold",
                               .change = "policy: > for >= at Pandas' threshold",
                               .policy = pandas_threshold_off_by_one,
                               .instance = "m2-half"}))
        .mutant_system(mutant({.name = "pandas-helps-first",
                               .change = "policy: helps others before its own queue",
                               .policy = pandas_helps_before_own,
                               .instance = "m2-half"}))
        .mutant_system(mutant({.name = "deficit-plan-exchanged",
                               .change = "policy: the plan of one server is that of another",
                               .policy = deficit_plan_exchanged,
                               .instance = "m2-half"}))
        .mutant_system(mutant({.name = "cmu-ignores-distance",
                               .change = "policy: marginal cost without the rate",
                               .policy = cmu_ignores_costs_of_distance,
                               .instance = "m2-half"}));
}

QueueingClaim no_wasted_slot() {
    const Names plain{"m2-half", "m2-uneven", "m2-fast-remote"};
    // The states that refute it are rare among random ones.
    const LineOptions missed_by_chance{.oracles = {}, .kinds = {{"sampled", VerdictKind::survived}}};
    const std::string counted_in =
        "a queue all of whose tasks are in execution still counts as long (Interpretation Q5)";
    QueueingClaim claim =
        invariant("serve-takes-waiting")
            .statement(
                "At every state, an idle server turns to a waiting task whenever one waits in a queue that the policy "
                "lets it serve.")
            .source("[wang2013], Section II, unspecified; docs/models/queueing.md, Interpretation Q5");
    claim.holds({"wang-jsq-maxweight"}, {"m2-half", "m2-uneven", "m2-fast-remote"})
        .fails({"wang-jsq-maxweight"}, {"m3-fast-remote"}, counted_in, missed_by_chance)
        .holds({"balanced-pandas", "balanced-pandas:idle"}, with_racks)
        .holds({"random-local"}, plain)
        .holds({"join-shortest-queue"}, plain)
        .holds({"fifo"}, {"n1-fifo"})
        .fails({"jsq-maxweight", "generalized-cmu"}, {"m2-half", "m2-uneven"}, counted_in)
        .fails({"jsq-maxweight", "generalized-cmu"}, {"m2-fast-remote"}, counted_in, missed_by_chance)
        .fails({"pandas:plain"}, plain, "own queue first, though all of it may be in execution (Interpretation Q5)")
        .fails({"pandas:rackaware"}, {"m3-racks"},
               "own queue first, though all of it may be in execution (Interpretation Q5)")
        // The repaired form: a queue without a waiting task has no weight.
        .holds({"wang-jsq-maxweight", "jsq-maxweight", "generalized-cmu", "balanced-pandas"}, {"m2-conserved"})
        .oracle(exhausted_states(4));
    for (const PolicyInfo& info : policies()) {
        const std::string id(info.id);
        if (claim.mentions(id)) continue;
        const InstancePtr instance = named_instance("m2-half");
        const ExactSystem system = registered_exact(*instance, id);
        if (const std::string why = not_stated(*instance, system.layout(), system.decisions(), "serve-takes-waiting");
            !why.empty())
            claim.leaves_out(id, why);
        else
            claim.asks({id}, {"m2-half"});
    }
    claim.mutant_system(mutant({.name = "wang-never-helps-idles",
                                .change = "policy: the common queue is never served",
                                .policy = mutants::wang_never_helps,
                                .instance = "m2-half"}));
    return claim;
}

/// A claim about the slot; `alter` is what its mutant does to every outcome.
QueueingClaim slot(const std::string& name, std::string statement, const std::string& change,
                   void (*alter)(const ExactSystem&, const ExactState&, std::vector<Move>&)) {
    QueueingClaim claim = invariant(name).outside(of_instance(without_slots));
    ask_everywhere(claim, name, few, {"m2-half"});
    const auto altered = [alter](const InstancePtr& instance) {
        return mutants::altered_slot(registered(instance, "jsq-maxweight"), alter);
    };
    return claim.statement(std::move(statement))
        .source("[wang2013], Section II-C; docs/models/queueing.md, A slot")
        .mutant_system(mutant_on({"altered-" + name, "kernel: " + change, "sampled", altered, "m2-uneven"}))
        .mutant({.name = "other-outcomes-" + name,
                 .change = "kernel: the certificate of one policy offered for another",
                 .oracle = "certificate",
                 .caught = [name](const Settings& settings) -> std::string {
                     const System system = registered(named_instance("m2-half"), "jsq-maxweight");
                     const Verdict verdict = explore_invariant(system, settings, name);
                     const auto* right = std::get_if<Proved>(&verdict);
                     if (!right) return "";
                     Certificate wrong = *right->certificate->as<Certificate>();
                     wrong.policy = "pandas:plain";
                     return rejection(wrong);
                 }});
}

}  // namespace

void add_queueing_invariants(std::vector<Claim>& claims) {
    claims.push_back(routing());
    claims.push_back(serving());
    claims.push_back(no_wasted_slot());
    claims.push_back(slot("tasks-balance",
                          "At every state and for every outcome of a slot, the number of tasks changes by arrivals "
                          "minus completions.",
                          "a task vanishes that is not counted as completed", mutants::loses_a_task));
    claims.push_back(slot("execution-within-queue",
                          "At every state, no outcome of a slot leaves a queue shorter than its tasks in execution.",
                          "servers execute tasks of an empty queue", mutants::executes_nothing));
    claims.push_back(slot("departures-by-servers",
                          "At every state, no outcome of a slot lowers a queue by more than the servers at it.",
                          "the longest queue is emptied at once", mutants::empties_a_queue));
    claims.push_back(slot("non-preemptive", "At every state, every busy server goes on with its task or becomes idle.",
                          "a busy server changes to another queue", mutants::changes_a_task));
    claims.push_back(slot("arrivals-mean",
                          "At every state, the outcomes of a slot have total probability one and bring lambda tasks "
                          "on average.",
                          "the first outcome is left out", mutants::leaves_an_outcome_out));
}

}  // namespace schedproof::checks
