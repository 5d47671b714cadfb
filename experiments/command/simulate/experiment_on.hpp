/// A queueing policy on an instance as an experiment of a stated length, in either time.
#pragma once

#include <cstdint>
#include <memory>

#include "experiments/simulators/core/observation.hpp"
#include "model/queueing/any_policy.hpp"

namespace schedproof::cli {

/// A run of so many slots from the empty state, in equal batches of which there are 200 at most; in continuous time one
/// in which as many tasks arrive on average. Throws InputError when the policy cannot run on the instance.
[[nodiscard]] std::unique_ptr<const simulation::Experiment> experiment_on(
    const std::shared_ptr<const queueing::Instance>& instance, const queueing::AnyPolicy& policy, std::uint64_t slots);

}  // namespace schedproof::cli
