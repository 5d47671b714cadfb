/// Claims about families of loads that begin on the boundary of the capacity region, each for every slack at once.
///
/// The oracle `bounds` finds a theorem about the family and proves it: the bound of every policy, exponential moments
/// of the forms to which the state collapses, an upper bound of a policy with the limit of the bound of every policy,
/// or a lower bound of a policy with a larger one. No single state speaks against a limit, so nothing is refuted here;
/// what is not found is Unknown with the fact that failed. Source: docs/heavy-traffic.md.
#include <fmt/core.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "checks/queueing/claim.hpp"
#include "checks/queueing/instances.hpp"
#include "model/core/errors.hpp"
#include "proofs/queueing/heavy_traffic/lower_search.hpp"
#include "proofs/queueing/heavy_traffic/ray_search.hpp"
#include "proofs/queueing/heavy_traffic/upper_search.hpp"

namespace schedproof::checks {

using namespace queueing;
using namespace queueing_claims;
using heavy_traffic::SlackCells;
using heavy_traffic::UpperProof;
using heavy_traffic::UpperUnknown;

namespace {

constexpr const char* page = "docs/heavy-traffic.md";

std::string without_slack(const Instance& instance) {
    return instance.data().slack ? "" : "the instance states no family of loads";
}

std::string up_to(const System& system) { return "eps up to " + system.instance->slack().up_to.to_string(); }

/// Asks for a theorem on the cells of the family; a budget that ends is Unknown.
QueueingOracle on_cells(std::function<Verdict(const System&, const SlackCells&, const explore::Budget&)> ask) {
    return asks("bounds", [ask = std::move(ask)](const System& system, const Settings& settings) -> Verdict {
        try {
            return ask(system, SlackCells(system.symbolic, settings.budget), settings.budget);
        } catch (const LimitExceeded& limit) {
            return Unknown{limit.what()};
        }
    });
}

Unknown unknown(const UpperUnknown& why) {
    return Unknown{fmt::format("fact {}: {}{}", why.fact, why.reason, why.cell.empty() ? "" : "; " + why.cell)};
}

/// A certificate with one entry of its theorem altered.
template <class Theorem>
Mutant altered(const char* name, const char* change, const QueueingOracle& prove, const char* instance,
               const char* policy, std::function<void(Theorem&)> alter) {
    return spoiled({.name = name,
                    .change = change,
                    .oracle = "bounds",
                    .prove = prove,
                    .instance = instance,
                    .policy = policy,
                    .spoil = [alter = std::move(alter)](Certificate& c) { alter(std::get<Theorem>(c.theorem)); }});
}

Rational part(std::int64_t of) { return Rational(Integer(1), Integer(of)); }

// ------------------------------------------------------------------------------------------- every policy

QueueingOracle lower_oracle() {
    return asks("bounds", [](const System& system, const Settings&) -> Verdict {
        return checks::proved(Certificate{system.instance, "", heavy_traffic::best_lower(*system.instance), {}});
    });
}

QueueingClaim no_policy_below() {
    return QueueingClaim("near-boundary.no-policy-below")
        .statement(
            "At every slack sigma the mean number of tasks, weighted by the prices of their types, is at least c/sigma "
            "minus a constant under every policy, c half the variance of what comes and leaves at the boundary. The "
            "line of one policy stands for all.")
        .source(std::string("[wang2013], Section IV-A, (14), with prices; [kavousi]; ") + page)
        .instances("families of loads on two and three servers")
        .holds({"jsq-maxweight"},
               {"slack-one-type", "slack-shared", "slack-three-shared", "slack-two-levels", "slack-two-local"})
        .oracle(lower_oracle())
        .outside(of_instance(without_slack))
        .of_no_problem()
        .witness(up_to)
        .mutant(altered<HeavyLowerTheorem>("deficit-too-small", "certificate: a smaller constant K", lower_oracle(),
                                           "slack-two-levels", "jsq-maxweight",
                                           [](HeavyLowerTheorem& t) { t.deficit -= part(100); }))
        .mutant(altered<HeavyLowerTheorem>("variance-too-large", "certificate: a larger limit c", lower_oracle(),
                                           "slack-two-levels", "jsq-maxweight",
                                           [](HeavyLowerTheorem& t) { t.constant[0] += part(1000); }));
}

// ------------------------------------------------------------------------------------------- collapse

/// The collapse on which the policy's bound rests: its questions are the first of the bound.
Verdict collapse_of(const System& system, UpperProof found) {
    const CollapseTheorem& collapse = found.theorem.collapse;
    if (collapse.forms.empty()) return Unknown{"the bound of the policy needs no collapse"};
    found.proofs.resize(questions(system.symbolic, collapse).size());
    return proved(system, collapse, std::move(found.proofs));
}

QueueingOracle collapse_oracle() {
    return on_cells([](const System& system, const SlackCells& cells, const explore::Budget& budget) -> Verdict {
        auto outcome = heavy_traffic::best_upper(cells, heavy_traffic::boundary_prices(*system.instance), budget);
        if (const auto* why = std::get_if<UpperUnknown>(&outcome)) return unknown(*why);
        return collapse_of(system, std::move(std::get<UpperProof>(outcome)));
    });
}

QueueingClaim collapses() {
    return QueueingClaim("near-boundary.collapse")
        .statement(
            "Forms of the queue lengths have exponential moments that are bounded for all slacks at once, however long "
            "the queues: state space collapse, with all moments of their positive parts.")
        .source(std::string("[wang2013], Section IV-B, Theorem 3; ") + page)
        .instances("families of loads on two servers")
        .holds({"wang-jsq-maxweight"}, {"slack-one-type"})
        .holds({"join-shortest-queue"}, {"slack-shared"})
        .holds({"pandas:plain", "balanced-pandas"}, {"slack-two-levels"})
        .oracle(collapse_oracle())
        .outside(of_instance(without_slack))
        .of_no_problem()
        .witness(up_to)
        .mutant(altered<CollapseTheorem>("moment-too-small", "certificate: a smaller b", collapse_oracle(),
                                         "slack-one-type", "wang-jsq-maxweight",
                                         [](CollapseTheorem& t) { t.bound -= part(2); }))
        .mutant(altered<CollapseTheorem>("falls-too-fast", "certificate: a larger rho", collapse_oracle(),
                                         "slack-one-type", "wang-jsq-maxweight",
                                         [](CollapseTheorem& t) { t.rate += part(100); }))
        .mutant(altered<CollapseTheorem>("a-status-fewer", "certificate: a status left out of the closed set",
                                         collapse_oracle(), "slack-one-type", "wang-jsq-maxweight",
                                         [](CollapseTheorem& t) { t.closed.statuses.front().pop_back(); }));
}

// ------------------------------------------------------------------------------------------- optimal

QueueingOracle optimal_oracle() {
    return on_cells([](const System& system, const SlackCells& cells, const explore::Budget& budget) -> Verdict {
        const HeavyLowerTheorem lower = heavy_traffic::best_lower(*system.instance);
        auto outcome = heavy_traffic::best_upper(cells, lower.prices, budget);
        if (const auto* why = std::get_if<UpperUnknown>(&outcome)) return unknown(*why);
        auto& found = std::get<UpperProof>(outcome);
        if (!found.theorem.tasks)
            return Unknown{"the workload has the least limit; the number of tasks is not bounded"};
        if (found.theorem.tasks->factor > Rational(1))
            return Unknown{fmt::format("the number of tasks is at most {} times the workload",
                                       found.theorem.tasks->factor.to_string())};
        if (found.theorem.constant[0] != lower.constant[0])
            return Unknown{"the upper bound has a larger limit than that of every policy"};
        return proved(system, std::move(found.theorem), std::move(found.proofs));
    });
}

QueueingClaim optimal() {
    return QueueingClaim("near-boundary.optimal")
        .statement(
            "The policy is heavy-traffic optimal: at every slack sigma its mean number of tasks is at most c/sigma "
            "plus a constant and a logarithm of 1/sigma, with the c of the bound of every policy.")
        .source(std::string("[wang2013], Section IV-C, Theorem 4; [kavousi], Sections IV-A, IV-B, V-B; [xie2015]; ") +
                page)
        .instances("families of loads on two and three servers")
        .holds({"wang-jsq-maxweight", "jsq-maxweight", "generalized-cmu", "pandas:plain", "balanced-pandas"},
               {"slack-one-type"})
        .holds({"wang-jsq-maxweight"}, {"slack-two-local"})
        .holds({"join-shortest-queue"}, {"slack-shared", "slack-three-shared"})
        .holds({"pandas:plain", "pandas:rackaware", "balanced-pandas"}, {"slack-two-levels"})
        .open({"jsq-maxweight", "generalized-cmu"}, {"slack-two-levels"},
              "its limit is 20/17 times the bound of every policy")
        .open({"fluid-model-planning:deficit"}, {"slack-two-levels"}, "the policy keeps counters")
        .oracle(optimal_oracle())
        .outside(of_instance(without_slack))
        .of_no_problem()
        .witness(up_to)
        .mutant(altered<HeavyUpperTheorem>("limit-too-small", "certificate: a smaller limit c", optimal_oracle(),
                                           "slack-one-type", "jsq-maxweight",
                                           [](HeavyUpperTheorem& t) { t.constant[0] -= part(1000); }))
        .mutant(altered<HeavyUpperTheorem>("bound-without-its-constant", "certificate: a smaller constant K",
                                           optimal_oracle(), "slack-one-type", "jsq-maxweight",
                                           [](HeavyUpperTheorem& t) { t.with_loss -= part(1000); }))
        .mutant(altered<HeavyUpperTheorem>(
            "charges-nothing", "certificate: services that are not charged for what others lose", optimal_oracle(),
            "slack-two-levels", "pandas:plain", [](HeavyUpperTheorem& t) { t.h.pieces = t.h0.pieces; }))
        .mutant(spoiled({.name = "optimal-as-another",
                         .change = "policy: the certificate of JSQ-MaxWeight offered for Wang's",
                         .oracle = "bounds",
                         .prove = optimal_oracle(),
                         .instance = "slack-one-type",
                         .policy = "jsq-maxweight",
                         .spoil = [](Certificate& c) { c.policy = "wang-jsq-maxweight"; }}));
}

// ------------------------------------------------------------------------------------------- above the bound

QueueingOracle ray_oracle() {
    return on_cells([](const System& system, const SlackCells& cells, const explore::Budget& budget) -> Verdict {
        auto outcome = heavy_traffic::best_ray(cells, heavy_traffic::best_lower(*system.instance), budget);
        if (const auto* why = std::get_if<std::string>(&outcome)) return Unknown{*why};
        auto& found = std::get<heavy_traffic::RayProof>(outcome);
        return proved(system, std::move(found.theorem), std::move(found.proofs));
    });
}

QueueingClaim above_the_bound() {
    return QueueingClaim("near-boundary.above-the-bound")
        .statement(
            "Near the boundary the policy has more tasks than the bound of every policy by a factor: it keeps its "
            "state near a ray on which the same workload is more tasks. Where another policy reaches the bound, this "
            "one is not heavy-traffic optimal.")
        .source(std::string("[schedproof], docs/models/queueing.md, Counterexample N3; [kavousi], Sections III-B, ") +
                "IV-A; " + page)
        .instances("a family of loads on two servers, the first beyond its own rate")
        .holds({"jsq-maxweight", "generalized-cmu"}, {"slack-two-levels"})
        .open({"pandas:plain"}, {"slack-two-levels"}, "it is heavy-traffic optimal there")
        .open({"jsq-maxweight"}, {"slack-one-type"}, "it is heavy-traffic optimal there")
        .oracle(ray_oracle())
        .outside(of_instance(without_slack))
        .of_no_problem()
        .witness(up_to)
        .mutant(altered<HeavyRayTheorem>("factor-too-large", "certificate: a larger factor", ray_oracle(),
                                         "slack-two-levels", "jsq-maxweight",
                                         [](HeavyRayTheorem& t) { t.factor += part(100); }))
        .mutant(altered<HeavyRayTheorem>(
            "price-too-small", "certificate: a queue whose tasks are worth more than is said", ray_oracle(),
            "slack-two-levels", "jsq-maxweight", [](HeavyRayTheorem& t) { t.price[0] -= part(100); }));
}

}  // namespace

void add_queueing_near_boundary(std::vector<Claim>& claims) {
    claims.push_back(no_policy_below());
    claims.push_back(collapses());
    claims.push_back(optimal());
    claims.push_back(above_the_bound());
}

}  // namespace schedproof::checks
