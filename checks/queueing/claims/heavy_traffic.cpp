/// Claims about heavy traffic: the exact statements behind the asymptotic theorems, which are not claimed themselves.
///
/// At a state: the coupling behind the lower bound (14), by exact enumeration of a slot. On finite chains: Lemma 1's
/// balance, with residual exactly zero. By linear programs: the number of slots over which ||Q||^2 falls, and the
/// prices that give the rays to which JSQ-MaxWeight and Balanced-Pandas collapse. By a maximum flow: condition (12).
/// What concerns directions or a whole instance has no state to refute it; its property is that of the instance, or
/// none. Source: [wang2013], Section IV and the proof of Theorem 1; docs/models/queueing.md, Heavy traffic, Drift over
/// several slots, Counterexamples N3 to N5.
#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/capacity/plan.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/chains/heavy_traffic_chain.hpp"
#include "proofs/queueing/drift/t_step.hpp"
#include "proofs/queueing/duality/policy_data.hpp"
#include "proofs/queueing/heavy_traffic/bound.hpp"
#include "proofs/queueing/heavy_traffic/collapse.hpp"

namespace schedproof::checks {

using namespace queueing;
using namespace queueing_claims;

namespace {

std::string with_slack(const Instance& instance) {
    if (std::string why = without_slots(instance); !why.empty()) return why;
    return heavy_traffic::slack(instance).epsilon.sign() > 0 ? "" : "more arrives than the servers can do at best";
}
/// Of the counterexamples: their factors are those of levels by distance.
std::string with_distances(const Instance& instance) {
    return instance.rates_at_servers() ? "its levels are no distances" : with_slack(instance);
}
std::string slack_of(const System& system) {
    return "eps = " + heavy_traffic::slack(*system.instance).epsilon.to_string();
}

// ------------------------------------------------------------------------------------------- the lower bound

/// Whether some queue holds tasks that a server would run faster than those of any type. No task can have joined it:
/// valid states are drawn without asking which queues the policy fills.
bool holds_tasks_of_no_type(const System& system, const ExactState& state, const std::vector<Rational>& best) {
    const Layout& layout = system.exact.layout();
    const Instance& instance = *system.instance;
    const auto too_fast = [&](QueueId q, ServerId m) {
        return layout.serves(instance, m, q) && layout.service_rate(instance, q, m) > best[m.index()];
    };
    for (const QueueId q : IdRange<QueueId>(layout.queues())) {
        if (layout.tracking(q) != Tracking::counted || layout.is_shared(q) || state.length[q.index()].value() == 0)
            continue;
        if (layout.arrangement() != Arrangement::per_type && too_fast(q, layout.owner(q))) return true;
    }
    return false;
}

Property<QueueingFamily> coupling(const Rational& factor) {
    return at_state([factor](const System& system, const ExactState& state) {
        std::vector<Rational> best = heavy_traffic::slack(*system.instance).best_rate;
        if (holds_tasks_of_no_type(system, state, best)) return std::string();
        for (Rational& rate : best) rate *= factor;
        return coupling_fault(system, state, best);
    });
}

QueueingClaim lower_bound() {
    QueueingClaim claim = QueueingClaim("heavy-traffic.coupling");
    claim
        .statement(
            "At every state of tasks of the types, whatever arrives, the completions of a slot are stochastically at "
            "most those of all servers at their best rates; hence E sum Q >= (sigma^2 + nu^2 + eps^2)/(2 eps) - M/2 "
            "for every policy.")
        .source("[wang2013], Section IV-A, Theorem 2, (14)")
        .instances("every instance whose servers could at best do more than arrives");
    for (const PolicyInfo& info : policies()) {
        const Rules& rules = *find_rules(info.id);
        LineOptions options;
        if (rules.keeps_counters()) options.oracles = {"sampled"};  // they grow without end: nothing to exhaust
        const bool one_queue = serving_rule(rules) == ServingRule::common;
        claim.holds({std::string(info.id)}, {one_queue ? "n1-fifo-listed" : "m2-half"}, options);
    }
    claim.holds({"jsq-maxweight", "balanced-pandas", "pandas:plain", "generalized-cmu"}, {"m3-racks"});
    claim.oracle(exhausted_states(3))
        .oracle(sampled_states(1000))
        .outside(of_instance(with_slack))
        .property(coupling(Rational(1)))
        .witness(slack_of)
        .mutant_system(mutant_on({"coupling-of-faster-servers", "kernel: servers faster than the instance says",
                                  "sampled", faster_servers("jsq-maxweight"), "m2-half"}))
        .mutant({.name = "slower-servers",
                 .change = "theorem: best rates nine tenths of what they are",
                 .oracle = "sampled",
                 .caught = [](const Settings& settings) {
                     return refutation_of(sampled_states(1000), coupling(Rational(Integer(9), Integer(10))),
                                          registered(named_instance("m2-half"), "jsq-maxweight"), settings);
                 }});
    return claim;
}

// ------------------------------------------------------------------------------------------- Lemma 1

/// What is left of the balance, as a share `factor` of the unused service is taken out; zero when it holds.
std::string imbalance(const System& whole, const Rational& factor, std::uint64_t* states = nullptr) {
    const Instance& instance = whole.exact.instance();
    const ExactSystem cut(instance, make_policy(whole.policy(), instance, capacity::fluid_plan),
                          {Truncation::Rule::total, 4});
    const Chain chain = cut.chain();
    if (states) *states = chain.states.size();
    LemmaOne terms = lemma_one(cut, chain, analyse(cut, chain).law, heavy_traffic::slack(*whole.instance));
    terms.unused *= factor;
    return terms.residual().sign() == 0 ? "" : "the terms leave " + terms.residual().to_string();
}

QueueingClaim balance() {
    return QueueingClaim("heavy-traffic.balance")
        .statement(
            "On the finite chain of at most four tasks, 2 eps E N equals sigma^2 + nu^2 + eps^2 plus what is turned "
            "away and what is left unused, exactly.")
        .source("[wang2013], Section IV-C, Lemma 1")
        .instances("finite chains, each solved exactly")
        .holds({"wang-jsq-maxweight"}, {"m2-half", "m2-one-type", "m2-shared"})
        .holds({"jsq-maxweight"}, {"m2-half", "m2-uneven"})
        .holds({"pandas:plain"}, {"m2-uneven"})
        .holds({"generalized-cmu"}, {"m2-uneven"})
        .holds({"balanced-pandas", "balanced-pandas:idle"}, {"m2-half"})
        .oracle(asks("exhaustive",
                     [](const System& system, const Settings&) -> Verdict {
                         std::uint64_t states = 0;
                         std::string wrong = imbalance(system, Rational(1), &states);
                         if (wrong.empty()) return Exhausted{states, "every state of the chain cut at 4 tasks"};
                         return refuted_on(system);
                     }))
        .outside(of_instance(with_slack))
        .property(at_state([](const System& system, const ExactState&) { return imbalance(system, Rational(1)); }))
        .witness(slack_of)
        .mutant_system(mutant_on({"balance-of-other-arrivals", "kernel: other arrivals than the instance says",
                                  "exhaustive", slots_of("m2-uneven", "wang-jsq-maxweight"), "m2-half"}))
        .mutant({.name = "unused-halved",
                 .change = "theorem: half of the unused service",
                 .oracle = "exhaustive",
                 .caught = [](const Settings&) {
                     return imbalance(registered(named_instance("m2-half"), "wang-jsq-maxweight"),
                                      Rational(Integer(1), Integer(2)));
                 }});
}

// ------------------------------------------------------------------------------------------- several slots

constexpr std::uint32_t most_steps = 300;

QueueingClaim several_slots() {
    return QueueingClaim("squares-fall-over-slots")
        .statement(
            "For every combination of statuses the leading part of the drift of ||Q||^2 over T slots is negative in "
            "every direction of Q, for some T of at most 300.")
        .source("[wang2013], proof of Theorem 1; docs/models/queueing.md, Drift over several slots")
        .instances("instances under a MaxWeight-type policy; one exact program per combination of statuses")
        .holds({"wang-jsq-maxweight"}, {"m2-fast-remote", "m2-half", "m2-one-type", "m2-shared", "m2-uneven"})
        .holds({"jsq-maxweight"}, {"m2-half", "n3-three-levels-eps001"})
        .holds({"generalized-cmu"}, {"m2-half"})
        .oracle(asks("certificate",
                     [](const System& system, const Settings&) -> Verdict {
                         const auto data = duality::max_weight_data(*system.instance, system.policy());
                         if (!data) return Unknown{"the policy is not of MaxWeight type"};
                         const duality::StepResult result = duality::least_steps(*data, most_steps);
                         if (const std::string wrong = duality::rejection(*data, result); !wrong.empty())
                             throw OracleConflict("the programs of several slots do not verify: " + wrong);
                         if (!result.steps) return Unknown{fmt::format("no T up to {}", most_steps)};
                         return Exhausted{result.bounds.size(), "every combination of statuses"};
                     }))
        .outside(of_instance(with_slack))
        // The statement is about directions, not about a state.
        .of_no_problem()
        .witness(slack_of)
        .mutant({.name = "one-slot-fewer",
                 .change = "theorem: one slot fewer than the least number",
                 .oracle = "certificate",
                 .caught = [](const Settings&) -> std::string {
                     const auto data = *duality::max_weight_data(*named_instance("m2-half"), "wang-jsq-maxweight");
                     const duality::StepResult result = duality::least_steps(data, most_steps);
                     if (!result.failure) return "";
                     const auto& f = *result.failure;
                     const Rational change = duality::leading_drift(data, f.steps, f.executing, f.weights);
                     return change.sign() >= 0 ? fmt::format("over {} slots it is {}", f.steps, change.to_string())
                                               : "";
                 }});
}

// ------------------------------------------------------------------------------------------- N3, N4

/// The factor by which tasks on the collapse ray exceed the least for their workload, against (1 + r)/(1 + r^2), where
/// r is the worth of a task of the second type in tasks of the first, which the second server serves at rate r alpha.
/// Empty when it is exactly that and more than one.
std::string factor_fault(const Instance& instance, const Rational& second_rate) {
    const auto data = duality::max_weight_data(instance, "jsq-maxweight");
    const auto certificate = capacity::solve(instance);
    const auto ray = heavy_traffic::collapse_ray(*data, heavy_traffic::workload(instance, certificate));
    if (!ray) return "the policy does not reach the whole region";
    const Rational r = second_rate / instance.rate(instance.local());
    const Rational expected = (Rational(1) + r) / (Rational(1) + r * r);
    if (!ray->factor) return "a queue does not collapse to the ray";
    if (*ray->factor != expected)
        return fmt::format("the factor is {}, not {}", ray->factor->to_string(), expected.to_string());
    return *ray->factor > Rational(1) ? "" : "the factor is 1";
}

QueueingClaim not_heavy_traffic_optimal() {
    return QueueingClaim("jsq-maxweight.not-heavy-traffic-optimal")
        .statement(
            "With the first server overloaded, JSQ-MaxWeight collapses to a ray on which there are (1+r)/(1+r^2) > 1 "
            "times the least tasks for the same workload, r the rate of the helping server over the local rate.")
        .source("[schedproof], docs/models/queueing.md, Counterexample N3; [kavousi], Section V-A, Theorem 2")
        .instances("types local to one server each, the first beyond its own rate")
        .holds({"jsq-maxweight"}, {"n3-two-levels-eps001", "n3-three-levels-eps001"})
        .oracle(asks("certificate",
                     [](const System& system, const Settings&) -> Verdict {
                         std::string wrong = factor_fault(*system.instance, system.instance->rate(Level(1)));
                         if (wrong.empty()) return Exhausted{1, "this instance alone"};
                         return refuted_on(system);
                     }))
        .outside(of_instance(with_distances))
        .property(at_state([](const ExactSystem& system, const ExactState&) {
            return factor_fault(system.instance(), system.instance().rate(Level(1)));
        }))
        .witness(slack_of)
        .mutant_system(mutant_on({"no-server-overloaded", "instance: each server can do what arrives for it",
                                  "certificate", another_policy("jsq-maxweight"), "m2-half"}))
        .mutant({.name = "helps-at-remote-rate",
                 .change = "theorem: r of the remote rate inside the rack",
                 .oracle = "certificate",
                 .caught = [](const Settings&) {
                     const InstancePtr instance = named_instance("n3-three-levels-eps001");
                     return factor_fault(*instance, instance->rate(instance->remote()));
                 }});
}

/// The same of Balanced-Pandas: W is proportional to the prices of servers, alpha, r alpha and gamma of the two with
/// data and of the third, which helps both, the first type at gamma and the second at beta. So a task of the second
/// type is worth r = gamma/beta, and tasks on the ray are W at the rates alpha, alpha, gamma, at the least.
std::string workload_factor_fault(const Instance& instance, const Rational& worth) {
    const heavy_traffic::Workload workload = heavy_traffic::workload(instance, capacity::solve(instance));
    if (!workload.pooled) return "the prices are not unique";
    const Rational c = instance.rate(instance.remote()) / instance.rate(instance.local());
    const Rational expected = (Rational(1) + worth + c * c) / (Rational(1) + worth * worth + c * c);
    const Rational factor = heavy_traffic::workload_ray(instance, workload).factor;
    if (factor != expected) return fmt::format("the factor is {}, not {}", factor.to_string(), expected.to_string());
    return factor > Rational(1) ? "" : "the factor is 1";
}

Rational worth_of_helped(const Instance& instance) {
    return instance.rate(instance.remote()) / instance.rate(Level(1));
}

QueueingClaim workloads_not_heavy_traffic_optimal() {
    return QueueingClaim("balanced-pandas.not-heavy-traffic-optimal")
        .statement(
            "With a server that helps two types, one within its rack and one beyond, prices are unique, and on the ray "
            "of workloads proportional to them there are at least (1 + r + c^2)/(1 + r^2 + c^2) > 1 times the least "
            "tasks for the same workload, r the remote over the rack rate and c the remote over the local rate.")
        .source("[schedproof], docs/models/queueing.md, Counterexample N5; [kavousi], Section V-B, Theorem 4")
        .instances("three levels, with beta^2 > alpha gamma (n5-three-levels) and without (n5-slow-rack)")
        .holds({"balanced-pandas"}, {"n5-three-levels-eps001", "n5-slow-rack-eps001"})
        .oracle(asks("certificate",
                     [](const System& system, const Settings&) -> Verdict {
                         std::string wrong = workload_factor_fault(*system.instance, worth_of_helped(*system.instance));
                         if (wrong.empty()) return Exhausted{1, "this instance alone"};
                         return refuted_on(system);
                     }))
        .outside(of_instance(with_distances))
        .property(at_state([](const ExactSystem& system, const ExactState&) {
            return workload_factor_fault(system.instance(), worth_of_helped(system.instance()));
        }))
        .witness(slack_of)
        .mutant_system(mutant_on({"no-server-helps-both", "instance: each server can do what arrives for it",
                                  "certificate", another_policy("balanced-pandas"), "m2-half"}))
        .mutant({.name = "helped-at-one-rate",
                 .change = "theorem: both types helped at the remote rate",
                 .oracle = "certificate",
                 .caught = [](const Settings&) {
                     return workload_factor_fault(*named_instance("n5-three-levels-eps001"), Rational(1));
                 }});
}

QueueingClaim heavy_local_traffic() {
    const auto condition_12 = [](const Instance& instance) -> std::string {
        const auto found = heavy_traffic::conditions(instance, heavy_traffic::slack(instance));
        if (!found) throw InputError::at_key("levels", "expected two levels");
        if (const std::string wrong = heavy_traffic::rejection(instance, found->local_traffic); !wrong.empty())
            throw OracleConflict("the verdict on (12) is not proved: " + wrong);
        if (found->local_traffic.holds) return "";
        return fmt::format("local tasks {} < {}", found->local_traffic.arriving.to_string(),
                           found->local_traffic.required.to_string());
    };
    return QueueingClaim("heavy-traffic.condition-12")
        .statement(
            "Every set of local servers is sent at least its local rate by types with a replica there: condition (12), "
            "without which the theorem on heavy traffic does not apply.")
        .source("[wang2013], Section IV, (12); docs/models/queueing.md, Counterexample N4")
        .instances("two-level instances; one maximum flow each")
        .holds({"wang-jsq-maxweight"}, {"m2-one-type"})
        .fails({"wang-jsq-maxweight"}, {"n3-two-levels-eps001"},
               "the second server gets 1/2 of a task a slot and could do 4/5")
        .oracle(asks("certificate",
                     [condition_12](const System& system, const Settings&) -> Verdict {
                         std::string wrong = condition_12(*system.instance);
                         if (wrong.empty()) return Exhausted{1, "this instance alone"};
                         return refuted_on(system);
                     }))
        .outside(of_instance(with_slack))
        .property(at_state(
            [condition_12](const ExactSystem& system, const ExactState&) { return condition_12(system.instance()); }))
        .witness(slack_of)
        .mutant({.name = "less-arrives",
                 .change = "instance: arrivals below the local rate",
                 .oracle = "certificate",
                 .caught = [condition_12](const Settings&) { return condition_12(*named_instance("m2-half")); }});
}

}  // namespace

void add_queueing_heavy_traffic(std::vector<Claim>& claims) {
    claims.push_back(lower_bound());
    claims.push_back(balance());
    claims.push_back(several_slots());
    claims.push_back(not_heavy_traffic_optimal());
    claims.push_back(workloads_not_heavy_traffic_optimal());
    claims.push_back(heavy_local_traffic());
}

}  // namespace schedproof::checks
