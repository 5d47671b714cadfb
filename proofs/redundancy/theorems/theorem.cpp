#include "proofs/redundancy/theorems/theorem.hpp"

#include <fmt/format.h>

#include "model/core/errors.hpp"
#include "proofs/certifier/binding.hpp"

namespace schedproof::redundancy {

namespace {

/// What a theorem must say beyond its questions; empty when right.
std::string arithmetic_rejection(const Certificate& certificate) {
    const Theorem& theorem = certificate.theorem;
    const StatementInfo& what = statement(theorem.statement);
    if (!has_bound(what) && theorem.bound.sign() != 0) return "the statement has no bound";
    if (what.inputs == Inputs::none && name(theorem.shape) != name(Shape{})) return "the statement has no shape";
    const std::vector<proof::PolynomialLemma> all = lemmas(what);
    if (all.size() != certificate.lemmas.size()) return "there is not one identity per lemma";
    for (std::size_t i = 0; i < all.size(); ++i)
        if (std::string wrong = proof::rejection(all[i], certificate.lemmas[i]); !wrong.empty()) return wrong;
    return "";
}

/// For which problems.
std::string inputs_of(const StatementInfo& what, const Shape& shape) {
    switch (what.inputs) {
        case Inputs::jobs:
        case Inputs::game:
            return fmt::format("With {} of service {}{}, for all arrivals and all sizes > 0: ", describe(shape),
                               shape.service.to_string(), shape.beta ? ", beta = " + shape.beta->to_string() : "");
        case Inputs::sorted:
        case Inputs::steps:
            return fmt::format("With at most {}, for all sizes > 0: ", describe(shape));
        case Inputs::state:
            return fmt::format("With at most {}, beta = {}, any service and its peak rate Delta >= 1: ",
                               describe(shape), shape.beta->to_string());
        case Inputs::none:
            break;
    }
    return "";
}

}  // namespace

std::vector<explore::Question> questions(const std::string& policy, const Theorem& theorem) {
    return questions(statement(theorem.statement), policy, theorem.shape, theorem.bound);
}

std::string sentence(const Certificate& certificate) {
    const Theorem& theorem = certificate.theorem;
    const StatementInfo& what = statement(theorem.statement);
    return inputs_of(what, theorem.shape) + fmt::format(fmt::runtime(what.sentence), certificate.policy,
                                                        theorem.bound.to_string(), theorem.shape.speed.to_string());
}

std::string rejection(const Certificate& certificate) {
    const std::vector<explore::Question> all = questions(certificate.policy, certificate.theorem);
    if (std::string wrong = arithmetic_rejection(certificate); !wrong.empty()) return wrong;
    return certify::rejection(all, certificate.proofs);
}

}  // namespace schedproof::redundancy
