/// The redundancy family: jobs that may run copies. What the words of checks/core/family_claim.hpp mean here.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/core/family_claim.hpp"
#include "checks/core/shrink.hpp"
#include "checks/redundancy/properties/properties.hpp"
#include "model/redundancy/instance.hpp"
#include "policies/redundancy/registry.hpp"
#include "proofs/redundancy/theorems/theorem.hpp"

namespace schedproof::checks {

/// A case is a problem with the speed of the policy and, for LAPS, its beta; so the system under test makes the policy
/// for each case.
struct RedundancyFamily {
    static constexpr std::string_view id = "redundancy";
    static constexpr std::string_view strongest_oracle = "explore";
    static constexpr std::size_t shrink_limit = 2'000;

    using Case = redundancy::Instance;
    using Shape = redundancy::Shape;  ///< all arrivals and sizes of a number of jobs
    using Policy = std::function<PolicyUnderTest(const Case&)>;
    using System = Policy;
    using Certificate = redundancy::Certificate;

    [[nodiscard]] static std::vector<PolicyEntry> policies();
    [[nodiscard]] static std::string resolve_policy(std::string_view name);
    /// Throws InputError when there is no such policy.
    [[nodiscard]] static System system(const std::string& policy, const ProblemDomain<RedundancyFamily>& domain);
    /// As registered, with the case's beta.
    [[nodiscard]] static Policy policy(const std::string& name, const Case&);

    /// The named domains: shapes as `n4-m2-det`, grids, random instances and witnesses.
    /// Throws InputError for an unknown name.
    [[nodiscard]] static ProblemDomainPtr<RedundancyFamily> instance(const std::string& name);
    [[nodiscard]] static ProblemDomain<RedundancyFamily> domain_of(const Case& one);
    /// Jobs of sizes 1, 2, ... at once, and one after another; at speed 1, and at 5, which every theorem speaks of.
    [[nodiscard]] static std::vector<Case> samples(const Shape& shape);
    static bool smaller(const Case& from, const std::string& policy, const Take<RedundancyFamily>& take);
    [[nodiscard]] static std::string describe(const Case& one, const std::string&) { return one.name; }

    [[nodiscard]] static std::vector<Claim> claims();
    [[nodiscard]] static std::string refusal(const std::string& policy);
};

using RedundancyDomain = ProblemDomain<RedundancyFamily>;
using RedundancyTrial = Trial<RedundancyFamily>;
using RedundancyOracle = TrialOracle<RedundancyFamily>;

}  // namespace schedproof::checks
