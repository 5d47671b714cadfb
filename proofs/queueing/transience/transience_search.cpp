/// Searching for a proof of transience: the weights by linear programming, the threshold by exploration.
///
/// All cells of the kernel are explored once (linear_cells.hpp). For each queue i the program asks for weights with
/// w_i = 1 whose drift is at least delta on every cell that holds a ray "only queue i grows"; these are necessary. The
/// weights are then held against all cells: where W grows along a cell on which the drift is too small, that cell joins
/// the program; where W is bounded on such cells, its largest value there gives the threshold. The program has finitely
/// many rows to gain, so this ends. Nothing about the instance is known beforehand.
///
/// When no direction has a positive optimum, no function of the template proves transience, which is no statement about
/// the policy: the answer is "unknown", as for every stable policy.
#include "proofs/queueing/transience/transience_search.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "model/core/errors.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/drift/closed_set_search.hpp"

namespace schedproof::queueing {

using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

namespace {

using Coefficients = std::vector<Rational>;

/// Largest useful weight of an indicator: what a task is worth, times the longest mean time to its completion, and
/// some room.
Rational indicator_scale(const Instance& instance) {
    const std::vector<Rational> rates = instance.rate_table();
    return Rational(10) / *std::min_element(rates.begin(), rates.end());
}

/// The program of one direction as it grows.
struct Direction {
    std::size_t queue = 0;
    std::set<Coefficients> rows;
    BestWeights best;
    bool dead = false;  ///< no weights have positive drift on the rows

    /// Adds a row, and solves again if the weights at hand do not satisfy it.
    bool add(const Coefficients& row) {
        return rows.insert(row).second && (best.weights.empty() || dot(row, best.weights) < best.delta);
    }
    void solve(const LinearBasis& basis, const Rational& scale) {
        best = best_weights(basis, {rows.begin(), rows.end()}, queue, scale);
        dead = best.delta.sign() <= 0;
    }
};

class Search {
  public:
    Search(const SymbolicSystem& system, const explore::Budget& budget)
        : system_(system), budget_(budget), scale_(indicator_scale(system.instance())) {
        closed_ = find_closed_set(system, budget);
        shapes_ = shapes_of(closed_.statuses);
        basis_ = LinearBasis(system.layout(), closed_.statuses);
    }

    TransienceOutcome run() {
        for (std::size_t i = 0; i < basis_.queues; ++i)
            if (!std::binary_search(closed_.empty.begin(), closed_.empty.end(), QueueId(i)))
                directions_.push_back({i, {}, {}, false});
        for (const Shape& shape : shapes_) {
            if (!explore_shape(shape)) return unknown("exploration ended: " + *cells_.back().cells.ended);
            for (Direction& direction : directions_) add_necessary(direction, cells_.back());
            if (all_dead()) return none();
        }
        std::sort(directions_.begin(), directions_.end(),
                  [](const Direction& a, const Direction& b) { return a.best.delta > b.best.delta; });
        std::string last;
        for (Direction& direction : directions_) {
            if (direction.dead) continue;
            const std::optional<Rational> threshold = settle(direction);
            if (!threshold) continue;
            TransienceOutcome outcome =
                certify(basis_.form("W", direction.best.weights), direction.best.delta, *threshold);
            if (std::holds_alternative<TransienceProof>(outcome)) return outcome;
            last = std::get<TransienceUnknown>(outcome).reason;
        }
        return last.empty() ? none() : unknown(last);
    }

    TransienceOutcome prove(LyapunovForm w, const Rational& delta, const Rational& threshold) {
        for (const Shape& shape : shapes_)
            if (!explore_shape(shape)) return unknown("exploration ended: " + *cells_.back().cells.ended);
        return certify(std::move(w), delta, threshold);
    }

    /// The program of a queue with the rows of all cells on which it is unbounded.
    BestWeights where_long(QueueId queue) {
        Direction direction{queue.index(), {}, {}, false};
        for (const Shape& shape : shapes_) {
            if (!explore_shape(shape)) throw LimitExceeded("exploration", *cells_.back().cells.ended);
            for_each_cell(
                cells_.back(), [&](const Coefficients& row, const std::vector<Constraint>& cell, std::size_t symbols) {
                    if (direction.rows.contains(row)) return;
                    const auto x = static_cast<proof::Variable>(queue.index());
                    if (explore::maximise(cell, LinearForm::variable(x), symbols).kind == Maximum::Kind::unbounded)
                        direction.rows.insert(row);
                });
        }
        direction.solve(basis_, scale_);
        return direction.best;
    }

  private:
    bool explore_shape(const Shape& shape) {
        cells_.push_back(linear_cells(system_, shape, basis_, budget_, closed_.empty));
        statistics_ += cells_.back().cells.statistics;
        if (budget_.progress) budget_.progress(statistics_.cells);
        return !cells_.back().cells.ended;
    }

    /// visit(row, constraints of the cell, number of symbols)
    template <class Visit>
    void for_each_cell(const LinearCells& cells, Visit&& visit) const {
        const proof::Space space = space_without(system_, cells.shape, closed_.empty);
        proof::for_each_leaf(space, cells.cells.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& cell) {
            if (cells.cells.leaves[leaf]) visit(*cells.cells.leaves[leaf], cell, space.symbols.size());
        });
    }

    void add_necessary(Direction& direction, const LinearCells& cells) {
        if (direction.dead) return;
        bool changed = false;
        for_each_cell(cells, [&](const Coefficients& row, const std::vector<Constraint>& cell, std::size_t) {
            if (!direction.rows.contains(row) && grows_alone(cell, static_cast<proof::Variable>(direction.queue)))
                changed |= direction.add(row);
        });
        if (changed) direction.solve(basis_, scale_);
    }

    [[nodiscard]] bool all_dead() const {
        return std::all_of(directions_.begin(), directions_.end(), [](const Direction& d) { return d.dead; });
    }

    /// Adds the rows of cells along which W grows with too little drift until there are none; then the threshold.
    std::optional<Rational> settle(Direction& direction) {
        for (;;) {
            const LyapunovForm w = basis_.form("W", direction.best.weights);
            Rational highest(0);
            bool changed = false;
            for (const LinearCells& cells : cells_) {
                const LinearForm value = linear_value(w, system_, cells.shape);
                for_each_cell(
                    cells, [&](const Coefficients& row, const std::vector<Constraint>& cell, std::size_t symbols) {
                        if (dot(row, direction.best.weights) >= direction.best.delta || direction.rows.contains(row))
                            return;
                        const Maximum maximum = explore::maximise(cell, value, symbols);
                        if (maximum.kind == Maximum::Kind::unbounded)
                            changed |= direction.add(row);
                        else if (maximum.kind == Maximum::Kind::attained)
                            highest = std::max(highest, maximum.value);
                    });
            }
            if (!changed) return Rational(floor(highest)) + Rational(1);
            direction.solve(basis_, scale_);
            if (direction.dead) return std::nullopt;
        }
    }

    TransienceOutcome certify(LyapunovForm w, const Rational& delta, const Rational& threshold) {
        require_fits(w, system_.instance(), system_.layout());
        if (std::string wrong = linear_rejection(w); !wrong.empty()) return unknown(wrong);
        TransienceProof proof;
        proof.theorem = {std::move(w), delta, threshold, {}, closed_.statuses, capacity::solve(system_.instance()),
                         closed_.empty};
        proof.theorem.jump = jump_bound(system_, proof.theorem.w, closed_.statuses);
        if (std::string wrong = arithmetic_rejection(system_, proof.theorem); !wrong.empty()) return unknown(wrong);
        const std::vector<explore::Question> all = questions(system_, proof.theorem);
        const std::size_t first = all.size() - shapes_.size();
        for (std::size_t i = 0; i < all.size(); ++i) {
            explore::Reply reply =
                i < first ? explore::ask(all[i], budget_) : settle_shape(all[i], proof.theorem, cells_[i - first]);
            if (i < first) statistics_ += reply.statistics;
            if (auto* found = std::get_if<proof::ExploredProof>(&reply.result))
                proof.proofs.push_back(std::move(*found));
            else if (std::holds_alternative<explore::Counterpoint>(reply.result))
                return unknown("the drift is smaller at some states beyond the threshold (" + all[i].name + ")");
            else
                return unknown(std::get<explore::Ended>(reply.result).reason);
        }
        proof.statistics = statistics_;
        return proof;
    }

    /// The question of a shape, whose cells are known already.
    explore::Reply settle_shape(const explore::Question& question, const TransienceTheorem& theorem,
                                const LinearCells& cells) const {
        explore::Exploration<std::vector<explore::Forbidden>> exploration;
        exploration.tree = cells.cells.tree;
        const LinearForm value = linear_value(theorem.w, system_, cells.shape);
        for (const std::optional<Coefficients>& row : cells.cells.leaves) {
            exploration.leaves.emplace_back();
            if (row)
                exploration.leaves.back().push_back(
                    forbidden(theorem, value, LinearForm(basis_.drift(theorem.w, *row))));
        }
        return explore::settle(question, std::move(exploration));
    }

    [[nodiscard]] TransienceUnknown unknown(std::string reason) const {
        TransienceUnknown unknown{std::move(reason), {}, statistics_};
        for (const Direction& direction : directions_) unknown.best.push_back(direction.best.delta);
        return unknown;
    }
    [[nodiscard]] TransienceUnknown none() const {
        return unknown(
            "no linear W of the template has positive drift wherever it is large; this says nothing about "
            "the policy's stability");
    }

    const SymbolicSystem& system_;
    const explore::Budget& budget_;
    Rational scale_;
    ClosedSet closed_;
    std::vector<Shape> shapes_;
    LinearBasis basis_;
    std::vector<LinearCells> cells_;
    std::vector<Direction> directions_;
    explore::Statistics statistics_;
};

}  // namespace

TransienceOutcome search_transience(const SymbolicSystem& system, const explore::Budget& budget) {
    try {
        return Search(system, budget).run();
    } catch (const LimitExceeded& limit) {
        if (limit.limit() != "exploration") throw;
        return TransienceUnknown{limit.what(), {}, {}};
    }
}

BestWeights best_drift_where_long(const SymbolicSystem& system, QueueId i, const explore::Budget& budget) {
    return Search(system, budget).where_long(i);
}

TransienceOutcome prove_transience(const SymbolicSystem& system, LyapunovForm w, const Rational& delta,
                                   const Rational& threshold, const explore::Budget& budget) {
    return Search(system, budget).prove(std::move(w), delta, threshold);
}

}  // namespace schedproof::queueing
