/// Simulating a policy of one's own from a program or a test, beside registered ones on the same random numbers.
///
///     const auto report = schedproof::simulate<MyPolicy>(instance, {.slots = 20'000}, {"jsq-maxweight"});
///     const double delay = schedproof::runs::summary_of(report, "task delay").estimate->mean;
///
/// In CMake: find_package(schedproof COMPONENTS experiments), and link schedproof::experiments. A simulation decides
/// nothing about stability: a policy that is transient may look steady for long.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiments/runs/compare.hpp"
#include "experiments/simulators/redundancy/experiment.hpp"
#include "experiments/simulators/sharing/sharing_experiment.hpp"
#include "experiments/simulators/slotted/slotted_experiment.hpp"
#include "policies/core/known.hpp"
#include "policies/queueing/registry.hpp"
#include "policies/redundancy/registry.hpp"
#include "policies/sharing/registry.hpp"

namespace schedproof {

namespace simulation {

/// The known policy of this id first, then those that it is set against, by their ids.
/// Throws InputError when a policy is unknown or cannot run, or a setting is out of range; OracleConflict when a policy
/// breaks a contract, or answers from the simulator's indexes otherwise than from the state.
[[nodiscard]] runs::PointReport simulate(const queueing::Instance& instance, const SlottedSettings& settings,
                                         const std::vector<std::string>& policies, const runs::CompareOptions& options);
/// The policy of the settings is not heeded.
[[nodiscard]] runs::PointReport simulate(const SharingSettings& settings, const std::vector<std::string>& policies,
                                         const runs::CompareOptions& options);
/// The policy of the settings is not heeded; a beta is 1/2.
[[nodiscard]] runs::PointReport simulate(const FlowtimeSettings& settings, const std::vector<std::string>& policies,
                                         const runs::CompareOptions& options);

/// `first`, then the others.
[[nodiscard]] inline std::vector<std::string> beside(const std::string& first, const std::vector<std::string>& others) {
    std::vector<std::string> all{first};
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

}  // namespace simulation

/// Slot by slot on the instance.
template <queueing::QueueingPolicy P>
[[nodiscard]] runs::PointReport simulate(const queueing::Instance& instance,
                                         const simulation::SlottedSettings& settings = {},
                                         const std::vector<std::string>& others = {},
                                         const runs::CompareOptions& options = {}) {
    return simulation::simulate(instance, settings, simulation::beside(known<P>(&queueing::added<P>), others), options);
}
/// Jobs that share a cluster.
template <sharing::SharingPolicy P>
[[nodiscard]] runs::PointReport simulate(const simulation::SharingSettings& settings,
                                         const std::vector<std::string>& others = {},
                                         const runs::CompareOptions& options = {}) {
    return simulation::simulate(settings, simulation::beside(known<P>(&sharing::added<P>), others), options);
}
/// Jobs that may run copies.
template <redundancy::Policy P>
[[nodiscard]] runs::PointReport simulate(const simulation::FlowtimeSettings& settings,
                                         const std::vector<std::string>& others = {},
                                         const runs::CompareOptions& options = {}) {
    return simulation::simulate(settings, simulation::beside(known<P>(&redundancy::added<P>), others), options);
}

}  // namespace schedproof
