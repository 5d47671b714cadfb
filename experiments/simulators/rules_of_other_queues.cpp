#include "experiments/simulators/simulated_rules.hpp"

namespace schedproof::simulation::detail {

using queueing::RoutingRule;
using queueing::ServingRule;

std::span<const SimulatedRules> rules_of_other_queues() {
    static constexpr std::array rows{
        simulated_rules<RoutingRule::least_weighted_workload, ServingRule::most_local_first>(),
        simulated_rules<RoutingRule::least_weighted_workload, ServingRule::most_local_or_none>(),
        simulated_rules<RoutingRule::own_type, ServingRule::largest_marginal_cost>(),
        simulated_rules<RoutingRule::own_type, ServingRule::furthest_behind>(),
        simulated_rules<RoutingRule::common, ServingRule::common>(),
    };
    return rows;
}

}  // namespace schedproof::simulation::detail
