/// What claims about queueing are made of: properties at states, oracles that ask them, mutants.
///
/// An oracle gets the claim's property when it is asked, never its own copy: so a property that is switched off is off
/// for every oracle. Mutants of the kernel run the exact mode on an instance of which the claim knows nothing.
#include "checks/queueing/claim.hpp"

#include <optional>
#include <utility>

#include "checks/queueing/instances.hpp"
#include "checks/queueing/sampling.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"

namespace schedproof::checks::queueing_claims {

using namespace queueing;

Property<QueueingFamily> at_state(StateProperty property) {
    return [property = std::move(property)](const System& system, const ClusterState& at) {
        return property(system, at.state);
    };
}

QueueingOracle asks(std::string name, std::function<Verdict(const System&, const Settings&)> run) {
    return {std::move(name),
            {},
            [run = std::move(run)](const Trial<QueueingFamily>& trial, const Property<QueueingFamily>&,
                                   const Settings& settings) { return run(trial.system, settings); }};
}

namespace {

/// The property at single states of the system's instance.
StateProperty on_states(const Property<QueueingFamily>& property) {
    return [property](const System& system, const ExactState& state) {
        return property(system, {system.instance, state});
    };
}

}  // namespace

QueueingOracle sampled_states(std::int64_t largest, bool reachable) {
    return {
        "sampled",
        {},
        [=](const Trial<QueueingFamily>& trial, const Property<QueueingFamily>& property, const Settings& settings) {
            std::optional<Statuses> statuses;
            if (reachable) statuses = find_statuses(trial.system.symbolic, settings.budget);
            return sample(trial.system, settings, on_states(property), largest, statuses ? &*statuses : nullptr);
        }};
}

QueueingOracle exhausted_states(std::int64_t cap) {
    return {"exhaustive",
            {},
            [=](const Trial<QueueingFamily>& trial, const Property<QueueingFamily>& property, const Settings&) {
                return exhaust(trial.system, on_states(property), cap);
            }};
}

std::function<std::string(const QueueingDomain&)> of_instance(std::function<std::string(const Instance&)> outside) {
    return [outside = std::move(outside)](const QueueingDomain& domain) {
        return outside(*std::get<InstancePtr>(domain.problems));
    };
}

std::string without_slots(const Instance& instance) {
    return instance.continuous() ? "time is continuous, and the claim is about slots" : "";
}

std::string outside_region(const Instance& instance) {
    return capacity::position(capacity::solve(instance)) == capacity::Position::inside ? ""
                                                                                       : "its load rho* is not below 1";
}

std::string load_below_one(const System& system) {
    const auto certificate = capacity::solve(*system.instance);
    return capacity::verify(*system.instance, certificate) && certificate.upper < Rational(1)
               ? "rho* = " + certificate.upper.to_string() + ", and states with any number of tasks"
               : "";
}

Verdict refuted_at(const System& system, ExactState state) {
    return Refuted{counterexample<QueueingFamily>({system.instance, std::move(state)}, system.policy())};
}

Verdict refuted_on(const System& system) { return refuted_at(system, system.exact.initial()); }

Verdict proved(const System& system, Theorem theorem, std::vector<proof::ExploredProof> proofs) {
    // A theorem about every instance names none.
    const InstancePtr instance = std::holds_alternative<UniformTheorem>(theorem) ? nullptr : system.instance;
    return checks::proved(Certificate{instance, system.policy(), std::move(theorem), std::move(proofs)});
}

Verdict verdict_of(const QueueingOracle& oracle, const System& system, const Settings& settings) {
    return oracle.run({all_states(system.instance), system.policy(), system}, always_holds<QueueingFamily>(), settings);
}

std::string refutation_of(const QueueingOracle& oracle, const Property<QueueingFamily>& property, const System& system,
                          const Settings& settings) {
    const Verdict verdict =
        replayed(oracle, property, {all_states(system.instance), system.policy(), system}, settings);
    return kind_of(verdict) == VerdictKind::refuted ? "Refuted " + explanation(verdict) : "";
}

void ask_others(QueueingClaim& claim, const std::vector<std::string>& instances, const LineOptions& options) {
    for (const PolicyInfo& info : policies())
        if (!claim.mentions(info.id)) claim.asks({std::string(info.id)}, instances, options);
}

MutantSystem<QueueingFamily> mutant_on(MutantPolicy mutant) {
    return {mutant.name, mutant.change, mutant.oracle, [mutant = std::move(mutant)]() -> Trial<QueueingFamily> {
                const InstancePtr instance = named_instance(mutant.instance);
                System system = mutant.make(instance);
                std::string policy = system.policy();
                return {all_states(instance), std::move(policy), std::move(system)};
            }};
}

std::function<System(const InstancePtr&)> another_policy(std::string policy) {
    return [policy = std::move(policy)](const InstancePtr& instance) { return registered(instance, policy); };
}

namespace {

/// The policy, with the exact mode on another instance.
System run_on(const InstancePtr& instance, InstancePtr other, const std::string& policy) {
    System system = registered(instance, policy);
    system.own = std::move(other);
    system.exact = registered_exact(*system.own, policy);
    return system;
}

}  // namespace

std::function<System(const InstancePtr&)> faster_servers(std::string policy) {
    return [policy = std::move(policy)](const InstancePtr& instance) {
        InstanceData data = instance->data();
        for (LevelInfo& level : data.levels) level.rate = (Rational(1) + level.rate) / Rational(2);
        return run_on(instance, std::make_shared<const Instance>(std::move(data)), policy);
    };
}

std::function<System(const InstancePtr&)> slots_of(std::string other, std::string policy) {
    return [other = std::move(other), policy = std::move(policy)](const InstancePtr& instance) {
        return run_on(instance, named_instance(other), policy);
    };
}

Mutant spoiled(SpoiledCertificate mutant) {
    std::string name = mutant.name, change = mutant.change, oracle = mutant.oracle;
    return {std::move(name), std::move(change), std::move(oracle),
            [mutant = std::move(mutant)](const Settings& settings) -> std::string {
                const System system = registered(named_instance(mutant.instance), mutant.policy);
                const Verdict verdict = verdict_of(mutant.prove, system, settings);
                const auto* right = std::get_if<Proved>(&verdict);
                if (!right) return "";
                Certificate wrong = *right->certificate->as<Certificate>();
                mutant.spoil(wrong);
                const std::string found = rejection(wrong);
                return found.empty() ? "" : "rejected: " + found;
            }};
}

}  // namespace schedproof::checks::queueing_claims
