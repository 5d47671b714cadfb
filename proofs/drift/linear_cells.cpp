#include "proofs/drift/linear_cells.hpp"

#include "model/core/errors.hpp"
#include "proofs/capacity/linear_program.hpp"

namespace schedproof::queueing {

using capacity::LinearProgram;
using capacity::LinearRow;
using capacity::Relation;
using explore::Affine;

LinearBasis::LinearBasis(const Layout& layout, const std::vector<std::vector<Service>>& statuses)
    : queues(layout.queues()) {
    for (std::size_t m = 0; m < statuses.size(); ++m)
        for (const Service& status : statuses[m])
            if (status.status == Service::Status::busy) indicators.emplace_back(ServerId(m), status);
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
        const auto& [server, status] = indicators[i];
        form.pieces.push_back({LyapunovForm::Condition{server, status.queue, status.level},
                               weights[queues + i],
                               {LyapunovForm::Linear(Rational(1))}});
    }
    return form;
}

LinearCells linear_cells(const SymbolicSystem& system, const Shape& shape, const LinearBasis& basis,
                         const explore::Budget& budget) {
    const auto body = [&](const std::vector<Affine>& symbols) {
        const SymbolicState now = system.state(shape, symbols);
        std::vector<Rational> row(basis.size());
        for (const SymbolicMove& move : system.moves(now)) {
            const SymbolicState& next = move.slot.next;
            for (std::size_t q = 0; q < basis.queues; ++q)
                row[q] += move.probability * (next.length[q] - now.length[q]).constant();
            for (std::size_t i = 0; i < basis.indicators.size(); ++i) {
                const auto& [server, status] = basis.indicators[i];
                if (next.serving[server.index()] == status) row[basis.queues + i] += move.probability;
            }
        }
        for (std::size_t i = 0; i < basis.indicators.size(); ++i) {
            const auto& [server, status] = basis.indicators[i];
            if (now.serving[server.index()] == status) row[basis.queues + i] -= Rational(1);
        }
        return row;
    };
    return {shape, explore::explore(system.space(shape), body, budget)};
}

Rational dot(const std::vector<Rational>& row, const std::vector<Rational>& weights) {
    require(row.size() == weights.size(), "a scalar product of vectors of one size");
    Rational sum;
    for (std::size_t i = 0; i < row.size(); ++i)
        if (row[i].sign() != 0) sum += row[i] * weights[i];
    return sum;
}

/// With x = w + bound >= 0 for every weight but that of the direction, and delta = d - d' of either sign.
BestWeights best_weights(const LinearBasis& basis, const std::vector<std::vector<Rational>>& rows,
                         std::size_t direction, const Rational& scale) {
    const auto bound = [&](std::size_t i) { return i < basis.queues ? Rational(1) : scale; };
    LinearProgram program;
    for (std::size_t i = 0; i < basis.size(); ++i) {
        (void)program.add_variable();
        program.rows.push_back({{{static_cast<std::uint32_t>(i), Rational(1)}},
                                i == direction ? Relation::equal : Relation::at_most,
                                Rational(2) * bound(i)});
    }
    const std::uint32_t up = program.add_variable(Rational(-1)), down = program.add_variable(Rational(1));
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
    require(!rows.empty(), "weights are chosen by at least one row");
    const auto solution = capacity::solve(program);
    if (!solution) throw LimitExceeded("linear programming", "no method found the best weights");
    BestWeights best{-solution->value, {}};
    for (std::size_t i = 0; i < basis.size(); ++i) best.weights.push_back(solution->x[i] - bound(i));
    return best;
}

}  // namespace schedproof::queueing
