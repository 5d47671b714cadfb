#include "proofs/rocq/export/identities.hpp"

#include "model/core/errors.hpp"
#include "proofs/queueing/theorems/theorem.hpp"
#include "proofs/redundancy/theorems/theorem.hpp"

namespace schedproof::rocq {

namespace {

std::vector<Identity> paired(std::vector<proof::PolynomialLemma> lemmas,
                             const std::vector<proof::PolynomialProof>& proofs) {
    require(lemmas.size() == proofs.size(), "a proof per lemma");
    std::vector<Identity> all;
    for (std::size_t i = 0; i < lemmas.size(); ++i) all.push_back({std::move(lemmas[i]), proofs[i]});
    return all;
}

void put(Stream& out, const Rational& q) {
    out.put(q.numerator());
    out.put(q.denominator());
}

void put(Stream& out, const proof::Polynomial& polynomial, std::size_t symbols) {
    out.put(polynomial.terms().size());
    for (const auto& [monomial, coefficient] : polynomial.terms()) {
        put(out, coefficient);
        std::vector<int> exponents(symbols);
        for (const auto& [symbol, exponent] : monomial.powers()) exponents.at(symbol) = exponent;
        out.put(exponents.size());
        for (const int exponent : exponents) out.put(exponent);
    }
}

}  // namespace

std::vector<Identity> identities(const AnyCertificate& certificate) {
    if (const auto* const of = certificate.as<redundancy::Certificate>())
        return paired(redundancy::lemmas(redundancy::statement(of->theorem.statement)), of->lemmas);
    const auto* const of = certificate.as<queueing::Certificate>();
    if (of == nullptr) return {};
    const auto of_policy = [&](queueing::Timing timing, const std::vector<proof::PolynomialProof>& proofs) {
        const queueing::ParametricPolicy policy = queueing::ParametricPolicy::registered(of->policy);
        return paired(queueing::kernel_lemmas(policy.rules().arrangement(), timing), proofs);
    };
    if (const auto* const uniform = std::get_if<queueing::UniformTheorem>(&of->theorem))
        return of_policy(uniform->timing, uniform->lemmas);
    if (const auto* const max_weight = std::get_if<queueing::MaxWeightTheorem>(&of->theorem))
        return of_policy(queueing::timing_of(*of->instance), max_weight->lemmas);
    return {};
}

Stream stream_of(const std::vector<Identity>& identities) {
    Stream out;
    out.put(identities.size());
    for (const auto& [lemma, proof] : identities) {
        out.put(lemma.hypotheses.size());
        for (const proof::Polynomial& hypothesis : lemma.hypotheses) put(out, hypothesis, lemma.symbols.size());
        put(out, lemma.conclusion, lemma.symbols.size());
        out.put(proof.terms.size());
        for (const auto& [coefficient, factors] : proof.terms) {
            put(out, coefficient);
            out.put(factors.size());
            for (const std::uint32_t factor : factors) out.put(factor);
        }
    }
    return out;
}

}  // namespace schedproof::rocq
