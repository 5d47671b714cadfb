/// Searching for a proof of transience: the weights by linear programming, the threshold by exploration.
///
/// All cells of the kernel are explored once (linear_cells.hpp). For each queue i the program asks for weights with
/// w_i = 1 whose drift is at least delta on every cell that holds a ray "only queue i grows"; these are necessary. The
/// weights are then held against all cells: where W grows along a cell on which the drift is too small, that cell joins
/// the program; where W is bounded on such cells, its largest value there gives the threshold. The program has finitely
/// many rows to gain, so this ends. Nothing about the instance is known beforehand.
///
/// A linear W may fail although the cluster is transient: where one queue is stable and the drift of the others depends
/// on its length, the growth must be weighed by how often each length occurs. Then a table phi of one queue joins W
/// (linear_cells.hpp), of each queue in turn and twice as long each time; its increments are weights like the others.
/// The optimum of such a program has long fractions, and the sentence lists them, so weights are rounded to few digits
/// as long as half of the growth is left; what is proved is proved of the rounded ones.
///
/// Proofs by the terms of the drift, which do not go over cells, come first where statuses have many combinations, and
/// last elsewhere.
///
/// When no direction has a positive optimum, no function of the template proves transience, which is no statement about
/// the policy: the answer is "unknown", as for every stable policy.
///
/// Long: the search, its tables, and the proof of what it finds share the explored cells.
#include "proofs/queueing/transience/transience_search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "model/core/errors.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/drift/closed_set_search.hpp"
#include "proofs/queueing/drift/summand_search.hpp"
#include "proofs/queueing/transience/cone_search.hpp"
#include "proofs/queueing/transience/mode_search.hpp"

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

constexpr std::size_t smallest_table = 2;
/// No table that may have more cells is tried.
constexpr std::size_t most_table_cells = 2'000;
constexpr std::string_view no_linear = "no linear W of the template has positive drift wherever it is large";
constexpr std::string_view says_nothing = "this says nothing about the policy's stability";

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

    TransienceOutcome run(std::size_t largest_table) {
        TransienceOutcome linear = attempt();
        auto* unknown = std::get_if<TransienceUnknown>(&linear);
        if (unknown == nullptr || !exhausted_ || largest_table < smallest_table || filled().size() < 2) return linear;
        TransienceOutcome outcome = with_tables(largest_table);
        if (auto* longer = std::get_if<TransienceUnknown>(&outcome)) longer->best = std::move(unknown->best);
        return outcome;
    }

    TransienceOutcome prove(LyapunovForm w, const Rational& delta, const Rational& threshold,
                            std::optional<QueueTable> phi) {
        if (phi) basis_.table = TableSize{phi->queue, phi->increments.size()};
        for (const Shape& shape : shapes_)
            if (!explore_shape(shape)) return unknown("exploration ended: " + *cells_.back().cells.ended);
        return certify(std::move(w), std::move(phi), delta, threshold);
    }

    /// The program of a queue with the rows of all cells on which it is unbounded.
    BestWeights where_long(QueueId queue) {
        Direction direction{queue.index(), {}, {}, false};
        for (const Shape& shape : shapes_) {
            if (!explore_shape(shape)) throw LimitExceeded("exploration", *cells_.back().cells.ended);
            for_each_cell(
                cells_.back(), [&](const LinearLeaf& leaf, const std::vector<Constraint>& cell, std::size_t symbols) {
                    if (direction.rows.contains(leaf.row)) return;
                    const auto x = static_cast<proof::Variable>(queue.index());
                    if (explore::maximise(cell, LinearForm::variable(x), symbols).kind == Maximum::Kind::unbounded)
                        direction.rows.insert(leaf.row);
                });
        }
        solve(direction);
        return direction.best;
    }

  private:
    /// The queues that tasks join.
    [[nodiscard]] std::vector<QueueId> filled() const {
        std::vector<QueueId> all;
        for (const QueueId q : IdRange<QueueId>(basis_.queues))
            if (!std::binary_search(closed_.empty.begin(), closed_.empty.end(), q)) all.push_back(q);
        return all;
    }

    /// With a table of each queue in turn, the smallest tables first. A table cuts each of the cells at most once per
    /// length below its end and once beyond, so those of the linear attempt bound the cells before any is explored.
    TransienceOutcome with_tables(std::size_t largest) {
        const std::size_t cells = leaves();
        std::size_t tried = 0;
        for (std::size_t entries = smallest_table; entries <= largest; entries *= 2) {
            if (cells * (entries + shapes_.front().serving.size()) > most_table_cells)
                return no_table(tried, fmt::format("longer ones may have more than {} cells", most_table_cells));
            for (const QueueId q : filled()) {
                basis_.table = TableSize{q, entries};
                TransienceOutcome outcome = attempt();
                if (std::holds_alternative<TransienceProof>(outcome)) return outcome;
                if (ended_) return no_table(tried, std::get<TransienceUnknown>(outcome).reason);
            }
            tried = entries;
        }
        return no_table(tried, "");
    }

    /// The search with the basis as it stands.
    TransienceOutcome attempt() {
        cells_.clear();
        directions_.clear();
        exhausted_ = ended_ = false;
        for (const QueueId q : filled())
            if (!basis_.table || basis_.table->queue != q) directions_.push_back({q.index(), {}, {}, false});
        for (const Shape& shape : shapes_) {
            if (!explore_shape(shape)) {
                ended_ = true;
                return unknown("exploration ended: " + *cells_.back().cells.ended);
            }
            for (Direction& direction : directions_) add_necessary(direction, cells_.back());
            if (all_dead()) return none();
        }
        std::sort(directions_.begin(), directions_.end(),
                  [](const Direction& a, const Direction& b) { return a.best.delta > b.best.delta; });
        std::string last;
        for (Direction& direction : directions_) {
            if (direction.dead) continue;
            std::optional<Rational> threshold = settle(direction);
            if (!threshold) continue;
            if (basis_.table)
                if (const std::optional<Rational> shorter = shorten(direction)) threshold = shorter;
            TransienceOutcome outcome =
                certify(basis_.form("W", direction.best.weights), basis_.table_of(direction.best.weights),
                        direction.best.delta, *threshold);
            if (std::holds_alternative<TransienceProof>(outcome)) return outcome;
            last = std::get<TransienceUnknown>(outcome).reason;
        }
        return last.empty() ? none() : unknown(last);
    }

    /// No weight for queues that hold no task, to which no row gives one.
    void solve(Direction& direction) const {
        direction.solve(basis_, scale_);
        for (const QueueId q : closed_.empty) direction.best.weights[q.index()] = Rational(0);
    }

    bool explore_shape(const Shape& shape) {
        cells_.push_back(linear_cells(system_, shape, basis_, budget_, closed_.empty));
        statistics_ += cells_.back().cells.statistics;
        if (budget_.progress) budget_.progress(statistics_.cells);
        return !cells_.back().cells.ended;
    }

    [[nodiscard]] std::size_t leaves() const {
        std::size_t sum = 0;
        for (const LinearCells& cells : cells_) sum += cells.cells.leaves.size();
        return sum;
    }

    /// visit(what is known of the cell, its constraints, number of symbols)
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
        for_each_cell(cells, [&](const LinearLeaf& leaf, const std::vector<Constraint>& cell, std::size_t) {
            if (!direction.rows.contains(leaf.row) && grows_alone(cell, static_cast<proof::Variable>(direction.queue)))
                changed |= direction.add(leaf.row);
        });
        if (changed) solve(direction);
    }

    [[nodiscard]] bool all_dead() const {
        return std::all_of(directions_.begin(), directions_.end(), [](const Direction& d) { return d.dead; });
    }

    /// Adds the rows of cells along which W grows with too little drift until there are none; then the threshold.
    std::optional<Rational> settle(Direction& direction) {
        for (;;) {
            if (std::optional<Rational> threshold = threshold_of(direction)) return threshold;
            solve(direction);
            if (direction.dead) return std::nullopt;
        }
    }

    /// An integer above W on all cells of too little drift; nothing, and the cells' rows, where W grows on one of them.
    std::optional<Rational> threshold_of(Direction& direction) {
        const LyapunovForm w = basis_.form("W", direction.best.weights);
        const std::optional<QueueTable> phi = basis_.table_of(direction.best.weights);
        Rational highest(0);
        bool changed = false;
        for (const LinearCells& cells : cells_) {
            const LinearForm linear = linear_value(w, system_, cells.shape);
            for_each_cell(cells, [&](const LinearLeaf& leaf, const std::vector<Constraint>& cell, std::size_t symbols) {
                if (dot(leaf.row, direction.best.weights) >= direction.best.delta || direction.rows.contains(leaf.row))
                    return;
                const Maximum maximum = explore::maximise(cell, value(linear, phi, leaf, cells.shape), symbols);
                if (maximum.kind == Maximum::Kind::unbounded)
                    changed |= direction.add(leaf.row);
                else if (maximum.kind == Maximum::Kind::attained)
                    highest = std::max(highest, maximum.value);
            });
        }
        if (changed) return std::nullopt;
        return Rational(floor(highest)) + Rational(1);
    }

    /// W on a cell.
    [[nodiscard]] LinearForm value(const LinearForm& linear, const std::optional<QueueTable>& phi,
                                   const LinearLeaf& leaf, const Shape& shape) const {
        return phi ? linear + table_value(*phi, leaf.place, system_, shape) : linear;
    }

    /// Rounds the weights to as few digits as leave half of the growth, and returns the threshold then; nothing where
    /// no rounding does.
    std::optional<Rational> shorten(Direction& direction) {
        const Rational enough = direction.best.delta * Rational(Integer(1), Integer(2));
        for (std::int64_t unit = 10; unit <= 10'000'000; unit *= 10) {
            Direction rounded = direction;
            for (Rational& w : rounded.best.weights)
                w = Rational(floor(w * Rational(unit) + Rational(Integer(1), Integer(2)))) / Rational(unit);
            for (;;) {
                const Rational least = least_drift(rounded);
                if (least < enough) break;
                rounded.best.delta = least;
                if (std::optional<Rational> threshold = threshold_of(rounded)) {
                    direction = std::move(rounded);
                    return threshold;
                }
            }
        }
        return std::nullopt;
    }

    /// The least drift over the rows.
    [[nodiscard]] static Rational least_drift(const Direction& direction) {
        Rational least = dot(*direction.rows.begin(), direction.best.weights);
        for (const Coefficients& row : direction.rows) least = std::min(least, dot(row, direction.best.weights));
        return least;
    }

    TransienceOutcome certify(LyapunovForm w, std::optional<QueueTable> phi, const Rational& delta,
                              const Rational& threshold) {
        require_fits(w, system_.instance(), system_.layout());
        if (std::string wrong = linear_rejection(w); !wrong.empty()) return unknown(wrong);
        TransienceProof proof;
        proof.theorem = {
            std::move(w),  delta,         threshold, {}, closed_.statuses, capacity::solve(system_.instance()),
            closed_.empty, std::move(phi)};
        proof.theorem.jump = jump_bound(system_, proof.theorem);
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
        const LinearForm linear = linear_value(theorem.w, system_, cells.shape);
        for (const std::optional<LinearLeaf>& leaf : cells.cells.leaves) {
            exploration.leaves.emplace_back();
            if (leaf)
                exploration.leaves.back().push_back(
                    forbidden(theorem, value(linear, theorem.table, *leaf, cells.shape),
                              LinearForm(basis_.drift(theorem.w, theorem.table, leaf->row))));
        }
        return explore::settle(question, std::move(exploration));
    }

    [[nodiscard]] TransienceUnknown unknown(std::string reason) const {
        TransienceUnknown unknown{std::move(reason), {}, statistics_};
        for (const Direction& direction : directions_) unknown.best.push_back(direction.best.delta);
        return unknown;
    }
    [[nodiscard]] TransienceUnknown none() {
        exhausted_ = true;
        return unknown(fmt::format("{}; {}", no_linear, says_nothing));
    }
    /// After tables of up to `tried` increments.
    [[nodiscard]] TransienceUnknown no_table(std::size_t tried, const std::string& stopped) const {
        const std::string tables =
            tried == 0 ? std::string("; tables of one queue's length were not tried")
                       : fmt::format(", and none with a table of up to {} increments of one queue's length", tried);
        return unknown(
            fmt::format("{}{}{}; {}", no_linear, tables, stopped.empty() ? "" : " (" + stopped + ")", says_nothing));
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
    bool exhausted_ = false;  // the last attempt found that no weights will do
    bool ended_ = false;      // its exploration ended at the budget
};

}  // namespace

namespace {

TransienceOutcome prove_by_cells(const SymbolicSystem& system, const explore::Budget& budget,
                                 std::size_t largest_table) {
    try {
        return Search(system, budget).run(largest_table);
    } catch (const LimitExceeded& limit) {
        if (limit.limit() != "exploration") throw;
        return TransienceUnknown{limit.what(), {}, {}};
    }
}

/// A proof by the terms of the drift; nothing where there is none, or terms are not defined.
std::optional<TransienceProof> proof_of(TransienceOutcome (*prove)(const SymbolicSystem&),
                                        const SymbolicSystem& system) {
    try {
        TransienceOutcome outcome = prove(system);
        if (auto* proof = std::get_if<TransienceProof>(&outcome)) return std::move(*proof);
    } catch (const InputError&) {
    } catch (const LimitExceeded&) {}
    return std::nullopt;
}

}  // namespace

std::optional<TransienceProof> search_transience_by_terms(const SymbolicSystem& system) {
    for (const auto prove : {prove_by_modes, prove_in_cone})
        if (auto proof = proof_of(prove, system)) return proof;
    return {};
}

TransienceOutcome search_transience(const SymbolicSystem& system, const explore::Budget& budget,
                                    std::size_t largest_table) {
    const bool are_many = have_many_statuses(system, SummandKind::together);
    if (are_many)
        if (auto proof = search_transience_by_terms(system)) return std::move(*proof);
    TransienceOutcome outcome = prove_by_cells(system, budget, largest_table);
    if (!are_many && std::holds_alternative<TransienceUnknown>(outcome))
        if (auto proof = proof_of(prove_in_cone, system)) return std::move(*proof);
    return outcome;
}

BestWeights best_drift_where_long(const SymbolicSystem& system, QueueId i, const explore::Budget& budget) {
    return Search(system, budget).where_long(i);
}

TransienceOutcome prove_transience(const SymbolicSystem& system, LyapunovForm w, const Rational& delta,
                                   const Rational& threshold, const explore::Budget& budget,
                                   std::optional<QueueTable> phi) {
    return Search(system, budget).prove(std::move(w), delta, threshold, std::move(phi));
}

}  // namespace schedproof::queueing
