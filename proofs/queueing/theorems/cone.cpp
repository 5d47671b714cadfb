/// What the theorem asks is arithmetic on the numbers of terms, but for two things. Which alternatives W >= w0 excludes
/// is a question of linear inequalities, with the cone as its premises. That the ray's steps are possible is a question
/// about the kernel, whose lengths are those of the climb plus n times the increments: the checker climbs again, so
/// that the certificate holds no path, and runs the kernel once per step and cell of n.
#include "proofs/queueing/theorems/cone.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "proofs/queueing/theorems/summands/summands.hpp"
#include "proofs/queueing/theorems/transience.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Question;
using proof::Constraint;
using proof::LinearForm;

namespace {

/// The most that the constants of statuses add to w.
Rational largest_constant(const SymbolicSystem& system, const TransienceTheorem& theorem, const LyapunovForm& w) {
    Rational sum;
    for (const ServerId m : system.instance().servers()) sum += range_of_constants(theorem, w, m).second;
    return sum;
}

std::vector<Rational> heights(const std::vector<LyapunovForm>& parts, const SymbolicState& state) {
    std::vector<Rational> all;
    for (const LyapunovForm& w : parts) all.push_back(value_of(w, state).constant());
    return all;
}

/// What a step adds to the sum of the climb.
Rational rise(const Rational& offset, const std::vector<Rational>& from, const std::vector<Rational>& to) {
    const Rational highest = *std::max_element(from.begin(), from.end());
    Rational sum;
    for (std::size_t j = 0; j < from.size(); ++j) sum += (highest - from[j] + offset) * (to[j] - from[j]);
    return sum;
}

/// The question of the drift, over lengths.
Question drift_question(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    const Summands& summands = terms_of(system);
    const std::vector<LyapunovForm> parts = parts_of(theorem);
    const std::vector<std::vector<Rational>>& bounds = theorem.cone->bounds;
    std::vector<Forbidden> obligations;
    for (const LinearForm& form : theorem.cone->excluded) obligations.push_back({{form, false}});
    for (std::size_t t = 0; t < summands.terms().size(); ++t)
        for (const Alternative& alternative : summands.terms()[t].alternatives) {
            const auto is_bounded = [&](std::size_t j) {
                return least_bound(parts[j], alternative, bounds[j]) <= bounds[j][t];
            };
            bool are_bounded = true;
            for (std::size_t j = 0; j < parts.size() && are_bounded; ++j) are_bounded = is_bounded(j);
            if (!are_bounded && !has_one_of(alternative, theorem.cone->excluded))
                obligations.push_back(premises_of(alternative));
        }
    for (std::size_t j = 0; j < parts.size(); ++j) {
        Rational sum = theorem.delta;
        for (std::size_t t = 0; t < summands.terms().size(); ++t)
            if (!summands.terms()[t].follows()) sum += bounds[j][t];
        obligations.push_back({{LinearForm(sum), true}});
    }
    proof::Space space = lengths_space(system);
    space.premises = inside_cone(system, theorem, summands);
    return {"cone", std::move(space),
            [obligations = std::move(obligations)](const std::vector<Affine>&) { return obligations; }};
}

/// Whether a step leads from one state to the next, with n times the increments added to both.
Question ray_question(const SymbolicSystem& system, std::size_t step, SymbolicState from, SymbolicState to,
                      std::vector<Rational> increments) {
    proof::Space space;
    space.add("n", true, Rational(0));
    const auto body = [&system, from = std::move(from), to = std::move(to),
                       v = std::move(increments)](const std::vector<Affine>& symbols) {
        const auto along = [&](const Vector<Affine>& lengths) {
            std::vector<Affine> moved;
            for (std::size_t q = 0; q < v.size(); ++q) moved.push_back(lengths[q] + v[q] * symbols.front());
            return moved;
        };
        Shape shape;
        shape.serving = from.serving;
        const std::vector<Affine> target = along(to.length);
        for (const SymbolicMove& move : system.moves(system.state(shape, along(from.length)))) {
            const SymbolicState& next = move.slot.next;
            bool is_target = next.serving == to.serving;
            for (std::size_t q = 0; q < v.size() && is_target; ++q)
                is_target = next.length[q].form() == target[q].form();
            if (is_target) return std::vector<Forbidden>{};
        }
        return std::vector<Forbidden>{Forbidden{}};
    };
    return {fmt::format("ray, step {}", step), std::move(space), body};
}

}  // namespace

std::vector<LyapunovForm> parts_of(const TransienceTheorem& theorem) {
    std::vector<LyapunovForm> all{theorem.w};
    if (theorem.cone) all.insert(all.end(), theorem.cone->beside.begin(), theorem.cone->beside.end());
    return all;
}

SymbolicState empty_state(const SymbolicSystem& system) {
    Shape idle;
    idle.serving.assign(system.instance().servers().size(), Service{});
    return system.state(idle, std::vector<Affine>(system.space(idle).symbols.size(), Affine(0)));
}

std::optional<SymbolicState> highest_next(const SymbolicSystem& system, const SymbolicState& state,
                                          const std::function<Rational(const SymbolicState&)>& height) {
    std::optional<SymbolicState> best;
    Rational most = height(state);
    for (SymbolicMove& move : system.moves(state)) {
        Rational here = height(move.slot.next);
        if (here <= most) continue;
        most = std::move(here);
        best = std::move(move.slot.next);
    }
    return best;
}

std::vector<SymbolicState> climb(const SymbolicSystem& system, const TransienceTheorem& theorem, std::size_t steps) {
    const std::vector<LyapunovForm> parts = parts_of(theorem);
    std::vector<SymbolicState> path{empty_state(system)};
    while (path.size() <= steps) {
        const std::vector<Rational> now = heights(parts, path.back());
        auto next = highest_next(system, path.back(), [&](const SymbolicState& state) {
            return rise(theorem.cone->offset, now, heights(parts, state));
        });
        if (!next) break;
        path.push_back(std::move(*next));
    }
    return path;
}

std::vector<Rational> ray_between(const std::vector<LyapunovForm>& parts, const SymbolicState& first,
                                  const SymbolicState& last) {
    if (first.serving != last.serving) return {};
    std::vector<Rational> increments;
    for (std::size_t q = 0; q < first.length.size(); ++q) {
        increments.push_back(last.length[q].constant() - first.length[q].constant());
        if (increments.back().sign() < 0) return {};
    }
    const std::vector<Rational> low = heights(parts, first), high = heights(parts, last);
    for (std::size_t j = 0; j < parts.size(); ++j)
        if (high[j] <= low[j]) return {};
    return increments;
}

std::vector<Constraint> inside_cone(const SymbolicSystem& system, const TransienceTheorem& theorem,
                                    const Summands& summands) {
    std::vector<Constraint> all;
    for (const LyapunovForm& w : parts_of(theorem)) {
        std::optional<LinearForm> weakest;
        for (const Term& term : summands.terms()) {
            const LinearForm form =
                far_premise(slopes(w), theorem.threshold - largest_constant(system, theorem, w), term);
            if (!weakest || form.constant() > weakest->constant()) weakest = form;
        }
        all.push_back({weakest.value(), false});
    }
    return all;
}

bool has_one_of(const Alternative& alternative, const std::vector<LinearForm>& forms) {
    return std::any_of(alternative.where.begin(), alternative.where.end(), [&](const LinearForm& premise) {
        return std::find(forms.begin(), forms.end(), premise) != forms.end();
    });
}

std::vector<Constraint> premises_of(const Alternative& alternative) {
    std::vector<Constraint> all;
    for (const LinearForm& premise : alternative.where)
        if (const Constraint c{premise, false}; std::find(all.begin(), all.end(), c) == all.end()) all.push_back(c);
    return all;
}

Rational least_bound(const LyapunovForm& w, const Alternative& alternative, const std::vector<Rational>& bounds) {
    Rational value = -change(w, alternative).constant();
    for (const Follows& then : alternative.then) value += then.probability * bounds[then.term];
    return value;
}

std::vector<Question> cone_questions(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    std::vector<Question> all{drift_question(system, theorem)};
    const auto& [beside, bounds, excluded, offset, start, period] = *theorem.cone;
    const std::vector<LyapunovForm> parts = parts_of(theorem);
    std::vector<SymbolicState> path = climb(system, theorem, start + period);
    const std::vector<Rational> increments = ray_between(parts, path.at(start), path.at(start + period));
    for (std::size_t k = 0; k < period; ++k)
        all.push_back(ray_question(system, k, path[start + k], path[start + k + 1], increments));
    return all;
}

std::string cone_rejection(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    if (theorem.modes || theorem.table) return "a least function has neither modes nor a table";
    if (!theorem.empty.empty()) return "a proof in a cone names no empty queues";
    const Summands& summands = terms_of(system);
    if (theorem.statuses != statuses_of(system, summands)) return "the statuses are not those that the rules allow";
    const auto& [beside, bounds, excluded, offset, start, period] = *theorem.cone;
    if (bounds.size() != beside.size() + 1 ||
        std::any_of(bounds.begin(), bounds.end(),
                    [&](const std::vector<Rational>& of) { return of.size() != summands.terms().size(); }))
        return "there is not one bound per function and term of the drift";
    if (std::any_of(excluded.begin(), excluded.end(), [&](const LinearForm& form) {
            return !form.is_constant() && form.terms().back().first >= system.layout().queues();
        }))
        return "an excluded premise mentions an unknown queue";
    if (period == 0 || start > longest_climb || period > longest_climb)
        return "the climb is too long, or has no period";
    const std::vector<LyapunovForm> parts = parts_of(theorem);
    const std::vector<SymbolicState> path = climb(system, theorem, start + period);
    if (path.size() <= start + period) return "the climb ends before the period does";
    if (ray_between(parts, path[start], path[start + period]).empty())
        return "the functions do not all rise in the period of the climb";
    return "";
}

}  // namespace schedproof::queueing
