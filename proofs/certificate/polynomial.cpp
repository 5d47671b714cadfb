#include "proofs/certificate/polynomial.hpp"

#include <algorithm>

namespace schedproof::proof {

Monomial Monomial::symbol(std::uint32_t s, int exponent) {
    Monomial monomial;
    if (exponent != 0) monomial.powers_.emplace_back(s, exponent);
    return monomial;
}

Monomial operator*(const Monomial& a, const Monomial& b) {
    Monomial product;
    auto i = a.powers_.begin();
    auto j = b.powers_.begin();
    while (i != a.powers_.end() || j != b.powers_.end()) {
        if (j == b.powers_.end() || (i != a.powers_.end() && i->first < j->first)) {
            product.powers_.push_back(*i++);
        } else if (i == a.powers_.end() || j->first < i->first) {
            product.powers_.push_back(*j++);
        } else {
            if (i->second + j->second != 0) product.powers_.emplace_back(i->first, i->second + j->second);
            ++i, ++j;
        }
    }
    return product;
}

Polynomial& Polynomial::add(const Rational& coefficient, const Monomial& monomial) {
    if (coefficient.sign() == 0) return *this;
    const auto [term, is_new] = terms_.try_emplace(monomial, coefficient);
    if (!is_new) {
        term->second += coefficient;
        if (term->second.sign() == 0) terms_.erase(term);
    }
    return *this;
}

Polynomial& Polynomial::add(const Rational& factor, const Polynomial& other) {
    if (&other == this) return add(factor, Polynomial(other));
    for (const auto& [monomial, coefficient] : other.terms_) add(factor * coefficient, monomial);
    return *this;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    Polynomial product;
    for (const auto& [m, c] : a.terms_)
        for (const auto& [n, d] : b.terms_) product.add(c * d, m * n);
    return product;
}

std::string rejection(const PolynomialLemma& lemma, const PolynomialProof& proof) {
    Polynomial sum;
    const PolynomialProof::Term* previous = nullptr;
    for (const PolynomialProof::Term& term : proof.terms) {
        if (term.coefficient.sign() <= 0) return lemma.name + ": a coefficient is not positive";
        if (!std::is_sorted(term.factors.begin(), term.factors.end())) return lemma.name + ": factors are not sorted";
        if (previous && previous->factors >= term.factors) return lemma.name + ": the products do not ascend";
        previous = &term;
        Polynomial product = term.coefficient;
        for (const std::uint32_t factor : term.factors) {
            if (factor >= lemma.hypotheses.size()) return lemma.name + ": a factor is no hypothesis";
            product = product * lemma.hypotheses[factor];
        }
        sum.add(Rational(1), product);
    }
    return sum == lemma.conclusion ? "" : lemma.name + ": the products do not add up to the conclusion";
}

std::string to_string(const Polynomial& polynomial, const std::vector<std::string>& symbols) {
    std::string text;
    for (const auto& [monomial, c] : polynomial.terms()) {
        const bool negative = c.sign() < 0;
        text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
        const Rational size = negative ? -c : c;
        std::string product = size == Rational(1) && !monomial.is_one() ? "" : size.to_string();
        for (const auto& [s, exponent] : monomial.powers()) {
            if (!product.empty()) product += " ";
            product += symbols.at(s) + (exponent == 1 ? "" : "^" + std::to_string(exponent));
        }
        text += product;
    }
    return text.empty() ? "0" : text;
}

}  // namespace schedproof::proof
