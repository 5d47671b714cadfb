/// A cluster under a queueing policy, slot by slot, as an experiment.
#pragma once

#include <memory>

#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "policies/queueing/registry.hpp"

namespace schedproof::simulation {

/// Throws InputError when the policy is not registered or cannot run on the system, time is continuous in its instance,
/// or a setting is out of range.
[[nodiscard]] std::unique_ptr<const Experiment> slotted_experiment(SimulatedSystem system,
                                                                   const queueing::AnyPolicy& policy,
                                                                   const SlottedSettings& settings);

}  // namespace schedproof::simulation
