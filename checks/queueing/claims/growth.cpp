/// A claim that a linear function of the state rises everywhere: a queue that grows without end.
///
/// No threshold and no ray here, unlike where a function falls (stability.cpp): the drift must be at least 1/10 at
/// every state, so one state at which it is less refutes the claim.
#include <fmt/core.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::checks {

using namespace queueing;
using namespace queueing_claims;

namespace {

/// A function of the state for an instance and layout.
using Linear = std::function<LyapunovForm(const Instance&, const Layout&)>;

/// One more task in queue `q` counts one.
Linear tasks_of(std::size_t q) {
    return [q](const Instance&, const Layout& layout) {
        require(q < layout.queues(), "the function's queue");
        LyapunovForm v{"tasks-of-one-queue", {}, {}};
        v.pieces.push_back(
            {std::nullopt, Rational(1), {LyapunovForm::Linear::variable(static_cast<proof::Variable>(q))}});
        return v;
    };
}

const Rational least_growth(Integer(1), Integer(10));

Property<QueueingFamily> growth_violation(const Linear& v) {
    return at_state([v](const ExactSystem& system, const ExactState& state) -> Violation {
        const LyapunovForm form = v(system.instance(), system.layout());
        const Rational change = drift(system, state, form);
        return change >= least_growth ? "" : fmt::format("the drift of {} is {} < 1/10", form.name, change.to_string());
    });
}

QueueingOracle growth_oracle(const Linear& v) {
    return asks("explore", [v](const System& system, const Settings& settings) -> Verdict {
        DriftGoal goal{v(*system.instance, system.symbolic.layout()), Sense::above, least_growth, Rational(0),
                       std::nullopt};
        DriftOutcome outcome = prove_drift(system.symbolic, system.exact, goal, settings.budget);
        if (auto* found = std::get_if<DriftProof>(&outcome))
            return proved(system, std::move(found->theorem), std::move(found->proofs));
        if (const auto* unknown = std::get_if<DriftUnknown>(&outcome)) return Unknown{unknown->reason};
        return refuted_at(system, std::get<DriftRefutation>(outcome).state);
    });
}

/// Local servers chosen at random are no match for uneven demand: unstable well inside the capacity region.
QueueingClaim random_local_grows() {
    return QueueingClaim("random-local.grows")
        .statement(
            "On m2-uneven, where rho* = 77/80 < 1, the queue of the first server grows by at least 1/10 a slot on "
            "average at every state under random-local: not throughput optimal.")
        .source("[schedproof], docs/models/queueing.md, Policies")
        .instances("m2-uneven")
        .holds({"random-local"}, {"m2-uneven"})
        .oracle(growth_oracle(tasks_of(0)))
        .oracle(sampled_states(1000, true))
        .outside(of_instance([](const Instance& instance) {
            return instance.name() == "m2-uneven" ? "" : std::string("the claim is about m2-uneven");
        }))
        .property(growth_violation(tasks_of(0)))
        .witness(load_below_one)
        .mutant_system(mutant_on({"helped-by-others", "policy: JSQ-MaxWeight, whose servers help each other", "explore",
                                  another_policy("jsq-maxweight"), "m2-uneven"}))
        .mutant({.name = "other-queue",
                 .change = "V: the queue that does not grow",
                 .oracle = "explore",
                 .caught = [](const Settings& settings) {
                     return refutation_of(growth_oracle(tasks_of(1)), growth_violation(tasks_of(1)),
                                          registered(named_instance("m2-uneven"), "random-local"), settings);
                 }});
}

}  // namespace

void add_queueing_growth(std::vector<Claim>& claims) { claims.push_back(random_local_grows()); }

}  // namespace schedproof::checks
