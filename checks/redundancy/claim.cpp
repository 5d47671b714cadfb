#include "checks/redundancy/claim.hpp"

#include "model/core/errors.hpp"
#include "proofs/redundancy/theorem_proof.hpp"

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
    std::vector<Instance> all{at_once, in_turn};
    for (Instance fast : {at_once, in_turn}) {
        fast.speed = Rational(5);
        all.push_back(std::move(fast));
    }
    return all;
}

InstanceViolation judged(RunJudge judge) {
    return [judge = std::move(judge)](const std::string& policy, const Instance& instance) {
        return judge(make_policy(policy, instance.beta), instance.problem, instance.speed);
    };
}

namespace {

std::variant<Certificate, Instance, std::string> settle(const std::string& policy, const Theorem& theorem,
                                                        const explore::Budget& budget) {
    TheoremProof found = prove(policy, theorem, budget);
    if (auto* certificate = std::get_if<Certificate>(&found.result)) return std::move(*certificate);
    if (auto* ended = std::get_if<explore::Ended>(&found.result)) return std::move(ended->reason);
    auto& refuted = std::get<redundancy::Refuted>(found.result);
    if (!refuted.problem) return "fails, though not at an instance: " + refuted.question;
    return unnamed(theorem.shape, std::move(*refuted.problem));
}

}  // namespace

RedundancyOracle explored_theorem(std::string statement, Rational bound) {
    return explored<RedundancyFamily>([=](const RedundancyTrial& trial, const Shape& shape, const auto& budget) {
        return settle(trial.policy, {statement, shape, bound}, budget);
    });
}

}  // namespace schedproof::checks
