/// In which ways a redundancy policy must agree with itself before anything is said of it.
///
/// On random instances: asked twice, and made anew, it grants the same; its schedule in rationals is the one that the
/// reference model makes of the same grants, and the one on symbols that are decided as the instance's numbers are. No
/// job waits for ever.
#pragma once

#include <functional>
#include <string>

#include "checks/core/agreement.hpp"
#include "checks/redundancy/reference_model.hpp"
#include "proofs/symbolic/affine.hpp"

namespace schedproof::checks {

/// A policy of any type in all modes.
struct RedundancyPolicyInModes {
    template <class N>
    using Run = std::function<redundancy::History<N>(const redundancy::Problem<N>&, const Rational& speed)>;
    std::function<redundancy::Allocation(std::size_t n, std::size_t machines)> allocate;
    redundancy::Order order = redundancy::Order::arrival;
    Run<Rational> in_rationals;
    Run<explore::Affine> on_symbols;
};

[[nodiscard]] RedundancyPolicyInModes redundancy_policy_in_modes(const redundancy::AnyPolicy& policy);

/// Why the policy is refused; empty when it is not. `make` is given a beta, which not every policy heeds.
[[nodiscard]] std::string redundancy_disagreement(
    const std::function<RedundancyPolicyInModes(const Rational& beta)>& make, std::uint64_t cases = agreement_cases);

}  // namespace schedproof::checks
