/// The sharing family: jobs that share a cluster's slots. What the words of checks/core/family_claim.hpp mean here.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "checks/core/family_claim.hpp"
#include "checks/core/shrink.hpp"
#include "checks/sharing/case.hpp"
#include "checks/sharing/misfit.hpp"
#include "checks/sharing/policy_under_test.hpp"
#include "checks/sharing/simulation.hpp"
#include "proofs/sharing/theorems/theorem.hpp"

namespace schedproof::checks {

/// All moments of every cluster with up to so many jobs (proofs/sharing/theorems/moment.hpp), for theorems.
struct Moments {
    std::size_t most = 1;
};

/// A case brings the parameters of the policy, so the system under test makes the policy for each case. A shape is all
/// moments, or random trajectories of a scenario: nothing is proved of these, they are simulated.
struct SharingFamily {
    static constexpr std::string_view id = "sharing";
    /// Most claims of this family are about whole trajectories, or laws: these are exhausted on grids.
    static constexpr std::string_view strongest_oracle = "explore";
    static constexpr std::size_t shrink_limit = 2'000;

    using Case = SharingCase;
    using Shape = std::variant<Moments, Scenario>;
    using Certificate = sharing::Certificate;
    using Policy = std::function<SharingPolicyUnderTest(const Case&)>;
    using System = Policy;

    [[nodiscard]] static std::vector<PolicyEntry> policies();
    [[nodiscard]] static std::string resolve_policy(std::string_view name);
    /// Throws InputError when there is no such policy.
    [[nodiscard]] static System system(const std::string& policy, const ProblemDomain<SharingFamily>& domain);
    /// As registered, with the case's parameters.
    [[nodiscard]] static Policy policy(const std::string& name, const Case&);

    /// The named domains: grids, random states and trajectories, the scenario `backlog`, and named cases.
    /// Throws InputError for an unknown name.
    [[nodiscard]] static ProblemDomainPtr<SharingFamily> instance(const std::string& name);
    [[nodiscard]] static ProblemDomain<SharingFamily> domain_of(const Case& one);
    /// Of a scenario, one job of its tasks on its nodes; of moments, random states.
    [[nodiscard]] static std::vector<Case> samples(const Shape& shape);
    static bool smaller(const Case& from, const std::string& policy, const Take<SharingFamily>& take);
    [[nodiscard]] static std::string describe(const Case& one, const std::string&) { return checks::describe(one); }

    [[nodiscard]] static std::vector<Claim> claims();
    [[nodiscard]] static std::string refusal(const std::string& policy);
};

using SharingDomain = ProblemDomain<SharingFamily>;
using SharingTrial = Trial<SharingFamily>;
using SharingOracle = TrialOracle<SharingFamily>;

/// A case that is known to show something.
struct SharingWitness {
    std::string_view name, source, shows;
    SharingCase found;
};
[[nodiscard]] std::vector<SharingWitness> sharing_witnesses();

/// Asks the theorem of this name (proofs/sharing/theorems/statements.hpp) about the code of the system, at all moments
/// of the domain.
[[nodiscard]] SharingOracle explored_theorem(const std::string& statement);

/// `test(policy id, scenario, seed, replications)`, how the test fails, on the scenario of a shape: Survived, or
/// Unknown with what failed. Never more, and no refutation: a simulated trajectory is no counterexample.
using SimulationTest =
    std::function<std::string(const std::string&, const Scenario&, std::uint64_t seed, std::uint64_t replications)>;
[[nodiscard]] SharingOracle simulated(SimulationTest test);
/// Replications of a simulated test.
inline constexpr std::uint64_t sharing_replications = 30;

}  // namespace schedproof::checks
