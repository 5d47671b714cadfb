/// The supremum of a policy's makespan over the optimum, for all loads of a shape: linear programs on the policy's
/// cells.
///
/// On a cell the policy makes one assignment, and its finish times are linear forms. Ratios do not change when a
/// problem is scaled, so the competitor is required to finish by 1, and the largest finish time of the policy is a
/// linear program per cell, core and competitor. A bound on the whole space skips programs that cannot raise the
/// record. When the competitor is free, Z3 names one that exceeds the record and the program says by how much, until
/// none is left. A witness is run and its optimum found again in rationals. If the supremum is only approached, the
/// witness lies near it, on the line that the certificate has: from the program's optimum into the cell.
/// That nothing exceeds the record is then proved anew (prove_ratio), whatever the search has said.
#include <algorithm>
#include <map>

#include "proofs/assignment/free_competitor.hpp"
#include "proofs/assignment/least_makespan.hpp"
#include "proofs/assignment/ratio_cells.hpp"
#include "proofs/assignment/theorems/symbolic_shape.hpp"
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

/// Beyond this many competitors of a shape the solver looks for one.
constexpr std::size_t many_competitors = 200;

/// A competitor, and that it finishes by 1.
struct Rival {
    Assignment map;
    std::vector<Constraint> by_one;
};
Rival rival(const RatioSpace& space, Assignment map) {
    std::vector<Constraint> by_one = at_most_one(finishes(space, map));
    return {std::move(map), std::move(by_one)};
}

/// Where a larger value was found.
struct LargestRatio {
    Assignment competitor;
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
    [[nodiscard]] const std::optional<LargestRatio>& place() const { return place_; }
    /// Whether a value no larger than this changes nothing.
    [[nodiscard]] bool settled(const Rational& value) const {
        return unbounded() || value < *worst_.ratio || (value == *worst_.ratio && worst_.attained);
    }

    /// One linear program: the largest `finish` on the cell, given that the competitor finishes by 1. Returns whether
    /// the record has changed.
    bool offer(const std::vector<Constraint>& cell, const LinearForm& finish, const Rival& rival) {
        std::vector<Constraint> all = cell;
        all.insert(all.end(), rival.by_one.begin(), rival.by_one.end());
        ++worst_.programs;
        Maximum maximum = explore::maximise(all, finish, variables_);
        if (maximum.kind == Maximum::Kind::empty) return false;  // the competitor takes longer on all of the cell
        if (maximum.kind == Maximum::Kind::unbounded) {
            worst_.ratio.reset();
            worst_.attained = false;
            for (Constraint& c : all) c.strict = false;
            place_ = LargestRatio{rival.map, cell, inside(all, variables_).value(), std::move(maximum.ray), {}};
            return true;
        }
        if (settled(maximum.value)) return false;
        all.push_back({finish - LinearForm(maximum.value), false});
        ++worst_.programs;
        std::optional<std::vector<Rational>> attained = inside(all, variables_);
        if (maximum.value == *worst_.ratio && !attained) return false;
        worst_.ratio = maximum.value;
        worst_.attained = attained.has_value();
        place_ = LargestRatio{rival.map, cell, std::move(maximum.point), {}, std::move(attained)};
        return true;
    }

  private:
    Worst& worst_;
    std::size_t variables_;
    std::optional<LargestRatio> place_;
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
    std::vector<Rival> rivals;
    for (Assignment& map : competitors(*space.shape())) rivals.push_back(rival(space, std::move(map)));
    worst.competitors = rivals.size();
    GlobalBounds bounds(space, worst);
    proof::for_each_leaf(space.space(), cells.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& cell) {
        for (const LinearForm& finish : cells.leaves[leaf])
            for (std::size_t i = 0; i < rivals.size() && !record.unbounded(); ++i) {
                const auto& bound = bounds.bound(finish, i, rivals[i].by_one);
                if (!bound || !record.settled(*bound)) (void)record.offer(cell, finish, rivals[i]);
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
                if (more && !record.offer(cell, found.finish, rival(space, found.map)))
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
                                         const LargestRatio& place, const Worst& worst) {
    if (place.attained) {
        RatioWitness witness = measure(system_under_test, space.at(*place.attained));
        const bool lower = !worst.ended.empty();  // then another competitor may do better
        if (lower ? witness.ratio() < *worst.ratio : witness.ratio() != *worst.ratio)
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
        if (worst.ended.empty() && worst.ratio && witness.ratio() > *worst.ratio)
            throw OracleConflict("a ratio above the supremum " + worst.ratio->to_string() + " has been measured");
        if (!best || witness.ratio() > best->ratio()) best = std::move(witness);
        if (best->ratio() >= enough) break;
    }
    return best;
}

/// The line of problems from the place into its cell, scaled so that a local task costs 1 on it. Where it would begin
/// at problems whose local tasks cost nothing beside the rest, it begins inside the cell and goes that way without end.
std::optional<Approach> find_approach(const RatioSpace& space, const LargestRatio& place) {
    const std::size_t symbols = space.space().symbols.size();
    Approach approach{name(*space.shape()), false, {}, std::vector<Rational>(symbols), place.competitor};
    std::vector<Rational> start = place.attained ? *place.attained : place.ray.empty() ? place.optimum : place.ray;
    if (!place.attained) {
        const auto centre = inside(place.cell, symbols);
        if (!centre) return std::nullopt;
        approach.direction = *centre;
        approach.far = start[space.unit()].sign() == 0;
        if (approach.far) start.swap(approach.direction);
    }
    const Rational unit = start[space.unit()], growth = approach.direction[space.unit()];
    for (std::size_t x = 0; x < symbols; ++x) {
        approach.from.push_back(start[x] / unit);
        approach.direction[x] -= growth * approach.from[x];
    }
    return approach;
}

/// On one shape, before anything is proved.
Worst search(const SystemUnderTest& system_under_test, const RatioSpace& space, Competitor competitor,
             const explore::Budget& budget) {
    Worst worst;
    const auto cells = ratio_cells(system_under_test, space, budget);
    worst.statistics = cells.statistics;
    worst.cases = cells.leaves.size();
    worst.ended = cells.ended.value_or("");
    Record record(space, worst);
    const bool free = competitor == Competitor::free ||
                      (competitor == Competitor::automatic && competitors(*space.shape()).size() > many_competitors);
    if (free)
        against_free(space, cells, record, worst, budget);
    else
        against_enumerated(space, cells, record, worst);
    if (record.place()) {
        worst.witness = find_witness(system_under_test, space, *record.place(), worst);
        worst.approach = find_approach(space, *record.place());
    }
    return worst;
}

/// What is known of several shapes together.
void merge(Worst& all, Worst next) {
    const bool larger = all.cases == 0 || (all.ratio && (!next.ratio || *next.ratio > *all.ratio)) ||
                        (next.ratio && all.ratio == next.ratio && next.attained && !all.attained);
    if (larger) {
        all.ratio = next.ratio;
        all.attained = next.attained;
        all.witness = std::move(next.witness);
        all.approach = std::move(next.approach);
    }
    if (all.ended.empty()) all.ended = next.ended;
    all.cases += next.cases;
    all.competitors += next.competitors;
    all.programs += next.programs;
    all.statistics += next.statistics;
}

}  // namespace

RatioProof prove_ratio(const SystemUnderTest& system_under_test, const WorstTheorem& theorem,
                       const explore::Budget& budget) {
    RatioProof result;
    try {
        for (const explore::Question& question : questions(system_under_test, theorem)) {
            explore::Reply reply = explore::ask(question, budget);
            result.statistics += reply.statistics;
            if (const auto* ended = std::get_if<explore::Ended>(&reply.result)) {
                result.ended = ended->reason;
                return result;
            }
            if (const auto* point = std::get_if<explore::Counterpoint>(&reply.result)) {
                result.counterexample = RatioSpace(parse_family(question.name).shape, theorem.costs).at(point->point);
                return result;
            }
            result.proofs.push_back(std::get<proof::ExploredProof>(std::move(reply.result)));
        }
    } catch (const LimitExceeded& limit) {
        result.ended = limit.what();
    }
    return result;
}

Worst worst_over_loads(const SystemUnderTest& system_under_test, const std::string& shapes, const Costs& costs,
                       Competitor competitor, const explore::Budget& budget) {
    Worst worst;
    for (const auto& shape : shapes_of(shapes)) {
        merge(worst, search(system_under_test, RatioSpace(shape, costs), competitor, budget));
        if (!worst.ratio) break;
    }
    if (worst.ratio && !worst.ended.empty()) return worst;
    if (!worst.approach) {
        worst.ended = "no line of problems to the ratio was found";
        return worst;
    }
    const WorstTheorem theorem{shapes, costs, std::nullopt, Counted::map, worst.ratio, worst.approach};
    if (const std::string wrong = approach_rejection(system_under_test, theorem); !wrong.empty())
        throw OracleConflict("the ratio found is not the policy's: " + wrong);
    RatioProof proof = prove_ratio(system_under_test, theorem, budget);
    if (proof.counterexample)
        throw OracleConflict("a ratio above the supremum " + worst.ratio->to_string() + " has been found");
    worst.statistics += proof.statistics;
    worst.ended = proof.ended;
    worst.proofs = std::move(proof.proofs);
    if (worst.ended.empty()) worst.proved = Worst::Proved::supremum;
    return worst;
}

CertifiedWorst certified_worst(WorstCertificate asked, Competitor competitor, const explore::Budget& budget) {
    WorstTheorem& theorem = asked.theorem;
    const SystemUnderTest system = registered_system(asked.policy, theorem.wait.value_or(Rational(0)), theorem.counted);
    CertifiedWorst result{worst_over_loads(system, theorem.shapes, theorem.costs, competitor, budget), {}};
    if (result.worst.proved == Worst::Proved::supremum) {
        theorem.ratio = result.worst.ratio;
        theorem.approach = result.worst.approach;
        asked.proofs = std::move(result.worst.proofs);
        if (const std::string wrong = rejection(asked); !wrong.empty()) throw OracleConflict(wrong);
    }
    result.certificate = std::move(asked);
    return result;
}

}  // namespace schedproof::assignment
