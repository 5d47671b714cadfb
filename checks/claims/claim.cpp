#include "checks/claims/claim.hpp"

#include <array>

#include "checks/claims/instances.hpp"

namespace schedproof::checks {

std::string_view to_string(Expectation expectation) {
    constexpr std::array<std::string_view, 3> names{"holds", "fails", "open"};
    return names[static_cast<std::size_t>(expectation)];
}

const std::string& name_of(const AnyInstance& instance) {
    if (const auto* queueing = std::get_if<InstancePtr>(&instance)) return (*queueing)->name();
    return std::get<DomainPtr>(instance)->name;
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
    return named_domain(name);
}

std::string Claim::outside(const AnyInstance& instance) const {
    const bool queueing = std::holds_alternative<InstancePtr>(instance);
    if (const auto* claim = std::get_if<QueueingClaim>(&asked))
        return queueing ? claim->outside(*std::get<InstancePtr>(instance)) : "a claim about queueing";
    return queueing ? "a claim about assignments" : "";
}

}  // namespace schedproof::checks
