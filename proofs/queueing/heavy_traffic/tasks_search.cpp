/// From a workload to a number of tasks.
///
/// The tasks beyond the workload are bounded by a multiple lambda of the largest form; or the queues that are worth
/// less than a task are, by quadratic functions, each of one queue and the statuses:
///     G_i = a Q_i^2 + d Q_i + sum over statuses s of [s] (c_s Q_i + e_s).
/// On a cell the queue changes by a number in each outcome, so E dG_i is linear in Q_i alone, with coefficients that
/// are linear in a, d, c and e:
///     Q_i (2 a E dQ_i + sum c_s E d[s])  +  a E (dQ_i)^2 + d E dQ_i + sum c_s E( dQ_i [s afterwards] ) + sum e_s E
///     d[s].
/// A linear function of Q_i is below B on a cell when it is so at the least and the largest Q_i there. The least B is a
/// linear program. For r = sum r_i Q_i the sum of r_i G_i serves, with the sum of r_i B_i.
/// Where neither is found, the least multiple f of the workload that bounds the tasks with the forms is a linear
/// program: 1 <= f h_i + sum of lambda_j l_ji for every queue i; a second one keeps f and makes lambda small.
#include "proofs/queueing/heavy_traffic/tasks_search.hpp"

#include "model/core/errors.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/theorems/mean.hpp"

namespace schedproof::heavy_traffic {

using namespace queueing;
using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
using explore::Maximum;
using proof::LinearForm;

namespace {

using Rest = HeavyUpperTheorem::Rest;
using Tasks = HeavyUpperTheorem::Tasks;

class QueueBound {
  public:
    QueueBound(const SlackCells& cells, std::size_t queue)
        : cells_(cells), queue_(queue), statuses_(cells.basis().indicators.size()) {}

    /// Adds `times` the function to that of a rest, and its bound. False where there is none.
    [[nodiscard]] bool add_to(Rest& rest, const Rational& times) {
        for (std::size_t x = 0; x < 2 * functions() + 1; ++x)
            (void)program_.add_variable(Rational(x == 2 * functions() ? 1 : 0));
        for (std::size_t i = 0; i < cells_.all().size(); ++i) add_cell(i);
        const auto solution = capacity::solve(program_);
        if (!solution) return false;
        const auto weight = [&](std::size_t x) { return times * (solution->x[2 * x] - solution->x[2 * x + 1]); };
        const LinearForm length = LinearForm::variable(static_cast<proof::Variable>(queue_));
        if (weight(0).sign() <= 0) return false;
        rest.g.products.push_back({weight(0), length, length});
        rest.g.pieces.push_back({std::nullopt, weight(1), {length}});
        for (std::size_t s = 0; s < statuses_; ++s) {
            LinearForm of_status(weight(2 + statuses_ + s));
            of_status.add(weight(2 + s), length);
            if (of_status != LinearForm())
                rest.g.pieces.push_back({cells_.basis().indicators[s], Rational(1), {std::move(of_status)}});
        }
        rest.bound += times * solution->x.back();
        return true;
    }

  private:
    /// a, d, then c and e by status; each as a difference of two variables. The last variable is B.
    [[nodiscard]] std::size_t functions() const { return 2 + 2 * statuses_; }

    /// What a function adds to E dG: per task of the queue, and besides.
    struct Share {
        Rational slope, constant;
    };
    [[nodiscard]] std::vector<Share> shares(std::size_t i) const {
        const SlackCell& cell = cells_.all()[i];
        const std::vector<Rational>& row = cells_.rows()[i];
        std::vector<Share> all(functions());
        all[0].slope = Rational(2) * row[queue_];
        all[1].constant = row[queue_];
        for (std::size_t s = 0; s < statuses_; ++s)
            all[2 + s].slope = all[2 + statuses_ + s].constant = row[cells_.queues() + s];
        for (const LinearOutcome& outcome : cell.outcomes) {
            const Rational& change = outcome.growth[queue_];
            all[0].constant += outcome.probability * change * change;
            for (std::size_t s = 0; s < statuses_; ++s)
                if (cells_.basis().indicators[s].holds(outcome.serving))
                    all[2 + s].constant += outcome.probability * change;
        }
        return all;
    }

    /// Q_i + E dG <= B at the ends of the queue's lengths on a cell.
    void add_cell(std::size_t i) {
        const LinearForm length = LinearForm::variable(static_cast<proof::Variable>(queue_));
        const Maximum most = explore::maximise(cells_.all()[i].path, length, cells_.queues());
        if (most.kind == Maximum::Kind::empty) return;
        const Maximum least = explore::maximise(cells_.all()[i].path, -length, cells_.queues());
        require(least.kind == Maximum::Kind::attained, "lengths are not negative");
        const std::vector<Share> each = shares(i);
        add_row(each, -least.value, Rational(1));
        if (most.kind == Maximum::Kind::attained)
            add_row(each, most.value, Rational(1));
        else
            add_row(each, Rational(1), Rational(0));
    }

    /// At a length; or, where `finite` is 0, along the direction in which the queue grows.
    void add_row(const std::vector<Share>& each, const Rational& length, const Rational& finite) {
        LinearRow row{{}, Relation::at_most, -length};
        for (std::size_t x = 0; x < each.size(); ++x) {
            const Rational c = each[x].slope * length + finite * each[x].constant;
            if (c.sign() == 0) continue;
            row.entries.emplace_back(static_cast<std::uint32_t>(2 * x), c);
            row.entries.emplace_back(static_cast<std::uint32_t>(2 * x + 1), -c);
        }
        if (finite.sign() != 0) row.entries.emplace_back(static_cast<std::uint32_t>(2 * functions()), Rational(-1));
        program_.rows.push_back(std::move(row));
    }

    const SlackCells& cells_;
    std::size_t queue_, statuses_;
    LinearProgram program_;
};

/// The sum of the functions of the queues, with r and B.
std::optional<Rest> find_rest(const SlackCells& cells, const LinearForm& tasks) {
    Rest rest{tasks, {"G", {}, {}}, Rational(0)};
    for (const auto& [q, c] : tasks.terms())
        if (!QueueBound(cells, q).add_to(rest, c)) return std::nullopt;
    rest.bound = rounded_up(rest.bound, 4);
    return rest;
}

/// lambda, where a multiple of the largest form bounds the tasks beyond the workload, up to a constant.
std::optional<Rational> tasks_per_form(const SlackCells& cells, const std::vector<SlackCell>& spaces,
                                       const LinearForm& beyond, const std::vector<CollapseSide>& sides) {
    std::vector<LinearForm> forms;
    for (const CollapseSide& side : sides) forms.push_back(side.form);
    Rational spread;
    for (const SlackCell& cell : spaces) {
        if (steepest(cells, cell.path, beyond, {}).kind != Maximum::Kind::unbounded) continue;
        const Maximum most = steepest(cells, cell.path, beyond, forms);
        if (forms.empty() || most.kind == Maximum::Kind::unbounded) return std::nullopt;
        spread = std::max(spread, most.value);
    }
    return spread;
}

/// The least C for the tasks beyond the workload less those of a rest. Nothing where there is none.
std::optional<Rational> constant_of(const SlackCells& cells, const std::vector<SlackCell>& spaces,
                                    const std::vector<Rational>& weights, const std::vector<CollapseSide>& sides,
                                    const LinearForm& beyond, const Rational& spread) {
    std::optional<Rational> constant;
    for (const SlackCell& cell : spaces) {
        const LinearForm left = beyond - LinearForm(cells.statuses_at(cell.shape, weights, cells.queues()));
        const Maximum most = excess(cells, cell, left, spread, sides);
        if (most.kind == Maximum::Kind::unbounded) return std::nullopt;
        if (most.kind == Maximum::Kind::attained && (!constant || most.value > *constant)) constant = most.value;
    }
    return constant.value_or(Rational(0));
}

/// Variables: f, lambda_j by form.
LinearProgram multiples(const SlackCells& cells, const std::vector<Rational>& weights,
                        const std::vector<CollapseSide>& sides, const std::optional<Rational>& factor) {
    LinearProgram program;
    (void)program.add_variable(Rational(factor ? 0 : 1));
    for (std::size_t j = 0; j < sides.size(); ++j) (void)program.add_variable(Rational(factor ? 1 : 0));
    if (factor) program.rows.push_back({{{0, Rational(1)}}, Relation::at_most, *factor});
    for (std::size_t i = 0; i < cells.queues(); ++i) {
        if (cells.is_empty(i)) continue;
        LinearRow row{{{0, weights[i]}}, Relation::at_least, Rational(1)};
        for (std::size_t j = 0; j < sides.size(); ++j)
            if (const Rational c = sides[j].form.coefficient(static_cast<proof::Variable>(i)); c.sign() != 0)
                row.entries.emplace_back(static_cast<std::uint32_t>(1 + j), c);
        program.rows.push_back(std::move(row));
    }
    return program;
}

std::optional<Tasks> with_factor(const SlackCells& cells, const std::vector<SlackCell>& spaces,
                                 const std::vector<Rational>& weights, const std::vector<CollapseSide>& sides) {
    const auto least = capacity::solve(multiples(cells, weights, sides, std::nullopt));
    if (!least) return std::nullopt;
    const auto smallest = capacity::solve(multiples(cells, weights, sides, least->x.front()));
    if (!smallest) return std::nullopt;
    Tasks tasks{smallest->value, Rational(0), std::nullopt, least->x.front()};
    std::vector<Rational> times = weights;
    LinearForm beyond;
    for (std::size_t x = 0; x < times.size(); ++x) times[x] *= tasks.factor;
    for (std::size_t q = 0; q < cells.queues(); ++q)
        beyond.add(Rational(1) - times[q], LinearForm::variable(static_cast<proof::Variable>(q)));
    const auto c = constant_of(cells, spaces, times, sides, beyond, tasks.spread);
    if (!c) return std::nullopt;
    tasks.constant = *c;
    return tasks;
}

}  // namespace

std::optional<Tasks> bound_tasks(const SlackCells& cells, const std::vector<Rational>& weights,
                                 const std::vector<CollapseSide>& sides, const CollapseTheorem& collapse) {
    LinearForm beyond, cheap;
    for (std::size_t q = 0; q < cells.queues(); ++q) {
        const Rational more = Rational(1) - weights[q];
        beyond.add(more, LinearForm::variable(static_cast<proof::Variable>(q)));
        if (more.sign() > 0 && !cells.is_empty(q))
            cheap.add(more, LinearForm::variable(static_cast<proof::Variable>(q)));
    }
    std::vector<SlackCell> spaces;
    for (std::size_t s = 0; s < cells.shapes().size(); ++s)
        spaces.push_back(
            {0, s, space_without(cells.system(), cells.shapes()[s], cells.closed().empty).constraints(), {}});
    std::optional<Tasks> by_forms, by_rest;
    const auto spread = tasks_per_form(cells, spaces, beyond, sides);
    if (spread)
        if (const auto c = constant_of(cells, spaces, weights, sides, beyond, *spread))
            by_forms = Tasks{*spread, *c, std::nullopt};
    if (by_forms && spread->sign() == 0) return by_forms;
    if (auto rest = find_rest(cells, cheap))
        if (const auto c = constant_of(cells, spaces, weights, sides, beyond - cheap, Rational(0)))
            by_rest = Tasks{Rational(0), *c, std::move(*rest)};
    if (!by_forms && !by_rest) return with_factor(cells, spaces, weights, sides);
    if (!by_forms || !by_rest) return by_forms ? by_forms : by_rest;
    return by_rest->added(collapse) < by_forms->added(collapse) ? by_rest : by_forms;
}

}  // namespace schedproof::heavy_traffic
