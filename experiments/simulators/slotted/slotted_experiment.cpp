#include "experiments/simulators/slotted/slotted_experiment.hpp"

#include <utility>

#include "experiments/simulators/simulated_policies.hpp"

namespace schedproof::simulation {

std::unique_ptr<const Experiment> slotted_experiment(System system, const queueing::AnyPolicy& policy,
                                                     const SlottedSettings& settings) {
    return simulated(policy).in_slots(std::move(system), policy, settings);
}

}  // namespace schedproof::simulation
