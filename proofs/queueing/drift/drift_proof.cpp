/// Drift statements for all states: cells once, then one linear program per cell.
///
/// Every combination of statuses is explored once; on a cell the drift of V is one affine function of the queue
/// lengths, so "the drift is at most -delta where the measure reaches the threshold" fails on a polyhedron. The largest
/// measure of its points, over all cells, gives the least threshold; when it is unbounded, a ray of the cell is a
/// direction in which the statement fails however long the queues are. The proof refutes, per cell, the constraints
/// {path, measure >= threshold, drift > -delta}, with multipliers from exact linear programs. A failure is reported
/// only after integer states on the ray were replayed by exact enumeration of the code.
#include "proofs/queueing/drift/drift_proof.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "model/core/errors.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/queueing/drift/closed_set_search.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Exploration;
using explore::Forbidden;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

std::vector<std::vector<Service>> find_statuses(const SymbolicSystem& system, const explore::Budget& budget,
                                                const std::vector<QueueId>& empty) {
    Shape idle;
    idle.serving.assign(system.instance().servers().size(), Service{});
    std::vector<std::vector<Service>> statuses(idle.serving.size(), {Service{}});
    if (system.instance().preemptive()) return statuses;
    // What the others execute may change what a policy sees, so until nothing new is found.
    for (bool grown = true; grown;) {
        grown = false;
        const std::vector<std::vector<Service>> before = statuses;
        for (const ServerId m : system.instance().servers()) {
            const std::vector<Shape> shapes = shapes_with_idle(system, m, before);
            const auto cells = explore::explore(
                space_without(system, idle, empty),
                [&](const std::vector<Affine>& symbols) { return statuses_led_to(system, m, shapes, symbols); },
                budget);
            if (cells.ended) throw LimitExceeded("exploration", *cells.ended);
            std::set<Service> found(before[m.index()].begin(), before[m.index()].end());
            for (const std::vector<Service>& some : cells.leaves)
                for (const Service& status : some)
                    if (!turns_to_one_of(empty, status)) found.insert(status);
            grown = grown || found.size() > before[m.index()].size();
            statuses[m.index()].assign(found.begin(), found.end());
        }
    }
    return statuses;
}

Exploration<std::optional<LinearForm>> drift_cells(const SymbolicSystem& system, const Shape& shape,
                                                   const LyapunovForm& v, const explore::Budget& budget,
                                                   const std::vector<QueueId>& empty) {
    return explore::explore(
        space_without(system, shape, empty),
        [&](const std::vector<Affine>& symbols) {
            const SymbolicState state = system.state(shape, symbols);
            return system.is_settled(state) ? std::optional(symbolic_drift(system, state, v)) : std::nullopt;
        },
        budget);
}

namespace {

/// One run of prove_drift.
class Prover {
  public:
    Prover(const SymbolicSystem& system, const ExactSystem& exact, const DriftGoal& goal, const explore::Budget& budget)
        : system_(system), exact_(exact), budget_(budget) {
        require(goal.delta.sign() > 0, "a drift bound must be positive");
        require_fits(goal.v, system.instance(), system.layout());
        theorem_ = {goal.v, goal.sense, goal.delta, {}, goal.measure.value_or(sum_of_queues(system.layout())), {}};
        // Of a threshold that is still to be found nothing is asked yet.
        const std::string wrong = vacuity(theorem_.measure, goal.threshold.value_or(theorem_.measure.constant()));
        if (!wrong.empty()) throw InputError::at_key("measure", "expected a statement that is not vacuous: " + wrong);
    }

    DriftOutcome run(const std::optional<Rational>& threshold) {
        ClosedSet closed = find_closed_set(system_, budget_);
        theorem_.statuses = std::move(closed.statuses);
        theorem_.empty = std::move(closed.empty);
        shapes_ = shapes_of(theorem_.statuses);
        for (const Shape& shape : shapes_) {
            cells_.push_back(drift_cells(system_, shape, theorem_.v, budget_, theorem_.empty));
            statistics_ += cells_.back().statistics;
            if (cells_.back().ended) return DriftUnknown{"exploration ended: " + *cells_.back().ended, statistics_};
        }
        if (threshold)
            theorem_.threshold = *threshold;
        else if (auto failure = find_threshold())
            return *failure;
        if (const std::string wrong = vacuity(theorem_.measure, theorem_.threshold); !wrong.empty())
            return DriftUnknown{"the statement would be vacuous: " + wrong, statistics_};
        return certify();
    }

  private:
    [[nodiscard]] bool fails(const ExactState& state) const {
        const Rational change = drift(exact_, state, theorem_.v);
        return theorem_.sense == Sense::below ? change > -theorem_.delta : change < theorem_.delta;
    }

    std::optional<DriftOutcome> find_threshold() {
        Rational largest(-1);
        std::optional<DriftOutcome> failure;
        for (std::size_t s = 0; s < shapes_.size(); ++s) {
            const proof::Space space = space_without(system_, shapes_[s], theorem_.empty);
            const LinearForm measure = on_symbols(theorem_.measure, system_, shapes_[s]);
            proof::for_each_leaf(space, cells_[s].tree, [&](std::uint32_t leaf, std::vector<Constraint> path) {
                if (failure || !cells_[s].leaves[leaf]) return;
                Constraint fails = forbidden(theorem_, measure, *cells_[s].leaves[leaf])[1];
                // A drift that is constant and exactly at the bound satisfies the statement; the closure would not show
                // it.
                if (fails.form.is_constant() && fails.form.constant().sign() <= 0) return;
                fails.strict = false;
                path.push_back(std::move(fails));
                const Maximum maximum = explore::maximise(path, measure, space.symbols.size());
                if (maximum.kind == Maximum::Kind::unbounded)
                    failure = refute_along(shapes_[s], space, path, maximum.ray);
                else if (maximum.kind == Maximum::Kind::attained)
                    largest = std::max(largest, maximum.value);
            });
            if (failure) return failure;
        }
        theorem_.threshold = Rational(floor(largest)) + Rational(1);
        return std::nullopt;
    }

    /// The statement fails on all of a ray: replay two integer states of it, one far out.
    DriftOutcome refute_along(const Shape& shape, const proof::Space& space, const std::vector<Constraint>& path,
                              const std::vector<Rational>& ray) {
        // From an integer point of the cell, whole multiples of the ray stay integers of the cell.
        const std::optional<explore::Counterpoint> start = explore::find_point(space, path);
        if (!start) return unknown();
        const Rational scale(common_denominator(ray));
        const auto state_at = [&](std::int64_t distance) -> std::optional<ExactState> {
            std::vector<Rational> point = start->point;
            for (std::size_t x = 0; x < point.size(); ++x)
                point[x] = Rational(nearest_integer(point[x] + Rational(distance) * scale * ray[x]));
            ExactState state = system_.at(shape, point);
            return fails(state) ? std::optional(std::move(state)) : std::nullopt;
        };
        for (std::int64_t distance = 1; distance <= 1'000'000; distance *= 10) {
            const auto near = state_at(distance), far = state_at(distance * 1000);
            if (near && far) return DriftRefutation{*near, drift(exact_, *near, theorem_.v), far, ray, statistics_};
        }
        return unknown();
    }

    DriftOutcome certify() {
        DriftProof proof{theorem_, {}, {}};
        std::vector<explore::Question> all = questions(system_, theorem_);
        const std::size_t first = all.size() - shapes_.size();
        for (std::size_t i = 0; i < all.size(); ++i) {
            explore::Reply reply = i < first ? explore::ask(all[i], budget_) : settle(all[i], i - first);
            if (auto* found = std::get_if<proof::ExploredProof>(&reply.result))
                proof.proofs.push_back(std::move(*found));
            else if (const auto* point = std::get_if<explore::Counterpoint>(&reply.result))
                return refute_at(shapes_.at(i - first), all[i].space, *point);
            else
                return DriftUnknown{std::get<explore::Ended>(reply.result).reason, statistics_};
            if (i < first) statistics_ += reply.statistics;
        }
        proof.statistics = statistics_;
        return proof;
    }

    /// The question of a shape, whose cells are known already.
    explore::Reply settle(const explore::Question& question, std::size_t shape) {
        Exploration<std::vector<Forbidden>> exploration;
        exploration.tree = std::move(cells_[shape].tree);
        const LinearForm measure = on_symbols(theorem_.measure, system_, shapes_[shape]);
        for (const std::optional<LinearForm>& change : cells_[shape].leaves) {
            exploration.leaves.emplace_back();
            if (change) exploration.leaves.back().push_back(forbidden(theorem_, measure, *change));
        }
        return explore::settle(question, std::move(exploration));
    }

    DriftOutcome refute_at(const Shape& shape, const proof::Space& space, const explore::Counterpoint& point) {
        const LinearForm measure = on_symbols(theorem_.measure, system_, shape);
        const Maximum maximum = explore::maximise(point.constraints, measure, space.symbols.size());
        if (maximum.kind == Maximum::Kind::unbounded) {
            DriftOutcome along = refute_along(shape, space, point.constraints, maximum.ray);
            if (std::holds_alternative<DriftRefutation>(along)) return along;
        }
        if (point.integral) {
            const ExactState state = system_.at(shape, point.point);
            if (fails(state)) return DriftRefutation{state, drift(exact_, state, theorem_.v), {}, {}, statistics_};
        }
        return unknown();
    }

    [[nodiscard]] DriftUnknown unknown() const {
        return {"the statement fails on real points of a cell, but no integer state was found there", statistics_};
    }

    const SymbolicSystem& system_;
    const ExactSystem& exact_;
    const explore::Budget& budget_;
    DriftTheorem theorem_;
    std::vector<Shape> shapes_;
    std::vector<Exploration<std::optional<LinearForm>>> cells_;
    explore::Statistics statistics_;
};

}  // namespace

DriftOutcome prove_drift(const SymbolicSystem& system, const ExactSystem& exact, const DriftGoal& goal,
                         const explore::Budget& budget) {
    return Prover(system, exact, goal, budget).run(goal.threshold);
}

}  // namespace schedproof::queueing
