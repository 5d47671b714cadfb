/// Cost functions of remote tasks in the forms that people write, and the exact functions that are made of them.
///
/// A form is affine (1 + theta n), capped (1 + theta min(n, cap)), a table with a slope behind its end, or steps. All
/// become one representation, a table of first values and a slope, which is exact for each of them: a capped or stepped
/// function is constant from its last change on, and no problem asks for more values than it has tasks, so the table
/// stays short. Every form is checked to be above the cost of a local task and never to fall, with the key of the
/// offending entry in the error.
#include "model/assignment/cost.hpp"

#include <algorithm>
#include <utility>

#include "model/base/nearest.hpp"
#include "model/base/numeral.hpp"
#include "model/base/split.hpp"
#include "model/core/errors.hpp"

namespace schedproof::assignment {

namespace {

constexpr std::string_view kinds[] = {"affine", "capped", "table", "step"};

/// A cost after `before`, the cost of one task fewer; 1 is that of a local task.
void check_cost(const Rational& cost, const Rational& before, bool first, const KeyPath& key) {
    if (first && !(cost > 1))
        throw InputError::at_path(key, "expected a cost above 1, which a local task costs, not " + cost.to_string());
    if (cost < before)
        throw InputError::at_path(
            key, "expected costs that never fall, but " + cost.to_string() + " is below " + before.to_string());
}

void check(const AffineCost& g) {
    if (g.theta.sign() <= 0)
        throw InputError::at_path({"theta"}, "expected a factor above 0, not " + g.theta.to_string());
    if (g.cap && *g.cap == 0) throw InputError::at_path({"cap"}, "expected a cap of at least 1, not 0");
}

void check(const TableCost& g) {
    if (g.values.empty()) throw InputError::at_path({"values"}, "expected at least one cost");
    for (std::size_t i = 0; i < g.values.size(); ++i)
        check_cost(g.values[i], g.values[i == 0 ? 0 : i - 1], i == 0, {"values", i});
    if (g.slope.sign() < 0)
        throw InputError::at_path({"slope"}, "expected costs that never fall: a slope of at least 0");
}

void check(const StepCost& g) {
    if (g.steps.empty()) throw InputError::at_path({"steps"}, "expected at least one step");
    if (g.steps.front().from != 1)
        throw InputError::at_path({"steps", std::size_t{0}, "from"}, "expected the first step from 1");
    for (std::size_t i = 0; i < g.steps.size(); ++i) {
        const StepCost::Step& before = g.steps[i == 0 ? 0 : i - 1];
        if (i > 0 && g.steps[i].from <= before.from)
            throw InputError::at_path({"steps", i, "from"}, "expected steps in ascending order");
        check_cost(g.steps[i].cost, before.cost, i == 0, {"steps", i, "cost"});
    }
}

CostFunction<Rational> made(const AffineCost& g, std::size_t tasks) {
    if (!g.cap) return CostFunction<Rational>({1 + g.theta}, g.theta);
    std::vector<Rational> values;
    const std::size_t length = std::clamp<std::size_t>(tasks, 1, *g.cap);
    for (std::size_t n = 1; n <= length; ++n) values.push_back(1 + g.theta * Rational(n));
    return CostFunction<Rational>(std::move(values));
}

CostFunction<Rational> made(const TableCost& g, std::size_t) { return CostFunction<Rational>(g.values, g.slope); }

CostFunction<Rational> made(const StepCost& g, std::size_t tasks) {
    std::vector<Rational> values;
    const std::size_t length = std::clamp<std::size_t>(tasks, 1, g.steps.back().from);
    for (std::size_t i = 0, n = 1; n <= length; ++n) {
        if (i + 1 < g.steps.size() && g.steps[i + 1].from == n) ++i;
        values.push_back(g.steps[i].cost);
    }
    return CostFunction<Rational>(std::move(values));
}

std::string worded(const AffineCost& g) {
    const std::string factor = g.theta == 1 ? "" : g.theta.to_string() + " ";
    return "1 + " + factor + (g.cap ? "min(n, " + std::to_string(*g.cap) + ")" : "n");
}

std::string worded(const TableCost& g) {
    std::string text;
    for (const Rational& value : g.values) text += (text.empty() ? "" : ", ") + value.to_string();
    if (g.slope.sign() > 0) return text + ", then +" + g.slope.to_string() + " each";
    return text + (g.values.size() == 1 ? " always" : ", then the same");
}

std::string worded(const StepCost& g) {
    std::string text;
    for (const StepCost::Step& step : g.steps)
        text += (text.empty() ? "" : ", ") + step.cost.to_string() + " from " + std::to_string(step.from);
    return text;
}

tl::expected<std::uint32_t, std::string> parse_count(std::string_view text) {
    const auto value = base::parse_numeral<std::uint32_t>(text);
    if (!value || *value == 0) return tl::unexpected("expected a number from 1 on, not '" + std::string(text) + "'");
    return *value;
}

using Parsed = tl::expected<CostText, std::string>;

Parsed parse_affine(const std::vector<std::string_view>& parts, bool capped) {
    if (parts.size() > (capped ? 2u : 1u))
        return tl::unexpected(
            std::string(capped ? "expected capped:THETA or capped:THETA,CAP" : "expected affine:THETA"));
    const auto theta = Rational::parse(parts[0]);
    if (!theta) return tl::unexpected(theta.error());
    CostText result{AffineCost{*theta, {}}, capped && parts.size() == 1};
    if (parts.size() == 2) {
        const auto cap = parse_count(parts[1]);
        if (!cap) return tl::unexpected(cap.error());
        std::get<AffineCost>(result.cost).cap = *cap;
    }
    return result;
}

Parsed parse_table(const std::vector<std::string_view>& parts) {
    TableCost table;
    for (const std::string_view part : parts) {
        const auto value = Rational::parse(part);
        if (!value) return tl::unexpected(value.error());
        table.values.push_back(*value);
    }
    return CostText{std::move(table), false};
}

Parsed parse_steps(const std::vector<std::string_view>& parts) {
    StepCost steps;
    for (const std::string_view part : parts) {
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos)
            return tl::unexpected("expected steps FROM=COST, not '" + std::string(part) + "'");
        const auto from = parse_count(part.substr(0, equals));
        if (!from) return tl::unexpected(from.error());
        const auto cost = Rational::parse(part.substr(equals + 1));
        if (!cost) return tl::unexpected(cost.error());
        steps.steps.push_back({*from, *cost});
    }
    return CostText{std::move(steps), false};
}

}  // namespace

std::string_view kind(const Cost& cost) {
    if (const auto* affine = std::get_if<AffineCost>(&cost)) return kinds[affine->cap ? 1 : 0];
    return std::holds_alternative<TableCost>(cost) ? kinds[2] : kinds[3];
}

std::string formula(const Cost& cost) {
    return std::visit([](const auto& g) { return worded(g); }, cost);
}

void validate(const Cost& cost) {
    std::visit([](const auto& g) { check(g); }, cost);
}

CostFunction<Rational> function(const Cost& cost, std::size_t tasks) {
    return std::visit([&](const auto& g) { return made(g, tasks); }, cost);
}

tl::expected<CostText, std::string> parse_cost(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view word = text.substr(0, colon);
    if (std::find(std::begin(kinds), std::end(kinds), word) == std::end(kinds) || colon == std::string_view::npos)
        return tl::unexpected(
            "expected affine:THETA, capped:THETA,CAP, table:COST,COST,... or step:FROM=COST,..., not '" +
            std::string(text) + "'" + base::did_you_mean(word, kinds));
    const std::vector<std::string_view> parts = base::split(text.substr(colon + 1), ',');
    Parsed parsed = word == "table"  ? parse_table(parts)
                    : word == "step" ? parse_steps(parts)
                                     : parse_affine(parts, word == "capped");
    if (!parsed) return parsed;
    try {
        validate(parsed->cost);
    } catch (const InputError& error) {
        return tl::unexpected(error.what());
    }
    return parsed;
}

}  // namespace schedproof::assignment
