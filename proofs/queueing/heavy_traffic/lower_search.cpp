/// Prices at the boundary, and the lower bound of the workload: one linear program over arrivals and actions.
#include "proofs/queueing/heavy_traffic/lower_search.hpp"

#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/capacity/activities.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/theorems/mean.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;

BoundaryPrices boundary_prices(const Instance& family) {
    const auto wrong = [](const std::string& what) { return InputError::at_key("slack", what); };
    const std::array<Instance, 2> ends = ends_of_slack(family);
    const capacity::CapacityCertificate at_boundary = capacity::solve(ends[0]), inside = capacity::solve(ends[1]);
    if (!at_boundary.exact() || !inside.exact()) throw wrong("expected a family whose loads are known exactly");
    if (at_boundary.load() != Rational(1))
        throw wrong(
            "expected arrivals that lie on the boundary of the capacity region at slack 0, where rho* = 1; it "
            "is " +
            at_boundary.load().to_string());
    if (inside.load() >= Rational(1))
        throw wrong("expected arrivals inside the capacity region at the largest slack; rho* is " +
                    inside.load().to_string());
    if (!capacity::basic_activities(ends[0], at_boundary).complete_resource_pooling())
        throw wrong(
            "expected unique prices at slack 0 (complete resource pooling): there the servers fall into parts "
            "that do not help each other, and the workload has several dimensions");
    BoundaryPrices prices{at_boundary.type_price, at_boundary.server_price};
    const Rational dearest = *std::max_element(prices.type.begin(), prices.type.end());
    for (std::vector<Rational>* list : {&prices.type, &prices.server})
        for (Rational& price : *list) price /= dearest;
    if (const std::string reason = rejection(family, prices); !reason.empty())
        throw OracleConflict("the prices of the boundary do not verify: " + reason);
    return prices;
}

namespace {

/// The least K of (L). Variables of either sign as differences of two: k per type, then K, then the least bracket per
/// outcome of the arrivals.
LinearProgram lower_program(const Instance& family, const HeavyLowerTheorem& theorem) {
    const std::vector<FamilyOutcome> outcomes = outcomes_of_slack(family);
    const std::size_t types = family.types().size();
    LinearProgram program;
    for (std::size_t x = 0; x < 2 * (types + 1 + outcomes.size()); ++x)
        (void)program.add_variable(x / 2 == types ? Rational(x % 2 == 0 ? 1 : -1) : Rational(0));
    const auto add = [](LinearRow& row, std::size_t x, const Rational& c) {
        if (c.sign() == 0) return;
        row.entries.emplace_back(static_cast<std::uint32_t>(2 * x), c);
        row.entries.emplace_back(static_cast<std::uint32_t>(2 * x + 1), -c);
    };
    for (std::size_t t = 0; t < types; ++t) {
        if (theorem.prices.type[t].sign() > 0) continue;
        program.rows.push_back({{}, Relation::equal, Rational(0)});
        add(program.rows.back(), t, Rational(1));
    }
    const std::vector<Action> actions = actions_of(family);
    for (std::size_t a = 0; a < outcomes.size(); ++a)
        for (const Action& action : actions) {
            const LowerBracket bracket = bracket_of(family, theorem.prices, outcomes[a].count, action);
            LinearRow row{{}, Relation::at_most, bracket.half_square};
            for (std::size_t t = 0; t < types; ++t) add(row, t, -bracket.growth[t]);
            add(row, types, -bracket.loss);
            add(row, types + 1 + a, Rational(1));
            program.rows.push_back(std::move(row));
        }
    for (std::size_t end = 0; end < 2; ++end) {
        LinearRow row{{}, Relation::at_least, theorem.constant[end]};
        for (std::size_t a = 0; a < outcomes.size(); ++a) add(row, types + 1 + a, outcomes[a].probability[end]);
        program.rows.push_back(std::move(row));
    }
    return program;
}

}  // namespace

HeavyLowerTheorem best_lower(const Instance& family) {
    HeavyLowerTheorem theorem;
    theorem.prices = boundary_prices(family);
    theorem.constant = leading_constants(family, theorem.prices);
    const std::size_t types = family.types().size();
    const LinearProgram program = lower_program(family, theorem);
    const auto solution = capacity::solve(program);
    if (!solution) throw LimitExceeded("linear programming", "no method found a lower bound of the workload");
    const auto value = [&](std::size_t x) { return solution->x[2 * x] - solution->x[2 * x + 1]; };
    for (std::size_t t = 0; t < types; ++t) theorem.correction.push_back(value(t));
    // The left side grows with K, for losses are not negative.
    theorem.deficit = rounded_up(value(types), 4);
    if (const std::string reason = arithmetic_rejection(family, theorem); !reason.empty())
        throw OracleConflict("the lower bound that was found does not verify: " + reason);
    return theorem;
}

}  // namespace schedproof::heavy_traffic
