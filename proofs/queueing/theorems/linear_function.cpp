#include "proofs/queueing/theorems/linear_function.hpp"

#include <map>
#include <utility>

#include "proofs/queueing/theorems/drift.hpp"

namespace schedproof::queueing {

using explore::Affine;

namespace {

/// The sum of the status constants.
Rational status_constant(const LyapunovForm& w, const Vector<Service>& serving) {
    Rational sum;
    for (const auto& piece : w.pieces)
        if (piece.when && piece.when->holds(serving)) sum += piece.coefficient * piece.largest_of.front().constant();
    return sum;
}

}  // namespace

std::string linear_rejection(const LyapunovForm& w) {
    if (!w.products.empty()) return "W has products: its jumps are not bounded";
    for (const auto& piece : w.pieces) {
        if (piece.largest_of.size() != 1) return "W has a maximum: it is not linear";
        if (piece.when && !piece.largest_of.front().is_constant())
            return "W has a queue under a condition: its jumps are not bounded";
    }
    return "";
}

Affine value_of(const LyapunovForm& w, const SymbolicState& state) {
    Affine value(status_constant(w, state.serving));
    for (const auto& piece : w.pieces)
        if (!piece.when) value += piece.coefficient * detail::evaluate(piece.largest_of.front(), state.length);
    return value;
}

proof::LinearForm linear_value(const LyapunovForm& w, const SymbolicSystem& system, const Shape& shape) {
    LyapunovForm::Linear form(status_constant(w, shape.serving));
    for (const auto& piece : w.pieces)
        if (!piece.when) form.add(piece.coefficient, piece.largest_of.front());
    return on_symbols(form, system, shape);
}

std::vector<LinearOutcome> linear_outcomes(const SymbolicSystem& system, const SymbolicState& state) {
    std::vector<LinearOutcome> outcomes;
    std::map<std::pair<std::vector<Rational>, Vector<Service>>, std::size_t> number;
    for (const SymbolicMove& move : system.moves(state)) {
        std::vector<Rational> growth;
        for (std::size_t q = 0; q < state.length.size(); ++q)
            growth.push_back((move.slot.next.length[q] - state.length[q]).constant());
        const auto [at, fresh] = number.try_emplace({growth, move.slot.next.serving}, outcomes.size());
        if (fresh) outcomes.push_back({Rational(0), std::move(growth), move.slot.next.serving});
        outcomes[at->second].probability += move.probability;
    }
    return outcomes;
}

Rational change_of(const LyapunovForm& w, const Vector<Service>& serving, const LinearOutcome& outcome) {
    Rational change = status_constant(w, outcome.serving) - status_constant(w, serving);
    for (const auto& piece : w.pieces)
        if (!piece.when)
            for (const auto& [q, c] : piece.largest_of.front().terms())
                change += piece.coefficient * c * outcome.growth.at(q);
    return change;
}

}  // namespace schedproof::queueing
