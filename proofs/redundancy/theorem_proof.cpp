#include "proofs/redundancy/theorem_proof.hpp"

#include <algorithm>

#include "proofs/explore/polynomial_search.hpp"
#include "proofs/redundancy/counterexample.hpp"

namespace schedproof::redundancy {

TheoremProof prove(const std::string& policy, const Theorem& theorem, const explore::Budget& budget) {
    constexpr unsigned most_factors = 10;  // G^8 (1 - G)^2
    const StatementInfo& what = statement(theorem.statement);
    const AnyPolicy own = make_policy(policy, theorem.shape.beta.value_or(Rational(1)));
    TheoremProof all;
    Certificate certificate{policy, theorem, {}, {}};
    for (const explore::Question& question : questions(policy, theorem)) {
        explore::Reply reply = explore::ask(question, budget);
        all.statistics += reply.statistics;
        if (auto* proof = std::get_if<proof::ExploredProof>(&reply.result)) {
            certificate.proofs.push_back(std::move(*proof));
        } else if (auto* point = std::get_if<explore::Counterpoint>(&reply.result)) {
            auto problem = counterexample(what, own, theorem.shape, theorem.bound, question.space, *point);
            all.result = Refuted{question.name, std::move(*point), std::move(problem)};
            return all;
        } else {
            all.result = std::get<explore::Ended>(std::move(reply.result));
            return all;
        }
    }
    for (const proof::PolynomialLemma& lemma : lemmas(what)) {
        std::optional<proof::PolynomialProof> identity;
        for (unsigned degree = 1; degree <= most_factors && !identity; ++degree)
            identity = explore::prove(lemma, degree);
        if (!identity) {
            all.result = Refuted{lemma.name, std::nullopt, std::nullopt};
            return all;
        }
        std::sort(identity->terms.begin(), identity->terms.end(),
                  [](const auto& a, const auto& b) { return a.factors < b.factors; });
        certificate.lemmas.push_back(std::move(*identity));
    }
    all.result = std::move(certificate);
    return all;
}

}  // namespace schedproof::redundancy
