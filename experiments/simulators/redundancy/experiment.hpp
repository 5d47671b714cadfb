/// The simulators of the redundancy family as an experiment: flowtimes and active jobs, batch by batch.
///
/// Time is cut into batches up to the horizon. A job counts in the batch in which it is done; the active jobs are a
/// mean over the batch's time. Jobs arrive up to the horizon and are run to their end; what ends later is not counted.
/// On one machine under `fair` this is M/G/1 with processor sharing.
#pragma once

#include <memory>
#include <optional>

#include "experiments/simulators/core/observation.hpp"
#include "experiments/simulators/redundancy/random_periods.hpp"
#include "experiments/workload/redundancy_workload.hpp"
#include "model/redundancy/service.hpp"
#include "policies/redundancy/registry.hpp"

namespace schedproof::simulation {

struct FlowtimeSettings {
    redundancy::AnyPolicy policy = redundancy::Srpt{};
    std::size_t machines = 100;
    Rational speed{1};
    redundancy::Service service = {};       ///< mean service in continuous time, linear
    std::optional<PeriodLaw> periods = {};  ///< sample paths in slots instead
    workload::RedundancyWorkload workload = {};
    /// Jobs as recorded instead of a workload, of which the horizon alone is read.
    std::shared_ptr<const redundancy::Jobs<Real>> jobs = {};
    std::uint32_t batches = 100;
    double tick = 0;  ///< of the histogram of flowtimes; 0: a thousandth of the mean size
};

/// Quantities: flowtime, active jobs. Throws InputError that names the field unless machines, batches, speed, rate and
/// horizon are above 0, tick at least 0, and the service is linear. A run may throw Deadlock and LimitExceeded.
[[nodiscard]] std::unique_ptr<Experiment> make_flowtime_experiment(FlowtimeSettings settings);

/// Tallies and histograms of flowtimes and active jobs, of jobs that were in the system from `arrival` on for
/// `flowtime`. Requires as many of both, length and tick above 0, and at least one batch.
[[nodiscard]] Observation observe_flowtimes(const redundancy::Jobs<Real>& jobs, const std::vector<double>& flowtime,
                                            double length, std::uint32_t batches, double tick);

}  // namespace schedproof::simulation
