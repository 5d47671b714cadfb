/// The registered claims, by their ids.
#pragma once

#include <string>
#include <vector>

#include "checks/core/run.hpp"
#include "checks/families.hpp"
#include "checks/queueing/claim.hpp"

namespace schedproof::checks {

inline const std::vector<Claim>& claims() {
    static const std::vector<Claim> all = all_claims();
    return all;
}
inline const Claim& claim(const std::string& id) { return *select(claims(), {id}).front(); }

using QueueingClaim = FamilyClaim<QueueingFamily>;
inline const QueueingClaim& queueing_claim(const std::string& id) { return claim_of<QueueingFamily>(claim(id)); }

}  // namespace schedproof::checks
