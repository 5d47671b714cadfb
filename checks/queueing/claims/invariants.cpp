/// Claims about single decisions and single slots, for all states: see proofs/queueing/theorems/invariants.hpp.
#include "proofs/queueing/theorems/invariants.hpp"

#include <algorithm>
#include <string>

#include "checks/core/registry.hpp"
#include "checks/queueing/instances.hpp"
#include "checks/queueing/mutants.hpp"
#include "checks/queueing/sampling.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"

namespace schedproof::checks {

using namespace queueing;

namespace {

constexpr const char* family = "the named instances, and any instance on the default readings of counting";
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
        return Refuted{
            QueueingCounterexample{system.instance, system.policy(), system.symbolic.at(*shape, point.point), name}};
    }
    return proved(system, std::move(theorem), std::move(proofs));
}

Violation violation_of(const std::string& name) {
    return [name](const ExactSystem& system, const ExactState& state) { return violation(system, state, name); };
}

Oracle explore_oracle(const std::string& name) {
    return {"explore", [name](const System& system, const Settings& settings) {
                return explore_invariant(system, settings, name);
            }};
}
Oracle sampled_oracle(const std::string& name) {
    return {"sampled", [name](const System& system, const Settings& settings) {
                return sample(system, settings, violation_of(name), 100);
            }};
}
Oracle exhaustive_oracle(const std::string& name) {
    return {"exhaustive",
            [name](const System& system, const Settings&) { return exhaust(system, violation_of(name), 4); }};
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

QueueingClaim invariant(const std::string& name, std::string statement, std::string source) {
    QueueingClaim claim;
    claim.id = "queueing." + name;
    claim.statement = std::move(statement);
    claim.source = std::move(source);
    claim.family = family;
    claim.oracles = {explore_oracle(name), sampled_oracle(name)};
    claim.outside = [](const Instance&) { return std::string(); };
    claim.violation = violation_of(name);
    claim.witness = idle_with_work;
    return claim;
}

Mutant mutant(const std::string& name, std::string fault, const std::string& invariant,
              System (*make)(const InstancePtr&), const char* instance) {
    return {name, std::move(fault), "explore", [=](const Settings& settings) {
                return refutation_of(explore_oracle(invariant), violation_of(invariant), make(named_instance(instance)),
                                     settings);
            }};
}

QueueingClaim routing() {
    QueueingClaim claim =
        invariant("route-minimises",
                  "At every state, each type may join exactly the admissible queues of smallest key, every "
                  "tied one among them.",
                  "[wang2013], Section II-B; [kavousi], Sections IV-A, IV-B, V-A, V-B (7)");
    for (const std::string& policy : policies_that_count) claim.lines.push_back({policy, with_racks, {}, {}, {}});
    for (const char* policy : {"fifo", "random-any"})
        claim.lines.push_back({policy, listed, Expectation::holds, sampled_only, ""});
    claim.lines.push_back({"fifo", {"n1-fifo"}, {}, {}, {}});
    using namespace mutants;
    claim.mutants = {
        mutant("jsq-routes-to-longest", "policy: argmax for argmin in routing", "route-minimises",
               jsq_routes_to_longest, "m2-shared"),
        mutant("jsq-drops-routing-ties", "policy: the first of tied queues only", "route-minimises",
               jsq_drops_routing_ties, "m2-shared"),
        mutant("wang-ignores-common", "policy: routing forgets the common queue", "route-minimises",
               wang_ignores_common_when_routing, "m2-half"),
        mutant("balanced-plain-workload", "policy: W for W / mu in routing", "route-minimises",
               balanced_routes_by_plain_workload, "m2-half"),
    };
    return claim;
}

QueueingClaim serving() {
    QueueingClaim claim =
        invariant("serve-maximises",
                  "At every state, each idle server may turn to exactly the queues that the policy's rule "
                  "names: of largest weight, or its own first.",
                  "[wang2013], Section II-B; [kavousi], Sections III-B (2), IV-A, IV-B, V-A (5), V-B (6)");
    for (const std::string& policy : policies_that_count) claim.lines.push_back({policy, with_racks, {}, {}, {}});
    for (const char* policy : {"fifo", "random-any"})
        claim.lines.push_back({policy, listed, Expectation::holds, sampled_only, ""});
    claim.lines.push_back({"fifo", {"n1-fifo"}, {}, {}, {}});
    using namespace mutants;
    const auto add = [&](const char* name, const char* fault, System (*make)(const InstancePtr&), const char* at) {
        claim.mutants.push_back(mutant(name, fault, "serve-maximises", make, at));
    };
    add("jsq-serves-smallest", "policy: argmin for argmax in serving", jsq_serves_smallest_weight, "m2-half");
    add("jsq-ignores-rates", "policy: longest queue for largest weight", jsq_ignores_rates, "m2-half");
    add("wang-never-helps", "policy: the common queue is never served", wang_never_helps, "m2-half");
    add("wang-alpha-for-gamma", "policy: alpha weighs the common queue", wang_weighs_common_as_local, "m2-half");
    add("wang-tie-to-common", "policy: > for >= when weights are compared", wang_ties_go_to_common, "m2-half");
    add("balanced-remote-first", "policy: the most remote own task first", balanced_serves_remote_first, "m2-half");
    add("pandas-threshold", "policy: > for >= at Pandas' threshold", pandas_threshold_off_by_one, "m2-half");
    add("pandas-helps-first", "policy: helps others before its own queue", pandas_helps_before_own, "m2-half");
    add("cmu-ignores-distance", "policy: marginal cost without the rate", cmu_ignores_costs_of_distance, "m2-half");
    return claim;
}

QueueingClaim no_wasted_slot() {
    QueueingClaim claim =
        invariant("serve-takes-waiting",
                  "At every state, an idle server turns to a waiting task whenever one waits in a queue "
                  "that the policy lets it serve.",
                  "[wang2013], Section II, unspecified; docs/models/queueing.md, Interpretation Q5");
    const Names plain{"m2-half", "m2-uneven", "m2-fast-remote"};
    const std::string counted_in =
        "a queue all of whose tasks are in execution still counts as long (Interpretation Q5)";
    claim.lines = {
        {"wang-jsq-maxweight", {"m2-half", "m2-uneven", "m2-fast-remote"}, Expectation::holds, {}, {}},
        {"wang-jsq-maxweight", {"m3-fast-remote"}, Expectation::fails, {}, counted_in},
        {"balanced-pandas", with_racks, Expectation::holds, {}, {}},
        {"random-local", plain, Expectation::holds, {}, {}},
        {"join-shortest-queue", plain, Expectation::holds, {}, {}},
        {"fifo", {"n1-fifo"}, Expectation::holds, {}, {}},
        {"jsq-maxweight", plain, Expectation::fails, {}, counted_in},
        {"generalized-cmu", plain, Expectation::fails, {}, counted_in},
        {"pandas:plain",
         plain,
         Expectation::fails,
         {},
         "own queue first, though all of it may be in execution (Interpretation Q5)"},
        {"pandas:rackaware",
         {"m3-racks"},
         Expectation::fails,
         {},
         "own queue first, though all of it may be in execution (Interpretation Q5)"},
    };
    // The repaired form: a queue without a waiting task has no weight.
    for (const char* policy : {"wang-jsq-maxweight", "jsq-maxweight", "generalized-cmu", "balanced-pandas"})
        claim.lines.push_back({policy, {"m2-conserved"}, Expectation::holds, {}, {}});
    claim.oracles.push_back(exhaustive_oracle("serve-takes-waiting"));
    for (Line& line : claim.lines)
        if (line.expectation == Expectation::holds) line.oracles = {"explore", "exhaustive", "sampled"};
    claim.mutants = {mutant("wang-never-helps-idles", "policy: the common queue is never served", "serve-takes-waiting",
                            mutants::wang_never_helps, "m2-half")};
    return claim;
}

QueueingClaim slot(const std::string& name, std::string statement) {
    QueueingClaim claim =
        invariant(name, std::move(statement), "[wang2013], Section II-C; docs/models/queueing.md, A slot");
    for (const std::string& policy : policies_that_count) claim.lines.push_back({policy, few, {}, {}, {}});
    for (const char* policy : {"fifo", "random-any", "fluid-model-planning:static", "fluid-model-planning:deficit"})
        claim.lines.push_back({policy, {"m2-half"}, Expectation::holds, sampled_only, ""});
    claim.lines.push_back({"fifo", {"n1-fifo"}, {}, {}, {}});
    claim.mutants = {{"other-outcomes-" + name, "kernel: the certificate of one policy offered for another",
                      "certificate", [name](const Settings& settings) -> std::string {
                          const System system = registered(named_instance("m2-half"), "jsq-maxweight");
                          const Verdict verdict = explore_invariant(system, settings, name);
                          const auto* right = std::get_if<Proved>(&verdict);
                          if (!right) return "";
                          Certificate wrong = *right->certificate->as<Certificate>();
                          wrong.policy = "pandas:plain";
                          return rejection(wrong);
                      }}};
    return claim;
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
