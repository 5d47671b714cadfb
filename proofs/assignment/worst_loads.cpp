/// The supremum of a policy's makespan over the optimum, for all loads of a shape: linear programs on the policy's
/// cells.
///
/// On a cell the policy makes one assignment, and its finish times are linear forms. Ratios do not change when a
/// problem is scaled, so the competitor is required to finish by 1, and the largest finish time of the policy is a
/// linear program per cell, core and competitor. A bound on the whole space skips programs that cannot raise the
/// record. When the competitor is free, Z3 names one that exceeds the record and the program says by how much, until
/// none is left. A witness is run and its optimum found again in rationals. If the supremum is only approached, the
/// witness lies near it.
#include <algorithm>
#include <map>

#include "proofs/assignment/free_competitor.hpp"
#include "proofs/assignment/least_makespan.hpp"
#include "proofs/assignment/ratio_cells.hpp"
#include "proofs/explore/farkas.hpp"

namespace schedproof::assignment {

using explore::inside;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

RatioWitness measure(const SystemUnderTest& system_under_test, Problem<Rational> problem) {
    RatioWitness witness{std::move(problem), {}, {}, {}, {}};
    const Run<Rational> run = system_under_test.exact(witness.problem);
    Best<Rational> best = optimum_by_servers(witness.problem);
    require(!run.finish.empty() && best.value, "a ratio of makespans needs a task");
    witness.scheduled = run.assignment;
    witness.makespan = *std::max_element(run.finish.begin(), run.finish.end());
    witness.optimal = std::move(best.witness);
    witness.optimum = *best.value;
    return witness;
}

namespace {

/// Where a larger value was found.
struct Place {
    std::vector<Constraint> cell;   ///< the space's constraints and the path's
    std::vector<Rational> optimum;  ///< of the linear program; on the closure of the cell
    std::vector<Rational> ray;      ///< when unbounded
    std::optional<std::vector<Rational>> attained;
};

/// The largest ratio found so far, cell by cell.
class Record {
  public:
    Record(const RatioSpace& space, Worst& worst) : worst_(worst), variables_(space.space().symbols.size()) {
        worst_.ratio = Rational(0);
    }

    [[nodiscard]] bool unbounded() const { return !worst_.ratio; }
    [[nodiscard]] const std::optional<Place>& place() const { return place_; }
    /// Whether a value no larger than this changes nothing.
    [[nodiscard]] bool settled(const Rational& value) const {
        return unbounded() || value < *worst_.ratio || (value == *worst_.ratio && worst_.attained);
    }

    /// One linear program: the largest `finish` on the cell, given that the competitor finishes by 1. Returns whether
    /// the record has changed.
    bool offer(const std::vector<Constraint>& cell, const LinearForm& finish,
               const std::vector<Constraint>& competitor) {
        std::vector<Constraint> all = cell;
        all.insert(all.end(), competitor.begin(), competitor.end());
        ++worst_.programs;
        Maximum maximum = explore::maximise(all, finish, variables_);
        if (maximum.kind == Maximum::Kind::empty) return false;  // the competitor takes longer on all of the cell
        if (maximum.kind == Maximum::Kind::unbounded) {
            worst_.ratio.reset();
            worst_.attained = false;
            for (Constraint& c : all) c.strict = false;
            place_ = Place{cell, inside(all, variables_).value(), std::move(maximum.ray), {}};
            return true;
        }
        if (settled(maximum.value)) return false;
        all.push_back({finish - LinearForm(maximum.value), false});
        ++worst_.programs;
        std::optional<std::vector<Rational>> attained = inside(all, variables_);
        if (maximum.value == *worst_.ratio && !attained) return false;
        worst_.ratio = maximum.value;
        worst_.attained = attained.has_value();
        place_ = Place{cell, std::move(maximum.point), {}, std::move(attained)};
        return true;
    }

  private:
    Worst& worst_;
    std::size_t variables_;
    std::optional<Place> place_;
};

/// Bounds that hold on every cell: the largest value of a finish against a competitor on the whole space.
class GlobalBounds {
  public:
    GlobalBounds(const RatioSpace& space, Worst& worst) : space_(space), worst_(worst) {}
    /// None: unbounded.
    [[nodiscard]] const std::optional<Rational>& bound(const LinearForm& finish, std::size_t i,
                                                       const std::vector<Constraint>& competitor) {
        auto& known = bounds_[finish];
        if (known.size() <= i) known.resize(i + 1);
        if (!known[i]) {
            std::vector<Constraint> all = space_.space().constraints();
            all.insert(all.end(), competitor.begin(), competitor.end());
            ++worst_.programs;
            const Maximum maximum = explore::maximise(all, finish, space_.space().symbols.size());
            known[i].emplace(maximum.kind == Maximum::Kind::unbounded ? std::nullopt : std::optional(maximum.value));
        }
        return *known[i];
    }

  private:
    struct ByTerms {
        bool operator()(const LinearForm& a, const LinearForm& b) const {
            return std::lexicographical_compare(a.terms().begin(), a.terms().end(), b.terms().begin(), b.terms().end());
        }
    };
    const RatioSpace& space_;
    Worst& worst_;
    std::map<LinearForm, std::vector<std::optional<std::optional<Rational>>>, ByTerms> bounds_;
};

void against_enumerated(const RatioSpace& space, const explore::Exploration<Finishes>& cells, Record& record,
                        Worst& worst) {
    std::vector<std::vector<Constraint>> competitor;
    for (const Assignment& map : competitors(*space.shape())) competitor.push_back(at_most_one(finishes(space, map)));
    worst.competitors = competitor.size();
    GlobalBounds bounds(space, worst);
    proof::for_each_leaf(space.space(), cells.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& cell) {
        for (const LinearForm& finish : cells.leaves[leaf])
            for (std::size_t i = 0; i < competitor.size() && !record.unbounded(); ++i) {
                const auto& bound = bounds.bound(finish, i, competitor[i]);
                if (!bound || !record.settled(*bound)) (void)record.offer(cell, finish, competitor[i]);
            }
    });
}

/// Z3 names a competitor that exceeds the record on the cell, and the linear program says by how much, until nothing
/// does; then whether the record is attained.
void against_free(const RatioSpace& space, const explore::Exploration<Finishes>& cells, Record& record, Worst& worst,
                  const explore::Budget& budget) {
    FreeCompetitor competitor(space, budget.solver);
    const auto ask = [&](bool strictly) {
        proof::for_each_leaf(space.space(), cells.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& cell) {
            if (record.unbounded() || !worst.ended.empty()) return;
            competitor.enter(cell);
            for (bool more = true; more && !record.unbounded() && (strictly || !worst.attained);) {
                const auto found = competitor.exceeding(cells.leaves[leaf], *worst.ratio, strictly);
                if (found.answer == explore::Answer::unknown)
                    worst.ended = "the solver's budget of " + std::to_string(budget.solver) + " units for one question";
                more = found.answer == explore::Answer::feasible;
                if (more && !record.offer(cell, found.finish, at_most_one(finishes(space, found.map))))
                    throw OracleConflict("the solver's competitor exceeds a ratio that it does not exceed");
            }
            competitor.leave();
        });
    };
    ask(true);
    if (!worst.attained) ask(false);
    worst.statistics.questions += competitor.questions();
}

/// A problem that attains the value, or one near: from the optimum, some way along the ray, a little inside the cell.
std::optional<RatioWitness> find_witness(const SystemUnderTest& system_under_test, const RatioSpace& space,
                                         const Place& place, const Worst& worst) {
    if (place.attained) {
        RatioWitness witness = measure(system_under_test, space.at(*place.attained));
        if (witness.ratio() != *worst.ratio)
            throw OracleConflict("the ratio " + worst.ratio->to_string() + " of a cell is " +
                                 witness.ratio().to_string() + " when it is measured");
        return witness;
    }
    const auto centre = inside(place.cell, space.space().symbols.size());
    if (!centre) return std::nullopt;
    std::optional<RatioWitness> best;
    Rational step(Integer(1), Integer(2));
    const Rational enough = worst.ratio ? *worst.ratio * Rational(Integer(999), Integer(1000)) : Rational(1000);
    for (int i = 0; i < 40; ++i, step *= Rational(Integer(1), Integer(2))) {
        std::vector<Rational> point;
        for (std::size_t x = 0; x < centre->size(); ++x) {
            point.push_back((Rational(1) - step) * place.optimum[x] + step * (*centre)[x]);
            if (!place.ray.empty()) point.back() += place.ray[x] / step;
        }
        RatioWitness witness = measure(system_under_test, space.at(point));
        if (worst.ratio && witness.ratio() > *worst.ratio)
            throw OracleConflict("a ratio above the supremum " + worst.ratio->to_string() + " has been measured");
        if (!best || witness.ratio() > best->ratio()) best = std::move(witness);
        if (best->ratio() >= enough) break;
    }
    return best;
}

}  // namespace

Worst worst_over_loads(const SystemUnderTest& system_under_test, const RatioSpace& space, Competitor competitor,
                       const explore::Budget& budget) {
    Worst worst;
    const auto cells = ratio_cells(system_under_test, space, budget);
    worst.statistics = cells.statistics;
    worst.cases = cells.leaves.size();
    worst.ended = cells.ended.value_or("");
    Record record(space, worst);
    if (competitor == Competitor::enumerated)
        against_enumerated(space, cells, record, worst);
    else
        against_free(space, cells, record, worst, budget);
    if (record.place()) worst.witness = find_witness(system_under_test, space, *record.place(), worst);
    if (worst.ended.empty() || !worst.ratio) worst.proved = Worst::Proved::supremum;
    return worst;
}

explore::Question ratio_question(const SystemUnderTest& system_under_test, const RatioSpace& space,
                                 const Rational& ratio) {
    std::vector<std::vector<Constraint>> competitor;
    for (const Assignment& map : competitors(*space.shape())) competitor.push_back(at_most_one(finishes(space, map)));
    return {"makespan of " + system_under_test.name + " at most " + ratio.to_string() + " times the least",
            space.space(), [system_under_test, &space, ratio, competitor](const std::vector<explore::Affine>& symbols) {
                std::vector<explore::Forbidden> forbidden;
                for (const explore::Affine& finish : system_under_test.symbolic(space.problem(symbols)).finish)
                    for (const std::vector<Constraint>& by_one : competitor) {
                        forbidden.push_back(by_one);
                        forbidden.back().push_back({finish.form() - LinearForm(ratio), true});
                    }
                return forbidden;
            }};
}

}  // namespace schedproof::assignment
