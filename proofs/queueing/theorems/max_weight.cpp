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

std::string lemmas_rejection(Arrangement arrangement, Timing timing,
                             const std::vector<proof::PolynomialProof>& proofs) {
    const std::vector<proof::PolynomialLemma> lemmas = kernel_lemmas(arrangement, timing);
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

/// Calls `use(value)` with each option that the argument fixes, at its default.
template <class Use>
void for_each_required(Timing timing, Use&& use) {
    if (timing == Timing::slots) use(Routing::batch);
    use(Counting::in_system);
    if (timing == Timing::slots) {
        use(Unmatched::idle);
        use(EmptyTarget::wasted);
    }
    use(CommonRate::remote);
}
/// Calls `use(option)` with each option that a step of the chain has and a theorem may leave open.
template <class Use>
void for_each_option_of(Timing timing, const Options& options, Use&& use) {
    if (timing == Timing::slots) return for_each_option(options, use);
    for_each_event_option(options, [&]<class O>(const O& option) {
        if constexpr (!std::same_as<O, Preemption>) use(option);
    });
}

void require_default_interpretations(const Instance& instance) {
    const Timing timing = timing_of(instance);
    bool required = true;
    std::string names;
    for_each_required(timing, [&]<class O>(O value) {
        names += (names.empty() ? "" : ", ") + std::string(OptionNames<O>::key);
        for_each_option(instance.options(), [&]<class P>(const P& option) {
            if constexpr (std::same_as<O, P>) required = required && option == value;
        });
    });
    if (!required)
        throw InputError::at_key("options", "expected the default interpretations of " +
                                                names.replace(names.rfind(", "), 2, " and ") +
                                                ": the drift argument is about these");
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
std::string required_interpretations(Timing timing) {
    std::string fixed, free;
    for_each_option_of(timing, {}, [&]<class P>(const P&) {
        bool required = false;
        for_each_required(timing, [&]<class O>(O value) {
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

/// C in continuous time.
std::string constant_of_events(Arrangement arrangement, Timing timing, const Slack& slack) {
    const std::string routing = std::to_string(slack.routing), serving = std::to_string(slack.serving);
    if (arrangement == Arrangement::per_server_and_level)
        return "M/gamma + Lambda/gamma^2" + (slack.routing > 0 ? " + 2 Lambda " + routing + "/gamma^2" : "") +
               " (Lambda = sum lambda, gamma the least rate)";
    const bool costs = arrangement == Arrangement::per_type, runs_on = timing == Timing::events;
    return std::string(costs ? "2 c (" : "") + (runs_on ? "Lambda (1 + 2 M alpha/gamma)" : "Lambda") +
           " + M alpha + 2 M (M-1) alpha" + (runs_on ? " + 2 (Lambda + M alpha) (M-1) alpha/gamma" : "") +
           (costs ? ")" : "") + (slack.routing > 0 ? " + 2 Lambda " + routing : "") +
           (slack.serving > 0
                ? " + 2 " + std::string(runs_on ? "(M + (Lambda + M alpha)/gamma) " : "M ") + serving + " alpha"
                : "") +
           " (Lambda = sum lambda, alpha = r0" + (runs_on ? ", gamma the least rate" : "") +
           (costs ? ", c the largest holding cost" : "") + ")";
}

/// C as the head of max_weight.hpp derives it, in words.
std::string constant_text(Arrangement arrangement, Timing timing, const Slack& slack) {
    if (timing != Timing::slots) return constant_of_events(arrangement, timing, slack);
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
    return questions_of(leaves(policy, theorem.levels, theorem.slack, {}, theorem.timing));
}

std::string arithmetic_rejection(const ParametricPolicy& policy, const UniformTheorem& theorem) {
    if (const std::string part = outside_fragment(policy.rules()); !part.empty()) return outside_fragment_reason(part);
    const Arrangement arrangement = policy.rules().arrangement();
    if (std::string wrong = slack_rejection(arrangement, theorem.slack); !wrong.empty()) return wrong;
    return lemmas_rejection(arrangement, theorem.timing, theorem.lemmas);
}

std::string sentence(const ParametricPolicy& policy, const UniformTheorem& theorem) {
    const Arrangement arrangement = policy.rules().arrangement();
    const bool costs = arrangement == Arrangement::per_type, slots = theorem.timing == Timing::slots;
    const std::string time = theorem.timing == Timing::events ? "in continuous time, where tasks run to their end, "
                                                              : "in continuous time, where tasks are interrupted and "
                                                                "resumed, ";
    return "For every number of servers M, every set of task types" +
           std::string(costs ? " with quadratic holding costs" : "") +
           (slots ? ", every bounded arrival law" : ", all Poisson arrivals") + " with load rho* < 1, and all rates " +
           (slots ? "1 >= " : "") + "r0 > ... > r" + std::to_string(theorem.levels - 1) + " > 0 at " +
           std::to_string(theorem.levels) + " levels, " + (slots ? "" : time) + "with " +
           required_interpretations(theorem.timing) + ": under " + std::string(policy.info().id) + " the drift of " +
           argument_function(arrangement) +
           (slots ? " is at most -2 (1 - rho*) sum of w + C at every state, C = "
                  : " per unit of time is at most -2 (1 - rho*) sum of w + C at every settled state, C = ") +
           constant_text(arrangement, theorem.timing, theorem.slack) +
           "; so the policy is throughput optimal, uniformly over (1 - eps) times the capacity region. " +
           fragment_text(policy.rules());
}

Rational DriftBound::threshold(const Rational& delta) const {
    const Rational exact = (constant + delta) / (slope * coverage);
    return -Rational(floor(-exact));
}

namespace {

/// The constants bound what one task changes; of a batch they would need the mean square of its size, and what its
/// first tasks do to the regret of its later ones.
void require_single_arrivals(const Instance& instance) {
    if (instance.batches())
        throw InputError::at_path({"arrivals", "batches"},
                                  "expected tasks that come one by one: the constants of the MaxWeight argument in "
                                  "continuous time are for single arrivals");
}

/// C of continuous time; the head of max_weight.hpp derives it.
Rational constant_of_events(const Instance& instance, Arrangement arrangement, const Rational& largest_weight,
                            const Slack& slack) {
    const Rational servers(instance.servers().size()), two(2);
    const Rational &alpha = instance.rate(instance.local()), &gamma = instance.rate(instance.remote());
    const Rational& arriving = instance.total_arrival_rate();
    const Rational missed = two * arriving * tasks(slack.routing);
    if (arrangement == Arrangement::per_server_and_level)
        return servers / gamma + (arriving + missed) / (gamma * gamma);
    const Rational completing = servers * alpha, late = tasks(slack.serving) * alpha, others = servers - Rational(1);
    Rational sum = arriving + completing + two * completing * others, weighted = missed + two * servers * late;
    if (!instance.preemptive()) {
        const Rational starts = two * (arriving + completing) / gamma;
        sum += arriving * two * completing / gamma + starts * alpha * others;
        weighted += starts * late;
    }
    // Queues of types miss nothing.
    return arrangement == Arrangement::per_type ? largest_weight * sum : sum + weighted;
}

}  // namespace

DriftBound drift_bound(const Instance& instance, const Layout& layout, const Rational& load, const Slack& slack) {
    require_default_interpretations(instance);
    require_rates_by_level(instance);
    if (instance.continuous()) {
        require_single_arrivals(instance);
        const std::vector<Rational> of_squares = square_weights(instance, layout);
        const Rational constant = constant_of_events(instance, layout.arrangement(),
                                                     *std::max_element(of_squares.begin(), of_squares.end()), slack);
        return {Rational(2) * (Rational(1) - load) / instance.event_rate(), constant / instance.event_rate(),
                coverage(instance, layout, of_squares)};
    }
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
    return questions_of(leaves(ParametricPolicy(system.policy()), system.instance().data().levels.size(), theorem.slack,
                               {}, timing_of(system.instance())));
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
    return lemmas_rejection(arrangement, timing_of(instance), theorem.lemmas);
}

std::string sentence(const SymbolicSystem& system, const MaxWeightTheorem& theorem) {
    return "On " + about(system.instance(), system.info().id) + ", the drift of " +
           argument_function(system.layout().arrangement()) + in_an_event(system.instance()) + " is at most -" +
           theorem.bound.slope.to_string() + " sum of w + " + theorem.bound.constant.to_string() + " at every " +
           (system.instance().continuous() ? "settled state" : "state") + ", hence at most -" +
           theorem.delta.to_string() + " wherever sum of Q >= " + theorem.bound.threshold(theorem.delta).to_string() +
           ", for all queue lengths and all statuses of the servers. " + fragment_text(system.policy().rules());
}

}  // namespace schedproof::queueing
