/// The facts of a heavy-traffic upper bound, asked cell by cell.
///
/// u, v, E (dH)^2 and E dk are numbers on a cell. So (U) is decided by comparing numbers, and (B) says that no point of
/// the cell has v H - kappa u l_j above one number for every form l_j: an obligation with a constraint for each form.
/// Where queues starve E ds and E (dH ds) are numbers too, and the form has H E ds + s v besides.
/// (T) looks at one state, without a slot; in (Q) E dG is linear on a cell. The bounds at a slack are sums of rationals
/// and of a logarithm, rounded up.
#include "proofs/queueing/theorems/heavy_traffic/heavy_upper.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/boundedness.hpp"
#include "proofs/queueing/theorems/lyapunov_formula.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Question;
using proof::LinearForm;

namespace {

/// (U) and (B) on a cell.
std::vector<Forbidden> balance_forbidden(const HeavyUpperTheorem& theorem, const Rational& sigma, std::size_t end,
                                         const SymbolicState& state, const std::vector<LinearOutcome>& outcomes) {
    const Rational loss = balance_parts(theorem.h0, sigma, state.serving, outcomes).loss;
    if (loss.sign() < 0 || loss > theorem.largest_loss) return {{}};
    const BalanceParts parts = balance_parts(theorem.h, sigma, state.serving, outcomes);
    Rational right = theorem.constant[end] + theorem.with_loss * loss + theorem.with_slack * sigma - parts.half_square;
    for (const LinearOutcome& outcome : outcomes)
        right -= outcome.probability * change_of(theorem.k, state.serving, outcome);
    const StarvingParts starving = starving_parts(theorem.h, theorem.starving, state.serving, outcomes);
    LinearForm left = (parts.loss + starving.growth) * value_of(theorem.h, state).form();
    left.add(parts.loss, detail::evaluate(theorem.starving, state.length).form());
    left += LinearForm(starving.mixed - right);
    Forbidden fails;
    if (loss.sign() == 0 || theorem.collapse.forms.empty()) return {{{left, true}}};
    for (const CollapseForm& form : theorem.collapse.forms)
        fails.push_back({left - theorem.spread * loss * value_of(form.form, state).form(), true});
    return {fails};
}

/// (Q) on a cell.
std::vector<Forbidden> rest_forbidden(const HeavyUpperTheorem::Rest& rest, const SymbolicState& state,
                                      const std::vector<LinearOutcome>& outcomes) {
    Affine left = detail::evaluate(rest.tasks, state.length) - Affine(rest.bound);
    for (const LinearOutcome& outcome : outcomes) {
        SymbolicState next = state;
        for (std::size_t q = 0; q < next.length.size(); ++q) next.length[q] += Affine(outcome.growth[q]);
        next.serving = outcome.serving;
        left += outcome.probability * rest.g.change(state, next);
    }
    return {{{left.form(), true}}};
}

/// (T) at the states of a shape.
std::vector<Forbidden> tasks_forbidden(const HeavyUpperTheorem& theorem, const SymbolicState& state) {
    LinearForm left = -theorem.tasks->factor * value_of(theorem.h, state).form();
    left += LinearForm(-theorem.tasks->constant);
    for (const Affine& length : state.length) left += length.form();
    if (theorem.tasks->rest) left -= detail::evaluate(theorem.tasks->rest->tasks, state.length).form();
    if (theorem.collapse.forms.empty()) return {{{left, true}}};
    Forbidden fails;
    for (const CollapseForm& form : theorem.collapse.forms)
        fails.push_back({left - theorem.tasks->spread * value_of(form.form, state).form(), true});
    return {fails};
}

/// Whether a form is a sum over queues, none of a negative weight.
bool is_sum_over_queues(const SymbolicSystem& system, const LyapunovForm::Linear& form) {
    return form.constant().sign() == 0 && std::all_of(form.terms().begin(), form.terms().end(), [&](const auto& term) {
               return term.second.sign() >= 0 && term.first < system.layout().queues();
           });
}

/// Empty when r is not negative and G is bounded below.
std::string rest_rejection(const SymbolicSystem& system, const HeavyUpperTheorem::Rest& rest) {
    if (!is_sum_over_queues(system, rest.tasks)) return "the rest of the tasks is not a sum over queues";
    if (rest.g.name != "G") return "a function is not called G";
    require_fits(rest.g, system.instance(), system.layout());
    if (std::string gap = boundedness_gap(rest.g, system.instance(), system.layout()); !gap.empty())
        return "G is not shown to be bounded below: " + gap;
    return "";
}

/// sigma at a slack, and the share of it in the family.
struct At {
    Rational share, sigma;
};
At at(const Instance& family, const BoundaryPrices& prices, const Rational& eps) {
    const Rational share = eps / family.slack().up_to;
    return {share, share * value_slack(ends_of_slack(family)[1], prices)};
}

}  // namespace

BalanceParts balance_parts(const LyapunovForm& h, const Rational& sigma, const Vector<Service>& serving,
                           const std::vector<LinearOutcome>& outcomes) {
    BalanceParts parts{sigma, {}};
    for (const LinearOutcome& outcome : outcomes) {
        const Rational change = change_of(h, serving, outcome);
        parts.loss += outcome.probability * change;
        parts.half_square += outcome.probability * change * change / Rational(2);
    }
    return parts;
}

StarvingParts starving_parts(const LyapunovForm& h, const LyapunovForm::Linear& starving,
                             const Vector<Service>& serving, const std::vector<LinearOutcome>& outcomes) {
    StarvingParts parts;
    if (starving.is_constant()) return parts;
    for (const LinearOutcome& outcome : outcomes) {
        Rational change;
        for (const auto& [q, c] : starving.terms()) change += c * outcome.growth.at(q);
        parts.growth += outcome.probability * change;
        if (change.sign() != 0) parts.mixed += outcome.probability * change * change_of(h, serving, outcome);
    }
    return parts;
}

Rational HeavyUpperTheorem::beyond_limit(const Instance& family, const Rational& eps) const {
    const Rational sigma = at(family, prices, eps).sigma;
    if (collapse.forms.empty()) return with_loss + with_slack;
    return with_loss + with_slack +
           spread * log_above(collapse.base, largest_loss * collapse.bound / (collapse.rate * sigma));
}

Rational HeavyUpperTheorem::workload_at_most(const Instance& family, const Rational& eps) const {
    const At here = at(family, prices, eps);
    return (constant[0] + here.share * (constant[1] - constant[0])) / here.sigma + beyond_limit(family, eps);
}

Rational HeavyUpperTheorem::tasks_at_most(const Instance& family, const Rational& eps) const {
    require(tasks.has_value(), "a bound of the tasks that is stated");
    return tasks->factor * workload_at_most(family, eps) + tasks->added(collapse);
}

Rational HeavyUpperTheorem::Tasks::added(const CollapseTheorem& bounded) const {
    Rational sum = constant;
    if (rest) sum += rest->bound;
    if (spread.sign() > 0) sum += spread * log_above(bounded.base, bounded.bound / bounded.rate);
    return sum;
}

std::vector<Question> questions(const SymbolicSystem& system, const HeavyUpperTheorem& theorem) {
    const ClosedSet& closed = theorem.collapse.closed;
    const auto shared = std::make_shared<const HeavyUpperTheorem>(theorem);
    const Rational sigma = value_slack(ends_of_slack(system.instance())[1], theorem.prices);
    std::vector<Question> all =
        theorem.collapse.forms.empty() ? status_questions(system, closed) : questions(system, theorem.collapse);
    const auto forbidden = [shared, sigma](std::size_t end, const SymbolicState& state,
                                           const std::vector<LinearOutcome>& outcomes) {
        return balance_forbidden(*shared, end == 0 ? Rational(0) : sigma, end, state, outcomes);
    };
    for (Question& question : questions_at_ends(system, closed, "balance", forbidden))
        all.push_back(std::move(question));
    for (const Shape& shape : theorem.tasks ? shapes_of(closed.statuses) : std::vector<Shape>())
        all.push_back({"tasks " + shape_name(system, shape), space_without(system, shape, closed.empty),
                       [&system, shared, shape](const std::vector<Affine>& symbols) {
                           return tasks_forbidden(*shared, system.state(shape, symbols));
                       }});
    if (!theorem.tasks || !theorem.tasks->rest) return all;
    const auto rest = [shared](std::size_t, const SymbolicState& state, const std::vector<LinearOutcome>& outcomes) {
        return rest_forbidden(*shared->tasks->rest, state, outcomes);
    };
    for (Question& question : questions_at_ends(system, closed, "rest", rest)) all.push_back(std::move(question));
    return all;
}

std::string sentence(const SymbolicSystem& system, const HeavyUpperTheorem& theorem) {
    const Instance& family = system.instance();
    const CollapseTheorem& collapse = theorem.collapse;
    const auto plus = [](const Rational& number) {
        if (number.sign() == 0) return std::string();
        return (number.sign() < 0 ? " - " + (-number).to_string() : " + " + number.to_string());
    };
    const std::string starving =
        theorem.starving.is_constant()
            ? ""
            : ", plus that of s = " +
                  formula(LyapunovForm{"s", {}, {{std::nullopt, Rational(1), {theorem.starving}}}}, family,
                          system.layout()) +
                  ",";
    std::string text = fmt::format("{}the mean of H = {}{} is at most c/sigma{}", for_every_slack(system),
                                   formula(theorem.h, family, system.layout()), starving,
                                   plus(theorem.with_loss + theorem.with_slack));
    if (!collapse.forms.empty())
        text += fmt::format(" + {} log_q({} / sigma)", theorem.spread.to_string(),
                            (theorem.largest_loss * collapse.bound / collapse.rate).to_string());
    if (theorem.tasks) {
        const Rational rest = theorem.tasks->rest ? theorem.tasks->rest->bound : Rational(0);
        text += "; the mean number of tasks is at most ";
        text += theorem.tasks->factor == Rational(1) ? "that" : theorem.tasks->factor.to_string() + " times that";
        text += plus(theorem.tasks->constant + rest);
        if (theorem.tasks->spread.sign() > 0)
            text += fmt::format(" + {} log_q({})", theorem.tasks->spread.to_string(),
                                (collapse.bound / collapse.rate).to_string());
    }
    text += ". Here " + slack_and_constant(family, theorem.prices, theorem.constant) + ".";
    return collapse.forms.empty() ? text : text + " The function " + collapse_text(system, collapse) + ".";
}

std::string arithmetic_rejection(const SymbolicSystem& system, const HeavyUpperTheorem& theorem) {
    const Instance& family = system.instance();
    if (std::string wrong = rejection(family, theorem.prices); !wrong.empty()) return wrong;
    const CollapseTheorem& collapse = theorem.collapse;
    if (std::string wrong = collapse.forms.empty() ? closed_set_rejection(system, collapse.closed)
                                                   : arithmetic_rejection(system, collapse);
        !wrong.empty())
        return wrong;
    for (const auto& [name, form] :
         {std::pair("H", &theorem.h), std::pair("H0", &theorem.h0), std::pair("k", &theorem.k)}) {
        if (std::string wrong = linear_rejection(*form); !wrong.empty()) return fmt::format("{}: {}", name, wrong);
        require_fits(*form, family, system.layout());
        if (form->name != name) return fmt::format("a function is not called {}", name);
    }
    LyapunovForm::Linear lengths;
    for (const auto& piece : theorem.h.pieces) {
        if (!piece.when) lengths.add(piece.coefficient, piece.largest_of.front());
        if (piece.when && (piece.coefficient * piece.largest_of.front().constant()).sign() < 0)
            return "H has a negative constant of a status";
    }
    if (lengths.constant().sign() < 0) return "H has a negative constant";
    for (const QueueId q : IdRange<QueueId>(system.layout().queues())) {
        const Rational weight = lengths.coefficient(static_cast<proof::Variable>(q.index()));
        const bool empty = std::binary_search(collapse.closed.empty.begin(), collapse.closed.empty.end(), q);
        if (weight.sign() < 0 || (weight.sign() == 0 && !empty)) return "H does not grow with every queue";
    }
    if (theorem.largest_loss.sign() <= 0) return "the largest loss is not positive";
    if (!is_sum_over_queues(system, theorem.starving)) return "the queues that starve are not a sum over queues";
    if (theorem.tasks && theorem.tasks->factor.sign() < 0) return "the multiple of the workload is negative";
    const Rational spread = theorem.tasks ? theorem.tasks->spread : Rational(0);
    if (theorem.spread.sign() < 0 || spread.sign() < 0) return "a multiple of the forms is negative";
    if (collapse.forms.empty() && (theorem.spread.sign() != 0 || spread.sign() != 0))
        return "there is a multiple of forms, and no form";
    if (collapse.forms.empty() &&
        (collapse.base != Rational(1) || collapse.rate != Rational(1) || collapse.bound != Rational(1)))
        return "there is no form, and q, rho or b is not 1";
    return theorem.tasks && theorem.tasks->rest ? rest_rejection(system, *theorem.tasks->rest) : "";
}

}  // namespace schedproof::queueing
