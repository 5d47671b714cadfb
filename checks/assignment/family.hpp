/// The assignment family: tasks to be mapped to cores. What the words of checks/core/family_claim.hpp mean here.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/assignment/exhaustive.hpp"
#include "checks/assignment/two_phase_policy.hpp"
#include "checks/core/family_claim.hpp"
#include "checks/core/shrink.hpp"
#include "policies/assignment/registry.hpp"
#include "proofs/assignment/theorems/theorem.hpp"

namespace schedproof::checks {

/// A policy, with what a mutant does in another way.
struct AssignmentPolicyUnderTest {
    std::string id;  ///< in the registry
    assignment::AnyPolicy policy;
    // Mutants only.
    std::optional<TwoPhasePolicy> facts = {};  ///< of DynDLOff, where they are not those of `policy`
    std::function<void(assignment::ScheduleResult<Rational>&)> spoil = {};  ///< what is done to its outcomes

    /// Throws InputError for an unknown policy.
    explicit AssignmentPolicyUnderTest(std::string registered)
        : id(std::move(registered)), policy(assignment::make_policy(id)) {}
    operator const assignment::AnyPolicy&() const { return policy; }  // NOLINT: premises ask it

    /// What `fails` says of the first outcome of which it says something, whatever the policy draws; by the code under
    /// test. Throws LimitExceeded when its draws have too many outcomes.
    [[nodiscard]] std::string violation(
        const AssignmentProblem& problem,
        const std::function<std::string(const assignment::ScheduleResult<Rational>&)>& fails) const;
    /// Its parts, when it is DynDLOff in some interpretation.
    [[nodiscard]] std::optional<TwoPhasePolicy> two_phases() const;
};

struct AssignmentFamily {
    static constexpr std::string_view id = "assignment";
    static constexpr std::string_view strongest_oracle = "explore";
    static constexpr std::size_t shrink_limit = 20'000;

    using Case = AssignmentProblem;
    using Shape = assignment::Family;  ///< all loads, and perhaps all costs, of a shape
    using Policy = AssignmentPolicyUnderTest;
    using System = AssignmentPolicyUnderTest;
    using Certificate = assignment::Certificate;

    [[nodiscard]] static std::vector<PolicyEntry> policies();
    [[nodiscard]] static std::string resolve_policy(std::string_view name);
    [[nodiscard]] static System system(const std::string& policy, const ProblemDomain<AssignmentFamily>&) {
        return System(policy);
    }
    [[nodiscard]] static Policy policy(const std::string& name, const Case&) { return Policy(name); }

    /// The named domains: shapes as `2,1:0/01` (cores per server; replica sets per task), `grid`, `random`, and
    /// problems by name. Throws InputError for an unknown name.
    [[nodiscard]] static ProblemDomainPtr<AssignmentFamily> instance(const std::string& name);
    [[nodiscard]] static ProblemDomain<AssignmentFamily> domain_of(const Case& one);
    /// Loads with one core idle, and all others busy for long.
    [[nodiscard]] static std::vector<Case> samples(const Shape& shape);
    static bool smaller(const Case& from, const std::string& policy, const Take<AssignmentFamily>& take);
    [[nodiscard]] static std::string describe(const Case& one, const std::string& policy);

    [[nodiscard]] static std::vector<Claim> claims();
    [[nodiscard]] static std::string refusal(const std::string& policy);
};

using AssignmentDomain = ProblemDomain<AssignmentFamily>;
using Scheduling = Trial<AssignmentFamily>;
using AssignmentOracle = TrialOracle<AssignmentFamily>;

}  // namespace schedproof::checks
