/// Sharing policies under `simulate`.
#pragma once

#include <memory>

#include "experiments/command/simulate/simulate.hpp"
#include "experiments/simulators/sharing/sharing_experiment.hpp"

namespace schedproof::cli {

/// The options that fill the settings.
[[nodiscard]] OptionTable sharing_options(simulation::SharingSettings& settings);

[[nodiscard]] std::shared_ptr<FamilySimulation> sharing_simulation();

}  // namespace schedproof::cli
