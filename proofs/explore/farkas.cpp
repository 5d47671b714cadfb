/// Farkas multipliers, largest values and interior points, all from exact linear programs.
///
/// Constraints a_i x + b_i >= 0, some of them strict, have no common point if and only if some l >= 0 has sum l_i a_i =
/// 0 and sum l_i b_i < 0, or = 0 with a strict constraint in use. The program that seeks l bounds sum l_i by 1, so it
/// always has an optimum. For a largest value the cheap method is tried first; where it gives nothing, emptiness and
/// unboundedness are decided by two bounded programs before the rational simplex is called. Multipliers are checked by
/// multiplication before they are returned.
#include "proofs/explore/farkas.hpp"

#include <algorithm>
#include <map>

#include "model/core/errors.hpp"
#include "proofs/linear_programs/linear_program.hpp"

namespace schedproof::explore {

using capacity::LinearMethod;
using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
using proof::Constraint;
using proof::LinearForm;
using proof::Multipliers;
using proof::Variable;

/// min sum l_i b_i - sum over strict i of l_i   subject to   sum l_i a_i = 0,  sum l_i b_i <= 0,  sum l_i <= 1.
/// The value is negative exactly when a refutation exists: then sum l_i b_i < 0, or = 0 with a strict one in use.
std::optional<Multipliers> refute(std::span<const Constraint> constraints) {
    LinearProgram program;
    std::map<Variable, LinearRow> balance;
    LinearRow constant{{}, Relation::at_most, Rational(0)};
    LinearRow bound{{}, Relation::at_most, Rational(1)};
    for (const Constraint& c : constraints) {
        const Rational& b = c.form.constant();
        const std::uint32_t l = program.add_variable(c.strict ? b - Rational(1) : b);
        for (const auto& [x, a] : c.form.terms()) balance[x].entries.emplace_back(l, a);
        if (b.sign() != 0) constant.entries.emplace_back(l, b);
        bound.entries.emplace_back(l, Rational(1));
    }
    for (auto& [x, row] : balance) program.rows.push_back(std::move(row));
    program.rows.push_back(std::move(constant));
    program.rows.push_back(std::move(bound));
    const auto solution = capacity::solve(program);
    if (!solution) throw LimitExceeded("linear programming", "no method found the multipliers of a refutation");
    if (solution->value.sign() >= 0) return std::nullopt;
    Multipliers multipliers;
    for (std::uint32_t i = 0; i < solution->x.size(); ++i)
        if (solution->x[i].sign() > 0) multipliers.push_back({i, solution->x[i]});
    if (!proof::rejection(constraints, multipliers).empty())
        throw OracleConflict("the multipliers of a verified linear program refute nothing");
    return multipliers;
}

namespace {

/// The forms of constraints as rows; each variable as the difference of two non-negative ones, unless a constraint
/// x >= lower bounds it, which makes it one.
class Rows {
  public:
    Rows(std::span<const Constraint> constraints, const LinearForm& objective, std::size_t variables)
        : lower_(variables) {
        for (const Constraint& c : constraints)
            if (const auto& terms = c.form.terms(); terms.size() == 1 && terms[0].second.sign() > 0) {
                auto& lower = lower_[terms[0].first];
                const Rational bound = -c.form.constant() / terms[0].second;
                if (!lower || bound > *lower) lower = bound;
            }
        for (const auto& lower : lower_) {
            column_.push_back(program_.add_variable());
            if (!lower) (void)program_.add_variable();
        }
        for (const Constraint& c : constraints) program_.rows.push_back(row(c.form));
        const LinearRow target = row(objective);
        for (const auto& [j, c] : target.entries) program_.cost[j] = -c;
    }

    [[nodiscard]] const LinearProgram& program() const { return program_; }
    [[nodiscard]] std::vector<Rational> point(const std::vector<Rational>& x, bool is_ray) const {
        std::vector<Rational> values;
        for (std::size_t v = 0; v < lower_.size(); ++v)
            values.push_back(lower_[v] ? x[column_[v]] + (is_ray ? Rational() : *lower_[v])
                                       : x[column_[v]] - x[column_[v] + 1]);
        return values;
    }
    /// The program of rays: homogeneous rows, entries that sum to at most one.
    [[nodiscard]] LinearProgram rays() const {
        LinearProgram cone = program_;
        for (LinearRow& r : cone.rows) r.rhs = Rational(0);
        LinearRow bound{{}, Relation::at_most, Rational(1)};
        for (std::uint32_t j = 0; j < cone.cost.size(); ++j) bound.entries.emplace_back(j, Rational(1));
        cone.rows.push_back(std::move(bound));
        return cone;
    }

  private:
    [[nodiscard]] LinearRow row(const LinearForm& form) const {
        LinearRow r{{}, Relation::at_least, -form.constant()};
        for (const auto& [x, a] : form.terms()) {
            r.entries.emplace_back(column_[x], a);
            if (lower_[x])
                r.rhs -= a * *lower_[x];
            else
                r.entries.emplace_back(column_[x] + 1, -a);
        }
        return r;
    }

    std::vector<std::optional<Rational>> lower_;
    std::vector<std::uint32_t> column_;
    LinearProgram program_;
};

}  // namespace

Maximum maximise(std::span<const Constraint> constraints, const LinearForm& objective, std::size_t variables) {
    const Rows rows(constraints, objective, variables);
    const auto attained = [&](LinearMethod method) -> std::optional<Maximum> {
        const auto solution = capacity::solve(rows.program(), method);
        if (!solution) return std::nullopt;
        std::vector<Rational> point = rows.point(solution->x, false);
        return Maximum{Maximum::Kind::attained, objective.at(point), std::move(point), {}};
    };
    // The cheap method answers nearly always; where it does not, the two other outcomes are bounded programs.
    if (auto maximum = attained(LinearMethod::repaired_basis)) return *maximum;
    std::vector<Constraint> closure(constraints.begin(), constraints.end());
    for (Constraint& c : closure) c.strict = false;
    if (refute(closure)) return {Maximum::Kind::empty, {}, {}, {}};
    if (const auto ray = capacity::solve(rows.rays()); ray && ray->value.sign() < 0)
        return {Maximum::Kind::unbounded, {}, {}, rows.point(ray->x, true)};
    if (auto maximum = attained(LinearMethod::rational)) return *maximum;
    throw LimitExceeded("linear programming", "no method found the largest value on a cell");
}

std::optional<std::vector<Rational>> inside(const std::vector<Constraint>& constraints, std::size_t variables) {
    const auto slack = static_cast<Variable>(variables);
    std::vector<Constraint> away = constraints;
    for (Constraint& c : away)
        if (c.strict) c = {c.form - LinearForm::variable(slack), false};
    away.push_back({LinearForm::variable(slack), false});
    away.push_back({LinearForm(Rational(1)) - LinearForm::variable(slack), false});
    Maximum centre = maximise(away, LinearForm::variable(slack), variables + 1);
    if (centre.kind != Maximum::Kind::attained) return std::nullopt;
    const bool strict =
        std::any_of(constraints.begin(), constraints.end(), [](const Constraint& c) { return c.strict; });
    if (strict && centre.value.sign() == 0) return std::nullopt;
    centre.point.pop_back();
    return std::move(centre.point);
}

void close(const proof::Space& space, proof::Tree& tree) {
    proof::for_each_closed(space, tree, [](proof::Closed& side, const std::vector<Constraint>& constraints) {
        auto multipliers = refute(constraints);
        if (!multipliers) throw OracleConflict("a side that the solver called empty has a point");
        side.multipliers = std::move(*multipliers);
    });
}

}  // namespace schedproof::explore
