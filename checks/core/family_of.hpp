/// The interfaces that drivers use, made from a family's traits: see family_claim.hpp for its words.
///
/// Include it where claims are handed to drivers: in the files that build them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/core/family_claim.hpp"
#include "checks/core/property_oracles.hpp"
#include "checks/core/shrink.hpp"

namespace schedproof::checks {

template <class F>
class FamilyOf final : public Family {
  public:
    [[nodiscard]] std::string_view id() const override { return F::id; }
    [[nodiscard]] std::vector<PolicyEntry> policies() const override { return F::policies(); }
    [[nodiscard]] std::string resolve_policy(std::string_view name) const override { return F::resolve_policy(name); }
    [[nodiscard]] DomainPtr instance(const std::string& name) const override { return F::instance(name); }
    [[nodiscard]] std::vector<Claim> claims() const override { return F::claims(); }
    [[nodiscard]] std::string_view strongest_oracle() const override { return F::strongest_oracle; }
    [[nodiscard]] std::string refusal(const std::string& policy) const override {
        if constexpr (requires { F::refusal(policy); })
            return F::refusal(policy);
        else
            return {};
    }
};
/// The one object for the family.
template <class F>
[[nodiscard]] const Family& family_of() {
    static const FamilyOf<F> family;
    return family;
}

template <class F>
class TrialOf final : public AnyTrial {
  public:
    TrialOf(const FamilyClaim<F>& claim, Trial<F> trial) : claim_(claim), trial_(std::move(trial)) {}
    [[nodiscard]] std::string witness() const override { return claim_.witness(trial_); }
    [[nodiscard]] Verdict ask(std::size_t oracle, const Settings& settings) const override {
        return consult(claim_, claim_.oracles[oracle], trial_, settings);
    }
    [[nodiscard]] Verdict ask_without_property(std::size_t oracle, const Settings& settings) const override {
        return consult(always_holds<F>(), claim_.oracles[oracle], trial_, settings);
    }

  private:
    const FamilyClaim<F>& claim_;
    Trial<F> trial_;
};

template <class F>
class AnyClaimOf final : public AnyClaim {
  public:
    explicit AnyClaimOf(FamilyClaim<F> claim) : claim_(std::move(claim)) {}
    [[nodiscard]] const FamilyClaim<F>& claim() const { return claim_; }

    [[nodiscard]] const Family& family() const override { return family_of<F>(); }
    [[nodiscard]] std::vector<std::string> oracles() const override {
        std::vector<std::string> names;
        for (const auto& oracle : claim_.oracles) names.push_back(oracle.name);
        return names;
    }
    [[nodiscard]] bool suits(std::size_t oracle, const Domain& domain) const override {
        const auto& own = claim_.oracles[oracle];
        return !own.suits || own.suits(dynamic_cast<const ProblemDomain<F>&>(domain));
    }
    [[nodiscard]] std::string outside(const Domain& domain) const override {
        const auto* own = dynamic_cast<const ProblemDomain<F>*>(&domain);
        if (!own) return "a claim about the " + std::string(F::id) + " family";
        return claim_.outside ? claim_.outside(*own) : "";
    }
    [[nodiscard]] std::unique_ptr<AnyTrial> trial(const DomainPtr& domain, const std::string& policy) const override {
        return std::make_unique<TrialOf<F>>(
            claim_, trial_of<F>(std::dynamic_pointer_cast<const ProblemDomain<F>>(domain), policy));
    }
    [[nodiscard]] bool of_no_problem() const override { return claim_.of_no_problem; }
    [[nodiscard]] std::vector<Mutant> mutant_systems() const override {
        std::vector<Mutant> all;
        for (const MutantSystem<F>& mutant : claim_.mutant_systems)
            all.push_back({mutant.name, mutant.change, mutant.oracle, {}});
        return all;
    }
    [[nodiscard]] Verdict ask_mutant(std::size_t which, bool with_property, const Settings& settings) const override {
        const MutantSystem<F>& mutant = claim_.mutant_systems[which];
        return consult(with_property ? claim_.property : always_holds<F>(), oracle_named(mutant.oracle), mutant.trial(),
                       settings);
    }
    [[nodiscard]] std::string violation(const Counterexample& found) const override {
        const auto& problem = case_of<F>(found);
        return claim_.property(F::policy(found.policy, problem), problem).text;
    }
    [[nodiscard]] std::optional<Misfit> misfit(const Counterexample& found) const override {
        return claim_.misfit ? claim_.misfit(case_of<F>(found), found.policy) : std::nullopt;
    }
    [[nodiscard]] std::string describe(const Counterexample& found) const override {
        return F::describe(case_of<F>(found), found.policy);
    }
    [[nodiscard]] std::vector<Picture> pictures(const Counterexample& found,
                                                const std::vector<std::string>& title) const override {
        const auto& problem = case_of<F>(found);
        if (!claim_.pictures) return {};
        return claim_.pictures(F::policy(found.policy, problem), problem, title);
    }
    [[nodiscard]] Shrunk shrink(Counterexample found, std::optional<std::size_t> limit) const override {
        const auto complaint = [&](const typename F::Case& problem) -> Violation {
            if (claim_.outside && !claim_.outside(F::domain_of(problem)).empty()) return {};
            return claim_.property(F::policy(found.policy, problem), problem);
        };
        ShrunkCase<F> shrunk =
            checks::shrink<F>(case_of<F>(found), found.policy, complaint, limit.value_or(F::shrink_limit));
        Violation violation = complaint(shrunk.problem);
        Counterexample smaller = counterexample<F>(std::move(shrunk.problem), found.policy, std::move(violation.text));
        smaller.kind = std::move(violation.kind);
        return {std::move(smaller), shrunk.tried, shrunk.minimal};
    }

  private:
    /// Of the claim's oracles, or one of those that ask a property alone.
    [[nodiscard]] TrialOracle<F> oracle_named(const std::string& name) const {
        for (const TrialOracle<F>& oracle : claim_.oracles)
            if (oracle.name == name) return oracle;
        require(name == "exhaustive" || name == "sampled", "an oracle of the claim");
        return name == "exhaustive" ? exhaustive<F>() : sampled<F>();
    }

    FamilyClaim<F> claim_;
};

template <class F>
std::shared_ptr<const AnyClaim> any_claim(FamilyClaim<F> claim) {
    return std::make_shared<const AnyClaimOf<F>>(std::move(claim));
}

/// The claim in terms of its family's problems. Requires a claim of the family F.
template <class F>
[[nodiscard]] const FamilyClaim<F>& claim_of(const Claim& claim) {
    return dynamic_cast<const AnyClaimOf<F>&>(*claim.any).claim();
}

}  // namespace schedproof::checks
