/// What claims about sharing are written with, besides claim_builder.hpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checks/core/claim_builder.hpp"
#include "checks/sharing/family.hpp"
#include "checks/sharing/properties/properties.hpp"

namespace schedproof::checks {

// The groups, each adding its claims to the list.
void add_sharing_offers(std::vector<Claim>& claims);        ///< rules of every sharing policy, offer by offer
void add_sharing_kills(std::vector<Claim>& claims);         ///< who loses a task by killing
void add_sharing_delay(std::vector<Claim>& claims);         ///< locality against D, the rule for D
void add_sharing_trajectories(std::vector<Claim>& claims);  ///< waits, lost work, fair shares, sticky slots

namespace sharing_claims {

using PolicyProperty = std::function<Violation(const SharingPolicyUnderTest&, const SharingCase&)>;
/// Changes a case before the property is decided: parameters that the claim fixes.
using Fix = std::function<void(SharingCase&)>;

/// A claim `sharing.ID` that looks at that part of every case.
[[nodiscard]] ClaimBuilder<SharingFamily> claim(const std::string& id, SharingPart part);
/// The property of the policy with the case's parameters. A contract that an added policy breaks is a violation.
[[nodiscard]] Property<SharingFamily> of_policy(PolicyProperty property, Fix fix = {});

/// A mutant of a policy for a case.
using MakeMutant = std::function<SharingPolicyUnderTest(const SharingCase&)>;
struct PolicyMutant {
    std::string name;
    std::string change;
    std::string domain;  ///< some case of which must show it
    MakeMutant policy;
};
[[nodiscard]] MutantSystem<SharingFamily> policy_mutant(PolicyMutant mutant);
/// A mutant with the case's parameters, under the id of another.
template <class MakePolicy>
[[nodiscard]] MakeMutant mutant_policy(std::string id, MakePolicy make) {
    return [id = std::move(id), make](const SharingCase& c) {
        return policy_under_test(sharing::any_policy(make(c.parameters)), c.parameters, id);
    };
}
/// The policy `other` under the id of another.
[[nodiscard]] MakeMutant another(std::string id, std::string other);
/// The policy with another D than the rule's.
[[nodiscard]] MakeMutant another_rule(std::string id, std::function<std::uint64_t(std::uint64_t)> other);

[[nodiscard]] std::vector<std::string> all_policies();
[[nodiscard]] std::vector<std::string> policies_that_never_kill();
/// The added policies of which the theorem of this name speaks.
[[nodiscard]] std::vector<std::string> added_policies(const std::string& statement);
[[nodiscard]] std::string zaharia(const char* place);

}  // namespace sharing_claims
}  // namespace schedproof::checks
