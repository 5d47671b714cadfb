#include "checks/families.hpp"

#include <algorithm>
#include <iterator>

#include "model/core/errors.hpp"

namespace schedproof::checks {

std::span<const Family* const> families() {
#define SCHEDPROOF_LIST_FAMILY(NAME) &NAME##_family(),
    static const Family* const list[] = {SCHEDPROOF_FAMILIES(SCHEDPROOF_LIST_FAMILY)};
#undef SCHEDPROOF_LIST_FAMILY
    return list;
}

std::vector<std::string> family_ids() {
    std::vector<std::string> ids;
    for (const Family* family : families()) ids.emplace_back(family->id());
    return ids;
}

std::vector<Claim> all_claims() {
    std::vector<Claim> claims;
    for (const Family* family : families()) {
        std::vector<Claim> own = family->claims();
        std::move(own.begin(), own.end(), std::back_inserter(claims));
    }
    std::sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) { return a.id < b.id; });
    return claims;
}

Claim claim_named(std::string_view id) {
    for (Claim& claim : all_claims())
        if (claim.id == id) return std::move(claim);
    throw InputError::at_key("claim", "expected a registered claim, not '" + std::string(id) + "'");
}

}  // namespace schedproof::checks
