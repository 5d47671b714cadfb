/// Exponential moments of forms, asked cell by cell.
///
/// On a cell of the kernel a form changes by an integer in each outcome, so E q^(l(next)) = m q^l with a number m. The
/// inequality of a leaf is a sum of numbers a_j times q^(l_j). Where some a_j is positive, the code of the question
/// asks for the values of the forms until each is known, or known to lie beyond its window, and for one that outweighs
/// a positive term beyond its window; then the sum is a number, or is at most one, and what remains to be shown is that
/// the leaf is empty where that number is above b. The powers are exact.
#include "proofs/queueing/theorems/heavy_traffic/heavy_collapse.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/lyapunov_formula.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Question;

namespace {

// What a certificate may ask to be raised to a power: a few bytes could ask for numbers of millions of digits.
constexpr std::int64_t widest_window = 10'000, largest_change = 100'000;
const Rational largest_part(1'000'000);

/// An upper bound of a_j q^(l_j) on the rest of the cell; nothing where there is none.
std::optional<Rational> term_at_most(const CollapseTheorem& theorem, const CollapseForm& form, const Affine& value,
                                     const Rational& a) {
    if (value >= Affine(form.high)) {
        if (a.sign() > 0) return std::nullopt;
        return a * to_the_power(theorem.base, form.high);
    }
    if (value <= Affine(form.low)) return a.sign() > 0 ? a * to_the_power(theorem.base, form.low) : Rational(0);
    std::int64_t low = form.low + 1, high = form.high - 1;
    while (low < high) {
        const std::int64_t middle = low + (high - low + 1) / 2;
        if (value >= Affine(middle))
            low = middle;
        else
            high = middle - 1;
    }
    return a * to_the_power(theorem.base, low);
}

/// The term that outweighs a positive one where the state is.
std::optional<std::size_t> outweighing(const CollapseTheorem& theorem, const SymbolicState& state,
                                       const std::vector<Rational>& a, std::size_t positive) {
    for (std::size_t j = 0; j < a.size(); ++j) {
        const std::optional<std::int64_t> distance = outweighing_distance(theorem.base, a, positive, j);
        if (distance &&
            value_of(theorem.forms[j].form, state) >= value_of(theorem.forms[positive].form, state) + Affine(*distance))
            return j;
    }
    return std::nullopt;
}

/// (F) at the state of a cell: empty where it holds on all of it.
std::vector<Forbidden> growth_forbidden(const CollapseTheorem& theorem, const SymbolicState& state,
                                        const std::vector<LinearOutcome>& outcomes) {
    std::vector<Rational> a;
    for (const CollapseForm& form : theorem.forms) {
        Rational mean;
        for (const LinearOutcome& outcome : outcomes) {
            const Rational change = change_of(form.form, state.serving, outcome);
            if (change > Rational(largest_change) || change < Rational(-largest_change)) return {{}};
            mean += outcome.probability * to_the_power(theorem.base, static_cast<std::int64_t>(change.numerator()));
        }
        a.push_back(mean - Rational(1) + theorem.rate);
    }
    if (std::none_of(a.begin(), a.end(), [](const Rational& one) { return one.sign() > 0; })) return {};
    Rational sum;
    std::vector<bool> outweighs(a.size());
    const auto add = [&](std::size_t j) {
        const auto most = term_at_most(theorem, theorem.forms[j], value_of(theorem.forms[j].form, state), a[j]);
        if (most) sum += *most;
        return most.has_value();
    };
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].sign() <= 0 || add(i)) continue;
        const std::optional<std::size_t> by = outweighing(theorem, state, a, i);
        if (!by) return {{}};  // the path must be impossible
        outweighs[*by] = true;
    }
    for (std::size_t j = 0; j < a.size(); ++j)
        if (a[j].sign() <= 0 && !outweighs[j]) (void)add(j);
    return sum <= theorem.bound ? std::vector<Forbidden>{} : std::vector<Forbidden>{{}};
}

}  // namespace

Rational log_above(const Rational& base, const Rational& x) {
    require(base > Rational(1) && x.sign() > 0, "a logarithm of a positive number to a base above 1");
    const std::int64_t parts = base < Rational(Integer(257), Integer(256)) ? 1 : 64;
    return Rational(Integer(least_exponent(base, to_the_power(x, parts), std::numeric_limits<std::int64_t>::max() / 4)),
                    Integer(parts));
}

std::int64_t least_exponent(const Rational& base, const Rational& x, std::int64_t limit) {
    const auto enough = [&](std::int64_t n) { return to_the_power(base, n) >= x; };
    std::int64_t high = 1, low = -1;
    while (high <= limit && !enough(high)) high *= 2;
    while (low >= -limit && enough(low)) low *= 2;
    while (low + 1 < high && low < limit) {
        const std::int64_t middle = low + (high - low) / 2;
        (middle > limit || enough(middle) ? high : low) = middle;
    }
    return std::max(high, -limit);
}

std::optional<std::int64_t> outweighing_distance(const Rational& base, const std::vector<Rational>& a,
                                                 std::size_t positive, std::size_t by) {
    if (a[by].sign() >= 0) return std::nullopt;
    const auto count = std::count_if(a.begin(), a.end(), [](const Rational& one) { return one.sign() > 0; });
    const Rational ratio = Rational(Integer(count)) * a[positive] / -a[by];
    const std::int64_t distance = least_exponent(base, ratio, widest_window);
    return distance > widest_window ? std::nullopt : std::optional(distance);
}

bool fills_one_of(const std::vector<QueueId>& empty, const std::vector<LinearOutcome>& outcomes) {
    return std::any_of(outcomes.begin(), outcomes.end(), [&](const LinearOutcome& outcome) {
        return std::any_of(empty.begin(), empty.end(),
                           [&](QueueId q) { return outcome.growth.at(q.index()).sign() != 0; });
    });
}

SlackEnds slack_ends(const SymbolicSystem& system) {
    SlackEnds ends;
    const std::array<Instance, 2> instances = ends_of_slack(system.instance());
    for (std::size_t end = 0; end < 2; ++end) {
        ends.instance[end] = std::make_shared<const Instance>(instances[end]);
        ends.system[end] = std::make_shared<const SymbolicSystem>(*ends.instance[end], system.policy());
    }
    return ends;
}

std::vector<Question> questions_at_ends(
    const SymbolicSystem& system, const ClosedSet& closed, const std::string& what,
    std::function<std::vector<Forbidden>(std::size_t, const SymbolicState&, const std::vector<LinearOutcome>&)>
        forbidden) {
    const SlackEnds ends = slack_ends(system);
    const auto shared = std::make_shared<decltype(forbidden)>(std::move(forbidden));
    std::vector<Question> all;
    for (std::size_t end = 0; end < 2; ++end)
        for (const Shape& shape : shapes_of(closed.statuses)) {
            const auto body = [ends, shared, shape, end, empty = closed.empty](const std::vector<Affine>& symbols) {
                const SymbolicState state = ends.system[end]->state(shape, symbols);
                const std::vector<LinearOutcome> outcomes = linear_outcomes(*ends.system[end], state);
                if (fills_one_of(empty, outcomes)) return std::vector<Forbidden>{{}};
                return (*shared)(end, state, outcomes);
            };
            all.push_back(
                {fmt::format("{} at slack {}, {}", what, end == 0 ? "0" : system.instance().slack().up_to.to_string(),
                             shape_name(system, shape)),
                 space_without(system, shape, closed.empty), body});
        }
    return all;
}

std::vector<Question> questions(const SymbolicSystem& system, const CollapseTheorem& theorem) {
    std::vector<Question> all = status_questions(system, theorem.closed);
    const auto shared = std::make_shared<const CollapseTheorem>(theorem);
    const auto forbidden = [shared](std::size_t, const SymbolicState& state,
                                    const std::vector<LinearOutcome>& outcomes) {
        return growth_forbidden(*shared, state, outcomes);
    };
    for (Question& question : questions_at_ends(system, theorem.closed, "collapse", forbidden))
        all.push_back(std::move(question));
    return all;
}

std::string collapse_text(const SymbolicSystem& system, const CollapseTheorem& theorem) {
    std::string forms;
    for (const CollapseForm& form : theorem.forms)
        forms +=
            fmt::format("{}q^({})", forms.empty() ? "" : " + ", formula(form.form, system.instance(), system.layout()));
    return fmt::format(
        "F = {} with q = {} has a mean of at most {}, for in every slot E F(next) <= (1 - {}) F + {}: all moments of "
        "the positive parts of the exponents are bounded uniformly in eps",
        forms, theorem.base.to_string(), (theorem.bound / theorem.rate).to_string(), theorem.rate.to_string(),
        theorem.bound.to_string());
}

std::string for_every_slack(const SymbolicSystem& system) {
    return fmt::format(
        "On {}, for every slack eps in (0, {}] and every stationary law on the states that can be reached from the "
        "empty cluster, ",
        about(system.instance(), system.info().id), system.instance().slack().up_to.to_string());
}

std::string sentence(const SymbolicSystem& system, const CollapseTheorem& theorem) {
    return for_every_slack(system) + collapse_text(system, theorem) + ".";
}

std::string closed_set_rejection(const SymbolicSystem& system, const ClosedSet& closed) {
    if (system.counters() > 0) return "the policy keeps counters, which no form speaks of";
    return closed_rejection(system, closed);
}

namespace {

/// Empty when the numbers of a piece are integers of moderate size.
std::string integer_rejection(const LyapunovForm::Piece& piece) {
    const auto wrong = [&](const Rational& number) {
        const Rational c = piece.coefficient * number;
        return !c.is_integer() || c > Rational(largest_coefficient) || c < Rational(-largest_coefficient);
    };
    if (wrong(piece.largest_of.front().constant())) return "a constant of a form is no integer of moderate size";
    for (const auto& [q, c] : piece.largest_of.front().terms())
        if (wrong(c)) return "a coefficient of a form is no integer of moderate size";
    return "";
}

}  // namespace

std::string arithmetic_rejection(const SymbolicSystem& system, const CollapseTheorem& theorem) {
    (void)system.instance().slack();
    if (std::string wrong = closed_set_rejection(system, theorem.closed); !wrong.empty()) return wrong;
    if (theorem.forms.empty()) return "there is no form";
    if (theorem.base <= Rational(1)) return "q is not above 1";
    if (Rational(theorem.base.numerator()) > largest_part) return "q has a numerator above 1000000";
    if (theorem.rate.sign() <= 0 || theorem.rate > Rational(1)) return "rho is not above 0 and at most 1";
    if (theorem.bound.sign() <= 0) return "b is not above 0";
    for (std::size_t j = 0; j < theorem.forms.size(); ++j) {
        const CollapseForm& form = theorem.forms[j];
        if (form.form.name != fmt::format("l{}", j + 1)) return "the forms are not called l1, l2 and so on";
        if (std::string wrong = linear_rejection(form.form); !wrong.empty()) return "a form: " + wrong;
        require_fits(form.form, system.instance(), system.layout());
        if (form.low >= form.high || form.high - form.low > widest_window ||
            std::max(std::abs(form.low), std::abs(form.high)) > widest_window)
            return "the window of a form is empty or too wide";
        for (const auto& piece : form.form.pieces) {
            if (std::string wrong = integer_rejection(piece); !wrong.empty()) return wrong;
            if (!piece.when && piece.largest_of.front().constant().sign() != 0)
                return "a form has a constant outside the statuses";
        }
    }
    return "";
}

}  // namespace schedproof::queueing
