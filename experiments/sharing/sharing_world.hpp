/// From settings to what a run is made of. Private to the experiment.
#pragma once

#include "experiments/sharing/run.hpp"
#include "experiments/sharing/sharing_experiment.hpp"

namespace schedproof::simulation::detail {

struct SharingPlan {
    SharingWorld world;
    sharing::AnyPolicy policy;
    bool slotted = false;
};

/// Throws InputError that names the option, or the place in a file.
[[nodiscard]] SharingPlan plan_of(const SharingSettings& settings);

}  // namespace schedproof::simulation::detail
