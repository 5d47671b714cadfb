/// The simulator in continuous time: between checkpoints every job gets its mean service, as in the paper's analysis.
///
/// It is the event loop of model/redundancy on machine numbers, and nothing else: what is proved about schedules
/// on rationals is run here on doubles. Decisions are made at arrivals and departures, at whatever time they are.
#pragma once

#include "experiments/simulators/redundancy/slotted_run.hpp"
#include "model/core/real.hpp"
#include "policies/redundancy/registry.hpp"

namespace schedproof::simulation {

/// Jobs ascend by arrival; their sizes are above 0. Requires a linear service, speed above 0. Throws Deadlock.
[[nodiscard]] Run run_on_mean_service(const redundancy::AnyPolicy& policy, const redundancy::Problem<Real>& problem,
                                      const Rational& speed, const Progress& progress = {});

}  // namespace schedproof::simulation
