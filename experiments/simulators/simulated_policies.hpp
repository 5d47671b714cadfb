/// Any policy in the queueing simulators. The pairs of rules that the registered policies have are compiled for
/// themselves, so that their decisions are inlined where they are made; any other policy runs in the same simulators,
/// its rules looked up at each question.
#pragma once

#include <memory>
#include <span>

#include "experiments/simulators/events/event_plan.hpp"
#include "experiments/simulators/slotted/slotted_recorder.hpp"
#include "experiments/simulators/slotted/system.hpp"
#include "model/queueing/policy.hpp"

namespace schedproof::simulation {

/// How the policies of one pair of rules are simulated.
struct SimulatedPolicy {
    std::unique_ptr<const Experiment> (*in_slots)(System, const queueing::AnyPolicy&, const SlottedSettings&);
    Observation (*in_continuous_time)(const EventPlan&, const statistics::Replication&, const Done&);
};

namespace detail {
/// A pair of rules with its simulators.
struct SimulatedRules {
    queueing::RoutingRule routing;
    queueing::ServingRule serving;
    SimulatedPolicy by;
};
// A unit each, to be compiled side by side.
[[nodiscard]] std::span<const SimulatedRules> rules_of_own_queues();
[[nodiscard]] std::span<const SimulatedRules> rules_with_help();
[[nodiscard]] std::span<const SimulatedRules> rules_of_other_queues();
[[nodiscard]] const SimulatedPolicy& any_rules();
}  // namespace detail

[[nodiscard]] const SimulatedPolicy& simulated(const queueing::AnyPolicy& policy);

}  // namespace schedproof::simulation
