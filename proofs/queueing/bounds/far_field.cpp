/// Outside a box both bounds follow from statements about the drift of W at all states, on each cell of the code two
/// forms that must not be positive. How far out they are is found in one of three ways.
///   linear     Where both are affine, the largest measure of a point at which one is positive is the value of an exact
///              linear program.
///   quadratic  For a mean of squares W = a V with a linear a. On a cell the drift of a V is a quadratic form, and with
///              a symbol for each product of two lengths it is linear again. The products of any two constraints of the
///              cell, the distance from the box among them, are further constraints, so that a linear program may show
///              a radius to be enough; bisection finds the least. The factor is the one that makes the drift fall
///              fastest along the directions in which cells go on for ever: a linear program in its coefficients.
///   uniform    drift <= K - eta measure at all states serves every kappa and every box: eta is near the largest for
///              which there is a K, and K the least for it.
/// Nothing here is trusted: what is found is asked again as the theorem's questions.
#include "proofs/queueing/bounds/far_field.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "model/base/parallel.hpp"
#include "model/core/errors.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/explore/farkas.hpp"
#include "proofs/linear_programs/linear_program.hpp"
#include "proofs/queueing/drift/closed_set_search.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Maximum;
using proof::Constraint;
using proof::LinearForm;

FarField::FarField(const SymbolicSystem& symbolic, const StateFunction& of, LyapunovForm v, bool uniform,
                   std::uint64_t max_programs, unsigned threads, const explore::Budget& budget,
                   std::function<void(std::string_view, double, double)> progress)
    : symbolic_(symbolic),
      of_(of),
      w_{std::move(v), {}},
      uniform_(uniform),
      max_programs_(max_programs),
      threads_(threads),
      budget_(budget),
      progress_(std::move(progress)) {}

void FarField::count_programs(std::uint64_t more) {
    if ((programs_ += more) > max_programs_)
        throw LimitExceeded("programs", fmt::format("the far field needs more than {} linear programs", max_programs_));
}

/// Calls body(0), ..., body(count - 1) on all threads, and reports how many have ended.
template <class Body>
void FarField::each_side_by_side(std::string_view what, std::size_t count, Body&& body) const {
    std::mutex reporting;
    std::size_t ended = 0;
    report(what, 0, static_cast<double>(count));
    base::for_each_index(count, threads_, [&](std::size_t i) {
        body(i);
        const std::lock_guard lock(reporting);
        report(what, static_cast<double>(++ended), static_cast<double>(count));
    });
}

FarField::Cells FarField::cells_of(const Shape& shape) const {
    const proof::Space plain = space_without(symbolic_, shape, closed_.empty);
    Cells cells{of_.is_quadratic() ? space_with_products(symbolic_, shape, closed_.empty) : plain, {}, {}};
    cells.found = explore::explore(
        plain,
        [&](const std::vector<Affine>& symbols) {
            const SymbolicState state = symbolic_.state(shape, symbols);
            std::optional<DriftParts> parts;
            if (!symbolic_.is_settled(state)) return parts;
            if (of_.is_quadratic())
                parts = drift_parts(symbolic_, state, w_.v, cells.space);
            else
                parts.emplace().drift = symbolic_drift(symbolic_, state, w_.v);
            return parts;
        },
        budget_);
    for (const auto& parts : cells.found.leaves)
        cells.drift.push_back(parts ? std::optional(parts->drift) : std::nullopt);
    return cells;
}

void FarField::find_services() {
    closed_ = find_closed_set(symbolic_, budget_);
    shapes_ = shapes_of(closed_.statuses);
}

std::string FarField::explore() {
    find_services();
    cells_.resize(shapes_.size());
    each_side_by_side("cells of the drift", shapes_.size(), [&](std::size_t s) {
        cells_[s] = cells_of(shapes_[s]);
        count_programs(cells_[s].found.leaves.size());  // each is asked about at least once
    });
    for (const Cells& cells : cells_) {
        statistics_ += cells.found.statistics;
        if (cells.found.ended) return "exploration ended: " + *cells.found.ended;
    }
    return "";
}

/// Per direction of a cell that goes on for ever, with entries that sum to 1, what each coefficient of the factor adds
/// to the leading part of the drift of a V: d_q E[dV](d) + E[dQ_q] V(d).
std::vector<std::vector<Rational>> FarField::rows_of_rays() const {
    const std::size_t queues = symbolic_.layout().queues();
    std::set<std::vector<Rational>> rows;
    for (const Cells& cells : cells_) {
        const proof::Space plain =
            space_without(symbolic_, shapes_[static_cast<std::size_t>(&cells - cells_.data())], closed_.empty);
        proof::for_each_leaf(plain, cells.found.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& path) {
            if (!cells.found.leaves[leaf]) return;
            std::vector<Constraint> cone;
            LinearForm sum(Rational(-1));
            for (proof::Variable q = 0; q < queues; ++q) {
                cone.push_back({LinearForm::variable(q), false});
                sum += LinearForm::variable(q);
            }
            for (const Constraint& c : path) cone.push_back({c.form - LinearForm(c.form.constant()), false});
            cone.push_back({sum, false});
            cone.push_back({-sum, false});
            std::vector<std::vector<Rational>> rays;
            for (proof::Variable q = 0; q < queues; ++q)
                for (const int sign : {1, -1})
                    if (Maximum end = explore::maximise(cone, Rational(sign) * LinearForm::variable(q), queues);
                        end.kind == Maximum::Kind::attained)
                        rays.push_back(std::move(end.point));
            for (std::size_t i = rays.size(); i-- > 1;) {  // and between two of them
                std::vector<Rational> middle = rays[i];
                for (std::size_t q = 0; q < queues; ++q) middle[q] = (middle[q] + rays[i - 1][q]) / Rational(2);
                rays.push_back(std::move(middle));
            }
            const DriftParts& parts = *cells.found.leaves[leaf];
            for (const std::vector<Rational>& ray : rays) {
                std::vector<Rational> products(cells.space.symbols.size());
                for (std::size_t x = 0; x < products.size(); ++x)
                    if (const auto& pair = cells.space.symbols[x].product)
                        products[x] = ray[pair->first] * ray[pair->second];
                const Rational drift = parts.drift.at(ray) - parts.drift.constant();
                const Rational value = parts.value.at(products) - parts.value.constant();
                std::vector<Rational> row;
                for (std::size_t q = 0; q < queues; ++q) row.push_back(ray[q] * drift + parts.growth[q] * value);
                rows.insert(std::move(row));
            }
        });
    }
    return {rows.begin(), rows.end()};
}

std::string FarField::choose_factor() {
    report("factor of the function", 0, 0);
    const std::size_t queues = symbolic_.layout().queues();
    capacity::LinearProgram program;
    std::vector<std::uint32_t> coefficient;
    capacity::LinearRow whole{{}, capacity::Relation::equal, Rational(1)};
    for (std::size_t q = 0; q < queues; ++q) {
        coefficient.push_back(program.add_variable());
        whole.entries.emplace_back(coefficient.back(), Rational(1));
    }
    const std::uint32_t fall = program.add_variable(Rational(-1));
    program.rows.push_back(std::move(whole));
    const std::vector<std::vector<Rational>> rays = rows_of_rays();
    for (const std::vector<Rational>& ray : rays) {
        capacity::LinearRow row{{{fall, Rational(1)}}, capacity::Relation::at_most, Rational(0)};
        for (std::size_t q = 0; q < queues; ++q)
            if (ray[q].sign() != 0) row.entries.emplace_back(coefficient[q], ray[q]);
        program.rows.push_back(std::move(row));
    }
    const auto solution = capacity::solve(program);
    if (!solution || solution->x[fall].sign() <= 0)
        return fmt::format("no linear factor makes the drift of {} times it fall in every direction", w_.v.name);
    // Short coefficients where they do as well.
    LinearForm exact, rounded;
    Integer common = 0;
    for (std::size_t q = 0; q < queues; ++q) {
        const Rational c = solution->x[coefficient[q]];
        const Rational near(nearest_integer(c * Rational(16)));
        common = gcd(common, near.numerator());
        exact.add(c, LinearForm::variable(static_cast<proof::Variable>(q)));
        rounded.add(near, LinearForm::variable(static_cast<proof::Variable>(q)));
    }
    const bool falls =
        std::all_of(rays.begin(), rays.end(), [&](const auto& ray) { return rounded.at(ray).sign() < 0; });
    w_.factor = falls ? (Rational(1) / Rational(common)) * rounded : exact;
    for (std::size_t s = 0; s < cells_.size(); ++s) apply_factor(cells_[s], shapes_[s]);
    return "";
}

void FarField::apply_factor(Cells& cells, const Shape& shape) const {
    for (std::size_t leaf = 0; leaf < cells.drift.size(); ++leaf)
        if (const auto& parts = cells.found.leaves[leaf])
            cells.drift[leaf] = drift_of_product(symbolic_, shape, *parts, *w_.factor);
}

MeanTheorem FarField::statement(const Rational& kappa, const std::vector<std::uint32_t>& weights, const Rational& upper,
                                const Rational& lower) const {
    MeanTheorem theorem;
    theorem.setting = {of_, w_, kappa, Rational(0), 1};
    theorem.weights = weights;
    theorem.empty = closed_.empty;
    theorem.upper = upper;
    theorem.lower = lower;
    return theorem;
}

/// Calls `visit(space, path, forbidden, measure)` while it returns true, for the cells of one shape; the path may grow
/// for a time.
template <class Visit>
void FarField::each_forbidden_of(std::size_t shape, const MeanTheorem& theorem, Visit&& visit) const {
    bool more = true;
    const LinearForm measure = on_symbols(theorem.measure(), symbolic_, shapes_[shape]);
    proof::for_each_leaf(
        cells_[shape].space, cells_[shape].found.tree, [&](std::uint32_t leaf, std::vector<Constraint>& path) {
            if (!cells_[shape].drift[leaf]) return;
            for (Forbidden& one : forbidden(theorem, symbolic_, shapes_[shape], *cells_[shape].drift[leaf]))
                // Where a constant satisfies the inequality nothing is forbidden.
                if (more && !(one.back().form.is_constant() && one.back().form.constant().sign() <= 0))
                    more = visit(cells_[shape].space, path, one, measure);
        });
}

/// The same for all shapes.
template <class Visit>
void FarField::each_forbidden(const MeanTheorem& theorem, Visit&& visit) const {
    bool more = true;
    for (std::size_t s = 0; s < shapes_.size() && more; ++s)
        each_forbidden_of(s, theorem,
                          [&](const proof::Space& space, std::vector<Constraint>& path, Forbidden& one,
                              const LinearForm& measure) { return more = visit(space, path, one, measure); });
}

std::optional<std::uint32_t> FarField::reach(const Rational& kappa, const std::vector<std::uint32_t>& weights,
                                             const Rational& upper, const Rational& lower, std::uint32_t largest) {
    report("far field", 0, 0);
    MeanTheorem theorem = statement(kappa, weights, upper, lower);
    if (uniform_) return uniform_reach(std::move(theorem), largest);
    return of_.is_quadratic() ? quadratic_reach(theorem, largest) : linear_reach(theorem, largest);
}

std::optional<std::uint32_t> FarField::linear_reach(const MeanTheorem& theorem, std::uint32_t largest) {
    std::vector<Rational> far(shapes_.size());
    std::atomic<bool> bounded = true;
    each_side_by_side("far field", shapes_.size(), [&](std::size_t s) {
        if (!bounded) return;
        each_forbidden_of(
            s, theorem,
            [&](const proof::Space& space, std::vector<Constraint>& path, Forbidden& one, const LinearForm& measure) {
                Constraint fails = one.back();
                fails.strict = false;
                path.push_back(std::move(fails));
                count_programs(1);
                const Maximum maximum = explore::maximise(path, measure, space.symbols.size());
                path.pop_back();
                if (maximum.kind == Maximum::Kind::unbounded) bounded = false;
                if (maximum.kind == Maximum::Kind::attained) far[s] = std::max(far[s], maximum.value);
                return bounded.load();
            });
    });
    const Integer farthest = floor(*std::max_element(far.begin(), far.end()));  // measures are whole
    if (!bounded || farthest > largest) return {};
    return static_cast<std::uint32_t>(farthest);
}

std::optional<std::uint32_t> FarField::quadratic_reach(const MeanTheorem& theorem, std::uint32_t largest) {
    std::uint32_t radius = 0;
    bool shown = true;
    each_forbidden(theorem, [&](const proof::Space& space, std::vector<Constraint>& path, Forbidden& one,
                                const LinearForm& measure) {
        const auto enough = [&](std::uint32_t at) {
            std::vector<Constraint> all = path;
            all.push_back({measure - LinearForm(Rational(at) + Rational(1)), false});
            all.push_back(one.back());
            count_programs(1);
            return explore::refute(proof::with_products(space, std::move(all))).has_value();
        };
        if (enough(radius)) return true;
        std::uint32_t low = radius, high = std::max<std::uint32_t>(2 * radius, 8);
        while (high < largest && !enough(high)) {
            low = high;
            high *= 2;
        }
        high = std::min(high, largest);
        shown = high < largest || enough(largest);
        while (shown && low + 1 < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            (enough(middle) ? high : low) = middle;
        }
        radius = high;
        return shown;
    });
    return shown ? std::optional(radius) : std::nullopt;
}

/// The largest of drift + eta measure over all states; nothing when there is none.
std::optional<Rational> FarField::largest_drift(const LyapunovForm::Linear& measure, const Rational& eta) {
    std::optional<Rational> most;
    for (std::size_t s = 0; s < shapes_.size(); ++s) {
        const LinearForm falls = eta * on_symbols(measure, symbolic_, shapes_[s]);
        bool bounded = true;
        proof::for_each_leaf(
            cells_[s].space, cells_[s].found.tree, [&](std::uint32_t leaf, const std::vector<Constraint>& path) {
                if (!bounded || !cells_[s].drift[leaf]) return;
                count_programs(1);
                const Maximum maximum =
                    explore::maximise(path, *cells_[s].drift[leaf] + falls, cells_[s].space.symbols.size());
                bounded = maximum.kind != Maximum::Kind::unbounded;
                if (maximum.kind == Maximum::Kind::attained)
                    most = most ? std::max(*most, maximum.value) : maximum.value;
            });
        if (!bounded) return {};
    }
    return most;
}

std::optional<UniformDrift> FarField::uniform(const std::vector<std::uint32_t>& weights) {
    for (const auto& [known, found] : found_)
        if (known == weights) return found;
    const LyapunovForm::Linear measure = statement(Rational(1), weights, Rational(0), Rational(0)).measure();
    constexpr int halvings = 20, refinements = 4;
    std::optional<UniformDrift> found;
    Rational eta(16), step;
    for (int i = 0; i < halvings && !found; ++i, eta /= Rational(2))
        if (const auto bound = largest_drift(measure, eta)) {
            found = UniformDrift{eta, *bound};
            step = eta / Rational(2);
        }
    for (int i = 0; i < refinements && found; ++i, step /= Rational(2))
        if (const auto bound = largest_drift(measure, found->eta + step))
            found = UniformDrift{found->eta + step, *bound};
    found_.emplace_back(weights, found);
    return found;
}

std::optional<std::uint32_t> FarField::uniform_reach(MeanTheorem theorem, std::uint32_t largest) {
    theorem.uniform = uniform(theorem.weights);
    if (!theorem.uniform) return {};
    const auto enough = [&](std::uint32_t radius) {
        theorem.radius = radius;
        return uniform_rejection(symbolic_, theorem).empty();
    };
    if (!enough(largest)) return {};
    std::uint32_t low = 0, high = largest;
    if (enough(0)) return 0;
    while (low + 1 < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        (enough(middle) ? high : low) = middle;
    }
    return high;
}

std::variant<std::vector<proof::ExploredProof>, std::string> FarField::prove(const MeanTheorem& theorem) {
    const std::vector<explore::Question> all = questions(symbolic_, theorem);
    const std::size_t first = all.size() - shapes_.size();
    std::vector<explore::Reply> replies(all.size());
    each_side_by_side("proof of the far field", all.size(), [&](std::size_t i) {
        if (i < first) {
            replies[i] = explore::ask(all[i], budget_);
            return;
        }
        Cells& cells = cells_[i - first];
        explore::Exploration<std::vector<Forbidden>> exploration;
        exploration.tree = std::move(cells.found.tree);
        for (const auto& drift : cells.drift)
            exploration.leaves.push_back(drift ? forbidden(theorem, symbolic_, shapes_[i - first], *drift)
                                               : std::vector<Forbidden>());
        replies[i] = explore::settle(all[i], std::move(exploration));
    });
    std::vector<proof::ExploredProof> proofs;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i < first) statistics_ += replies[i].statistics;
        if (auto* found = std::get_if<proof::ExploredProof>(&replies[i].result))
            proofs.push_back(std::move(*found));
        else if (const auto* ended = std::get_if<explore::Ended>(&replies[i].result))
            return ended->reason;
        else
            return fmt::format(
                "the far inequalities fail outside the box of radius {} with the bounds found in it: a "
                "larger box is needed (--box)",
                theorem.radius);
    }
    return proofs;
}

}  // namespace schedproof::queueing
