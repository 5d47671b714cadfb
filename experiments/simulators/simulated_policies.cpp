#include "experiments/simulators/simulated_policies.hpp"

namespace schedproof::simulation {

const SimulatedPolicy& simulated(const queueing::AnyPolicy& policy) {
    const queueing::DecisionClass decisions = queueing::decision_class(policy.rules());
    for (const auto rows : {detail::rules_of_own_queues(), detail::rules_with_help(), detail::rules_of_other_queues()})
        for (const detail::SimulatedRules& row : rows)
            if (row.routing == decisions.routing && row.serving == decisions.serving) return row.by;
    return detail::any_rules();
}

}  // namespace schedproof::simulation
