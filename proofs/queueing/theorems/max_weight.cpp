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
#include "model/queueing/arrival_moments.hpp"
#include "proofs/queueing/theorems/about.hpp"
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

/// Empty unless a slack is named where decisions miss nothing (small_model.hpp).
std::string slack_rejection(Arrangement arrangement, const Slack& slack) {
    const bool per_server = arrangement == Arrangement::per_server || arrangement == Arrangement::per_server_and_common;
    const bool routes = per_server || arrangement == Arrangement::per_server_and_level;
    const bool wrong = (slack.routing > 0 && !routes) || (slack.serving > 0 && !per_server);
    return wrong ? "a decision that is exact with these queues is given a slack" : "";
}

/// Calls `use(value)` with each option of a slot that the argument fixes, at its default.
template <class Use>
void for_each_required(Use&& use) {
    use(Routing::batch);
    use(Counting::in_system);
    use(Unmatched::idle);
    use(EmptyTarget::wasted);
    use(CommonRate::remote);
}

void require_default_interpretations(const Instance& instance) {
    require_slots(instance, "the drift argument for every cluster");
    bool required = true;
    for_each_required([&]<class O>(O value) {
        for_each_option(instance.options(), [&]<class P>(const P& option) {
            if constexpr (std::same_as<O, P>) required = required && option == value;
        });
    });
    if (!required)
        throw InputError::at_key(
            "options",
            "expected the default interpretations of routing, counting, unmatched, empty-target and common-rate: "
            "the drift argument is about these");
}

/// The questions about the small clusters have one symbol per level for its rate.
void require_rates_by_level(const Instance& instance) {
    if (instance.rates_by_type() || instance.rates_at_servers())
        throw InputError::at_key(
            "types",
            "expected no type with rates of its own: the drift argument for every cluster is about "
            "rates by level");
}

Rational tasks(std::uint64_t number) { return Rational(static_cast<std::int64_t>(number)); }

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

std::vector<explore::Question> questions_of(std::vector<Leaf> leaves) {
    std::vector<explore::Question> all;
    for (Leaf& leaf : leaves) all.push_back(std::move(leaf.question));
    return all;
}

/// `routing batch, counting in-system, ... (and any scarcity and reveal)`
std::string required_interpretations() {
    std::string fixed, free;
    const Options defaults;
    for_each_option(defaults, [&]<class P>(const P&) {
        bool required = false;
        for_each_required([&]<class O>(O value) {
            if constexpr (std::same_as<O, P>) {
                required = true;
                fixed += std::string(fixed.empty() ? "" : ", ") + std::string(OptionNames<O>::key) + " " +
                         std::string(OptionNames<O>::values[static_cast<std::size_t>(value)]);
            }
        });
        if (!required) free += std::string(free.empty() ? "" : " and ") + std::string(OptionNames<P>::key);
    });
    return fixed + ", and any " + free;
}

/// C as the head of max_weight.hpp derives it, in words.
std::string constant_text(Arrangement arrangement, const Slack& slack) {
    const std::string routing = std::to_string(slack.routing), serving = std::to_string(slack.serving);
    const std::string names = " (Lambda = E sum A, alpha = r0, gamma the least rate";
    if (arrangement == Arrangement::per_server_and_level)
        return "M/gamma + E(sum A)^2/gamma^2" +
               (slack.routing > 0 ? " + 2 Lambda " + routing + "/gamma^2" + names + ")" : " (gamma the least rate)");
    const bool costs = arrangement == Arrangement::per_type;
    return std::string(costs ? "2 c (" : "") +
           "E(sum A)^2 + M/4 + (M alpha)^2 + M max over rates mu of 2 (1-mu)/mu alpha (Lambda + mu (M-1)) + 2 M alpha "
           "(M-1)" +
           (costs ? ")" : "") + (slack.routing > 0 ? " + 2 Lambda " + routing : "") +
           (slack.serving > 0 ? " + 2 M " + serving + " alpha (1 + 1/gamma)" : "") + " (Lambda = E sum A, alpha = r0" +
           (slack.serving > 0 ? ", gamma the least rate" : "") + (costs ? ", c the largest holding cost" : "") + ")";
}

std::string fragment_text(const Rules& rules) {
    const Reduction reduced = reduction(rules);
    const std::string clusters = reduced.patterns
                                     ? "on all clusters of at most " +
                                           std::to_string(std::max(reduced.routing, reduced.serving) + 1) + " servers"
                                     : "on a small cluster, which shows every pair of distances,";
    return "(Its rules, " + to_string(rules) + ", belong to the fragment of the policy language whose decisions " +
           clusters + " are those on every cluster.)";
}

}  // namespace

std::string argument_function(Arrangement arrangement) {
    return arrangement == Arrangement::per_server_and_level ? "workload-squares" : "regret";
}

std::vector<explore::Question> questions(const ParametricPolicy& policy, const UniformTheorem& theorem) {
    return questions_of(leaves(policy, theorem.levels, theorem.slack));
}

std::string arithmetic_rejection(const ParametricPolicy& policy, const UniformTheorem& theorem) {
    if (const std::string part = outside_fragment(policy.rules()); !part.empty()) return outside_fragment_reason(part);
    const Arrangement arrangement = policy.rules().arrangement();
    if (std::string wrong = slack_rejection(arrangement, theorem.slack); !wrong.empty()) return wrong;
    return lemmas_rejection(arrangement, theorem.lemmas);
}

std::string sentence(const ParametricPolicy& policy, const UniformTheorem& theorem) {
    const Arrangement arrangement = policy.rules().arrangement();
    const bool costs = arrangement == Arrangement::per_type;
    return "For every number of servers M, every set of task types" +
           std::string(costs ? " with quadratic holding costs" : "") +
           ", every bounded arrival law with load rho* < 1, and all rates 1 >= r0 > ... > r" +
           std::to_string(theorem.levels - 1) + " > 0 at " + std::to_string(theorem.levels) + " levels, with " +
           required_interpretations() + ": under " + std::string(policy.info().id) + " the drift of " +
           argument_function(arrangement) +
           " is at most -2 (1 - rho*) sum of w + C at every state, C = " + constant_text(arrangement, theorem.slack) +
           "; so the policy is throughput optimal, uniformly over (1 - eps) times the capacity region. " +
           fragment_text(policy.rules());
}

Rational DriftBound::threshold(const Rational& delta) const {
    const Rational exact = (constant + delta) / (slope * coverage);
    return -Rational(floor(-exact));
}

DriftBound drift_bound(const Instance& instance, const Layout& layout, const Rational& load, const Slack& slack) {
    require_default_interpretations(instance);
    require_rates_by_level(instance);
    const Rational servers(instance.servers().size());
    const Rational &alpha = instance.rate(instance.local()), &gamma = instance.rate(instance.remote());
    const Rational second = arrival_moments(instance.arrivals()).second();
    const std::vector<Rational> weights = square_weights(instance, layout);
    const Rational missed = Rational(2) * instance.total_arrival_rate() * tasks(slack.routing);
    DriftBound bound{Rational(2) * (Rational(1) - load), {}, coverage(instance, layout, weights)};
    if (layout.arrangement() == Arrangement::per_server_and_level) {
        bound.constant = servers / gamma + (second + missed) / (gamma * gamma);
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
    if (layout.arrangement() != Arrangement::per_type)
        bound.constant +=
            missed + Rational(2) * servers * tasks(slack.serving) * alpha * (Rational(1) + Rational(1) / gamma);
    return bound;
}

std::vector<explore::Question> questions(const SymbolicSystem& system, const MaxWeightTheorem& theorem) {
    return questions_of(
        leaves(ParametricPolicy(system.policy()), system.instance().data().levels.size(), theorem.slack));
}

std::string arithmetic_rejection(const SymbolicSystem& system, const MaxWeightTheorem& theorem) {
    const Instance& instance = system.instance();
    if (const std::string part = outside_fragment(system.policy().rules()); !part.empty())
        return outside_fragment_reason(part);
    if (theorem.delta.sign() <= 0) return "delta is not positive";
    if (std::string wrong = capacity::rejection(instance, theorem.capacity); !wrong.empty()) return wrong;
    if (theorem.capacity.upper >= Rational(1)) return "the load is not below one";
    if (theorem.bound != drift_bound(instance, system.layout(), theorem.capacity.upper, theorem.slack))
        return "the constants are not those of the instance";
    const Arrangement arrangement = system.layout().arrangement();
    if (std::string wrong = slack_rejection(arrangement, theorem.slack); !wrong.empty()) return wrong;
    return lemmas_rejection(arrangement, theorem.lemmas);
}

std::string sentence(const SymbolicSystem& system, const MaxWeightTheorem& theorem) {
    return "On " + about(system.instance(), system.info().id) + ", the drift of " +
           argument_function(system.layout().arrangement()) + " is at most -" + theorem.bound.slope.to_string() +
           " sum of w + " + theorem.bound.constant.to_string() + " at every state, hence at most -" +
           theorem.delta.to_string() + " wherever sum of Q >= " + theorem.bound.threshold(theorem.delta).to_string() +
           ", for all queue lengths and all statuses of the servers. " + fragment_text(system.policy().rules());
}

}  // namespace schedproof::queueing
