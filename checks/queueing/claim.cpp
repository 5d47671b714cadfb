#include "checks/queueing/claim.hpp"

#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/plan.hpp"

namespace schedproof::checks {

using namespace queueing;

System registered(const InstancePtr& instance, std::string_view policy) {
    const AnyPolicy made = make_policy(policy, *instance, capacity::fluid_plan);
    return {instance, SymbolicSystem(*instance, made), ExactSystem(*instance, made)};
}

ExactSystem registered_exact(const Instance& instance, std::string_view policy) {
    return {instance, make_policy(policy, instance, capacity::fluid_plan)};
}

namespace {

/// A refutation without an exact violation is a contradiction between two readings.
Verdict replayed(const Violation& violation, const System& system, Verdict verdict) {
    auto* refuted = std::get_if<Refuted>(&verdict);
    if (!refuted) return verdict;
    auto& found = std::get<QueueingCounterexample>(refuted->counterexample);
    found.violation = violation(system.exact, found.state);
    if (found.violation.empty())
        throw OracleConflict("a refutation does not replay: " + describe(system.exact, found.state));
    return verdict;
}

}  // namespace

Verdict consult(const QueueingClaim& claim, const Oracle& oracle, const System& system, const Settings& settings) {
    try {
        return replayed(claim.violation, system, oracle.run(system, settings));
    } catch (const LimitExceeded& limit) { return Unknown{limit.what()}; } catch (const InputError& error) {
        return Unknown{std::string("not stated here: ") + error.what()};
    }
}

std::string refutation_of(const Oracle& oracle, const Violation& violation, const System& mutant,
                          const Settings& settings) {
    const Verdict verdict = replayed(violation, mutant, oracle.run(mutant, settings));
    const auto* refuted = std::get_if<Refuted>(&verdict);
    if (!refuted) return "";
    const auto& found = std::get<QueueingCounterexample>(refuted->counterexample);
    return "Refuted at " + describe(mutant.exact, found.state) + ": " + found.violation;
}

Verdict proved(const System& system, Theorem theorem, std::vector<proof::ExploredProof> proofs) {
    // A theorem about every instance names none.
    const InstancePtr instance = std::holds_alternative<UniformTheorem>(theorem) ? nullptr : system.instance;
    return checks::proved(Certificate{instance, system.policy(), std::move(theorem), std::move(proofs)});
}

std::string describe(const ExactSystem& system, const ExactState& state) {
    const Instance& instance = system.instance();
    std::string text = "Q";
    for (const QueueId q : IdRange<QueueId>(state.length.size()))
        text += " " + system.layout().name(instance, q) + "=" + std::to_string(state.length[q.index()].value());
    text += ";";
    for (const ServerId m : instance.servers()) {
        const Service& s = state.serving[m.index()];
        text += (m.index() > 0 ? ", " : " ") + instance.server(m).name;
        if (s.status == Service::Status::idle)
            text += " idle";
        else
            text += (s.status == Service::Status::phantom ? " phantom on " : " on ") +
                    system.layout().name(instance, s.queue) + "@" + instance.data().levels[s.level.index()].name;
    }
    return text;
}

}  // namespace schedproof::checks
