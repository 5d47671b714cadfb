/// Constants of the statuses for which a form falls wherever it is large.
///
/// On a cell the mean change of a form with constants s of the statuses is (row . (form, s)), a number. Over the cells
/// that reach where the form is at least `from`, the constants of the fastest fall are a linear program; a second one
/// keeps most of the fall with the smallest constants, which are then rounded to parts of a small scale.
#include "proofs/queueing/heavy_traffic/collapse_sides.hpp"

#include <algorithm>

#include "proofs/linear_programs/linear_program.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

void CollapseSide::rescale(std::int64_t to) {
    const std::int64_t factor = to / scale;
    form *= Rational(factor);
    for (Rational& s : statuses) s *= Rational(factor);
    low *= factor;
    high *= factor;
    scale = to;
}

bool is_mixed(const LinearForm& form) {
    bool up = false, down = false;
    for (const auto& [q, c] : form.terms()) (c.sign() > 0 ? up : down) = true;
    return up && down;
}

namespace {

class SideSearch {
  public:
    SideSearch(const SlackCells& cells, const LinearForm& form) : cells_(cells), form_(form) {
        for (const auto& [q, c] : form.terms()) widest_ = std::max(widest_, c.sign() < 0 ? -c : c);
        for (const std::vector<Rational>& row : cells.rows()) {
            Rational change;
            for (const auto& [q, c] : form.terms()) change += c * row.at(q);
            change_.push_back(std::move(change));
        }
    }

    [[nodiscard]] std::optional<CollapseSide> run(bool plain) const {
        for (const std::int64_t from : {1, 2, 3, 4, 6, 8, 12}) {
            const std::vector<std::size_t> far = far_cells(from);
            if (plain) {
                std::vector<Rational> none(cells_.basis().indicators.size());
                if (least_fall(none, far).sign() > 0) return side_at(std::move(none), 1, from);
                continue;
            }
            const std::optional<std::vector<Rational>> statuses = best_statuses(far);
            if (!statuses) continue;
            const Rational fall = least_fall(*statuses, far);
            for (const std::int64_t scale : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16}) {
                std::vector<Rational> rounded;
                for (const Rational& s : *statuses)
                    rounded.push_back(Rational(nearest_integer(Rational(scale) * s)) / Rational(scale));
                if (least_fall(rounded, far) * Rational(4) >= fall * Rational(3))
                    return side_at(std::move(rounded), scale, from);
            }
        }
        return std::nullopt;
    }

  private:
    /// Cells that reach where the form is at least a number.
    [[nodiscard]] std::vector<std::size_t> far_cells(std::int64_t from) const {
        std::vector<std::size_t> far;
        for (std::size_t i = 0; i < cells_.all().size(); ++i) {
            const Maximum most = explore::maximise(cells_.all()[i].path, form_, cells_.queues());
            if (most.kind == Maximum::Kind::unbounded ||
                (most.kind == Maximum::Kind::attained && most.value >= Rational(from)))
                far.push_back(i);
        }
        return far;
    }

    [[nodiscard]] Rational least_fall(const std::vector<Rational>& statuses,
                                      const std::vector<std::size_t>& far) const {
        std::optional<Rational> least;
        for (const std::size_t i : far) {
            Rational fall = -change_[i];
            for (std::size_t k = 0; k < statuses.size(); ++k)
                fall -= statuses[k] * cells_.rows()[i][cells_.queues() + k];
            if (!least || fall < *least) least = std::move(fall);
        }
        return least.value_or(Rational(1));
    }

    [[nodiscard]] CollapseSide side_at(std::vector<Rational> statuses, std::int64_t scale, std::int64_t from) const {
        Rational most, least;
        for (std::size_t s = 0; s < cells_.shapes().size(); ++s) {
            const Rational here = cells_.statuses_at(s, statuses, 0);
            most = std::max(most, here);
            least = std::min(least, here);
        }
        CollapseSide side{form_, std::move(statuses), 1, 0, 0};
        side.low =
            is_mixed(form_) ? std::min<std::int64_t>(-4, -from) - 1 : static_cast<std::int64_t>(floor(least)) - 1;
        side.rescale(scale);
        // From `high` on the form itself is at least `from`.
        side.high = -static_cast<std::int64_t>(floor(-Rational(scale) * (most + Rational(from))));
        return side;
    }

    /// Variables: statuses + bound >= 0; then the fall; with a fall that is wanted, then the sizes of the statuses.
    [[nodiscard]] LinearProgram program(const std::vector<std::size_t>& far, const Rational& bound,
                                        const std::optional<Rational>& wanted) const {
        const auto count = static_cast<std::uint32_t>(cells_.basis().indicators.size());
        LinearProgram program;
        for (std::uint32_t i = 0; i < count; ++i) {
            (void)program.add_variable();
            program.rows.push_back({{{i, Rational(1)}}, Relation::at_most, Rational(2) * bound});
        }
        const std::uint32_t fall = program.add_variable(wanted ? Rational(0) : Rational(-1));
        for (const std::size_t i : far) {
            LinearRow row{{}, Relation::at_most, -change_[i]};
            for (std::uint32_t k = 0; k < count; ++k) {
                const Rational& c = cells_.rows()[i][cells_.queues() + k];
                if (c.sign() == 0) continue;
                row.entries.emplace_back(k, c);
                row.rhs += c * bound;
            }
            row.entries.emplace_back(fall, Rational(1));
            program.rows.push_back(std::move(row));
        }
        if (!wanted) {
            program.rows.push_back({{{fall, Rational(1)}}, Relation::at_most, widest_});
            return program;
        }
        program.rows.push_back({{{fall, Rational(1)}}, Relation::at_least, *wanted});
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t size = program.add_variable(Rational(1));
            program.rows.push_back({{{size, Rational(1)}, {i, Rational(-1)}}, Relation::at_least, -bound});
            program.rows.push_back({{{size, Rational(1)}, {i, Rational(1)}}, Relation::at_least, bound});
        }
        return program;
    }

    [[nodiscard]] std::optional<std::vector<Rational>> best_statuses(const std::vector<std::size_t>& far) const {
        const Rational bound = Rational(32) * widest_;
        const auto most = capacity::solve(program(far, bound, std::nullopt));
        if (!most || most->value.sign() >= 0) return std::nullopt;
        const auto simplest = capacity::solve(program(far, bound, -most->value * Rational(Integer(9), Integer(10))));
        if (!simplest) return std::nullopt;
        std::vector<Rational> statuses;
        for (std::size_t i = 0; i < cells_.basis().indicators.size(); ++i) statuses.push_back(simplest->x[i] - bound);
        return statuses;
    }

    const SlackCells& cells_;
    const LinearForm& form_;
    Rational widest_;
    std::vector<Rational> change_;  // of the form, by cell
};

}  // namespace

std::optional<CollapseSide> find_side(const SlackCells& cells, const LinearForm& form, bool plain) {
    return SideSearch(cells, form).run(plain);
}

Maximum steepest(const SlackCells& cells, std::vector<Constraint> path, const LinearForm& form,
                 const std::vector<LinearForm>& per_unit_of) {
    for (Constraint& c : path) c = {c.form - LinearForm(c.form.constant()), false};
    for (const LinearForm& other : per_unit_of) path.push_back({LinearForm(Rational(1)) - other, false});
    return explore::maximise(path, form, cells.queues());
}

Maximum excess(const SlackCells& cells, const SlackCell& cell, const LinearForm& left, const Rational& spread,
               const std::vector<CollapseSide>& sides) {
    const auto z = static_cast<proof::Variable>(cells.queues());
    if (sides.empty() || spread.sign() == 0) return explore::maximise(cell.path, left, cells.queues());
    std::vector<Constraint> path = cell.path;
    for (const CollapseSide& side : sides) {
        LinearForm room = left - LinearForm::variable(z);
        room.add(-spread, side.form + LinearForm(cells.statuses_at(cell.shape, side.statuses, 0)));
        path.push_back({std::move(room), false});
    }
    return explore::maximise(path, LinearForm::variable(z), cells.queues() + 1);
}

CollapseForm collapse_form(const SlackCells& cells, const CollapseSide& side, const std::string& name) {
    std::vector<Rational> weights(cells.basis().size());
    for (const auto& [q, c] : side.form.terms()) weights[q] = c;
    std::copy(side.statuses.begin(), side.statuses.end(),
              weights.begin() + static_cast<std::ptrdiff_t>(cells.queues()));
    return {cells.basis().form(name, weights), side.low, side.high};
}

}  // namespace schedproof::heavy_traffic
