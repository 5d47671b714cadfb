/// How much worse than the optimum a policy can be: the adversary.
///
/// For a number of jobs, machines, a service and a speed, the largest ratio F(policy at the speed) / OPT.
///
/// Over all arrivals and sizes (`worst_over_jobs`): one body runs the policy's own code on symbolic arrivals and sizes,
/// then a competitor at speed 1, whose choice at its k-th decision is an integer symbol that the body asks for
/// (theorems/choices.hpp). So every cell of the exploration has one schedule of the policy, one strategy and schedule
/// of the competitor, and both flowtimes as linear forms F and F*. A problem may be scaled, so let F* <= 1: the largest
/// F on the cell is a linear program, and the largest of all these, over all cells and so over all competitors, is the
/// supremum of the ratio: F <= v F* on the closure of each cell, and v is approached from within one.
/// That the cells cover the space is not left to the solver either: each side that it called empty gets multipliers
/// from an exact linear program, and without them the value is a lower bound. On a grid (`worst_on_grid`): every
/// problem with gaps and sizes from lists, its optimum by optimum.hpp, asked only whether it is small enough for a
/// larger ratio. Either way the instance reported is run again and solved again, in rationals.
#include "proofs/redundancy/worst.hpp"

#include <algorithm>

#include "proofs/explore/farkas.hpp"
#include "proofs/redundancy/theorems/choices.hpp"

namespace schedproof::redundancy {

using explore::Affine;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

RatioWitness measure(const AnyPolicy& policy, const Rational& speed, Problem<Rational> problem) {
    require(!problem.jobs.empty(), "a ratio of flowtimes needs a job");
    const History<Rational> run = history(policy, problem, speed);
    RatioWitness witness{std::move(problem), run.completion, {}, {}};
    witness.flowtime = run.total_flowtime(witness.problem.jobs);
    witness.best = optimum(witness.problem);
    return witness;
}

namespace {

/// A cell's two flowtimes.
struct Flowtimes {
    LinearForm policy, competitor;
};

/// All that the adversary explores: jobs, then a symbol per decision of the competitor.
class Game {
  public:
    Game(const AnyPolicy& policy, const Shape& shape) : policy_(policy), shape_(shape) {
        add_jobs(space_, shape);
        jobs_ = space_.symbols.size();
        add_choices(space_, shape);
    }

    [[nodiscard]] const proof::Space& space() const { return space_; }
    [[nodiscard]] Flowtimes operator()(const std::vector<Affine>& symbols) const {
        const Problem<Affine> problem = redundancy::problem(shape_, symbols);
        const Affine own = history(policy_, problem, shape_.speed).total_flowtime(problem.jobs);
        return {own.form(), chosen_flowtime(problem, symbols, jobs_).form()};
    }
    /// The problem at a point of the space, scaled to whole numbers: its ratio is the same.
    [[nodiscard]] Problem<Rational> at(std::vector<Rational> point) const {
        point.resize(jobs_);
        const Rational scale(common_denominator(point));
        for (Rational& value : point) value *= scale;
        return redundancy::at(shape_, point);
    }

  private:
    const AnyPolicy& policy_;
    Shape shape_;
    proof::Space space_;
    std::size_t jobs_ = 0;
};

/// Where the largest value was found.
struct LargestRatio {
    std::vector<Constraint> cell;
    std::vector<Rational> optimum;  // on the closure of the cell
    std::optional<std::vector<Rational>> attained;
};

/// The largest ratio on a cell, if that exceeds what is known, or attains it for the first time.
void offer(const std::vector<Constraint>& cell, const Flowtimes& f, std::size_t variables, Worst& worst,
           std::optional<LargestRatio>& place) {
    std::vector<Constraint> all = cell;
    all.push_back({LinearForm(Rational(1)) - f.competitor, false});
    ++worst.programs;
    Maximum maximum = explore::maximise(all, f.policy, variables);
    require(maximum.kind == Maximum::Kind::attained, "flowtimes are bounded by multiples of the sizes");
    if (place && (maximum.value < worst.ratio || (maximum.value == worst.ratio && worst.attained))) return;
    all.push_back({f.policy - LinearForm(maximum.value), false});
    ++worst.programs;
    std::optional<std::vector<Rational>> attained = explore::inside(all, variables);
    if (place && maximum.value == worst.ratio && !attained) return;
    worst.ratio = maximum.value;
    worst.attained = attained.has_value();
    place = LargestRatio{cell, std::move(maximum.point), std::move(attained)};
}

/// A problem that attains the value, or one near: from the optimum a little inside the cell.
RatioWitness find_witness(const AnyPolicy& policy, const Rational& speed, const Game& game, const LargestRatio& place,
                          const Worst& worst) {
    if (place.attained) {
        RatioWitness witness = measure(policy, speed, game.at(*place.attained));
        const bool lower = worst.proved == Worst::Proved::lower_bound;  // then another competitor may do better
        if (lower ? witness.ratio() < worst.ratio : witness.ratio() != worst.ratio)
            throw OracleConflict("the ratio " + worst.ratio.to_string() + " of a cell is " +
                                 witness.ratio().to_string() + " when it is measured");
        return witness;
    }
    const auto centre = explore::inside(place.cell, game.space().symbols.size());
    require(centre.has_value(), "a cell has a point");
    std::optional<RatioWitness> best;
    Rational step(Integer(1), Integer(2));
    const Rational enough = worst.ratio * Rational(Integer(999), Integer(1000));
    for (int i = 0; i < 40 && !(best && best->ratio() >= enough); ++i, step *= Rational(Integer(1), Integer(2))) {
        std::vector<Rational> point;
        for (std::size_t x = 0; x < centre->size(); ++x)
            point.push_back((Rational(1) - step) * place.optimum[x] + step * (*centre)[x]);
        RatioWitness witness = measure(policy, speed, game.at(point));
        if (worst.proved == Worst::Proved::supremum && witness.ratio() > worst.ratio)
            throw OracleConflict("a ratio above the supremum " + worst.ratio.to_string() + " has been measured");
        if (!best || witness.ratio() > best->ratio()) best = std::move(witness);
    }
    return *best;
}

/// Why the leaves are not shown to cover the space; empty when multipliers refute every closed side.
std::string cover_gap(const proof::Space& space, proof::Tree& tree) {
    try {
        explore::close(space, tree);
    } catch (const LimitExceeded& limit) {
        return limit.what();
    }
    const std::string wrong = proof::rejection(space, tree);
    if (!wrong.empty()) throw OracleConflict("the cells do not cover the space: " + wrong);
    return "";
}

}  // namespace

Worst worst_over_jobs(const AnyPolicy& policy, const Shape& shape, const explore::Budget& budget) {
    const Game game(policy, shape);
    auto cells = explore::explore(game.space(), game, budget);
    for (const proof::Tree::Node& node : cells.tree.nodes)
        require(node.atom.bound.sign() == 0 || node.atom.integer, "no time is absolute: problems can be scaled");
    Worst worst;
    worst.statistics = cells.statistics;
    worst.cases = cells.leaves.size();
    worst.ended = cells.ended ? *cells.ended : cover_gap(game.space(), cells.tree);
    worst.proved = worst.ended.empty() ? Worst::Proved::supremum : Worst::Proved::lower_bound;
    std::optional<LargestRatio> place;
    proof::for_each_leaf(game.space(), cells.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& cell) {
        offer(cell, cells.leaves[leaf], game.space().symbols.size(), worst, place);
    });
    if (place) worst.witness = find_witness(policy, shape.speed, game, *place, worst);
    return worst;
}

Worst worst_on_grid(const AnyPolicy& policy, const Shape& shape, const Grid& grid) {
    const Rational& speed = shape.speed;
    std::uint64_t all = 1;
    for (std::size_t j = 0; j < shape.jobs; ++j) {
        const std::uint64_t ways = grid.sizes.size() * (j == 0 ? 1 : grid.gaps.size());
        if (__builtin_mul_overflow(all, ways, &all) || all > grid.limit)
            throw LimitExceeded("grid", "more than " + std::to_string(grid.limit) + " problems");
    }
    Worst worst;
    worst.proved = Worst::Proved::grid;
    worst.attained = true;
    Problem<Rational> problem{shape.machines, shape.service, {}};
    const auto look = [&] {
        if (grid.progress && worst.cases % 64 == 0) grid.progress(worst.cases, all);
        ++worst.cases;
        const Rational flowtime = history(policy, problem, speed).total_flowtime(problem.jobs);
        ++worst.programs;
        if (!worst.witness) {
            worst.witness = measure(policy, speed, problem);
        } else {
            auto best = optimum_below(problem, flowtime / worst.ratio);
            if (!best) return;
            worst.witness = measure(policy, speed, problem);
        }
        worst.ratio = worst.witness->ratio();
    };
    const auto extend = [&](auto&& self) -> void {
        if (problem.jobs.size() == shape.jobs) return look();
        const bool first = problem.jobs.empty();
        for (std::size_t g = 0; g < (first ? 1 : grid.gaps.size()); ++g)
            for (const Rational& size : grid.sizes) {
                const Rational arrival = first ? Rational(0) : problem.jobs.back().arrival + grid.gaps[g];
                problem.jobs.push_back({arrival, size});
                self(self);
                problem.jobs.pop_back();
            }
    };
    extend(extend);
    return worst;
}

}  // namespace schedproof::redundancy
