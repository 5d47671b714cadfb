#include "proofs/symbolic/affine.hpp"

#include <algorithm>

#include "model/core/errors.hpp"

namespace schedproof::explore {

using proof::Atom;
using proof::Constraint;
using proof::LinearForm;

Decider::Decider(const proof::Space& space) : space_(space) {}

bool Decider::ByTerms::operator()(const LinearForm& a, const LinearForm& b) const {
    return std::lexicographical_compare(a.terms().begin(), a.terms().end(), b.terms().begin(), b.terms().end());
}

void Decider::begin_path() { known_.clear(); }

bool Decider::decide(const LinearForm& d, bool strict) {
    if (d.is_constant()) return strict ? d.constant().sign() > 0 : d.constant().sign() >= 0;
    const auto [atom, positive] = proof::normalise(space_, d, strict);
    auto found = known_.find(atom.form);
    if (found == known_.end()) found = known_.emplace(atom.form, initial(atom.form)).first;
    if (const auto answer = implied(found->second, atom)) return *answer == positive;
    const bool holds = choose(atom);
    learn(found->second, atom, holds);
    return holds == positive;
}

std::optional<bool> Decider::implied(const Interval& known, const Atom& atom) {
    if (known.lower && (known.lower->value > atom.bound ||
                        (known.lower->value == atom.bound && (known.lower->strict || !atom.strict))))
        return true;
    if (!known.upper) return std::nullopt;
    const Rational& upper = known.upper->value;
    if (upper < atom.bound || (upper == atom.bound && (known.upper->strict || atom.strict))) return false;
    return std::nullopt;
}

void Decider::learn(Interval& known, const Atom& atom, bool holds) {
    if (holds)
        known.lower = Interval::End{atom.bound, atom.strict};
    else
        known.upper =
            atom.integer ? Interval::End{atom.bound - Rational(1), false} : Interval::End{atom.bound, !atom.strict};
}

Decider::Interval Decider::initial(const LinearForm& form) const {
    // A form all of whose coefficients are positive is at least what the lower bounds of its symbols make it.
    Interval known;
    Rational least;
    for (const auto& [x, c] : form.terms()) {
        const auto& lower = space_.symbols[x].lower;
        if (c.sign() < 0 || !lower) return known;
        least += c * *lower;
    }
    known.lower = Interval::End{least, false};
    return known;
}

const Rational& Affine::constant() const {
    require(form_.is_constant(), "a symbolic number has no single value");
    return form_.constant();
}

bool Affine::exceeds(const Affine& other, bool strict) const {
    const LinearForm difference = form_ - other.form_;
    if (difference.is_constant()) return strict ? difference.constant().sign() > 0 : difference.constant().sign() >= 0;
    Decider* decider = decider_ ? decider_ : other.decider_;
    require(decider != nullptr, "a symbolic number needs a decider to be compared");
    return decider->decide(difference, strict);
}

Affine floor(const Affine& value) {
    std::int64_t n = 0;
    if (value >= Affine(0)) {
        while (value >= Affine(n + 1)) ++n;
    } else {
        do --n;
        while (value < Affine(n));
    }
    return Affine(n);
}

std::vector<Affine> symbols(Decider& decider) {
    std::vector<Affine> all;
    for (proof::Variable x = 0; x < decider.space().symbols.size(); ++x)
        all.emplace_back(LinearForm::variable(x), &decider);
    return all;
}

}  // namespace schedproof::explore
