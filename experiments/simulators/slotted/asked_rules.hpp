/// The rules of a policy as the simulators ask them: from an index where one fits, else evaluated.
///
/// Which index fits is read off the rules (queueing::decision_class). A pair of rules that is known when a simulator is
/// compiled costs nothing to look up; `unspecified` stands for any pair, looked up at each question. A rule that no
/// index fits is evaluated as in the exact modes, in O(queues) a question, on the same view and with draws from the
/// same stream.
#pragma once

#include <algorithm>
#include <string>

#include "experiments/simulators/slotted/indexed_view.hpp"
#include "model/queueing/language/evaluate.hpp"
#include "model/queueing/policy.hpp"

namespace schedproof::simulation {

/// A stream as the source of randomness of a rule.
class RuleDraws {
  public:
    explicit RuleDraws(statistics::Stream& stream) : stream_(stream) {}
    std::size_t draw(const DiscreteDistribution& distribution) { return among(distribution.cumulative()); }
    std::size_t uniform(std::size_t n) { return n == 1 ? 0 : static_cast<std::size_t>(stream_.below(n)); }
    std::size_t proportional(std::span<const std::uint64_t> weights) {
        std::uint64_t left = 0;
        for (const std::uint64_t weight : weights) left += weight;
        left = stream_.below(left);
        std::size_t i = 0;
        for (; left >= weights[i]; ++i) left -= weights[i];
        return i;
    }

  private:
    std::size_t among(std::span<const std::uint64_t> cumulative) {
        const auto outcome = std::upper_bound(cumulative.begin(), cumulative.end(), stream_.below(cumulative.back()));
        return static_cast<std::size_t>(outcome - cumulative.begin());
    }
    statistics::Stream& stream_;
};

/// Why a policy is simulated slowly, as a sentence for its user; empty when indexes fit its rules.
[[nodiscard]] std::string why_slow(const queueing::AnyPolicy& policy);

template <queueing::RoutingRule routing_known, queueing::ServingRule serving_known>
class AskedRules {
    using Routing = queueing::RoutingRule;
    using Serving = queueing::ServingRule;

  public:
    /// Whether any policy can be asked, or those of one pair of rules only.
    static constexpr bool any = routing_known == Routing::unspecified && serving_known == Serving::unspecified;

    /// Borrows the policy. Requires: it has the known rules.
    explicit AskedRules(const queueing::AnyPolicy& policy)
        : policy_(policy), decisions_(queueing::decision_class(policy.rules())) {
        require(any || (decisions_.routing == routing_known && decisions_.serving == serving_known),
                "a policy is asked by other rules than its own");
    }

    [[nodiscard]] const queueing::AnyPolicy& policy() const { return policy_; }
    [[nodiscard]] Routing routing() const { return any ? decisions_.routing : routing_known; }
    [[nodiscard]] Serving serving() const { return any ? decisions_.serving : serving_known; }
    [[nodiscard]] queueing::Reach reach() const { return decisions_.reach; }
    [[nodiscard]] bool reconsiders() const { return decisions_.reconsiders; }
    [[nodiscard]] bool keeps_counters() const {
        return (any || serving_known == Serving::furthest_behind) && policy_.rules().keeps_counters();
    }

    /// The queues that are tied for an arriving task, and for an idle server; by the rule's own draws where it has
    /// some.
    [[nodiscard]] Drawn route(const IndexedView& now, TaskTypeId type, statistics::Stream& stream) const {
        switch (routing()) {
            case Routing::shortest_local:
                return now.shortest_local(type);
            case Routing::shortest_local_or_common:
                return now.shortest_local_or_common(type);
            case Routing::least_weighted_workload:
                return now.least_weighted_workload(type);
            case Routing::own_type:
                return now.own(type);
            case Routing::common:
                return now.common();
            case Routing::random_local:
                return now.any_local(type);
            case Routing::random_any:
                return now.any_server(type);
            case Routing::planned: {
                const queueing::Split& split = now.planned(type);
                return split.candidates[RuleDraws(stream).draw(split.distribution)];
            }
            case Routing::unspecified:
                break;
        }
        return evaluated(policy_.rules().route(), now, queueing::language::Asker::task(type), stream);
    }
    [[nodiscard]] Drawn serve(const IndexedView& now, ServerId m, statistics::Stream& stream) const {
        const auto or_own = [&](Drawn drawn) { return drawn.empty() ? now.own_local(m) : drawn; };
        const auto if_it_pays = [&](const Drawn& drawn) {
            return drawn.where([&](const queueing::Candidate& n) {
                return now.rate(n.level) * now.length(n.queue) >= now.rate(now.local());
            });
        };
        switch (serving()) {
            case Serving::own:
                return now.own(m);
            case Serving::common:
                return now.common();
            case Serving::largest_of_own_and_common:
                return now.weight(now.own(m)) >= now.weight(now.common()) ? now.own(m) : now.common();
            case Serving::largest_weight:
                return or_own(now.largest_weight(m));
            case Serving::own_then_longest:
                return now.has_work(now.own(m).queue) ? Drawn(now.own(m)) : or_own(if_it_pays(now.longest(m)));
            case Serving::own_then_largest_weight:
                return now.has_work(now.own(m).queue) ? Drawn(now.own(m)) : or_own(if_it_pays(now.largest_weight(m)));
            case Serving::most_local_first:
                return or_own(now.most_local(m));
            case Serving::most_local_or_none:
                return now.most_local(m);
            case Serving::largest_marginal_cost:
                return now.largest_marginal_cost(m);
            case Serving::furthest_behind:
                return now.most_behind(m);
            case Serving::unspecified:
                break;
        }
        return evaluated(policy_.rules().serve(), now, queueing::language::Asker::idle(m), stream);
    }

  private:
    /// Stays a call: callers that inline everything would unroll the evaluator, which is recursive.
    [[nodiscard, gnu::noinline]] static Drawn evaluated(const queueing::language::Tree& rule, const IndexedView& now,
                                                        queueing::language::Asker asker, statistics::Stream& stream) {
        RuleDraws draws(stream);
        return now.among(queueing::language::evaluate(rule, now, asker, draws));
    }

    const queueing::AnyPolicy& policy_;
    const queueing::DecisionClass decisions_;
};

using AnyRules = AskedRules<queueing::RoutingRule::unspecified, queueing::ServingRule::unspecified>;

}  // namespace schedproof::simulation
