#include "proofs/queueing/theorems/heavy_traffic/heavy_ray.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Question;
using proof::LinearForm;

namespace {

/// (R) at the states of a shape.
std::vector<Forbidden> ray_forbidden(const HeavyRayTheorem& theorem, const SymbolicState& state) {
    LinearForm left(-theorem.constant);
    for (std::size_t q = 0; q < state.length.size(); ++q)
        left.add(theorem.factor * theorem.price[q] - Rational(1), state.length[q].form());
    if (theorem.starving)
        left.add(-theorem.starving->multiple, detail::evaluate(theorem.starving->upper.starving, state.length).form());
    Forbidden fails;
    for (const CollapseForm& form : theorem.collapse.forms)
        fails.push_back({left - theorem.spread * value_of(form.form, state).form(), true});
    return {fails};
}

/// An impossible path for each queue that a dearer type is routed to.
std::vector<Forbidden> cheap_routes(const HeavyRayTheorem& theorem, const std::vector<TaskTypeId>& types,
                                    const SymbolicSystem& system, const SymbolicState& state) {
    std::vector<Forbidden> impossible;
    for (const TaskTypeId type : types)
        for (const Candidate& candidate : system.route(state, type))
            if (theorem.price[candidate.queue.index()] < theorem.lower.prices.type[type.index()])
                impossible.emplace_back();
    return impossible;
}

/// Empty when the upper bound speaks of the same limit, the same forms, and of a workload that is never below Z.
std::string starving_rejection(const SymbolicSystem& system, const HeavyRayTheorem& theorem) {
    const HeavyUpperTheorem& upper = theorem.starving->upper;
    if (std::string wrong = arithmetic_rejection(system, upper); !wrong.empty()) return "the upper bound: " + wrong;
    if (upper.prices != theorem.lower.prices || upper.constant != theorem.lower.constant)
        return "the upper bound has other prices or another limit than the lower one";
    if (upper.collapse != theorem.collapse) return "the upper bound rests on another collapse";
    if (upper.tasks) return "the upper bound says more than is needed";
    if (theorem.starving->multiple.sign() < 0) return "the multiple of the queues that starve is negative";
    LyapunovForm::Linear lengths;
    for (const auto& piece : upper.h.pieces)
        if (!piece.when) lengths.add(piece.coefficient, piece.largest_of.front());
    for (std::size_t q = 0; q < theorem.price.size(); ++q)
        if (lengths.coefficient(static_cast<proof::Variable>(q)) < theorem.price[q] &&
            !std::binary_search(upper.collapse.closed.empty.begin(), upper.collapse.closed.empty.end(), QueueId(q)))
            return "the workload counts a queue for less than its price";
    return "";
}

}  // namespace

Rational HeavyRayTheorem::tasks_at_least(const Instance& family, const Rational& eps) const {
    Rational bound = factor * lower.at_least(family, eps) -
                     spread * log_above(collapse.base, collapse.bound / collapse.rate) - constant;
    if (starving) bound -= starving->multiple * (lower.deficit + starving->upper.beyond_limit(family, eps));
    return bound;
}

std::vector<Question> questions(const SymbolicSystem& system, const HeavyRayTheorem& theorem) {
    const auto shared = std::make_shared<const HeavyRayTheorem>(theorem);
    const ClosedSet& closed = theorem.collapse.closed;
    std::vector<Question> all =
        theorem.starving ? questions(system, theorem.starving->upper) : questions(system, theorem.collapse);
    const std::vector<TaskTypeId> types = types_of_slack(system.instance());
    // What servers execute may decide where a task goes, so in every shape.
    for (const Shape& shape : shapes_of(closed.statuses))
        all.push_back({"routes " + shape_name(system, shape), space_without(system, shape, closed.empty),
                       [&system, shared, shape, types](const std::vector<Affine>& symbols) {
                           return cheap_routes(*shared, types, system, system.state(shape, symbols));
                       }});
    for (const Shape& shape : shapes_of(closed.statuses))
        all.push_back({"ray " + shape_name(system, shape), space_without(system, shape, closed.empty),
                       [&system, shared, shape](const std::vector<Affine>& symbols) {
                           return ray_forbidden(*shared, system.state(shape, symbols));
                       }});
    return all;
}

std::string sentence(const SymbolicSystem& system, const HeavyRayTheorem& theorem) {
    const CollapseTheorem& collapse = theorem.collapse;
    const auto less = [](const Rational& number) {
        if (number.sign() == 0) return std::string();
        return number.sign() < 0 ? " + " + (-number).to_string() : " - " + number.to_string();
    };
    Rational constant = theorem.factor * theorem.lower.deficit;
    std::string starving;
    if (theorem.starving) {
        const HeavyUpperTheorem& upper = theorem.starving->upper;
        constant += theorem.starving->multiple * (theorem.lower.deficit + upper.with_loss + upper.with_slack);
        starving = fmt::format(" - {} log_q({} / sigma)", (theorem.starving->multiple * upper.spread).to_string(),
                               (upper.largest_loss * collapse.bound / collapse.rate).to_string());
    }
    return fmt::format(
        "{}the mean number of tasks is at least {} c/sigma{} - {} log_q({}){}{}{}. Here {}, and no policy has "
        "a mean workload below c/sigma but for a constant. The function {}.",
        for_every_slack(system), theorem.factor.to_string(), less(constant), theorem.spread.to_string(),
        (collapse.bound / collapse.rate).to_string(), starving, less(theorem.constant),
        theorem.factor > Rational(1)
            ? fmt::format(": near the boundary at least {} times the bound of every policy", theorem.factor.to_string())
            : "",
        slack_and_constant(system.instance(), theorem.lower.prices, theorem.lower.constant),
        collapse_text(system, collapse));
}

std::string arithmetic_rejection(const SymbolicSystem& system, const HeavyRayTheorem& theorem) {
    if (std::string wrong = arithmetic_rejection(system.instance(), theorem.lower); !wrong.empty()) return wrong;
    if (std::string wrong = arithmetic_rejection(system, theorem.collapse); !wrong.empty()) return wrong;
    if (theorem.price.size() != system.layout().queues()) return "there is not one price per queue";
    if (std::any_of(theorem.price.begin(), theorem.price.end(), [](const Rational& z) { return z.sign() < 0; }))
        return "the price of a queue is negative";
    if (theorem.factor.sign() < 0 || theorem.spread.sign() < 0) return "a factor is negative";
    return theorem.starving ? starving_rejection(system, theorem) : "";
}

}  // namespace schedproof::queueing
