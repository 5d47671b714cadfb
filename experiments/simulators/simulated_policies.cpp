#include "experiments/simulators/simulated_policies.hpp"

#include <array>

#include "policies/queueing/registry.hpp"

namespace schedproof::simulation {

namespace detail {
#define SCHEDPROOF_POLICY(header, Name) extern const SimulatedPolicy simulated_##Name;
#include "policies/queueing/registry.def"
#undef SCHEDPROOF_POLICY
}  // namespace detail

const SimulatedPolicy& simulated(const queueing::AnyPolicy& policy) {
    static constexpr std::array rows{
#define SCHEDPROOF_POLICY(header, Name) &detail::simulated_##Name,
#include "policies/queueing/registry.def"
#undef SCHEDPROOF_POLICY
    };
    return *rows[queueing::registry_index(policy.info().id)];
}

}  // namespace schedproof::simulation
