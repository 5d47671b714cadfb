/// In which ways a sharing policy must agree with itself before anything is said of it.
///
/// On random states, reachable or not: asked twice, and made anew, it answers the same; names of nodes make no
/// difference, nor does a job that was done before; a job is offered the same slots by a state as by jobs without end
/// (endless.hpp). What it launches is there, and its killing ends. The simulator's indexes are compared beside the
/// simulator (experiments/simulators/sharing/lockstep.hpp).
#pragma once

#include <functional>
#include <string>

#include "checks/core/agreement.hpp"
#include "checks/sharing/policy_under_test.hpp"

namespace schedproof::checks {

using MakeSharingPolicy = std::function<SharingPolicyUnderTest(const sharing::Parameters&)>;

/// Why the policy is refused; empty when it is not.
[[nodiscard]] std::string sharing_disagreement(const MakeSharingPolicy& make, std::uint64_t cases = agreement_cases);

}  // namespace schedproof::checks
