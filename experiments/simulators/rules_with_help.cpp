#include "experiments/simulators/simulated_rules.hpp"

namespace schedproof::simulation::detail {

using queueing::RoutingRule;
using queueing::ServingRule;

std::span<const SimulatedRules> rules_with_help() {
    static constexpr std::array rows{
        simulated_rules<RoutingRule::shortest_local_or_common, ServingRule::largest_of_own_and_common>(),
        simulated_rules<RoutingRule::shortest_local, ServingRule::largest_weight>(),
        simulated_rules<RoutingRule::shortest_local, ServingRule::own_then_longest>(),
        simulated_rules<RoutingRule::shortest_local, ServingRule::own_then_largest_weight>(),
    };
    return rows;
}

}  // namespace schedproof::simulation::detail
