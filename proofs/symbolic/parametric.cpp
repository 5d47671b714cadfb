#include "proofs/symbolic/parametric.hpp"

#include "model/core/errors.hpp"

namespace schedproof::explore {

using proof::LinearForm;
using proof::Monomial;
using proof::Polynomial;

void Linearization::add(proof::Space& space, const Monomial& monomial, const std::string& name) {
    if (!variables_.contains(monomial)) variables_.emplace(monomial, space.add(name, false, Rational(0)));
}

LinearForm Linearization::linear(const Polynomial& polynomial) const {
    LinearForm form;
    for (const auto& [monomial, c] : polynomial.terms()) {
        if (monomial.is_one()) {
            form += LinearForm(c);
            continue;
        }
        const auto found = variables_.find(monomial);
        if (found == variables_.end())
            throw LimitExceeded("symbolic rates", "the policy compares a product that is not foreseen");
        form.add(c, LinearForm::variable(found->second));
    }
    return form;
}

Parametric& Parametric::combine(const Rational& factor, const Parametric& other) {
    value_.add(factor, other.value_);
    if (!decider_) {
        linearization_ = other.linearization_;
        decider_ = other.decider_;
    }
    return *this;
}

bool Parametric::exceeds(const Parametric& other, bool strict) const {
    const Polynomial difference = value_ - other.value_;
    const Parametric& knows = decider_ ? *this : other;
    if (!knows.decider_) {
        const LinearForm constant = Linearization().linear(difference);
        return strict ? constant.constant().sign() > 0 : constant.constant().sign() >= 0;
    }
    return knows.decider_->decide(knows.linearization_->linear(difference), strict);
}

}  // namespace schedproof::explore
