/// Claims that come with an argument of their own: throughput optimality of every cluster, transience, and functions
/// found by synthesis.
#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "checks/core/registry.hpp"
#include "checks/queueing/instances.hpp"
#include "checks/queueing/sampling.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/drift/synthesis.hpp"
#include "proofs/queueing/duality/policy_data.hpp"
#include "proofs/queueing/every_cluster/uniform_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/transience/transience_search.hpp"

namespace schedproof::checks {

using namespace queueing;

namespace {

std::string inside(const Instance& instance) {
    return capacity::position(capacity::solve(instance)) == capacity::Position::inside ? ""
                                                                                       : "its load rho* is not below 1";
}

std::string load_of(const System& system) {
    const auto certificate = capacity::solve(*system.instance);
    return certificate.upper < Rational(1) ? "rho* = " + certificate.upper.to_string() : "";
}

/// A certificate with a seeded fault, which its checker must reject.
Mutant spoiled(std::string name, std::string what, const Oracle& oracle, const char* instance, std::string policy,
               std::function<void(Certificate&)> spoil) {
    return {std::move(name), std::move(what), oracle.name, [=](const Settings& settings) -> std::string {
                const Verdict verdict = oracle.run(registered(named_instance(instance), policy), settings);
                const auto* right = std::get_if<Proved>(&verdict);
                if (!right) return "";
                Certificate wrong = *right->certificate->as<Certificate>();
                spoil(wrong);
                const std::string found = rejection(wrong);
                return found.empty() ? "" : "rejected: " + found;
            }};
}

// ------------------------------------------------------------------------------------------- every cluster

/// sum over servers of w_m at a state, from data about the policy that know nothing of the argument.
Rational total_weight(const duality::MaxWeightData& data, const ExactSystem& system, const ExactState& state) {
    const Instance& instance = system.instance();
    const Layout& layout = system.layout();
    std::vector<Rational> weights(data.queues);
    if (layout.arrangement() == Arrangement::per_server_and_level) {
        for (const ServerId m : instance.servers())
            for (const Level level : instance.levels())
                weights[m.index()] +=
                    Rational(state.length[layout.queue(m, level).index()].value()) / instance.rate(level);
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
std::string above_bound(const ExactSystem& system, const ExactState& state) {
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

Oracle uniform_oracle() {
    return {"explore", [](const System& system, const Settings& settings) -> Verdict {
                UniformOutcome outcome = prove_uniform(ParametricPolicy::registered(system.policy()),
                                                       system.instance->data().levels.size(), settings.budget);
                if (auto* found = std::get_if<UniformProof>(&outcome))
                    return proved(system, std::move(found->theorem), std::move(found->proofs));
                if (const auto* leaf = std::get_if<LeafFailure>(&outcome))
                    return Unknown{"the argument fails at the leaf '" + leaf->leaf + "': " + leaf->decision};
                return Unknown{std::get<UniformUnknown>(outcome).reason};
            }};
}

Oracle constants_oracle() {
    return {"certificate", [](const System& system, const Settings& settings) -> Verdict {
                MaxWeightOutcome outcome = prove_max_weight(system.symbolic, Rational(1), settings.budget);
                if (auto* found = std::get_if<MaxWeightProof>(&outcome))
                    return proved(system, std::move(found->theorem), std::move(found->proofs));
                if (const auto* leaf = std::get_if<LeafFailure>(&outcome))
                    return Unknown{"the argument fails at the leaf '" + leaf->leaf + "'"};
                return Unknown{std::get<UniformUnknown>(outcome).reason};
            }};
}

Oracle bound_oracle() {
    return {"sampled", [](const System& system, const Settings& settings) -> Verdict {
                if (!duality::max_weight_data(*system.instance, system.policy()))
                    return Unknown{"no bound is claimed for this policy"};
                const auto statuses = find_statuses(system.symbolic, settings.budget);
                return sample(system, settings, above_bound, 100'000, &statuses);
            }};
}

QueueingClaim every_cluster() {
    QueueingClaim claim;
    claim.id = "queueing.throughput-optimal.every-cluster";
    claim.statement =
        "For every number of servers, every set of task types, every bounded arrival law with rho* < 1 and all rates "
        "at the instance's number of levels, the drift of V is at most -2 (1 - rho*) sum of w + C at every state.";
    claim.source =
        "[schedproof], docs/models/queueing.md, Every cluster at once; [wang2013], Theorem 1; [xie2016]; "
        "[mandelbaum2004]";
    claim.family = "every cluster with two, or three, levels of locality";
    const std::vector<std::string> both{"m2-half", "n2-pandas"};
    const std::string maxweight = "no MaxWeight argument: it does not compare rate times length";
    claim.lines = {
        {"wang-jsq-maxweight", {"m2-half"}, {}, {}, {}},
        {"jsq-maxweight", both, {}, {}, {}},
        {"generalized-cmu", both, {}, {}, {}},
        {"balanced-pandas", both, {}, {}, {}},
        {"wang-jsq-maxweight", {"n2-pandas"}, Expectation::open, {"explore"}, "it knows two levels only"},
        {"pandas:plain", both, Expectation::open, {"explore"}, maxweight},
        {"pandas:rackaware", both, Expectation::open, {"explore"}, maxweight},
        {"fifo", {"m2-half"}, Expectation::open, {"explore"}, "its queue mixes tasks of all rates"},
        {"random-local", {"m2-half"}, Expectation::open, {"explore"}, "it does not route to the shortest queue"},
        {"random-any", {"m2-half"}, Expectation::open, {"explore"}, "it does not route to the shortest queue"},
        {"join-shortest-queue", {"m2-half"}, Expectation::open, {"explore"}, "servers do not help each other"},
    };
    claim.oracles = {uniform_oracle(), constants_oracle(), bound_oracle()};
    claim.outside = inside;
    claim.violation = above_bound;
    claim.witness = load_of;
    claim.mutants = {
        spoiled("uniform-of-pandas", "policy: the certificate of JSQ-MaxWeight offered for Pandas", uniform_oracle(),
                "m2-half", "jsq-maxweight", [](Certificate& c) { c.policy = "pandas:plain"; }),
        spoiled("uniform-lemma", "certificate: the identity of a kernel lemma altered", uniform_oracle(), "m2-half",
                "jsq-maxweight",
                [](Certificate& c) {
                    std::get<UniformTheorem>(c.theorem).lemmas.front().terms.front().coefficient += Rational(1);
                }),
        spoiled("constant-too-small", "certificate: the constant C one less", constants_oracle(), "m2-half",
                "jsq-maxweight",
                [](Certificate& c) { std::get<MaxWeightTheorem>(c.theorem).bound.constant -= Rational(1); }),
        spoiled("slope-too-steep", "certificate: the slope doubled", constants_oracle(), "m2-half", "jsq-maxweight",
                [](Certificate& c) { std::get<MaxWeightTheorem>(c.theorem).bound.slope *= Rational(2); }),
    };
    return claim;
}

// ------------------------------------------------------------------------------------------- transience

Oracle transience_oracle() {
    return {"explore", [](const System& system, const Settings& settings) -> Verdict {
                TransienceOutcome outcome = search_transience(system.symbolic, settings.budget);
                if (auto* found = std::get_if<TransienceProof>(&outcome))
                    return proved(system, std::move(found->theorem), std::move(found->proofs));
                return Unknown{std::get<TransienceUnknown>(outcome).reason};
            }};
}

QueueingClaim transient() {
    QueueingClaim claim;
    claim.id = "queueing.transient-inside-the-region";
    claim.statement =
        "Inside the capacity region the cluster is transient all the same: a linear W with bounded jumps grows by at "
        "least delta > 0 on average at every state with W >= w0, for all queue lengths and statuses.";
    claim.source = "[schedproof], docs/models/queueing.md, Counterexamples N1, N2; [kavousi], Section IV-B";
    claim.family = "n1-fifo; n2-pandas with its two other rate sets";
    const std::string stable = "throughput optimal, so there is no such W; none of the template is found";
    claim.lines = {
        {"pandas:plain", {"n2-pandas", "n2-pandas-lighter", "n2-pandas-slow-rack"}, {}, {}, {}},
        {"pandas:rackaware", {"n2-pandas"}, {}, {}, {}},
        {"wang-jsq-maxweight", {"n2-pandas"}, {}, {}, {}},
        {"fifo", {"n1-fifo"}, {}, {}, {}},
        {"jsq-maxweight", {"n2-pandas"}, Expectation::open, {}, stable},
        {"balanced-pandas", {"m2-half"}, Expectation::open, {}, stable},
    };
    claim.oracles = {transience_oracle()};
    claim.outside = inside;
    // W is a result of the search, so no state by itself can speak against the claim: nothing is ever refuted here.
    claim.violation = [](const ExactSystem&, const ExactState&) { return std::string(); };
    claim.witness = load_of;
    const auto theorem = [](Certificate& c) -> TransienceTheorem& { return std::get<TransienceTheorem>(c.theorem); };
    const auto fifo = [&](std::string name, std::string what, std::function<void(Certificate&)> spoil) {
        return spoiled(std::move(name), std::move(what), transience_oracle(), "n1-fifo", "fifo", std::move(spoil));
    };
    claim.mutants = {
        fifo("growth-too-fast", "certificate: twice the growth",
             [=](Certificate& c) { theorem(c).delta *= Rational(2); }),
        fifo("jump-too-small", "certificate: smaller jumps than the kernel's",
             [=](Certificate& c) { theorem(c).jump -= Rational(1); }),
        fifo("load-of-another", "certificate: the load of another instance",
             [=](Certificate& c) { theorem(c).capacity = capacity::solve(*named_instance("m2-half")); }),
        fifo("stable-policy", "policy: the certificate of FIFO offered for JSQ-MaxWeight",
             [](Certificate& c) { c.policy = "jsq-maxweight"; }),
    };
    return claim;
}

// ------------------------------------------------------------------------------------------- synthesis

Oracle synthesis_oracle() {
    return {"explore", [](const System& system, const Settings& settings) -> Verdict {
                SynthesisBudget budget;
                budget.explore = settings.budget;
                auto outcome = synthesise(system.symbolic, system.exact,
                                          pair_template(*system.instance, system.symbolic.layout()), budget);
                if (auto* found = std::get_if<FoundLyapunov>(&outcome))
                    return proved(system, std::move(found->proof.theorem), std::move(found->proof.proofs));
                return Unknown{std::get<SynthesisFailure>(outcome).reason};
            }};
}

QueueingClaim found_function() {
    QueueingClaim claim;
    claim.id = "queueing.pandas.lyapunov-found";
    claim.statement =
        "For every queue length and all statuses, the one-step drift under two-level Pandas of a quadratic function "
        "that the synthesis finds is at most -1 outside a finite set, when rho* < 1.";
    claim.source = "[xie2015]; docs/models/queueing.md, Functions found by synthesis";
    claim.family = "two servers, a type local to each";
    claim.lines = {{"pandas:plain", {"m2-half", "m2-uneven"}, {}, {}, {}},
                   {"pandas:rackaware", {"m2-half", "m2-uneven"}, {}, {}, {}}};
    claim.oracles = {synthesis_oracle()};
    claim.outside = inside;
    claim.violation = [](const ExactSystem&, const ExactState&) { return std::string(); };
    claim.witness = load_of;
    claim.mutants = {spoiled("found-without-its-cross-terms", "V: what was found, without its status terms",
                             synthesis_oracle(), "m2-uneven", "pandas:plain",
                             [](Certificate& c) { std::get<DriftTheorem>(c.theorem).v.pieces.clear(); })};
    return claim;
}

}  // namespace

void add_queueing_theorems(std::vector<Claim>& claims) {
    claims.push_back(every_cluster());
    claims.push_back(transient());
    claims.push_back(found_function());
}

}  // namespace schedproof::checks
