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
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "model/core/errors.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/heavy_traffic/lower_search.hpp"
#include "proofs/queueing/theorems/mean.hpp"
#include "proofs/queueing/transience/linear_cells.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
using explore::Affine;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

namespace {

/// A cell of the kernel at one end of the family.
struct Cell {
    std::size_t end = 0, shape = 0;
    std::vector<Constraint> path;
    std::vector<LinearOutcome> outcomes;
};

/// A form with status constants found for it, and all that is needed of it to choose a base.
struct Side {
    LinearForm form;                 ///< over queues, integer
    std::vector<Rational> statuses;  ///< per indicator of the basis, integer
    std::int64_t scale = 1;          ///< what form and statuses were multiplied by
    std::int64_t low = 0, high = 0;
};

Rational mean_change(const std::vector<Rational>& row, const LinearForm& form) {
    Rational sum;
    for (const auto& [q, c] : form.terms()) sum += c * row.at(q);
    return sum;
}

bool is_mixed(const LinearForm& form) {
    bool up = false, down = false;
    for (const auto& [q, c] : form.terms()) (c.sign() > 0 ? up : down) = true;
    return up && down;
}

}  // namespace

ClosedSet find_closed_set(const SymbolicSystem& system, const explore::Budget& budget) {
    const Instance& instance = system.instance();
    const std::size_t queues = system.layout().queues();
    Shape idle;
    idle.serving.assign(instance.servers().size(), Service{});
    std::vector<bool> joined(queues);
    ClosedSet closed;
    const auto set_empty = [&] {
        closed.empty.clear();
        for (const QueueId q : IdRange<QueueId>(queues))
            if (!joined[q.index()]) closed.empty.push_back(q);
    };
    const auto all_of = [&](const auto& body) {
        auto cells = explore::explore(space_without(system, idle, closed.empty), body, budget);
        if (cells.ended) throw LimitExceeded("exploration", *cells.ended);
        return std::move(cells.leaves);
    };
    for (bool grown = true; grown;) {
        grown = false;
        set_empty();
        for (const TaskTypeId type : instance.types()) {
            if (instance.arrival_rate(type).sign() == 0) continue;
            const auto leaves = all_of([&](const std::vector<Affine>& symbols) {
                std::vector<std::size_t> found;
                for (const Candidate& candidate : system.route(system.state(idle, symbols), type))
                    found.push_back(candidate.queue.index());
                return found;
            });
            for (const auto& found : leaves)
                for (const std::size_t q : found) {
                    grown = grown || !joined[q];
                    joined[q] = true;
                }
        }
    }
    closed.statuses.assign(instance.servers().size(), {Service{}});
    for (bool grown = true; grown;) {
        grown = false;
        const std::vector<std::vector<Service>> before = closed.statuses;
        for (const ServerId m : instance.servers()) {
            const std::vector<Shape> shapes = shapes_with_idle(system, m, before);
            const auto leaves =
                all_of([&](const std::vector<Affine>& symbols) { return statuses_led_to(system, m, shapes, symbols); });
            std::set<Service> found(before[m.index()].begin(), before[m.index()].end());
            for (const std::vector<Service>& some : leaves)
                for (const Service& status : some)
                    // A server that turns to a queue without tasks stays idle.
                    if (status.status != Service::Status::busy || joined[status.queue.index()]) found.insert(status);
            grown = grown || found.size() > before[m.index()].size();
            closed.statuses[m.index()].assign(found.begin(), found.end());
        }
    }
    return closed;
}

namespace {

class UpperSearch {
  public:
    UpperSearch(const SymbolicSystem& system, const UpperGoal& goal)
        : system_(system), goal_(goal), family_(system.instance()), ends_(slack_ends(system)) {
        prices_ = boundary_prices(family_);
        sigma_[1] = value_slack(*ends_.instance[1], prices_);
        at_ = goal.at.value_or(family_.slack().up_to / Rational(10));
    }

    UpperOutcome run() {
        if (system_.layout().lists_tasks() || system_.counters() > 0)
            return UpperUnknown{"exploration", "the policy lists tasks or keeps counters, which no form speaks of", ""};
        closed_ = find_closed_set(system_, goal_.budget);
        basis_.emplace(system_.layout(), closed_.statuses);
        shapes_ = shapes_of(closed_.statuses);
        if (auto unknown = explore_cells()) return *unknown;
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
    void say(const std::string& line) const {
        if (goal_.say) goal_.say(line);
    }
    [[nodiscard]] Rational bound(const HeavyUpperTheorem& theorem) const {
        return theorem.tasks ? theorem.tasks_at_most(family_, at_) : theorem.workload_at_most(family_, at_);
    }
    [[nodiscard]] bool is_empty(std::size_t queue) const {
        return std::binary_search(closed_.empty.begin(), closed_.empty.end(), QueueId(queue));
    }
    [[nodiscard]] std::string name_of(const Cell& cell) const {
        std::string text = shape_name(system_, shapes_[cell.shape]);
        const proof::Space space = system_.space(shapes_[cell.shape]);
        for (std::size_t i = space.symbols.size() + closed_.empty.size(); i < cell.path.size(); ++i)
            text += fmt::format("; {} {} 0", to_string(cell.path[i].form, space), cell.path[i].strict ? ">" : ">=");
        return text;
    }
    /// The mean change of each function of the basis on a cell.
    [[nodiscard]] std::vector<Rational> row_of(const Cell& cell) const {
        std::vector<Rational> row(basis_->size());
        const Vector<Service>& now = shapes_[cell.shape].serving;
        for (const LinearOutcome& outcome : cell.outcomes) {
            for (std::size_t q = 0; q < basis_->queues; ++q) row[q] += outcome.probability * outcome.growth[q];
            for (std::size_t i = 0; i < basis_->indicators.size(); ++i)
                if (basis_->indicators[i].holds(outcome.serving)) row[basis_->queues + i] += outcome.probability;
        }
        for (std::size_t i = 0; i < basis_->indicators.size(); ++i)
            if (basis_->indicators[i].holds(now)) row[basis_->queues + i] -= Rational(1);
        return row;
    }

    std::optional<UpperUnknown> explore_cells() {
        for (std::size_t end = 0; end < 2; ++end)
            for (std::size_t s = 0; s < shapes_.size(); ++s) {
                const proof::Space space = space_without(system_, shapes_[s], closed_.empty);
                auto cells = explore::explore(
                    space,
                    [&](const std::vector<Affine>& symbols) {
                        return linear_outcomes(*ends_.system[end], ends_.system[end]->state(shapes_[s], symbols));
                    },
                    goal_.budget);
                statistics_ += cells.statistics;
                if (cells.ended) return UpperUnknown{"exploration", *cells.ended, ""};
                for (const proof::Tree::Node& node : cells.tree.nodes) compared_.insert(on_live_queues(node.atom.form));
                proof::for_each_leaf(space, cells.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& path) {
                    cells_.push_back({end, s, path, cells.leaves[leaf]});
                });
            }
        for (const Cell& cell : cells_) rows_.push_back(row_of(cell));
        say(fmt::format("{} cells at both ends, {} queues in use, {} combinations of statuses", cells_.size(),
                        basis_->queues - closed_.empty.size(), shapes_.size()));
        return std::nullopt;
    }

    /// A form without the queues that are empty, its first coefficient positive and all coprime integers.
    [[nodiscard]] std::vector<Rational> on_live_queues(const LinearForm& form) const {
        std::vector<Rational> coefficients(basis_->queues);
        Integer divisor = 0;
        int sign = 0;
        for (const auto& [q, c] : form.terms())
            if (q < basis_->queues && !is_empty(q)) {
                coefficients[q] = c;
                divisor = gcd(divisor, c.numerator());
                if (sign == 0) sign = c.sign();
            }
        if (sign != 0)
            for (Rational& c : coefficients) c /= Rational(sign > 0 ? divisor : Integer(-divisor));
        return coefficients;
    }

    std::optional<UpperUnknown> find_workload() {
        std::vector<Rational> weights(basis_->size());
        const auto rate = [&](const LyapunovForm::Condition& c) {
            return system_.layout().rate(family_, *c.queue, *c.level);
        };
        std::vector<bool> priced(basis_->queues);
        for (const auto& condition : basis_->indicators) {
            if (condition.phantom) continue;
            const Rational here = prices_.server[condition.server.index()] / rate(condition);
            Rational& price = weights[condition.queue->index()];
            if (!priced[condition.queue->index()] || here < price) price = here;
            priced[condition.queue->index()] = true;
        }
        for (std::size_t i = 0; i < basis_->indicators.size(); ++i) {
            const auto& condition = basis_->indicators[i];
            const Rational& w = prices_.server[condition.server.index()];
            if (condition.phantom) continue;
            weights[basis_->queues + i] = w / rate(condition) - weights[condition.queue->index()];
        }
        h_ = basis_->form("H", weights);
        weights_ = weights;
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            const Cell& cell = cells_[i];
            BalanceParts parts = balance_parts(h_, sigma_[cell.end], state_of(cell), cell.outcomes);
            if (parts.loss.sign() < 0)
                return UpperUnknown{
                    "U",
                    "in a slot the workload can fall faster than the prices of the servers allow: the loss is " +
                        parts.loss.to_string(),
                    name_of(cell)};
            largest_loss_ = std::max(largest_loss_, parts.loss);
            parts_.push_back(std::move(parts));
        }
        return std::nullopt;
    }
    /// The statuses of a cell, for functions that look at nothing else.
    [[nodiscard]] SymbolicState state_of(const Cell& cell) const {
        SymbolicState state;
        state.serving = shapes_[cell.shape].serving;
        return state;
    }
    /// H as a form over the queues, statuses as they are in a shape.
    [[nodiscard]] LinearForm workload_at(const Cell& cell) const {
        LinearForm form;
        for (std::size_t q = 0; q < basis_->queues; ++q)
            form.add(weights_[q], LinearForm::variable(static_cast<proof::Variable>(q)));
        return form + LinearForm(statuses_at(cell.shape, weights_, basis_->queues));
    }
    [[nodiscard]] Rational statuses_at(std::size_t shape, const std::vector<Rational>& weights,
                                       std::size_t from) const {
        Rational sum;
        for (std::size_t i = 0; i < basis_->indicators.size(); ++i)
            if (basis_->indicators[i].holds(shapes_[shape].serving)) sum += weights[from + i];
        return sum;
    }

    /// No forms; then one form that the code compares, on both its sides if it has both.
    [[nodiscard]] std::vector<std::vector<LinearForm>> candidates() const {
        std::vector<std::vector<LinearForm>> all{{}};
        for (const std::vector<Rational>& coefficients : compared_) {
            LinearForm form;
            for (std::size_t q = 0; q < coefficients.size(); ++q)
                form.add(coefficients[q], LinearForm::variable(static_cast<proof::Variable>(q)));
            if (form.is_constant()) continue;
            all.push_back(is_mixed(form) ? std::vector<LinearForm>{form, -form} : std::vector<LinearForm>{form});
        }
        return all;
    }

    /// The largest value of a form on a cell, or on its directions.
    [[nodiscard]] Maximum largest(std::vector<Constraint> path, bool directions, const LinearForm& form,
                                  const std::vector<LinearForm>& at_most_one, const Rational& bound) const {
        if (directions)
            for (Constraint& c : path) c = {c.form - LinearForm(c.form.constant()), false};
        for (const LinearForm& other : at_most_one) path.push_back({LinearForm(bound) - other, false});
        return explore::maximise(path, form, basis_->queues);
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
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            if (parts_[i].loss.sign() == 0) continue;
            const LinearForm h = workload_at(cells_[i]);
            for (std::size_t j = 0; j < least.size(); ++j) {
                std::vector<Constraint> path = cells_[i].path;
                // Where form j is the largest.
                for (const LinearForm& other : forms) path.push_back({forms[j] - other, false});
                const std::vector<LinearForm> own = forms.empty() ? forms : std::vector<LinearForm>{forms[j]};
                const Maximum most = largest(std::move(path), true, h - LinearForm(h.constant()), own, Rational(1));
                if (most.kind == Maximum::Kind::unbounded)
                    return UpperUnknown{"B",
                                        "value is lost in states along a direction in which the workload grows and no "
                                        "form does",
                                        name_of(cells_[i])};
                if (most.kind == Maximum::Kind::attained) least[j] = std::max(least[j], most.value);
            }
        }
        return least;
    }

    std::variant<HeavyUpperTheorem, UpperUnknown> with_forms(const std::vector<LinearForm>& given,
                                                             const Manner& manner) {
        auto found = spreads(given);
        if (auto* unknown = std::get_if<UpperUnknown>(&found)) return std::move(*unknown);
        const auto& least = std::get<std::vector<Rational>>(found);
        const Rational largest_of = *std::max_element(least.begin(), least.end());
        Rational spread = largest_of / Rational(manner.parts);
        std::vector<LinearForm> forms;
        std::vector<std::int64_t> multiples;
        for (std::size_t j = 0; j < given.size(); ++j) {
            if (least[j].sign() == 0) continue;
            forms.push_back(given[j]);
            multiples.push_back(static_cast<std::int64_t>(-floor(-least[j] / spread)));
        }
        if (forms.empty() && !given.empty())
            return UpperUnknown{"B", "the workload is bounded by no form where value is lost", ""};
        HeavyUpperTheorem theorem;
        theorem.prices = prices_;
        theorem.collapse.closed = closed_;
        theorem.collapse.base = Rational(2);
        theorem.collapse.rate = theorem.collapse.bound = Rational(1);
        theorem.h = h_;
        theorem.largest_loss = largest_loss_;
        theorem.constant = variance_constants(family_, prices_);
        for (Rational& c : theorem.constant) c /= Rational(2);
        std::vector<Side> sides;
        std::int64_t scale = 1;
        for (const LinearForm& form : forms) {
            std::optional<Side> side = side_of(form, manner.plain);
            if (!side)
                return UpperUnknown{"F",
                                    fmt::format("no constants of the statuses make {} fall where it is large",
                                                to_string(form, system_.space(shapes_.front()))),
                                    ""};
            sides.push_back(std::move(*side));
            scale = std::lcm(scale, sides.back().scale);
        }
        for (Side& side : sides) rescale(side, scale);
        for (std::size_t j = 0; j < sides.size(); ++j) rescale(sides[j], scale * multiples[j]);
        theorem.spread = spread / Rational(scale);
        for (const Side& side : sides) {
            std::vector<Rational> weights(basis_->size());
            for (const auto& [q, c] : side.form.terms()) weights[q] = c;
            std::copy(side.statuses.begin(), side.statuses.end(),
                      weights.begin() + static_cast<std::ptrdiff_t>(basis_->queues));
            theorem.collapse.forms.push_back(
                {basis_->form(fmt::format("l{}", theorem.collapse.forms.size() + 1), weights), side.low, side.high});
        }
        if (!sides.empty())
            if (auto unknown = choose_base(theorem)) return *unknown;
        if (auto unknown = balance(theorem, sides)) return *unknown;
        bound_tasks(theorem, sides);
        return theorem;
    }

    static void rescale(Side& side, std::int64_t scale) {
        const std::int64_t factor = scale / side.scale;
        side.form *= Rational(factor);
        for (Rational& s : side.statuses) s *= Rational(factor);
        side.low *= factor;
        side.high *= factor;
        side.scale = scale;
    }

    /// Cells that reach where the form is at least a number.
    [[nodiscard]] std::vector<std::size_t> far_cells(const LinearForm& form, std::int64_t from) const {
        std::vector<std::size_t> far;
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            const Maximum most = explore::maximise(cells_[i].path, form, basis_->queues);
            if (most.kind == Maximum::Kind::unbounded ||
                (most.kind == Maximum::Kind::attained && most.value >= Rational(from)))
                far.push_back(i);
        }
        return far;
    }

    /// The least fall of form and statuses over some cells.
    [[nodiscard]] Rational least_fall(const LinearForm& form, const std::vector<Rational>& statuses,
                                      const std::vector<std::size_t>& cells) const {
        std::optional<Rational> least;
        for (const std::size_t i : cells) {
            Rational fall = -mean_change(rows_[i], form);
            for (std::size_t k = 0; k < statuses.size(); ++k) fall -= statuses[k] * rows_[i][basis_->queues + k];
            if (!least || fall < *least) least = std::move(fall);
        }
        return least.value_or(Rational(1));
    }

    /// Constants of the statuses for which a form falls as fast as can be, in whole parts of a scale.
    [[nodiscard]] std::optional<Side> side_of(const LinearForm& form, bool plain) const {
        for (const std::int64_t from : {1, 2, 3, 4, 6, 8, 12}) {
            const std::vector<std::size_t> far = far_cells(form, from);
            if (plain) {
                std::vector<Rational> none(basis_->indicators.size());
                if (least_fall(form, none, far).sign() > 0) return side_at(form, std::move(none), 1, from);
                continue;
            }
            const std::optional<std::vector<Rational>> statuses = best_statuses(form, far);
            if (!statuses) continue;
            const Rational fall = least_fall(form, *statuses, far);
            for (const std::int64_t scale : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16}) {
                std::vector<Rational> rounded;
                for (const Rational& s : *statuses)
                    rounded.push_back(Rational(nearest_integer(Rational(scale) * s)) / Rational(scale));
                if (least_fall(form, rounded, far) * Rational(4) < fall * Rational(3)) continue;
                return side_at(form, std::move(rounded), scale, from);
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] Side side_at(const LinearForm& form, std::vector<Rational> statuses, std::int64_t scale,
                               std::int64_t from) const {
        Side side{form, std::move(statuses), 1, 0, 0};
        Rational most, least;
        for (std::size_t s = 0; s < shapes_.size(); ++s) {
            const Rational here = statuses_at(s, side.statuses, 0);
            most = std::max(most, here);
            least = std::min(least, here);
        }
        // From `high` on the form itself is at least `from`.
        side.high = -static_cast<std::int64_t>(floor(-most)) + from;
        side.low = is_mixed(form) ? std::min<std::int64_t>(-4, -from) - 1 : static_cast<std::int64_t>(floor(least)) - 1;
        rescale(side, scale);
        side.high = -static_cast<std::int64_t>(floor(-Rational(scale) * (most + Rational(from))));
        return side;
    }

    [[nodiscard]] std::optional<std::vector<Rational>> best_statuses(const LinearForm& form,
                                                                     const std::vector<std::size_t>& far) const {
        // Variables: statuses + bound >= 0; the fall; sizes of the statuses.
        const std::size_t count = basis_->indicators.size();
        Rational widest;
        for (const auto& [q, c] : form.terms()) widest = std::max(widest, c.sign() < 0 ? -c : c);
        const Rational bound = Rational(32) * widest;
        const auto program_with = [&](const std::optional<Rational>& wanted) {
            LinearProgram program;
            for (std::size_t i = 0; i < count; ++i) {
                (void)program.add_variable();
                program.rows.push_back(
                    {{{static_cast<std::uint32_t>(i), Rational(1)}}, Relation::at_most, Rational(2) * bound});
            }
            const std::uint32_t fall = program.add_variable(wanted ? Rational(0) : Rational(-1));
            for (const std::size_t i : far) {
                LinearRow row{{}, Relation::at_most, -mean_change(rows_[i], form)};
                for (std::size_t k = 0; k < count; ++k) {
                    const Rational& c = rows_[i][basis_->queues + k];
                    if (c.sign() == 0) continue;
                    row.entries.emplace_back(static_cast<std::uint32_t>(k), c);
                    row.rhs += c * bound;
                }
                row.entries.emplace_back(fall, Rational(1));
                program.rows.push_back(std::move(row));
            }
            if (wanted) {
                program.rows.push_back({{{fall, Rational(1)}}, Relation::at_least, *wanted});
                for (std::uint32_t i = 0; i < count; ++i) {
                    const std::uint32_t size = program.add_variable(Rational(1));
                    program.rows.push_back({{{size, Rational(1)}, {i, Rational(-1)}}, Relation::at_least, -bound});
                    program.rows.push_back({{{size, Rational(1)}, {i, Rational(1)}}, Relation::at_least, bound});
                }
            } else {
                program.rows.push_back({{{fall, Rational(1)}}, Relation::at_most, widest});
            }
            return capacity::solve(program);
        };
        const auto most = program_with(std::nullopt);
        if (!most || most->value.sign() >= 0) return std::nullopt;
        const auto simplest = program_with(-most->value * Rational(Integer(9), Integer(10)));
        if (!simplest) return std::nullopt;
        std::vector<Rational> statuses;
        for (std::size_t i = 0; i < count; ++i) statuses.push_back(simplest->x[i] - bound);
        return statuses;
    }

    /// On a cell that is split by the values of the forms: how each form changes, and what is known of its value.
    struct Split {
        struct Of {
            std::vector<std::pair<std::int64_t, Rational>> changes;  ///< change and probability
            bool tail = false, below = false;
            std::int64_t value = 0;  ///< `high` of a tail, `low` below
        };
        std::vector<Of> forms;
    };
    [[nodiscard]] std::optional<std::vector<Split>> split_cells(const HeavyUpperTheorem& theorem) const {
        std::vector<Split> all;
        for (std::size_t end = 0; end < 2; ++end)
            for (std::size_t s = 0; s < shapes_.size(); ++s) {
                auto found = explore::explore(
                    space_without(system_, shapes_[s], closed_.empty),
                    [&](const std::vector<Affine>& symbols) {
                        const SymbolicState state = ends_.system[end]->state(shapes_[s], symbols);
                        const std::vector<LinearOutcome> outcomes = linear_outcomes(*ends_.system[end], state);
                        Split split;
                        for (const CollapseForm& form : theorem.collapse.forms)
                            split.forms.push_back(part_of(form, state, outcomes));
                        return split;
                    },
                    goal_.budget);
                if (found.ended) return std::nullopt;
                for (Split& split : found.leaves) all.push_back(std::move(split));
            }
        return all;
    }
    static Split::Of part_of(const CollapseForm& form, const SymbolicState& state,
                             const std::vector<LinearOutcome>& outcomes) {
        Split::Of of;
        for (const LinearOutcome& outcome : outcomes)
            of.changes.emplace_back(static_cast<std::int64_t>(change_of(form.form, state.serving, outcome).numerator()),
                                    outcome.probability);
        const Affine value = value_of(form.form, state);
        if (value >= Affine(form.high)) {
            of.tail = true;
            of.value = form.high;
        } else if (value <= Affine(form.low)) {
            of.below = true;
            of.value = form.low;
        } else {
            of.value = form.low + 1;
            while (of.value + 1 < form.high && value >= Affine(of.value + 1)) ++of.value;
        }
        return of;
    }

    /// rho and b of a base, in doubles or exactly.
    template <class N, class Power>
    static std::optional<N> slowest(const std::vector<Split>& splits, Power&& power) {
        std::optional<N> most;
        for (const Split& split : splits)
            for (const Split::Of& of : split.forms) {
                if (!of.tail) continue;
                N mean(0);
                for (const auto& [change, p] : of.changes) mean = mean + power(change, p);
                if (!most || mean > *most) most = mean;
            }
        return most;
    }
    template <class N, class Power>
    static N largest_growth(const std::vector<Split>& splits, const N& rate, Power&& power) {
        N most(0);
        for (const Split& split : splits) {
            N sum(0);
            bool grows = false;
            for (const Split::Of& of : split.forms) {
                N a = rate - N(1);
                for (const auto& [change, p] : of.changes) a = a + power(change, p);
                if (a > N(0)) grows = true;
                if (!of.below || a > N(0)) sum = sum + a * power(of.value, Rational(1));
            }
            if (grows && sum > most) most = sum;
        }
        return most;
    }

    std::optional<UpperUnknown> choose_base(HeavyUpperTheorem& theorem) {
        const auto splits = split_cells(theorem);
        if (!splits) return UpperUnknown{"exploration", "too many cells when split by the values of the forms", ""};
        const double sigma = (at_ / family_.slack().up_to * sigma_[1]).approximate();
        const double loss = largest_loss_.approximate();
        std::optional<double> least;
        double base = 0, share = 0;
        for (int step = 1; step <= 120; ++step) {
            const double theta = 0.02 * step;
            const auto power = [&](std::int64_t n, const Rational& p) {
                return p.approximate() * std::exp(theta * static_cast<double>(n));
            };
            const auto most = slowest<double>(*splits, power);
            if (most && *most >= 1) continue;
            for (const double part : {1.0, 0.8, 0.6, 0.4}) {
                const double rate = part * (most ? 1 - *most : 1);
                if (rate < 1e-7) continue;
                const double b = largest_growth<double>(*splits, rate, power);
                const double value = std::log(loss * b / (rate * sigma)) / theta;
                if (!least || value < *least) {
                    least = value;
                    base = std::exp(theta);
                    share = part;
                }
            }
        }
        if (!least) return UpperUnknown{"F", "no base makes the exponentials of the forms fall far out", ""};
        const std::int64_t parts = base > 3 ? 8 : base > 1.5 ? 32 : 256;
        theorem.collapse.base = Rational(Integer(std::llround(base * static_cast<double>(parts))), Integer(parts));
        const auto exact = [&](std::int64_t n, const Rational& p) {
            return p * queueing::power(theorem.collapse.base, n);
        };
        const auto most = slowest<Rational>(*splits, exact);
        const Rational fall = most ? Rational(1) - *most : Rational(1);
        if (fall.sign() <= 0) return UpperUnknown{"F", "no base makes the exponentials of the forms fall far out", ""};
        theorem.collapse.rate = rounded_down(fall * Rational(Integer(std::llround(share * 10)), Integer(10)), 6);
        if (theorem.collapse.rate.sign() <= 0)
            return UpperUnknown{"F", "the exponentials of the forms fall too slowly far out", ""};
        theorem.collapse.bound =
            std::max(rounded_up(largest_growth<Rational>(*splits, theorem.collapse.rate, exact), 4),
                     Rational(Integer(1), Integer(10'000)));
        say(fmt::format("collapse: q = {}, rho = {}, b = {}", theorem.collapse.base.to_string(),
                        theorem.collapse.rate.to_string(), theorem.collapse.bound.to_string()));
        return std::nullopt;
    }

    /// How much H may exceed kappa times the largest form on a cell.
    [[nodiscard]] Maximum excess(const Cell& cell, const LinearForm& left, const Rational& spread,
                                 const std::vector<Side>& sides) const {
        const auto z = static_cast<proof::Variable>(basis_->queues);
        if (sides.empty()) return explore::maximise(cell.path, left, basis_->queues);
        std::vector<Constraint> path = cell.path;
        for (const Side& side : sides) {
            LinearForm room = left - LinearForm::variable(z);
            room.add(-spread, side.form + LinearForm(statuses_at(cell.shape, side.statuses, 0)));
            path.push_back({std::move(room), false});
        }
        return explore::maximise(path, LinearForm::variable(z), basis_->queues + 1);
    }

    std::optional<UpperUnknown> balance(HeavyUpperTheorem& theorem, const std::vector<Side>& sides) {
        // Variables of either sign as differences: k per function of the basis, then K, then K'.
        const std::size_t count = basis_->size();
        LinearProgram program;
        for (std::size_t x = 0; x < 2 * (count + 2); ++x)
            (void)program.add_variable(x < 2 * count ? Rational(0) : Rational(x % 2 == 0 ? 1 : -1));
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            const Cell& cell = cells_[i];
            Rational here = parts_[i].half_square;
            if (parts_[i].loss.sign() > 0) {
                const Maximum most = excess(cell, workload_at(cell), theorem.spread, sides);
                if (most.kind == Maximum::Kind::unbounded)
                    return UpperUnknown{"B", "the workload is not bounded by the forms where value is lost",
                                        name_of(cell)};
                if (most.kind == Maximum::Kind::empty) continue;
                here += parts_[i].loss * most.value;
            }
            LinearRow row{{}, Relation::at_most, theorem.constant[cell.end] - here};
            const auto add = [&](std::size_t x, const Rational& c) {
                if (c.sign() == 0) return;
                row.entries.emplace_back(static_cast<std::uint32_t>(2 * x), c);
                row.entries.emplace_back(static_cast<std::uint32_t>(2 * x + 1), -c);
            };
            for (std::size_t k = 0; k < count; ++k)
                if (k >= basis_->queues || !is_empty(k)) add(k, rows_[i][k]);
            add(count, -parts_[i].loss);
            add(count + 1, -sigma_[cell.end]);
            program.rows.push_back(std::move(row));
        }
        const auto solution = capacity::solve(program);
        if (!solution)
            return UpperUnknown{"B", "no corrections of the second moments balance the variance at the boundary", ""};
        std::vector<Rational> k;
        for (std::size_t x = 0; x < count + 2; ++x) k.push_back(solution->x[2 * x] - solution->x[2 * x + 1]);
        theorem.with_loss = k[count];
        theorem.with_slack = rounded_up(k[count + 1], 4);
        k.resize(count);
        theorem.k = basis_->form("k", k);
        return std::nullopt;
    }

    /// (T), where the tasks beyond the workload are bounded by the forms.
    void bound_tasks(HeavyUpperTheorem& theorem, const std::vector<Side>& sides) const {
        LinearForm beyond;
        for (std::size_t q = 0; q < basis_->queues; ++q)
            beyond.add(Rational(1) - weights_[q], LinearForm::variable(static_cast<proof::Variable>(q)));
        HeavyUpperTheorem::Tasks tasks;
        std::vector<LinearForm> forms;
        for (const Side& side : sides) forms.push_back(side.form);
        std::vector<Cell> spaces;
        for (std::size_t s = 0; s < shapes_.size(); ++s)
            spaces.push_back({0, s, space_without(system_, shapes_[s], closed_.empty).constraints(), {}});
        for (const Cell& cell : spaces) {
            if (largest(cell.path, true, beyond, {}, Rational(1)).kind != Maximum::Kind::unbounded) continue;
            const Maximum most = largest(cell.path, true, beyond, forms, Rational(1));
            if (forms.empty() || most.kind == Maximum::Kind::unbounded) return;
            tasks.spread = std::max(tasks.spread, most.value);
        }
        std::optional<Rational> constant;
        for (const Cell& cell : spaces) {
            const LinearForm left = beyond - LinearForm(statuses_at(cell.shape, weights_, basis_->queues));
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
        UpperProof proof{theorem, {}, statistics_};
        for (const explore::Question& question : questions(system_, theorem)) {
            explore::Reply reply = explore::ask(question, goal_.budget);
            proof.statistics += reply.statistics;
            if (auto* found = std::get_if<proof::ExploredProof>(&reply.result))
                proof.proofs.push_back(std::move(*found));
            else if (const auto* ended = std::get_if<explore::Ended>(&reply.result))
                return UpperUnknown{"exploration", ended->reason, question.name};
            else
                return UpperUnknown{question.name.substr(0, question.name.find(' ')),
                                    "what was found by linear programs does not hold at every state", question.name};
        }
        return proof;
    }

    const SymbolicSystem& system_;
    const UpperGoal& goal_;
    const Instance& family_;
    SlackEnds ends_;
    BoundaryPrices prices_;
    std::array<Rational, 2> sigma_;
    Rational at_;
    ClosedSet closed_;
    std::optional<LinearBasis> basis_;
    std::vector<Shape> shapes_;
    std::vector<Cell> cells_;
    std::vector<std::vector<Rational>> rows_;  // by cell
    std::set<std::vector<Rational>> compared_;
    LyapunovForm h_;
    std::vector<Rational> weights_;  // of H, per function of the basis
    std::vector<BalanceParts> parts_;
    Rational largest_loss_;
    explore::Statistics statistics_;
};

}  // namespace

UpperOutcome best_upper(const SymbolicSystem& system, const UpperGoal& goal) { return UpperSearch(system, goal).run(); }

}  // namespace schedproof::heavy_traffic
