#include "checks/sharing/claim.hpp"

#include <utility>
#include <variant>

#include "checks/pictures/sharing_picture.hpp"
#include "model/core/errors.hpp"
#include "proofs/sharing/theorems/statements.hpp"

namespace schedproof::checks::sharing_claims {

using namespace sharing;

std::string zaharia(const char* place) { return std::string("[zaharia2010], ").append(place); }

std::vector<std::string> all_policies() {
    std::vector<std::string> ids;
    for (const PolicyInfo& info : policies()) ids.emplace_back(info.id);
    return ids;
}

std::vector<std::string> policies_that_never_kill() {
    std::vector<std::string> ids = all_policies();
    std::erase_if(ids, [](const std::string& id) {
        return std::visit([]<class P>(const P&) { return ReclaimingPolicy<P>; }, make_policy(id, {}));
    });
    return ids;
}

std::vector<std::string> added_policies(const std::string& name) {
    std::vector<std::string> ids = all_policies();
    std::erase_if(ids, [&](const std::string& id) { return !is_added(id) || !speaks_of(statement(name), id); });
    return ids;
}

ClaimBuilder<SharingFamily> claim(const std::string& id, SharingPart part) {
    ClaimBuilder<SharingFamily> made(id);
    return made
        .instances(
            "as named: random states and trajectories (courses) have at most 4 jobs of 4 tasks on 4 nodes of 2 slots; "
            "states-with-skips and states-with-queues one or two jobs of at most two tasks on three nodes of a slot, "
            "the first one offered, in all stages and with skip counts 0..2 against D = D1 = D2 = 1, or with queues, "
            "priorities and times; n3 is all moments of every cluster with up to three jobs that have tasks to launch")
        .needs([](const SharingFamily::Policy&, const SharingCase&) { return true; })
        .misfit([part](const SharingCase& c, const std::string& policy) { return misfit(c, part, policy); })
        .pictures([part](const SharingFamily::Policy&, const SharingCase& c, const std::vector<std::string>& title) {
            // A claim about the analysis alone has no cluster.
            if (!graph::is_drawable(c.setting, c.state)) return std::vector<Picture>();
            const auto offered = part == SharingPart::offer ? std::optional(c.slot) : std::nullopt;
            return std::vector{Picture{"state", graph::sharing_state_picture(c.setting, c.state, offered, title)}};
        });
}

Property<SharingFamily> of_policy(PolicyProperty property, Fix fix) {
    return [property = std::move(property), fix = std::move(fix)](const SharingFamily::Policy& policy,
                                                                  SharingCase c) -> Violation {
        if (fix) fix(c);
        const SharingPolicyUnderTest under_test = policy(c);
        try {
            return property(under_test, c);
        } catch (const ContractViolation& broken) {
            // Broken by one of the program's own policies it would speak against the property.
            if (!is_added(under_test.policy)) throw;
            return std::string("it breaks a contract: ") + broken.what();
        }
    };
}

MutantSystem<SharingFamily> policy_mutant(PolicyMutant mutant) {
    const auto domain = SharingFamily::instance(mutant.domain);
    const std::string oracle = std::holds_alternative<SharingDomain::Enumerated>(domain->problems) ? "exhaustive"
                               : std::holds_alternative<SharingDomain::Random>(domain->problems)   ? "sampled"
                                                                                                   : "explore";
    return {std::move(mutant.name), std::move(mutant.change), oracle, [policy = std::move(mutant.policy), domain] {
                return SharingTrial{domain, policy({}).policy, policy};
            }};
}

MakeMutant another_rule(std::string id, std::function<std::uint64_t(std::uint64_t)> other) {
    return [id = std::move(id), other = std::move(other)](const SharingCase& c) {
        SharingPolicyUnderTest under_test = policy_under_test(id, c.parameters);
        under_test.rule = [own = under_test.rule, other](const DelaySetting& setting, const Rational& goal) {
            return other(own(setting, goal));
        };
        return under_test;
    };
}

MakeMutant another(std::string id, std::string other) {
    return [id = std::move(id), other = std::move(other)](const SharingCase& c) {
        SharingPolicyUnderTest under_test = policy_under_test(other, c.parameters);
        under_test.policy = id;
        return under_test;
    };
}

}  // namespace schedproof::checks::sharing_claims
