#include "checks/claims/redundancy_claim.hpp"
#include "model/core/errors.hpp"

namespace schedproof::checks {

RedundancyDomainPtr named_redundancy_domain(const std::string& name) {
    const auto made = [&](auto problems) {
        return std::make_shared<const RedundancyDomain>(RedundancyDomain{name, std::move(problems)});
    };
    if (name.starts_with('n')) return made(redundancy::parse_shape(name));
    throw InputError({"", 0, "instance"}, "expected a shape such as n4-m2-det, not '" + name + "'");
}

}  // namespace schedproof::checks
