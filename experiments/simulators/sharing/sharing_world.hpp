/// From settings to what a run is made of. Private to the experiment.
#pragma once

#include "experiments/simulators/sharing/sharing_experiment.hpp"
#include "experiments/simulators/sharing/sharing_run.hpp"

namespace schedproof::simulation::detail {

/// Both throw InputError that names the option, or the place in a file. Files that were read are added to `inputs`.
[[nodiscard]] SharingWorld world_of(const SharingSettings& settings, std::vector<input::InputFile>* inputs = nullptr);
[[nodiscard]] sharing::AnyPolicy policy_of(const SharingSettings& settings);

}  // namespace schedproof::simulation::detail
