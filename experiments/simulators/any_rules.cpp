#include "experiments/simulators/simulated_rules.hpp"

namespace schedproof::simulation::detail {

const SimulatedPolicy& any_rules() {
    static constexpr SimulatedPolicy any =
        simulated_rules<queueing::RoutingRule::unspecified, queueing::ServingRule::unspecified>().by;
    return any;
}

}  // namespace schedproof::simulation::detail
