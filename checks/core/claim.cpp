#include "checks/core/claim.hpp"

#include <array>

#include "checks/queueing/instances.hpp"

namespace schedproof::checks {

std::string_view to_string(Expectation expectation) {
    constexpr std::array<std::string_view, 3> names{"holds", "fails", "open"};
    return names[static_cast<std::size_t>(expectation)];
}

const std::string& name_of(const AnyInstance& instance) {
    if (const auto* queueing = std::get_if<InstancePtr>(&instance)) return (*queueing)->name();
    if (const auto* problems = std::get_if<DomainPtr>(&instance)) return (*problems)->name;
    if (const auto* redundancy = std::get_if<RedundancyDomainPtr>(&instance)) return (*redundancy)->name;
    return std::get<SharingDomainPtr>(instance)->name;
}

std::vector<std::string> Claim::oracles() const {
    std::vector<std::string> names;
    std::visit(
        [&](const auto& claim) {
            for (const auto& oracle : claim.oracles) names.push_back(oracle.name);
        },
        asked);
    return names;
}

AnyInstance Claim::instance(const std::string& name) const {
    if (std::holds_alternative<QueueingClaim>(asked)) return named_instance(name);
    if (std::holds_alternative<AssignmentClaim>(asked)) return named_domain(name);
    if (std::holds_alternative<RedundancyClaim>(asked)) return named_redundancy_domain(name);
    return named_sharing_domain(name);
}

std::string Claim::outside(const AnyInstance& instance) const {
    if (instance.index() != asked.index()) return "a claim about the " + std::string(family_name()) + " family";
    const auto* claim = std::get_if<QueueingClaim>(&asked);
    return claim ? claim->outside(*std::get<InstancePtr>(instance)) : "";
}

}  // namespace schedproof::checks
