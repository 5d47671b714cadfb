#include "checks/sharing/claim_group.hpp"

#include <utility>

namespace schedproof::checks::sharing_group {

using namespace sharing;

std::string zaharia(const char* place) { return std::string("[zaharia2010], ").append(place); }

std::vector<std::string> all_policies() {
    std::vector<std::string> ids;
    for (const PolicyInfo& info : policies()) ids.emplace_back(info.id);
    return ids;
}

SharingClaim claim(const std::string& id, std::string statement, std::string source, SharingPart part,
                   std::function<sharing_judging::Judge> judge, Fix fix) {
    SharingClaim made;
    made.part = part;
    made.id = "sharing." + id;
    made.statement = std::move(statement);
    made.source = std::move(source);
    made.family =
        "as named: random states and courses have at most 4 jobs of 4 tasks on 4 nodes of 2 slots; states-with-skips "
        "and states-with-queues one or two jobs of at most two tasks on three nodes of a slot, the first one offered, "
        "in all stages and with skip counts 0..2 against D = D1 = D2 = 1, or with queues, priorities and times";
    made.violation = [judge = std::move(judge), fix = std::move(fix)](const std::string& policy, SharingCase c) {
        if (fix) fix(c);
        return judge(sharing_subject(policy, c.parameters), c);
    };
    made.oracles = {exhaustive<SharingFamily>(made.violation), sampled<SharingFamily>(made.violation)};
    needs(made, [](const SharingCase&) { return true; });
    return made;
}

void needs(SharingClaim& claim, std::function<bool(const SharingCase&)> telling) {
    claim.witness = [telling = std::move(telling)](const SharingTrial& trial) {
        return witness_of<SharingFamily>(*trial.domain, telling);
    };
}

void holds(SharingClaim& claim, const std::vector<std::string>& policies, const std::vector<std::string>& domains) {
    for (const std::string& policy : policies) claim.lines.push_back({policy, domains, Expectation::holds, {}, {}});
}

void fails(SharingClaim& claim, const std::vector<std::string>& policies, const std::vector<std::string>& domains,
           const std::string& why) {
    for (const std::string& policy : policies) claim.lines.push_back({policy, domains, Expectation::fails, {}, why});
}

void mutant(SharingClaim& claim, const std::string& name, const std::string& fault, const std::string& domain,
            std::function<SharingSubject(const SharingCase&)> faulty, std::function<sharing_judging::Judge> judge) {
    const auto caught = [=, faulty = std::move(faulty), judge = std::move(judge)](const Settings& settings) {
        const SharingDomainPtr where = named_sharing_domain(domain);
        std::string found;
        const auto look = [&](const SharingCase& c) {
            found = judge(faulty(c), c);
            if (!found.empty()) found = "on " + describe(c) + ": " + found;
            return found.empty();
        };
        if (const auto* listed = std::get_if<SharingDomain::Enumerated>(&where->problems)) listed->each(look);
        if (const auto* random = std::get_if<SharingDomain::Random>(&where->problems))
            for (std::uint64_t i = 0; i < settings.cases; ++i) {
                Sampler chance(StreamKey{settings.seed, i});
                if (!look(random->draw(chance))) break;
            }
        return found;
    };
    const bool listed = std::holds_alternative<SharingDomain::Enumerated>(named_sharing_domain(domain)->problems);
    claim.mutants.push_back({name, fault, listed ? "exhaustive" : "sampled", caught});
}

std::function<SharingSubject(const SharingCase&)> another(std::string id, std::string other) {
    return [id = std::move(id), other = std::move(other)](const SharingCase& c) {
        SharingSubject subject = sharing_subject(other, c.parameters);
        subject.policy = id;
        return subject;
    };
}

}  // namespace schedproof::checks::sharing_group
