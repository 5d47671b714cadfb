/// A cluster under a queueing policy, slot by slot, as an experiment.
#pragma once

#include <memory>

#include "experiments/queueing/slotted_recorder.hpp"
#include "experiments/queueing/system.hpp"
#include "policies/registry.hpp"

namespace schedproof::simulation {

/// Throws InputError when the policy cannot run on the system, or a setting is out of range.
[[nodiscard]] std::unique_ptr<const Experiment> slotted_experiment(System system, queueing::AnyPolicy policy,
                                                                   const SlottedSettings& settings);

}  // namespace schedproof::simulation
