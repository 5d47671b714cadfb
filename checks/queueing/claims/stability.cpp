/// Claims that a Lyapunov function falls outside a finite set, policy by policy.
///
/// A refuted drift statement fails along a ray of states: no threshold helps. Single states cannot say that, however
/// far out, so the ray is replayed: one run of the slot for all its states far out, where the drift is an affine
/// function of the distance that stays above -1 (proofs/queueing/drift/along_ray.hpp). `explore` knows the ray of an
/// unbounded cell; at a random state some directions are tried.
#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "checks/queueing/mutants.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::checks {

using namespace queueing;
using namespace queueing_claims;

namespace {

/// A function of the state for an instance and layout.
using Function = std::function<LyapunovForm(const Instance&, const Layout&)>;

Function named(const std::string& name) {
    return [name](const Instance& instance, const Layout& layout) { return named_lyapunov(name, instance, layout); };
}

/// Directions that a state points in: its long queues, or their leading digits, which keeps small differences.
std::vector<Direction> directions(const ExactState& state) {
    std::int64_t longest = 1, unit = 1;
    for (const CheckedInt n : state.length) longest = std::max(longest, n.value());
    while (unit * 10 <= longest) unit *= 10;
    std::vector<Direction> all;
    const auto add = [&](auto&& step) {
        Direction direction;
        for (const CheckedInt n : state.length) direction.push_back(step(n.value()));
        direction.resize(state.length.size() + state.memory.size());
        const bool leads_on = std::any_of(direction.begin(), direction.end(), [](std::int64_t d) { return d > 0; });
        if (leads_on && std::find(all.begin(), all.end(), direction) == all.end()) all.push_back(std::move(direction));
    };
    add([](std::int64_t n) { return n >= 10 ? n : 0; });
    for (int digits = 0; digits < 3 && unit > 1; ++digits, unit /= 10)
        add([unit](std::int64_t n) { return n / unit * unit; });
    return all;
}

/// A ray along which the drift stays above -1: of the case, or from its state in a direction that this points in.
Property<QueueingFamily> drift_violation(const Function& v) {
    return [v](const System& system, const ClusterState& at) -> Violation {
        if (system.exact.layout().lists_tasks()) return {};
        const LyapunovForm form = v(*system.instance, system.exact.layout());
        if (at.direction.empty() && drift(system, at.state, form) <= Rational(-1)) return {};
        const auto tried = at.direction.empty() ? directions(at.state) : std::vector<Direction>{at.direction};
        for (const Direction& direction : tried) {
            const RayDrift far = drift_along(system.symbolic, system.exact, at.state, direction, form);
            if (!far.stays_above(Rational(-1))) continue;
            return fmt::format("Add {}, k times: the drift of {} {}. The claim allows at most -1 outside a finite set.",
                               describe_steps(system, direction), form.name, far.text());
        }
        return {};
    };
}

/// The ray of a refutation, in whole steps; none where it is a single state.
std::optional<ClusterState> ray_of(const DriftRefutation& refutation, const InstancePtr& instance) {
    if (!refutation.ray) return std::nullopt;
    ClusterState ray{instance, refutation.state, {}};
    const Rational scale(common_denominator(*refutation.ray));
    for (const Rational& step : *refutation.ray)
        ray.direction.push_back(NumberTraits<CheckedInt>::coefficient(scale * step).value());
    return ray;
}

Verdict explore_drift(const System& system, const Property<QueueingFamily>& property, const Settings& settings,
                      const Function& v) {
    DriftGoal goal;
    goal.v = v(*system.instance, system.symbolic.layout());
    DriftOutcome outcome = prove_drift(system.symbolic, system.exact, goal, settings.budget);
    if (auto* found = std::get_if<DriftProof>(&outcome)) {
        if (const std::string gap = stability_gap(system.symbolic, found->theorem); !gap.empty())
            return Unknown{"stability does not follow from the drift: " + gap};
        return proved(system, std::move(found->theorem), std::move(found->proofs));
    }
    if (const auto* unknown = std::get_if<DriftUnknown>(&outcome)) return Unknown{unknown->reason};
    const std::optional<ClusterState> ray = ray_of(std::get<DriftRefutation>(outcome), system.instance);
    if (!ray || property(system, *ray).empty())
        return Unknown{"it fails at states of a cell, but along no ray that was found: a larger threshold may help"};
    return Refuted{counterexample<QueueingFamily>(*ray, system.policy())};
}

QueueingOracle explore_oracle(const Function& v) {
    return {"explore", {}, [v](const auto& trial, const auto& property, const Settings& settings) {
                return explore_drift(trial.system, property, settings, v);
            }};
}

QueueingOracle sampled_oracle() {
    QueueingOracle oracle = sampled_states(1'000'000, true);
    oracle.run = [run = std::move(oracle.run)](const Trial<QueueingFamily>& trial,
                                               const Property<QueueingFamily>& property,
                                               const Settings& settings) -> Verdict {
        if (trial.system.exact.layout().lists_tasks())
            return Unknown{"states far out would list their tasks one by one"};
        return run(trial, property, settings);
    };
    return oracle;
}

/// The oracle must refute the drift of a function with a seeded fault.
struct WrongFunction {
    std::string name;
    std::string change;
    std::string policy;
    std::string instance;
    Function v;
};
Mutant wrong_function(const WrongFunction& m) {
    return {m.name, m.change, "explore", [m](const Settings& settings) {
                return refutation_of(explore_oracle(m.v), drift_violation(m.v),
                                     registered(named_instance(m.instance), m.policy), settings);
            }};
}

/// A proof of Wang's drift on m2-half with a seeded fault, which the checker of certificates must reject.
struct WrongCertificate {
    std::string name;
    std::string change;
    Function v;
    std::function<void(Certificate&)> spoil;
};
Mutant wrong_certificate(const WrongCertificate& m) {
    return spoiled({.name = m.name,
                    .change = m.change,
                    .oracle = "certificate",
                    .prove = explore_oracle(m.v),
                    .instance = "m2-half",
                    .policy = "wang-jsq-maxweight",
                    .spoil = m.spoil});
}

/// A claim that a function falls, without its words.
QueueingClaim drift_claim(const std::string& id, const Function& v) {
    return QueueingClaim(id)
        .instances("instances with rho* < 1 on which the cells can be explored; named ones")
        .oracle(explore_oracle(v))
        .oracle(sampled_oracle())
        .outside(of_instance(outside_region))
        .property(drift_violation(v))
        .witness(load_below_one);
}

const std::vector<std::string> with_tables{"m2-half", "m2-uneven", "m2-shared", "m2-one-type", "m2-fast-remote"};

LyapunovForm without_correction(const Instance& instance, const Layout& layout) {
    LyapunovForm v = named_lyapunov("regret", instance, layout);
    v.pieces.clear();
    v.name = "regret without its correction";
    return v;
}
LyapunovForm correction_of_wrong_sign(const Instance& instance, const Layout& layout) {
    LyapunovForm v = named_lyapunov("regret", instance, layout);
    for (auto& piece : v.pieces) piece.coefficient *= Rational(-1);
    v.name = "regret with the sign of its correction changed";
    return v;
}
LyapunovForm workload_of_wrong_sign(const Instance& instance, const Layout& layout) {
    LyapunovForm v = named_lyapunov("workload-squares", instance, layout);
    for (auto& product : v.products) product.coefficient *= Rational(-1);
    v.name = "minus workload-squares";
    return v;
}

/// Not bounded below: it falls where the queues grow.
LyapunovForm minus_squares(const Instance& instance, const Layout& layout) {
    LyapunovForm v = named_lyapunov("squares", instance, layout);
    for (auto& product : v.products) product.coefficient *= Rational(-1);
    v.name = "minus squares";
    return v;
}

DriftTheorem& drift_of(Certificate& c) { return std::get<DriftTheorem>(c.theorem); }

proof::Multipliers* first_multipliers(Certificate& c) {
    for (auto& proof : c.proofs)
        for (auto& leaf : proof.leaves)
            for (auto& obligation : leaf)
                if (!obligation.multipliers.empty()) return &obligation.multipliers;
    return nullptr;
}

/// It falls because the tasks grow: a proof of its drift proves nothing, for it has no lower bound.
Mutant unbounded_below() {
    return {"falls-without-bound", "V: minus ten times the tasks, unbounded below, on an overloaded cluster", "explore",
            [](const Settings& settings) -> std::string {
                const System system = registered(named_instance("m2-overloaded"), "wang-jsq-maxweight");
                DriftGoal goal;
                goal.v = {"minus ten tasks", {}, {}};
                goal.v.pieces.push_back({std::nullopt, Rational(-10), {sum_of_queues(system.symbolic.layout())}});
                goal.threshold = Rational(0);
                DriftOutcome outcome = prove_drift(system.symbolic, system.exact, goal, settings.budget);
                auto* found = std::get_if<DriftProof>(&outcome);
                if (!found) return "";
                const std::string gap = stability_gap(system.symbolic, found->theorem);
                return gap.empty() ? "" : "not called stable: " + gap;
            }};
}

/// One thing less that the first server can be doing, and only the proofs of shapes that remain, so that their number
/// is right.
void leave_out_a_status(Certificate& c) {
    auto& statuses = drift_of(c).statuses.front();
    statuses.pop_back();
    const std::size_t servers = drift_of(c).statuses.size();
    const std::size_t shapes = c.proofs.size() - servers;
    const std::size_t per_first = shapes / (statuses.size() + 1);
    c.proofs.resize(servers + per_first * statuses.size());
}

/// Certificates of Wang's drift on m2-half with a fault, which the checker must notice.
void add_wrong_certificates(QueueingClaim& claim, const Function& v) {
    claim
        .mutant(wrong_certificate({.name = "threshold-too-small",
                                   .change = "certificate: threshold one less than proved",
                                   .v = v,
                                   .spoil = [](Certificate& c) { drift_of(c).threshold -= Rational(1); }}))
        .mutant(wrong_certificate({.name = "delta-too-large",
                                   .change = "certificate: a steeper drift than proved",
                                   .v = v,
                                   .spoil = [](Certificate& c) { drift_of(c).delta = Rational(2); }}))
        .mutant(wrong_certificate({.name = "missing-shape",
                                   .change = "certificate: the last combination of statuses is left out",
                                   .v = v,
                                   .spoil = [](Certificate& c) { c.proofs.pop_back(); }}))
        .mutant(wrong_certificate({.name = "wrong-statuses",
                                   .change = "certificate: a server can do less than the code lets it",
                                   .v = v,
                                   .spoil = leave_out_a_status}))
        .mutant(wrong_certificate({.name = "another-instance",
                                   .change = "instance: the certificate of m2-half offered for m2-uneven",
                                   .v = v,
                                   .spoil = [](Certificate& c) { c.instance = named_instance("m2-uneven"); }}))
        .mutant(wrong_certificate({.name = "altered-multiplier",
                                   .change = "certificate: one multiplier doubled",
                                   .v = v,
                                   .spoil = [](Certificate& c) {
                                       if (auto* m = first_multipliers(c)) m->front().value *= Rational(2);
                                   }}));
}

/// The same with a kernel option under which nothing was proved.
void add_wrong_options(QueueingClaim& claim, const Function& v) {
    for (const bool phantom : {true, false})
        claim.mutant(wrong_certificate({.name = phantom ? "option-phantom" : "option-sequential",
                                        .change = phantom ? "kernel option: phantom where idle was proved"
                                                          : "kernel option: sequential where batch was proved",
                                        .v = v,
                                        .spoil = [phantom](Certificate& c) {
                                            InstanceData data = c.instance->data();
                                            if (phantom)
                                                data.options.unmatched = Unmatched::phantom;
                                            else
                                                data.options.routing = Routing::sequential;
                                            c.instance = std::make_shared<const Instance>(std::move(data));
                                        }}));
}

QueueingClaim wang() {
    const Function v = named("regret");
    QueueingClaim claim =
        drift_claim("wang-jsq-maxweight.drift-negative", v)
            .statement(
                "For every queue length and all statuses, the one-step drift of the regret-corrected ||Q||^2 under "
                "Wang's policy is at most -1 outside a finite set, when rho* < 1.")
            .source("[wang2013], Section III-B, Theorem 1; docs/models/queueing.md, Lyapunov functions");
    claim.holds({"wang-jsq-maxweight"}, with_tables)
        .mutant_system(mutant_on({"wang-never-helps-unstable", "policy: the common queue is never served", "explore",
                                  mutants::wang_never_helps, "m2-uneven"}))
        .mutant(wrong_function({.name = "regret-without-correction",
                                .change = "V: the correction is missing",
                                .policy = "wang-jsq-maxweight",
                                .instance = "m2-half",
                                .v = without_correction}))
        .mutant(wrong_function({.name = "regret-sign",
                                .change = "V: the sign of the correction",
                                .policy = "wang-jsq-maxweight",
                                .instance = "m2-half",
                                .v = correction_of_wrong_sign}))
        .mutant(wrong_function({.name = "minus-squares",
                                .change = "V: minus ||Q||^2",
                                .policy = "wang-jsq-maxweight",
                                .instance = "m2-half",
                                .v = minus_squares}))
        .mutant(unbounded_below());
    add_wrong_certificates(claim, v);
    add_wrong_options(claim, v);
    return claim;
}

QueueingClaim max_weight(const std::string& policy, std::string source, const std::string& change,
                         System (*mutant)(const InstancePtr&)) {
    return drift_claim(policy + ".drift-negative", named("regret"))
        .statement(
            "For every queue length and all statuses, the one-step drift of the regret-corrected ||Q||^2 under " +
            policy + " is at most -1 outside a finite set, when rho* < 1.")
        .source(std::move(source))
        .holds({policy}, with_tables)
        .mutant_system(mutant_on({"unstable-" + policy, change, "explore", mutant, "m2-uneven"}))
        .mutant(wrong_function({.name = "regret-sign-" + policy,
                                .change = "V: the sign of the correction",
                                .policy = policy,
                                .instance = "m2-half",
                                .v = correction_of_wrong_sign}));
}

QueueingClaim balanced() {
    return drift_claim("balanced-pandas.drift-negative", named("workload-squares"))
        .statement(
            "For every queue length and all statuses, the one-step drift of ||W||^2 under Balanced-Pandas is at most "
            "-1 outside a finite set, when rho* < 1.")
        .source("[xie2016]; [kavousi], Section V-B, Theorem 3; docs/models/queueing.md, Lyapunov functions")
        .holds({"balanced-pandas", "balanced-pandas:idle"}, with_tables)
        .mutant_system(mutant_on({"unstable-balanced-pandas", "policy: W for W / mu in routing", "explore",
                                  mutants::balanced_routes_by_plain_workload, "m2-uneven"}))
        .mutant(wrong_function({.name = "workload-sign",
                                .change = "V: minus ||W||^2",
                                .policy = "balanced-pandas",
                                .instance = "m2-half",
                                .v = workload_of_wrong_sign}));
}

/// Pure ||Q||^2 over one step is no Lyapunov function: what a proof in a hurry would try first.
QueueingClaim squares() {
    const Function v = named("squares");
    const std::string slow = "a server busy on a slow task loses for one step; T steps or a correction are needed";
    QueueingClaim claim = drift_claim("squares-drift-negative", v);
    claim
        .statement(
            "For every queue length and all statuses, the one-step drift of ||Q||^2 is at most -1 outside a finite "
            "set, when rho* < 1.")
        .source("[schedproof], docs/models/queueing.md, Drift over several slots")
        .fails({"wang-jsq-maxweight"}, with_tables, slow)
        .fails({"pandas:plain"}, {"m2-half", "m2-uneven"}, slow)
        .fails({"pandas:rackaware"}, {"m2-half", "m2-uneven"}, slow)
        .fails({"fifo"}, {"n1-fifo"}, "unstable above 16/25 tasks a slot (N1)")
        .open({"fifo"}, {"n1-fifo-listed"}, "its queue lists its tasks: infinitely many shapes")
        .open({"random-any"}, {"m2-half"}, "its queues list their tasks: infinitely many shapes")
        .fails({"random-local"}, {"m2-uneven"}, "server s0 gets 9/10 tasks a slot and serves 4/5")
        .holds({"random-local"}, {"m2-half"})
        .mutant(wrong_function({.name = "minus-squares-random-local",
                                .change = "V: minus ||Q||^2",
                                .policy = "random-local",
                                .instance = "m2-half",
                                .v = minus_squares}));
    ask_others(claim, {"m2-half", "m2-uneven"});
    return claim;
}

QueueingClaim pandas() {
    const std::string why = "Pandas serves its own queue however short, so no MaxWeight argument holds";
    return drift_claim("pandas.regret-drift-negative", named("regret"))
        .statement(
            "For every queue length and all statuses, the one-step drift of the regret-corrected ||Q||^2 under Pandas "
            "is at most -1 outside a finite set, when rho* < 1.")
        .source("[schedproof], docs/models/queueing.md, Proved drift")
        .fails({"pandas:plain"}, {"m2-uneven"}, why)
        .fails({"pandas:rackaware"}, {"m2-uneven"}, why)
        .mutant(wrong_function({.name = "pandas-minus-squares",
                                .change = "V: minus ||Q||^2",
                                .policy = "pandas:plain",
                                .instance = "m2-half",
                                .v = minus_squares}));
}

}  // namespace

void add_queueing_stability(std::vector<Claim>& claims) {
    claims.push_back(wang());
    claims.push_back(max_weight(
        "jsq-maxweight", "[xie2016]; [kavousi], Section V-A, Theorem 1; docs/models/queueing.md, Lyapunov functions",
        "policy: argmin for argmax in serving", mutants::jsq_serves_smallest_weight));
    claims.push_back(max_weight(
        "generalized-cmu", "[mandelbaum2004]; [kavousi], Section III-B; docs/models/queueing.md, Lyapunov functions",
        "policy: marginal cost without the rate", mutants::cmu_ignores_costs_of_distance));
    claims.push_back(balanced());
    claims.push_back(squares());
    claims.push_back(pandas());
}

}  // namespace schedproof::checks
