/// Claims with an argument of their own: throughput optimality of every cluster, transience, synthesised functions.
///
/// Throughput optimality has three oracles: the theorem for every cluster, its constants at one instance, and random
/// states, where the exact drift is compared with the bound. There the weights w_m come from data about the policy that
/// know nothing of the argument. Transience and synthesis search for a function, so no single state speaks against the
/// claim, and their answer is Proved or Unknown; stability is settled by the first of several arguments. Most mutants
/// alter one entry of a certificate that was right. Source: [wang2013], Theorem 1; docs/models/queueing.md, Every
/// cluster at once, Counterexamples N1 and N2, Functions found by synthesis.
#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "checks/queueing/mutants.hpp"
#include "checks/queueing/stability_argument.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/drift/synthesis.hpp"
#include "proofs/queueing/duality/policy_data.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/transience/transience_search.hpp"

namespace schedproof::checks {

using namespace queueing;
using namespace queueing_claims;

namespace {

std::string load_of(const System& system) {
    const auto certificate = capacity::solve(*system.instance);
    return certificate.upper < Rational(1) ? "rho* = " + certificate.upper.to_string() : "";
}

// ------------------------------------------------------------------------------------------- every cluster

/// sum over servers of w_m at a state, from data about the policy that know nothing of the argument.
Rational total_weight(const duality::MaxWeightData& data, const ExactSystem& system, const ExactState& state) {
    const Instance& instance = system.instance();
    const Layout& layout = system.layout();
    std::vector<Rational> weights(data.queues);
    if (layout.arrangement() == Arrangement::per_server_and_level) {
        for (const ServerId m : instance.servers())
            for (const QueueId q : layout.queues_of(m))
                weights[m.index()] += Rational(state.length[q.index()].value()) / layout.service_rate(instance, q, m);
    } else {
        for (std::size_t i = 0; i < weights.size(); ++i) {
            weights[i] = Rational(state.length[i].value());
            if (layout.arrangement() == Arrangement::per_type)
                weights[i] *= Rational(2) * instance.data().types[i].cost;
        }
    }
    Rational sum;
    for (std::size_t m = 0; m < data.servable.size(); ++m) sum += duality::server_value(data, m, weights);
    return sum;
}

/// Drift above the bound that the theorem gives at this instance.
Violation above_bound(const ExactSystem& system, const ExactState& state) {
    const Instance& instance = system.instance();
    const auto data = duality::max_weight_data(instance, system.info().id);
    if (!data) return "";
    const DriftBound bound = drift_bound(instance, system.layout(), capacity::solve(instance).upper);
    const LyapunovForm v = named_lyapunov(argument_function(system.layout().arrangement()), instance, system.layout());
    const Rational change = drift(system, state, v);
    const Rational most = bound.constant - bound.slope * total_weight(*data, system, state);
    return change <= most ? ""
                          : fmt::format("the drift of {} is {} > {}", v.name, change.to_string(), most.to_string());
}

QueueingOracle uniform_oracle() {
    return asks("explore", [](const System& system, const Settings& settings) -> Verdict {
        if (system.instance->batches()) return Unknown{"tasks come in batches, and the theorem is about single ones"};
        UniformOutcome outcome =
            prove_uniform(ParametricPolicy::registered(system.policy()), system.instance->data().levels.size(),
                          settings.budget, timing_of(*system.instance));
        if (auto* found = std::get_if<UniformProof>(&outcome))
            return proved(system, std::move(found->theorem), std::move(found->proofs));
        if (const auto* leaf = std::get_if<LeafFailure>(&outcome))
            return Unknown{"the argument fails at the leaf '" + leaf->leaf + "': " + leaf->decision};
        return Unknown{std::get<UniformUnknown>(outcome).reason};
    });
}

QueueingOracle constants_oracle() {
    return asks("certificate", [](const System& system, const Settings& settings) -> Verdict {
        MaxWeightOutcome outcome = prove_max_weight(system.symbolic, Rational(1), settings.budget);
        if (auto* found = std::get_if<MaxWeightProof>(&outcome))
            return proved(system, std::move(found->theorem), std::move(found->proofs));
        if (const auto* leaf = std::get_if<LeafFailure>(&outcome))
            return Unknown{"the argument fails at the leaf '" + leaf->leaf + "'"};
        return Unknown{std::get<UniformUnknown>(outcome).reason};
    });
}

QueueingOracle bound_oracle() {
    QueueingOracle oracle = sampled_states(100'000, true);
    oracle.run = [run = std::move(oracle.run)](const Trial<QueueingFamily>& trial,
                                               const Property<QueueingFamily>& property,
                                               const Settings& settings) -> Verdict {
        if (!duality::max_weight_data(*trial.system.instance, trial.system.policy()))
            return Unknown{"no bound is claimed for this policy"};
        if (trial.system.instance->batches()) return Unknown{"no bound is claimed where tasks come in batches"};
        return run(trial, property, settings);
    };
    return oracle;
}

QueueingClaim every_cluster() {
    // The constants of the bound at the instance are a theorem too, not only checked numbers.
    const Kinds with_constants{{"certificate", VerdictKind::proved}};
    const std::vector<std::string> both{"m2-half", "n2-pandas"};
    const auto jsq = [](const char* name, const QueueingOracle& prove, const char* change,
                        std::function<void(Certificate&)> spoil) {
        return spoiled({.name = name,
                        .change = change,
                        .oracle = prove.name,
                        .prove = prove,
                        .instance = "m2-half",
                        .policy = "jsq-maxweight",
                        .spoil = std::move(spoil)});
    };
    const auto bound = [](Certificate& c) -> DriftBound& { return std::get<MaxWeightTheorem>(c.theorem).bound; };
    const std::string maxweight = "no MaxWeight argument: it does not compare rate times length";
    QueueingClaim claim = QueueingClaim("throughput-optimal.every-cluster");
    claim
        .statement(
            "For every number of servers, every set of task types, every bounded arrival law with rho* < 1 and all "
            "rates at the instance's number of levels, the drift of V is at most -2 (1 - rho*) sum of w + C at every "
            "state.")
        .source(
            "[schedproof], docs/models/queueing.md, Every cluster at once; [wang2013], Theorem 1; [xie2016]; "
            "[mandelbaum2004]")
        .instances("every cluster with two, or three, levels of locality")
        .holds({"wang-jsq-maxweight"}, {"m2-half"}, {.kinds = with_constants})
        .holds({"jsq-maxweight"}, both, {.kinds = with_constants})
        .holds({"generalized-cmu"}, both, {.kinds = with_constants})
        .holds({"balanced-pandas", "balanced-pandas:idle"}, both, {.kinds = with_constants})
        .open({"wang-jsq-maxweight"}, {"n2-pandas"}, "it knows two levels only", {.oracles = {"explore"}})
        .open({"pandas:plain"}, both, maxweight, {.oracles = {"explore"}})
        .open({"pandas:rackaware"}, both, maxweight, {.oracles = {"explore"}})
        .open({"fifo"}, {"m2-half"}, "its queue mixes tasks of all rates", {.oracles = {"explore"}})
        .open({"random-local"}, {"m2-half"}, "it does not route to the shortest queue", {.oracles = {"explore"}})
        .open({"random-any"}, {"m2-half"}, "it does not route to the shortest queue", {.oracles = {"explore"}})
        .open({"join-shortest-queue"}, {"m2-half"}, "servers do not help each other", {.oracles = {"explore"}})
        .oracle(uniform_oracle())
        .oracle(constants_oracle())
        .oracle(bound_oracle())
        .outside(of_instance(outside_region))
        .property(at_state(above_bound))
        .witness(load_of)
        .mutant_system(mutant_on({"bound-of-smallest-weight", "policy: argmin for argmax in serving", "sampled",
                                  mutants::jsq_serves_smallest_weight, "m2-half"}))
        .mutant(jsq("uniform-of-pandas", uniform_oracle(),
                    "policy: the certificate of JSQ-MaxWeight offered for Pandas",
                    [](Certificate& c) { c.policy = "pandas:plain"; }))
        .mutant(jsq("uniform-lemma", uniform_oracle(), "certificate: the identity of a kernel lemma altered",
                    [](Certificate& c) {
                        auto& lemma = std::get<UniformTheorem>(c.theorem).lemmas.front();
                        lemma.terms.front().coefficient += Rational(1);
                    }))
        .mutant(jsq("constant-too-small", constants_oracle(), "certificate: the constant C one less",
                    [=](Certificate& c) { bound(c).constant -= Rational(1); }))
        .mutant(jsq("slope-too-steep", constants_oracle(), "certificate: the slope doubled",
                    [=](Certificate& c) { bound(c).slope *= Rational(2); }));
    ask_others(claim, {"m2-half"}, {.oracles = {"explore"}});
    return claim;
}

// ------------------------------------------------------------------------------------------- transience

QueueingOracle transience_oracle() {
    return asks("explore", [](const System& system, const Settings& settings) -> Verdict {
        TransienceOutcome outcome = search_transience(system.symbolic, settings.budget, 4);
        if (auto* found = std::get_if<TransienceProof>(&outcome))
            return proved(system, std::move(found->theorem), std::move(found->proofs));
        return Unknown{std::get<TransienceUnknown>(outcome).reason};
    });
}

QueueingClaim transient() {
    const std::string stable = "throughput optimal, so there is no such W; none of the template is found";
    const auto theorem = [](Certificate& c) -> TransienceTheorem& { return std::get<TransienceTheorem>(c.theorem); };
    const auto fifo = [](const char* name, const char* change, std::function<void(Certificate&)> spoil) {
        return spoiled({.name = name,
                        .change = change,
                        .oracle = "explore",
                        .prove = transience_oracle(),
                        .instance = "n1-fifo",
                        .policy = "fifo",
                        .spoil = std::move(spoil)});
    };
    QueueingClaim claim = QueueingClaim("transient-inside-the-region");
    claim
        .statement(
            "Inside the capacity region the cluster is transient all the same: a W with bounded jumps, linear or with "
            "a "
            "table of one queue's length besides, grows by at least delta > 0 on average at every state with W >= w0, "
            "for all queue lengths and statuses.")
        .source(
            "[schedproof], docs/models/queueing.md, Counterexamples N1, N2; [kavousi], Section IV-B; [harrison1998]; "
            "[bell2001]")
        .instances("n1-fifo; n2-pandas with its two other rate sets; n-system-preemptive")
        .feared()
        .holds({"pandas:plain"}, {"n2-pandas", "n2-pandas-lighter", "n2-pandas-slow-rack"})
        .holds({"pandas:rackaware"}, {"n2-pandas"})
        .holds({"wang-jsq-maxweight"}, {"n2-pandas"})
        .holds({"fifo"}, {"n1-fifo"})
        .holds({"join-shortest-queue"}, {"n-system-preemptive"})
        .open({"jsq-maxweight"}, {"n2-pandas"}, stable)
        .open({"balanced-pandas", "balanced-pandas:idle"}, {"m2-half"}, stable)
        .open({"generalized-cmu"}, {"n-system-preemptive"}, stable)
        .oracle(transience_oracle())
        .outside(of_instance(outside_region))
        // W is a result of the search, so no state by itself can speak against the claim: nothing is ever refuted here.
        .of_no_problem()
        .witness(load_of)
        .mutant(fifo("growth-too-fast", "certificate: twice the growth",
                     [=](Certificate& c) { theorem(c).delta *= Rational(2); }))
        .mutant(fifo("jump-too-small", "certificate: smaller jumps than the kernel's",
                     [=](Certificate& c) { theorem(c).jump -= Rational(1); }))
        .mutant(fifo("load-of-another", "certificate: the load of another instance",
                     [=](Certificate& c) { theorem(c).capacity = capacity::solve(*named_instance("m2-half")); }))
        .mutant(fifo("stable-policy", "policy: the certificate of FIFO offered for JSQ-MaxWeight",
                     [](Certificate& c) { c.policy = "jsq-maxweight"; }));
    ask_others(claim, {"m2-half"});
    return claim;
}

// ------------------------------------------------------------------------------------------- stability

QueueingOracle stability_oracle() {
    return asks("explore", [](const System& system, const Settings& settings) -> Verdict {
        StabilityOptions options;
        options.lyapunov = settings.lyapunov;
        StabilityOutcome outcome = settle_stability(system.symbolic, system.exact, settings.budget, options);
        const bool transient = outcome.transient();
        if (outcome.argument) {
            // Also a proof of the opposite is one only with a certificate that the checker accepts.
            Verdict verdict = std::visit(
                [&](auto& proof) { return proved(system, std::move(proof.theorem), std::move(proof.proofs)); },
                *outcome.argument);
            if (!transient) return verdict;
            return Unknown{"it is not: the cluster is transient, which is proved", true};
        }
        std::string why = "no argument settles it";
        for (const std::string& one : outcome.why_not) why += "; " + one;
        return Unknown{why};
    });
}

QueueingClaim stable() {
    const std::string not_so = "the cluster is transient";
    const auto constant = [](Certificate& c) -> Rational& {
        return std::get<MaxWeightTheorem>(c.theorem).bound.constant;
    };
    QueueingClaim claim = QueueingClaim("stable-inside-the-region");
    claim
        .statement(
            "At a load below rho* = 1 the cluster is stable: the mean drift of a function of its state is negative "
            "outside a finite set of states, for all queue lengths and statuses.")
        .source("[schedproof], docs/models/queueing.md, Functions found by synthesis; [xie2016]; [wang2013]")
        .instances("two servers, evenly loaded; n2-pandas")
        .stability()
        .holds({"jsq-maxweight"}, {"m2-half", "n2-pandas"})
        .holds({"balanced-pandas", "balanced-pandas:idle"}, {"m2-half", "n2-pandas"})
        .holds({"wang-jsq-maxweight"}, {"m2-half"})
        .holds({"generalized-cmu"}, {"m2-half"})
        .holds({"pandas:plain"}, {"m2-half"})
        .holds({"pandas:rackaware"}, {"m2-half"})
        .open({"pandas:plain"}, {"n2-pandas"}, not_so)
        .open({"fifo"}, {"n1-fifo"}, not_so)
        .oracle(stability_oracle())
        .outside(of_instance(outside_region))
        // The function is a result of the search, so no state by itself can speak against the claim.
        .of_no_problem()
        .witness(load_of)
        .mutant(spoiled({.name = "drift-constant-too-small",
                         .change = "certificate: the constant C of the drift argument one less",
                         .oracle = "explore",
                         .prove = stability_oracle(),
                         .instance = "m2-half",
                         .policy = "jsq-maxweight",
                         .spoil = [=](Certificate& c) { constant(c) -= Rational(1); }}))
        .mutant(spoiled({.name = "stable-as-another",
                         .change = "policy: the certificate of JSQ-MaxWeight offered for Pandas",
                         .oracle = "explore",
                         .prove = stability_oracle(),
                         .instance = "m2-half",
                         .policy = "jsq-maxweight",
                         .spoil = [](Certificate& c) { c.policy = "pandas:plain"; }}));
    ask_others(claim, {"m2-half"});
    return claim;
}

// ------------------------------------------------------------------------------------------- synthesis

QueueingOracle synthesis_oracle() {
    return asks("explore", [](const System& system, const Settings& settings) -> Verdict {
        SynthesisBudget budget;
        budget.explore = settings.budget;
        auto outcome = synthesise(system.symbolic, system.exact,
                                  pair_template(*system.instance, system.symbolic.layout()), budget);
        if (auto* found = std::get_if<FoundLyapunov>(&outcome))
            return proved(system, std::move(found->proof.theorem), std::move(found->proof.proofs));
        return Unknown{std::get<SynthesisFailure>(outcome).reason};
    });
}

QueueingClaim found_function() {
    return QueueingClaim("pandas.lyapunov-found")
        .statement(
            "For every queue length and all statuses, the one-step drift under two-level Pandas of a quadratic "
            "function that the synthesis finds is at most -1 outside a finite set, when rho* < 1.")
        .source("[xie2015]; docs/models/queueing.md, Functions found by synthesis")
        .instances("two servers, a type local to each")
        .holds({"pandas:plain"}, {"m2-half", "m2-uneven"})
        .holds({"pandas:rackaware"}, {"m2-half", "m2-uneven"})
        .oracle(synthesis_oracle())
        .outside(of_instance(outside_region))
        .of_no_problem()
        .witness(load_of)
        .mutant(spoiled({.name = "found-without-its-cross-terms",
                         .change = "V: what was found, without its status terms",
                         .oracle = "explore",
                         .prove = synthesis_oracle(),
                         .instance = "m2-uneven",
                         .policy = "pandas:plain",
                         .spoil = [](Certificate& c) { std::get<DriftTheorem>(c.theorem).v.pieces.clear(); }}));
}

}  // namespace

void add_queueing_theorems(std::vector<Claim>& claims) {
    claims.push_back(every_cluster());
    claims.push_back(transient());
    claims.push_back(stable());
    claims.push_back(found_function());
}

}  // namespace schedproof::checks
