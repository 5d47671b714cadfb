/// Claims about the capacity region: no policy is stable outside it, and the drift argument of MaxWeight reaches it.
///
/// Outside, Z = sum over types of price times tasks has drift at least rho* - 1 at every state; exploration proves that
/// for each policy's code. Z is a function of queue lengths only if types that share a queue have one price, so
/// instances are chosen that way. Inside, the value of the policy's stability program is compared with rho*; both come
/// with certificates, which are verified first.
/// Source: [wang2013], Section III-A; docs/models/queueing.md, Capacity region, Stability program.
#include <fmt/core.h>

#include <string>

#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/drift/drift_proof.hpp"
#include "proofs/queueing/duality/policy_data.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::checks {

using namespace queueing;
using namespace queueing_claims;

namespace {

// ------------------------------------------------------------------------------------------------- outer bound

/// The type that a counted queue holds; InputError where it may hold several with different prices.
Rational price_of(const Instance& instance, const Layout& layout, QueueId q, const std::vector<Rational>& value) {
    if (layout.arrangement() == Arrangement::per_type) return value[q.index()];
    std::optional<Rational> price;
    for (const TaskTypeId type : instance.types()) {
        bool may_join = layout.is_shared(q) || (layout.rates_at_servers() && layout.may_hold(q, type));
        if (!may_join && !layout.rates_at_servers()) {
            const ServerId m = layout.owner(q);
            may_join = layout.arrangement() == Arrangement::per_server_and_level
                           ? layout.queue(m, instance.level(type, m), layout.row(type)) == q
                           : instance.level(type, m) == instance.local();
        }
        if (!may_join) continue;
        if (price && *price != value[type.index()])
            throw InputError::at_key("outer bound", "expected equal prices of the types that share a queue");
        price = value[type.index()];
    }
    return price.value_or(Rational());
}

struct Priced {
    LyapunovForm v;
    Rational drift;
};

/// Z = sum over types of price times tasks, with its least drift under every policy.
Priced priced_tasks(const Instance& instance, const Layout& layout) {
    const auto witness = capacity::instability(capacity::solve(instance));
    if (!witness) throw InputError::at_key("outer bound", "expected an instance with rho* > 1");
    Priced priced{{"priced-tasks", {}, {}}, witness->drift};
    LyapunovForm::Linear sum;
    for (const QueueId q : IdRange<QueueId>(layout.queues()))
        sum.add(price_of(instance, layout, q, witness->value),
                LyapunovForm::Linear::variable(static_cast<proof::Variable>(q.index())));
    priced.v.pieces.push_back({std::nullopt, Rational(1), {sum}});
    return priced;
}

Violation outer_violation(const System& system, const ExactState& state) {
    const Priced priced = priced_tasks(*system.instance, system.exact.layout());
    const Rational change = drift(system, state, priced.v);
    return change >= priced.drift ? ""
                                  : fmt::format("the priced tasks grow by {} < {} on average", change.to_string(),
                                                priced.drift.to_string());
}

Verdict explore_outer(const System& system, const Settings& settings, const Rational& factor) {
    Priced priced = priced_tasks(*system.instance, system.symbolic.layout());
    DriftGoal goal{std::move(priced.v), Sense::above, factor * priced.drift, Rational(0), std::nullopt};
    DriftOutcome outcome = prove_drift(system.symbolic, system.exact, goal, settings.budget);
    if (auto* found = std::get_if<DriftProof>(&outcome))
        return proved(system, std::move(found->theorem), std::move(found->proofs));
    if (const auto* unknown = std::get_if<DriftUnknown>(&outcome)) return Unknown{unknown->reason};
    return refuted_at(system, std::get<DriftRefutation>(outcome).state);
}

QueueingClaim outer_bound() {
    QueueingClaim claim = QueueingClaim("capacity.outer-bound");
    for (const PolicyInfo& info : policies()) {
        const std::string id(info.id);
        const Layout layout = registered_exact(*named_instance("m2-overloaded"), id).layout();
        const bool random_states_only = layout.lists_tasks() || find_rules(id)->keeps_counters();
        claim.holds({id}, {"m2-overloaded"},
                    {.oracles = random_states_only ? std::vector<std::string>{"sampled"} : std::vector<std::string>{}});
    }
    claim.holds({"pandas:plain", "generalized-cmu"}, {"m3-overloaded"})
        .holds({"jsq-maxweight", "balanced-pandas"}, {"m3-overloaded"}, {.oracles = {"sampled"}});
    return claim
        .statement(
            "When rho* > 1, the tasks weighted by the prices of the capacity program grow by at least rho* - 1 a slot "
            "on average at every state, whatever the policy: no policy is stable.")
        .source("[wang2013], Section III-A")
        .instances("overloaded instances on which types that share a queue have one price")
        .oracle(asks("explore", [](const System& system,
                                   const Settings& settings) { return explore_outer(system, settings, Rational(1)); }))
        .oracle(sampled_states(1000))
        .outside(of_instance([](const Instance& instance) {
            return capacity::instability(capacity::solve(instance)) ? "" : std::string("its load rho* is at most 1");
        }))
        .property(at_state(outer_violation))
        .witness([](const System& system) {
            const auto certificate = capacity::solve(*system.instance);
            return capacity::verify(*system.instance, certificate) && certificate.lower > Rational(1)
                       ? "rho* = " + certificate.lower.to_string()
                       : "";
        })
        .mutant_system(mutant_on({"faster-than-stated", "kernel: servers faster than the instance says", "sampled",
                                  faster_servers("jsq-maxweight"), "m2-overloaded"}))
        // The same oracle with a bound twice as steep: attained nowhere near the states where all servers work locally.
        .mutant({.name = "twice-the-drift",
                 .change = "theorem: twice the drift that the prices give",
                 .oracle = "explore",
                 .caught = [](const Settings& settings) -> std::string {
                     const System system = registered(named_instance("m2-overloaded"), "jsq-maxweight");
                     const Verdict verdict = explore_outer(system, settings, Rational(2));
                     const auto* refuted = std::get_if<Refuted>(&verdict);
                     if (!refuted) return "";
                     const Priced priced = priced_tasks(*system.instance, system.exact.layout());
                     const Rational change = drift(system.exact, state_of(*refuted), priced.v);
                     return change < Rational(2) * priced.drift
                                ? "Refuted at " + describe(system.exact, state_of(*refuted))
                                : "";
                 }});
}

// ------------------------------------------------------------------------------------------------- duality

/// The stability program of a MaxWeight-type policy against the load, each certified.
std::string duality_violation(const Instance& instance, std::string_view policy) {
    const auto data = duality::max_weight_data(instance, policy);
    if (!data) throw InputError::at_key("duality", "expected a MaxWeight-type policy with quadratic costs");
    const duality::StabilityCertificate stability = duality::solve(*data);
    const capacity::CapacityCertificate load = capacity::solve(instance);
    if (!duality::verify(*data, stability) || !capacity::verify(instance, load))
        throw OracleConflict("a certificate of the stability or capacity program does not verify");
    if (!load.exact()) throw LimitExceeded("capacity", "only an interval for rho* was found");
    if (stability.value && *stability.value == load.load()) return "";
    return fmt::format("the stability program has value {}, the load is {}",
                       stability.value ? stability.value->to_string() : "infinity", load.load().to_string());
}

QueueingClaim duality_is_drift() {
    const std::vector<std::string> two{"m2-fast-remote", "m2-half", "m2-one-type", "m2-shared", "m2-uneven"};
    const std::vector<std::string> three{"m3-racks", "n2-pandas", "n2-pandas-lighter", "n2-pandas-slow-rack"};
    std::vector<std::string> all = two;
    all.insert(all.end(), three.begin(), three.end());
    return QueueingClaim("duality.stability-equals-load")
        .statement(
            "The stability program of the policy has the value rho* on the instance, so its drift argument reaches the "
            "boundary of the capacity region.")
        .source("[schedproof], docs/models/queueing.md, Stability program")
        .instances("any instance; one case each")
        .holds({"jsq-maxweight", "generalized-cmu", "balanced-pandas", "balanced-pandas:idle"}, all)
        .holds({"wang-jsq-maxweight"}, two)
        .fails({"wang-jsq-maxweight"}, {"n2-pandas", "n2-pandas-lighter", "n2-pandas-slow-rack"},
               "the policy knows two rates, the instance has three levels")
        .oracle(asks("certificate",
                     [](const System& system, const Settings&) -> Verdict {
                         std::string wrong = duality_violation(*system.instance, system.policy());
                         if (wrong.empty()) return Exhausted{1, "this instance alone"};
                         return refuted_on(system);
                     }))
        .property(at_state([](const System& system, const ExactState&) {
            return duality_violation(*system.instance, system.policy());
        }))
        .witness([](const System& system) {
            return "total arrival rate " + system.instance->total_arrival_rate().to_string();
        })
        .mutant({.name = "blind-to-racks",
                 .change = "policy data: JSQ-MaxWeight with the remote rate inside the rack",
                 .oracle = "certificate",
                 .caught = [](const Settings&) -> std::string {
                     const InstancePtr instance = named_instance("n2-pandas");
                     auto data = *duality::max_weight_data(*instance, "jsq-maxweight");
                     const Rational remote = instance->rate(instance->remote());
                     for (std::size_t m = 0; m < data.servable.size(); ++m)
                         for (auto& queue : data.servable[m])
                             if (queue.queue.index() != m) queue.multiplier = remote;
                     const auto blind = duality::solve(data);
                     const Rational load = capacity::solve(*instance).load();
                     return blind.value && *blind.value != load
                                ? "value " + blind.value->to_string() + ", load " + load.to_string()
                                : "";
                 }});
}

}  // namespace

void add_queueing_capacity(std::vector<Claim>& claims) {
    claims.push_back(outer_bound());
    claims.push_back(duality_is_drift());
}

}  // namespace schedproof::checks
