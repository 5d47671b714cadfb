#include "proofs/assignment/theorems/theorem.hpp"

#include <fmt/format.h>

#include "model/core/errors.hpp"
#include "proofs/assignment/theorems/system_under_test.hpp"
#include "proofs/certifier/binding.hpp"

namespace schedproof::assignment {

namespace {

/// Why the statement is not one about the policy of this id; empty when it is. One about all assignments goes with the
/// policy whose Phase I makes some.
std::string misplaced(const StatementInfo& statement, std::string_view policy) {
    const bool about = statement.sentence.find("{0}") != std::string_view::npos;
    return about || policy == DynDlOff::info.id ? "" : "the statement is about no policy but that of Phase I";
}

/// What a theorem must say beyond its questions; empty when right.
std::string arithmetic_rejection(const Certificate& certificate) {
    const Theorem& theorem = certificate.theorem;
    if (resolve_policy(certificate.policy) != certificate.policy) return "the policy is not named by its id";
    const StatementInfo& what = statement(theorem.statement);
    if (std::string wrong = misplaced(what, certificate.policy); !wrong.empty()) return wrong;
    const bool bounded = what.sentence.find("{1}") != std::string_view::npos;
    if (!bounded && theorem.bound.sign() != 0) return "the statement has no bound";
    if (theorem.family.cost)
        if (std::string wrong = fault(*theorem.family.cost, Rational(1)); !wrong.empty()) return wrong;
    return "";
}

}  // namespace

std::vector<explore::Question> questions(const std::string& policy, const Theorem& theorem) {
    const StatementInfo& what = statement(theorem.statement);
    if (std::string wrong = misplaced(what, policy); !wrong.empty())
        throw InputError::at_key("policy", "expected dyndloff: " + wrong);
    const auto body = [&what, policy = make_policy(policy), theorem](const std::vector<explore::Affine>& symbols) {
        return forbidden(what, policy, problem(theorem.family, symbols, what.costs, what.deadline), theorem.bound);
    };
    return {{theorem.statement, space(theorem.family, what.costs, what.deadline), body}};
}

std::string sentence(const Certificate& certificate) {
    const Theorem& theorem = certificate.theorem;
    const StatementInfo& what = statement(theorem.statement);
    std::string symbols = "for all initial loads >= 0";
    if (theorem.family.cost) {
        symbols += " and with costs of remote tasks " + describe(*theorem.family.cost);
    } else if (what.costs) {
        symbols += " and all costs of remote tasks 1 < g(1) <= g(2) <= ... of each server";
    }
    if (what.deadline) symbols += " and all deadlines d";
    return fmt::format(
        "On {}, {}: {}", describe(*theorem.family.shape), symbols,
        fmt::format(fmt::runtime(what.sentence), certificate.policy + parameters_text(make_policy(certificate.policy)),
                    theorem.bound.to_string()));
}

std::string rejection(const Certificate& certificate) {
    if (std::string wrong = arithmetic_rejection(certificate); !wrong.empty()) return wrong;
    return certify::rejection(questions(certificate.policy, certificate.theorem), certificate.proofs);
}

}  // namespace schedproof::assignment
