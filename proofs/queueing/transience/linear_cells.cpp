/// The drift of all linear functions at once.
///
/// For a function that is linear in queue lengths and status indicators, no comparison depends on its weights, and on
/// each cell the drift is one number. So the cells of the kernel are explored once, with the drift of every queue and
/// every indicator; the drift of a function with weights w is then (row . w) on each cell, and the best weights are the
/// solution of a linear program. The template is
/// W = sum of w_q Q_q + sum over servers m and statuses s of w_ms [m does s].
///
/// A table phi of one queue is linear in its increments D_n: D_n counts for min(1, max(0, Q - n)), and the last of them
/// for all tasks beyond. On a cell on which Q is a number, or beyond the table, the drift of each is a number too, so
/// cells are cut by Q, and the increments join the weights of the same linear program.
#include "proofs/queueing/transience/linear_cells.hpp"

#include <algorithm>

#include "model/core/errors.hpp"
#include "proofs/linear_programs/linear_program.hpp"

namespace schedproof::queueing {

using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
using explore::Affine;

namespace {

/// How often a step crosses from n to n + 1 of the table's queue, on average, less how often it crosses back; the last
/// increment counts all crossings from there on.
void add_table_drifts(std::vector<Rational>& row, const TableSize& table, const std::vector<LinearOutcome>& outcomes,
                      const std::optional<std::int64_t>& place) {
    const std::size_t first = row.size() - table.entries;
    const auto last = static_cast<std::int64_t>(table.entries - 1);
    for (const LinearOutcome& outcome : outcomes) {
        const Rational& growth = outcome.growth.at(table.queue.index());
        if (!place) {
            row.back() += outcome.probability * growth;
            continue;
        }
        const std::int64_t next = *place + static_cast<std::int64_t>(growth.numerator());
        const Rational& p = outcome.probability;
        for (std::int64_t n = *place; n < next; ++n) row[first + static_cast<std::size_t>(std::min(n, last))] += p;
        for (std::int64_t n = next; n < *place; ++n) row[first + static_cast<std::size_t>(std::min(n, last))] -= p;
    }
}

}  // namespace

LinearBasis::LinearBasis(const Layout& layout, const std::vector<std::vector<Service>>& statuses,
                         const std::optional<TableSize>& of_table)
    : queues(layout.queues()), table(of_table) {
    for (std::size_t m = 0; m < statuses.size(); ++m)
        for (const Service& status : statuses[m]) {
            if (status.status == Service::Status::idle) continue;
            const LyapunovForm::Condition condition{ServerId(m), status.queue, status.level,
                                                    status.status == Service::Status::phantom};
            if (std::find(indicators.begin(), indicators.end(), condition) == indicators.end())
                indicators.push_back(condition);
        }
}

LyapunovForm LinearBasis::form(std::string name, const std::vector<Rational>& weights) const {
    require(weights.size() == size(), "one weight per function of the basis");
    LyapunovForm form{std::move(name), {}, {}};
    LyapunovForm::Linear sum;
    for (std::size_t q = 0; q < queues; ++q)
        sum.add(weights[q], LyapunovForm::Linear::variable(static_cast<proof::Variable>(q)));
    form.pieces.push_back({std::nullopt, Rational(1), {std::move(sum)}});
    for (std::size_t i = 0; i < indicators.size(); ++i) {
        if (weights[queues + i].sign() == 0) continue;
        form.pieces.push_back({indicators[i], weights[queues + i], {LyapunovForm::Linear(Rational(1))}});
    }
    return form;
}

std::optional<QueueTable> LinearBasis::table_of(const std::vector<Rational>& weights) const {
    if (!table) return std::nullopt;
    return QueueTable{table->queue, {weights.end() - static_cast<std::ptrdiff_t>(entries()), weights.end()}};
}

std::vector<Rational> LinearBasis::drifts(const Vector<Service>& serving, const std::vector<LinearOutcome>& outcomes,
                                          const std::optional<std::int64_t>& place) const {
    std::vector<Rational> row(size());
    if (table) add_table_drifts(row, *table, outcomes, place);
    for (const LinearOutcome& outcome : outcomes) {
        for (std::size_t q = 0; q < queues; ++q) row[q] += outcome.probability * outcome.growth[q];
        for (std::size_t i = 0; i < indicators.size(); ++i)
            if (indicators[i].holds(outcome.serving)) row[queues + i] += outcome.probability;
    }
    for (std::size_t i = 0; i < indicators.size(); ++i)
        if (indicators[i].holds(serving)) row[queues + i] -= Rational(1);
    return row;
}

Rational LinearBasis::drift(const LyapunovForm& w, const std::optional<QueueTable>& phi,
                            const std::vector<Rational>& row) const {
    require(row.size() == size(), "one drift per function of the basis");
    require((phi ? phi->increments.size() : 0) == entries(), "a table of the basis' size");
    Rational sum;
    for (std::size_t n = 0; n < entries(); ++n) sum += phi->increments[n] * row[queues + indicators.size() + n];
    for (const auto& piece : w.pieces) {
        const LyapunovForm::Linear& form = piece.largest_of.at(0);
        if (!piece.when)
            for (const auto& [q, c] : form.terms()) sum += piece.coefficient * c * row.at(q);
        else
            for (std::size_t i = 0; i < indicators.size(); ++i) {
                const LyapunovForm::Condition& own = indicators[i];
                if (piece.when->server == own.server && piece.when->phantom == own.phantom &&
                    piece.when->queue.value_or(*own.queue) == *own.queue &&
                    piece.when->level.value_or(*own.level) == *own.level)
                    sum += piece.coefficient * form.constant() * row[queues + i];
            }
    }
    return sum;
}

bool grows_alone(const std::vector<proof::Constraint>& cell, proof::Variable x) {
    return std::all_of(cell.begin(), cell.end(),
                       [&](const proof::Constraint& c) { return c.form.coefficient(x).sign() >= 0; });
}

LinearCells linear_cells(const SymbolicSystem& system, const Shape& shape, const LinearBasis& basis,
                         const explore::Budget& budget, const std::vector<QueueId>& empty) {
    const auto body = [&](const std::vector<Affine>& symbols) {
        const SymbolicState now = system.state(shape, symbols);
        if (!system.is_settled(now)) return std::optional<LinearLeaf>();
        const std::vector<LinearOutcome> outcomes = linear_outcomes(system, now);
        std::optional<std::int64_t> place;
        if (basis.table)
            place = place_in_table(basis.entries(), system.instance().servers().size(),
                                   now.length.at(basis.table->queue.index()));
        return std::optional(LinearLeaf{basis.drifts(now.serving, outcomes, place), place});
    };
    return {shape, explore::explore(space_without(system, shape, empty), body, budget)};
}

Rational dot(const std::vector<Rational>& row, const std::vector<Rational>& weights) {
    require(row.size() == weights.size(), "a scalar product of vectors of one size");
    Rational sum;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (row[i].sign() != 0) sum += row[i] * weights[i];
    return sum;
}

namespace {

/// x = w + bound >= 0 for every weight, and row . w >= delta with delta = up - down, of either sign.
struct WeightProgram {
    LinearProgram program;
    std::uint32_t up = 0, down = 0;

    WeightProgram(const LinearBasis& basis, const std::vector<std::vector<Rational>>& rows, std::size_t direction,
                  const Rational& scale) {
        const auto bound = [&](std::size_t i) { return i < basis.queues ? Rational(1) : scale; };
        if (basis.table)  // a weight of zero
            program.rows.push_back({{{static_cast<std::uint32_t>(basis.table->queue.index()), Rational(1)}},
                                    Relation::equal,
                                    Rational(1)});
        for (std::size_t i = 0; i < basis.size(); ++i) {
            (void)program.add_variable();
            program.rows.push_back({{{static_cast<std::uint32_t>(i), Rational(1)}},
                                    i == direction ? Relation::equal : Relation::at_most,
                                    Rational(2) * bound(i)});
        }
        up = program.add_variable();
        down = program.add_variable();
        for (const std::vector<Rational>& row : rows) {
            LinearRow r{{}, Relation::at_least, Rational(0)};
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (row[i].sign() == 0) continue;
                r.entries.emplace_back(static_cast<std::uint32_t>(i), row[i]);
                r.rhs += row[i] * bound(i);
            }
            r.entries.emplace_back(up, Rational(-1));
            r.entries.emplace_back(down, Rational(1));
            program.rows.push_back(std::move(r));
        }
    }

    [[nodiscard]] capacity::LinearSolution solution() const {
        auto solution = capacity::solve(program);
        if (!solution) throw LimitExceeded("linear programming", "no method found the best weights");
        return std::move(*solution);
    }
};

}  // namespace

/// Two programs: the largest delta, then, with that delta, the least sum of the indicators' weights in size, so that
/// what a reader sees in W is needed there.
BestWeights best_weights(const LinearBasis& basis, const std::vector<std::vector<Rational>>& rows,
                         std::size_t direction, const Rational& scale) {
    require(!rows.empty(), "weights are chosen by at least one row");
    WeightProgram most(basis, rows, direction, scale);
    most.program.cost[most.up] = Rational(-1);
    most.program.cost[most.down] = Rational(1);
    capacity::LinearSolution solution = most.solution();
    BestWeights best{-solution.value, {}};
    if (best.delta.sign() > 0) {
        WeightProgram simplest(basis, rows, direction, scale);
        simplest.program.rows.push_back(
            {{{simplest.up, Rational(1)}, {simplest.down, Rational(-1)}}, Relation::equal, best.delta});
        for (auto x = static_cast<std::uint32_t>(basis.queues); x < basis.queues + basis.indicators.size(); ++x) {
            const std::uint32_t size = simplest.program.add_variable(Rational(1));
            simplest.program.rows.push_back({{{size, Rational(1)}, {x, Rational(-1)}}, Relation::at_least, -scale});
            simplest.program.rows.push_back({{{size, Rational(1)}, {x, Rational(1)}}, Relation::at_least, scale});
        }
        solution = simplest.solution();
    }
    for (std::size_t i = 0; i < basis.size(); ++i)
        best.weights.push_back(solution.x[i] - (i < basis.queues ? Rational(1) : scale));
    return best;
}

}  // namespace schedproof::queueing
