/// Claims about single decisions and single slots, at all states.
///
/// `explore` proves an invariant for all queue lengths at every combination of server statuses. It refutes only at an
/// integer state, since queue lengths are integers, and answers Unknown where a cell shows none. `sampled` and
/// `exhaustive` look at states one by one, by exact enumeration. A claim about decisions has mutants that break one
/// rule of a policy; a slot's kernel is common to all policies, so there the mutant is a certificate of one policy
/// offered for another.
/// Source: [wang2013], Section II; docs/models/queueing.md, A slot, Interpretation Q5.
#include "proofs/queueing/theorems/invariants.hpp"

#include <algorithm>
#include <string>

#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "checks/queueing/mutants.hpp"
#include "checks/queueing/sampling.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"

namespace schedproof::checks {

using namespace queueing;
using namespace queueing_claims;

namespace {

constexpr const char* family = "the named instances, and any instance on the default interpretations of counting";
using Names = std::vector<std::string>;

const Names two_servers{"m2-half", "m2-uneven", "m2-shared", "m2-one-type", "m2-fast-remote"};
const Names with_racks{"m2-half", "m2-uneven", "m2-shared", "m2-one-type", "m2-fast-remote", "m3-racks"};
const Names few{"m2-uneven", "m2-shared"};
const Names listed{"m2-half", "n1-fifo-listed"};
const Names policies_that_count{"wang-jsq-maxweight", "jsq-maxweight",   "pandas:plain", "pandas:rackaware",
                                "balanced-pandas",    "generalized-cmu", "random-local", "join-shortest-queue"};
const Names sampled_only{"sampled"};

/// Proves the invariant at every shape, or finds a state where it fails.
Verdict explore_invariant(const System& system, const Settings& settings, const std::string& name) {
    InvariantTheorem theorem{{name}, find_statuses(system.symbolic, settings.budget)};
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

StateProperty violation_of(const std::string& name) {
    return [name](const ExactSystem& system, const ExactState& state) { return violation(system, state, name); };
}

QueueingOracle explore_oracle(const std::string& name) {
    return asks("explore", [name](const System& system, const Settings& settings) {
        return explore_invariant(system, settings, name);
    });
}
QueueingOracle sampled_oracle(const std::string& name) {
    return asks("sampled", [name](const System& system, const Settings& settings) {
        return sample(system, settings, violation_of(name), 100);
    });
}
QueueingOracle exhaustive_oracle(const std::string& name) {
    return asks("exhaustive",
                [name](const System& system, const Settings&) { return exhaust(system, violation_of(name), 4); });
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
        .oracle(sampled_oracle(name))
        .property(at_state(violation_of(name)))
        .witness(idle_with_work);
}

/// A mutant of a policy, of which `explore` must refute an invariant.
struct PolicyMutant {
    std::string name;
    std::string change;
    std::string invariant;
    System (*policy)(const InstancePtr&);
    std::string instance;
};
Mutant mutant(const PolicyMutant& m) {
    return {m.name, m.change, "explore", [m](const Settings& settings) {
                return refutation_of(explore_oracle(m.invariant), violation_of(m.invariant),
                                     m.policy(named_instance(m.instance)), settings);
            }};
}

QueueingClaim routing() {
    using namespace mutants;
    return invariant("route-minimises")
        .statement(
            "At every state, each type may join exactly the admissible queues of smallest key, every tied one among "
            "them.")
        .source("[wang2013], Section II-B; [kavousi], Sections IV-A, IV-B, V-A, V-B (7)")
        .holds(policies_that_count, with_racks)
        .holds({"fifo", "random-any"}, listed, {.oracles = sampled_only})
        .holds({"fifo"}, {"n1-fifo"})
        .mutant(mutant({.name = "jsq-routes-to-longest",
                        .change = "policy: argmax for argmin in routing",
                        .invariant = "route-minimises",
                        .policy = jsq_routes_to_longest,
                        .instance = "m2-shared"}))
        .mutant(mutant({.name = "jsq-drops-routing-ties",
                        .change = "policy: the first of tied queues only",
                        .invariant = "route-minimises",
                        .policy = jsq_drops_routing_ties,
                        .instance = "m2-shared"}))
        .mutant(mutant({.name = "wang-ignores-common",
                        .change = "policy: routing forgets the common queue",
                        .invariant = "route-minimises",
                        .policy = wang_ignores_common_when_routing,
                        .instance = "m2-half"}))
        .mutant(mutant({.name = "balanced-plain-workload",
                        .change = "policy: W for W / mu in routing",
                        .invariant = "route-minimises",
                        .policy = balanced_routes_by_plain_workload,
                        .instance = "m2-half"}));
}

QueueingClaim serving() {
    using namespace mutants;
    return invariant("serve-maximises")
        .statement(
            "At every state, each idle server may turn to exactly the queues that the policy's rule names: of largest "
            "weight, or its own first.")
        .source("[wang2013], Section II-B; [kavousi], Sections III-B (2), IV-A, IV-B, V-A (5), V-B (6)")
        .holds(policies_that_count, with_racks)
        .holds({"fifo", "random-any"}, listed, {.oracles = sampled_only})
        .holds({"fifo"}, {"n1-fifo"})
        .mutant(mutant({.name = "jsq-serves-smallest",
                        .change = "policy: argmin for argmax in serving",
                        .invariant = "serve-maximises",
                        .policy = jsq_serves_smallest_weight,
                        .instance = "m2-half"}))
        .mutant(mutant({.name = "jsq-ignores-rates",
                        .change = "policy: longest queue for largest weight",
                        .invariant = "serve-maximises",
                        .policy = jsq_ignores_rates,
                        .instance = "m2-half"}))
        .mutant(mutant({.name = "wang-never-helps",
                        .change = "policy: the common queue is never served",
                        .invariant = "serve-maximises",
                        .policy = wang_never_helps,
                        .instance = "m2-half"}))
        .mutant(mutant({.name = "wang-alpha-for-gamma",
                        .change = "policy: alpha weighs the common queue",
                        .invariant = "serve-maximises",
                        .policy = wang_weighs_common_as_local,
                        .instance = "m2-half"}))
        .mutant(mutant({.name = "wang-tie-to-common",
                        .change = "policy: > for >= when weights are compared",
                        .invariant = "serve-maximises",
                        .policy = wang_ties_go_to_common,
                        .instance = "m2-half"}))
        .mutant(mutant({.name = "balanced-remote-first",
                        .change = "policy: the most remote own task first",
                        .invariant = "serve-maximises",
                        .policy = balanced_serves_remote_first,
                        .instance = "m2-half"}))
        .mutant(mutant({.name = "pandas-threshold",
                        .change = "policy: > for >= at Pandas' threshold",
                        .invariant = "serve-maximises",
                        .policy = pandas_threshold_off_by_one,
                        .instance = "m2-half"}))
        .mutant(mutant({.name = "pandas-helps-first",
                        .change = "policy: helps others before its own queue",
                        .invariant = "serve-maximises",
                        .policy = pandas_helps_before_own,
                        .instance = "m2-half"}))
        .mutant(mutant({.name = "cmu-ignores-distance",
                        .change = "policy: marginal cost without the rate",
                        .invariant = "serve-maximises",
                        .policy = cmu_ignores_costs_of_distance,
                        .instance = "m2-half"}));
}

QueueingClaim no_wasted_slot() {
    const Names plain{"m2-half", "m2-uneven", "m2-fast-remote"};
    // The states that refute it are rare among random ones.
    const LineOptions missed_by_chance{.oracles = {}, .kinds = {{"sampled", Kind::survived}}};
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
        .holds({"balanced-pandas"}, with_racks)
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
        .oracle(exhaustive_oracle("serve-takes-waiting"));
    claim.mutant(mutant({.name = "wang-never-helps-idles",
                         .change = "policy: the common queue is never served",
                         .invariant = "serve-takes-waiting",
                         .policy = mutants::wang_never_helps,
                         .instance = "m2-half"}));
    return claim;
}

QueueingClaim slot(const std::string& name, std::string statement) {
    return invariant(name)
        .statement(std::move(statement))
        .source("[wang2013], Section II-C; docs/models/queueing.md, A slot")
        .holds(policies_that_count, few)
        .holds({"fifo", "random-any", "fluid-model-planning:static", "fluid-model-planning:deficit"}, {"m2-half"},
               {.oracles = sampled_only})
        .holds({"fifo"}, {"n1-fifo"})
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
                          "minus completions."));
    claims.push_back(slot("execution-within-queue",
                          "At every state, no outcome of a slot leaves a queue shorter than its tasks in execution."));
    claims.push_back(slot("departures-by-servers",
                          "At every state, no outcome of a slot lowers a queue by more than the servers at it."));
    claims.push_back(
        slot("non-preemptive", "At every state, every busy server goes on with its task or becomes idle."));
    claims.push_back(slot("arrivals-mean",
                          "At every state, the outcomes of a slot have total probability one and bring lambda tasks "
                          "on average."));
}

}  // namespace schedproof::checks
