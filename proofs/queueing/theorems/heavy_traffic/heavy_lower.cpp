#include "proofs/queueing/theorems/heavy_traffic/heavy_lower.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/about.hpp"

namespace schedproof::queueing {

Rational HeavyLowerTheorem::at_least(const Instance& family, const Rational& eps) const {
    const Rational share = eps / family.slack().up_to;
    const Rational sigma = share * value_slack(ends_of_slack(family)[1], prices);
    return (constant[0] + share * (constant[1] - constant[0])) / sigma - deficit;
}

std::vector<Action> actions_of(const Instance& family, std::size_t limit) {
    std::vector<Action> all(1);
    for (std::size_t m = 0; m < family.servers().size(); ++m) {
        std::vector<Action> longer;
        for (const Action& action : all) {
            longer.push_back(action);
            longer.back().push_back(std::nullopt);
            for (const TaskTypeId type : family.types()) {
                longer.push_back(action);
                longer.back().push_back(type);
            }
        }
        if (longer.size() > limit)
            throw LimitExceeded("actions", fmt::format("the servers have more than {} actions in a slot", limit));
        all = std::move(longer);
    }
    return all;
}

LowerBracket bracket_of(const Instance& family, const BoundaryPrices& prices,
                        const std::vector<std::uint32_t>& arrivals, const Action& action) {
    LowerBracket bracket;
    Rational mean, variance;
    for (const std::uint32_t n : arrivals) bracket.growth.push_back(Rational(Integer(n)));
    for (std::size_t t = 0; t < arrivals.size(); ++t) mean += bracket.growth[t] * prices.type[t];
    for (const ServerId m : family.servers()) {
        bracket.loss += prices.server[m.index()];
        if (!action[m.index()]) continue;
        const TaskTypeId type = *action[m.index()];
        const Rational &rate = family.rate(type, m), &v = prices.type[type.index()];
        bracket.growth[type.index()] -= rate;
        bracket.loss -= v * rate;
        mean -= v * rate;
        variance += v * v * rate * (Rational(1) - rate);
    }
    bracket.half_square = (mean * mean + variance) / Rational(2);
    return bracket;
}

std::vector<explore::Question> questions(const Instance&, const HeavyLowerTheorem&) { return {}; }

std::string sentence(const Instance& family, const HeavyLowerTheorem& theorem) {
    std::string workload;
    for (const TaskTypeId type : family.types()) {
        const Rational& v = theorem.prices.type[type.index()];
        if (v.sign() == 0) continue;
        workload += fmt::format("{}{}the tasks of type {}", workload.empty() ? "" : " plus ",
                                v == Rational(1) ? "" : v.to_string() + " times ", in_quotes(family.type(type).name));
    }
    const bool more = theorem.deficit.sign() < 0;
    return fmt::format(
        "On {}, for every slack eps in (0, {}] and under every policy that runs a task on one server at a time, at no "
        "more than the server's rate for it, the mean of Z is at least c/sigma {} {} under every stationary law. Here "
        "Z is {}, {}. The policy may interrupt tasks, remember the past, decide at random and know the arrivals of "
        "the slot.",
        in_quotes(family.name()), family.slack().up_to.to_string(), more ? "+" : "-",
        (more ? -theorem.deficit : theorem.deficit).to_string(), workload,
        slack_and_constant(family, theorem.prices, theorem.constant));
}

std::string arithmetic_rejection(const Instance& family, const HeavyLowerTheorem& theorem) {
    if (std::string wrong = rejection(family, theorem.prices); !wrong.empty()) return wrong;
    if (theorem.correction.size() != family.types().size()) return "there is not one correction per type";
    for (const TaskTypeId type : family.types())
        if (theorem.prices.type[type.index()].sign() == 0 && theorem.correction[type.index()].sign() != 0)
            return "a type without a price has a correction";
    const std::vector<Action> actions = actions_of(family);
    std::array<Rational, 2> sum;
    for (const FamilyOutcome& outcome : outcomes_of_slack(family)) {
        std::optional<Rational> least;
        for (const Action& action : actions) {
            const LowerBracket bracket = bracket_of(family, theorem.prices, outcome.count, action);
            Rational value = bracket.half_square + theorem.deficit * bracket.loss;
            for (std::size_t t = 0; t < bracket.growth.size(); ++t) value += theorem.correction[t] * bracket.growth[t];
            if (!least || value < *least) least = std::move(value);
        }
        for (std::size_t end = 0; end < 2; ++end) sum[end] += outcome.probability[end] * *least;
    }
    for (std::size_t end = 0; end < 2; ++end)
        if (sum[end] < theorem.constant[end])
            return fmt::format("the inequality of the lower bound fails at slack {}",
                               end == 0 ? "0" : family.slack().up_to.to_string());
    return "";
}

}  // namespace schedproof::queueing
