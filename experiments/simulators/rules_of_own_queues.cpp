#include "experiments/simulators/simulated_rules.hpp"

namespace schedproof::simulation::detail {

using queueing::RoutingRule;
using queueing::ServingRule;

std::span<const SimulatedRules> rules_of_own_queues() {
    static constexpr std::array rows{
        simulated_rules<RoutingRule::shortest_local, ServingRule::own>(),
        simulated_rules<RoutingRule::random_local, ServingRule::own>(),
        simulated_rules<RoutingRule::random_any, ServingRule::own>(),
        simulated_rules<RoutingRule::planned, ServingRule::own>(),
    };
    return rows;
}

}  // namespace schedproof::simulation::detail
