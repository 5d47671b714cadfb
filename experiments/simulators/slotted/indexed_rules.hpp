/// The rules of a policy as the simulators ask them: each question from its index, what has none evaluated.
///
/// The plan (question_plan.hpp) says which is which. A rule that is one question, or composed of some, costs a look at
/// its few nodes and no list of candidates. Other parts are evaluated as in the exact modes, on the same view and with
/// draws from the same stream, on the sets and values that indexes give for the parts within.
#pragma once

#include <algorithm>

#include "experiments/simulators/slotted/indexed_view.hpp"
#include "experiments/simulators/slotted/question_plan.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "model/queueing/any_policy.hpp"
#include "model/queueing/language/evaluate.hpp"

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

class IndexedRules {
  public:
    /// Borrows the policy.
    IndexedRules(const SimulatedSystem& system, const queueing::AnyPolicy& policy)
        : policy_(policy), plan_(*system.instance, policy) {}

    [[nodiscard]] const queueing::AnyPolicy& policy() const { return policy_; }
    [[nodiscard]] const QuestionPlan& plan() const { return plan_; }

    /// The queues that are tied for an arriving task, and for an idle server; by the rule's own draws where it has
    /// some.
    [[nodiscard]] TiedSet route(const IndexedView& now, TaskTypeId type, statistics::Stream& stream) const {
        const Asked asked{plan_.route, now, {type, {}, true}, stream};
        const std::size_t at = decided(asked);
        switch (plan_.route[at]) {
            case Question::shortest_local:
                return now.shortest_local(type);
            case Question::shortest_local_or_common:
                return now.shortest_local_or_common(type);
            case Question::own_type:
                return now.own(type);
            case Question::common:
                return now.common();
            case Question::local_servers:
                return now.any_local(type);
            case Question::all_servers:
                return now.any_server(type);
            default:
                return answer(asked, at);
        }
    }
    [[nodiscard]] TiedSet serve(const IndexedView& now, ServerId m, statistics::Stream& stream) const {
        const Asked asked{plan_.serve, now, {{}, m, false}, stream};
        const std::size_t at = decided(asked);
        switch (plan_.serve[at]) {
            case Question::own:
                return now.own(m);
            case Question::nonempty_own:
                return now.has_work(now.own(m).queue) ? TiedSet(now.own(m)) : TiedSet();
            case Question::common:
                return now.common();
            case Question::most_local:
                return now.most_local(m);
            default:
                return answer(asked, at);
        }
    }

  private:
    /// Who asks: a task of the type, or the server.
    struct Who {
        TaskTypeId type;
        ServerId server;
        bool task;
    };
    struct Asked {
        const RulePlan& plan;
        const IndexedView& now;
        Who who;
        statistics::Stream& stream;
    };
    class Known;

    /// The node that plain conditions, and the server's own queue where it has work, leave.
    [[nodiscard]] static std::size_t decided(const Asked& asked) {
        const RulePlan& plan = asked.plan;
        for (std::size_t at = plan.rule().root();;) {
            const std::size_t first = plan.child(at, 0);
            if (plan[at] == Question::when) {
                const LengthTest* test = plan.test(first);
                if (test == nullptr) return at;
                at = plan.child(at, holds(asked, *test, {}) ? 1 : 2);
            } else if (plan[at] == Question::first_of && plan[first] == Question::nonempty_own) {
                if (asked.now.has_work(asked.now.own(asked.who.server).queue)) return first;
                at = plan.child(at, 1);
            } else {
                return at;
            }
        }
    }
    /// The answer of the node at `at`, which holds until the view is asked again. Stays a call: callers that inline
    /// everything would unroll it.
    [[nodiscard, gnu::noinline]] static TiedSet answer(const Asked& asked, std::size_t at);
    [[nodiscard]] static CheckedInt amount(const Asked& asked, const PlainKey& key,
                                           const queueing::Candidate& candidate) {
        using queueing::language::Op;
        const IndexedView& now = asked.now;
        const queueing::Candidate c = key.of == Question::scan     ? candidate
                                      : key.of == Question::own    ? now.own(asked.who.server)
                                      : key.of == Question::common ? now.common()
                                                                   : now.own(asked.who.type);
        CheckedInt value = key.quantity == Op::length     ? now.length(c.queue)
                           : key.quantity == Op::servable ? now.servable(c.queue)
                                                          : CheckedInt(key.constant);
        for (std::size_t i = 0; i < key.count; ++i)
            value = value * (key.factors[i] == Op::times_rate    ? now.rate(c)
                             : key.factors[i] == Op::over_rate   ? now.slowness(c)
                             : key.factors[i] == Op::times_local ? now.rate(now.local())
                                                                 : now.rate(now.remote()));
        return key.by == 1 ? value : CheckedInt(key.by) * value;
    }
    [[nodiscard]] static bool holds(const Asked& asked, const LengthTest& test, const queueing::Candidate& c) {
        using queueing::language::Op;
        const CheckedInt a = amount(asked, test.first, c), b = amount(asked, test.second, c);
        return test.is == Op::less ? a < b : test.is == Op::less_equal ? a <= b : a == b;
    }
    [[nodiscard]] static bool holds(const Asked& asked, std::size_t test, const queueing::Candidate& c);
    /// The parts of `answer`: a question of a best one among many, and what is made of other answers.
    [[nodiscard]] static TiedSet best_of_many(const Asked& asked, std::size_t at);
    [[nodiscard]] static TiedSet composed(const Asked& asked, std::size_t at);
    [[nodiscard]] static TiedSet evaluated(const Asked& asked, std::size_t at);

    const queueing::AnyPolicy& policy_;
    const QuestionPlan plan_;
};

}  // namespace schedproof::simulation
