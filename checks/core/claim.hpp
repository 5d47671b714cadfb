/// Claims: statements of papers, and of this project, that can be checked.
///
/// A claim says something of every policy on its lines, on a family of instances. Its oracles each try to settle it in
/// a way of their own; its violation judges one case exactly, without a solver, and every refutation goes through it.
/// Mutants are seeded faults that an oracle of the claim must catch: a check that cannot fail is a defect.
/// The witness shows that what the claim assumes does happen: no vacuous green.
/// What an instance, a case and a policy are is the family's business: queueing_claim.hpp, assignment_claim.hpp,
/// redundancy_claim.hpp, sharing_claim.hpp.
#pragma once

#include <string>
#include <variant>

#include "checks/assignment/claim.hpp"
#include "checks/queueing/claim.hpp"
#include "checks/redundancy/claim.hpp"
#include "checks/sharing/claim.hpp"

namespace schedproof::checks {

using AnyInstance = std::variant<InstancePtr, DomainPtr, RedundancyDomainPtr, SharingDomainPtr>;
[[nodiscard]] const std::string& name_of(const AnyInstance& instance);

struct Claim : ClaimText {
    Claim(QueueingClaim claim) : ClaimText(claim), asked(std::move(claim)) {}    // NOLINT(google-explicit-constructor)
    Claim(AssignmentClaim claim) : ClaimText(claim), asked(std::move(claim)) {}  // NOLINT(google-explicit-constructor)
    Claim(RedundancyClaim claim) : ClaimText(claim), asked(std::move(claim)) {}  // NOLINT(google-explicit-constructor)

    Claim(SharingClaim claim) : ClaimText(claim), asked(std::move(claim)) {}  // NOLINT(google-explicit-constructor)

    std::variant<QueueingClaim, AssignmentClaim, RedundancyClaim, SharingClaim> asked;

    /// `queueing`, `assignment`, `redundancy` or `sharing`: what the id begins with.
    [[nodiscard]] std::string_view family_name() const { return std::string_view(id).substr(0, id.find('.')); }
    [[nodiscard]] std::vector<std::string> oracles() const;
    /// The instance that a line names. Throws InputError for an unknown name.
    [[nodiscard]] AnyInstance instance(const std::string& name) const;
    /// Why the instance is not of the claim's family; empty when it is.
    [[nodiscard]] std::string outside(const AnyInstance& instance) const;
};

}  // namespace schedproof::checks
