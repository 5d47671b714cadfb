#include "checks/claims/redundancy_claim.hpp"

#include "model/core/errors.hpp"
#include "proofs/explore/ask.hpp"
#include "proofs/explore/polynomial_search.hpp"
#include "proofs/redundancy/counterexample.hpp"

namespace schedproof::checks {

using namespace redundancy;

std::string RedundancyFamily::policy(const std::string& id) {
    if (resolve_policy(id).empty())
        throw InputError({"", 0, "policy"}, "expected a policy of the redundancy family, not '" + id + "'");
    return id;
}

namespace {

/// A problem of a shape, in units in which its policy has speed 1.
Instance unnamed(const Shape& shape, Problem<Rational> problem) {
    Instance instance;
    instance.name = name(shape);
    instance.problem = std::move(problem);
    if (shape.beta) instance.beta = *shape.beta;
    return instance;
}

}  // namespace

std::vector<Instance> RedundancyFamily::samples(const Shape& shape) {
    Instance at_once = unnamed(shape, {shape.machines, shape.service, {}});
    Instance in_turn = at_once;
    for (std::size_t j = 0; j < shape.jobs; ++j) {
        at_once.problem.jobs.push_back({0, j + 1});
        in_turn.problem.jobs.push_back({j, j + 1});
    }
    return {at_once, in_turn};
}

InstanceViolation judged(RunJudge judge) {
    return [judge = std::move(judge)](const std::string& policy, const Instance& instance) {
        return judge(make_policy(policy, instance.beta), instance.problem, instance.speed);
    };
}

namespace {

std::variant<Certificate, Instance, std::string> prove(const std::string& policy, const Theorem& theorem,
                                                       const explore::Budget& budget) {
    const StatementInfo& what = statement(theorem.statement);
    Certificate certificate{policy, theorem, {}, {}};
    for (const explore::Question& question : questions(policy, theorem)) {
        explore::Reply reply = explore::ask(question, budget);
        if (const auto* point = std::get_if<explore::Counterpoint>(&reply.result)) {
            auto problem = counterexample(what, theorem.shape, theorem.bound, question.space, *point);
            if (!problem) return "fails at a state that is no instance: " + question.name;
            return unnamed(theorem.shape, std::move(*problem));
        }
        if (auto* ended = std::get_if<explore::Ended>(&reply.result)) return std::move(ended->reason);
        certificate.proofs.push_back(std::get<proof::ExploredProof>(std::move(reply.result)));
    }
    for (const proof::PolynomialLemma& lemma : lemmas(what)) {
        auto identity = explore::prove(lemma);
        if (!identity) return "no identity found for " + lemma.name;
        certificate.lemmas.push_back(std::move(*identity));
    }
    return certificate;
}

}  // namespace

RedundancyOracle explored_theorem(std::string statement, Rational bound) {
    return explored<RedundancyFamily>([=](const RedundancyTrial& trial, const Shape& shape, const auto& budget) {
        return prove(trial.policy, {statement, shape, bound}, budget);
    });
}

}  // namespace schedproof::checks
