/// The questions, the arithmetic and the sentence of a theorem about a mean.
///
/// Outside the box the drift of W is asked cell by cell. Of W = a V, with a linear factor a, it is quadratic in the
/// lengths, and the obligations of a cell are linear in symbols for their products; two forms of the same symbols,
/// kappa (PW - W) + f - upper and kappa (PW - W) - f + lower, must not be positive there. With a uniform drift one form
/// must not be positive anywhere, and the rest is arithmetic. In the box the code is enumerated (mean_table.hpp).
#include "proofs/queueing/theorems/mean.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "model/base/parallel.hpp"
#include "model/base/sha256.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/boundedness.hpp"
#include "proofs/queueing/theorems/lyapunov.hpp"
#include "proofs/queueing/theorems/lyapunov_formula.hpp"
#include "proofs/queueing/theorems/user_lyapunov.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Question;
using proof::LinearForm;

std::vector<std::uint32_t> box_weights(std::vector<std::uint32_t> weights, const std::vector<QueueId>& empty) {
    for (const QueueId q : empty)
        if (q.index() < weights.size()) weights[q.index()] = std::numeric_limits<std::uint32_t>::max();
    return weights;
}

LyapunovForm::Linear MeanTheorem::measure() const {
    LinearForm sum;
    for (std::size_t q = 0; q < weights.size(); ++q)
        if (!std::binary_search(empty.begin(), empty.end(), QueueId(q)))
            sum.append(static_cast<proof::Variable>(q), Rational(weights[q]));
    return sum;
}

std::vector<Forbidden> forbidden(const MeanTheorem& theorem, const SymbolicSystem& system, const Shape& shape,
                                 const LinearForm& drift) {
    if (theorem.uniform) {
        const LinearForm fall = theorem.uniform->eta * on_symbols(theorem.measure(), system, shape);
        return {{{drift + fall - LinearForm(theorem.uniform->bound), true}}};
    }
    const proof::Constraint outside{
        on_symbols(theorem.measure(), system, shape) - LinearForm(Rational(theorem.radius) + Rational(1)), false};
    const LinearForm scaled = theorem.setting.kappa * drift;
    const StateFunction& f = theorem.setting.of;
    return {{outside, {scaled + f.at_most(system, shape) - LinearForm(theorem.upper), true}},
            {outside, {scaled - f.at_least(system, shape) + LinearForm(theorem.lower), true}}};
}

std::vector<Question> questions(const SymbolicSystem& system, const MeanTheorem& theorem) {
    const auto shared = std::make_shared<const MeanTheorem>(theorem);
    const auto body = [&system, shared](const Shape& shape, const std::vector<Affine>& symbols) {
        const FarForm& w = shared->setting.w;
        const SymbolicState state = system.state(shape, symbols);
        if (!w.factor) return forbidden(*shared, system, shape, symbolic_drift(system, state, w.v));
        const DriftParts parts = drift_parts(system, state, w.v, space_with_products(system, shape));
        return forbidden(*shared, system, shape, drift_of_product(system, shape, parts, *w.factor));
    };
    return questions_by_shape(system, theorem.closed(), "far", body, theorem.is_quadratic());
}

LinearForm drift_of_product(const SymbolicSystem& system, const Shape& shape, const DriftParts& parts,
                            const LyapunovForm::Linear& factor) {
    return drift_of_product(parts, factor, on_symbols(factor, system, shape), space_with_products(system, shape));
}

std::string exact_decimal(const Rational& value) {
    Integer rest = value.denominator();
    unsigned twos = 0, fives = 0;
    for (; rest % 2 == 0; rest /= 2) ++twos;
    for (; rest % 5 == 0; rest /= 5) ++fives;
    if (rest != 1) return value.to_string();
    const unsigned places = std::max(twos, fives);
    Integer scaled = value.numerator();
    for (unsigned i = twos; i < places; ++i) scaled *= 2;
    for (unsigned i = fives; i < places; ++i) scaled *= 5;
    std::string digits = Integer(abs(scaled)).str();
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    if (places > 0) digits.insert(digits.size() - places, ".");
    return (scaled < 0 ? "-" : "") + digits;
}

Rational rounded_down(const Rational& value, unsigned decimals) {
    const Rational grid(Integer("1" + std::string(decimals, '0')));
    return Rational(floor(value * grid)) / grid;
}

Rational rounded_up(const Rational& value, unsigned decimals) { return -rounded_down(-value, decimals); }

std::string sentence(const SymbolicSystem& system, const MeanTheorem& theorem) {
    const Instance& instance = system.instance();
    const Layout& layout = system.layout();
    const std::string kappa = theorem.setting.kappa.to_string();
    const FarForm& w = theorem.setting.w;
    const char* const name = w.factor ? "W" : "V";
    std::string among = without(system, theorem.empty);  // ` with no task in ...`
    if (!among.empty()) among.replace(0, std::string_view(" and").size(), " with");
    return fmt::format(
        "On {}, {} is at least {} and at most {}: under every stationary law{}, and, started in any state{}, for the "
        "lower and upper limits of its averages over time. Shown by tables in units of 1/{} on the {}{} valid states "
        "with {} "
        "<= {}, continued by {} {} + {} and its negative, and at all others by {}, where {}V = {} is {}.",
        about(instance, system.info().id), in_words(theorem.setting.of, instance, layout),
        exact_decimal(theorem.at_least()), exact_decimal(theorem.upper), among, among, theorem.setting.scale.str(),
        instance.continuous() ? "settled ones of the " : "", theorem.box().size(),
        to_string(theorem.measure(), instance, layout), theorem.radius, kappa, name, theorem.setting.offset.to_string(),
        theorem.uniform
            ? fmt::format("the drift of {}{}, at every state at most {} less {} times that sum", name,
                          in_an_event(instance), theorem.uniform->bound.to_string(), theorem.uniform->eta.to_string())
            : fmt::format("the drift of {} {}{}", kappa, name, in_an_event(instance)),
        w.factor ? fmt::format("W = ({}) V and ", to_string(*w.factor, instance, layout)) : "", in_quotes(w.v.name),
        formula(w.v, instance, layout));
}

/// With m >= radius + 1 for the measure and f <= slope m + constant,
///     kappa (PW - W) + f <= kappa bound + constant - (kappa eta - slope) m,
/// which falls in m when kappa eta >= slope, so that m = radius + 1 decides; below, f >= 0 is enough.
std::string uniform_rejection(const SymbolicSystem& system, const MeanTheorem& theorem) {
    const Rational& kappa = theorem.setting.kappa;
    const auto& [eta, bound] = *theorem.uniform;
    if (theorem.is_quadratic()) return "a uniform drift is not enough for a mean of squares";
    if (eta.sign() <= 0) return "eta is not positive";
    const Rational nearest = Rational(theorem.radius) + Rational(1);
    const auto [slope, constant] = theorem.setting.of.growth(system.instance());
    if (kappa * eta < slope) return "the drift does not outweigh the function: kappa eta is too small";
    if (kappa * bound + constant - (kappa * eta - slope) * nearest > theorem.upper)
        return "the inequality of the upper bound does not follow outside the box";
    if (kappa * bound - kappa * eta * nearest > -theorem.lower)
        return "the inequality of the lower bound does not follow outside the box";
    return "";
}

std::string far_rejection(const SymbolicSystem& system, const FarForm& w) {
    require_fits(w.v, system.instance(), system.layout());
    if (is_misnamed(w.v, system.instance(), system.layout())) return misnamed;
    if (!w.factor) {
        const std::string gap = boundedness_gap(w.v, system.instance(), system.layout());
        return gap.empty() ? "" : "V is not shown to be bounded below: " + gap;
    }
    if (w.factor->constant().sign() < 0) return "the factor of V may be negative";
    for (const auto& [q, c] : w.factor->terms()) {
        if (q >= system.layout().queues()) return "the factor mentions an unknown queue";
        if (c.sign() < 0) return "the factor of V may be negative";
    }
    const std::string gap = negativity_gap(w.v, system.instance(), system.layout());
    return gap.empty() ? "" : "V is not shown to be at least 0: " + gap;
}

namespace {

/// What must hold before any state is enumerated; empty when it does.
std::string form_rejection(const SymbolicSystem& system, const MeanTheorem& theorem) {
    const MeanSetting& setting = theorem.setting;
    if (std::string wrong = closed_rejection(system, theorem.closed()); !wrong.empty()) return wrong;
    if (system.counters() > 0) return "the policy keeps counters: its states are more than lengths and statuses";
    if (setting.kappa.sign() <= 0) return "kappa is not positive";
    if (setting.scale <= 0) return "the scale is not positive";
    const auto is_wrong = [&](const std::vector<std::uint32_t>& weights) {
        return weights.size() != system.layout().queues() ||
               std::find(weights.begin(), weights.end(), 0U) != weights.end();
    };
    if (is_wrong(theorem.weights)) return "there is not one positive weight per queue";
    for (const Renaming& by : theorem.renamings)
        if (std::string wrong = renaming_rejection(by, theorem.statuses, box_weights(theorem.weights, theorem.empty));
            !wrong.empty())
            return wrong;
    if (setting.of.queue.index() >= system.layout().queues()) return "the function mentions an unknown queue";
    if (setting.of.kind == StateFunction::Kind::squares &&
        (is_wrong(setting.of.weights) || setting.of.unit.sign() <= 0))
        return "the function has not one positive weight per queue, in a unit above 0";
    if (setting.of.kind == StateFunction::Kind::delay && system.instance().total_arrival_rate().sign() == 0)
        return "no task arrives: there is no delay";
    if (std::string wrong = far_rejection(system, setting.w); !wrong.empty()) return wrong;
    if (theorem.uniform)
        if (std::string wrong = uniform_rejection(system, theorem); !wrong.empty()) return wrong;
    if (!theorem.table) return "there is no table";
    if (base::sha256(to_bytes(*theorem.table)) != theorem.digest) return "the table is not the one of the digest";
    // Before anything is kept for each of the states that a few bytes can ask for.
    constexpr std::uint64_t most_shared = 1000;
    if (theorem.box().size() / most_shared > theorem.table->upper.size())
        return "the table is too short for the states of the box";
    return "";
}

}  // namespace

std::string arithmetic_rejection(const SymbolicSystem& system, const MeanTheorem& theorem) {
    if (std::string wrong = form_rejection(system, theorem); !wrong.empty()) return wrong;
    const ExactSystem exact(system.instance(), system.policy());
    try {
        const FixedBounds bounds =
            bounds_on_box(exact, theorem.setting, theorem.folded_box(), *theorem.table, base::default_threads());
        const auto real = [&](Fixed value) { return rational(value) / Rational(theorem.setting.scale); };
        if (real(bounds.upper) > theorem.upper) return "an inequality of the upper bound fails in the box";
        if (real(bounds.lower) < theorem.lower) return "an inequality of the lower bound fails in the box";
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace schedproof::queueing
