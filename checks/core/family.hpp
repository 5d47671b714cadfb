/// A family of problems and policies, as drivers see it.
///
/// A family brings a registry of policies, named instances, and claims with their oracles, properties, reference model,
/// mutants, generators and shrinker. What it must say of itself is a traits struct F (family_claim.hpp), from which
/// FamilyOf<F> makes this interface; experiments/command/families adds how its problems are read from and written to
/// files. Every driver (check, mutants, bundles, replay, list, show) knows families by these interfaces only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/core/domain.hpp"

namespace schedproof::checks {

struct Claim;

struct PolicyEntry {
    std::string_view id;
    std::string_view summary;
    std::string_view source;
};

class Family {
  public:
    virtual ~Family() = default;
    /// What ids of its claims begin with, and the value of `family` in its instance files.
    [[nodiscard]] virtual std::string_view id() const = 0;
    /// Its registry, in its order.
    [[nodiscard]] virtual std::vector<PolicyEntry> policies() const = 0;
    /// The id that a name stands for; empty when there is no such policy.
    [[nodiscard]] virtual std::string resolve_policy(std::string_view name) const = 0;
    /// The instance, or set of problems, that a claim names. Throws InputError for an unknown name.
    [[nodiscard]] virtual DomainPtr instance(const std::string& name) const = 0;
    [[nodiscard]] virtual std::vector<Claim> claims() const = 0;
    /// The oracle that settles a claim about every policy of the family.
    [[nodiscard]] virtual std::string_view strongest_oracle() const = 0;
    /// Why nothing may be said of the policy, because ways of running it disagree (agreement.hpp); empty when they
    /// agree. Requires the id of a policy.
    [[nodiscard]] virtual std::string refusal(const std::string& policy) const = 0;
};

}  // namespace schedproof::checks
