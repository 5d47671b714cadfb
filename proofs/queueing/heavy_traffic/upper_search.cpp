/// From prices to a heavy-traffic upper bound, by linear programs over the cells of the kernel.
///
///   closed set   queues that can be joined from the empty cluster; statuses that servers can then have.
///   H            a queue counts its price, the least w_m / rate over the servers that may serve it. A server that is
///                busy below its price, at t mu < w, counts (w - t mu) / mu besides: all that the service will lose is
///                charged when it starts, so that u > 0 only where something is decided against the prices.
///   forms        candidates are the forms that the code compares, with both signs where their coefficients have both.
///                kappa is the least number for which H is at most kappa times their maximum, up to a constant, on
///                every cell with u > 0: a linear program on its directions.
///   statuses     constants that make the form fall fastest where it is large: one linear program over all cells.
///   q, rho, b    on a grid of bases, with doubles; then exactly, rounded to the safe side.
///   k, K, K'     one linear program over all cells and both ends.
/// What is found is then proved, question by question; a double decides nothing.
#include "proofs/queueing/heavy_traffic/upper_search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "model/core/errors.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/heavy_traffic/base_search.hpp"
#include "proofs/queueing/heavy_traffic/collapse_sides.hpp"
#include "proofs/queueing/theorems/mean.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

namespace {

class UpperSearch {
  public:
    UpperSearch(const SlackCells& cells, const BoundaryPrices& prices, const explore::Budget& budget)
        : cells_(cells),
          prices_(prices),
          budget_(budget),
          system_(cells.system()),
          family_(system_.instance()),
          at_(family_.slack().up_to / Rational(10)) {
        sigma_[1] = value_slack(ends_of_slack(family_)[1], prices_);
    }

    UpperOutcome run() {
        if (auto unknown = find_workload()) return *unknown;
        std::optional<UpperUnknown> why;
        std::optional<HeavyUpperTheorem> best;
        for (const std::vector<LinearForm>& forms : candidates()) {
            for (const Manner& manner : manners(forms)) {
                std::variant<HeavyUpperTheorem, UpperUnknown> found = with_forms(forms, manner);
                if (auto* unknown = std::get_if<UpperUnknown>(&found)) {
                    if (!why || why->fact == "B") why = std::move(*unknown);
                    continue;
                }
                auto& theorem = std::get<HeavyUpperTheorem>(found);
                if (!best || bound(theorem) < bound(*best)) best = std::move(theorem);
            }
            if (best && best->collapse.forms.empty()) break;
        }
        if (!best) return *why;
        return prove(*best);
    }

  private:
    [[nodiscard]] Rational bound(const HeavyUpperTheorem& theorem) const {
        return theorem.tasks ? theorem.tasks_at_most(family_, at_) : theorem.workload_at_most(family_, at_);
    }
    std::optional<UpperUnknown> find_workload() {
        std::vector<Rational> weights(cells_.basis().size());
        const auto rate = [&](const LyapunovForm::Condition& c) {
            return system_.layout().rate(family_, *c.queue, *c.level);
        };
        std::vector<bool> priced(cells_.queues());
        for (const auto& condition : cells_.basis().indicators) {
            if (condition.phantom) continue;
            const Rational here = prices_.server[condition.server.index()] / rate(condition);
            Rational& price = weights[condition.queue->index()];
            if (!priced[condition.queue->index()] || here < price) price = here;
            priced[condition.queue->index()] = true;
        }
        for (std::size_t i = 0; i < cells_.basis().indicators.size(); ++i) {
            const auto& condition = cells_.basis().indicators[i];
            const Rational& w = prices_.server[condition.server.index()];
            if (condition.phantom) continue;
            weights[cells_.queues() + i] = w / rate(condition) - weights[condition.queue->index()];
        }
        h_ = cells_.basis().form("H", weights);
        weights_ = weights;
        for (std::size_t i = 0; i < cells_.all().size(); ++i) {
            const SlackCell& cell = cells_.all()[i];
            BalanceParts parts = balance_parts(h_, sigma_[cell.end], state_of(cell), cell.outcomes);
            if (parts.loss.sign() < 0)
                return UpperUnknown{
                    "U",
                    "in a slot the workload can fall faster than the prices of the servers allow: the loss is " +
                        parts.loss.to_string(),
                    cells_.name(cell)};
            largest_loss_ = std::max(largest_loss_, parts.loss);
            parts_.push_back(std::move(parts));
        }
        return std::nullopt;
    }
    /// The statuses of a cell, for functions that look at nothing else.
    [[nodiscard]] SymbolicState state_of(const SlackCell& cell) const {
        SymbolicState state;
        state.serving = cells_.shapes()[cell.shape].serving;
        return state;
    }
    /// H as a form over the queues, statuses as they are in a shape.
    [[nodiscard]] LinearForm workload_at(const SlackCell& cell) const {
        LinearForm form;
        for (std::size_t q = 0; q < cells_.queues(); ++q)
            form.add(weights_[q], LinearForm::variable(static_cast<proof::Variable>(q)));
        return form + LinearForm(cells_.statuses_at(cell.shape, weights_, cells_.queues()));
    }
    /// No forms; then one form that the code compares, on both its sides if it has both.
    [[nodiscard]] std::vector<std::vector<LinearForm>> candidates() const {
        std::vector<std::vector<LinearForm>> all{{}};
        for (const std::vector<Rational>& coefficients : cells_.compared()) {
            LinearForm form;
            for (std::size_t q = 0; q < coefficients.size(); ++q)
                form.add(coefficients[q], LinearForm::variable(static_cast<proof::Variable>(q)));
            if (form.is_constant()) continue;
            all.push_back(is_mixed(form) ? std::vector<LinearForm>{form, -form} : std::vector<LinearForm>{form});
        }
        return all;
    }

    /// How steeply a form can grow along the directions of a cell, per unit of other forms.
    [[nodiscard]] Maximum steepest(std::vector<Constraint> path, const LinearForm& form,
                                   const std::vector<LinearForm>& per_unit_of) const {
        for (Constraint& c : path) c = {c.form - LinearForm(c.form.constant()), false};
        for (const LinearForm& other : per_unit_of) path.push_back({LinearForm(Rational(1)) - other, false});
        return explore::maximise(path, form, cells_.queues());
    }

    /// How forms are tried: with constants of the statuses or without, and in multiples of up to `parts`, which are in
    /// proportion to how much of the workload each side must bound. A side that falls slowly may need little of it.
    struct Manner {
        bool plain = false;
        std::int64_t parts = 1;
    };
    [[nodiscard]] static std::vector<Manner> manners(const std::vector<LinearForm>& forms) {
        if (forms.empty()) return {{true, 1}};
        if (forms.size() == 1) return {{true, 1}, {false, 1}};
        return {{true, 1}, {false, 1}, {true, 8}, {false, 8}};
    }

    /// For each form the least kappa_j for which H is at most max kappa_j l_j where value is lost, up to a constant.
    std::variant<std::vector<Rational>, UpperUnknown> spreads(const std::vector<LinearForm>& forms) const {
        std::vector<Rational> least(std::max<std::size_t>(forms.size(), 1));
        for (std::size_t i = 0; i < cells_.all().size(); ++i) {
            if (parts_[i].loss.sign() == 0) continue;
            const LinearForm h = workload_at(cells_.all()[i]);
            for (std::size_t j = 0; j < least.size(); ++j) {
                std::vector<Constraint> path = cells_.all()[i].path;
                // Where form j is the largest.
                for (const LinearForm& other : forms) path.push_back({forms[j] - other, false});
                const std::vector<LinearForm> own = forms.empty() ? forms : std::vector<LinearForm>{forms[j]};
                const Maximum most = steepest(std::move(path), h - LinearForm(h.constant()), own);
                if (most.kind == Maximum::Kind::unbounded)
                    return UpperUnknown{"B",
                                        "value is lost in states along a direction in which the workload grows and no "
                                        "form does",
                                        cells_.name(cells_.all()[i])};
                if (most.kind == Maximum::Kind::attained) least[j] = std::max(least[j], most.value);
            }
        }
        return least;
    }

    /// Sides of the forms that must bound the workload, in multiples that share a scale, and what is left of kappa.
    struct Sides {
        std::vector<CollapseSide> all;
        Rational spread;
    };
    std::variant<Sides, UpperUnknown> sides_of(const std::vector<LinearForm>& forms, const Manner& manner) const {
        auto found = spreads(forms);
        if (auto* unknown = std::get_if<UpperUnknown>(&found)) return std::move(*unknown);
        const auto& least = std::get<std::vector<Rational>>(found);
        Sides sides{{}, *std::max_element(least.begin(), least.end()) / Rational(manner.parts)};
        std::vector<std::int64_t> multiples;
        std::int64_t scale = 1;
        for (std::size_t j = 0; j < forms.size(); ++j) {
            if (least[j].sign() == 0) continue;
            std::optional<CollapseSide> side = find_side(cells_, forms[j], manner.plain);
            if (!side)
                return UpperUnknown{"F",
                                    fmt::format("no constants of the statuses make {} fall where it is large",
                                                to_string(forms[j], system_.space(cells_.shapes().front()))),
                                    ""};
            sides.all.push_back(std::move(*side));
            scale = std::lcm(scale, sides.all.back().scale);
            multiples.push_back(static_cast<std::int64_t>(-floor(-least[j] / sides.spread)));
        }
        if (sides.all.empty() && !forms.empty())
            return UpperUnknown{"B", "the workload is bounded by no form where value is lost", ""};
        for (std::size_t j = 0; j < sides.all.size(); ++j) {
            sides.all[j].rescale(scale);
            sides.all[j].rescale(scale * multiples[j]);
        }
        sides.spread /= Rational(scale);
        return sides;
    }

    std::variant<HeavyUpperTheorem, UpperUnknown> with_forms(const std::vector<LinearForm>& forms,
                                                             const Manner& manner) {
        auto found = sides_of(forms, manner);
        if (auto* unknown = std::get_if<UpperUnknown>(&found)) return std::move(*unknown);
        const auto& [sides, spread] = std::get<Sides>(found);
        HeavyUpperTheorem theorem;
        theorem.prices = prices_;
        theorem.collapse.closed = cells_.closed();
        theorem.collapse.base = theorem.collapse.rate = theorem.collapse.bound = Rational(1);
        theorem.h = h_;
        theorem.largest_loss = largest_loss_;
        theorem.constant = leading_constants(family_, prices_);
        theorem.spread = spread;
        for (const CollapseSide& side : sides)
            theorem.collapse.forms.push_back(
                collapse_form(cells_, side, fmt::format("l{}", theorem.collapse.forms.size() + 1)));
        if (!sides.empty())
            if (const auto why = choose_base(theorem.collapse, system_, cells_.ends(), factor(), budget_))
                return UpperUnknown{"F", *why, ""};
        if (auto unknown = balance(theorem, sides)) return *unknown;
        bound_tasks(theorem, sides);
        return theorem;
    }

    /// What b / rho is multiplied by where the bound is wanted.
    [[nodiscard]] double factor() const {
        return (largest_loss_ / (at_ / family_.slack().up_to * sigma_[1])).approximate();
    }

    /// How much H may exceed kappa times the largest form on a cell.
    [[nodiscard]] Maximum excess(const SlackCell& cell, const LinearForm& left, const Rational& spread,
                                 const std::vector<CollapseSide>& sides) const {
        const auto z = static_cast<proof::Variable>(cells_.queues());
        if (sides.empty()) return explore::maximise(cell.path, left, cells_.queues());
        std::vector<Constraint> path = cell.path;
        for (const CollapseSide& side : sides) {
            LinearForm room = left - LinearForm::variable(z);
            room.add(-spread, side.form + LinearForm(cells_.statuses_at(cell.shape, side.statuses, 0)));
            path.push_back({std::move(room), false});
        }
        return explore::maximise(path, LinearForm::variable(z), cells_.queues() + 1);
    }

    /// (B) on a cell, whose loss can bring at most `excess`. Variables of either sign as differences of two: k per
    /// function of the basis, then K, then K'.
    [[nodiscard]] LinearRow balance_row(std::size_t i, const Rational& excess, const Rational& constant) const {
        const std::size_t count = cells_.basis().size();
        LinearRow row{{}, Relation::at_most, constant - parts_[i].half_square - parts_[i].loss * excess};
        const auto add = [&](std::size_t x, const Rational& c) {
            if (c.sign() == 0) return;
            row.entries.emplace_back(static_cast<std::uint32_t>(2 * x), c);
            row.entries.emplace_back(static_cast<std::uint32_t>(2 * x + 1), -c);
        };
        for (std::size_t k = 0; k < count; ++k)
            if (k >= cells_.queues() || !cells_.is_empty(k)) add(k, cells_.rows()[i][k]);
        add(count, -parts_[i].loss);
        add(count + 1, -sigma_[cells_.all()[i].end]);
        return row;
    }

    std::optional<UpperUnknown> balance(HeavyUpperTheorem& theorem, const std::vector<CollapseSide>& sides) {
        const std::size_t count = cells_.basis().size();
        LinearProgram program;
        for (std::size_t x = 0; x < 2 * (count + 2); ++x)
            (void)program.add_variable(x < 2 * count ? Rational(0) : Rational(x % 2 == 0 ? 1 : -1));
        for (std::size_t i = 0; i < cells_.all().size(); ++i) {
            const SlackCell& cell = cells_.all()[i];
            Maximum most{Maximum::Kind::attained, Rational(0), {}, {}};
            if (parts_[i].loss.sign() > 0) most = excess(cell, workload_at(cell), theorem.spread, sides);
            if (most.kind == Maximum::Kind::unbounded)
                return UpperUnknown{"B", "the workload is not bounded by the forms where value is lost",
                                    cells_.name(cell)};
            if (most.kind == Maximum::Kind::attained)
                program.rows.push_back(balance_row(i, most.value, theorem.constant[cell.end]));
        }
        const auto solution = capacity::solve(program);
        if (!solution)
            return UpperUnknown{"B", "no corrections of the second moments balance the variance at the boundary", ""};
        std::vector<Rational> k;
        for (std::size_t x = 0; x < count + 2; ++x) k.push_back(solution->x[2 * x] - solution->x[2 * x + 1]);
        theorem.with_loss = k[count];
        theorem.with_slack = rounded_up(k[count + 1], 4);
        k.resize(count);
        theorem.k = cells_.basis().form("k", k);
        std::erase_if(theorem.k.pieces, [](const auto& piece) { return piece.largest_of.front() == LinearForm(); });
        return std::nullopt;
    }

    /// (T), where the tasks beyond the workload are bounded by the forms.
    void bound_tasks(HeavyUpperTheorem& theorem, const std::vector<CollapseSide>& sides) const {
        LinearForm beyond;
        for (std::size_t q = 0; q < cells_.queues(); ++q)
            beyond.add(Rational(1) - weights_[q], LinearForm::variable(static_cast<proof::Variable>(q)));
        HeavyUpperTheorem::Tasks tasks;
        std::vector<LinearForm> forms;
        for (const CollapseSide& side : sides) forms.push_back(side.form);
        std::vector<SlackCell> spaces;
        for (std::size_t s = 0; s < cells_.shapes().size(); ++s)
            spaces.push_back(
                {0, s, space_without(system_, cells_.shapes()[s], cells_.closed().empty).constraints(), {}});
        for (const SlackCell& cell : spaces) {
            if (steepest(cell.path, beyond, {}).kind != Maximum::Kind::unbounded) continue;
            const Maximum most = steepest(cell.path, beyond, forms);
            if (forms.empty() || most.kind == Maximum::Kind::unbounded) return;
            tasks.spread = std::max(tasks.spread, most.value);
        }
        std::optional<Rational> constant;
        for (const SlackCell& cell : spaces) {
            const LinearForm left = beyond - LinearForm(cells_.statuses_at(cell.shape, weights_, cells_.queues()));
            const Maximum most = excess(cell, left, tasks.spread, sides);
            if (most.kind == Maximum::Kind::unbounded) return;
            if (most.kind == Maximum::Kind::attained && (!constant || most.value > *constant)) constant = most.value;
        }
        tasks.constant = constant.value_or(Rational(0));
        theorem.tasks = tasks;
    }

    UpperOutcome prove(const HeavyUpperTheorem& theorem) {
        if (const std::string wrong = arithmetic_rejection(system_, theorem); !wrong.empty())
            throw OracleConflict("the facts that were found do not fit: " + wrong);
        QuestionProofs proved = prove_all(questions(system_, theorem), budget_);
        if (!proved.failed.empty())
            return UpperUnknown{proved.failed.substr(0, proved.failed.find(' ')), proved.failed, ""};
        proved.statistics += cells_.statistics();
        return UpperProof{theorem, std::move(proved.proofs), proved.statistics};
    }

    const SlackCells& cells_;
    const BoundaryPrices& prices_;
    const explore::Budget& budget_;
    const SymbolicSystem& system_;
    const Instance& family_;
    Rational at_;  // the slack at which the least bound is wanted
    std::array<Rational, 2> sigma_;
    LyapunovForm h_;
    std::vector<Rational> weights_;  // of H, per function of the basis
    std::vector<BalanceParts> parts_;
    Rational largest_loss_;
};

}  // namespace

UpperOutcome best_upper(const SlackCells& cells, const BoundaryPrices& prices, const explore::Budget& budget) {
    return UpperSearch(cells, prices, budget).run();
}

}  // namespace schedproof::heavy_traffic
