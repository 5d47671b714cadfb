/// What the runs of one experiment in continuous time share: the settings checked, and what follows from them.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/simulators/events/event_experiment.hpp"
#include "experiments/simulators/events/recorder.hpp"
#include "model/core/randomness.hpp"

namespace schedproof::simulation {

/// Numbers of tasks that come together, and their law.
struct BatchLaw {
    std::vector<std::uint32_t> tasks;
    DiscreteDistribution law;
};

struct EventPlan {
    EventSettings settings;
    ServerClasses classes;
    std::vector<EventQuantity> recorded;
    std::vector<TaskTypeId> types;             ///< with arrivals
    std::vector<DiscreteDistribution> shares;  ///< one: which of them an arrival is of
    std::vector<double> rate;                  ///< as the instance's table of rates
    std::vector<BatchLaw> batches = {};        ///< as `types`; empty where tasks come one by one
    [[nodiscard]] EventRecorder::Cut cut() const {
        return {settings.duration / settings.batches, settings.batches, settings.trace != nullptr, settings.affinity};
    }
};

/// Throws as `make_event_experiment` does.
[[nodiscard]] EventPlan make_event_plan(EventSettings settings);

}  // namespace schedproof::simulation
