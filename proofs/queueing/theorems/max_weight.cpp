/// The MaxWeight drift theorem, for every cluster and at one instance: what the checker verifies, and the constants.
///
/// The argument stands in the header. Its questions are about the policy's decisions on a small cluster that shows
/// every pair of distances, its lemmas are polynomial identities. At an instance the load is verified from its
/// certificate, and slope, constant and coverage are computed again and must equal those of the theorem. Coverage is a
/// factor c with sum_m w_m >= c sum Q, which turns the bound into a threshold on the number of tasks; it depends on how
/// queues are arranged.
/// Source: [wang2013], proof of Theorem 1; docs/models/queueing.md, Every cluster at once.
#include "proofs/queueing/theorems/max_weight.hpp"

#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/arrival_moments.hpp"
#include "proofs/queueing/theorems/fragment.hpp"

namespace schedproof::queueing {

namespace {

std::string lemmas_rejection(Arrangement arrangement, const std::vector<proof::PolynomialProof>& proofs) {
    const std::vector<proof::PolynomialLemma> lemmas = kernel_lemmas(arrangement);
    if (proofs.size() != lemmas.size()) return "there is not one proof per lemma of the kernel";
    for (std::size_t i = 0; i < lemmas.size(); ++i)
        if (std::string wrong = proof::rejection(lemmas[i], proofs[i]); !wrong.empty()) return wrong;
    return "";
}

void require_default_interpretations(const Instance& instance) {
    const Options& o = instance.options();
    if (o.routing != Routing::batch || o.counting != Counting::in_system || o.unmatched != Unmatched::idle ||
        o.empty_target != EmptyTarget::wasted || o.common_rate != CommonRate::remote)
        throw InputError::at_key(
            "options",
            "expected the default interpretations of routing, counting, unmatched, empty-target and common-rate: "
            "the drift argument is about these");
}

/// t_i: weights of the squares in V.
std::vector<Rational> square_weights(const Instance& instance, const Layout& layout) {
    std::vector<Rational> weights(layout.queues(), Rational(1));
    if (layout.arrangement() != Arrangement::per_type) return weights;
    for (const TaskTypeId type : instance.types()) {
        if (instance.type(type).exponent != 1)
            throw InputError::at_key("types", "expected quadratic holding costs (exponent 1)");
        weights[type.index()] = Rational(2) * instance.type(type).cost;
    }
    return weights;
}

Rational coverage(const Instance& instance, const Layout& layout, const std::vector<Rational>& weights) {
    const Rational servers(instance.servers().size());
    const Rational &alpha = instance.rate(instance.local()), &gamma = instance.rate(instance.remote());
    switch (layout.arrangement()) {
        case Arrangement::per_server:
            return alpha;  // w_m >= alpha Q_m
        case Arrangement::per_server_and_common:
            // w_m >= (1-s) alpha Q_m + s gamma Q_common, with s such that both queues count alike in the sum.
            return alpha * gamma * servers / (alpha + gamma * servers);
        case Arrangement::per_server_and_level:
            return Rational(1) / alpha;  // W_m = sum Q/mu >= sum Q / alpha
        case Arrangement::per_type: {
            // w_m >= the mean over types of mu t Q.
            std::optional<Rational> least;
            for (const TaskTypeId type : instance.types()) {
                Rational served;
                for (const ServerId m : instance.servers()) served += instance.rate(type, m);
                served *= weights[type.index()] / Rational(instance.types().size());
                if (!least || served < *least) least = served;
            }
            return *least;
        }
        case Arrangement::single:
            break;
    }
    throw InputError::at_key("policy", "expected a policy whose queues tell the rate of their tasks");
}

}  // namespace

std::string argument_function(Arrangement arrangement) {
    return arrangement == Arrangement::per_server_and_level ? "workload-squares" : "regret";
}

std::vector<explore::Question> questions(const ParametricPolicy& policy, const UniformTheorem& theorem) {
    return SmallModel(policy, theorem.levels).questions();
}

std::string arithmetic_rejection(const ParametricPolicy& policy, const UniformTheorem& theorem) {
    if (const std::string part = outside_fragment(policy.rules()); !part.empty()) return outside_fragment_reason(part);
    return lemmas_rejection(SmallModel(policy, theorem.levels).layout().arrangement(), theorem.lemmas);
}

std::string sentence(const ParametricPolicy& policy, const UniformTheorem& theorem) {
    const Arrangement arrangement = SmallModel(policy, theorem.levels).layout().arrangement();
    const bool costs = arrangement == Arrangement::per_type;
    return "For every number of servers M, every set of task types" +
           std::string(costs ? " with quadratic holding costs" : "") +
           ", every bounded arrival law with load rho* < 1, and all rates 1 >= r0 > ... > r" +
           std::to_string(theorem.levels - 1) + " > 0 at " + std::to_string(theorem.levels) +
           " levels, with the default interpretations of the slot: under " + std::string(policy.info().id) +
           " the drift of " + argument_function(arrangement) +
           " is at most -2 (1 - rho*) sum of w + C at every state, C explicit in M, the rates" +
           (costs ? ", the costs" : "") +
           " and the law's first two moments; so the policy is throughput optimal, uniformly over (1 - eps) times the "
           "capacity region. (Its rules, " +
           to_string(policy.rules()) +
           ", belong to the fragment whose decisions on a small cluster, which shows every pair of distances, are "
           "those "
           "on every cluster.)";
}

Rational DriftBound::threshold(const Rational& delta) const {
    const Rational exact = (constant + delta) / (slope * coverage);
    return -Rational(floor(-exact));
}

DriftBound drift_bound(const Instance& instance, const Layout& layout, const Rational& load) {
    require_default_interpretations(instance);
    const Rational servers(instance.servers().size());
    const Rational &alpha = instance.rate(instance.local()), &gamma = instance.rate(instance.remote());
    const Rational second = arrival_moments(instance.arrivals()).second();
    const std::vector<Rational> weights = square_weights(instance, layout);
    DriftBound bound{Rational(2) * (Rational(1) - load), {}, coverage(instance, layout, weights)};
    if (layout.arrangement() == Arrangement::per_server_and_level) {
        bound.constant = servers / gamma + second / (gamma * gamma);
        return bound;
    }
    const Rational others = servers - Rational(1), quarter(Integer(1), Integer(4));
    Rational working;
    for (const Level level : instance.levels()) {
        const Rational& mu = instance.rate(level);
        working = std::max(
            working, Rational(2) * (Rational(1) - mu) / mu * alpha * (instance.total_arrival_rate() + mu * others));
    }
    // An idle server is matched or not as the slot's arrivals have it, so the two bounds add up.
    const Rational per_server = working + Rational(2) * alpha * others;
    bound.constant = *std::max_element(weights.begin(), weights.end()) *
                     (second + quarter * servers + servers * alpha * servers * alpha + servers * per_server);
    return bound;
}

std::vector<explore::Question> questions(const SymbolicSystem& system, const MaxWeightTheorem&) {
    return SmallModel(ParametricPolicy(system.policy()), system.instance().data().levels.size()).questions();
}

std::string arithmetic_rejection(const SymbolicSystem& system, const MaxWeightTheorem& theorem) {
    const Instance& instance = system.instance();
    if (const std::string part = outside_fragment(system.policy().rules()); !part.empty())
        return outside_fragment_reason(part);
    if (theorem.delta.sign() <= 0) return "delta is not positive";
    if (std::string wrong = capacity::rejection(instance, theorem.capacity); !wrong.empty()) return wrong;
    if (theorem.capacity.upper >= Rational(1)) return "the load is not below one";
    if (theorem.bound != drift_bound(instance, system.layout(), theorem.capacity.upper))
        return "the constants are not those of the instance";
    return lemmas_rejection(system.layout().arrangement(), theorem.lemmas);
}

std::string sentence(const SymbolicSystem& system, const MaxWeightTheorem& theorem) {
    return "On " + about(system.instance(), system.info().id) + ", the drift of " +
           argument_function(system.layout().arrangement()) + " is at most -" + theorem.bound.slope.to_string() +
           " sum of w + " + theorem.bound.constant.to_string() + " at every state, hence at most -" +
           theorem.delta.to_string() + " wherever sum of Q >= " + theorem.bound.threshold(theorem.delta).to_string() +
           ", for all queue lengths and all statuses of the servers.";
}

}  // namespace schedproof::queueing
