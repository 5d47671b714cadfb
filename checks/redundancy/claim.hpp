/// Claims of the redundancy family: a policy on a domain of instances, judged on one instance by exact computation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "checks/core/judged_claim.hpp"
#include "policies/redundancy/registry.hpp"
#include "proofs/redundancy/theorems/theorem.hpp"

namespace schedproof::checks {

/// What the words of judged_claim.hpp mean here. A case is a problem with the speed of the policy and, for LAPS, its
/// beta; so what is judged is a policy's id, which the case's beta makes a policy.
struct RedundancyFamily {
    using Case = redundancy::Instance;
    using Shape = redundancy::Shape;  ///< all arrivals and sizes of a number of jobs
    using Policy = std::string;
    using Counterexample = RedundancyCounterexample;
    using Certificate = redundancy::Certificate;
    /// Throws InputError when there is no such policy.
    [[nodiscard]] static Policy policy(const std::string& id);
    [[nodiscard]] static Counterexample counterexample(const Case& instance, const std::string& policy) {
        return {std::make_shared<const Case>(instance), policy, ""};
    }
    /// Jobs of sizes 1, 2, ... at once, and one after another; at speed 1, and at 5, which every theorem speaks of.
    [[nodiscard]] static std::vector<Case> samples(const Shape& shape);
};

using RedundancyDomain = ProblemDomain<RedundancyFamily>;
using RedundancyDomainPtr = std::shared_ptr<const RedundancyDomain>;
using RedundancyTrial = Trial<RedundancyFamily>;
using RedundancyOracle = TrialOracle<RedundancyFamily>;
using InstanceViolation = CaseViolation<RedundancyFamily>;
struct RedundancyClaim : JudgedClaim<RedundancyFamily> {};

/// The named ones: shapes as `n4-m2-det`, grids, random instances and witnesses by name.
/// Throws InputError for an unknown name.
[[nodiscard]] RedundancyDomainPtr named_redundancy_domain(const std::string& name);

/// How a policy fails on a problem at a speed; empty when it does not.
using RunJudge = std::function<std::string(const redundancy::AnyPolicy&, const redundancy::Problem<Rational>&,
                                           const Rational& speed)>;
/// The judge on the policy of an id with the instance's beta, at the instance's speed.
[[nodiscard]] InstanceViolation judged(RunJudge judge);

/// Asks the theorem `statement` of the policy for all inputs of the domain's shape.
[[nodiscard]] RedundancyOracle explored_theorem(std::string statement, Rational bound = Rational(0));

}  // namespace schedproof::checks
