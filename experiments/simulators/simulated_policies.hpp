/// The registered policies in the queueing simulators. Each is compiled for itself, so that its decisions are inlined
/// where they are made.
#pragma once

#include <memory>

#include "experiments/simulators/events/event_plan.hpp"
#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "policies/queueing/any_policy.hpp"

namespace schedproof::simulation {

/// How one registered policy is simulated.
struct SimulatedPolicy {
    std::unique_ptr<const Experiment> (*in_slots)(System, const queueing::AnyPolicy&, const SlottedSettings&);
    Observation (*in_continuous_time)(const EventPlan&, const statistics::Replication&, const Done&);
};

/// Throws InputError when the policy is not registered.
[[nodiscard]] const SimulatedPolicy& simulated(const queueing::AnyPolicy& policy);

}  // namespace schedproof::simulation
