/// All claims, explicitly: one file per group, each adding its claims to the list.
///
/// To add a group: declare its function here, define it in a file of its own after the pattern of
/// queueing_stability.cpp, and call it in registry.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/core/claim.hpp"

namespace schedproof::checks {

/// Every registered claim, sorted by id.
[[nodiscard]] std::vector<Claim> all_claims();

/// A policy without a claim that the explore reading or Z3 settles, and why that is honest.
struct ExploreExemption {
    std::string_view policy;
    std::string_view reason;
};
[[nodiscard]] std::span<const ExploreExemption> explore_exemptions();

// The groups.
void add_queueing_invariants(std::vector<Claim>& claims);     ///< decisions and slots
void add_queueing_readings(std::vector<Claim>& claims);       ///< explore = enumerate; renaming servers
void add_queueing_stability(std::vector<Claim>& claims);      ///< drift, per policy
void add_queueing_capacity(std::vector<Claim>& claims);       ///< outer bound; stability programs
void add_queueing_theorems(std::vector<Claim>& claims);       ///< every cluster; transience; synthesis
void add_queueing_heavy_traffic(std::vector<Claim>& claims);  ///< lower bound; balance; several slots
void add_assignment_dyndloff(std::vector<Claim>& claims);     ///< the two phases of DynDLOff
void add_assignment_schedulers(std::vector<Claim>& claims);   ///< outcomes of every scheduler
void add_redundancy_model(std::vector<Claim>& claims);        ///< services, schedules, the optimum
void add_redundancy_srpt(std::vector<Claim>& claims);         ///< dual fitting of SRPT+R
void add_redundancy_fair(std::vector<Claim>& claims);         ///< dual fitting of FAIR+R
void add_redundancy_laps(std::vector<Claim>& claims);         ///< the potential of LAPS+R
void add_sharing_offers(std::vector<Claim>& claims);          ///< rules of every sharing policy, offer by offer
void add_sharing_delay(std::vector<Claim>& claims);           ///< locality against D, the rule for D
void add_sharing_courses(std::vector<Claim>& claims);         ///< waits, lost work, sticky slots

}  // namespace schedproof::checks
