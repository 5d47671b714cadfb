#include "proofs/queueing/theorems/linear_function.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "model/core/errors.hpp"
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

const Rational& QueueTable::step(std::int64_t n) const {
    return increments.at(std::min(static_cast<std::size_t>(n), increments.size() - 1));
}

Rational QueueTable::at(std::int64_t n) const {
    require(n >= 0, "a table is of lengths from zero on");
    const auto listed = std::min(n, static_cast<std::int64_t>(increments.size()));
    Rational sum = Rational(n - listed) * increments.back();
    for (std::int64_t i = 0; i < listed; ++i) sum += step(i);
    return sum;
}

/// The length is found by bisection, so that a path compares it with a few numbers.
std::optional<std::int64_t> place_in_table(std::size_t entries, std::size_t servers, const Affine& length) {
    std::int64_t low = 0;
    const auto beyond = static_cast<std::int64_t>(entries - 1 + servers);
    std::int64_t high = beyond;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (length > Affine(middle))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == beyond) return std::nullopt;
    return low;
}

Rational table_change(const QueueTable& phi, const std::optional<std::int64_t>& place, const Rational& growth) {
    if (!place) return growth * phi.increments.back();
    require(growth.denominator() == 1, "a queue changes by whole tasks");
    const auto by = static_cast<std::int64_t>(growth.numerator());
    Rational sum;
    for (std::int64_t n = *place; n < *place + by; ++n) sum += phi.step(n);
    for (std::int64_t n = *place + by; n < *place; ++n) sum -= phi.step(n);
    return sum;
}

proof::LinearForm table_value(const QueueTable& phi, const std::optional<std::int64_t>& place,
                              const SymbolicSystem& system, const Shape& shape) {
    if (place) return proof::LinearForm(phi.at(*place));
    const auto end = static_cast<std::int64_t>(phi.increments.size());
    LyapunovForm::Linear form(phi.at(end) - Rational(end) * phi.increments.back());
    form.add(phi.increments.back(), LyapunovForm::Linear::variable(static_cast<proof::Variable>(phi.queue.index())));
    return on_symbols(form, system, shape);
}

}  // namespace schedproof::queueing
