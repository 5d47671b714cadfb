#include "checks/core/registry.hpp"

#include <algorithm>
#include <array>

namespace schedproof::checks {

std::vector<Claim> all_claims() {
    std::vector<Claim> claims;
    add_queueing_invariants(claims);
    add_queueing_readings(claims);
    add_queueing_stability(claims);
    add_queueing_capacity(claims);
    add_queueing_theorems(claims);
    add_queueing_heavy_traffic(claims);
    add_assignment_dyndloff(claims);
    add_assignment_schedulers(claims);
    add_redundancy_model(claims);
    add_redundancy_srpt(claims);
    add_redundancy_fair(claims);
    add_redundancy_laps(claims);
    add_sharing_offers(claims);
    add_sharing_delay(claims);
    add_sharing_courses(claims);
    std::sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) { return a.id < b.id; });
    return claims;
}

std::span<const ExploreExemption> explore_exemptions() {
    static constexpr std::array<ExploreExemption, 3> list{{
        {"random-any", "its queues list their tasks: infinitely many shapes of states"},
        {"fluid-model-planning:static", "its queues list their tasks: infinitely many shapes of states"},
        {"fluid-model-planning:deficit",
         "its plan comes from a linear program, which a certificate cannot make again without a solver"},
    }};
    return list;
}

}  // namespace schedproof::checks
