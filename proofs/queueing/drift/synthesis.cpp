/// Finding a Lyapunov function: a template with parameters, a linear program that proposes, cells that object.
///
/// V = fixed + sum_k t_k form_k with 0 <= t_k <= largest. Its drift is linear in the parameters, and on each cell of
/// the exploration affine in the queues. V proves stability when, on every unbounded cell, its drift falls along every
/// direction of the cell. A program proposes the parameters whose drift falls fastest, per unit of the queues' sum, on
/// the directions known so far; each cell answers with the direction on which the proposal does worst, and objects if
/// that is worse than promised. Directions are vertices of finitely many polytopes, so this ends, at the parameters of
/// largest slack over the whole template. They are then replaced by simpler numbers that keep half of the slack, and
/// the theorem (least threshold, certificate) is proved from the code as for any V.
///
/// That no parameters are left says nothing about the policy, only about the template.
#include "proofs/queueing/drift/synthesis.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "model/core/errors.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/drift/closed_set_search.hpp"
#include "proofs/queueing/theorems/boundedness.hpp"

namespace schedproof::queueing {

using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
using explore::Affine;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

namespace {

using Linear = LyapunovForm::Linear;
using DriftRow = std::vector<Rational>;  // drift of the fixed part and of each parameter's form, along one direction

Linear length_form(QueueId q) { return Linear::variable(static_cast<proof::Variable>(q.index())); }

/// An unbounded cell: the directions that stay inside, of length one, and the drift of each form along them.
struct Cone {
    std::vector<Constraint> directions;
    std::vector<LinearForm> slope;  // linear parts: fixed, then one per parameter
    std::size_t variables = 0;
    friend bool operator==(const Cone& a, const Cone& b) { return a.directions == b.directions && a.slope == b.slope; }
};

LinearForm without_constant(LinearForm form) { return form -= LinearForm(form.constant()); }

class Synthesis {
  public:
    Synthesis(const SymbolicSystem& system, const LyapunovTemplate& shape, const SynthesisBudget& budget)
        : system_(system), template_(shape), budget_(budget) {
        forms_.push_back(&shape.fixed);
        for (const auto& parameter : shape.parameters) forms_.push_back(&parameter.form);
        for (const LyapunovForm* form : forms_) {
            require_fits(*form, system.instance(), system.layout());
            if (const std::string gap = boundedness_gap(*form, system.instance(), system.layout()); !gap.empty())
                throw InputError::at_key("lyapunov template",
                                         "expected forms that are bounded below, but of '" + form->name + "': " + gap);
        }
    }

    std::variant<FoundLyapunov, SynthesisFailure> run(const ExactSystem& exact) {
        if (system_.counters() > 0) return failure("counters may grow while the lengths stay: no form speaks of them");
        if (auto ended = explore_cells()) return failure("exploration ended: " + *ended);
        if (cones_.empty()) return failure("no cell is unbounded");
        std::vector<Rational> values(template_.parameters.size());
        // Until a direction is known any parameters promise everything.
        for (std::optional<Rational> promised;;) {
            if (rounds_ == budget_.rounds) return failure("more than " + std::to_string(budget_.rounds) + " proposals");
            ++rounds_;
            if (!object(values, promised)) {
                if (promised && promised->sign() > 0) break;
                return failure("no parameters of the template make the drift fall in every direction");
            }
            std::tie(promised, values) = propose();
            if (promised->sign() <= 0)
                return failure("no parameters of the template make the drift fall in every direction");
        }
        return prove(exact, simplified(values));
    }

  private:
    /// What ended the exploration, if a budget did.
    std::optional<std::string> explore_cells() {
        constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        explore::Budget one = budget_.explore;
        one.progress = [this](std::uint64_t cells) {
            if (budget_.explore.progress) budget_.explore.progress(statistics_.cells + cells);
        };
        const ClosedSet closed = find_closed_set(system_, budget_.explore);
        for (const Shape& shape : shapes_of(closed.statuses)) {
            const std::uint64_t left = budget_.cells.value_or(most) - statistics_.cells;
            one.paths = std::min(budget_.explore.paths, left);
            const auto body = [&](const std::vector<Affine>& symbols) {
                const SymbolicState now = system_.state(shape, symbols);
                if (!system_.is_settled(now)) return std::optional<std::vector<LinearForm>>();
                std::vector<LinearForm> drift(forms_.size());
                for (const SymbolicMove& move : system_.moves(now))
                    for (std::size_t k = 0; k < forms_.size(); ++k)
                        drift[k].add(move.probability, forms_[k]->change(now, move.slot.next).form());
                return std::optional(std::move(drift));
            };
            const proof::Space space = space_without(system_, shape, closed.empty);
            const auto cells = explore::explore(space, body, one);
            statistics_ += cells.statistics;
            if (cells.ended && statistics_.cells >= budget_.cells.value_or(most))
                return fmt::format("more than {} cells in all", *budget_.cells);
            if (cells.ended) return cells.ended;
            proof::for_each_leaf(space, cells.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& cell) {
                if (cells.leaves[leaf]) add_cone(cell, *cells.leaves[leaf], space.symbols.size());
            });
        }
        return std::nullopt;
    }

    void add_cone(const std::vector<Constraint>& cell, const std::vector<LinearForm>& drift, std::size_t variables) {
        Cone cone;
        cone.variables = variables;
        LinearForm total;
        for (proof::Variable x = 0; x < variables; ++x) total += LinearForm::variable(x);
        for (const Constraint& c : cell)
            if (Constraint homogeneous{without_constant(c.form), false};
                std::find(cone.directions.begin(), cone.directions.end(), homogeneous) == cone.directions.end())
                cone.directions.push_back(std::move(homogeneous));
        cone.directions.push_back({total - LinearForm(Rational(1)), false});
        cone.directions.push_back({LinearForm(Rational(1)) - total, false});
        for (const LinearForm& form : drift) cone.slope.push_back(without_constant(form));
        if (std::find(cones_.begin(), cones_.end(), cone) != cones_.end()) return;
        if (explore::maximise(cone.directions, LinearForm(), variables).kind == Maximum::Kind::attained)
            cones_.push_back(std::move(cone));
    }

    /// The direction of a cone along which the drift falls least, with its slope.
    [[nodiscard]] Maximum worst(const Cone& cone, const std::vector<Rational>& values) const {
        LinearForm slope = cone.slope.front();
        for (std::size_t k = 0; k < values.size(); ++k) slope.add(values[k], cone.slope[k + 1]);
        return explore::maximise(cone.directions, slope, cone.variables);
    }

    /// Adds the directions on which the proposal falls short of what it promised; whether there is one.
    bool object(const std::vector<Rational>& values, const std::optional<Rational>& promised) {
        const std::size_t before = rows_.size();
        for (const Cone& cone : cones_) {
            const Maximum maximum = worst(cone, values);
            if (promised && maximum.value <= -*promised) continue;
            DriftRow row;
            for (const LinearForm& slope : cone.slope) row.push_back(slope.at(maximum.point));
            rows_.insert(std::move(row));
        }
        return rows_.size() > before;
    }

    /// The parameters of largest slack on the directions known, and the slack.
    [[nodiscard]] std::pair<Rational, std::vector<Rational>> propose() const {
        LinearProgram program;
        for (std::uint32_t k = 0; k < template_.parameters.size(); ++k) {
            (void)program.add_variable();
            program.rows.push_back({{{k, Rational(1)}}, Relation::at_most, template_.largest});
        }
        const std::uint32_t up = program.add_variable(Rational(-1)), down = program.add_variable(Rational(1));
        for (const DriftRow& row : rows_) {
            LinearRow r{{{up, Rational(1)}, {down, Rational(-1)}}, Relation::at_most, -row.front()};
            for (std::uint32_t k = 0; k + 1 < row.size(); ++k)
                if (row[k + 1].sign() != 0) r.entries.emplace_back(k, row[k + 1]);
            program.rows.push_back(std::move(r));
        }
        const auto solution = capacity::solve(program);
        if (!solution) throw LimitExceeded("linear programming", "no method found parameters of the template");
        return {-solution->value, {solution->x.begin(), solution->x.begin() + static_cast<std::ptrdiff_t>(up)}};
    }

    [[nodiscard]] Rational slack(const std::vector<Rational>& values) const {
        std::optional<Rational> highest;
        for (const Cone& cone : cones_) {
            const Rational value = worst(cone, values).value;
            if (!highest || value > *highest) highest = value;
        }
        return -*highest;
    }

    /// The first of the nearest multiples of 1, 1/2, 1/3, ... that keep half of the slack.
    [[nodiscard]] std::vector<Rational> simplified(const std::vector<Rational>& values) const {
        const Rational enough = slack(values) * Rational(Integer(1), Integer(2));
        for (std::int64_t denominator = 1; denominator <= 16; ++denominator) {
            std::vector<Rational> rounded;
            for (const Rational& value : values)
                rounded.push_back(Rational(nearest_integer(value * Rational(denominator))) / Rational(denominator));
            if (slack(rounded) >= enough) return rounded;
        }
        return values;
    }

    std::variant<FoundLyapunov, SynthesisFailure> prove(const ExactSystem& exact, const std::vector<Rational>& values) {
        DriftGoal goal;
        goal.v = template_.at(values);
        DriftOutcome outcome = prove_drift(system_, exact, goal, budget_.explore);
        if (auto* found = std::get_if<DriftProof>(&outcome)) {
            found->statistics += statistics_;
            return FoundLyapunov{std::move(*found), values, slack(values), rounds_, rows_.size()};
        }
        if (std::holds_alternative<DriftRefutation>(outcome))
            throw OracleConflict("a drift that falls along every direction was refuted");
        return failure(std::get<DriftUnknown>(outcome).reason);
    }

    [[nodiscard]] SynthesisFailure failure(std::string reason) const {
        return {std::move(reason), rounds_, statistics_};
    }

    const SymbolicSystem& system_;
    const LyapunovTemplate& template_;
    const SynthesisBudget& budget_;
    std::vector<const LyapunovForm*> forms_;
    std::vector<Cone> cones_;
    std::set<DriftRow> rows_;
    std::uint64_t rounds_ = 0;
    explore::Statistics statistics_;
};

}  // namespace

LyapunovForm LyapunovTemplate::at(const std::vector<Rational>& values, std::string name) const {
    require(values.size() == parameters.size(), "one value per parameter of the template");
    LyapunovForm v{std::move(name), fixed.products, fixed.pieces};
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (values[k].sign() == 0) continue;
        for (LyapunovForm::Product product : parameters[k].form.products) {
            product.coefficient *= values[k];
            v.products.push_back(std::move(product));
        }
        for (LyapunovForm::Piece piece : parameters[k].form.pieces) {
            piece.coefficient *= values[k];
            v.pieces.push_back(std::move(piece));
        }
    }
    return v;
}

LyapunovTemplate pair_template(const Instance& instance, const Layout& layout) {
    if (layout.arrangement() == Arrangement::single || layout.lists_tasks())
        throw InputError::at_key("lyapunov template",
                                 "expected a policy whose queues determine the rate of their tasks");
    LyapunovTemplate shape;
    LyapunovForm pair{"pair", {}, {}}, slow{"slow", {}, {}}, fast{"fast", {}, {}};
    const auto all = IdRange<QueueId>(layout.queues());
    for (const QueueId i : all) {
        shape.fixed.products.push_back({Rational(1), length_form(i), length_form(i)});
        for (const QueueId j : all)
            if (i < j) pair.products.push_back({Rational(1), length_form(i), length_form(j)});
    }
    const auto serves = [&](ServerId m, QueueId q) {
        if (!layout.serves(instance, m, q)) return false;
        return layout.arrangement() == Arrangement::per_type || layout.arrangement() == Arrangement::per_server ||
               layout.is_shared(q) || layout.owner(q) == m;
    };
    for (const ServerId m : instance.servers())
        for (const QueueId q : all)
            for (const QueueId r : all) {
                if (q == r || !serves(m, q) || !serves(m, r)) continue;
                const Rational &run = layout.service_rate(instance, q, m), &wait = layout.service_rate(instance, r, m);
                if (run == wait) continue;
                (run < wait ? slow : fast)
                    .pieces.push_back({LyapunovForm::Condition{m, q, std::nullopt}, Rational(1), {length_form(r)}});
            }
    shape.fixed.name = "squares";
    shape.parameters = {{"pair", std::move(pair)}, {"slow", std::move(slow)}, {"fast", std::move(fast)}};
    return shape;
}

std::variant<FoundLyapunov, SynthesisFailure> synthesise(const SymbolicSystem& system, const ExactSystem& exact,
                                                         const LyapunovTemplate& shape, const SynthesisBudget& budget) {
    try {
        return Synthesis(system, shape, budget).run(exact);
    } catch (const LimitExceeded& limit) {
        if (limit.limit() != "exploration") throw;
        return SynthesisFailure{limit.what(), 0, {}};
    }
}

}  // namespace schedproof::queueing
