#include "checks/queueing/claim.hpp"

#include <utility>

#include "checks/queueing/instances.hpp"
#include "proofs/queueing/capacity/region.hpp"

namespace schedproof::checks::queueing_claims {

using namespace queueing;

Property<QueueingFamily> at_state(StateProperty property) {
    return [property = std::move(property)](const ExactSystem& system, const ClusterState& at) {
        return property(system, at.state);
    };
}

Property<QueueingFamily> of_no_state() {
    return [](const ExactSystem&, const ClusterState&) { return std::string(); };
}

QueueingOracle asks(std::string name, std::function<Verdict(const System&, const Settings&)> run) {
    return {std::move(name), {}, [run = std::move(run)](const Trial<QueueingFamily>& trial, const Settings& settings) {
                return run(trial.system, settings);
            }};
}

std::function<std::string(const QueueingDomain&)> of_instance(std::function<std::string(const Instance&)> outside) {
    return [outside = std::move(outside)](const QueueingDomain& domain) {
        return outside(*std::get<InstancePtr>(domain.problems));
    };
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
    return oracle.run({all_states(system.instance), system.policy(), system}, settings);
}

std::string refutation_of(const QueueingOracle& oracle, const StateProperty& property, const System& mutant,
                          const Settings& settings) {
    const Verdict verdict = replayed<QueueingFamily>(oracle, at_state(property),
                                                     {all_states(mutant.instance), mutant.policy(), mutant}, settings);
    const auto* refuted = std::get_if<Refuted>(&verdict);
    return refuted
               ? "Refuted at " + describe(mutant.exact, state_of(*refuted)) + ": " + refuted->counterexample.violation
               : "";
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
