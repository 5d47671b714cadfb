/// Claims of the sharing family: a policy on a domain of cases, judged on one case by exact computation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "checks/core/judged_claim.hpp"
#include "checks/sharing/case.hpp"
#include "checks/sharing/outside.hpp"
#include "checks/sharing/simulation.hpp"

namespace schedproof::checks {

/// What the words of judged_claim.hpp mean here. A case brings the parameters of the policy, so what is judged is a
/// policy's id. A shape is random courses of a scenario: nothing is proved of them, they are simulated.
struct SharingFamily {
    using Case = SharingCase;
    using Shape = Scenario;
    using Policy = std::string;
    using Counterexample = SharingCounterexample;
    /// Throws InputError when there is no such policy.
    [[nodiscard]] static Policy policy(const std::string& id);
    [[nodiscard]] static Counterexample counterexample(const Case& found, const std::string& policy) {
        return {std::make_shared<const Case>(found), policy, ""};
    }
    /// One job of the scenario's tasks on its nodes.
    [[nodiscard]] static std::vector<Case> samples(const Shape& shape);
};

using SharingDomain = ProblemDomain<SharingFamily>;
using SharingDomainPtr = std::shared_ptr<const SharingDomain>;
using SharingTrial = Trial<SharingFamily>;
using SharingOracle = TrialOracle<SharingFamily>;
using SharingViolation = CaseViolation<SharingFamily>;
struct SharingClaim : JudgedClaim<SharingFamily> {
    SharingPart part = SharingPart::offer;  ///< of a case, that the claim looks at
};

/// The named ones: grids, random states and courses, the scenario `backlog`, and named cases.
/// Throws InputError for an unknown name.
[[nodiscard]] SharingDomainPtr named_sharing_domain(const std::string& name);

/// A case that is known to show something.
struct SharingWitness {
    std::string_view name, source, shows;
    SharingCase found;
};
[[nodiscard]] std::vector<SharingWitness> sharing_witnesses();

/// `test(policy id, scenario, seed, replications)`, how the test fails, on the scenario of a shape: Survived, or
/// Unknown with what failed. Never more, and no refutation: a simulated course is no counterexample.
using SimulationTest =
    std::function<std::string(const std::string&, const Scenario&, std::uint64_t seed, std::uint64_t replications)>;
[[nodiscard]] SharingOracle simulated(SimulationTest test);
/// Replications of a simulated test.
inline constexpr std::uint64_t sharing_replications = 30;

}  // namespace schedproof::checks
