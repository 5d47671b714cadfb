/// Answers of rules by the nodes of their plan.
///
/// A node is a question with an index, a composition of such, or a part that is evaluated as in the exact modes. A draw
/// from a composition draws from the part that decides, so that no list of candidates is made; where a part's answer is
/// needed as a set, the tied set of its index stands for it.
#include "experiments/simulators/slotted/indexed_rules.hpp"

namespace schedproof::simulation {

using queueing::Candidate;
using queueing::Ties;

/// What the indexes give to an evaluation.
class IndexedRules::Known {
  public:
    explicit Known(const Asked& asked) : asked_(asked) {}
    [[nodiscard]] bool knows_set(std::size_t at) const { return is_set(asked_.plan[at]); }
    [[nodiscard]] Ties set(std::size_t at) const {
        Ties tied;
        asked_.now.for_each_tied(answer(asked_, at), [&](const Candidate& c) { tied.add(c); });
        return tied;
    }
    [[nodiscard]] bool knows_value(std::size_t at) const { return is_value(asked_.plan[at]); }
    [[nodiscard]] queueing::language::Amount<CheckedInt> value(std::size_t at) const;

  private:
    const Asked& asked_;
};

namespace {

using queueing::language::Asker;
template <class Known>
using Evaluation = queueing::language::Evaluation<IndexedView, RuleDraws, Known>;

CheckedInt checked(std::uint64_t length) { return CheckedInt(static_cast<std::int64_t>(length)); }

}  // namespace

queueing::language::Amount<CheckedInt> IndexedRules::Known::value(std::size_t at) const {
    const auto& [plan, now, who, stream] = asked_;
    switch (plan[at]) {
        case Question::least_length:
            return {checked(now.least_length())};
        case Question::greatest_length:
            return {checked(now.greatest_length())};
        case Question::total_length:
            return {checked(now.total_length())};
        case Question::mean_length:
            return {checked(now.total_length()), static_cast<std::int64_t>(now.servers().size())};
        default: {
            const bool workload = plan[at] == Question::least_workload;
            const Candidate one = workload ? now.some(now.least_weighted_workload(who.type))
                                           : *answer(asked_, plan.child(at, 0)).single();
            RuleDraws draws(stream);
            return Evaluation<Known>(plan.rule(), now, {who.type, who.server, !who.task}, draws, *this)
                .amount(plan.child(at, 1), one);
        }
    }
}

bool IndexedRules::holds(const Asked& asked, std::size_t test, const Candidate& c) {
    if (const LengthTest* plain = asked.plan.test(test)) return holds(asked, *plain, c);
    RuleDraws draws(asked.stream);
    return Evaluation<Known>(asked.plan.rule(), asked.now, {asked.who.type, asked.who.server, !asked.who.task}, draws,
                             Known(asked))
        .holds(test, c);
}

TiedSet IndexedRules::evaluated(const Asked& asked, std::size_t at) {
    RuleDraws draws(asked.stream);
    return asked.now.among(Evaluation<Known>(asked.plan.rule(), asked.now,
                                             {asked.who.type, asked.who.server, !asked.who.task}, draws, Known(asked))
                               .set_at(at));
}

TiedSet IndexedRules::answer(const Asked& asked, std::size_t at) {
    const auto& [plan, now, who, stream] = asked;
    const auto child = [&](std::size_t k) { return asked.plan.child(at, k); };
    switch (plan[at]) {
        case Question::own:
            return now.own(who.server);
        case Question::own_rows:
            return now.own_local(who.server);
        case Question::nonempty_own: {
            const Candidate own = now.own(who.server);
            return now.has_work(own.queue) ? TiedSet(own) : TiedSet();
        }
        case Question::most_local:
            return now.most_local(who.server);
        case Question::most_behind:
            return now.most_behind(who.server);
        case Question::common:
            return now.common();
        case Question::own_type:
            return now.own(who.type);
        case Question::planned: {
            const queueing::Split& split = now.planned(who.type);
            return split.candidates[RuleDraws(stream).draw(split.distribution)];
        }
        case Question::local_servers:
            return now.any_local(who.type);
        case Question::all_servers:
            return now.any_server(who.type);
        case Question::sample: {
            const bool of_all = plan.rule()[child(0)].op == queueing::language::Op::servers;
            return now.sampled(who.type, of_all, static_cast<std::size_t>(plan.rule()[at].a), stream);
        }
        default:
            return best_of_many(asked, at);
    }
}

TiedSet IndexedRules::best_of_many(const Asked& asked, std::size_t at) {
    const auto& [plan, now, who, stream] = asked;
    switch (plan[at]) {
        case Question::shortest_local:
            return now.shortest_local(who.type);
        case Question::shortest_local_server:
            return now.shortest_local_server(who.type);
        case Question::shortest_local_or_common:
            return now.shortest_local_or_common(who.type);
        case Question::shortest_server:
        case Question::longest_server: {
            const bool greatest = plan[at] == Question::longest_server;
            return who.task ? now.extreme_server(who.type, greatest) : now.extreme_server(who.server, greatest);
        }
        case Question::least_weighted_workload:
            return now.least_weighted_workload(who.type);
        case Question::longest:
            return now.longest(who.server);
        case Question::largest_weight:
            return now.largest_weight(who.server);
        case Question::largest_marginal_cost:
            return now.largest_marginal_cost(who.server);
        default:
            return composed(asked, at);
    }
}

TiedSet IndexedRules::composed(const Asked& asked, std::size_t at) {
    const auto& [plan, now, who, stream] = asked;
    const auto child = [&](std::size_t k) { return asked.plan.child(at, k); };
    switch (plan[at]) {
        case Question::first_of: {
            const TiedSet first = answer(asked, child(0));
            return first.empty() ? answer(asked, child(1)) : first;
        }
        case Question::when:
            return answer(asked, child(holds(asked, child(0), {}) ? 1 : 2));
        case Question::where:
        case Question::where_by_level:
            return now.narrowed(answer(asked, child(0)), plan[at] == Question::where_by_level,
                                [&](const Candidate& c) { return holds(asked, child(1), c); });
        default:
            return evaluated(asked, at);
    }
}

}  // namespace schedproof::simulation
