/// The hypotheses of transience: drift as questions about code, the rest as arithmetic.
///
/// On a cell of the kernel each outcome of a step changes every queue by a constant, so the drift of a linear W is a
/// number there. That of a table phi(Q_i) is not, as it depends on Q_i: the question compares Q_i with numbers until it
/// is one, or is so long that phi is linear wherever a step leads (place_in_table). The checker asks the same
/// comparisons, since it runs the same question; which numbers they are follows from the table's length and the number
/// of servers alone, so a table of another length has another proof, even if it is the same function.
#include "proofs/queueing/theorems/transience.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/lyapunov_formula.hpp"
#include "proofs/queueing/theorems/summands/summands.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Question;
using proof::LinearForm;

namespace {

Rational absolute(const Rational& q) { return q.sign() < 0 ? -q : q; }

/// W at a state of constant lengths.
Rational height_of(const TransienceTheorem& theorem, const SymbolicState& state) {
    Rational height = value_of(theorem.w, state).constant();
    if (theorem.table)
        height += theorem.table->at(
            static_cast<std::int64_t>(state.length.at(theorem.table->queue.index()).constant().numerator()));
    return height;
}

/// Empty when climbing from the empty state leads beyond the threshold.
std::string start_rejection(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    SymbolicState state = empty_state(system);
    const auto height = [&](const SymbolicState& at) { return height_of(theorem, at); };
    if (height(state) >= theorem.threshold) return "the empty state lies at the threshold or above";
    for (std::size_t slot = 0; slot < max_climb; ++slot) {
        auto next = highest_next(system, state, height);
        if (!next) return "climbing from the empty state ends below the threshold";
        if (height(*next) > theorem.threshold) return "";
        state = std::move(*next);
    }
    return "climbing from the empty state does not pass the threshold within " + std::to_string(max_climb) + " " +
           step_of(system.instance()) + "s";
}

/// Empty when phi is of a queue that tasks join and that has no weight besides.
std::string table_rejection(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    if (!theorem.table) return "";
    const QueueId queue = theorem.table->queue;
    if (theorem.table->increments.empty()) return "the table has no increment";
    if (queue.index() >= system.layout().queues()) return "the table is of an unknown queue";
    if (std::binary_search(theorem.empty.begin(), theorem.empty.end(), queue))
        return "the table is of a queue that is said to be empty";
    if (slopes(theorem.w).coefficient(static_cast<proof::Variable>(queue.index())).sign() != 0)
        return "the queue of the table has a weight besides";
    return "";
}

/// Of one of the functions that W is the least of.
Rational largest_jump(const SymbolicSystem& system, const TransienceTheorem& theorem, const LyapunovForm& w) {
    Rational steepest;
    const LinearForm form = slopes(w);
    for (const auto& [q, c] : form.terms()) steepest = std::max(steepest, absolute(c));
    if (theorem.table)
        for (const Rational& step : theorem.table->increments) steepest = std::max(steepest, absolute(step));
    const Instance& instance = system.instance();
    Rational bound = steepest * Rational(instance.arrivals().largest_total() + instance.servers().size());
    for (const ServerId m : instance.servers()) {
        const auto [low, high] = range_of_constants(theorem, w, m);
        bound += high - low;
    }
    return bound;
}

/// Empty when the theorem is not by modes, or is one that these may prove.
std::string modes_rejection(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    if (!theorem.modes) return "";
    if (theorem.table) return "a proof by modes has no table";
    if (!theorem.empty.empty()) return "a proof by modes names no empty queues";
    const Summands& summands = terms_of(system, SummandKind::together);
    if (theorem.statuses != statuses_of(system, summands)) return "the statuses are not those that the rules allow";
    if (theorem.modes->size() != summands.terms().size()) return "there is not one bound per term of the drift";
    return "";
}

/// The question of a proof by modes, about numbers at any lengths.
Question question_of_modes(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    const Summands& summands = terms_of(system, SummandKind::together);
    const std::vector<Rational>& bounds = *theorem.modes;
    std::vector<Forbidden> obligations;
    Rational sum = theorem.delta;
    for (std::size_t t = 0; t < bounds.size(); ++t) {
        const Term& term = summands.terms()[t];
        if (!term.follows()) sum += bounds[t];
        for (const Alternative& alternative : term.alternatives) {
            Rational value = -change(theorem.w, alternative).constant();
            for (const Follows& then : alternative.then) value += then.probability * bounds[then.term];
            obligations.push_back({{LinearForm(value - bounds[t]), true}});
        }
    }
    obligations.push_back({{LinearForm(sum), true}});
    return {"modes", lengths_space(system),
            [obligations = std::move(obligations)](const std::vector<Affine>&) { return obligations; }};
}

/// What must not be on the cell of a state: W, and its drift as the mean over the outcomes of a step.
Forbidden forbidden_with_table(const SymbolicSystem& system, const TransienceTheorem& theorem, const Shape& shape,
                               const SymbolicState& state) {
    const QueueTable& phi = *theorem.table;
    const std::vector<LinearOutcome> outcomes = linear_outcomes(system, state);
    const auto place =
        place_in_table(phi.increments.size(), system.instance().servers().size(), state.length.at(phi.queue.index()));
    Rational drift;
    for (const LinearOutcome& outcome : outcomes)
        drift += outcome.probability * (change_of(theorem.w, state.serving, outcome) +
                                        table_change(phi, place, outcome.growth.at(phi.queue.index())));
    return forbidden(theorem, linear_value(theorem.w, system, shape) + table_value(phi, place, system, shape),
                     LinearForm(drift));
}

}  // namespace

std::pair<Rational, Rational> range_of_constants(const TransienceTheorem& theorem, const LyapunovForm& w, ServerId m) {
    Rational low, high;  // idle has none
    Vector<Service> serving(theorem.statuses.size());
    for (const Service& status : theorem.statuses.at(m.index())) {
        serving[m.index()] = status;
        Rational sum;
        for (const auto& piece : w.pieces)
            if (piece.when && piece.when->server == m && piece.when->holds(serving))
                sum += piece.coefficient * piece.largest_of.at(0).constant();
        low = std::min(low, sum);
        high = std::max(high, sum);
    }
    return {low, high};
}

LinearForm slopes(const LyapunovForm& w) {
    LinearForm form;
    for (const auto& piece : w.pieces)
        if (!piece.when) form.add(piece.coefficient, piece.largest_of.at(0));
    return form;
}

Rational jump_bound(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    Rational bound;
    for (const LyapunovForm& w : parts_of(theorem)) bound = std::max(bound, largest_jump(system, theorem, w));
    return bound;
}

Forbidden forbidden(const TransienceTheorem& theorem, const LinearForm& w, const LinearForm& drift) {
    return {{w - LinearForm(theorem.threshold), false}, {LinearForm(theorem.delta) - drift, true}};
}

std::vector<Question> questions(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    require_fits(theorem.w, system.instance(), system.layout());
    if (theorem.modes) return {question_of_modes(system, theorem)};
    if (theorem.cone) return cone_questions(system, theorem);
    const auto shared = std::make_shared<const TransienceTheorem>(theorem);
    return questions_by_shape(
        system, theorem.closed(), "growth", [&system, shared](const Shape& shape, const std::vector<Affine>& symbols) {
            const SymbolicState state = system.state(shape, symbols);
            if (shared->table) return std::vector<Forbidden>{forbidden_with_table(system, *shared, shape, state)};
            return std::vector<Forbidden>{
                forbidden(*shared, linear_value(shared->w, system, shape), symbolic_drift(system, state, shared->w))};
        });
}

std::string sentence(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    const bool inside = theorem.capacity.upper < Rational(1);
    const std::string growing = theorem.cone ? "the drift of every part of W = " : "the drift of W = ";
    const std::string load = theorem.capacity.exact() ? "rho* = " + theorem.capacity.upper.to_string()
                                                      : "rho* <= " + theorem.capacity.upper.to_string();
    const Instance& instance = system.instance();
    return "On " + about(instance, system.info().id) + ", " +
           (inside ? "although " + load + " < 1" : "at load " + load) + ", the cluster is transient: " + growing +
           function_text(system, theorem) + in_an_event(instance) + " is at least " + theorem.delta.to_string() +
           " at every state with W >= " + theorem.threshold.to_string() + without(system, theorem.empty) +
           ", for all queue lengths and all statuses of the servers, and no " + step_of(instance) +
           " changes W by more than " + theorem.jump.to_string() +
           "; so with positive probability the cluster, started empty, never empties again and some queue grows "
           "without bound at a linear rate." +
           table_text(theorem);
}

std::string function_text(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    std::string text = formula(theorem.w, system.instance(), system.layout());
    if (theorem.cone) {
        for (const LyapunovForm& w : theorem.cone->beside)
            text += ", " + formula(w, system.instance(), system.layout());
        return "min(" + text + ")";
    }
    if (theorem.table) text += " + phi(Q[" + system.layout().name(system.instance(), theorem.table->queue) + "])";
    return text;
}

std::string table_text(const TransienceTheorem& theorem) {
    if (!theorem.table) return "";
    const std::vector<Rational>& steps = theorem.table->increments;
    std::string text = " Here phi(0) = 0, and phi(n + 1) - phi(n) is ";
    for (std::size_t n = 0; n + 1 < steps.size(); ++n)
        text += steps[n].to_string() + (n == 0 ? " for n = 0" : "") + ", ";
    return text + steps.back().to_string() + " for n >= " + std::to_string(steps.size() - 1) + ".";
}

std::string arithmetic_rejection(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    const Instance& instance = system.instance();
    if (theorem.delta.sign() <= 0) return "delta is not positive";
    if (std::string wrong = closed_rejection(system, theorem.closed()); !wrong.empty()) return wrong;
    for (const LyapunovForm& w : parts_of(theorem)) {
        if (std::string wrong = linear_rejection(w); !wrong.empty()) return wrong;
        require_fits(w, instance, system.layout());
    }
    if (std::string wrong = table_rejection(system, theorem); !wrong.empty()) return wrong;
    if (theorem.jump != jump_bound(system, theorem)) return "the largest jump is not that of the coefficients";
    if (std::string wrong = modes_rejection(system, theorem); !wrong.empty()) return wrong;
    if (std::string wrong = capacity::rejection(instance, theorem.capacity); !wrong.empty()) return "load: " + wrong;
    return theorem.cone ? cone_rejection(system, theorem) : start_rejection(system, theorem);
}

}  // namespace schedproof::queueing
