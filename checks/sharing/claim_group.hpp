/// How the groups of claims about sharing are written: words and a judge, then lines, oracles and mutants.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checks/sharing/claim.hpp"
#include "checks/sharing/properties/properties.hpp"

namespace schedproof::checks::sharing_group {

/// Changes a case before it is judged: parameters that the claim fixes.
using Fix = std::function<void(SharingCase&)>;

/// A claim `sharing.ID` that looks at that part of every case; no lines yet.
[[nodiscard]] SharingClaim claim(const std::string& id, std::string statement, std::string source, SharingPart part,
                                 std::function<sharing_judging::Judge> judge, Fix fix = {});
/// A domain shows something of the claim only with a case like this among its first.
void needs(SharingClaim& claim, std::function<bool(const SharingCase&)> telling);

void holds(SharingClaim& claim, const std::vector<std::string>& policies, const std::vector<std::string>& domains);
void fails(SharingClaim& claim, const std::vector<std::string>& policies, const std::vector<std::string>& domains,
           const std::string& why);

/// The claim's check on a case of the domain that a faulty policy stands for; `faulty(case)` makes it.
void mutant(SharingClaim& claim, const std::string& name, const std::string& fault, const std::string& domain,
            std::function<SharingSubject(const SharingCase&)> faulty, std::function<sharing_judging::Judge> judge);
/// A faulty policy of the parameters, under the id of another.
template <class MakePolicy>
[[nodiscard]] std::function<SharingSubject(const SharingCase&)> faulty(std::string id, MakePolicy make) {
    return
        [id = std::move(id), make](const SharingCase& c) { return subject_of(make(c.parameters), c.parameters, id); };
}
/// The policy `other` under the id of another.
[[nodiscard]] std::function<SharingSubject(const SharingCase&)> another(std::string id, std::string other);

[[nodiscard]] std::vector<std::string> all_policies();
[[nodiscard]] std::string zaharia(const char* place);

}  // namespace schedproof::checks::sharing_group
