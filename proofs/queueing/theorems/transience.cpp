#include "proofs/queueing/theorems/transience.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/about.hpp"
#include "proofs/queueing/theorems/lyapunov_formula.hpp"

namespace schedproof::queueing {

using explore::Affine;
using explore::Forbidden;
using explore::Question;
using proof::LinearForm;

namespace {

Rational absolute(const Rational& q) { return q.sign() < 0 ? -q : q; }

/// Sum of the status terms of server m when it does `status`.
Rational status_term(const LyapunovForm& w, std::size_t servers, ServerId m, const Service& status) {
    Vector<Service> serving(servers);
    serving[m.index()] = status;
    Rational sum;
    for (const auto& piece : w.pieces)
        if (piece.when && piece.when->server == m && piece.when->holds(serving))
            sum += piece.coefficient * piece.largest_of.at(0).constant();
    return sum;
}

/// Empty when climbing from the empty state leads beyond the threshold.
std::string start_rejection(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    Shape idle;
    idle.serving.assign(system.instance().servers().size(), Service{});
    SymbolicState state = system.state(idle, std::vector<Affine>(system.space(idle).symbols.size(), Affine(0)));
    Rational height = value_of(theorem.w, state).constant();
    if (height >= theorem.threshold) return "the empty state lies at the threshold or above";
    for (std::size_t slot = 0; slot < max_climb; ++slot) {
        std::optional<SymbolicState> best;
        for (SymbolicMove& move : system.moves(state)) {
            Rational value = value_of(theorem.w, move.slot.next).constant();
            if (value <= height) continue;
            height = std::move(value);
            best = std::move(move.slot.next);
        }
        if (!best) return "climbing from the empty state ends below the threshold";
        if (height > theorem.threshold) return "";
        state = std::move(*best);
    }
    return "climbing from the empty state does not pass the threshold within " + std::to_string(max_climb) + " " +
           step_of(system.instance()) + "s";
}

}  // namespace

Rational jump_bound(const SymbolicSystem& system, const LyapunovForm& w,
                    const std::vector<std::vector<Service>>& statuses) {
    LyapunovForm::Linear form;
    for (const auto& piece : w.pieces)
        if (!piece.when) form.add(piece.coefficient, piece.largest_of.at(0));
    Rational steepest;
    for (const auto& [q, c] : form.terms()) steepest = std::max(steepest, absolute(c));
    const Instance& instance = system.instance();
    Rational bound = steepest * Rational(instance.arrivals().largest_total() + instance.servers().size());
    for (const ServerId m : instance.servers()) {
        Rational low, high;  // idle has no term
        for (const Service& status : statuses.at(m.index())) {
            const Rational term = status_term(w, instance.servers().size(), m, status);
            low = std::min(low, term);
            high = std::max(high, term);
        }
        bound += high - low;
    }
    return bound;
}

Forbidden forbidden(const TransienceTheorem& theorem, const LinearForm& w, const LinearForm& drift) {
    return {{w - LinearForm(theorem.threshold), false}, {LinearForm(theorem.delta) - drift, true}};
}

std::vector<Question> questions(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    require_fits(theorem.w, system.instance(), system.layout());
    const auto shared = std::make_shared<const TransienceTheorem>(theorem);
    return questions_by_shape(
        system, theorem.closed(), "growth", [&system, shared](const Shape& shape, const std::vector<Affine>& symbols) {
            return std::vector<Forbidden>{forbidden(*shared, linear_value(shared->w, system, shape),
                                                    symbolic_drift(system, system.state(shape, symbols), shared->w))};
        });
}

std::string sentence(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    const bool inside = theorem.capacity.upper < Rational(1);
    const std::string load = theorem.capacity.exact() ? "rho* = " + theorem.capacity.upper.to_string()
                                                      : "rho* <= " + theorem.capacity.upper.to_string();
    const Instance& instance = system.instance();
    return "On " + about(instance, system.info().id) + ", " +
           (inside ? "although " + load + " < 1" : "at load " + load) +
           ", the cluster is transient: the drift of W = " + formula(theorem.w, instance, system.layout()) +
           in_an_event(instance) + " is at least " + theorem.delta.to_string() +
           " at every state with W >= " + theorem.threshold.to_string() + without(system, theorem.empty) +
           ", for all queue lengths and all statuses of the servers, and no " + step_of(instance) +
           " changes W by more than " + theorem.jump.to_string() +
           "; so with positive probability the cluster, started empty, never empties again and some queue grows "
           "without bound at a linear rate.";
}

std::string arithmetic_rejection(const SymbolicSystem& system, const TransienceTheorem& theorem) {
    const Instance& instance = system.instance();
    if (theorem.delta.sign() <= 0) return "delta is not positive";
    if (std::string wrong = closed_rejection(system, theorem.closed()); !wrong.empty()) return wrong;
    if (std::string wrong = linear_rejection(theorem.w); !wrong.empty()) return wrong;
    require_fits(theorem.w, instance, system.layout());
    if (theorem.jump != jump_bound(system, theorem.w, theorem.statuses))
        return "the largest jump is not that of the coefficients";
    if (std::string wrong = capacity::rejection(instance, theorem.capacity); !wrong.empty()) return "load: " + wrong;
    return start_rejection(system, theorem);
}

}  // namespace schedproof::queueing
