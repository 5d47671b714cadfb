#include "checks/suite/policy_proofs.hpp"

#include <algorithm>

#include "checks/families.hpp"
#include "checks/queueing/stability_argument.hpp"
#include "model/core/errors.hpp"
#include "policies/queueing/registry.hpp"
#include "proofs/certifier/certificate_codec.hpp"
#include "proofs/queueing/capacity/region.hpp"
#include "proofs/queueing/every_cluster/regret_proof.hpp"
#include "proofs/queueing/theorems/theorem.hpp"

namespace schedproof::suite {

using namespace queueing;

namespace {

checks::Verdict proved(std::shared_ptr<const Instance> instance, const std::string& policy, Theorem theorem,
                       std::vector<proof::ExploredProof> proofs) {
    return checks::proved(Certificate{std::move(instance), policy, std::move(theorem), std::move(proofs)});
}

}  // namespace

StabilityVerdict prove_stability(const std::shared_ptr<const Instance>& instance, const std::string& policy,
                                 const explore::Budget& budget, const checks::StabilityOptions& options) {
    if (checks::Verdict bounded = prove_bounded_regret(policy); checks::affirms(bounded)) {
        const EveryCluster about = about_every_cluster(bounded);
        if (about.covers(*instance)) return {Standing::stable, about.by, {}, std::move(bounded)};
    }
    // Without a planner, as a certificate is checked.
    const AnyPolicy made = make_policy(policy, *instance, no_planner);
    checks::StabilityOutcome outcome =
        checks::settle_stability(SymbolicSystem(*instance, made), ExactSystem(*instance, made), budget, options);
    StabilityVerdict settled{Standing::unknown, outcome.by, outcome.why_not, checks::Unknown{"no argument settles it"}};
    if (!outcome.argument) return settled;
    settled.standing = outcome.transient() ? Standing::transient : Standing::stable;
    settled.verdict = std::visit(
        [&](auto& proof) { return proved(instance, policy, std::move(proof.theorem), std::move(proof.proofs)); },
        *outcome.argument);
    return settled;
}

checks::Verdict prove_bounded_regret(const std::string& policy) {
    const Rules* rules = find_rules(resolve_policy(policy));
    const auto regret = bounded_regret(rules != nullptr ? *rules : make_policy(policy).rules());
    if (const auto* why_not = std::get_if<std::string>(&regret)) return checks::Unknown{*why_not};
    return proved(nullptr, policy, std::get<RegretTheorem>(regret), {});
}

checks::Verdict prove_every_cluster(const std::string& policy, std::size_t levels, const explore::Budget& budget) {
    checks::Verdict bounded = prove_bounded_regret(policy);
    if (about_every_cluster(bounded).optimal) return bounded;
    UniformOutcome outcome = prove_uniform(ParametricPolicy::registered(policy), levels, budget);
    if (auto* proof = std::get_if<UniformProof>(&outcome))
        return proved(nullptr, policy, std::move(proof->theorem), std::move(proof->proofs));
    if (const auto* failure = std::get_if<LeafFailure>(&outcome))
        return checks::Unknown{"the drift argument fails, which says nothing about stability: " + failure->decision};
    return checks::Unknown{std::get<UniformUnknown>(outcome).reason};
}

EveryCluster about_every_cluster(const checks::Verdict& verdict) {
    const auto* known = std::get_if<checks::Proved>(&verdict);
    const auto* certificate = known == nullptr ? nullptr : known->certificate->as<Certificate>();
    if (certificate == nullptr) return {};
    if (const auto* regret = std::get_if<RegretTheorem>(&certificate->theorem))
        return {"bounded regret", regret->throughput_optimal(),
                [regret = *regret](const Instance& instance) { return queueing::covers(regret, instance); }};
    const auto* uniform = std::get_if<UniformTheorem>(&certificate->theorem);
    if (uniform == nullptr) return {};
    return {"the MaxWeight drift argument", true, [levels = uniform->levels](const Instance& instance) {
                return !instance.continuous() && !instance.rates_by_type() && !instance.rates_at_servers() &&
                       instance.levels().size() == levels && instance.options() == Options{} &&
                       capacity::solve(instance).upper < Rational(1);
            }};
}

checks::Verdict prove_mean(const std::shared_ptr<const Instance>& instance, const std::string& policy,
                           const MeanGoal& goal, const explore::Budget& budget) {
    const AnyPolicy made = make_policy(policy, *instance, no_planner);
    MeanOutcome outcome =
        queueing::prove_mean(SymbolicSystem(*instance, made), ExactSystem(*instance, made), goal, budget);
    if (auto* proof = std::get_if<MeanProof>(&outcome))
        return proved(instance, policy, std::move(proof->theorem), std::move(proof->proofs));
    return checks::Unknown{std::get<MeanUnknown>(outcome).reason};
}

const MeanTheorem* mean_of(const checks::Verdict& verdict) {
    const auto* proved = std::get_if<checks::Proved>(&verdict);
    const auto* certificate = proved == nullptr ? nullptr : proved->certificate->as<Certificate>();
    return certificate == nullptr ? nullptr : std::get_if<MeanTheorem>(&certificate->theorem);
}

checks::Verdict prove_claim(const std::string& claim, const std::string& policy, const std::string& instance,
                            const std::string& oracle, const explore::Budget& budget) {
    const checks::Claim found = checks::claim_named(claim);
    return prove_claim(found, policy, found.family().instance(instance), oracle, budget);
}

checks::Verdict prove_claim(const checks::Claim& found, const std::string& policy, const checks::DomainPtr& domain,
                            const std::string& oracle, const explore::Budget& budget) {
    if (const std::string why = found.any->outside(*domain); !why.empty())
        throw InputError::at_key("instance", "expected one of which " + found.id + " speaks: " + why);
    const std::vector<std::string> oracles = found.any->oracles();
    const auto suits = [&](const std::string& name) {
        const auto at = std::find(oracles.begin(), oracles.end(), name);
        return at != oracles.end() && found.any->suits(static_cast<std::size_t>(at - oracles.begin()), *domain);
    };
    std::string wanted = oracle.empty() ? std::string(found.family().strongest_oracle()) : oracle;
    if (oracle.empty() && !suits(wanted))
        if (const auto first = std::find_if(oracles.begin(), oracles.end(), suits); first != oracles.end())
            wanted = *first;
    const auto position = std::find(oracles.begin(), oracles.end(), wanted);
    const auto which = static_cast<std::size_t>(position - oracles.begin());
    if (position == oracles.end() || !found.any->suits(which, *domain))
        throw InputError::at_key("oracle",
                                 "expected an oracle of " + found.id + " for " + domain->name + ", not " + wanted);
    checks::Settings settings;
    settings.budget = budget;
    return found.any->trial(domain, policy)->ask(which, settings);
}

std::string certificate(const checks::Verdict& verdict) {
    const auto* proved = std::get_if<checks::Proved>(&verdict);
    return proved == nullptr ? "" : certify::write_certificate(*proved->certificate);
}

}  // namespace schedproof::suite
